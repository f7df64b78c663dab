package classify_test

import (
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

// failureEvent is a request of a program that failed, with the memory of a report.
func failureEvent(memory *oomdoc.MemInfo, order int, gfp string) oomdoc.Event {
	ev := killEvent(&oomdoc.KernelReport{
		KernelVersion: "6.12.9", PageSize: 4 * kib, Memory: memory,
		Stack: []string{"dump_stack_lvl", "warn_alloc", "__alloc_pages_noprof", "do_syscall_64", "entry_SYSCALL_64_after_hwframe"},
		AllocFailure: &oomdoc.AllocFailure{
			Kind: "page", Comm: "driver-user", Order: order, GFPMask: 0x40cc0, GFP: gfp, Line: "driver-user: page allocation failure: order:3",
		},
	})
	ev.Kind = oomdoc.EventAllocFailure
	return ev
}

func TestAFailureIsAnIncidentOnlyWhenItNamesAShortage(t *testing.T) {
	const waits = "GFP_KERNEL|__GFP_COMP"
	shortMemory := func() *oomdoc.MemInfo {
		m := hostReport().Memory
		m.Zones[0].Bytes["free"] = 13 * mib
		return m
	}
	cases := []struct {
		name   string
		change func(*oomdoc.Event)
		cause  oomdoc.Cause // "" is no incident
	}{
		{"in pieces", func(*oomdoc.Event) {}, oomdoc.CauseKernelBuddy},
		{"in pieces, and it gives up early", func(ev *oomdoc.Event) { ev.Kernel.AllocFailure.GFP = waits + "|__GFP_NORETRY" }, oomdoc.CauseKernelBuddy},
		{"in pieces, and it cannot wait", func(ev *oomdoc.Event) { ev.Kernel.AllocFailure.GFP = "GFP_ATOMIC|__GFP_COMP" }, oomdoc.CauseKernelBuddy},
		{"of an interrupt", func(ev *oomdoc.Event) {
			ev.Kernel.Stack = []string{"warn_alloc", "__alloc_skb", "net_rx_action", "irq_exit_rcu", "common_interrupt"}
		}, ""},
		{"of a thread of the kernel", func(ev *oomdoc.Event) {
			ev.Kernel.Stack = []string{"warn_alloc", "worker_thread", "kthread", "ret_from_fork"}
		}, ""},
		{"of a thread of the kernel whose trace is lost", func(ev *oomdoc.Event) {
			ev.Kernel.Stack, ev.Kernel.AllocFailure.Comm = nil, "kworker/2:1"
		}, ""},
		{"of a program with such a name", func(ev *oomdoc.Event) { ev.Kernel.AllocFailure.Comm = "kworker/2:1" }, oomdoc.CauseKernelBuddy},
		{"only slow", func(ev *oomdoc.Event) { ev.Kernel.AllocFailure.Kind = "stall" }, ""},
		{"memory and a piece were there", func(ev *oomdoc.Event) {
			ev.Kernel.Memory.Zones[1].Buddy[3] = oomdoc.BuddyOrder{Blocks: 1, Size: 32 * kib, Types: "U"}
		}, ""},
		{"no numbers", func(ev *oomdoc.Event) { ev.Kernel.Memory = nil }, ""},
		{"short for one page", func(ev *oomdoc.Event) {
			ev.Kernel.Memory, ev.Kernel.AllocFailure.Order = shortMemory(), 0
		}, oomdoc.CauseHostExhausted},
		{"above the minimum one page could be had", func(ev *oomdoc.Event) {
			ev.Kernel.Memory, ev.Kernel.AllocFailure.Order = shortMemory(), 0
			ev.Kernel.Memory.Zones[1].Bytes["free"] = 200 * mib
		}, ""},
		{"short for one page, and it cannot wait", func(ev *oomdoc.Event) {
			ev.Kernel.Memory, ev.Kernel.AllocFailure.Order = shortMemory(), 0
			ev.Kernel.AllocFailure.GFP = "GFP_NOWAIT"
		}, ""},
		{"short, and it cannot wait for several pages", func(ev *oomdoc.Event) {
			ev.Kernel.Memory, ev.Kernel.AllocFailure.GFP = shortMemory(), "GFP_ATOMIC"
		}, ""},
		{"pages for address space", func(ev *oomdoc.Event) {
			ev.Kernel.Memory = nil
			*ev.Kernel.AllocFailure = oomdoc.AllocFailure{Kind: "vmalloc", Comm: "modprobe", GFP: "GFP_KERNEL", Bytes: new(4 * mib),
				Line: "modprobe: vmalloc error: size 4194304, page order 0, failed to allocate pages"}
		}, oomdoc.CauseUndecided},
		{"address space itself", func(ev *oomdoc.Event) {
			ev.Kernel.Memory = nil
			*ev.Kernel.AllocFailure = oomdoc.AllocFailure{Kind: "vmalloc", Bytes: new(20 * kib), Line: "vmap allocation for size 20480 failed"}
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ev := failureEvent(piecesReport().Memory, 3, waits)
			c.change(&ev)
			got := classify.NewJoiner(classify.Options{}).Add(ev, oomdoc.Facts{})
			if (len(got) == 1) != (c.cause != "") {
				t.Fatalf("got %d incidents", len(got))
			}
			if len(got) == 0 {
				return
			}
			if got[0].Cause != c.cause || got[0].Outcome != oomdoc.OutcomeDegraded || got[0].Killer != "" || got[0].Victims != nil {
				t.Errorf("got %s, %s, killer %q, victims %v", got[0].Cause, got[0].Outcome, got[0].Killer, got[0].Victims)
			}
			checkSound(t, got[0])
		})
	}
}

func TestOldMasksTellWhetherARequestMayWait(t *testing.T) {
	for mask, want := range map[uint64]int{0x20: 0, 0x4020: 0, 0x40d0: 1, 0x2404240: 1} {
		m := hostReport().Memory
		ev := failureEvent(m, 0, "")
		ev.Kernel.KernelVersion, ev.Kernel.AllocFailure.GFPMask = "3.10.0", mask
		if got := classify.NewJoiner(classify.Options{}).Add(ev, oomdoc.Facts{}); len(got) != want {
			t.Errorf("%#x: got %d incidents, want %d", mask, len(got), want)
		}
	}
}

func TestAFailureNextToAKillBelongsToIt(t *testing.T) {
	failure := failureEvent(piecesReport().Memory, 3, "GFP_KERNEL")
	for _, c := range []struct {
		name  string
		first oomdoc.Event
		after time.Duration
		want  int
	}{
		{"4.9 s after a kill for the machine", killEvent(hostReport()), 4900 * time.Millisecond, 0},
		{"just before it, told later", killEvent(hostReport()), -20 * time.Millisecond, 0},
		{"5.1 s after it", killEvent(hostReport()), 5100 * time.Millisecond, 1},
		{"after a kill for a cgroup's limit", killEvent(limitReport()), time.Second, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := classify.NewJoiner(classify.Options{})
			add(t, j, c.first)
			if got := j.Add(after(failure, c.after, "failure"), oomdoc.Facts{}); len(got) != c.want {
				t.Errorf("got %d incidents, want %d", len(got), c.want)
			}
		})
	}
}

