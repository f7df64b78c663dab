package classify_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

func TestTheVictimIsExplainedByTheKernelsScore(t *testing.T) {
	cases := []struct {
		name   string
		change func(*oomdoc.KernelReport)
		want   oomdoc.Key
	}{
		{"the largest", func(*oomdoc.KernelReport) {}, "victim.largest"},
		{"swapped pages count", func(r *oomdoc.KernelReport) {
			r.Tasks = []oomdoc.Task{row(99, "big", 500*mib, 0), row(100, "hog", 400*mib, 0)}
			r.Tasks[1].SwapEnts = new(pages(200 * mib))
		}, "victim.largest"},
		{"page tables count", func(r *oomdoc.KernelReport) {
			r.Tasks = []oomdoc.Task{row(99, "big", 500*mib, 0), row(100, "hog", 499*mib, 0)}
			r.Tasks[1].PageTables = new(2 * mib)
		}, "victim.largest"},
		{"the only one listed", func(r *oomdoc.KernelReport) { r.Tasks = r.Tasks[1:] }, "victim.only-listed"},
		{"all others are never killed", func(r *oomdoc.KernelReport) { r.Tasks[0].OOMScoreAdj = new(-1000) }, "victim.only-one"},
		{"a larger one is never killed", func(r *oomdoc.KernelReport) {
			r.Tasks[0] = row(99, "sshd", 950*mib, -1000)
		}, "victim.larger-was-protected"},
		{"a larger one is protected by its score", func(r *oomdoc.KernelReport) {
			r.Tasks[0] = row(99, "db", 950*mib, -900)
		}, "victim.larger-was-protected"},
		{"its score was raised", func(r *oomdoc.KernelReport) {
			r.Tasks = []oomdoc.Task{row(99, "db", 700*mib, 0), row(100, "hog", 100*mib, 800)}
		}, "victim.score-raised"},
		{"the score does not agree with the kill", func(r *oomdoc.KernelReport) {
			r.Tasks[0] = row(99, "db", 950*mib, 0)
		}, ""},
		{"the victim is not listed", func(r *oomdoc.KernelReport) { r.Tasks = r.Tasks[:1] }, ""},
		{"no table", func(r *oomdoc.KernelReport) { r.Tasks = nil }, ""},
		{"no page size", func(r *oomdoc.KernelReport) { r.PageSize = 0 }, ""},
		{"whoever asked is killed", func(r *oomdoc.KernelReport) { r.Kills[0].AllocatingTask = true }, "victim.allocating-task"},
		{"of equals the kernel takes any", func(r *oomdoc.KernelReport) {
			r.Tasks[0] = row(99, "twin", 900*mib, 0)
		}, "victim.largest"},
		{"a row headed by a thread", func(r *oomdoc.KernelReport) { r.Tasks[1].PID = 4711 }, "victim.largest"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := limitReport()
			c.change(report)
			if got := diagnose(report).VictimReason; got.Key != c.want {
				t.Errorf("got %q, want %q", got.Key, c.want)
			}
		})
	}
}

func TestTheScoreIsMeasuredByWhatTheRequestCouldHaveHad(t *testing.T) {
	// 100 thousandths of 1 GiB of limit are 102 MiB; of 1 GiB of limit and 1 GiB
	// of swap 205 MiB, enough to be put before 300 MiB.
	report := limitReport()
	report.Tasks = []oomdoc.Task{row(99, "db", 300*mib, 0), row(100, "hog", 150*mib, 100)}
	if got := diagnose(report).VictimReason; !got.IsZero() {
		t.Errorf("without swap: got %q", got.Key)
	}
	report.Memcg.MemswUsage, report.Memcg.MemswLimit = new(gib), new(2*gib)
	if got := diagnose(report).VictimReason; got.Key != "victim.score-raised" {
		t.Errorf("with swap: got %q", got.Key)
	}
}

func TestSwapThatTheGroupMayNotUseDoesNotCountInTheScore(t *testing.T) {
	report := limitReport()
	report.Tasks = []oomdoc.Task{row(99, "db", 300*mib, 0), row(100, "hog", 150*mib, 100)}
	report.Memcg.SwapUsage, report.Memcg.SwapLimit = new(int64(0)), new(int64(0))
	machine := oomdoc.Facts{SwapBytes: new(8 * gib)}
	if got := classify.Diagnose(killEvent(report), machine).VictimReason; !got.IsZero() {
		t.Errorf("none allowed: got %q", got.Key)
	}
	report.Memcg.SwapLimit = new(2 * gib)
	if got := classify.Diagnose(killEvent(report), machine).VictimReason; got.Key != "victim.score-raised" {
		t.Errorf("2 GiB allowed: got %q", got.Key)
	}
}

func TestTheReasonSaysTheNumbers(t *testing.T) {
	report := limitReport()
	report.Tasks[1].PageTables = new(4 * mib)
	got := rendered(t, diagnose(report)).VictimReason.Text
	if want := "it held 904 MiB, more than any other of 2 processes (next: helper with 20 MiB)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
