package classify_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

func diagnose(report *oomdoc.KernelReport) oomdoc.Incident {
	return classify.Diagnose(killEvent(report), oomdoc.Facts{})
}

// pages of 4 KiB.
func pages(size int64) int64 { return size / (4 * kib) }

func TestHostIsExhaustedOnlyWhenTheKernelsOwnArithmeticSaysSo(t *testing.T) {
	cases := []struct {
		name       string
		change     func(*oomdoc.KernelReport)
		cause      oomdoc.Cause
		confidence oomdoc.Confidence
	}{
		{"every zone short", func(*oomdoc.KernelReport) {}, oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"free between min and high is short: the last try needs more than high", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 89*mib)
		}, oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"a little over high in the largest zone is plenty", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 91*mib)
		}, oomdoc.CauseUndecided, oomdoc.Possible},
		{"the lowmem reserve shuts a lower zone", func(r *oomdoc.KernelReport) {
			setFree(r, 0, 60*mib) // below the 62.5 MiB that are kept for others
		}, oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"a rest in a small zone may have been freed since", func(r *oomdoc.KernelReport) {
			setFree(r, 0, 70*mib)
		}, oomdoc.CauseHostExhausted, oomdoc.Likely},
		{"the same rest is no shortage for a request of several pages", func(r *oomdoc.KernelReport) {
			setFree(r, 0, 70*mib)
			r.Trigger.Order = 2
		}, oomdoc.CauseUndecided, oomdoc.Possible},
		{"several pages, and not even one was to be had", func(r *oomdoc.KernelReport) {
			r.Trigger.Order = 3
		}, oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"the high-atomic reserve is not for everyone", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 100*mib)
			r.Memory.Zones[1].Bytes["reserved_highatomic"] = 20 * mib
		}, oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"of the reserve only what is free counts, where the kernel tells", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 100*mib)
			r.Memory.Zones[1].Bytes["reserved_highatomic"] = 20 * mib
			r.Memory.Zones[1].Bytes["free_highatomic"] = 1 * mib
		}, oomdoc.CauseUndecided, oomdoc.Possible},
		{"memory in zones that the report leaves out was free", func(r *oomdoc.KernelReport) {
			r.Memory.Counters["free"] += pages(2 * gib)
		}, oomdoc.CauseUndecided, oomdoc.Possible},
		{"swap had room", func(r *oomdoc.KernelReport) {
			r.Memory.SwapTotal, r.Memory.SwapFree = new(8*gib), new(6*gib)
		}, oomdoc.CauseHostExhausted, oomdoc.Likely},
		{"no zones, but the processes held nearly all RAM", func(r *oomdoc.KernelReport) {
			r.Memory.Zones = nil
		}, oomdoc.CauseHostExhausted, oomdoc.Likely},
		{"no zones, and the processes did not hold it", func(r *oomdoc.KernelReport) {
			r.Memory.Zones = nil
			r.Tasks = r.Tasks[:1]
		}, oomdoc.CauseHostExhausted, oomdoc.Possible},
		{"no zones and several pages", func(r *oomdoc.KernelReport) {
			r.Memory.Zones, r.Trigger.Order = nil, 3
		}, oomdoc.CauseUndecided, oomdoc.Possible},
		{"zones without watermarks prove nothing", func(r *oomdoc.KernelReport) {
			delete(r.Memory.Zones[1].Bytes, "high")
			r.Summary = nil
			r.Tasks = nil
		}, oomdoc.CauseUndecided, oomdoc.Possible},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := hostReport()
			c.change(report)
			got := diagnose(report)
			checkVerdict(t, got, c.cause, c.confidence)
		})
	}
}

func checkVerdict(t *testing.T, got oomdoc.Incident, cause oomdoc.Cause, confidence oomdoc.Confidence) {
	t.Helper()
	if got.Cause != cause || got.Confidence != confidence {
		t.Errorf("got %s (%s), want %s (%s): %s", got.Cause, got.Confidence, cause, confidence, rendered(t, got).Summary.Text)
	}
	if got.Class != oomdoc.ClassHostRAM {
		t.Errorf("class: got %s", got.Class)
	}
}

