package classify

import "github.com/oomdoc/oomdoc"

// The shares of swap, in percent, below which it counts as used up and above
// which it had room (knowledge kernel-oom.md section 4 point 7).
const (
	swapFullBelow = 2
	swapRoomAbove = 20
)

const (
	keyNoSwap   oomdoc.Key = "evidence.no-swap"
	keySwapFull oomdoc.Key = "evidence.swap-full"
	keySwapLow  oomdoc.Key = "evidence.swap-low"
	keySwapFree oomdoc.Key = "evidence.swap-free"
)

// A swapLevel is how much of the machine's swap was left.
type swapLevel int

const (
	swapUnknown swapLevel = iota
	swapAbsent
	swapFull
	swapLow  // some is left, not enough to say that it did not matter
	swapFree // swap was not what was short
)

func swapState(r *reading) swapLevel {
	m := r.report.Memory
	switch {
	case m == nil || m.SwapTotal == nil:
		return swapUnknown
	case *m.SwapTotal == 0:
		return swapAbsent
	case m.SwapFree == nil:
		return swapUnknown
	}
	switch share := percent(*m.SwapFree, *m.SwapTotal); {
	case share < swapFullBelow:
		return swapFull
	case share > swapRoomAbove:
		return swapFree
	}
	return swapLow
}

// addSwap says what swap the machine had.
func (v *verdict) addSwap(r *reading) {
	m := r.report.Memory
	if m == nil {
		return
	}
	v.memory.SwapTotalBytes, v.memory.SwapFreeBytes = m.SwapTotal, m.SwapFree
	state := swapState(r)
	switch state {
	case swapUnknown:
		return
	case swapAbsent:
		v.prove(m.SwapTotalLine, keyNoSwap, oomdoc.Args{"total": oomdoc.Bytes(0)})
		return
	}
	key := map[swapLevel]oomdoc.Key{swapFull: keySwapFull, swapLow: keySwapLow, swapFree: keySwapFree}[state]
	v.prove(m.SwapFreeLine, key, oomdoc.Args{
		"free": oomdoc.Bytes(*m.SwapFree), "total": oomdoc.Bytes(*m.SwapTotal),
		"share": oomdoc.Percent(percent(*m.SwapFree, *m.SwapTotal)),
	})
}

// hostReason is how the summary says that the machine ran out.
func hostReason(r *reading) reason {
	switch swapState(r) {
	case swapAbsent:
		return reasonHostNoSwap
	case swapFull:
		return reasonHostSwapFull
	}
	return reasonHost
}
