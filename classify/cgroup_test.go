package classify_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

func TestACgroupLimitIsKnownByAnyOfItsSigns(t *testing.T) {
	cases := []struct {
		name       string
		change     func(*oomdoc.KernelReport)
		confidence oomdoc.Confidence
	}{
		{"a whole report", func(*oomdoc.KernelReport) {}, oomdoc.Certain},
		{"5.0 and 5.1 print CONSTRAINT_NONE: oom_memcg decides", func(r *oomdoc.KernelReport) {
			r.Summary.Constraint = "CONSTRAINT_NONE"
		}, oomdoc.Certain},
		{"the same, with nothing else to tell it", func(r *oomdoc.KernelReport) {
			r.Summary.Constraint, r.Memcg, r.Kills[0].Memcg = "CONSTRAINT_NONE", nil, false
		}, oomdoc.Likely},
		{"the path was cut: the constraint decides", func(r *oomdoc.KernelReport) {
			r.Summary.OOMMemcg, r.Summary.Truncated, r.Memcg.StatsOf = "", true, ""
		}, oomdoc.Certain},
		{"no summary, but the group's block", func(r *oomdoc.KernelReport) { r.Summary = nil }, oomdoc.Likely},
		{"no numbers", func(r *oomdoc.KernelReport) { r.Memcg = nil }, oomdoc.Likely},
		{"no header", func(r *oomdoc.KernelReport) { r.Trigger = nil }, oomdoc.Likely},
		{"no table", func(r *oomdoc.KernelReport) { r.Tasks = nil }, oomdoc.Certain},
		{"the kill line alone", func(r *oomdoc.KernelReport) {
			*r = oomdoc.KernelReport{Kills: r.Kills, Suppressed: true}
		}, oomdoc.Likely},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := limitReport()
			c.change(report)
			checkVerdict(t, diagnose(report), oomdoc.CauseCgroupLimit, c.confidence)
		})
	}
}

func TestAGlobalKillIsNoCgroupLimitThoughItsVictimIsInAGroup(t *testing.T) {
	report := hostReport()
	report.Summary.TaskMemcg = "/docker/x"
	checkVerdict(t, diagnose(report), oomdoc.CauseHostExhausted, oomdoc.Certain)
}

func TestTheLimitThatWasHitIsTheOneThatIsTold(t *testing.T) {
	const none = 9007199254740988 * kib
	cases := []struct {
		name        string
		memcg       oomdoc.MemcgOOM
		key         oomdoc.Key
		limit, used any
	}{
		{"memory", oomdoc.MemcgOOM{Usage: new(gib), Limit: new(gib), Failcnt: new(int64(3))}, "evidence.usage-at-limit-times", gib, gib},
		{"memory, never before", oomdoc.MemcgOOM{Usage: new(gib), Limit: new(gib), Failcnt: new(int64(0))}, "evidence.usage-at-limit", gib, gib},
		{"a little over", oomdoc.MemcgOOM{Usage: new(gib + 44*kib), Limit: new(gib)}, "evidence.usage-at-limit", gib, gib + 44*kib},
		{"both one page", oomdoc.MemcgOOM{Usage: new(4 * kib), Limit: new(4 * kib)}, "evidence.usage-at-limit", 4 * kib, 4 * kib},
		{"a limit of nothing", oomdoc.MemcgOOM{Usage: new(4 * kib), Limit: new(int64(0))}, "evidence.usage-at-limit", int64(0), 4 * kib},
		{"freed since", oomdoc.MemcgOOM{Usage: new(gib / 2), Limit: new(gib)}, "evidence.usage-below-limit", gib, gib / 2},
		{"memory and swap", oomdoc.MemcgOOM{
			Usage: new(gib / 2), Limit: new(gib), MemswUsage: new(2 * gib), MemswLimit: new(2 * gib),
		}, "evidence.memory-and-swap-at-limit", 2 * gib, 2 * gib},
		{"kernel memory", oomdoc.MemcgOOM{
			Usage: new(gib / 2), Limit: new(none), KmemUsage: new(100 * mib), KmemLimit: new(100 * mib),
		}, "evidence.kernel-memory-at-limit", 100 * mib, 100 * mib},
		{"none that is one", oomdoc.MemcgOOM{Usage: new(gib), Limit: new(none)}, "evidence.usage-no-limit", "nothing", gib},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := limitReport()
			report.Memcg = &c.memcg
			got := diagnose(report)
			if !says(got, c.key) {
				t.Errorf("no %s", c.key)
			}
			if m := or(got.Memory); deref(m.LimitBytes) != c.limit || deref(m.UsedBytes) != c.used {
				t.Errorf("got limit %v, used %v; want %v, %v", deref(m.LimitBytes), deref(m.UsedBytes), c.limit, c.used)
			}
		})
	}
}

