package kmsg_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oomdoc/oomdoc"
)

// The kill lines of every era, as the kernels' own formats print them
// (mm/oom_kill.c of 2.6.24, 2.6.32-642.el6, 3.10, 3.10.0-1160.el7, 4.9,
// 4.18-147.el8, 5.10).
func TestKillLinesOfEveryEra(t *testing.T) {
	for _, c := range []struct {
		line string
		want oomdoc.Kill
	}{
		{"Killed process 2244 (httpd)", oomdoc.Kill{PID: 2244, Comm: "httpd"}},
		{
			"Killed process 7, UID 188, (haproxy) total-vm:90kB, anon-rss:12kB, file-rss:3kB",
			oomdoc.Kill{PID: 7, Comm: "haproxy", UID: new(188), TotalVM: kib(90), AnonRSS: kib(12), FileRSS: kib(3)},
		},
		{
			"Killed process 7 (a b) total-vm:90kB, anon-rss:12kB, file-rss:3kB",
			oomdoc.Kill{PID: 7, Comm: "a b", TotalVM: kib(90), AnonRSS: kib(12), FileRSS: kib(3)},
		},
		{
			"Killed process 7 (a (b)), UID 27, total-vm:90kB, anon-rss:12kB, file-rss:3kB, shmem-rss:1kB",
			oomdoc.Kill{PID: 7, Comm: "a (b)", UID: new(27), TotalVM: kib(90), AnonRSS: kib(12), FileRSS: kib(3), ShmemRSS: kib(1)},
		},
		{
			"Out of memory (oom_kill_allocating_task): Killed process 7 (x) total-vm:90kB, anon-rss:12kB, file-rss:3kB, shmem-rss:0kB",
			oomdoc.Kill{PID: 7, Comm: "x", TotalVM: kib(90), AnonRSS: kib(12), FileRSS: kib(3), ShmemRSS: kib(0), AllocatingTask: true},
		},
		{
			"Memory cgroup out of memory: Killed process 7 (x) total-vm:90kB, anon-rss:12kB, file-rss:3kB, shmem-rss:0kB, UID:1000 pgtables:4kB oom_score_adj:-5",
			oomdoc.Kill{
				PID: 7, Comm: "x", UID: new(1000), TotalVM: kib(90), AnonRSS: kib(12), FileRSS: kib(3), ShmemRSS: kib(0),
				PageTables: kib(4), OOMScoreAdj: new(-5), Memcg: true,
			},
		},
		{"Out of Memory: Killed process 611 (jboss).", oomdoc.Kill{PID: 611, Comm: "jboss"}},                          // 2.6.9
		{"Out of memory: Killed process 612, UID 27, (mysqld).", oomdoc.Kill{PID: 612, Comm: "mysqld", UID: new(27)}}, // 2.6.18-398.el5
		{
			"Killed process 613 (kded4) vsz:90kB, anon-rss:12kB, file-rss:3kB", // 2.6.34
			oomdoc.Kill{PID: 613, Comm: "kded4", TotalVM: kib(90), AnonRSS: kib(12), FileRSS: kib(3)},
		},
		{
			"Out of memory in UB 4711: OOM killed process 614 (a) score 1) score 0 vm:90kB, rss:15kB, swap:7kB", // 2.6.32-042stab
			oomdoc.Kill{PID: 614, Comm: "a) score 1", TotalVM: kib(90), WholeRSS: kib(15), Memcg: true},
		},
		{"Killed process 615 (cut off) tot", oomdoc.Kill{PID: 615, Comm: "cut off"}},
	} {
		got := only(t, raw([]string{c.line})).Kernel.Kills[0]
		c.want.Line, c.want.Seq, c.want.Usec = c.line, got.Seq, got.Usec
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
	}
}

func kib(n int64) *int64 { return new(n << 10) }

