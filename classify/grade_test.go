package classify_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

func TestEachPartThatAReportLacksIsNamed(t *testing.T) {
	cases := []struct {
		name   string
		report *oomdoc.KernelReport
		change func(*oomdoc.KernelReport)
		want   oomdoc.Key
	}{
		{"header", limitReport(), func(r *oomdoc.KernelReport) { r.Trigger = nil }, "missing.header"},
		{"numbers of the group", limitReport(), func(r *oomdoc.KernelReport) { r.Memcg.Usage = nil }, "missing.group-numbers"},
		{"zones", hostReport(), func(r *oomdoc.KernelReport) { r.Memory.Zones = nil }, "missing.memory-numbers"},
		{"summary", limitReport(), func(r *oomdoc.KernelReport) { r.Summary = nil }, "missing.summary"},
		{"kill line", limitReport(), func(r *oomdoc.KernelReport) { r.Kills = nil }, "missing.kill-line"},
		{"victim", limitReport(), func(r *oomdoc.KernelReport) { r.Kills, r.Summary = nil, nil }, "missing.victim"},
		{"table", limitReport(), func(r *oomdoc.KernelReport) { r.Tasks = nil }, "missing.table"},
		{"records", limitReport(), func(r *oomdoc.KernelReport) { r.Lost = 3 }, "missing.lost-records"},
		{"page size", hostReport(), func(r *oomdoc.KernelReport) { r.PageSizeAssumed = true }, "missing.page-size"},
		{"path", limitReport(), func(r *oomdoc.KernelReport) { r.Summary.Truncated = true }, "missing.cgroup-cut"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if whole := diagnose(c.report); len(whole.Missing) != 0 || whole.Confidence != oomdoc.Certain {
				t.Fatalf("the whole report lacks %v (%s)", whole.Missing, whole.Confidence)
			}
			c.change(c.report)
			if got := diagnose(c.report); !lacks(got, c.want) {
				t.Errorf("got %v, want %s", got.Missing, c.want)
			}
		})
	}
}

func TestAKernelBefore50LacksNoSummary(t *testing.T) {
	report := hostReport()
	report.KernelVersion, report.Summary = "4.19.0-27-amd64", nil
	if got := diagnose(report); lacks(got, "missing.summary") || got.Confidence != oomdoc.Certain {
		t.Errorf("got %s, missing %v", got.Confidence, got.Missing)
	}
}

func TestALogThatDoesNotTellItsWriterIsNeverCertain(t *testing.T) {
	cases := []struct {
		name   string
		report *oomdoc.KernelReport
		trust  oomdoc.Trust
		want   oomdoc.Confidence
	}{
		{"a whole report of the kernel", limitReport(), oomdoc.TrustKernel, oomdoc.Certain},
		{"a whole report in a text", limitReport(), oomdoc.TrustText, oomdoc.Likely},
		{"one line in a text", &oomdoc.KernelReport{Kills: limitReport().Kills, Suppressed: true}, oomdoc.TrustText, oomdoc.Possible},
		{"one line of the kernel", &oomdoc.KernelReport{Kills: limitReport().Kills, Suppressed: true}, oomdoc.TrustKernel, oomdoc.Likely},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ev := killEvent(c.report)
			ev.Trust = c.trust
			got := classify.Diagnose(ev, oomdoc.Facts{})
			if got.Confidence != c.want || lacks(got, "missing.trust") != (c.trust != oomdoc.TrustKernel) {
				t.Errorf("got %s, missing %v; want %s", got.Confidence, got.Missing, c.want)
			}
		})
	}
}

func TestAKillLineAloneDecidesNoCause(t *testing.T) {
	report := hostReport()
	*report = oomdoc.KernelReport{Kills: report.Kills}
	got := diagnose(report)
	checkVerdict(t, got, oomdoc.CauseUndecided, oomdoc.Possible)
	if !lacks(got, "missing.all-but-kill-line") || len(got.Missing) != 1 {
		t.Errorf("got %v", got.Missing)
	}
}

func TestAnEventWithoutAReportIsUndecidedAndDoesNotFail(t *testing.T) {
	got := classify.Diagnose(oomdoc.Event{ID: "x", Kind: oomdoc.EventKernelKill}, oomdoc.Facts{})
	checkVerdict(t, got, oomdoc.CauseUndecided, oomdoc.Possible)
}
