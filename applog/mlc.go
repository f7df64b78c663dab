package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// mlc reads MLC LLM (cpp/serve/config.cc, which computes before it begins) and the
// runtime of TVM below it.
func mlc() []mark {
	return append(inPath("/mlc_llm/", ranIn(oomdoc.EngineMLC)), []mark{
		{"Insufficient GPU memory error: ", mlcPlan},
		{"The model weight size may be larger than GPU memory size", mlcWeights},
		{": CUDA: out of memory", tvmRefused},
	}...)
}

// mlcPlan reads "The available single GPU memory is 22000.5 MB, which is less than
// the sum of model weight size (40000.1 MB) and temporary buffer size (800.2 MB)."
// Its MB are 1024 * 1024 bytes.
func mlcPlan(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.is(oomdoc.EngineMLC)
	text := newSentence(sp.body)
	read := func(text []byte) (oomdoc.ProgramError, int) {
		e := oomdoc.ProgramError{Engine: oomdoc.EngineMLC, Pool: oomdoc.PoolDevice, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseWeights}
		free := sizeIn(text, "GPU memory is ", shortUnits())
		weights, scratch := sizeIn(text, "model weight size (", shortUnits()), sizeIn(text, "temporary buffer size (", shortUnits())
		e.Free, e.Grain = free.of(), coarsest(free, weights, scratch)
		if weights != nil && scratch != nil {
			e.Requested = new(weights.bytes + scratch.bytes)
			e.Clues = []oomdoc.Clue{
				{Kind: oomdoc.ClueModelBuffer, Bytes: &weights.bytes, Line: keep(text)},
				{Kind: oomdoc.ClueComputeBuffer, Bytes: &scratch.bytes, Line: keep(text)},
			}
		}
		return e, known(e.Free, e.Requested)
	}
	e, n := read(text.direct)
	f := s.fail(sp, e)
	if f == nil || n == 2 {
		return
	}
	s.read(func(l *line) bool {
		if !text.add(l.text) {
			return false
		}
		e := best(text, read)
		f.complete(&e)
		for _, c := range e.Clues {
			f.addClue(c)
		}
		f.add(s, l, f.last)
		return known(e.Free, e.Requested) < 2
	})
}

// mlcWeights reads the words of 2024, which has no figures.
func mlcWeights(s *scene, sp *span) {
	if !sp.isTalk() {
		s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineMLC, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseWeights, Refusal: oomdoc.RefusalPlan})
	}
}

// tvmRefused reads a failed check of TVM's runtime: "Check failed: (e ==
// cudaSuccess || e == cudaErrorCudartUnloading) is false: CUDA: out of memory".
func tvmRefused(s *scene, sp *span) {
	if !bytes.Contains(sp.head, []byte("Check failed: ")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineMLC, Pool: oomdoc.PoolDevice})
}
