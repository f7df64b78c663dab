package daemon_test

// A usage is what the RAM of a machine was used for, in bytes. What is left of
// ram is unaccounted.
type usage struct {
	ram                   int64
	anon, shmem, file     int64
	unevictable, mlocked  int64
	dirty                 int64
	slab, slabReclaimable int64
	pageTables, stacks    int64
	hugeTotal, hugeFree   int64
	balloon               int64 // beside ram: its pages are among the reserved ones
	swapTotal, swapFree   int64
	cmaFree, elsewhere    int64 // of what is free
}

// A zone is one line of the block, in bytes.
type zone struct {
	node                       int
	name                       string
	free, min, low, high, size int64
	cma, urgent                int64
	reserve                    []int64 // pages
	whole                      int64   // of free, in blocks of 4 MiB; the rest is in single pages
	hidden                     bool    // not printed: of a node or kind that the request could not use
}

// A task is a row of the table, in bytes.
type task struct {
	pid, uid   int
	name       string
	anon, file int64
	shmem      int64
	swap       int64
	adj        int
}

// A group is a memory cgroup at its limit.
type group struct {
	limitPath, taskPath string
	usage, limit        int64
	swapUsage           int64
	swapLimit           int64 // -1: none
	anon, shmem, file   int64
	kernel              int64
}

// A world is all that a report tells of.
type world struct {
	era        era
	use        usage
	zones      []zone
	tasks      []task
	victim     task
	invoker    task
	ask        gfp
	order      int
	nodes      string // of the request: "" is all
	constraint string
	group      *group // nil: the kill is for the whole machine
	fate       string // "", "no-victim", "panic"
	slabTable  bool
	together   []task // further victims of memory.oom.group
}

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
	gib = int64(1) << 30
)

// newWorld is a machine of 4 GiB that processes have used up, without swap.
func newWorld(e era) *world {
	w := &world{era: e, ask: gfpProgram, constraint: "CONSTRAINT_NONE"}
	ram := 4 * gib
	w.use = usage{
		ram: ram, shmem: ram / 400, file: ram / 200, slab: ram / 50, slabReclaimable: ram / 100,
		pageTables: ram / 200, stacks: ram / 500,
	}
	w.victim = task{pid: 4711, uid: 1000, name: "hog worker", anon: 3 * gib, file: 4 * mib}
	w.invoker = task{pid: 812, name: "postgres", anon: 20 * mib, file: 8 * mib}
	w.tasks = []task{
		{pid: 301, name: "systemd-udevd", anon: 2 * mib, file: mib, adj: -1000},
		{pid: 645, name: "sshd", anon: 2 * mib, file: mib, adj: -1000},
		w.invoker,
		w.victim,
	}
	w.layZones()
	w.fill()
	return w
}

// layZones gives the machine the zones of its architecture, all of them below
// their minimum.
func (w *world) layZones() {
	page := w.era.page
	full := func(name string, size, min int64) zone {
		return zone{name: name, size: size, free: min - min/8/page*page, min: min, low: min + min/4, high: min + min/2}
	}
	dma := full("DMA", 16*mib, 64*kib)
	dma.free = 8 * mib
	switch {
	case w.era.bits32:
		dma.reserve = []int64{0, 864, 864, 864}
		normal, high := full("Normal", 864*mib, 4*mib), full("HighMem", 3216*mib, 512*kib)
		normal.reserve, high.reserve = []int64{0, 0, 25728, 25728}, []int64{0, 0, 0, 0}
		w.zones = []zone{dma, normal, high}
	case page != 4*kib:
		normal := full("Normal", 4*gib, 64*mib)
		normal.reserve = []int64{0, 0}
		w.zones = []zone{normal}
	default:
		dma.reserve = w.reserve(0, 2900, 4080)
		dma32, normal := full("DMA32", 2900*mib, 32*mib), full("Normal", 1180*mib, 12*mib)
		dma32.reserve, normal.reserve = w.reserve(0, 0, 1180), w.reserve(0, 0, 0)
		w.zones = []zone{dma, dma32, normal}
	}
}

// reserve is a line of x86-64: the zone of devices came with 4.5.
func (w *world) reserve(dma, dma32, normal int64) []int64 {
	if w.era.has(4005) {
		return []int64{dma, dma32, normal, normal, normal}
	}
	return []int64{dma, dma32, normal, normal}
}

func (w *world) free() (sum int64) {
	for i := range w.zones {
		sum += w.zones[i].free
	}
	return sum + w.use.elsewhere
}

// fill gives what is left of RAM to processes, but for the few per cent that no
// counter has on any machine.
func (w *world) fill() {
	u := &w.use
	const residue = 40 // a fortieth
	u.anon = u.ram - u.ram/residue - u.shmem - u.file - u.unevictable - u.slab - u.slabReclaimable - u.pageTables - u.stacks - u.hugeTotal - w.free()
}