// setFree changes what a zone has free, and the global counter with it.
func setFree(r *oomdoc.KernelReport, zone int, free int64) {
	r.Memory.Counters["free"] += pages(free - r.Memory.Zones[zone].Bytes["free"])
	r.Memory.Zones[zone].Bytes["free"] = free
}

func TestTheReserveIsThatOfTheAskedZone(t *testing.T) {
	// 32-bit with PAE: DMA, Normal, HighMem, Movable. A request of the kernel's
	// own may use Normal, whose reserve in DMA is smaller than HighMem's.
	report := hostReport()
	report.Trigger.GFPMask = 0xcc0
	report.Memory.HighMemPages = new(int64(1000))
	report.Memory.Zones = []oomdoc.MemZone{zone("DMA", 9*mib, 60*kib, 0, 200, 60000, 60000), zone("Normal", 1*mib, 60*mib, 0, 0, 0, 0)}
	report.Memory.Counters["free"] = pages(10 * mib)
	got := diagnose(report)
	if says(got, "evidence.zone-reserve") {
		t.Error("9 MiB free in DMA counted as kept for others, though only 200 pages are kept from requests for Normal")
	}
}

func TestAHighUserRequestIsOneForNormalWhereThereIsNoHighMem(t *testing.T) {
	report := hostReport()
	report.Trigger.GFPMask = 0x100cc2 // GFP_HIGHUSER: not movable
	setFree(report, 0, 60*mib)        // below what is kept in DMA from requests for Normal
	checkVerdict(t, diagnose(report), oomdoc.CauseHostExhausted, oomdoc.Certain)
	if !says(diagnose(report), "evidence.zone-reserve") {
		t.Error("the reserve is not told")
	}
}

func TestSharedMemoryIsNotCountedAsAnonymousMemoryOfProcesses(t *testing.T) {
	report := hostReport() // the lists of anonymous pages have 15 GiB
	report.Memory.Counters["shmem"] = pages(8 * gib)
	got := diagnose(report)
	if says(got, "evidence.share-anon") || !says(got, "evidence.share-shmem") {
		t.Error("8 of 16 GiB are shared, and 7 count as half of RAM or more")
	}
}

func TestTheNumbersOfTheMachineAreInTheContract(t *testing.T) {
	got := or(diagnose(hostReport()).Memory)
	want := oomdoc.Memory{
		RequestedBytes: new(4 * kib), FreeBytes: new(53 * mib), RSSBytes: new(14 * gib),
		SwapTotalBytes: new(int64(0)), SwapFreeBytes: new(int64(0)),
	}
	for what, pair := range map[string][2]*int64{
		"requested": {got.RequestedBytes, want.RequestedBytes}, "free": {got.FreeBytes, want.FreeBytes},
		"rss": {got.RSSBytes, want.RSSBytes}, "swap total": {got.SwapTotalBytes, want.SwapTotalBytes},
		"swap free": {got.SwapFreeBytes, want.SwapFreeBytes}, "limit": {got.LimitBytes, nil}, "used": {got.UsedBytes, nil},
	} {
		if deref(pair[0]) != deref(pair[1]) {
			t.Errorf("%s: got %v, want %v", what, deref(pair[0]), deref(pair[1]))
		}
	}
}

func TestSwapIsToldAsItWas(t *testing.T) {
	cases := []struct {
		total, free int64
		want        oomdoc.Key
		summary     oomdoc.Key
	}{
		{0, 0, "evidence.no-swap", "summary.killed-host-no-swap"},
		{8 * gib, 100 * mib, "evidence.swap-full", "summary.killed-host-swap-full"},
		{8 * gib, gib, "evidence.swap-low", "summary.killed-host"},
		{8 * gib, 6 * gib, "evidence.swap-free", "summary.killed-host"},
	}
	for _, c := range cases {
		report := hostReport()
		report.Memory.SwapTotal, report.Memory.SwapFree = new(c.total), new(c.free)
		got := diagnose(report)
		if !says(got, c.want) || got.Summary.Key != c.summary {
			t.Errorf("%d of %d free: no %s, or the summary is %s and not %s", c.free, c.total, c.want, got.Summary.Key, c.summary)
		}
	}
}

