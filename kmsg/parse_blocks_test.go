package kmsg_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oomdoc/oomdoc"
)

func TestTheMemoryBlockIsReadWhole(t *testing.T) {
	m := only(t, readLog(t, "v02-global-anon-6.1")).Kernel.Memory
	for name, want := range map[string]int64{"inactive_anon": 48503, "slab_unreclaimable": 1704, "kernel_misc_reclaimable": 0, "free": 617, "free_pcp": 105} {
		if got, there := m.Counters[name]; !there || got != want {
			t.Errorf("counter %s: got %d, want %d pages", name, got, want)
		}
	}
	if len(m.Counters) != 20 || len(m.Nodes) != 1 || len(m.Zones) != 2 || len(m.Hugepages) != 2 {
		t.Fatalf("got %d counters, %d nodes, %d zones, %d sizes of huge pages", len(m.Counters), len(m.Nodes), len(m.Zones), len(m.Hugepages))
	}
	node, zone := m.Nodes[0], m.Zones[1]
	if !node.Unreclaimable || node.Bytes["anon_thp"] != 0 || node.Bytes["kernel_stack"] != 1264<<10 || node.Bytes["isolated(anon)"] != 0 {
		t.Errorf("node: %+v", node)
	}
	wantZone := oomdoc.MemZone{
		Node: 0, Name: "DMA32", LowmemReserve: []int64{0, 0, 0, 0, 0}, ReserveLine: "lowmem_reserve[]: 0 0 0 0 0",
		Bytes: map[string]int64{
			"free": 1584 << 10, "boost": 0, "min": 1696 << 10, "low": 2120 << 10, "high": 2544 << 10, "reserved_highatomic": 0,
			"active_anon": 356 << 10, "inactive_anon": 179744 << 10, "active_file": 0, "inactive_file": 0, "unevictable": 0,
			"writepending": 0, "present": 245620 << 10, "managed": 207008 << 10, "mlocked": 0, "bounce": 0,
			"free_pcp": 420 << 10, "local_pcp": 200 << 10, "free_cma": 0,
		},
		Buddy: []oomdoc.BuddyOrder{
			{Blocks: 5, Size: 4 << 10, Types: "UME"}, {Blocks: 3, Size: 8 << 10, Types: "UM"}, {Blocks: 4, Size: 16 << 10, Types: "UME"},
			{Size: 32 << 10}, {Size: 64 << 10}, {Blocks: 2, Size: 128 << 10, Types: "ME"}, {Blocks: 1, Size: 256 << 10, Types: "E"},
			{Blocks: 2, Size: 512 << 10, Types: "UE"}, {Size: 1 << 20}, {Size: 2 << 20}, {Size: 4 << 20},
		},
		Line: zone.Line, BuddyLine: zone.BuddyLine,
	}
	if diff := cmp.Diff(wantZone, zone); diff != "" {
		t.Errorf("zone (-want +got):\n%s", diff)
	}
	for name, p := range map[string]struct {
		got  *int64
		want int64
	}{
		"swap free": {m.SwapFree, 0}, "swap total": {m.SwapTotal, 0}, "RAM": {m.RAMPages, 65403}, "highmem": {m.HighMemPages, 0},
		"reserved": {m.ReservedPages, 9811}, "page cache": {m.PageCachePages, 805},
	} {
		if p.got == nil || *p.got != p.want {
			t.Errorf("%s: got %v, want %d", name, p.got, p.want)
		}
	}
}

func TestTheTraceAndTheHardwareAreRead(t *testing.T) {
	k := only(t, readLog(t, "v02-global-anon-6.1")).Kernel
	if len(k.Stack) != 13 || k.Stack[0] != "dump_stack_lvl" || k.Stack[12] != "asm_exc_page_fault" || slices.Contains(k.Stack, "policy_node") {
		t.Errorf("trace: %v", k.Stack)
	}
	if !strings.HasPrefix(k.Hardware, "QEMU Standard PC") || k.KernelVersion != "6.1.0-47-cloud-amd64" || k.Trigger.TID != 107 || k.Trigger.UID != nil {
		t.Errorf("hardware %q, version %q, header %+v", k.Hardware, k.KernelVersion, k.Trigger)
	}
}

