package systemd_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coreos/go-systemd/v22/journal"

	"github.com/oomdoc/oomdoc/systemd"
)

// A ward is an Alerter with everything around it faked.
type ward struct {
	alerter *systemd.Alerter
	sender  *fakeJournal

	mu   sync.Mutex
	told [][]string // the ids of each call
}

func newWard(t *testing.T) *ward {
	w := &ward{sender: &fakeJournal{}}
	w.alerter = systemd.NewAlerter(systemd.AlerterOptions{
		Language: english(t), Journal: true, Sender: w.sender, Stderr: &lockedBuffer{},
		Told: func(ids []string, _ time.Time, how string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.told = append(w.told, append([]string{how}, ids...))
		},
	})
	return w
}

// kill is a kill of a unit now; ids differ.
func (w *ward) kill(id int, unit string) {
	i := incident()
	i.ID, i.Time = fmt.Sprintf("%010d", id), time.Now()
	i.Summary.Text = "kill in " + unit
	i.Process.Unit, i.Process.PID = unit, id
	i.Fixes = nil
	w.alerter.Alert(i)
}

// after waits, and gives what the journal has then, without what follows the
// first sentence.
func (w *ward) after(d time.Duration) []string {
	time.Sleep(d)
	synctest.Wait()
	texts := w.sender.texts()
	for i := range texts {
		texts[i], _, _ = strings.Cut(texts[i], ". Details")
	}
	return texts
}

func (w *ward) close(t *testing.T) {
	t.Helper()
	if err := w.alerter.Close(t.Context()); err != nil {
		t.Errorf("Close() = %v, want no error", err)
	}
}

func TestStormIsToldInTwoMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		for id := range 20 {
			w.kill(id, "x.service")
			if id == 0 {
				equal(t, "at once", w.after(0), []string{"kill in x.service"})
			}
			time.Sleep(time.Second)
		}
		equal(t, "before it was quiet", w.after(8*time.Second), []string{"kill in x.service"})
		equal(t, "after", w.after(time.Second), []string{
			"kill in x.service", "19 more kills of x.service within 19 s; all are stored: oomdoc list"})
		if len(w.told) != 2 || len(w.told[0]) != 2 || len(w.told[1]) != 20 || w.told[1][19] != "0000000019" {
			t.Errorf("told %q, want one id and then nineteen", w.told)
		}
		w.close(t)
	})
}

func TestStormSummaryHasTheFieldsThatAllShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		w.kill(1, "x.service")
		w.kill(2, "x.service")
		w.kill(3, "x.service")
		w.close(t)
		m := w.sender.messages[1]
		equal(t, "priority", m.Priority, journal.PriErr)
		for name, want := range map[string]string{
			"MESSAGE_ID": systemd.MessageStorm, "OOMDOC_COUNT": "2", "OOMDOC_OFFENDER": "unit:x.service",
			"OBJECT_SYSTEMD_UNIT": "x.service", "OOMDOC_CAUSE": "cgroup-limit",
			"OOMDOC_ID": "", "OOMDOC_PID": "", "OOMDOC_TIME": "",
		} {
			if got := m.Fields[name]; got != want {
				t.Errorf("%s = %q, want %q", name, got, want)
			}
		}
	})
}

func TestStormEndsAfterTheLongestTimeAndTheNextFailureIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		for id := range 12 { // every 7 s: never quiet
			w.kill(id, "x.service")
			time.Sleep(7 * time.Second)
		}
		equal(t, "messages", w.after(0), []string{
			"kill in x.service",
			"8 more kills of x.service within 56 s; all are stored: oomdoc list",
			"kill in x.service", // the one after 63 s
		})
		w.close(t)
		equal(t, "messages", len(w.sender.texts()), 4)
	})
}

func TestOffendersDoNotHideEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		w.kill(1, "x.service")
		w.kill(2, "x.service")
		w.kill(3, "y.service")
		equal(t, "messages", w.after(0), []string{"kill in x.service", "kill in y.service"})
		equal(t, "after", w.after(10*time.Second), []string{
			"kill in x.service", "kill in y.service",
			"1 more kill of x.service within 1 s; all are stored: oomdoc list"})
		w.close(t)
	})
}

func TestSecondFailureAfterQuietIsToldByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		w.kill(1, "x.service")
		time.Sleep(10 * time.Second)
		synctest.Wait()
		w.kill(2, "x.service")
		equal(t, "messages", w.after(time.Minute), []string{"kill in x.service", "kill in x.service"})
		w.close(t)
	})
}

func TestIncidentIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		w.kill(1, "x.service")
		w.kill(1, "x.service")
		time.Sleep(time.Minute)
		synctest.Wait()
		w.kill(1, "y.service") // amended: its unit is known now
		w.close(t)
		equal(t, "messages", w.after(0), []string{"kill in x.service"})
	})
}

func TestSelftestIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		i := incident()
		i.Selftest = true
		w.alerter.Alert(i)
		w.close(t)
		if texts := w.sender.texts(); len(texts) != 0 {
			t.Errorf("told %q, want nothing", texts)
		}
	})
}

func TestFailuresOfManyOffendersAreCountedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		for id := range 300 {
			w.kill(id, fmt.Sprintf("u%d.service", id))
			synctest.Wait()
		}
		texts := w.after(10 * time.Second)
		equal(t, "messages", len(texts), 257)
		equal(t, "last message", texts[256], "44 more kills of many different programs within 1 s; all are stored: oomdoc list")
		w.close(t)
	})
}

func TestEndlessStormKeepsABoundedNumberOfIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		for id := range 5000 {
			w.kill(id, "x.service")
		}
		w.close(t)
		counts := []string{}
		for _, m := range w.sender.messages {
			counts = append(counts, m.Fields["OOMDOC_COUNT"])
		}
		equal(t, "counts", counts, []string{"", "4096", "", "902"})
	})
}

func TestCloseTellsTheOpenStorms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		for id := range 3 {
			w.kill(id, "x.service")
			w.kill(10+id, "y.service")
		}
		w.close(t)
		texts := w.after(0)
		slices.Sort(texts)
		equal(t, "messages", texts, []string{
			"2 more kills of x.service within 1 s; all are stored: oomdoc list",
			"2 more kills of y.service within 1 s; all are stored: oomdoc list",
			"kill in x.service", "kill in y.service"})
		w.kill(99, "z.service")
		equal(t, "messages after Close", len(w.after(time.Minute)), 4)
	})
}

func TestAlertDoesNotWaitForAHungJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		hang := make(chan struct{})
		w.sender.set(nil, hang)
		start := time.Now()
		for id := range 1000 {
			w.kill(id, fmt.Sprintf("u%d.service", id))
		}
		if waited := time.Since(start); waited != 0 { // the clock of the bubble moves only when all wait
			t.Errorf("Alert waited for %v", waited)
		}
		w.sender.set(nil, nil)
		close(hang)
		w.close(t)
	})
}
