package daemon_test

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A shape is one way in which memory ran out, as a change of a world.
type shape struct {
	name   string
	cause  oomdoc.Cause
	class  oomdoc.Class
	since  int // the first era that can have or show it
	until  int // the era from which on it cannot be; 0: never
	bits32 bool
	make   func(*world)
}

const (
	unitPath = "/system.slice/app.service"
	podUID   = "7f3c1d2e-90ab-4cde-8f01-23456789abcd"
	ctrID    = "3f1e0d9c8b7a695847362514031221304f5e6d7c8b9aa0b1c2d3e4f506172839"
)

func podPaths(e *era) (pod, container string) {
	if e.v1 {
		pod = "/kubepods/burstable/pod" + podUID
		return pod, pod + "/" + ctrID
	}
	slice := "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + strings.ReplaceAll(podUID, "-", "_") + ".slice"
	return slice, slice + "/cri-containerd-" + ctrID + ".scope"
}

// limited puts the victim into a group of 256 MiB at its limit.
func limited(w *world, limitPath, taskPath string) {
	limit := 256 * mib
	w.victim.anon, w.victim.file, w.victim.shmem = 236*mib, 4*mib, 0
	w.invoker = w.victim
	w.tasks = []task{{pid: 4600, uid: 1000, name: "sh", anon: mib, file: mib}, w.victim}
	w.group = &group{
		limitPath: limitPath, taskPath: taskPath, usage: limit, limit: limit, swapLimit: -1,
		anon: 240 * mib, file: 6 * mib, kernel: 8 * mib,
	}
}

// held gives a share of RAM to something, and the rest to processes.
func held(w *world, part *int64, percent int64) {
	*part = w.use.ram * percent / 100
	w.victim.anon, w.victim.file = 200*mib, 4*mib
	w.tasks = []task{w.tasks[0], w.tasks[1], w.invoker, w.victim}
	w.fill()
}

