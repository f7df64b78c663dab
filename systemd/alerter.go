package systemd

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/journal"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

// The defaults of the storm rule.
const (
	DefaultQuiet   = 10 * time.Second
	DefaultLongest = time.Minute
)

// maxOffender is how many bytes of an offender's name tell it apart.
const maxOffender = 512

// AlerterOptions are what an Alerter needs. Language must be set.
type AlerterOptions struct {
	Language *lang.Language
	Journal  bool      // false: alerts go to Stderr only
	Sender   Sender    // nil: LibrarySender
	Stderr   io.Writer // nil: the process's own
	Log      *slog.Logger
	// Quiet ends a storm; after Longest it ends in any case. 0: the defaults.
	Quiet, Longest time.Duration
	// Told is called once incidents were told: the ids, when, and how (a Told
	// constant). It is called from another goroutine, never with a lock held.
	Told func(ids []string, at time.Time, how string)
}

// An Alerter tells of incidents, once each. It never makes its caller wait.
//
// The first failure of an offender is told at once. Further ones of the same
// offender are counted, until it was quiet for Quiet or Longest has passed, and
// then told in one summary. Offenders do not hide each other. Nothing runs
// while no storm is open.
type Alerter struct {
	options AlerterOptions
	journal *Journal

	mu     sync.Mutex
	closed bool
	storms map[string]*storm
	seen   recent
}

// NewAlerter starts an Alerter; Close ends it.
func NewAlerter(options AlerterOptions) *Alerter {
	if options.Stderr == nil {
		options.Stderr = os.Stderr
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	if options.Quiet <= 0 {
		options.Quiet = DefaultQuiet
	}
	if options.Longest <= 0 {
		options.Longest = DefaultLongest
	}
	if options.Sender == nil {
		options.Sender = LibrarySender{}
	}
	a := &Alerter{options: options, storms: make(map[string]*storm)}
	sink := JournalOptions{Sender: options.Sender, Stderr: options.Stderr, Log: options.Log, Dropped: a.droppedMessage}
	if !options.Journal {
		sink.Sender = nil
	}
	a.journal = NewJournal(sink)
	return a
}

// Alert tells of an incident that is stored: now, or within the summary of its
// offender's storm. An incident of a self-test, or whose id it was given
// before, is passed over.
func (a *Alerter) Alert(incident oomdoc.Incident) {
	if incident.Selftest {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || !a.seen.add(incident.ID) {
		return
	}
	offender := incident.Offender()
	offender = offender[:min(maxOffender, len(offender))]
	now := time.Now()
	if s := a.running(offender, now); s != nil {
		a.count(s, &incident, now)
		return
	}
	if len(a.storms) < maxStorms {
		a.open(offender, now).cover(&incident, now)
		a.tell(&incident, now)
		return
	}
	s := a.running(everybodyElse, now)
	if s == nil {
		s = a.open(everybodyElse, now)
	}
	a.count(s, &incident, now)
}

// Stats says what became of the alerts so far.
func (a *Alerter) Stats() JournalStats { return a.journal.Stats() }

// Busy is since when one alert is written, the zero time while none is.
func (a *Alerter) Busy() time.Time { return a.journal.Busy() }

// Close tells the summaries of the open storms and ends the Alerter. It waits
// until ctx ends for what is queued; the error says what was not told.
func (a *Alerter) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closed = true
	for _, offender := range slices.Sorted(maps.Keys(a.storms)) {
		a.end(a.storms[offender])
	}
	a.mu.Unlock()
	return a.journal.Close(ctx)
}

// tell posts the alert of one incident.
func (a *Alerter) tell(incident *oomdoc.Incident, now time.Time) {
	rendered := a.options.Language.Render(*incident)
	a.post(Compose(&rendered, a.options.Language, now), []string{incident.ID})
}

func (a *Alerter) post(m Message, ids []string) {
	a.journal.Post(m, func(at time.Time, how string) {
		if a.options.Told != nil {
			a.options.Told(ids, at, how)
		}
	})
}

// running gives the storm of an offender, nil when there is none. One whose
// end has passed is ended here: its timer may come late.
func (a *Alerter) running(offender string, now time.Time) *storm {
	s := a.storms[offender]
	if s != nil && !now.Before(s.due) {
		a.end(s)
		return nil
	}
	return s
}

func (a *Alerter) open(offender string, now time.Time) *storm {
	s := &storm{offender: offender, opened: now, due: now.Add(a.options.Quiet)}
	s.timer = time.AfterFunc(a.options.Quiet, func() { a.expire(s) })
	a.storms[offender] = s
	return s
}

// count adds a failure to a storm and moves its end.
func (a *Alerter) count(s *storm, incident *oomdoc.Incident, now time.Time) {
	s.ids = append(s.ids, incident.ID)
	s.cover(incident, now)
	if len(s.ids) >= maxCounted {
		a.end(s)
		return
	}
	s.due = now.Add(a.options.Quiet)
	if longest := s.opened.Add(a.options.Longest); longest.Before(s.due) {
		s.due = longest
	}
	s.timer.Reset(s.due.Sub(now))
}

// expire is called by a storm's timer. The timer may have fired while count
// was moving it, or while the storm was ended.
func (a *Alerter) expire(s *storm) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.storms[s.offender] == s {
		a.running(s.offender, time.Now())
	}
}

// end closes a storm and posts its summary when it counted anything.
func (a *Alerter) end(s *storm) {
	s.timer.Stop()
	delete(a.storms, s.offender)
	if len(s.ids) > 0 {
		a.post(a.summary(s), s.ids)
	}
}

// summary is the one message for the failures that a storm counted.
func (a *Alerter) summary(s *storm) Message {
	key := keyStormOther
	if s.allKilled {
		key = keyStormKills
	}
	text := a.options.Language.Text(oomdoc.Say(key, oomdoc.Args{
		"count":    oomdoc.Count(len(s.ids)),
		"offender": offenderName(s.offender),
		"span":     oomdoc.Duration(s.span()),
	}))
	fields := s.common
	// These are of single failures even where all of them agree.
	delete(fields, "OOMDOC_ID")
	delete(fields, "OOMDOC_TIME")
	fields["OOMDOC_COUNT"] = strconv.Itoa(len(s.ids))
	return newMessage(kind{MessageStorm, s.priority}, text, fields)
}

// offenderName is what people call an offender: its name without its kind.
func offenderName(offender string) oomdoc.Value {
	if offender == everybodyElse {
		return oomdoc.Word(keyManyNames)
	}
	_, name, _ := strings.Cut(offender, ":")
	if name == "" {
		return oomdoc.Word(keyThisMachine)
	}
	return oomdoc.Text(clean(name, maxName))
}

func (a *Alerter) droppedMessage(n uint64) Message {
	text := a.options.Language.Text(oomdoc.Say(keyDropped, oomdoc.Args{"count": oomdoc.Count(n)}))
	fields := map[string]string{"OOMDOC_COUNT": strconv.FormatUint(n, 10)}
	return newMessage(kind{MessageDropped, journal.PriWarning}, text, fields)
}
