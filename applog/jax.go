package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// jax reads JAX and what else runs on XLA, on GPUs and on TPUs. Its errors name no
// total: the pool is a share of the card that was taken at the start.
func jax() []mark {
	return []mark{
		{"RESOURCE_EXHAUSTED: ", xlaExhausted},
		{"Resource exhausted: ", xlaExhausted},
		{"RET_CHECK failure (tensorflow/compiler/xla", ranIn(oomdoc.EngineJAX)},
		{"XLA backend allocating ", xlaPool},
		{"XLA backend will use up to ", xlaPool},
		{" by rematerialization; only reduced to ", xlaNeeds},
	}
}

// xlaExhausted reads the forms of the error:
//
//	Out of memory while trying to allocate 63.97GiB [executable_name='jit_stage'].
//	Out of memory while trying to allocate 49807360 bytes.
//	Out of memory allocating 107374182400 bytes.
//	Failed to allocate request for 8.00GiB (8589934592B) on device ordinal 0
//	Attempting to allocate 2.00G. That was not possible. There are 1.58G free.
//	Attempting to reserve 11.44G at the bottom of memory. That was not possible. ...
//	Ran out of memory in memory space hbm. Used 21.05G of 15.48G hbm. ...
//
// The last is the compiler's, which knows all that the program will need.
func xlaExhausted(s *scene, sp *span) {
	e, is := readXLA(sp.rest())
	if sp.isSpoken() {
		return
	}
	if !is {
		xlaWrapped(s, sp)
		return
	}
	xlaFails(s, sp, e)
}

// xlaWrapped reads on where a terminal of any width cut the sentence: "Resource
// exhausted: Out " and "of memory while trying to allocate 5520758552 bytes.".
func xlaWrapped(s *scene, sp *span) {
	rest := sp.rest()
	begun := false
	for _, start := range []string{"Out of memory while trying to allocate ", "Failed to allocate request for ", "Attempting to "} {
		begun = begun || bytes.HasPrefix([]byte(start), rest) || bytes.HasPrefix(rest, []byte(start))
	}
	if len(rest) == 0 || !begun {
		return
	}
	head := span{line: &line{rec: sp.rec, text: bytes.Clone(sp.text)}, head: bytes.Clone(sp.head), body: bytes.Clone(sp.body), literal: sp.literal}
	s.read(func(l *line) bool {
		if e, is := readXLA(append(bytes.Clone(head.rest()), l.text...)); is {
			head.line, head.body = &line{rec: l.rec, text: head.text}, append(head.body, l.text...)
			xlaFails(s, &head, e)
		}
		return false
	})
}

func xlaFails(s *scene, sp *span, e oomdoc.ProgramError) {
	e.Engine = oomdoc.EngineJAX
	if bytes.Contains(sp.text, []byte("tensorflow")) && !bytes.Contains(sp.text, []byte("org_tensorflow")) ||
		bytes.Contains(sp.head, []byte("ResourceExhaustedError")) || s.isRunning(oomdoc.EngineTensorFlow) && !s.isRunning(oomdoc.EngineJAX) {
		e.Engine = oomdoc.EngineTensorFlow
	}
	if bytes.Contains(sp.head, []byte("Error loading program")) {
		e.Phase = oomdoc.PhaseCompute
	}
	s.fail(sp, e)
}

func readXLA(text []byte) (oomdoc.ProgramError, bool) {
	e := oomdoc.ProgramError{Pool: oomdoc.PoolDevice}
	forms := []string{
		"ut of memory while trying to allocate ", "ut of memory allocating ", "ailed to allocate request for ",
		"ttempting to allocate ", "ttempting to reserve ",
	}
	names := append(units(), shortUnits()...)
	for _, form := range forms {
		rest, found := after(text, form)
		if !found {
			continue
		}
		a, rest, ok := sizeAt(rest, names)
		if !ok {
			return e, false
		}
		e.Requested, e.Grain = &a.bytes, a.grain
		if exact, is := bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte("(")); is {
			if n, unit, ok := whole(exact); ok && bytes.HasPrefix(unit, []byte("B)")) {
				e.Requested, e.Grain = &n, 0
			}
		}
		e.Free = sizeIn(text, "There are ", names).of()
		if device, found := after(text, "on device ordinal "); found {
			if n, _, ok := small(device); ok {
				e.Device = &n
			}
		}
		if name, found := after(text, "executable_name='"); found {
			name, _, _ = bytes.Cut(name, []byte("'"))
			e.Operation, e.Phase = keep(name), oomdoc.PhaseCompute
		}
		if bytes.Contains(text, []byte("Error loading program")) {
			e.Phase = oomdoc.PhaseCompute
		}
		return e, true
	}
	return readXLACompiler(text)
}

// readXLACompiler reads the compiler's form. Its other memory spaces (vmem, smem)
// are on the chip: a kernel that does not fit there is no shortage.
func readXLACompiler(text []byte) (oomdoc.ProgramError, bool) {
	e := oomdoc.ProgramError{Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseCompute}
	rest, found := after(text, "an out of memory in memory space hbm")
	if !found {
		return e, false
	}
	used, total := sizeIn(rest, "Used ", shortUnits()), sizeIn(rest, " of ", shortUnits())
	e.Total, e.Grain = total.of(), coarsest(used, total)
	if used != nil {
		e.Clues = append(e.Clues, oomdoc.Clue{Kind: oomdoc.CluePlanNeed, Bytes: &used.bytes, Line: keep(text)})
	}
	return e, true
}

// xlaPool reads "XLA backend allocating 63912476672 bytes on device 0 for
// BFCAllocator.": the pool that it takes at the start.
func xlaPool(s *scene, sp *span) {
	if n, rest, ok := whole(sp.rest()); ok && bytes.HasPrefix(rest, []byte(" bytes on device ")) {
		s.is(oomdoc.EngineJAX)
		s.told(sp.line, oomdoc.ProgramError{Limit: &n, LimitLine: sp.shows()})
	}
}

// xlaNeeds reads "Can't reduce memory use below 12.34GiB (... bytes) by
// rematerialization; only reduced to 20.50GiB (... bytes)".
func xlaNeeds(s *scene, sp *span) {
	if a, _, ok := sizeAt(sp.rest(), units()); ok {
		c := sp.clue(oomdoc.CluePlanNeed)
		c.Bytes = &a.bytes
		s.note(c)
	}
}
