package classify

import (
	"slices"

	"github.com/oomdoc/oomdoc"
)

// zoneNames are the kinds of zones, lowest first (include/linux/mmzone.h, enum
// zone_type). A request for one may fall back to those before it.
func zoneNames() []string { return []string{"DMA", "DMA32", "Normal", "HighMem", "Movable", "Device"} }

// zoneRank is the place of a zone among zoneNames, -1 when the name is not known.
func zoneRank(name string) int { return slices.Index(zoneNames(), name) }

// The lowest bits of a request's flags choose its zone; they are the same in
// every kernel from 2.6.32 on (include/linux/gfp.h, gfp_zone).
const (
	gfpDMA     = 1 << 0
	gfpHighMem = 1 << 1
	gfpDMA32   = 1 << 2
	gfpMovable = 1 << 3
)

// askedZone is the highest zone that a request may use. When the header is lost
// it is taken to be a page of a program, the usual one; the mask 0, which the
// page-fault path prints up to 5.15 in place of the request's own, is one.
func askedZone(t *oomdoc.Trigger) string {
	if t == nil || t.GFPMask == 0 {
		return "Movable"
	}
	switch mask := t.GFPMask; {
	case mask&gfpDMA != 0:
		return "DMA"
	case mask&gfpDMA32 != 0:
		return "DMA32"
	case mask&gfpHighMem != 0 && mask&gfpMovable != 0:
		return "Movable"
	case mask&gfpHighMem != 0:
		return "HighMem"
	}
	return "Normal"
}

// A zoneState is one zone that the request may use, and what of it counts, in
// bytes (mm/page_alloc.c, __zone_watermark_ok).
type zoneState struct {
	zone    *oomdoc.MemZone
	free    int64 // as printed
	urgent  int64 // of it, kept for urgent requests (high-atomic)
	cma     int64 // of it, set aside for devices, where the request is not movable
	min     int64
	mark    int64 // a page is given only while more than this and reserve is free
	reserve int64 // kept in this zone from requests that may use a higher one
}

// usable is what is free without what the request may not take.
func (z *zoneState) usable() int64 { return max(0, z.free-z.urgent-z.cma) }

// short tells a zone that could not give a page.
func (z *zoneState) short() bool { return z.excess() == 0 }

// excess is how much more was free than a request for one page needs.
func (z *zoneState) excess() int64 { return max(0, z.usable()-z.mark-z.reserve) }

// size orders zones by what they hold.
func (z *zoneState) size() int64 { return z.zone.Bytes["present"] }

// A shortage is how the zones of a request stood together.
type shortage int

const (
	plenty shortage = iota // a page could still be had
	nearly                 // so little more than needed that it may have been freed since
	short                  // none could give a page
)

// shortageFor compares zones with what the request needed. The report is printed
// after the request failed, while other processors give pages back, so a rest of
// up to the watermarks together is nearly a shortage, as long as the largest
// zone is short. For a request of several pages that holds only where the rest
// is known to be in smaller pieces: else it should have been given.
func (r *reading) shortageFor(zones []zoneState) shortage {
	allowed := r.order() <= 0
	if !allowed {
		pieces, known := r.inPieces(zones)
		allowed = known && pieces
	}
	return shortageOf(zones, allowed)
}

// shortageOf compares zones with what a page needs; allowed says that a rest may
// have come after the request.
func shortageOf(zones []zoneState, allowed bool) shortage {
	var excess, allowance int64
	for i := range zones {
		excess += zones[i].excess()
		allowance += zones[i].mark
	}
	switch {
	case excess == 0:
		return short
	case allowed && largestZone(zones).short() && excess <= allowance:
		return nearly
	}
	return plenty
}

// largestZone is the zone that holds most, of at least one.
func largestZone(zones []zoneState) *zoneState {
	largest := &zones[0]
	for i := range zones {
		if zones[i].size() > largest.size() {
			largest = &zones[i]
		}
	}
	return largest
}

// usableZones are the zones at or below the asked one, and whether each of them
// has the numbers that the comparison needs.
func (r *reading) usableZones() (zones []zoneState, complete bool) {
	if r.report.Memory == nil || len(r.report.Memory.Zones) == 0 {
		return nil, false
	}
	asked := askedZone(r.trigger)
	all := r.report.Memory.Zones
	complete = true
	for i := range all {
		if zoneRank(all[i].Name) > zoneRank(asked) || isEmptyZone(&all[i]) {
			continue
		}
		state, has := r.zoneState(&all[i], asked)
		complete = complete && has
		zones = append(zones, state)
	}
	return zones, complete && len(zones) > 0 && !r.lacksZone(zones, asked)
}

// isEmptyZone tells a zone that has no memory: kernels to 2.6.18 print those too.
func isEmptyZone(zone *oomdoc.MemZone) bool {
	present, known := zone.Bytes["present"]
	return known && present == 0
}