func TestHeadersOfEveryEra(t *testing.T) {
	for _, c := range []struct {
		line string
		want oomdoc.Trigger
	}{
		{"oom-killer: gfp_mask=0xd0", oomdoc.Trigger{GFPMask: 0xd0}},            // 2.6.9
		{"oom-killer: gfp_mask=0x1d2, order=0", oomdoc.Trigger{GFPMask: 0x1d2}}, // 2.6.16
		{"httpd invoked oom-killer: gfp_mask=0x201d2, order=0, oomkilladj=-3", oomdoc.Trigger{Comm: "httpd", GFPMask: 0x201d2, OOMScoreAdj: -3}},
		{"a invoked oom-killer: gfp_mask=0x201da, order=0, oom_adj=15", oomdoc.Trigger{Comm: "a", GFPMask: 0x201da, OOMScoreAdj: 15}},
		{"a invoked oom-killer: gfp_mask=0xd0, order=1, oom_adj=0, oom_score_adj=7", oomdoc.Trigger{Comm: "a", GFPMask: 0xd0, Order: 1, OOMScoreAdj: 7}},
		{"a invoked oom-killer: gfp_mask=0x24200ca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0", oomdoc.Trigger{Comm: "a", GFPMask: 0x24200ca, GFP: "GFP_HIGHUSER_MOVABLE"}},
		{"a invoked oom-killer: gfp_mask=0x14000c0(GFP_KERNEL), nodemask=(null),  order=2, oom_score_adj=0", oomdoc.Trigger{Comm: "a", GFPMask: 0x14000c0, GFP: "GFP_KERNEL", Order: 2, NodeMask: "(null)"}},
		{"a invoked oom-killer: gfp_mask=0x14000c0(GFP_KERNEL), nodemask=0-1,3, order=0, oom_score_adj=0", oomdoc.Trigger{Comm: "a", GFPMask: 0x14000c0, GFP: "GFP_KERNEL", NodeMask: "0-1,3"}},
		{"a invoked oom-killer: gfp_mask=0x0(), order=-1, oom_score_adj=0", oomdoc.Trigger{Comm: "a", Order: -1}},
	} {
		got := only(t, raw([]string{c.line}))
		c.want.Line = c.line
		if diff := cmp.Diff(&c.want, got.Kernel.Trigger); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
		if len(got.Kernel.Kills) != 0 || !got.Final {
			t.Errorf("%s: a header alone must be one final event without a kill", c.line)
		}
	}
}

func TestAllocationFailuresOfEveryEra(t *testing.T) {
	for _, c := range []struct {
		line string
		want oomdoc.AllocFailure
	}{
		{"a b: page allocation failure. order:4, mode:0x20", oomdoc.AllocFailure{Kind: "page", Comm: "a b", Order: 4, GFPMask: 0x20}},
		{"in:imjournal: page allocation failure: order:4, mode:0x2080d0", oomdoc.AllocFailure{Kind: "page", Comm: "in:imjournal", Order: 4, GFPMask: 0x2080d0}},
		{"a: page allocation failure: order:8, mode:0x40cc0(GFP_KERNEL|__GFP_COMP), nodemask=(null),cpuset=/,mems_allowed=0", oomdoc.AllocFailure{Kind: "page", Comm: "a", Order: 8, GFPMask: 0x40cc0, GFP: "GFP_KERNEL|__GFP_COMP"}},
		{"a: page allocation stalls for 10079ms, order:0, mode:0x14001c2(GFP_KERNEL)", oomdoc.AllocFailure{Kind: "stall", Comm: "a", GFPMask: 0x14001c2, GFP: "GFP_KERNEL"}},
		{"SLUB: Unable to allocate memory on CPU 0 (of node 0) on node -1, gfp=0xcc0(GFP_KERNEL)", oomdoc.AllocFailure{Kind: "slub", GFPMask: 0xcc0, GFP: "GFP_KERNEL"}},
		{"a: vmalloc error: size 4194304, page order 0, failed to allocate pages, mode:0xcc2(GFP_KERNEL|__GFP_HIGHMEM), nodemask=(null)", oomdoc.AllocFailure{Kind: "vmalloc", Comm: "a", GFPMask: 0xcc2, GFP: "GFP_KERNEL|__GFP_HIGHMEM", Bytes: new(int64(4194304))}},
		{"a: vmalloc: allocation failure: 2147483648 bytes, mode:0xcc2(GFP_KERNEL)", oomdoc.AllocFailure{Kind: "vmalloc", Comm: "a", GFPMask: 0xcc2, GFP: "GFP_KERNEL", Bytes: new(int64(2147483648))}},
		{"a: vmalloc: allocation failure, allocated 4096 of 8192 bytes, mode:0xcc2(GFP_KERNEL)", oomdoc.AllocFailure{Kind: "vmalloc", Comm: "a", GFPMask: 0xcc2, GFP: "GFP_KERNEL", Bytes: new(int64(8192))}},
		{"vmap allocation for size 20480 failed: use vmalloc=<size> to increase size", oomdoc.AllocFailure{Kind: "vmalloc", Bytes: new(int64(20480))}},
	} {
		got := only(t, raw([]string{c.line}))
		c.want.Line = c.line
		if diff := cmp.Diff(&c.want, got.Kernel.AllocFailure); diff != "" || got.Kind != oomdoc.EventAllocFailure {
			t.Errorf("%s, kind %s (-want +got):\n%s", c.line, got.Kind, diff)
		}
	}
}

