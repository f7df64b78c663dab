package kmsg

import "bytes"

// A role is what a line is to the assembly of reports.
type role uint8

const (
	roleNone     role = iota
	roleHeader        // opens a report
	roleFailure       // opens the report of a failed allocation
	roleSummary       // the "oom-kill:" line
	roleKill          // decides a report, or is one alone
	roleNoVictim      // decides a report
	rolePanic         // decides a report
	roleManual        // SysRq-f: says why the next report comes
	roleGroup         // more victims follow
	roleReaped        // adds to the report of that process
	roleBody          // part of a report that is open
	roleHeadLost      // part of a report; opens one whose head was lost
)

// A format is one text by which the kernel starts a line of a report. A new
// era of the kernel is a further entry here.
type format struct {
	prefix string
	role   role
	// oom says that only a report of the OOM killer has it, not that of a
	// failed allocation.
	oom bool
	// take reads a line of the body; it tells whether the line was what the
	// prefix promised.
	take func(r *report, text []byte) bool
	// joint is set for a line of the body that a further record may go on with.
	joint joint
	// has tells a report that has such a line already, where there is only one.
	has func(*report) bool
}

// formats are the lines that start with a fixed text. Lines that start with a
// process name are found by the marks of findNamed instead.
var formats = []format{
	{prefix: summaryMark, role: roleSummary, oom: true},
	{prefix: "Memory cgroup out of memory: " + killMark, role: roleKill, oom: true},
	{prefix: "Out of memory: " + killMark, role: roleKill, oom: true},
	{prefix: "Out of memory (oom_kill_allocating_task): " + killMark, role: roleKill, oom: true},
	{prefix: "Out of Memory: " + killMark, role: roleKill, oom: true},
	{prefix: killMark, role: roleKill, oom: true},
	{prefix: "Out of memory and no killable processes", role: roleNoVictim, oom: true},
	{prefix: "Kernel panic - not syncing: ", role: rolePanic, oom: true},
	{prefix: "sysrq: Manual OOM execution", role: roleManual},
	{prefix: "sysrq: SysRq : Manual OOM execution", role: roleManual},
	{prefix: "SysRq : Manual OOM execution", role: roleManual},
	{prefix: "Tasks in ", role: roleGroup, oom: true},
	{prefix: "oom_reaper: ", role: roleReaped, oom: true},
	{prefix: "SLUB: Unable to allocate memory on ", role: roleFailure},
	{prefix: "SLAB: Unable to allocate memory on ", role: roleFailure},
	{prefix: "vmap allocation for size ", role: roleFailure},
	{prefix: "percpu: allocation failed, size=", role: roleFailure},

	// dump_stack (lib/dump_stack.c) and the registers after it.
	{prefix: "CPU: ", role: roleBody, take: (*report).takeCPU, joint: jointCPU, has: (*report).hasCPU},
	{prefix: "Pid: ", role: roleBody, take: (*report).takeCPU, joint: jointCPU, has: (*report).hasCPU},
	{prefix: "Hardware name: ", role: roleBody, take: (*report).takeHardware},
	{prefix: "Modules linked in:", role: roleBody, take: (*report).takeModules},
	{prefix: "Call Trace:", role: roleBody, take: (*report).takeTrace},
	{prefix: "Call trace:", role: roleBody, take: (*report).takeTrace},
	{prefix: "Tainted: [", role: roleBody},
	{prefix: "Workqueue: ", role: roleBody},
	{prefix: "RIP: ", role: roleBody},
	{prefix: "EIP: ", role: roleBody},
	{prefix: "Code: ", role: roleBody},
	{prefix: "RSP: ", role: roleBody},
	{prefix: "RAX: ", role: roleBody},
	{prefix: "RDX: ", role: roleBody},
	{prefix: "RBP: ", role: roleBody},
	{prefix: "R10: ", role: roleBody},
	{prefix: "R13: ", role: roleBody},
	{prefix: "EAX: ", role: roleBody},
	{prefix: "ESI: ", role: roleBody},
	{prefix: "DS: ", role: roleBody},
	{prefix: "COMPACTION is disabled!!!", role: roleBody},

	// The Mem-Info block (mm/show_mem.c, mm/page_alloc.c to 6.4).
	{prefix: "Mem-Info:", role: roleHeadLost, take: (*report).takeMemInfo},
	{prefix: "Mem-info:", role: roleHeadLost, take: (*report).takeMemInfo},
	{prefix: "active_anon:", role: roleHeadLost, take: (*report).takeCounters},
	{prefix: "Active:", role: roleBody, take: (*report).takeCounters},      // to 2.6.27
	{prefix: "Active_anon:", role: roleBody, take: (*report).takeCounters}, // 2.6.28 to 2.6.30
	{prefix: "Node ", role: roleHeadLost, take: (*report).takeNodeLine},
	{prefix: "DMA", role: roleBody, take: (*report).takeNodeLine},
	{prefix: "Normal", role: roleBody, take: (*report).takeNodeLine},
	{prefix: "HighMem", role: roleBody, take: (*report).takeNodeLine},
	{prefix: "Movable", role: roleBody, take: (*report).takeNodeLine},
	{prefix: "Device", role: roleBody, take: (*report).takeNodeLine},
	{prefix: "hugepages_total=", role: roleBody, take: (*report).takeNodeLine},
	{prefix: "lowmem_reserve[]:", role: roleHeadLost, take: (*report).takeReserve},
	{prefix: "Free swap ", role: roleBody, take: (*report).takeSwap},
	{prefix: "Total swap ", role: roleBody, take: (*report).takeSwap},
	{prefix: "Swap cache", role: roleBody},
	{prefix: "Unreclaimable slab info:", role: roleBody, take: (*report).takeSlabHead},
	{prefix: "excessive unreclaimable slab", role: roleBody},
	{prefix: "Memory allocations", role: roleBody, take: (*report).takeAllocationsHead},
	{prefix: "Memory cgroup min protection ", role: roleBody, take: (*report).takeProtection},
	{prefix: "CPU    ", role: roleBody},

	// The memory cgroup block (mm/memcontrol.c).
	{prefix: taskInMark, role: roleHeadLost, oom: true, take: (*report).takeLimitLine, has: (*report).hasLimitLine},
	{prefix: limitReachMark, role: roleHeadLost, oom: true, take: (*report).takeLimitLine, has: (*report).hasLimitLine},
	{prefix: "memory: usage ", role: roleHeadLost, oom: true, take: (*report).takeUsage, has: (*report).hasUsage},
	{prefix: "memory+swap: usage ", role: roleBody, oom: true, take: (*report).takeUsage, has: (*report).hasMemsw},
	{prefix: "swap: usage ", role: roleBody, oom: true, take: (*report).takeUsage, has: (*report).hasSwap},
	{prefix: "kmem: usage ", role: roleBody, oom: true, take: (*report).takeUsage, has: (*report).hasKmem},
	{prefix: statsMark, role: roleHeadLost, oom: true, take: (*report).takeStatsHead, joint: jointStats},

	// The task table and the lines between it and the kill (mm/oom_kill.c).
	{prefix: "Tasks state (memory values in pages):", role: roleHeadLost, oom: true, take: (*report).takeTasksTitle},
	{prefix: "[ pid ]", role: roleHeadLost, oom: true, take: (*report).takeTaskHeader, has: (*report).hasTable},
	{prefix: "[  pid  ]", role: roleHeadLost, oom: true, take: (*report).takeTaskHeader, has: (*report).hasTable},
	{prefix: "Memory cgroup out of memory: Kill process ", role: roleHeadLost, oom: true, take: (*report).takeChosen, has: (*report).hasChosen},
	{prefix: "Memory cgroup out of memory: kill process ", role: roleHeadLost, oom: true, take: (*report).takeChosen, has: (*report).hasChosen},
	{prefix: "Out of memory: Kill process ", role: roleHeadLost, oom: true, take: (*report).takeChosen, has: (*report).hasChosen},
	{prefix: "Out of memory: kill process ", role: roleHeadLost, oom: true, take: (*report).takeChosen, has: (*report).hasChosen},
	{prefix: "Out of memory (oom_kill_allocating_task): Kill process ", role: roleHeadLost, oom: true, take: (*report).takeChosen, has: (*report).hasChosen},
	{prefix: "Out of memory (oom_kill_allocating_task): kill process ", role: roleHeadLost, oom: true, take: (*report).takeChosen, has: (*report).hasChosen},
	{prefix: "Kill process ", role: roleBody, oom: true},
	{prefix: "oom killer ", role: roleBody, oom: true},
	{prefix: "MSG: OOM victim ", role: roleBody, oom: true},
	{prefix: "cache: ", role: roleBody, take: (*report).takeSlubCache},
}

