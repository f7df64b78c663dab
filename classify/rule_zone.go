package classify

import "github.com/oomdoc/oomdoc"

// cmaShare, in percent of what is free: from here on it is plain that the
// contiguous memory allocator is the reason (knowledge kernel-oom.md section 4
// point 5).
const cmaShare = 80

const (
	keyFreeAbove    oomdoc.Key = "evidence.free-above-zone"
	keyFreeCMA      oomdoc.Key = "evidence.free-cma"
	keyFreeReserve  oomdoc.Key = "evidence.free-behind-reserve"
	keyFreeUrgent   oomdoc.Key = "evidence.free-for-urgent"
	keySlabOfZone   oomdoc.Key = "evidence.slab-of-zone"
	keyWordZoneCMA  oomdoc.Key = "word.held-cma"
	keyWordReserved oomdoc.Key = "word.held-reserve"
	keyWordUrgent   oomdoc.Key = "word.held-urgent"
)

// zoneCases are the ways in which only a part of memory is short, in the order
// of knowledge kernel-oom.md section 4 point 5.
func zoneCases() []func(*reading, []zoneState) (verdict, bool) {
	return []func(*reading, []zoneState) (verdict, bool){
		decideLowZone, decideCMA, decideReserve, decideUrgent,
	}
}

// decideZoneExhausted holds when the zones that the request may use are short
// though the machine has memory free.
func decideZoneExhausted(r *reading) (verdict, bool) {
	zones, complete := r.usableZones()
	if !complete || r.isMemcg() || !r.isGlobal() {
		return verdict{}, false
	}
	for _, decide := range zoneCases() {
		if v, decided := decide(r, zones); decided {
			v.proveVictim(r)
			return v, true
		}
	}
	return verdict{}, false
}

// decideLowZone is for a request that may not use the higher zones, which have
// room: the kernel's own data on a 32-bit machine, an old device's pages, or
// memory that is set aside as movable.
func decideLowZone(r *reading, zones []zoneState) (verdict, bool) {
	found := r.shortageFor(zones)
	if found == plenty || !r.hasHigherZone() || !r.muchElsewhere() {
		return verdict{}, false
	}
	v := verdict{reason: reasonLowZone}
	if found == nearly {
		v.atMost(oomdoc.Likely)
	}
	elsewhere, _ := r.freeElsewhere()
	largest := largestZone(zones)
	v.held = oomdoc.Args{"zone": name(largest.zone.Name), "held": oomdoc.Bytes(elsewhere)}
	v.proveGlobal(r)
	v.addZones(r)
	v.proveOrder(r)
	v.prove(r.report.Memory.CountersLine, keyFreeAbove, oomdoc.Args{
		"free": oomdoc.Bytes(elsewhere), "zone": name(largest.zone.Name),
	})
	v.proveSlabOf(r, zones)
	v.addSwap(r)
	v.addShares(r)
	return v, true
}

// hasHigherZone tells a machine with zones above the asked one. From 6.1 a
// report leaves those out; the count of their pages stays.
func (r *reading) hasHigherZone() bool {
	asked, m := askedZone(r.trigger), r.report.Memory
	for i := range m.Zones {
		if zoneRank(m.Zones[i].Name) > zoneRank(asked) && m.Zones[i].Name != "Device" {
			return true
		}
	}
	switch asked {
	case "DMA", "DMA32": // every machine that has these has more, unless they are all of it
		return true
	case "Normal":
		return m.HighMemPages != nil && *m.HighMemPages > 0
	}
	return false
}

// proveSlabOf says how much of the lower zones the kernel's own data took, which
// can be nowhere else.
func (v *verdict) proveSlabOf(r *reading, zones []zoneState) {
	var whole int64
	for i := range zones {
		whole += zones[i].zone.Bytes["managed"]
	}
	a, known := r.account()
	if !known || whole == 0 {
		return
	}
	slab := a.slab + a.slabReclaimable
	if percent(slab, whole) < slabShare {
		return
	}
	v.prove(a.counters, keySlabOfZone, oomdoc.Args{
		"size": oomdoc.Bytes(slab), "share": oomdoc.Percent(min(100, percent(slab, whole))), "whole": oomdoc.Bytes(whole),
	})
	v.proveCaches(r)
}

// A withheld is free memory of zones that the request may not take.
type withheld struct {
	key  oomdoc.Key
	word oomdoc.Key
	of   func(*zoneState) int64
	give func(*zoneState) // makes it usable
}

// decideCMA is for free memory that is set aside for devices: it makes the
// difference.
func decideCMA(r *reading, zones []zoneState) (verdict, bool) {
	held := withheld{
		keyFreeCMA, keyWordZoneCMA,
		func(z *zoneState) int64 { return z.cma }, func(z *zoneState) { z.cma = 0 },
	}
	v, size, decided := held.decide(r, zones)
	if percent(size, sumFree(zones)) < cmaShare {
		v.atMost(oomdoc.Likely)
	}
	return v, decided
}

// decideReserve is for free memory in every zone that is kept from this request
// for those that can use no higher zone, or for so much of it that it counts
// (vm.lowmem_reserve_ratio keeps 1/256 of the higher zones unless it is changed).
func decideReserve(r *reading, zones []zoneState) (verdict, bool) {
	held := withheld{
		keyFreeReserve, keyWordReserved,
		func(z *zoneState) int64 { return min(z.reserve, max(0, z.usable()-z.mark)) },
		func(z *zoneState) { z.reserve = 0 },
	}
	everywhere := true
	for i := range zones {
		everywhere = everywhere && held.of(&zones[i]) > 0
	}
	v, size, decided := held.decide(r, zones)
	ram, known := r.ram()
	if !everywhere && (!known || percent(size, ram) < elsewhereShare) {
		return verdict{}, false
	}
	return v, decided
}

// decideUrgent is for free memory that is kept for urgent requests, where that
// is at least what is free above the minimum.
func decideUrgent(r *reading, zones []zoneState) (verdict, bool) {
	held := withheld{
		keyFreeUrgent, keyWordUrgent,
		func(z *zoneState) int64 { return z.urgent }, func(z *zoneState) { z.urgent = 0 },
	}
	largest := largestZone(zones)
	if largest.urgent == 0 || largest.urgent < largest.free-largest.min {
		return verdict{}, false
	}
	v, _, decided := held.decide(r, zones)
	return v, decided
}

// decide holds when the zones are short without the memory and not short with
// it.
func (w withheld) decide(r *reading, zones []zoneState) (v verdict, size int64, decided bool) {
	given := make([]zoneState, len(zones))
	copy(given, zones)
	for i := range given {
		size += w.of(&zones[i])
		w.give(&given[i])
	}
	if r.shortageFor(zones) == plenty || r.shortageFor(given) != plenty {
		return verdict{}, size, false
	}
	v.reason = reasonWithheld
	v.held = oomdoc.Args{"held": oomdoc.Bytes(size), "what": oomdoc.Word(w.word)}
	v.proveGlobal(r)
	v.addZones(r)
	v.proveOrder(r)
	v.prove(largestZone(zones).zone.Line, w.key, oomdoc.Args{
		"size": oomdoc.Bytes(size), "free": oomdoc.Bytes(sumFree(zones)),
	})
	v.addSwap(r)
	v.addShares(r)
	return v, size, true
}
