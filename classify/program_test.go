package classify

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

const (
	mib = 1 << 20
	gib = 1 << 30
)

// refused makes the error of a refused allocation; sizes are in MiB, below 0 is
// not known.
func refused(requested, total, free, allocated, unallocated, own, allowed float64) *oomdoc.ProgramError {
	size := func(n float64) *int64 {
		if n < 0 {
			return nil
		}
		return new(int64(n * mib))
	}
	return &oomdoc.ProgramError{
		Engine: oomdoc.EnginePyTorch, Raiser: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice, Outcome: oomdoc.OutcomeFailed, Line: "line",
		Requested: size(requested), Total: size(total), Free: size(free), Allocated: size(allocated),
		Unallocated: size(unallocated), Own: size(own), Allowed: size(allowed),
	}
}

// The worked examples and the reasons of knowledge gpu-oom.md section 4.
func TestFiguresOfARefusalDecideItsCause(t *testing.T) {
	for name, test := range map[string]struct {
		err  *oomdoc.ProgramError
		want oomdoc.Cause
	}{
		"(a) pieces would have been enough": {
			refused(9.89*1024, 139.81*1024, 5.56*1024, 114.70*1024, 10.29*1024, 134.24*1024, -1), oomdoc.CauseCUDAAllocator,
		},
		"(b) a giant tensor, few pieces": {
			refused(25.96*1024, 79.1*1024, 23.04*1024, 45.89*1024, 3.01*1024, 51.9*1024, -1), oomdoc.CauseExhausted,
		},
		"(c) pieces under a cap": {
			refused(3.98*1024, 40*1024, 16.30*1024, 6.74*1024, 7.02*1024, -1, 17.51*1024), oomdoc.CauseCUDAAllocator,
		},
		"(d) others hold the card": {
			refused(24, 7.60*1024, 15, 218, 50, 2.19*1024, -1), oomdoc.CauseOtherProcess,
		},
		"pieces of a pool that is simply full": {
			refused(20, 22.03*1024, 15.12, 21.62*1024, 135.82, 22.01*1024, -1), oomdoc.CauseExhausted,
		},
		"a cap while the card is free": {
			refused(18.63*1024, 45*1024, 43.66*1024, 0, 0, -1, 2.25*1024), oomdoc.CauseReservation,
		},
		"far more free than was asked for, and pieces beside it": {
			refused(2, 287.98*1024, 203.49*1024, 68.63*1024, 14.93*1024, -1, -1), oomdoc.CauseExhausted,
		},
		"more than any card has, of one whose size is not known": {
			refused(4*1024*1024, -1, -1, -1, -1, -1, -1), oomdoc.CauseSingleAllocation,
		},
		"more than the whole card": {
			refused(32*1024, 23.52*1024, 23.05*1024, 0, 0, 386, -1), oomdoc.CauseSingleAllocation,
		},
	} {
		t.Run(name, func(t *testing.T) {
			event := oomdoc.Event{ID: "id", Kind: oomdoc.EventProgramError, Usec: oomdoc.NoUsec, Program: test.err}
			inc, is := diagnoseProgram(newProgramReading(&event, oomdoc.Facts{}))
			if !is || inc.Cause != test.want {
				t.Errorf("cause=%s (%v), want %s", inc.Cause, is, test.want)
			}
			if len(inc.Evidence) == 0 {
				t.Error("no evidence")
			}
		})
	}
}

func TestANearThingIsSaidToBeOne(t *testing.T) {
	event := oomdoc.Event{ID: "id", Usec: oomdoc.NoUsec, Program: refused(25.96*1024, 79.1*1024, 23.04*1024, 45.89*1024, 3.01*1024, 51.9*1024, -1)}
	inc, _ := diagnoseProgram(newProgramReading(&event, oomdoc.Facts{}))
	for _, evidence := range inc.Evidence {
		if evidence.Sentence.Key == keyProgramBorder {
			return
		}
	}
	t.Errorf("nothing says that 26.05 GiB in pieces is near the 25.96 GiB that were asked for: %v", inc.Evidence)
}

func TestWhatWasFreeTwiceOverNobodyElseHeld(t *testing.T) {
	event := oomdoc.Event{ID: "id", Usec: oomdoc.NoUsec, Program: refused(12.5, 10.92*1024, 9.28*1024, 8.57, 4.68, -1, -1)}
	inc, _ := diagnoseProgram(newProgramReading(&event, oomdoc.Facts{}))
	if inc.Cause != oomdoc.CauseExhausted || inc.Confidence != oomdoc.Possible || len(inc.Missing) == 0 {
		t.Errorf("cause=%s confidence=%s missing=%v, want exhausted, possible, and why it may be", inc.Cause, inc.Confidence, inc.Missing)
	}
}

func TestACardThatWasFreeForLittleIsNoShortage(t *testing.T) {
	event := oomdoc.Event{ID: "id", Usec: oomdoc.NoUsec, Program: refused(2, 15.57*1024, 15.42*1024, 0, -1, -1, -1)}
	if inc, is := diagnoseProgram(newProgramReading(&event, oomdoc.Facts{})); is {
		t.Errorf("incident %s of a card that could not be reached", inc.Cause)
	}
}

func TestLostAccessToTheCardIsNoShortage(t *testing.T) {
	err := refused(2, 15.57*1024, 15.4*1024, 0, -1, -1, -1)
	err.Clues = []oomdoc.Clue{{Kind: oomdoc.ClueLostDevice}}
	event := oomdoc.Event{ID: "id", Usec: oomdoc.NoUsec, Program: err}
	if inc, is := diagnoseProgram(newProgramReading(&event, oomdoc.Facts{})); is {
		t.Errorf("incident %s of a card that could not be reached", inc.Cause)
	}
}
