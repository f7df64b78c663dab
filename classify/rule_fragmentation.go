package classify

import "github.com/oomdoc/oomdoc"

// decideFragmentation holds for a request of several pages when free memory
// would have been enough but none of it was in one piece of that size (knowledge
// kernel-oom.md section 4 point 4). Where the largest zone itself is short, it
// takes more in pieces elsewhere than a passing rest: else the machine is simply
// out of memory, and the order only came first to feel it.
func decideFragmentation(r *reading) (verdict, bool) {
	if r.isMemcg() { // a charge to a cgroup is not for pages in one piece
		return verdict{}, false
	}
	zones, complete := r.usableZones()
	if !complete {
		return verdict{}, false
	}
	if pieces, known := r.inPieces(zones); !known || !pieces {
		return verdict{}, false
	}
	v := verdict{reason: reasonPieces}
	switch largest := largestZone(zones); {
	case r.passes(largest) && !largest.short():
	case r.passes(largest), r.muchInPieces(zones):
		v.atMost(oomdoc.Likely)
	default:
		return verdict{}, false
	}
	v.proveWhatWasAsked(r)
	v.addPieces(r, zones)
	v.provePurpose(r)
	v.setSwap(r)
	v.proveVictim(r)
	return v, true
}

// muchInPieces tells that the zones have more free in pieces than what may have
// come free since the request failed (shortageFor).
func (r *reading) muchInPieces(zones []zoneState) bool {
	var room, allowance int64
	for i := range zones {
		room += r.room(&zones[i])
		allowance += zones[i].mark
	}
	return room > allowance
}

// proveWhatWasAsked says how much in one piece was wanted.
func (v *verdict) proveWhatWasAsked(r *reading) {
	if size, known := r.requested(); known && r.order() > 0 {
		v.prove(r.trigger.Line, keyUndecidedOrder, oomdoc.Args{
			"name": processName(r.trigger.Comm), "size": oomdoc.Bytes(size), "order": oomdoc.Count(r.order()),
		})
	}
}

// setSwap fills in the numbers of swap where they decided nothing.
func (v *verdict) setSwap(r *reading) {
	if m := r.report.Memory; m != nil {
		v.memory.SwapTotalBytes, v.memory.SwapFreeBytes = m.SwapTotal, m.SwapFree
	}
}
