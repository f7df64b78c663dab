package applog

import (
	"slices"
	"strconv"

	"github.com/oomdoc/oomdoc"
)

func decimalOf(n int) string { return strconv.Itoa(n) }

// does says what the refused memory was for, as the program's lines tell it: that
// is surer than what it was seen to do last.
func (f *failure) does(phase oomdoc.Phase) {
	if f != nil && phase != "" {
		f.err.Phase, f.dirty = phase, true
	}
}

// lies says in which buffer the refused memory was to lie, where no line did yet.
func (f *failure) lies(buffer []byte) {
	if len(buffer) == 0 || f.err.DeviceName != "" || f.err.Pool != oomdoc.PoolUnknown {
		return
	}
	f.err.DeviceName, f.err.Pool, f.err.Device, f.dirty = keep(buffer), oomdoc.PoolDevice, deviceIn(buffer), true
	if isHostBuffer(buffer) {
		f.err.Pool, f.err.Device = oomdoc.PoolHost, nil
	}
}

// unite tells what is known of devices other than the one that refused apart: of a
// machine with several, only some may share the machine's memory.
func (f *failure) unite() {
	if f == nil {
		return
	}
	name := f.err.DeviceName
	if f.err.Device != nil && deviceIn([]byte(name)) == nil {
		name = "CUDA" + decimalOf(*f.err.Device)
	}
	if name == "" {
		return
	}
	f.err.Clues = slices.DeleteFunc(f.err.Clues, func(c oomdoc.Clue) bool {
		return c.Kind == oomdoc.ClueUnified && c.Name != "" && !sameDevice(c.Name, name)
	})
	for i := range f.err.Clues {
		c := &f.err.Clues[i]
		if c.Kind == oomdoc.CluePlanFree && c.Name != "" && deviceIn([]byte(c.Name)) != nil && !sameDevice(c.Name, name) {
			c.Kind = oomdoc.ClueElsewhere
		}
	}
}

// sameDevice tells names of one device: HIP's is called ROCm0 or CUDA0.
func sameDevice(a, b string) bool {
	n, m := deviceIn([]byte(a)), deviceIn([]byte(b))
	return n != nil && m != nil && *n == *m
}

// forget drops clues that hold no more.
func (s *scene) forget(kinds ...oomdoc.ClueKind) {
	for i := 0; i < len(s.clues); {
		if slices.Contains(kinds, s.clues[i].Kind) {
			s.clues, s.clueAt = slices.Delete(s.clues, i, i+1), slices.Delete(s.clueAt, i, i+1)
			continue
		}
		i++
	}
}
