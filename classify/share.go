package classify

import (
	"cmp"
	"slices"

	"github.com/oomdoc/oomdoc"
)

// From which share of RAM on a use is worth a sentence, in percent (knowledge
// kernel-oom.md, section 4 point 6; the causes of their own that these become
// use the same numbers).
const (
	hugepagesShare   = 40
	slabShare        = 25
	shmemShare       = 25
	unevictableShare = 25
	anonShare        = 50
	fileShare        = 30
	pageTablesShare  = 10
	balloonShare     = 10
	stackShare       = 5
	unaccountedShare = 20
)

const (
	keyShareAnon        oomdoc.Key = "evidence.share-anon"
	keyShareShmem       oomdoc.Key = "evidence.share-shmem"
	keyShareFile        oomdoc.Key = "evidence.share-file"
	keyShareUnevictable oomdoc.Key = "evidence.share-unevictable"
	keyShareSlab        oomdoc.Key = "evidence.share-slab"
	keyShareSlabReclaim oomdoc.Key = "evidence.share-slab-reclaimable"
	keyShareHugepages   oomdoc.Key = "evidence.share-hugepages"
	keySharePageTables  oomdoc.Key = "evidence.share-page-tables"
	keyShareStack       oomdoc.Key = "evidence.share-kernel-stack"
	keyShareBalloon     oomdoc.Key = "evidence.share-balloon"
	keyShareUnaccounted oomdoc.Key = "evidence.share-unaccounted"
	keyShareGPU         oomdoc.Key = "evidence.share-gpu"
)

// An account is where the RAM of a machine was, in bytes, as far as the report
// of a global kill tells. The parts do not overlap but for unevictable, which
// can hold shared memory too.
type account struct {
	ram int64

	anon, shmem, file, unevictable int64
	mapped, locked                 int64 // mapped by processes; locked by mlock(2)
	unwritten                      int64 // dirty or being written back
	gpu                            int64 // pages of GPU drivers (7.1)
	slab, slabReclaimable          int64
	pageTables, stack              int64
	hugepages, hugepagesFree       int64
	balloon, balloonOf             int64
	free                           int64
	// unaccounted is what no counter has: pages that drivers, pipes, sockets or
	// vmalloc took straight from the allocator.
	unaccounted int64

	counters, node, huge string // the records
}

// account adds up the counters; it is not known without them, RAM and the page
// size.
func (r *reading) account() (*account, bool) {
	if r.accounted == nil {
		a, known := r.newAccount()
		if !known {
			return nil, false
		}
		r.accounted = a
	}
	return r.accounted, true
}

func (r *reading) newAccount() (*account, bool) {
	ram, known := r.ram()
	if !known || len(r.report.Memory.Counters) == 0 {
		return nil, false
	}
	m := r.report.Memory
	sum := func(names ...string) (total int64) {
		for _, name := range names {
			size, _ := r.counter(name)
			total += size
		}
		return total
	}
	a := &account{
		ram:             ram,
		shmem:           sum("shmem"),
		file:            sum("active_file", "inactive_file", "isolated_file"),
		unevictable:     sum("unevictable"),
		slab:            sum("slab_unreclaimable"),
		slabReclaimable: sum("slab_reclaimable"),
		pageTables:      sum("pagetables", "sec_pagetables"),
		free:            sum("free", "free_pcp"),
		mapped:          sum("mapped"),
		unwritten:       sum("dirty", "writeback"),
		locked:          zoneSum(m, "mlocked"),
		counters:        m.CountersLine,
	}
	lru := sum("active_anon", "inactive_anon", "isolated_anon")
	a.anon = max(0, lru-a.shmem) // shared memory stands on the lists of anonymous pages
	if _, split := m.Counters["slab_unreclaimable"]; !split {
		a.slab = sum("slab") // up to 2.6.30 both kinds in one
	}
	if _, split := m.Counters["active_anon"]; !split {
		lru = sum("Active", "inactive") // up to 2.6.27 pages of files are in these counts too
		a.anon = anonOf(m, lru, sum("mapped-anon"), r.page())
	}
	a.unevictable = max(a.unevictable, a.locked) // locked pages can still stand on the other lists
	a.addNodes(m)
	a.addHugepages(m)
	taken := lru + a.file + sum("unevictable") + a.slab + a.slabReclaimable + a.pageTables + a.stack +
		a.hugepages + a.gpu + a.free + zoneSum(m, "zspages") + a.placeBalloon(m, r.page())
	if r.countsAll() {
		a.unaccounted = max(0, ram-taken)
	}
	return a, true
}

// countsAll tells a report that has every number that the memory which no counter
// has is computed from: with a line lost, what it counted would seem to be that.
func (r *reading) countsAll() bool {
	m := r.report.Memory
	lists := []string{"active_file", "unevictable", "slab_unreclaimable"}
	if _, split := m.Counters["active_anon"]; !split {
		lists = []string{"Active", "slab"} // up to 2.6.27
	} else if _, split := m.Counters["slab"]; split {
		lists = []string{"unevictable"} // up to 2.6.30
	}
	for _, name := range append(lists, "free", "pagetables") {
		if _, has := m.Counters[name]; !has {
			return false
		}
	}
	return len(m.Hugepages) > 0 || !r.printsHugepages()
}

