package systemd

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
)

// The waits of a JournalFollower.
const (
	// markEvery is how often the place of a journal without a hit is noted: a hit
	// may not come for weeks, and all since the last one would be read again.
	markEvery = 10 * time.Minute
	// lookEvery is how often a machine without a journal is asked for one.
	lookEvery    = 30 * time.Second
	restartFirst = time.Second
	restartLast  = time.Minute
	// settled: a child that ran this long has not failed at its start.
	settled = time.Minute
)

// JournalFollowOptions say what a JournalFollower reads and whom it tells. The
// functions are called by one goroutine at a time and must be set.
type JournalFollowOptions struct {
	Source JournalSource
	// Anchors are the texts of which an entry must have one.
	Anchors []string
	// Cursor is where to read on, empty: only what comes from now on.
	Cursor string
	// Record takes each entry that has an anchor, but the kernel's and our own. It
	// is valid until the call returns.
	Record func(*oomdoc.Record)
	// Passed says that everything up to a cursor was read and handed over.
	Passed func(cursor string)
	// Gap says that entries are missing.
	Gap func(JournalGap)
	// Began says that a child begins to read; what is handed over after it comes
	// from where GoTo said.
	Began func()
	Log   *slog.Logger

	MarkEvery time.Duration // 0: ten minutes
}

// NoJournal is why a journal is not followed.
const NoJournal = "there is no journal on this machine"

// JournalFollowStats are what a JournalFollower has seen so far.
type JournalFollowStats struct {
	Watching bool      // a journalctl runs
	Why      string    // why not
	PID      int       // of that journalctl
	Since    time.Time // when the first one began
	Last     time.Time // when the last entry with an anchor was read
	Records  uint64    // entries with an anchor
	Restarts uint64    // how often journalctl ended by itself
	Lost     uint64    // entries that are known to be missing
	Cursor   string    // of the last entry that was read or passed
}

// A JournalFollower reads the journal through a child: journalctl maps the files,
// and dies of it when they are damaged or removed; we do not. The child filters.
type JournalFollower struct {
	options JournalFollowOptions
	log     *slog.Logger
	started time.Time
	plain   bool // this journalctl cannot filter

	calls sync.Mutex // held while one of the options' functions runs; never taken under mu
	mu    sync.Mutex // guards what follows, for moments
	at    place
	turn  int // counts the calls of GoTo
	stats JournalFollowStats
	stop  context.CancelFunc // of the running child
}

// A place is where to read on.
type place struct {
	cursor    string
	inclusive bool      // the entry at the cursor was not read yet
	since     time.Time // where there is no cursor
}

// NewJournalFollower makes one; Run starts it.
func NewJournalFollower(o JournalFollowOptions) *JournalFollower {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.MarkEvery = cmp.Or(o.MarkEvery, markEvery)
	return &JournalFollower{options: o, log: o.Log, at: place{cursor: o.Cursor}}
}

// Stats tells what has happened so far.
func (f *JournalFollower) Stats() JournalFollowStats {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stats.Cursor = f.at.cursor
	return f.stats
}

// GoTo reads on from another cursor: what was handed over since is handed over
// again.
func (f *JournalFollower) GoTo(cursor string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = place{cursor: cursor}
	f.turn++
	if f.stop != nil {
		f.stop()
	}
}

// Run follows until ctx ends.
func (f *JournalFollower) Run(ctx context.Context) {
	f.started = time.Now()
	wait := restartFirst
	for ctx.Err() == nil {
		if !f.options.Source.Files() {
			f.awaitFirst()
			sleep(ctx, lookEvery)
			continue
		}
		began := time.Now()
		again, err := f.session(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case again:
			continue
		case errors.Is(err, ErrNoPatterns):
			f.log.Warn("journalctl cannot filter; all entries of the journal are read", "error", err)
			f.plain = true
			continue
		case time.Since(began) >= settled:
			wait = restartFirst
		}
		f.log.Warn("journalctl ended and is started again", "error", err, "after", wait)
		f.set(func(s *JournalFollowStats) { s.Restarts++; s.Why = cmp.Or(errorText(err), "journalctl ended") })
		sleep(ctx, wait)
		wait = min(2*wait, restartLast)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// session runs one journalctl to its end. again says that it was ended to read on
// elsewhere.
func (f *JournalFollower) session(ctx context.Context) (again bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.mu.Lock()
	turn := f.turn
	f.mu.Unlock()
	args, err := f.begin(ctx, turn)
	if err != nil {
		return false, err
	}
	r, err := f.options.Source.read(ctx, false, append(args, f.filter()...)...)
	if err != nil {
		return false, err
	}
	f.mu.Lock()
	moved := f.turn != turn // GoTo came meanwhile
	f.stop = cancel
	f.stats.Watching, f.stats.Why, f.stats.PID = true, "", r.command.Process.Pid
	if f.stats.Since.IsZero() {
		f.stats.Since = time.Now()
	}
	f.mu.Unlock()
	var background sync.WaitGroup
	if !moved {
		f.calls.Lock()
		f.options.Began()
		f.calls.Unlock()
		background.Go(func() { f.mark(ctx, r, turn) })
		err = f.readAll(r, turn)
	}
	cancelled := ctx.Err() != nil
	cancel()
	background.Wait()
	endErr := r.end()
	f.mu.Lock()
	f.stop = nil
	f.stats.Watching, f.stats.PID = false, 0
	f.mu.Unlock()
	if moved || cancelled {
		return true, nil
	}
	return false, cmp.Or(endErr, err)
}

// filter are the arguments that make journalctl follow and choose.
func (f *JournalFollower) filter() []string {
	args := []string{"--follow", "--no-tail"}
	if f.plain {
		return args
	}
	return append(args, "--case-sensitive=yes", "--grep="+Pattern(append([]string{suppressedAnchor}, f.options.Anchors...)))
}

func (f *JournalFollower) readAll(r *reading, turn int) error {
	var rec oomdoc.Record
	for {
		if err := r.next(&rec); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		f.deliver(&rec, turn)
	}
}

// deliver hands an entry over and moves on behind it.
func (f *JournalFollower) deliver(rec *oomdoc.Record, turn int) {
	f.calls.Lock()
	defer f.calls.Unlock()
	rec.Read = time.Now()
	rec.Replayed = rec.Time.Before(f.started)
	if !f.move(place{cursor: string(rec.Journal.Cursor)}, turn) {
		return // GoTo: it is handed over again
	}
	switch {
	case rec.Journal.Kernel, isOwn(rec):
	case isSuppressed(rec):
		f.gap(suppressed(rec))
	default:
		f.set(func(s *JournalFollowStats) { s.Records++; s.Last = rec.Read })
		f.options.Record(rec)
	}
}

// gap counts what is missing. calls is held.
func (f *JournalFollower) gap(gap JournalGap) {
	f.set(func(s *JournalFollowStats) { s.Lost += gap.Lost })
	f.log.Warn("journal entries are missing", "lost", gap.Lost, "reason", gap.Reason)
	f.options.Gap(gap)
}

func (f *JournalFollower) set(change func(*JournalFollowStats)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.stats)
}

// move notes where the reading is; false when GoTo has said otherwise meanwhile.
func (f *JournalFollower) move(to place, turn int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.turn != turn {
		return false
	}
	f.at = to
	return true
}

// awaitFirst makes the first journal that appears new from its first entry on.
func (f *JournalFollower) awaitFirst() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at == (place{}) {
		f.at = place{since: time.Now()}
	}
	f.stats.Why = NoJournal
}
