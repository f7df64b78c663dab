package classify_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

// mixedReport is a machine of 16 GiB that is out of RAM, of which processes hold
// 2 GiB, cached files take up what change leaves, so that nothing is unaccounted.
func mixedReport(change func(*oomdoc.MemInfo)) *oomdoc.KernelReport {
	report := hostReport()
	m := report.Memory
	m.Counters = map[string]int64{"active_anon": pages(2 * gib), "free": pages(53 * mib)}
	report.Tasks = []oomdoc.Task{row(1, "systemd", 8*mib, 0), row(100, "hog", gib, 0), row(7, "sshd", 4*mib, -1000)}
	report.Kills = []oomdoc.Kill{kill(100, "hog", gib)}
	change(m)
	if _, set := m.Counters["active_file"]; !set {
		m.Counters["active_file"] = pages(16*gib) - taken(m)
	}
	for _, name := range []string{"unevictable", "slab_unreclaimable", "pagetables"} {
		if _, set := m.Counters[name]; !set {
			m.Counters[name] = 0
		}
	}
	if len(m.Hugepages) == 0 {
		m.Hugepages = []oomdoc.Hugepages{{Size: 2 * mib}}
	}
	return report
}

// taken is what the report accounts for, in pages.
func taken(m *oomdoc.MemInfo) (sum int64) {
	for name, n := range m.Counters {
		if name != "shmem" && name != "mapped" && name != "dirty" && name != "writeback" {
			sum += n
		}
	}
	for _, h := range m.Hugepages {
		sum += pages(h.Total * h.Size)
	}
	for _, n := range m.Nodes {
		sum += pages(n.Bytes["kernel_stack"] + n.Bytes["Balloon"] + n.Bytes["gpu_active"])
	}
	return sum
}

func counters(values map[string]int64) func(*oomdoc.MemInfo) {
	return func(m *oomdoc.MemInfo) {
		for name, size := range values {
			m.Counters[name] = pages(size)
		}
	}
}

func hugepages(total, free int64) func(*oomdoc.MemInfo) {
	return func(m *oomdoc.MemInfo) {
		m.Hugepages = []oomdoc.Hugepages{{Total: total / (2 * mib), Free: free / (2 * mib), Size: 2 * mib}}
	}
}

func node(name string, size int64) func(*oomdoc.MemInfo) {
	return func(m *oomdoc.MemInfo) { m.Nodes = []oomdoc.MemNode{{Bytes: map[string]int64{name: size}}} }
}

func both(changes ...func(*oomdoc.MemInfo)) func(*oomdoc.MemInfo) {
	return func(m *oomdoc.MemInfo) {
		for _, change := range changes {
			change(m)
		}
	}
}

// percentOfRAM is a share of the 16 GiB.
func percentOfRAM(n int64) int64 { return 16 * gib / 100 * n }