func TestNewFieldsOfTheNewestKernelAreKept(t *testing.T) {
	m := only(t, readLog(t, "v04-global-anon-7.2")).Kernel.Memory
	for _, name := range []string{"Balloon", "gpu_active", "gpu_reclaim"} {
		if _, there := m.Nodes[0].Bytes[name]; !there {
			t.Errorf("node: %s is missing of %v", name, m.Nodes[0].Bytes)
		}
	}
	for _, name := range []string{"zspages", "free_highatomic"} {
		if _, there := m.Zones[0].Bytes[name]; !there {
			t.Errorf("zone: %s is missing of %v", name, m.Zones[0].Bytes)
		}
	}
	if m.MinProtection == nil || m.LowProtection == nil {
		t.Error("the protection line is missing")
	}
}

// The texts of mm/slab_common.c dump_unreclaimable_slab and mm/show_mem.c
// show_mem with allocation profiling.
func TestTheBiggestKernelUsersAreNamed(t *testing.T) {
	texts := composed{comm: "hog", cgroup: "/", global: true}.lines()
	texts = slices.Concat(texts[:6], []string{
		"Mem-Info:",
		"Memory allocations:",
		"    43.9 MiB    11233 mm/slub.c:2265 func:alloc_slab_page",
		"    26.0 MiB       34 fs/xfs/xfs_buf.c:226 [xfs] func:xfs_buf_alloc",
		"Unreclaimable slab info:",
		"Name                      Used          Total",
		"kmalloc-2k              1024KB       2048KB",
		"a name with blanks         7KB          8KB",
		"excessive unreclaimable slab but cannot dump stats",
	}, texts[11:])
	m := only(t, raw(texts)).Kernel.Memory
	want := []oomdoc.SlabCache{
		{Name: "kmalloc-2k", Used: 1 << 20, Total: 2 << 20, Line: texts[12]},
		{Name: "a name with blanks", Used: 7 << 10, Total: 8 << 10, Line: texts[13]},
	}
	if diff := cmp.Diff(want, m.UnreclaimableSlab); diff != "" {
		t.Errorf("slab caches (-want +got):\n%s", diff)
	}
	if len(m.Allocations) != 2 || m.Allocations[0] != "43.9 MiB    11233 mm/slub.c:2265 func:alloc_slab_page" {
		t.Errorf("allocations: %q", m.Allocations)
	}
}

// The block of 3.9 to 4.20 (mm/memcontrol.c, mem_cgroup_print_oom_info).
func TestTheCgroupBlockBefore50IsRead(t *testing.T) {
	texts := []string{
		"java invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0",
		"Task in /a/sub killed as a result of limit of /a",
		"memory: usage 40kB, limit 40kB, failcnt 77",
		"memory+swap: usage 40kB, limit 80kB, failcnt 0",
		"kmem: usage 8kB, limit 9007199254740988kB, failcnt 0",
		"Memory cgroup stats for /a: cache:4KB rss:36KB mapped_file:0KB",
		"Memory cgroup stats for /a/sub: cache:1KB rss:1KB mapped_file:0KB",
		"[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name",
		"[   10]     0    10      100        9       4        0             0 java",
		"Memory cgroup out of memory: Kill process 11 (java) score 1001 or sacrifice child",
		"Killed process 10 (java) total-vm:400kB, anon-rss:36kB, file-rss:0kB, shmem-rss:0kB",
	}
	k := only(t, raw(texts)).Kernel
	if k.Summary.OOMMemcg != "/a" || k.Summary.TaskMemcg != "/a/sub" || k.Summary.HasTask {
		t.Errorf("cgroups: %+v", k.Summary)
	}
	if k.Memcg.StatsOf != "/a" || k.Memcg.Stats["rss"] != 36<<10 || *k.Memcg.MemswLimit != 80<<10 || !oomdoc.NoLimit(*k.Memcg.KmemLimit) {
		t.Errorf("cgroup block: %+v", k.Memcg)
	}
	if len(k.Kills) != 1 || k.Kills[0].PID != 10 || !k.Kills[0].Memcg || k.Tasks[0].PageTables != nil {
		t.Errorf("kills %+v, first task %+v", k.Kills, k.Tasks[0])
	}
}

