package oomdoc

// A KernelReport is what one memory report of the kernel says, field by field.
// Whatever was not in the log is absent: a nil pointer, an empty string, a
// missing map key. Nothing in it is derived or judged; classify does that.
//
// Line fields hold the log line as it came, to be shown as evidence.
type KernelReport struct {
	Trigger *Trigger // the header line; nil when it was lost

	KernelVersion string   // from the CPU line, "6.12.9-amd64"
	Hardware      string   // from the "Hardware name:" line
	Modules       string   // from the "Modules linked in:" line
	Stack         []string // functions of the call trace, innermost first, without offsets

	// Summary is the "oom-kill:" line (5.0 and newer).
	Summary *OOMSummary

	// Chosen is the "Kill process" line, which up to 5.0 stands before the kill.
	Chosen *Chosen

	Memory *MemInfo  // the Mem-Info block; nil when absent
	Memcg  *MemcgOOM // the memory cgroup block; nil when absent

	Tasks     []Task // the task table
	TasksLine string // its column header
	// TasksCut is how many rows of a very long table were not kept, and
	// TasksCutRSS their rss in pages. The biggest tasks and the victims are kept.
	TasksCut    int
	TasksCutRSS int64

	Kills     []Kill // "Killed process" lines, in order; an oom.group victim may stand twice
	KillsCut  int    // kill lines that were not kept: a group of many thousands
	GroupPath string // "Tasks in PATH are going to be killed due to memory.oom.group set"
	GroupLine string
	Reaped    []string // oom_reaper lines, as they came

	// NoVictim is set when the kernel said that it found no killable process.
	NoVictim     bool
	NoVictimLine string
	// Panic is the "Kernel panic - not syncing" line that ended the machine.
	Panic string
	// Manual is the SysRq line that asked for this kill, when one was seen
	// right before.
	Manual string

	// PageSize in bytes: from the first size of a buddy line, or computed, or
	// named by the kernel version; 0 when nothing tells.
	PageSize        int64
	PageSizeAssumed bool

	// AllocFailure is set for a report of a failed allocation that killed nobody.
	AllocFailure *AllocFailure

	// Lost is how many records are known to be missing inside the report.
	Lost uint64
	// Suppressed is set when only kill lines exist because the kernel's rate
	// limit (10 reports per 5 s) swallowed the report.
	Suppressed bool
}

// A Trigger is the header line: who asked for memory when none was left. That
// is seldom who caused it.
type Trigger struct {
	Comm        string // of the asking thread, undecoded bytes kept
	TID         int    // from the CPU line, 0 when absent
	UID         *int   // 6.11 and newer print it on the CPU line
	GFPMask     uint64
	GFP         string // flag names as printed; "" when the kernel prints only the mask
	Order       int    // the request was 2^Order pages; -1: SysRq asked for the kill
	OOMScoreAdj int
	NodeMask    string // before 5.0 only
	Line        string
}

// An OOMSummary is the "oom-kill:constraint=..." line.
type OOMSummary struct {
	Constraint  string // "CONSTRAINT_NONE", "CONSTRAINT_CPUSET", "CONSTRAINT_MEMORY_POLICY", "CONSTRAINT_MEMCG"
	NodeMask    string
	Cpuset      string
	MemsAllowed string
	GlobalOOM   bool
	OOMMemcg    string // the cgroup whose limit was hit; "" for a global kill
	TaskMemcg   string // the cgroup of the victim
	Task        string
	PID         int
	UID         int
	HasTask     bool // false when the line was cut before task=
	Truncated   bool // a path was cut or could not be printed
	Line        string
}

// A Chosen is the process that the kernel meant to kill, up to 5.0. It could kill
// a child in its place.
type Chosen struct {
	PID   int
	Comm  string // "" when the line was cut before it
	Memcg bool   // the line says "Memory cgroup out of memory"
	Line  string
}

// A Kill is one "Killed process" line. Sizes are bytes.
type Kill struct {
	PID         int
	Comm        string
	UID         *int
	TotalVM     *int64
	AnonRSS     *int64
	FileRSS     *int64
	ShmemRSS    *int64
	WholeRSS    *int64 // where the line does not tell the kinds apart (OpenVZ)
	PageTables  *int64
	OOMScoreAdj *int
	Memcg       bool // the line says "Memory cgroup out of memory"
	// AllocatingTask is set when the line says "(oom_kill_allocating_task)": the
	// process that asked was killed, whatever it held (vm.oom_kill_allocating_task).
	AllocatingTask bool
	Seq            uint64
	Usec           int64
	Line           string
}