func TestWhatHoldsRAMIsTheCauseOnlyFromItsThresholdOn(t *testing.T) {
	cases := []struct {
		name       string
		change     func(*oomdoc.MemInfo)
		cause      oomdoc.Cause
		confidence oomdoc.Confidence
	}{
		{"slab of 26 %", counters(map[string]int64{"slab_unreclaimable": percentOfRAM(26)}), oomdoc.CauseKernelMemory, oomdoc.Likely},
		{"slab of 24 %", counters(map[string]int64{"slab_unreclaimable": percentOfRAM(24)}), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"slab of 40 %", counters(map[string]int64{"slab_unreclaimable": percentOfRAM(40)}), oomdoc.CauseKernelMemory, oomdoc.Certain},
		{"slab of 30 % under processes of 50 %", counters(map[string]int64{"slab_unreclaimable": percentOfRAM(30), "active_anon": percentOfRAM(50)}), oomdoc.CauseKernelMemory, oomdoc.Likely},
		{"caches of 31 %", counters(map[string]int64{"slab_reclaimable": percentOfRAM(31)}), oomdoc.CauseKernelMemory, oomdoc.Certain},
		{"caches of 24 %", counters(map[string]int64{"slab_reclaimable": percentOfRAM(24)}), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"caches of 31 % under processes of 60 %", counters(map[string]int64{"slab_reclaimable": percentOfRAM(31), "active_anon": percentOfRAM(60)}), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"page tables of 13 %", counters(map[string]int64{"pagetables": percentOfRAM(13)}), oomdoc.CauseKernelMemory, oomdoc.Certain},
		{"page tables of 9 %", counters(map[string]int64{"pagetables": percentOfRAM(9), "active_anon": gib}), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"kernel stacks of 7 %", both(counters(map[string]int64{"active_anon": gib}), node("kernel_stack", percentOfRAM(7))), oomdoc.CauseKernelMemory, oomdoc.Certain},
		{"kernel stacks of 4 %", both(counters(map[string]int64{"active_anon": gib / 4}), node("kernel_stack", percentOfRAM(4))), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"no counter for 25 %", counters(map[string]int64{"active_file": percentOfRAM(62)}), oomdoc.CauseKernelMemory, oomdoc.Certain},
		{"no counter for 18 %", counters(map[string]int64{"active_file": percentOfRAM(69)}), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"a GPU driver with 30 %", node("gpu_active", percentOfRAM(30)), oomdoc.CauseKernelMemory, oomdoc.Certain},
		{"shared memory of 31 %", counters(map[string]int64{"inactive_anon": percentOfRAM(31), "shmem": percentOfRAM(31)}), oomdoc.CauseSharedMemory, oomdoc.Certain},
		{"shared memory of 27 %", counters(map[string]int64{"inactive_anon": percentOfRAM(27), "shmem": percentOfRAM(27)}), oomdoc.CauseSharedMemory, oomdoc.Likely},
		{"shared memory of 24 %", counters(map[string]int64{"inactive_anon": percentOfRAM(24), "shmem": percentOfRAM(24)}), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"shared memory of 31 % under processes of 50 %", counters(map[string]int64{"inactive_anon": percentOfRAM(81), "active_anon": 0, "shmem": percentOfRAM(31)}), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"ramfs of 40 %", counters(map[string]int64{"unevictable": percentOfRAM(40)}), oomdoc.CauseSharedMemory, oomdoc.Certain},
		{"locked memory of 40 %", both(counters(map[string]int64{"unevictable": percentOfRAM(40)}), func(m *oomdoc.MemInfo) {
			m.Zones[1].Bytes["mlocked"] = percentOfRAM(40)
		}), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"huge pages of 50 %, 20 % idle", hugepages(percentOfRAM(50), percentOfRAM(20)), oomdoc.CauseHugepagesReserved, oomdoc.Certain},
		{"huge pages of 42 %, 20 % idle", hugepages(percentOfRAM(42), percentOfRAM(20)), oomdoc.CauseHugepagesReserved, oomdoc.Likely},
		{"huge pages of 39 %, all idle", hugepages(percentOfRAM(39), percentOfRAM(39)), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"huge pages of 50 %, nearly all used", hugepages(percentOfRAM(50), percentOfRAM(9)), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"a balloon of 20 %", node("Balloon", percentOfRAM(20)), oomdoc.CauseBalloon, oomdoc.Certain},
		{"a balloon of 11 %", node("Balloon", percentOfRAM(11)), oomdoc.CauseBalloon, oomdoc.Likely},
		{"a balloon of 9 %", node("Balloon", percentOfRAM(9)), oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"the larger of two", both(counters(map[string]int64{"slab_unreclaimable": percentOfRAM(50)}), node("Balloon", percentOfRAM(12))), oomdoc.CauseKernelMemory, oomdoc.Certain},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			checkVerdict(t, diagnose(mixedReport(c.change)), c.cause, c.confidence)
		})
	}
}