func TestFailuresOfOneProgramAreOneIncident(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	failure := failureEvent(piecesReport().Memory, 3, "GFP_KERNEL")
	first := add(t, j, after(failure, 0, "f0"))
	second := add(t, j, after(failure, 3*time.Second, "f1"))
	if second.ID != first.ID || second.Count != 2 || second.Revision <= first.Revision {
		t.Errorf("got %s count %d, want %s count 2", second.ID, second.Count, first.ID)
	}
	other := failureEvent(piecesReport().Memory, 3, "GFP_KERNEL")
	other.Kernel.AllocFailure.Comm = "another"
	if got := add(t, j, after(other, 3*time.Second, "f2")); got.ID != "f2" || got.Burst != first.Burst {
		t.Errorf("another program: got %s of burst %s", got.ID, got.Burst)
	}
	if got := add(t, j, after(failure, 20*time.Second, "f3")); got.ID != "f3" {
		t.Errorf("after quiet: got %s", got.ID)
	}
}

func TestAKillWithPlentyFreeRightAfterAnotherFollowsIt(t *testing.T) {
	over := func(listed bool) *oomdoc.KernelReport {
		report := hostReport()
		setFree(report, 1, 2*gib)
		report.Kills = []oomdoc.Kill{kill(200, "second", gib)}
		report.Summary.Task, report.Summary.PID = "second", 200
		report.Tasks = []oomdoc.Task{row(200, "second", gib, 0)}
		if listed {
			report.Tasks = append(report.Tasks, row(100, "hog", 10*gib, 0))
		}
		return report
	}
	slab := mixedReport(counters(map[string]int64{"slab_unreclaimable": percentOfRAM(60)}))
	for _, c := range []struct {
		name   string
		first  *oomdoc.KernelReport
		gap    time.Duration
		listed bool
		want   oomdoc.Cause
	}{
		{"0.3 s after", hostReport(), 300 * time.Millisecond, false, oomdoc.CauseHostExhausted},
		{"with the cause of the first", slab, 300 * time.Millisecond, false, oomdoc.CauseKernelMemory},
		{"1.1 s after, the first victim is gone", hostReport(), 1100 * time.Millisecond, false, oomdoc.CauseUndecided},
		{"1.1 s after, the first victim is still listed", hostReport(), 1100 * time.Millisecond, true, oomdoc.CauseHostExhausted},
		{"6 s after", hostReport(), 6 * time.Second, true, oomdoc.CauseUndecided},
		{"after a kill for a cgroup's limit", limitReport(), 300 * time.Millisecond, false, oomdoc.CauseUndecided},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := classify.NewJoiner(classify.Options{})
			add(t, j, killEvent(c.first))
			got := add(t, j, after(killEvent(over(c.listed)), c.gap, "second"))
			if got.Cause != c.want || got.Confidence == oomdoc.Certain {
				t.Errorf("got %s (%s), want %s", got.Cause, got.Confidence, c.want)
			}
			if follows := c.want != oomdoc.CauseUndecided; says(got, "evidence.follows") != follows {
				t.Errorf("told as a follow-up: %t", !follows)
			}
		})
	}
	t.Run("a request for several pages decides by itself", func(t *testing.T) {
		j := classify.NewJoiner(classify.Options{})
		add(t, j, killEvent(hostReport()))
		report := over(false)
		report.Trigger.Order = 2
		if got := add(t, j, after(killEvent(report), 300*time.Millisecond, "second")); got.Cause != oomdoc.CauseUndecided {
			t.Errorf("got %s", got.Cause)
		}
	})
}