// RSS is anonymous plus file plus shared, nil when the line has none of them.
func (k *Kill) RSS() *int64 {
	var sum int64
	known := false
	for _, part := range []*int64{k.AnonRSS, k.FileRSS, k.ShmemRSS, k.WholeRSS} {
		if part != nil {
			sum, known = sum+*part, true
		}
	}
	if !known {
		return nil
	}
	return &sum
}

// A Task is one row of the task table. Memory is in pages, as printed;
// PageTables in bytes.
type Task struct {
	PID         int // may be a thread id
	TGID        int
	UID         int64
	TotalVM     int64
	RSS         int64
	RSSAnon     *int64 // 6.8 and newer
	RSSFile     *int64
	RSSShmem    *int64
	PageTables  *int64 // bytes; nil where the kernel prints nr_ptes
	SwapEnts    *int64
	OOMScoreAdj *int
	Name        string
	Line        string
}

// A MemcgOOM is the memory cgroup block. Sizes are bytes; a limit of over
// 1 PiB is kept as printed (NoLimit tells).
type MemcgOOM struct {
	Usage, Limit           *int64
	Failcnt                *int64
	SwapUsage, SwapLimit   *int64 // cgroup v2: "swap:"
	MemswUsage, MemswLimit *int64 // cgroup v1: "memory+swap:"
	KmemUsage, KmemLimit   *int64 // cgroup v1: "kmem:"
	StatsOf                string // the cgroup of "Memory cgroup stats for"
	Stats                  map[string]int64
	Line                   string // the "memory: usage" line
	SwapLine               string // the "swap:" or "memory+swap:" line
	StatLines              map[string]string
}

// NoLimit tells a limit that means "no limit" (over 1 PiB: page_counter's
// maximum is printed in several ways, knowledge kernel-oom.md 1.5).
func NoLimit(limit int64) bool { return limit > 1<<50 || limit < 0 }

// A MemInfo is the Mem-Info block of a global report or an allocation failure.
type MemInfo struct {
	// Counters are the global counters, in pages, by their printed names
	// ("active_anon", "free", "slab_unreclaimable").
	Counters     map[string]int64
	CountersLine string
	Nodes        []MemNode
	Zones        []MemZone
	Hugepages    []Hugepages
	// Swap in bytes.
	SwapFree, SwapTotal *int64
	SwapFreeLine        string
	SwapTotalLine       string
	// Totals in pages.
	RAMPages, HighMemPages, ReservedPages *int64
	RAMLine                               string
	CMAReservedPages, HWPoisonedPages     *int64
	PageCachePages                        *int64
	// UnreclaimableSlab is the slab table (4.15 and newer, printed only when
	// slab is larger than all LRU pages).
	UnreclaimableSlab []SlabCache
	// Allocations are the biggest kernel users by allocation profiling (6.10 and newer).
	Allocations []string
	// Min and low protection of cgroups (6.19 and newer), bytes.
	MinProtection, LowProtection *int64
}

// A MemNode is a "Node N active_anon:..." line; fields are bytes by printed name.
type MemNode struct {
	Node          int
	Bytes         map[string]int64
	Unreclaimable bool // all_unreclaimable? yes
	Line          string
}

// A MemZone is a "Node N ZONE free:..." line with the lowmem_reserve and buddy
// lines that belong to it.
type MemZone struct {
	Node          int
	Name          string           // DMA, DMA32, Normal, HighMem, Movable, Device
	Bytes         map[string]int64 // bytes, by printed name: free, boost, min, low, high, managed, free_cma ...
	LowmemReserve []int64          // pages, one per zone type
	Buddy         []BuddyOrder
	Line          string
	ReserveLine   string
	BuddyLine     string
}

// A BuddyOrder is one "12*4kB (UME)" entry: how many free blocks of that size,
// and of which migrate types (letters; empty when none are printed).
type BuddyOrder struct {
	Blocks int64
	Size   int64 // bytes
	Types  string
}

// Hugepages is one "hugepages_total=" line, of one size on one node.
type Hugepages struct {
	Node                 int
	Total, Free, Surplus int64
	Size                 int64 // bytes
	Line                 string
}

// A SlabCache is one row of "Unreclaimable slab info:", in bytes.
type SlabCache struct {
	Name        string
	Used, Total int64
	Line        string
}

// An AllocFailure is a "page allocation failure" or its like: a request of the
// kernel's own that failed without a kill.
type AllocFailure struct {
	Kind    string // "page", "slub", "vmalloc", "percpu", "stall"
	Comm    string
	TID     int // of the asking thread, from the CPU line; 0 when absent
	Order   int
	GFPMask uint64
	GFP     string
	Bytes   *int64
	Line    string
}