func TestSwapOfTheGroupIsToldWhereItsLimitDecided(t *testing.T) {
	cases := []struct {
		usage, limit int64
		want         oomdoc.Key
		total        any
	}{
		{0, 0, "evidence.swap-forbidden", int64(0)},
		{508 * mib, 512 * mib, "evidence.swap-at-limit", 512 * mib},
		{0, 512 * mib, "", 512 * mib},
		{0, 9007199254740988 * kib, "", "nothing"},
	}
	for _, c := range cases {
		report := limitReport()
		report.Memcg.SwapUsage, report.Memcg.SwapLimit = new(c.usage), new(c.limit)
		got := diagnose(report)
		for _, key := range []oomdoc.Key{"evidence.swap-forbidden", "evidence.swap-at-limit"} {
			if says(got, key) != (key == c.want) {
				t.Errorf("swap %d of %d: told %s is %t", c.usage, c.limit, key, says(got, key))
			}
		}
		if total := deref(or(got.Memory).SwapTotalBytes); total != c.total {
			t.Errorf("swap total: got %v, want %v", total, c.total)
		}
	}
}

func TestALimitOfAParentIsSaidToBeOne(t *testing.T) {
	report := limitReport()
	report.Summary.OOMMemcg = "/system.slice"
	got := diagnose(report)
	if !says(got, "evidence.limit-of-parent") {
		t.Error("that the limit is the parent's is not told")
	}
	if got.Process.Unit != "hog.service" || got.Kernel.OOMCgroup != "/system.slice" {
		t.Errorf("got unit %q, limit of %q", got.Process.Unit, got.Kernel.OOMCgroup)
	}
}

func TestWhatFilledTheGroupIsTold(t *testing.T) {
	cases := []struct {
		name  string
		stats map[string]int64
		want  oomdoc.Key
	}{
		{"anonymous", map[string]int64{"anon": 900 * mib, "file": 50 * mib}, "evidence.part-anon"},
		{"anonymous, names of v1", map[string]int64{"rss": 10, "total_rss": 900 * mib, "total_cache": 50 * mib}, "evidence.part-anon"},
		{"shared memory is not cached files", map[string]int64{"anon": 1, "file": 900 * mib, "shmem": 890 * mib}, "evidence.part-shmem"},
		{"files", map[string]int64{"anon": 1, "file": 900 * mib, "shmem": 1}, "evidence.part-file"},
		{"the kernel's", map[string]int64{"anon": 1, "kernel": 700 * mib}, "evidence.part-kernel"},
		{"the kernel's, before 5.18", map[string]int64{"anon": 1, "slab": 500 * mib, "kernel_stack": 200 * mib}, "evidence.part-kernel"},
		{"sockets", map[string]int64{"anon": 1, "sock": 800 * mib}, "evidence.part-sockets"},
		{"nothing above all", map[string]int64{"anon": 400 * mib, "file": 400 * mib, "shmem": 0}, ""},
	}
	all := []oomdoc.Key{"evidence.part-anon", "evidence.part-shmem", "evidence.part-file", "evidence.part-kernel", "evidence.part-sockets"}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := limitReport()
			report.Memcg.Stats = c.stats
			got := diagnose(report)
			for _, key := range all {
				if says(got, key) != (key == c.want) {
					t.Errorf("told %s is %t, want only %q", key, says(got, key), c.want)
				}
			}
		})
	}
}

func TestMemoryThatIsNotInProcessesIsTold(t *testing.T) {
	report := limitReport()
	if got := diagnose(report); says(got, "evidence.not-in-processes") {
		t.Error("told, though the processes hold nearly all")
	}
	report.Tasks[1].RSS = pages(300 * mib)
	if got := diagnose(report); !says(got, "evidence.not-in-processes") {
		t.Error("320 MiB of 1 GiB in processes, and it is not told")
	}
}