// printsHugepages tells a kernel of which every report has lines of huge pages:
// 3.10 and newer (949f7ec5760a) on the machines that have a DMA32 zone, whose
// distributions all configure them.
func (r *reading) printsHugepages() bool {
	major, known := majorVersion(r.report.KernelVersion)
	return known && major >= 4 && slices.ContainsFunc(r.report.Memory.Zones, func(z oomdoc.MemZone) bool { return z.Name == "DMA32" })
}

// anonOf is what of lists that hold both kinds of pages is no page of a file: by
// RHEL 5's own count, else what the page cache leaves of them, else not known.
func anonOf(m *oomdoc.MemInfo, lists, mapped, page int64) int64 {
	switch {
	case mapped > 0:
		return mapped
	case m.PageCachePages != nil:
		return max(0, lists-*m.PageCachePages*page)
	}
	return 0
}

func (a *account) addNodes(m *oomdoc.MemInfo) {
	for i := range m.Nodes {
		node := &m.Nodes[i]
		a.balloon += node.Bytes["Balloon"]
		a.stack += node.Bytes["kernel_stack"]
		a.gpu += node.Bytes["gpu_active"] + node.Bytes["gpu_reclaim"]
		if a.node == "" {
			a.node = node.Line
		}
	}
	a.stack += zoneSum(m, "kernel_stack") // until 5.7 the zone lines have it
}

func (a *account) addHugepages(m *oomdoc.MemInfo) {
	for i := range m.Hugepages {
		h := &m.Hugepages[i]
		a.hugepages += h.Total * h.Size
		a.hugepagesFree += h.Free * h.Size
		if a.huge == "" && h.Total > 0 {
			a.huge = h.Line
		}
	}
}

// placeBalloon gives the balloon as far as it is a part of RAM less reserved,
// and sets what its share is of. A virtio balloon's pages are among the reserved
// ones already (drivers/virtio/virtio_balloon.c, adjust_managed_page_count).
func (a *account) placeBalloon(m *oomdoc.MemInfo, page int64) (inside int64) {
	if m.ReservedPages != nil && *m.ReservedPages*page >= a.balloon {
		a.balloonOf = a.ram + a.balloon
		return 0
	}
	a.balloonOf = a.ram
	return a.balloon
}

func zoneSum(m *oomdoc.MemInfo, name string) (sum int64) {
	for i := range m.Zones {
		sum += m.Zones[i].Bytes[name]
	}
	return sum
}

// A use is one thing that RAM was used for.
type use struct {
	key    oomdoc.Key
	size   int64
	of     int64   // the whole that it is a part of
	least  float64 // percent from which on it is worth a sentence
	record string
}

func (a *account) uses() []use {
	return []use{
		{keyShareAnon, a.anon, a.ram, anonShare, a.counters},
		{keyShareShmem, a.shmem, a.ram, shmemShare, a.counters},
		{keyShareFile, a.file, a.ram, fileShare, a.counters},
		{keyShareUnevictable, a.unevictable, a.ram, unevictableShare, a.counters},
		{keyShareSlab, a.slab, a.ram, slabShare, a.counters},
		{keyShareSlabReclaim, a.slabReclaimable, a.ram, slabShare, a.counters},
		{keyShareHugepages, a.hugepages, a.ram, hugepagesShare, a.huge},
		{keySharePageTables, a.pageTables, a.ram, pageTablesShare, a.counters},
		{keyShareStack, a.stack, a.ram, stackShare, a.node},
		{keyShareBalloon, a.balloon, a.balloonOf, balloonShare, a.node},
		{keyShareUnaccounted, a.unaccounted, a.ram, unaccountedShare, a.counters},
		{keyShareGPU, a.gpu, a.ram, unaccountedShare, a.node},
	}
}

// evidence says which uses of RAM were large, the largest first: true numbers,
// no claim about the cause.
func (a *account) evidence() []oomdoc.Evidence {
	uses := a.uses()
	slices.SortStableFunc(uses, func(x, y use) int { return cmp.Compare(y.size, x.size) })
	var found []oomdoc.Evidence
	for _, u := range uses {
		share := percent(u.size, u.of)
		if share < u.least {
			continue
		}
		found = append(found, proof(u.record, u.key, oomdoc.Args{
			"size":  oomdoc.Bytes(u.size),
			"share": oomdoc.Percent(share),
			"whole": oomdoc.Bytes(u.of),
			"free":  oomdoc.Bytes(a.hugepagesFree), // of huge pages alone
		}))
	}
	return found
}

// percent is the share of part in whole, 0 when there is no whole.
func percent(part, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