// A line that is lost takes its numbers along: they are no memory of drivers.
func TestMemoryWithoutACounterIsClaimedOnlyFromAWholeReport(t *testing.T) {
	whole := counters(map[string]int64{"active_file": percentOfRAM(62)})
	lose := func(name string) func(*oomdoc.KernelReport) {
		return func(report *oomdoc.KernelReport) { delete(report.Memory.Counters, name) }
	}
	for name, change := range map[string]func(*oomdoc.KernelReport){
		"the second line of the counters": lose("unevictable"),
		"the line of slab":                lose("slab_unreclaimable"),
		"the line of page tables":         lose("pagetables"),
		"the lines of huge pages": func(report *oomdoc.KernelReport) {
			report.Memory.Hugepages, report.Memory.Zones[0].Name = nil, "DMA32"
		},
	} {
		report := mixedReport(whole)
		report.KernelVersion = "6.1.0"
		change(report)
		if inc := diagnose(report); inc.Cause != oomdoc.CauseHostExhausted {
			t.Errorf("without %s: %s", name, inc.Cause)
		}
	}
	report := mixedReport(whole)
	report.KernelVersion, report.Memory.Hugepages = "3.2.0", nil // that kernel prints none
	checkVerdict(t, diagnose(report), oomdoc.CauseKernelMemory, oomdoc.Certain)
}

func TestNothingHoldsRAMThatWasNotShort(t *testing.T) {
	report := mixedReport(counters(map[string]int64{"slab_unreclaimable": percentOfRAM(60)}))
	setFree(report, 1, 500*mib)
	checkVerdict(t, diagnose(report), oomdoc.CauseUndecided, oomdoc.Possible)
}

func TestTheKernelsOwnTableOfCachesMakesItTheCause(t *testing.T) {
	report := mixedReport(counters(map[string]int64{"slab_unreclaimable": percentOfRAM(20), "active_file": 0}))
	report.Memory.Counters["active_anon"] = pages(gib)
	report.Memory.Hugepages = []oomdoc.Hugepages{{Total: percentOfRAM(72) / (2 * mib), Size: 2 * mib}} // used
	report.Memory.UnreclaimableSlab = []oomdoc.SlabCache{
		{Name: "small", Total: 4 * kib}, {Name: "dentry", Total: 2 * gib, Line: "dentry 2GB"}, {Name: "filp", Total: gib, Line: "filp 1GB"},
	}
	got := diagnose(report)
	checkVerdict(t, got, oomdoc.CauseKernelMemory, oomdoc.Certain)
	var named []string
	for _, e := range got.Evidence {
		if e.Sentence.Key == "evidence.slab-cache" {
			named = append(named, e.Sentence.Args["cache"].S)
		}
	}
	if len(named) != 2 || named[0] != "dentry" || named[1] != "filp" {
		t.Errorf("got the caches %q, want the two large ones, largest first", named)
	}
	report.Memory.Counters["slab_unreclaimable"] = pages(percentOfRAM(12))
	checkVerdict(t, diagnose(report), oomdoc.CauseHostExhausted, oomdoc.Certain)
	report.Memory.Counters["slab_unreclaimable"], report.Memory.UnreclaimableSlab = pages(percentOfRAM(20)), nil
	checkVerdict(t, diagnose(report), oomdoc.CauseHostExhausted, oomdoc.Certain)
}