func shapes() []shape {
	host, frag := oomdoc.ClassHostRAM, oomdoc.ClassFragmentation
	return []shape{
		{name: "group", cause: oomdoc.CauseCgroupLimit, class: host, since: 2032, make: func(w *world) { limited(w, unitPath, unitPath) }},
		{name: "pod", cause: oomdoc.CauseCgroupLimit, class: host, since: 2032, make: func(w *world) {
			pod, container := podPaths(&w.era)
			limited(w, pod, container)
		}},
		{name: "group-shmem", cause: oomdoc.CauseCgroupLimit, class: host, since: 3009, make: func(w *world) {
			limited(w, unitPath, unitPath)
			w.victim.anon = 10 * mib
			w.invoker, w.tasks[1] = w.victim, w.victim
			w.group.anon, w.group.shmem = 12*mib, 230*mib
		}},
		{name: "group-together", cause: oomdoc.CauseCgroupLimit, class: host, since: 4019, make: func(w *world) {
			limited(w, unitPath, unitPath)
			w.together = []task{w.tasks[0]}
		}},
		{name: "group-nobody", cause: oomdoc.CauseCgroupLimit, class: host, since: 3009, make: func(w *world) {
			limited(w, unitPath, unitPath)
			w.tasks[0].adj, w.tasks[1].adj = -1000, -1000
			w.fate = "no-victim"
		}},
		{name: "host", cause: oomdoc.CauseHostExhausted, class: host, make: func(*world) {}},
		{name: "host-swap-full", cause: oomdoc.CauseHostExhausted, class: host, make: func(w *world) { w.use.swapTotal, w.use.swapFree = 2*gib, 20*kib }},
		{name: "host-order-1", cause: oomdoc.CauseHostExhausted, class: host, make: func(w *world) { w.ask, w.order = gfpKernel, 1; w.lowToo() }},
		{name: "host-locked", cause: oomdoc.CauseHostExhausted, class: host, since: 2032, make: func(w *world) {
			w.use.unevictable, w.use.mlocked = 3*gib, 3*gib
			w.fill()
		}},
		{name: "host-panic", cause: oomdoc.CauseHostExhausted, class: host, make: func(w *world) { w.fate = "panic" }},
		{name: "shmem", cause: oomdoc.CauseSharedMemory, class: host, since: 2032, make: func(w *world) { held(w, &w.use.shmem, 70) }},
		{name: "ramfs", cause: oomdoc.CauseSharedMemory, class: host, since: 2032, make: func(w *world) { held(w, &w.use.unevictable, 60) }},
		{name: "slab", cause: oomdoc.CauseKernelMemory, class: host, since: 2024, make: func(w *world) { w.slabTable = true; held(w, &w.use.slab, 60) }},
		{name: "slab-reclaimable", cause: oomdoc.CauseKernelMemory, class: host, since: 2032, make: func(w *world) { held(w, &w.use.slabReclaimable, 60) }},
		{name: "page-tables", cause: oomdoc.CauseKernelMemory, class: host, since: 2024, make: func(w *world) { held(w, &w.use.pageTables, 60) }},
		{name: "unaccounted", cause: oomdoc.CauseKernelMemory, class: host, since: 2032, make: func(w *world) {
			var drivers int64
			held(w, &drivers, 60)
			w.use.anon -= drivers
		}},
		{name: "hugepages", cause: oomdoc.CauseHugepagesReserved, class: host, since: 3010, make: func(w *world) {
			held(w, &w.use.hugeTotal, 60)
			w.use.hugeFree = w.use.hugeTotal
		}},
		{name: "balloon", cause: oomdoc.CauseBalloon, class: host, since: 6018, make: func(w *world) { w.use.balloon = 3 * gib }},
		{name: "policy", cause: oomdoc.CauseNUMABound, class: host, since: 4009, make: func(w *world) { w.bind("CONSTRAINT_MEMORY_POLICY") }},
		{name: "cpuset", cause: oomdoc.CauseNUMABound, class: host, since: 5000, make: func(w *world) { w.bind("CONSTRAINT_CPUSET") }},
		{name: "policy-unseen", cause: oomdoc.CauseNUMABound, class: host, since: 2032, until: 4009, make: func(w *world) { w.bind("") }},
		{name: "pieces", cause: oomdoc.CauseKernelBuddy, class: frag, make: (*world).shatter},
		{name: "pieces-in-one-zone", cause: oomdoc.CauseKernelBuddy, class: frag, make: func(w *world) {
			w.shatter()
			if !w.era.bits32 && w.era.page == 4*kib { // the largest zone is short
				w.zones[1].free = w.zones[1].min - 2*mib
				w.fill()
			}
		}},
		{name: "lowmem", cause: oomdoc.CauseZoneExhausted, class: host, bits32: true, make: func(w *world) {
			w.ask = gfpKernel
			w.zones[2].free = gib
			w.zones[2].whole = gib / 2
			w.zones[2].hidden = w.era.has(6001)
			w.victim.anon = 200 * mib
			w.use.slab = 500 * mib
			if w.zones[2].hidden {
				w.use.elsewhere = 0 // it is still in w.free
			}
			w.fill()
		}},
		{name: "cma", cause: oomdoc.CauseZoneExhausted, class: host, since: 4002, make: func(w *world) {
			w.ask = gfpKernel
			z := w.largest()
			if w.era.bits32 { // the kernel's own data cannot be in HighMem
				z = &w.zones[1]
			}
			z.cma = 200 * mib / (4 * mib) * 4 * mib
			z.free += z.cma
			z.whole = z.cma
			w.use.cmaFree = z.cma
			w.fill()
		}},
		{name: "asked-for", cause: oomdoc.CauseRequested, class: host, since: 4003, make: func(w *world) {
			w.order, w.ask = -1, gfpKernel
			w.use.swapTotal, w.use.swapFree = gib, gib
			z := w.largest()
			z.free, z.whole = gib/2, gib/4
			w.fill()
		}},
	}
}

// lowToo makes sure that no zone has a page for a request of the kernel's own.
func (w *world) lowToo() {
	if w.era.bits32 {
		w.zones[2].free = 512 * kib
	}
}

func (w *world) largest() *zone {
	best := &w.zones[0]
	for i := range w.zones {
		if w.zones[i].size > best.size {
			best = &w.zones[i]
		}
	}
	return best
}

// bind lets the request use node 1 only, which is full, while node 0 has room.
func (w *world) bind(constraint string) {
	w.constraint, w.nodes = constraint, "1"
	if constraint == "" {
		w.constraint, w.nodes = "CONSTRAINT_NONE", ""
	}
	z := *w.largest()
	z.name, z.node = "Normal", 1
	z.reserve = make([]int64, len(z.reserve))
	z.size = w.use.ram / 2
	w.zones = []zone{z}
	w.use.elsewhere = w.use.ram * 40 / 100
	w.victim.anon = gib
	w.tasks = []task{w.tasks[0], w.tasks[1], w.invoker, w.victim}
	w.fill()
}

// shatter leaves plenty free, in single pages only.
func (w *world) shatter() {
	w.ask, w.order = gfpKernel, 2
	for i := range w.zones {
		if z := &w.zones[i]; z.name == "Normal" || z.name == "DMA32" {
			z.free = z.high + 200*mib
		}
	}
	w.victim.anon = 2 * gib
	w.fill()
}
