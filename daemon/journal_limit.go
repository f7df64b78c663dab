package daemon

import (
	"cmp"
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/systemd"
)

// Anybody may write to the journal, so what one writer tells is bounded: so many
// failures at once, and then one in each interval. Root's writers may tell of
// more: systemd-oomd ends many units in a bad minute.
const (
	writerBurst     = 20
	writerBurstRoot = 200
	writerRefill    = 30 * time.Second
	maxWriters      = 256
	// sayAfter is how long what was dropped is counted before it is said.
	sayAfter = time.Minute
)

// writerLimits hold what each writer may still tell. The zero value is ready.
type writerLimits struct {
	writers []writerLimit // by when they were last seen, oldest first
	total   uint64        // that were dropped
	due     time.Time     // when what was dropped must be said; zero: nothing was
}

type writerLimit struct {
	writer  string
	burst   float64
	left    float64
	at      time.Time
	dropped int
}

// writerKey tells writers apart by what a user cannot change at will: a user's
// units and processes are the user's.
func writerKey(w systemd.Writer) string {
	if w.UID != "" && w.UID != "0" {
		return "user " + w.UID
	}
	return cmp.Or(w.Container, w.Unit, "pid "+w.PID)
}

// allow tells whether one more failure of a writer is taken.
func (l *writerLimits) allow(w systemd.Writer, now time.Time) bool {
	limit := l.of(w, now)
	limit.left = min(limit.burst, limit.left+float64(now.Sub(limit.at))/float64(writerRefill))
	limit.at = now
	if limit.left >= 1 {
		limit.left--
		return true
	}
	limit.dropped++
	l.total++
	if l.due.IsZero() {
		l.due = now.Add(sayAfter)
	}
	return false
}

func (l *writerLimits) of(w systemd.Writer, now time.Time) *writerLimit {
	key := writerKey(w)
	if i := slices.IndexFunc(l.writers, func(limit writerLimit) bool { return limit.writer == key }); i >= 0 {
		limit := l.writers[i]
		l.writers = append(slices.Delete(l.writers, i, i+1), limit)
		return &l.writers[len(l.writers)-1]
	}
	if len(l.writers) == maxWriters {
		l.writers = slices.Delete(l.writers, 0, 1)
	}
	burst := float64(writerBurst)
	if w.UID == "0" {
		burst = writerBurstRoot
	}
	l.writers = append(l.writers, writerLimit{writer: key, burst: burst, left: burst, at: now})
	return &l.writers[len(l.writers)-1]
}

// An overWriter is how much of a writer was dropped.
type overWriter struct {
	writer  string
	dropped int
}

// over gives what is to be said at now.
func (l *writerLimits) over(now time.Time) []overWriter {
	if l.due.IsZero() || now.Before(l.due) {
		return nil
	}
	l.due = time.Time{}
	var list []overWriter
	for i := range l.writers {
		if limit := &l.writers[i]; limit.dropped > 0 {
			list = append(list, overWriter{limit.writer, limit.dropped})
			limit.dropped = 0
		}
	}
	return list
}

// A telling is what was done with an event that can be told again.
type telling struct {
	revision int
	amended  bool // the lines around it were read: the tail alone knows less
	dropped  bool
	replayed bool
	time     time.Time
}

// tellings are those of the last events.
type tellings struct {
	byID  map[string]*telling
	order []string
}

const maxTellings = 512

func newTellings() *tellings { return &tellings{byID: make(map[string]*telling)} }

// of finds what was done with an event. The same words at another time are
// another event (a unit that is killed each night).
func (t *tellings) of(ev *oomdoc.Event) *telling {
	const slack = 2 * time.Minute
	told := t.byID[ev.ID]
	if told == nil || ev.Time.Sub(told.time).Abs() > slack {
		return nil
	}
	return told
}

func (t *tellings) add(ev *oomdoc.Event, told *telling) {
	id := ev.ID
	told.time, told.replayed = ev.Time, ev.Replayed
	if _, again := t.byID[id]; again {
		t.order = slices.DeleteFunc(t.order, func(other string) bool { return other == id })
	}
	if len(t.order) == maxTellings {
		delete(t.byID, t.order[0])
		t.order = slices.Delete(t.order, 0, 1)
	}
	t.byID[id] = told
	t.order = append(t.order, id)
}