func TestLargeUsesOfRAMAreToldAsPlainNumbers(t *testing.T) {
	const ram = 16 << 18 // pages
	cases := []struct {
		name   string
		change func(*oomdoc.MemInfo)
		want   oomdoc.Key
	}{
		{"processes", func(*oomdoc.MemInfo) {}, "evidence.share-anon"},
		{"shared memory", func(m *oomdoc.MemInfo) { m.Counters["shmem"] = ram / 3 }, "evidence.share-shmem"},
		{"page tables", func(m *oomdoc.MemInfo) { m.Counters["pagetables"] = ram / 9 }, "evidence.share-page-tables"},
		{"huge pages that are used", func(m *oomdoc.MemInfo) {
			m.Hugepages = []oomdoc.Hugepages{{Total: 4096, Free: 0, Size: 2 * mib}}
		}, "evidence.share-hugepages"},
		{"locked", func(m *oomdoc.MemInfo) { m.Zones[1].Bytes["mlocked"] = 5 * gib }, "evidence.share-unevictable"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := hostReport()
			c.change(report.Memory)
			if got := diagnose(report); !says(got, c.want) || got.Cause != oomdoc.CauseHostExhausted {
				t.Errorf("got cause %s without %s", got.Cause, c.want)
			}
		})
	}
	t.Run("what is small is not told", func(t *testing.T) {
		got := diagnose(hostReport())
		for _, key := range []oomdoc.Key{"evidence.share-slab", "evidence.share-shmem", "evidence.share-unaccounted", "evidence.share-balloon"} {
			if says(got, key) {
				t.Errorf("told %s", key)
			}
		}
	})
}

func TestABalloonAmongTheReservedPagesIsNotCountedTwice(t *testing.T) {
	report := hostReport()
	report.Memory.RAMPages, report.Memory.ReservedPages = new(pages(20*gib)), new(pages(4*gib))
	report.Memory.Nodes = []oomdoc.MemNode{{Bytes: map[string]int64{"Balloon": 4 * gib}}}
	got := diagnose(report)
	for _, e := range got.Evidence {
		if e.Sentence.Key == "evidence.share-balloon" {
			if share := e.Sentence.Args["share"].P; share != 20 {
				t.Errorf("got a share of %v %%, want 4 GiB of 20 GiB", share)
			}
			return
		}
	}
	t.Error("the balloon is not told")
}

func TestABoundRequestIsTheKernelsWord(t *testing.T) {
	bound := func(constraint string) *oomdoc.KernelReport {
		report := hostReport()
		report.Summary.Constraint, report.Summary.NodeMask, report.Summary.MemsAllowed = constraint, "1", "1"
		report.Memory.Counters["free"] += pages(8 * gib)
		return report
	}
	for constraint, key := range map[string]oomdoc.Key{
		"CONSTRAINT_CPUSET": "evidence.cpuset-bound", "CONSTRAINT_MEMORY_POLICY": "evidence.policy-bound",
	} {
		got := diagnose(bound(constraint))
		checkVerdict(t, got, oomdoc.CauseNUMABound, oomdoc.Certain)
		if !says(got, key) || !says(got, "evidence.free-on-other-nodes") {
			t.Errorf("%s: the binding or the free memory elsewhere is not told", constraint)
		}
	}
	full := bound("CONSTRAINT_CPUSET")
	full.Memory.Counters["free"] = pages(53 * mib)
	got := diagnose(full)
	checkVerdict(t, got, oomdoc.CauseNUMABound, oomdoc.Likely)
	if !says(got, "evidence.little-free-on-other-nodes") {
		t.Error("that the other nodes were full too is not told")
	}
}

func TestAKillThatWasAskedForClaimsNoShortage(t *testing.T) {
	byOrder := hostReport()
	byOrder.Trigger.Order = -1
	byLine := hostReport()
	byLine.Manual = "sysrq: Manual OOM execution"
	for _, report := range []*oomdoc.KernelReport{byOrder, byLine} {
		got := diagnose(report)
		checkVerdict(t, got, oomdoc.CauseRequested, oomdoc.Certain)
		if says(got, "evidence.zone-below-min") {
			t.Error("a shortage is claimed")
		}
	}
}
