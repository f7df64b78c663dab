package classify

import (
	"cmp"
	"slices"

	"github.com/oomdoc/oomdoc"
)

const (
	// elsewhereShare, in percent of RAM: with more than this free where the
	// request could not look, the machine as a whole was not exhausted
	// (knowledge kernel-oom.md section 4 point 3).
	elsewhereShare = 5
	// maxZoneProofs bounds how many zones are told one by one.
	maxZoneProofs = 4
)

const (
	keyZoneBelowMin  oomdoc.Key = "evidence.zone-below-min"
	keyZoneBelowHigh oomdoc.Key = "evidence.zone-below-high"
	keyZoneReserve   oomdoc.Key = "evidence.zone-reserve"
	keyZoneNearly    oomdoc.Key = "evidence.zone-nearly"
	keyZoneEnough    oomdoc.Key = "evidence.zone-enough"
	keyMoreZones     oomdoc.Key = "evidence.more-zones"
	keyOrderAlso     oomdoc.Key = "evidence.order-also"
	keySayGlobal     oomdoc.Key = "evidence.global"
)

// decideHostExhausted holds for a global kill when every zone that the request
// may use was short by the kernel's own arithmetic, and nothing much was free
// where it could not look (knowledge kernel-oom.md section 4 points 5 and 6).
// What holds RAM other than processes is asked before (heldBy).
func decideHostExhausted(r *reading) (verdict, bool) {
	if r.isMemcg() || !r.isGlobal() {
		return verdict{}, false
	}
	if _, complete := r.usableZones(); !complete {
		return decideWithoutZones(r)
	}
	found, exhausted := r.exhausted()
	if !exhausted {
		return verdict{}, false
	}
	v := verdict{reason: hostReason(r)}
	v.proveExhausted(r, found)
	v.proveWriteback(r)
	v.proveAlike(r)
	v.proveLargest(r)
	v.proveVictim(r)
	if swapState(r) == swapFree {
		v.atMost(oomdoc.Likely) // something that swap cannot take filled RAM
	}
	if _, known := r.freeElsewhere(); !known && r.hasHigherZone() {
		v.atMost(oomdoc.Possible) // the zones above may have had room
	}
	return v, true
}

// exhausted tells a machine of which no zone could give the request a page, and
// which had nothing much free elsewhere.
func (r *reading) exhausted() (shortage, bool) {
	zones, complete := r.usableZones()
	if !complete || r.isMemcg() || !r.isGlobal() {
		return plenty, false
	}
	found := r.shortageFor(zones)
	return found, found != plenty && !r.muchElsewhere()
}

// proveExhausted says that the machine was out of RAM, and what held it.
func (v *verdict) proveExhausted(r *reading, found shortage) {
	if found == nearly {
		v.atMost(oomdoc.Likely)
	}
	v.proveGlobal(r)
	v.addZones(r)
	v.proveOrder(r)
	v.addSwap(r)
	v.addShares(r)
}

// isGlobal tells a request that no cgroup, cpuset or policy bound. Without a
// summary (before 5.0, or lost) the kill or panic line says so by its prefix.
func (r *reading) isGlobal() bool {
	if r.report.Summary != nil {
		return r.constraint() == constraintNone || r.constraint() == ""
	}
	return true
}

func (r *reading) muchElsewhere() bool {
	elsewhere, known := r.freeElsewhere()
	ram, hasRAM := r.ram()
	if known && !hasRAM { // a line that old kernels do not print, and that can be lost
		ram = zoneSum(r.report.Memory, "present")
	}
	return known && percent(elsewhere, ram) >= elsewhereShare
}

// proveGlobal quotes the constraint that the kernel names.
func (v *verdict) proveGlobal(r *reading) {
	if s := r.report.Summary; s != nil && s.Constraint != "" {
		v.prove(s.Line, keySayGlobal, oomdoc.Args{"constraint": name(s.Constraint)})
	}
}

// proveOrder says that the request was for more than one page, which was not
// the point: not even one page was to be had.
func (v *verdict) proveOrder(r *reading) {
	t := r.trigger
	size, known := r.requested()
	if t == nil || t.Order <= 0 || !known {
		return
	}
	v.prove(t.Line, keyOrderAlso, oomdoc.Args{"size": oomdoc.Bytes(size), "order": oomdoc.Count(t.Order)})
}

// addZones says how short the zones were, the largest first.
func (v *verdict) addZones(r *reading) {
	zones, complete := r.usableZones()
	if !complete {
		return
	}
	found := r.shortageFor(zones)
	v.memory.FreeBytes = new(sumFree(zones))
	slices.SortStableFunc(zones, func(a, b zoneState) int {
		return cmp.Compare(b.zone.Bytes["present"], a.zone.Bytes["present"])
	})
	for i := range zones[:min(len(zones), maxZoneProofs)] {
		v.prove(zones[i].zone.Line, zones[i].key(found), zones[i].args())
	}
	if more := len(zones) - maxZoneProofs; more > 0 {
		v.prove("", keyMoreZones, oomdoc.Args{"n": oomdoc.Count(more)})
	}
}

// key chooses what to say of a zone, when the zones together stood like this.
func (z *zoneState) key(found shortage) oomdoc.Key {
	switch {
	case z.free < z.min:
		return keyZoneBelowMin
	case z.free <= z.mark && z.mark > z.min:
		return keyZoneBelowHigh
	case z.short():
		return keyZoneReserve
	case found == nearly:
		return keyZoneNearly
	}
	return keyZoneEnough
}

func (z *zoneState) args() oomdoc.Args {
	return oomdoc.Args{
		"zone":       name(z.zone.Name),
		"node":       oomdoc.Count(z.zone.Node),
		"free_kib":   oomdoc.Count(z.free >> 10),
		"min_kib":    oomdoc.Count(z.min >> 10),
		"high_kib":   oomdoc.Count(z.mark >> 10),
		"excess_kib": oomdoc.Count(z.excess() >> 10),
		"need_kib":   oomdoc.Count((z.mark + z.reserve + z.urgent + z.cma) >> 10),
	}
}

// addShares says what RAM was used for.
func (v *verdict) addShares(r *reading) {
	if a, known := r.account(); known {
		v.evidence = append(v.evidence, a.evidence()...)
	}
}
