package systemd_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc/systemd"
)

// A desk is a Journal with everything around it faked.
type desk struct {
	journal *systemd.Journal
	sender  *fakeJournal
	stderr  *lockedBuffer

	mu   sync.Mutex
	told []string // "message: how"
}

func newDesk(sender *fakeJournal) *desk {
	d := &desk{sender: sender, stderr: &lockedBuffer{}}
	d.journal = systemd.NewJournal(systemd.JournalOptions{
		Sender: sender, Stderr: d.stderr, Log: slog.New(slog.DiscardHandler),
		Dropped: func(n uint64) systemd.Message { return systemd.Message{Text: fmt.Sprintf("dropped %d", n)} },
	})
	return d
}

func (d *desk) post(text string) bool {
	return d.journal.Post(systemd.Message{Text: text}, func(_ time.Time, how string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.told = append(d.told, text+": "+how)
	})
}

func (d *desk) toldSoFar() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.told)
}

func (d *desk) close(t *testing.T) {
	t.Helper()
	if err := d.journal.Close(t.Context()); err != nil {
		t.Errorf("Close() = %v, want no error", err)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestJournalWritesInOrderAndCloseDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(&fakeJournal{})
		for _, text := range []string{"a", "b", "c"} {
			d.post(text)
		}
		d.close(t)
		equal(t, "messages", d.sender.texts(), []string{"a", "b", "c"})
		equal(t, "told", d.toldSoFar(), []string{"a: journal", "b: journal", "c: journal"})
		equal(t, "stats", d.journal.Stats(), systemd.JournalStats{Journal: true, Sent: 3})
		if d.post("late") {
			t.Error("Post after Close = true, want false")
		}
	})
}

func TestAbsentJournalFallsBackToStderrAndIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(&fakeJournal{err: errAbsent})
		if d.journal.Stats().Journal {
			t.Error("Stats().Journal = true before the first message, want false")
		}
		d.post("a")
		synctest.Wait()
		d.sender.set(nil, nil)
		d.post("b")
		d.close(t)
		equal(t, "messages", d.sender.texts(), []string{"b"})
		equal(t, "stderr", d.stderr.String(), "oomdoc: a\n")
		equal(t, "told", d.toldSoFar(), []string{"a: stderr", "b: journal"})
		equal(t, "stats", d.journal.Stats(), systemd.JournalStats{Journal: true, Sent: 1, Stderr: 1})
	})
}

func TestJournalThatIsDownIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(&fakeJournal{})
		d.post("a")
		synctest.Wait()
		d.sender.set(systemd.ErrJournalFull, nil)
		d.post("b")
		d.post("c")
		synctest.Wait()
		d.sender.set(nil, nil)
		d.post("d")
		d.post("e")
		d.close(t)
		equal(t, "patience", d.sender.patience,
			[]time.Duration{systemd.HungAfter, systemd.HungAfter, 0, 0, systemd.HungAfter})
	})
}

func TestHungSendHoldsUpOneGoroutineAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		d := newDesk(&fakeJournal{hang: hang})
		for _, text := range []string{"a", "b", "c"} {
			d.post(text)
		}
		time.Sleep(2*systemd.HungAfter + time.Millisecond)
		synctest.Wait()
		equal(t, "told", d.toldSoFar(), []string{"a: stderr", "b: stderr", "c: stderr"})
		equal(t, "stderr", d.stderr.String(), "oomdoc: a\noomdoc: b\noomdoc: c\n")
		equal(t, "Sends at one time", d.sender.most, 1)

		d.sender.set(nil, nil)
		close(hang)
		synctest.Wait()
		d.post("d")
		d.close(t)
		equal(t, "messages", d.sender.texts(), []string{"a", "d"}) // a arrives after all
		equal(t, "told", d.toldSoFar()[3:], []string{"d: journal"})
	})
}

func TestFullQueueDropsTheNewestAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		d := newDesk(&fakeJournal{hang: hang})
		d.post("first")
		synctest.Wait() // the writer has it, the queue is empty
		taken := 0
		for range 300 {
			if d.post("more") {
				taken++
			}
		}
		d.sender.set(nil, nil)
		close(hang)
		d.close(t)
		equal(t, "queued", taken, 256)
		texts := d.sender.texts()
		equal(t, "last message", texts[len(texts)-1], "dropped 44")
		equal(t, "told", len(d.toldSoFar()), 257)
		equal(t, "stats", d.journal.Stats(), systemd.JournalStats{Journal: true, Sent: 258, Dropped: 44})
	})
}

func TestMessageThatNobodyTookIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(&fakeJournal{err: errAbsent})
		d.stderr.err = errors.New("closed")
		d.post("a")
		d.close(t)
		if told := d.toldSoFar(); len(told) != 0 {
			t.Errorf("told %q, want nothing", told)
		}
		equal(t, "stats", d.journal.Stats(), systemd.JournalStats{Dropped: 1})
	})
}

func TestCloseDoesNotWaitForAHungJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		d := newDesk(&fakeJournal{hang: hang})
		d.post("a")
		synctest.Wait()
		d.post("b")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := d.journal.Close(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 messages unwritten") {
			t.Errorf("Close() = %v, want the deadline and what was left", err)
		}
		close(hang)
		d.close(t)
		equal(t, "messages", d.sender.texts(), []string{"a"}) // b stays for the next start
	})
}