// lacksZone tells zones of which some lines are lost: what a zone keeps from
// requests for a higher one is a share of the zones between, so those are there
// (mm/page_alloc.c, setup_per_zone_lowmem_reserve).
func (r *reading) lacksZone(zones []zoneState, asked string) bool {
	if asked == "Movable" { // seldom there
		asked = "HighMem"
	}
	for i := range zones {
		zone := zones[i].zone
		at := reserveIndex(asked, len(zone.LowmemReserve), hasHighMem(r.report.Memory))
		if at < 0 || zone.LowmemReserve[at] == 0 {
			continue
		}
		higher := func(z zoneState) bool {
			return z.zone.Node == zone.Node && zoneRank(z.zone.Name) > zoneRank(zone.Name)
		}
		if !slices.ContainsFunc(zones, higher) {
			return true
		}
	}
	return false
}

func (r *reading) zoneState(zone *oomdoc.MemZone, asked string) (zoneState, bool) {
	state := zoneState{zone: zone, urgent: keptForUrgent(zone)}
	var hasFree, hasMin, hasMark bool
	state.free, hasFree = zone.Bytes["free"]
	state.min, hasMin = zone.Bytes["min"]
	state.mark, hasMark = zone.Bytes[r.watermark()]
	if !isMovable(r.trigger) {
		state.cma = zone.Bytes["free_cma"]
	}
	if at := reserveIndex(asked, len(zone.LowmemReserve), hasHighMem(r.report.Memory)); at >= 0 {
		state.reserve = zone.LowmemReserve[at] * max(r.page(), 0)
	}
	return state, hasFree && hasMin && hasMark
}

// watermark names the mark of a zone that the last try must leave free: the high
// one before a kill (mm/page_alloc.c, __alloc_pages_may_oom), the minimum for a
// request that may fail (__alloc_pages_slowpath).
func (r *reading) watermark() string {
	if r.isFailure() {
		return "min"
	}
	return "high"
}

// isMovable tells a request for a page that can be moved later: only such a one
// may take pages of the contiguous memory allocator (mm/page_alloc.c,
// gfp_to_alloc_flags_cma). Where the request is not known it is taken to be a
// page of a program (askedZone).
func isMovable(t *oomdoc.Trigger) bool {
	return t == nil || t.GFPMask == 0 || t.GFPMask&gfpMovable != 0
}

// keptForUrgent is what ordinary requests may not take: free pages of the
// high-atomic reserve, where the kernel prints how many are free (6.18), else
// the whole reserve, as the kernel before 6.18 counts it.
func keptForUrgent(zone *oomdoc.MemZone) int64 {
	if free, has := zone.Bytes["free_highatomic"]; has {
		return free
	}
	return zone.Bytes["reserved_highatomic"]
}

// zoneLayouts are the zones of lowmem_reserve, told apart by the number of its
// entries (include/linux/mmzone.h with the configurations of x86, arm64, ppc64
// and s390).
func zoneLayouts(highMem bool) [][]string {
	if highMem {
		return [][]string{
			{"Normal", "HighMem", "Movable"},
			{"DMA", "Normal", "HighMem", "Movable"},
		}
	}
	return [][]string{
		{"Normal", "Movable"},
		{"DMA", "Normal", "Movable"},
		{"DMA", "DMA32", "Normal", "Movable"},
		{"DMA", "DMA32", "Normal", "Movable", "Device"},
	}
}

// reserveIndex finds the entry of lowmem_reserve for requests of a zone, -1 when
// it cannot be told.
func reserveIndex(asked string, entries int, highMem bool) int {
	for _, layout := range zoneLayouts(highMem) {
		if len(layout) != entries {
			continue
		}
		if at := slices.Index(layout, asked); at >= 0 {
			return at
		}
		if asked == "HighMem" { // without HighMem such a request is one for Normal
			return slices.Index(layout, "Normal")
		}
	}
	return -1
}

// hasHighMem tells a 32-bit machine with more memory than the kernel can map.
// From 6.1 a request of the kernel's own does not print that zone at all; the
// count of its pages stays, under a name that a 64-bit machine uses for
// MovableOnly, but that one has a DMA32 zone.
func hasHighMem(m *oomdoc.MemInfo) bool {
	named := func(name string) bool {
		return slices.ContainsFunc(m.Zones, func(z oomdoc.MemZone) bool { return z.Name == name })
	}
	return named("HighMem") || m.HighMemPages != nil && *m.HighMemPages > 0 && !named("DMA32")
}

// freeElsewhere is the free memory that the request could not use: in zones
// above the asked one, and in nodes and zones that the report leaves out (it
// prints only the request's nodes, and from 6.1 only its zones) while the
// global counter has them.
func (r *reading) freeElsewhere() (int64, bool) {
	all, known := r.counter("free")
	if !known {
		return 0, false
	}
	zones, complete := r.usableZones()
	if !complete {
		return 0, false
	}
	for i := range zones {
		all -= zones[i].free
	}
	return max(0, all), true
}

// sumFree adds up what is free in zones.
func sumFree(zones []zoneState) (sum int64) {
	for i := range zones {
		sum += zones[i].free
	}
	return sum
}

// nodesOf counts the nodes of zones.
func nodesOf(zones []zoneState) int {
	seen := map[int]bool{}
	for i := range zones {
		seen[zones[i].zone.Node] = true
	}
	return len(seen)
}