// The lines that start with a process name, which may be anything.
var (
	namedHeader  = format{role: roleHeader, oom: true}
	namedFailure = format{role: roleFailure}
)

// Anchors are texts one of which stands in each line that opens a report or is
// one. A line of a node alone is too common a text; others of its report follow.
func Anchors() []string {
	anchors := []string{string(headerNeedle), string(failureNeedle)}
	for i := range formats {
		if f := &formats[i]; f.role != roleBody && f.prefix != "Node " {
			anchors = append(anchors, f.prefix)
		}
	}
	return anchors
}

// A formatIndex finds the format of a line by its first byte.
type formatIndex [256][]*format

func indexFormats() *formatIndex {
	index := new(formatIndex)
	for i := range formats {
		first := formats[i].prefix[0]
		index[first] = append(index[first], &formats[i])
	}
	return index
}

// The needles are parts of the marks, and masked is what they have in common.
var (
	headerNeedle  = []byte("_mask=0x")
	failureNeedle = []byte("mode:0x")
)

// masked tells whether "=0x" or ":0x" is in the text. It looks for the x, the
// rarest of the three: a search for one byte takes wide steps.
func masked(text []byte) bool {
	for {
		at := bytes.IndexByte(text, 'x')
		if at < 0 {
			return false
		}
		if at >= 2 && text[at-1] == '0' && (text[at-2] == '=' || text[at-2] == ':') {
			return true
		}
		text = text[at+1:]
	}
}

// find gives the format of a line, nil when it is none of the kernel's memory
// reports. Almost every line of a log is none, so this is the hot path: one
// search that the processor does in wide steps, and one table look-up. The
// lines that start with a name go first: the name can imitate a prefix.
func (x *formatIndex) find(text []byte) *format {
	if len(text) == 0 {
		return nil
	}
	if named := findNamed(text); named != nil {
		return named
	}
	for _, f := range x[text[0]] {
		if len(text) > 1 && text[1] == f.prefix[1] && bytes.HasPrefix(text, []byte(f.prefix)) {
			return f
		}
	}
	return nil
}

func findNamed(text []byte) *format {
	if !masked(text) {
		return nil
	}
	if bytes.Contains(text, headerNeedle) {
		if _, ok := parseHeader(text); ok {
			return &namedHeader
		}
	}
	if bytes.Contains(text, failureNeedle) {
		if _, ok := parseFailure(text); ok {
			return &namedFailure
		}
	}
	return nil
}