func TestFilesThatWereLeftAreToldFromMemoryThatProcessesShare(t *testing.T) {
	shared := counters(map[string]int64{"inactive_anon": percentOfRAM(60), "shmem": percentOfRAM(60)})
	cases := []struct {
		name   string
		mapped int64
		rows   int64 // shared memory of the table, -1 where it has no such column
		want   oomdoc.Key
	}{
		{"little is mapped", percentOfRAM(29), -1, "evidence.shmem-left"},
		{"half is mapped", percentOfRAM(30), -1, "evidence.shmem-mapped"},
		{"files are mapped, shared memory is not", percentOfRAM(60), percentOfRAM(2), "evidence.shmem-left"},
		{"counted once for each process", percentOfRAM(50), percentOfRAM(90), "evidence.shmem-mapped"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := mixedReport(both(shared, counters(map[string]int64{"mapped": c.mapped})))
			for i := range report.Tasks {
				if c.rows >= 0 {
					report.Tasks[i].RSSShmem = new(pages(c.rows) / int64(len(report.Tasks)))
				}
			}
			if got := diagnose(report); !says(got, c.want) || got.Cause != oomdoc.CauseSharedMemory {
				t.Errorf("got %s without %s", got.Cause, c.want)
			}
		})
	}
}

func TestWhatIsNamedForMemoryWithoutACounterIsOnlyWhatIsThere(t *testing.T) {
	report := mixedReport(counters(map[string]int64{"active_file": 0}))
	if got := diagnose(report); says(got, "evidence.gpu-module") || says(got, "evidence.guest-module") {
		t.Error("a driver is named that is not loaded")
	}
	report.Modules = "tls nvidia_uvm(OE) nvidia(POE) virtio_balloon ext4"
	if got := diagnose(report); !says(got, "evidence.gpu-module") || !says(got, "evidence.guest-module") {
		t.Error("a loaded driver is not named")
	}
	report.Modules = "nvidiafb"
	if got := diagnose(report); says(got, "evidence.gpu-module") {
		t.Error("nvidiafb is taken for nvidia")
	}
}

func TestACrowdIsNamedOnlyWhenNoneOfItIsLarge(t *testing.T) {
	crowded := func(n int, largest int64) *oomdoc.KernelReport {
		report := hostReport()
		report.Tasks = []oomdoc.Task{row(100, "hog", largest, 0)}
		for i := range n {
			report.Tasks = append(report.Tasks, row(1000+i, "worker-"+string(rune('0'+i%10)), 200*mib, 0))
		}
		return report
	}
	for _, c := range []struct {
		name    string
		n       int
		largest int64
		want    bool
	}{
		{"twenty", 20, 200 * mib, true},
		{"nineteen", 19, 200 * mib, false},
		{"one of them a tenth", 20, 500 * mib, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := says(diagnose(crowded(c.n, c.largest)), "evidence.many-alike"); got != c.want {
				t.Errorf("told as a crowd: %t, want %t", got, c.want)
			}
		})
	}
}

func TestSlowWritingIsNamedOnlyWhenMostCachedFilesWait(t *testing.T) {
	for waiting, want := range map[int64]bool{percentOfRAM(21): true, percentOfRAM(19): false} {
		report := mixedReport(counters(map[string]int64{"active_file": percentOfRAM(40), "inactive_anon": percentOfRAM(46), "dirty": waiting}))
		if got := diagnose(report); says(got, "evidence.slow-writeback") != want {
			t.Errorf("%d of 40 %% waiting: told %t", waiting, !want)
		}
	}
}

func TestWithoutZonesWhatIsFreeStandsInForThem(t *testing.T) {
	report := mixedReport(counters(map[string]int64{"slab_unreclaimable": percentOfRAM(60)}))
	report.Memory.Zones = nil
	checkVerdict(t, diagnose(report), oomdoc.CauseKernelMemory, oomdoc.Likely)
	report.Memory.Counters["free"] = pages(percentOfRAM(6))
	if got := diagnose(report); got.Cause == oomdoc.CauseKernelMemory {
		t.Error("6 % of RAM is free, and RAM counts as full")
	}
	report.Memory.Counters["free"], report.Trigger.Order = pages(53*mib), 3
	if got := diagnose(report); got.Cause == oomdoc.CauseKernelMemory {
		t.Error("a request for several pages may have been fragmentation")
	}
}