func TestAKillWithoutNumbersHasTheCauseOfTheShortageThatGoesOn(t *testing.T) {
	slab := mixedReport(counters(map[string]int64{"slab_unreclaimable": percentOfRAM(60)}))
	bare := func() *oomdoc.KernelReport {
		return &oomdoc.KernelReport{Kills: []oomdoc.Kill{kill(200, "second", gib)}}
	}
	headed := bare()
	headed.Trigger = hostReport().Trigger
	several := bare()
	several.Trigger = &oomdoc.Trigger{Comm: "hog", GFPMask: 0xcc0, Order: 3}
	for _, c := range []struct {
		name   string
		first  *oomdoc.KernelReport
		second *oomdoc.KernelReport
		want   oomdoc.Cause
	}{
		{"the kill line alone", slab, bare(), oomdoc.CauseKernelMemory},
		{"with its header", hostReport(), headed, oomdoc.CauseHostExhausted},
		{"for several pages it may be another matter", slab, several, oomdoc.CauseUndecided},
		{"after memory in pieces", piecesReport(), bare(), oomdoc.CauseUndecided},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := classify.NewJoiner(classify.Options{})
			add(t, j, killEvent(c.first))
			got := add(t, j, after(killEvent(c.second), time.Second, "second"))
			if got.Cause != c.want || got.Confidence != oomdoc.Possible {
				t.Errorf("got %s (%s), want %s (possible)", got.Cause, got.Confidence, c.want)
			}
		})
	}
}
