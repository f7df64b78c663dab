package daemon_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
)

// feedTexts gives texts to a diagnoser as the kernel's records of one boot.
func feedTexts(d *daemon.Diagnoser, seq uint64, texts []string) uint64 {
	for _, text := range texts {
		d.Feed(live(seq, 0, text))
		seq++
	}
	return seq
}

// A fault in the parser costs the record at which it comes: it is reported with
// it, the report that was open is told without it, and what follows is read.
func TestAFaultCostsOneRecord(t *testing.T) {
	w := newWorld(eraAt(t, 6012))
	var told []oomdoc.Incident
	var reported []string
	d := daemon.NewDiagnoser(daemon.DiagnoserOptions{
		Emit: func(inc oomdoc.Incident) { told = append(told, inc) },
		Panicked: func(text string, value any) {
			reported = append(reported, text)
			if value == nil {
				t.Error("no word of what went wrong")
			}
		},
	})
	d.Fragile("a text that breaks it")
	lines := w.lines()
	middle := len(lines) - 3
	seq := feedTexts(d, 10, lines[:middle])
	seq = feedTexts(d, seq, []string{"a text that breaks it"})
	seq = feedTexts(d, seq, lines[middle:])
	w.victim.pid = 4712
	w.tasks[len(w.tasks)-1] = w.victim
	feedTexts(d, seq, w.lines())
	d.Flush()
	if len(reported) != 1 || reported[0] != "a text that breaks it" || d.Panics() != 1 {
		t.Fatalf("reported %q, counted %d", reported, d.Panics())
	}
	pids := make(map[int]bool)
	for i := range told {
		if told[i].Process != nil {
			pids[told[i].Process.PID] = true
		}
	}
	if !pids[4711] || !pids[4712] {
		t.Errorf("told of %v, want both kills: the one around the fault and the one after it", pids)
	}
	if last := told[len(told)-1]; last.Cause != oomdoc.CauseHostExhausted || last.Confidence != oomdoc.Certain {
		t.Errorf("the report after it is %s, %s", last.Cause, last.Confidence)
	}
}

// A fault in judging an event costs the event.
func TestAFaultInJudgingCostsOneEvent(t *testing.T) {
	w := newWorld(eraAt(t, 6012))
	var pids []int
	var reported []string
	d := daemon.NewDiagnoser(daemon.DiagnoserOptions{
		Emit: func(inc oomdoc.Incident) {
			if inc.Final {
				pids = append(pids, inc.Process.PID)
			}
		},
		Facts: func(ev *oomdoc.Event) oomdoc.Facts {
			if strings.Contains(ev.Kernel.Kills[0].Comm, "poison") {
				panic("nil map")
			}
			return oomdoc.Facts{}
		},
		Panicked: func(text string, _ any) { reported = append(reported, text) },
	})
	seq := uint64(10)
	for i, name := range []string{"hog worker", "poison", "hog worker"} {
		w.victim.pid, w.victim.name = 4711+i, name
		w.tasks[len(w.tasks)-1] = w.victim
		seq = feedTexts(d, seq, w.lines()) + 100_000
	}
	d.Flush()
	if len(pids) != 2 || pids[0] != 4711 || pids[1] != 4713 {
		t.Errorf("told of %v, want 4711 and 4713", pids)
	}
	if len(reported) == 0 || !strings.Contains(reported[0], "Killed process 4712") {
		t.Errorf("reported %q, want the kill line", reported)
	}
}
