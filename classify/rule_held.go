package classify

import (
	"cmp"
	"slices"

	"github.com/oomdoc/oomdoc"
)

const (
	// idleHugepagesShare, in percent of RAM: huge pages that are reserved and free
	// starve the rest from here on (knowledge kernel-oom.md section 4 point 6).
	idleHugepagesShare = 10
	// clearBy, in percent of a threshold: what is over it by less than this is
	// likely, not certain. Ours: the counters of a report are up to some percent
	// of RAM behind (mm/vmstat.c, per-CPU differences).
	clearBy = 20
	// sureFrom, in percent of a threshold: another sign stands in for the threshold
	// only above this. Ours: where huge pages hold nearly all RAM, a little slab is
	// already more than all other pages.
	sureFrom = 50
	// littleFree, in percent of RAM: with less free than this, RAM was full, where
	// the zones are lost from the report. Ours: the watermarks are below that by
	// default on every machine (mm/page_alloc.c, calculate_min_free_kbytes).
	littleFree = 5
)

// A holding is memory, other than that of processes, that can be what holds RAM.
type holding struct {
	cause  oomdoc.Cause
	reason reason
	size   int64
	of     int64   // the whole that it is a part of
	least  float64 // percent from which on it counts
	// weight is what is compared with the memory of processes: the kernel's own
	// memory counts together.
	weight int64
	// usual says that a sound machine can have that much of it, so that it is
	// the cause only where it is more than the memory of processes.
	usual bool
	// sure holds it to be over the threshold by another sign; nil is none.
	sure func(*reading) bool
	// prove adds what is known of it; nil is nothing.
	prove func(*verdict, *reading, *account)
}

// holdings are the parts of RAM by the thresholds of share.go.
func (a *account) holdings() []holding {
	kernel := a.slab + a.slabReclaimable + a.pageTables + a.stack + a.unaccounted + a.gpu
	ramfs := max(0, a.unevictable-a.locked)
	return []holding{
		{cause: oomdoc.CauseHugepagesReserved, reason: reasonHugepages, size: a.hugepages, of: a.ram, least: hugepagesShare, weight: a.hugepages},
		{cause: oomdoc.CauseKernelMemory, reason: reasonSlab, size: a.slab, of: a.ram, least: slabShare, weight: kernel,
			sure: (*reading).hasSlabTable, prove: func(v *verdict, r *reading, _ *account) { v.proveCaches(r) }},
		{cause: oomdoc.CauseKernelMemory, reason: reasonSlabReclaim, size: a.slabReclaimable, of: a.ram, least: slabShare, weight: kernel, usual: true},
		{cause: oomdoc.CauseKernelMemory, reason: reasonUnaccounted, size: a.unaccounted, of: a.ram, least: unaccountedShare, weight: kernel, usual: true,
			prove: (*verdict).proveUnaccounted},
		{cause: oomdoc.CauseKernelMemory, reason: reasonGPU, size: a.gpu, of: a.ram, least: unaccountedShare, weight: kernel, usual: true},
		{cause: oomdoc.CauseKernelMemory, reason: reasonPageTables, size: a.pageTables, of: a.ram, least: pageTablesShare, weight: kernel, usual: true},
		{cause: oomdoc.CauseKernelMemory, reason: reasonStacks, size: a.stack, of: a.ram, least: stackShare, weight: kernel, usual: true},
		{cause: oomdoc.CauseSharedMemory, reason: reasonShmem, size: a.shmem, of: a.ram, least: shmemShare, weight: a.shmem, usual: true,
			prove: (*verdict).proveShmem},
		{cause: oomdoc.CauseSharedMemory, reason: reasonRamfs, size: ramfs, of: a.ram, least: unevictableShare, weight: ramfs, usual: true},
		{cause: oomdoc.CauseBalloon, reason: reasonBalloon, size: a.balloon, of: a.balloonOf, least: balloonShare, weight: a.balloon},
	}
}

// counts tells a holding that is large enough to be the cause.
func (h *holding) counts(r *reading, a *account) bool {
	if h.cause == oomdoc.CauseHugepagesReserved && percent(a.hugepagesFree, a.ram) < idleHugepagesShare {
		return false // those that are used count as use
	}
	share := percent(h.size, h.of)
	sure := h.sure != nil && h.sure(r) && share*100 >= h.least*sureFrom
	if share < h.least && !sure {
		return false
	}
	return !h.usual || h.weight >= a.anon
}

// clear tells one that is well over its threshold and more than what processes
// held.
func (h *holding) clear(r *reading, a *account) bool {
	over := percent(h.size, h.of)*100 >= h.least*(100+clearBy) || h.sure != nil && h.sure(r)
	return over && h.weight >= a.anon
}

// largestHolding is the one that holds most of RAM, of those that count.
func (r *reading) largestHolding(a *account) (holding, bool) {
	counting := slices.DeleteFunc(a.holdings(), func(h holding) bool { return !h.counts(r, a) })
	if len(counting) == 0 {
		return holding{}, false
	}
	return slices.MaxFunc(counting, func(x, y holding) int {
		return cmp.Or(cmp.Compare(x.weight, y.weight), cmp.Compare(x.size, y.size))
	}), true
}

// heldBy makes the rule of a cause: the machine was exhausted, and of what held
// its RAM the largest part is that cause's (knowledge kernel-oom.md section 4
// point 6).
func heldBy(cause oomdoc.Cause) func(*reading) (verdict, bool) {
	return func(r *reading) (verdict, bool) {
		found, full := r.full()
		if !full {
			return verdict{}, false
		}
		a, known := r.account()
		if !known {
			return verdict{}, false
		}
		h, some := r.largestHolding(a)
		if !some || h.cause != cause {
			return verdict{}, false
		}
		return h.verdict(r, a, found), true
	}
}

// full tells an exhausted machine; where the zones are lost from the report, the
// count of what is free stands in for them, but not for a request of several
// pages, which may have been fragmentation.
func (r *reading) full() (shortage, bool) {
	if _, complete := r.usableZones(); complete {
		return r.exhausted()
	}
	free, known := r.counter("free")
	ram, hasRAM := r.ram()
	few := known && hasRAM && percent(free, ram) < littleFree
	return nearly, few && r.order() <= 0 && !r.isMemcg() && r.isGlobal()
}

func (h *holding) verdict(r *reading, a *account, found shortage) verdict {
	v := verdict{reason: h.reason}
	v.held = oomdoc.Args{
		"held": oomdoc.Bytes(h.size), "share": oomdoc.Percent(percent(h.size, h.of)), "whole": oomdoc.Bytes(h.of),
		"idle": oomdoc.Bytes(a.hugepagesFree),
	}
	if !h.clear(r, a) {
		v.atMost(oomdoc.Likely)
	}
	v.proveExhausted(r, found)
	if h.prove != nil {
		h.prove(&v, r, a)
	}
	v.proveLargest(r)
	v.proveVictim(r)
	return v
}
