package classify_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

func add(t *testing.T, j *classify.Joiner, ev oomdoc.Event) oomdoc.Incident {
	t.Helper()
	got := j.Add(ev, oomdoc.Facts{})
	if len(got) != 1 {
		t.Fatalf("event %s gave %d incidents, want 1", ev.ID, len(got))
	}
	return got[0]
}

func TestKillsOfOnePoolWithinFiveSecondsShareABurst(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	first := killEvent(limitReport())
	other := killEvent(hostReport())
	cases := []struct {
		ev   oomdoc.Event
		want string
	}{
		{first, first.ID},
		{after(first, 4*time.Second, "b"), first.ID},
		{after(other, 4*time.Second, "host"), "host"}, // another pool
		{after(first, 8*time.Second, "c"), first.ID},  // within five seconds of the last
		{after(first, 14*time.Second, "d"), "d"},
	}
	for _, c := range cases {
		if got := add(t, j, c.ev); got.Burst != c.want {
			t.Errorf("%s: got burst %s, want %s", c.ev.ID, got.Burst, c.want)
		}
	}
}

func TestKillsOfTwoBootsShareNoBurst(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	first := killEvent(limitReport())
	add(t, j, first)
	second := after(first, time.Second, "b")
	second.BootID = "boot-b"
	if got := add(t, j, second); got.Burst != "b" {
		t.Errorf("got burst %s", got.Burst)
	}
}

func TestAnEventToldAgainWithMoreAmendsItsIncident(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	first := killEvent(limitReport())
	first.Final = false
	add(t, j, first)
	more := after(first, 0, first.ID)
	more.Revision = 1
	got := add(t, j, more)
	if got.ID != first.ID || got.Revision != 1 || got.Burst != first.ID {
		t.Errorf("got %s revision %d burst %s", got.ID, got.Revision, got.Burst)
	}
	last := more
	last.Final = true
	if got := add(t, j, last); !got.Final {
		t.Error("the end is not told")
	}
}

func TestTheSameKillReadTwiceStaysOne(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	ev := killEvent(limitReport())
	ev.Time = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	add(t, j, ev)
	rounded := ev
	rounded.Usec += 400 // another form of the same log, stamps to the millisecond
	rounded.Time = ev.Time.Add(time.Second)
	older := ev
	older.Usec, older.BootID = oomdoc.NoUsec, ""
	for _, again := range []oomdoc.Event{ev, rounded, older} {
		if got := j.Add(again, oomdoc.Facts{}); len(got) != 0 {
			t.Errorf("told again: %+v", got)
		}
	}
	elsewhen := ev
	elsewhen.Usec += 3_600_000_000
	if got := j.Add(elsewhen, oomdoc.Facts{}); len(got) != 1 {
		t.Errorf("the same line an hour later gave %d incidents, want 1", len(got))
	}
}

func suppressed(ev oomdoc.Event) oomdoc.Event {
	ev.Kernel = &oomdoc.KernelReport{Kills: ev.Kernel.Kills, Suppressed: true}
	return ev
}

func TestASuppressedReportGuessesItsGroupFromItsNeighbours(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	first := killEvent(limitReport())
	add(t, j, first)
	near := add(t, j, suppressed(after(first, 2*time.Second, "near")))
	if !lacks(near, "missing.cgroup-guessed") || near.Burst != first.ID || near.Cause != oomdoc.CauseCgroupLimit {
		t.Errorf("got burst %s, cause %s, missing %v", near.Burst, near.Cause, near.Missing)
	}
	if or(near.Kernel).OOMCgroup != "" || near.Process.Cgroup != "" {
		t.Errorf("the guess stands as if it had been read: %+v %+v", near.Kernel, near.Process)
	}
	far := add(t, j, suppressed(after(first, 20*time.Second, "far")))
	if lacks(far, "missing.cgroup-guessed") || !lacks(far, "missing.cgroup") {
		t.Errorf("20 s later: missing %v", far.Missing)
	}
}

func TestASuppressedGlobalKillIsPossiblyWhatItsNeighboursWere(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	alone := suppressed(killEvent(hostReport()))
	checkVerdict(t, add(t, j, alone), oomdoc.CauseUndecided, oomdoc.Possible)
	whole := after(killEvent(hostReport()), time.Minute, "whole")
	checkVerdict(t, add(t, j, whole), oomdoc.CauseHostExhausted, oomdoc.Certain)
	near := add(t, j, suppressed(after(whole, time.Second, "near")))
	checkVerdict(t, near, oomdoc.CauseHostExhausted, oomdoc.Possible)
	if !lacks(near, "missing.neighbours") {
		t.Errorf("how it is known is not told: %v", near.Missing)
	}
	// A possibility is no ground for the next one.
	checkVerdict(t, add(t, j, suppressed(after(whole, 6*time.Second, "far"))), oomdoc.CauseUndecided, oomdoc.Possible)
}