func TestWhatFollowsAKillIsAddedToIt(t *testing.T) {
	texts := append(composed{comm: "init", cgroup: "/a"}.lines(),
		"oom_reaper: reaped process 4711 (init), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
		"oom_reaper: reaped process 9 (other), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
		"Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000009",
	)
	k := only(t, raw(texts)).Kernel
	if !slices.Equal(k.Reaped, texts[17:18]) || k.Panic != texts[19] {
		t.Errorf("reaped %q, panic %q", k.Reaped, k.Panic)
	}
}

func TestAPanicOfAnotherKindIsNoEvent(t *testing.T) {
	if got := events(t, raw([]string{"Kernel panic - not syncing: VFS: Unable to mount root fs"})); len(got) != 0 {
		t.Errorf("got %d events", len(got))
	}
}

func TestADeadlockPanicBelongsToItsReport(t *testing.T) {
	texts := append(composed{comm: "x", cgroup: "/", global: true}.lines()[:15],
		"Out of memory and no killable processes...",
		"Kernel panic - not syncing: System is deadlocked on memory")
	got := only(t, raw(texts))
	if got.Kernel.Panic != texts[16] || !got.Kernel.NoVictim || got.Kind != oomdoc.EventNoVictim {
		t.Errorf("panic %q, no victim %t, kind %s", got.Kernel.Panic, got.Kernel.NoVictim, got.Kind)
	}
}

// SLUB prints its own lines after the page allocator's (mm/slub.c, slab_out_of_memory).
func TestSlubTellsOfTheSameFailure(t *testing.T) {
	page := "init: page allocation failure: order:0, mode:0x40cc0(GFP_KERNEL|__GFP_COMP), nodemask=(null),cpuset=/,mems_allowed=0"
	slub := []string{
		"SLUB: Unable to allocate memory on node -1, gfp=0xcc0(GFP_KERNEL)",
		"  cache: kmalloc-2k, object size: 2048, buffer size: 2048, default order: 3, min order: 1",
		"  node 0: slabs: 171, objs: 2736, free: 0",
	}
	if got := only(t, raw(append([]string{page}, slub...))).Kernel.AllocFailure; got.Kind != "page" || got.Comm != "init" {
		t.Errorf("after the page allocator: %+v", got)
	}
	got := only(t, raw(slub))
	if f := got.Kernel.AllocFailure; f.Kind != "slub" || *f.Bytes != 2048 || f.Order != 1 || len(got.Records) != 3 {
		t.Errorf("alone: %+v with %d records", f, len(got.Records))
	}
}

func TestTheSameKillReadTwiceAtOnceIsOneEvent(t *testing.T) {
	kill := composed{comm: "hog", cgroup: "/a"}.lines()[16]
	if got := events(t, raw([]string{kill, kill})); len(got) != 1 || len(got[0].Kernel.Kills) != 1 {
		t.Errorf("got %d events", len(got))
	}
}

// A text form shows neither the flag of a fragment nor, in some syslogs, that a
// line goes on: there the shape decides.
func TestASplitLineIsJoinedWithoutFlags(t *testing.T) {
	path := "/deep/" + strings.Repeat("level-", 40)
	texts := composed{comm: "form\nKilled pro", cgroup: path}.lines()
	var split []string
	for _, text := range texts {
		switch {
		case strings.HasPrefix(text, "oom-kill:"):
			before, rest, _ := strings.Cut(text, "oom_memcg=")
			limit, task, _ := strings.Cut(rest, ",task_memcg=")
			memcg, tail, _ := strings.Cut(task, ",task=")
			split = append(split, before+"oom_memcg=", limit, ",task_memcg=", memcg, ",task="+strings.ReplaceAll(tail, "\n", " "))
		case strings.HasPrefix(text, "Memory cgroup out"):
			split = append(split, strings.Split(text, "\n")...)
		default:
			split = append(split, strings.ReplaceAll(text, "\n", " "))
		}
	}
	k := only(t, syslog(split)).Kernel
	if k.Summary.OOMMemcg != path || k.Summary.TaskMemcg != path || k.Summary.PID != 4711 {
		t.Errorf("summary: %+v", k.Summary)
	}
	if k.Kills[0].Comm != "form\nKilled pro" || k.Kills[0].TotalVM == nil {
		t.Errorf("kill: %+v", k.Kills[0])
	}
}