// The kernel says kB and prints bytes in 5.4.0 to 5.4.11 (fixed in 5.4.12).
func TestPageTablesOfEarly54AreBytes(t *testing.T) {
	for _, c := range []struct {
		version string
		printed int
		want    int64
	}{
		{"5.4.0-1-amd64", 118784, 118784},
		{"5.4.0-42-generic", 116, 116 << 10}, // of Ubuntu: 5.4.44 in truth
		{"5.4.11", 5000, 5000},
		{"5.4.12", 116, 116 << 10},
		{"6.1.0", 118784, 118784 << 10},
	} {
		texts := composed{comm: "hog", cgroup: "/a"}.lines()
		texts[1] = fmt.Sprintf("CPU: 0 PID: 4711 Comm: hog Not tainted %s #1", c.version)
		texts[16] = fmt.Sprintf("Memory cgroup out of memory: Killed process 4711 (hog) total-vm:84264kB, anon-rss:1kB, file-rss:1kB, shmem-rss:0kB, UID:1000 pgtables:%dkB oom_score_adj:0", c.printed)
		got := only(t, raw(texts)).Kernel.Kills[0]
		if *got.PageTables != c.want {
			t.Errorf("%s: got %d bytes of page tables, want %d", c.version, *got.PageTables, c.want)
		}
	}
}

func TestThePageSizeIsFoundOrMarkedAsAssumed(t *testing.T) {
	for _, c := range []struct {
		version, rss string // rss: of the victim's row, pages
		want         int64
		assumed      bool
	}{
		{"6.12.9-amd64", "10549", 4 << 10, false},
		{"6.12.9-amd64", "659", 64 << 10, false}, // the kill line has 42196 kB
		{"6.12.9-amd64", "3", 4 << 10, true},
		{"5.14.0-427.13.1.el9_4.aarch64+64k", "3", 64 << 10, false},
		{"3.10.0-514.el7.ppc64le", "3", 64 << 10, false},
		{"6.1.0-47-powerpc64le", "3", 4 << 10, true},
		{"6.12.117+deb13-arm64-16k", "3", 16 << 10, false},
	} {
		texts := composed{comm: "hog", cgroup: "/a"}.lines()
		texts[1] = fmt.Sprintf("CPU: 0 PID: 4711 Comm: hog Not tainted %s #1", c.version)
		texts[14] = fmt.Sprintf("[   4711]  1000  4711    21066 %s    10208      341         0   118784        0             0 hog", c.rss)
		got := only(t, raw(texts)).Kernel
		if got.PageSize != c.want || got.PageSizeAssumed != c.assumed {
			t.Errorf("%s with %s pages: got %d, assumed %t; want %d, %t", c.version, c.rss, got.PageSize, got.PageSizeAssumed, c.want, c.assumed)
		}
	}
}