func nobody(id string, at time.Duration) oomdoc.Event {
	report := limitReport()
	report.Kills, report.Summary, report.NoVictim = nil, nil, true
	ev := after(killEvent(report), at, id)
	ev.Kind, ev.Records = oomdoc.EventNoVictim, []string{"a record"}
	return ev
}

func TestReportsWithoutAVictimAreOneIncidentUntilFiveSecondsOfQuiet(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	first := add(t, j, nobody("n0", 0))
	for i := range 50 {
		got := add(t, j, nobody(fmt.Sprintf("n%d", i+1), time.Duration(i+1)*4*time.Second))
		if got.ID != "n0" || got.Count != i+2 || got.Usec != first.Usec || got.Revision <= first.Revision {
			t.Fatalf("got %s count %d revision %d stamp %d", got.ID, got.Count, got.Revision, got.Usec)
		}
		if len(got.Evidence) != len(first.Evidence) || got.Outcome != oomdoc.OutcomeDegraded {
			t.Fatalf("the amended incident lost something: %+v", got)
		}
		first = got
	}
	if got := add(t, j, nobody("later", 206*time.Second)); got.ID != "later" || got.Count != 1 {
		t.Errorf("after quiet: got %s count %d", got.ID, got.Count)
	}
}

func TestAReportWithoutAVictimThatIsToldAgainDoesNotCountTwice(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	add(t, j, nobody("n0", 0))
	final := nobody("n0", 0)
	final.Revision, final.Final = 1, true
	if got := add(t, j, final); got.Count != 1 || !got.Final {
		t.Errorf("got count %d, final %t", got.Count, got.Final)
	}
	add(t, j, nobody("n1", time.Second))
	again := nobody("n1", time.Second)
	again.Revision, again.Final = 1, true
	if got := j.Add(again, oomdoc.Facts{}); len(got) != 0 {
		t.Errorf("told again: count %d", got[0].Count)
	}
	if got := add(t, j, nobody("n2", 2*time.Second)); got.Count != 3 {
		t.Errorf("got count %d, want 3", got.Count)
	}
}

func TestTheHeadOfAReportInAFloodIsNoIncidentOfItsOwn(t *testing.T) {
	head := after(killEvent(&oomdoc.KernelReport{Trigger: limitReport().Trigger}), time.Second, "head")
	j := classify.NewJoiner(classify.Options{})
	if got := j.Add(head, oomdoc.Facts{}); len(got) != 1 {
		t.Errorf("alone: got %d incidents, want 1", len(got))
	}
	j = classify.NewJoiner(classify.Options{})
	add(t, j, nobody("n0", 0))
	if got := j.Add(head, oomdoc.Facts{}); len(got) != 0 {
		t.Errorf("in a flood: got %d incidents, want none", len(got))
	}
	head.ID, head.BootID = "head of another boot", "boot-b" // its stamps begin anew
	if got := j.Add(head, oomdoc.Facts{}); len(got) != 1 {
		t.Errorf("in another boot: got %d incidents, want 1", len(got))
	}
}

func TestAPanicIsOneIncidentThatNobodySurvived(t *testing.T) {
	report := hostReport()
	report.Kills, report.Summary, report.Panic = nil, nil, "Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled"
	ev := killEvent(report)
	ev.Kind = oomdoc.EventNoVictim
	got := add(t, classify.NewJoiner(classify.Options{}), ev)
	if got.Outcome != oomdoc.OutcomePanic || got.Cause != oomdoc.CauseHostExhausted || got.Process != nil || got.Count != 0 {
		t.Errorf("got %s, %s, process %v, count %d", got.Outcome, got.Cause, got.Process, got.Count)
	}
}

// TestAFloodDoesNotGrowTheJoiner feeds far more events than it may remember, of
// as many cgroups, and looks at what is still reachable.
func TestAFloodDoesNotGrowTheJoiner(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	feed := func(n int) {
		for i := range n {
			id := fmt.Sprintf("%d-%d", n, i)
			report := limitReport()
			report.Summary.OOMMemcg = "/" + id
			j.Add(after(killEvent(report), time.Duration(i)*time.Millisecond, id), oomdoc.Facts{})
			silent := nobody("n"+id, time.Duration(i)*time.Millisecond)
			silent.Kernel.Memcg.StatsOf = "/" + id
			j.Add(silent, oomdoc.Facts{})
		}
	}
	feed(2000)
	before := heap()
	feed(10000)
	if after := heap(); after > before+512<<10 {
		t.Errorf("10,000 more events left %d KiB more", (after-before)>>10)
	}
	runtime.KeepAlive(j)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