func TestASuppressedKillTakesItsGroupFromTheSampleAndNeverAsIfRead(t *testing.T) {
	report := limitReport()
	*report = oomdoc.KernelReport{Kills: report.Kills, Suppressed: true}
	facts := oomdoc.Facts{Processes: map[int]oomdoc.ProcessFacts{
		100: {PID: 100, Cgroup: "/system.slice/hog.service", Cmdline: []string{"hog", "--all"}},
	}}
	got := classify.Diagnose(killEvent(report), facts)
	if got.Process.Unit != "hog.service" || len(got.Process.Cmdline) != 2 {
		t.Errorf("got process %+v", got.Process)
	}
	if or(got.Kernel).OOMCgroup != "" || or(got.Kernel).TaskCgroup != "" {
		t.Errorf("what was sampled stands as if the kernel had said it: %+v", got.Kernel)
	}
	if !says(got, "evidence.sampled-cgroup") {
		t.Error("where it ran is not told")
	}
	if !lacks(got, "missing.cgroup") || !lacks(got, "missing.report-suppressed") {
		t.Errorf("what is missing is not told: %v", got.Missing)
	}
}

func TestNobodyToKillIsDegradedAndHasNoProcess(t *testing.T) {
	report := limitReport()
	report.Kills, report.Summary, report.NoVictim = nil, nil, true
	report.NoVictimLine = "Out of memory and no killable processes..."
	ev := killEvent(report)
	ev.Kind = oomdoc.EventNoVictim
	got := classify.Diagnose(ev, oomdoc.Facts{})
	if got.Outcome != oomdoc.OutcomeDegraded || got.Process != nil || got.Killer != "" || got.Cause != oomdoc.CauseCgroupLimit {
		t.Errorf("got %s, process %v, killer %q, cause %s", got.Outcome, got.Process, got.Killer, got.Cause)
	}
	if got.Confidence != oomdoc.Certain {
		t.Errorf("got %s: %v", got.Confidence, got.Missing)
	}
}

func TestAGroupKillIsOneIncidentWithDistinctVictims(t *testing.T) {
	report := limitReport()
	helper := kill(99, "helper", 20*mib)
	report.Kills = append(report.Kills, report.Kills[0], helper)
	report.GroupPath, report.GroupLine = "/system.slice/hog.service", "Tasks in /system.slice/hog.service are going to be killed"
	got := diagnose(report)
	if len(got.Victims) != 2 || got.Victims[0].PID != 100 || got.Victims[1].PID != 99 {
		t.Errorf("got victims %+v", got.Victims)
	}
	if !says(got, "evidence.oom-group") || got.VictimReason.Key != "victim.oom-group" {
		t.Error("that the group dies together is not told")
	}
	if text := rendered(t, got).Summary.Text; text != "hog (pid 100) and 1 other process were killed: hog.service reached its memory limit of 1.0 GiB." {
		t.Errorf("got %q", text)
	}
}

func TestTheSummaryIsOnePlainSentence(t *testing.T) {
	if got, want := rendered(t, diagnose(limitReport())).Summary.Text,
		"hog (pid 100) was killed: hog.service reached its memory limit of 1.0 GiB."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	container := limitReport()
	path := "/docker/" + strings.Repeat("8f0c2d4e", 8)
	container.Summary.OOMMemcg, container.Summary.TaskMemcg = path, path
	if got, want := rendered(t, diagnose(container)).Summary.Text,
		"hog (pid 100) was killed: container 8f0c2d4e8f0c reached its memory limit of 1.0 GiB."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	nameless := limitReport()
	nameless.Kills[0].Comm = ""
	if got := rendered(t, diagnose(nameless)).Summary.Text; !strings.HasPrefix(got, "a process without a name (pid 100) ") {
		t.Errorf("got %q", got)
	}
}

func TestANameThatIsNotUTF8IsReplacedNotCut(t *testing.T) {
	report := limitReport()
	report.Kills[0].Comm = "ab\xd1c"
	if got := *diagnose(report).Process.Name; got != "ab\uFFFDc" {
		t.Errorf("got %q", got)
	}
}
