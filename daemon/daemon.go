package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/proc"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/systemd"
)

// Options are what Run needs beside the configuration. Everything that is not
// set has a default that is right for a service.
type Options struct {
	Config   Config
	Version  string
	Log      *slog.Logger
	Language *lang.Language
	// Print shows each new incident to somebody who watches; nil for a service.
	Print func(oomdoc.Incident)
	// RunDir is where the daemon announces itself; empty: it does not.
	RunDir   string
	ProcRoot string
	// GPUWorker is the command that asks NVIDIA's library; nil: the own binary's.
	GPUWorker []string
	// Stderr takes the alerts while there is no journal.
	Stderr io.Writer
	// Quiet sends no alerts at all: somebody else watches what is stored.
	Quiet bool
	// Environ is the environment for systemd's protocol; nil: the process's own.
	Environ []string
	// Started is called once everything is watched.
	Started func(State)
	// Patient watches without a database where it cannot be opened for a reason
	// that may pass (a full disk, a file system that is read-only for now), until
	// it can. Without it Run ends with that reason.
	Patient bool

	started time.Time // when the process began to watch; a reload keeps it
}

func (o *Options) defaults() {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.ProcRoot == "" {
		o.ProcRoot = "/proc"
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.started.IsZero() {
		o.started = time.Now()
	}
}

// Run watches until ctx ends. What stops it early is returned; a source that
// fails for a while does not.
func Run(ctx context.Context, o Options) error {
	o.defaults()
	path, err := filepath.Abs(o.Config.Store.Path)
	if err != nil {
		return fmt.Errorf("find database: %w", err)
	}
	o.Config.Store.Path = path

	s := &service{options: o, log: o.Log, started: o.started}
	if err := s.openStore(ctx); err != nil && (!o.Patient || !store.IsRetryable(err)) {
		return err
	}
	err = s.run(ctx)
	if closeErr := s.closeStore(); closeErr != nil {
		err = errors.Join(err, closeErr)
	}
	return err
}

// A service is one run of the daemon. The goroutine of run owns everything
// but memory, database and alerter, which are safe to share.
type service struct {
	options  Options
	log      *slog.Logger
	database atomic.Pointer[store.Store] // nil until it could be opened
	follower *kmsg.Follower
	diagnose *Diagnoser
	alerter  *systemd.Alerter
	notify   *systemd.Notifier
	memory   *memory
	hand     *hand
	told     told
	started  time.Time
	bootID   string
	unopened error // why the database could not be opened; nil once it could

	pulse   pulse
	pruning busy
	notes   notes
	writer  writer
	sawSeq  uint64 // the last record that was handed to the recognisers
	sawAny  bool
	headSeq uint64 // the first one
	first   bool   // no position was stored: this database has never seen the kernel log
	dueTick time.Time
	dueBeat time.Time
	// lostBefore are the reader's counters when records were last found missing.
	lostBefore kmsg.Stats
	rewind     bool // incidents were dropped from memory: read the ring again

	mu      sync.Mutex         // held by whoever works with the incidents: the loop, or the journal's reader
	journal *journalSource     // nil: the configuration wants none
	files   *filesSource       // nil: the configuration names none
	wake    context.CancelFunc // ends the loop's wait for the kernel log
	panics  int                // of the journal's recogniser
}

func (s *service) run(ctx context.Context) error {
	resume, err := s.loadPosition()
	if err != nil {
		return err
	}
	s.writer = newWriter(s)
	s.notify = systemd.NewNotifier(s.options.Environ)
	s.hand = newHand(s.options)
	defer func() { _ = s.hand.close() }() // nothing is on its way
	if err := s.startMemory(); err != nil {
		return err
	}
	defer s.memory.close()
	s.startDiagnoser()

	if err := s.follow(ctx, resume); err != nil {
		return err
	}
	defer func() { _ = s.follower.Close() }() // it was only read

	var background sync.WaitGroup
	inner, stop := context.WithCancel(ctx)
	s.startGPU(inner, &background)
	if s.memory.table != nil {
		background.Go(func() { s.memory.refresh(inner, s.log) })
	}
	background.Go(func() { s.prune(inner) })
	defer background.Wait()
	defer stop()

	s.startAlerter()
	defer s.stopAlerter()
	if s.unopened != nil {
		s.writer.refused(time.Now(), s.unopened)
	} else {
		s.alertPending()
	}
	s.recallPanics()
	s.watchLoops()
	if err := s.startJournal(inner, &background); err != nil {
		return err
	}
	if err := s.startFiles(inner, &background); err != nil {
		return err
	}

	remove := func() {}
	if s.options.RunDir != "" {
		remove, err = announce(s.options.RunDir, Running{os.Getpid(), s.options.Config.Store.Path, s.options.Version})
		if err != nil {
			s.log.Warn("cannot announce the database; the command needs --db", "error", err)
		}
	}
	defer remove()

	s.mu.Lock()
	s.saveState(false)
	state, line := s.state(), s.statusLine()
	s.mu.Unlock()
	closeSocket := s.startSocket()
	defer closeSocket()
	if s.options.Config.Metrics.Textfile != "" {
		background.Go(func() { s.writeMetrics(inner) })
	}
	if err := s.notify.Ready(line); err != nil {
		s.log.Warn("cannot tell systemd that the service is ready", "error", err)
	}
	if s.options.Started != nil {
		s.options.Started(state)
	}
	err = s.watch(ctx)
	s.finish(ctx)
	return err
}

func (s *service) loadPosition() (*kmsg.Position, error) {
	var err error
	if s.bootID, err = proc.BootID(s.options.ProcRoot); err != nil {
		return nil, err
	}
	database := s.database.Load()
	if database == nil {
		return nil, nil // what the database has already is recognised once it opens
	}
	position, err := database.LoadPosition(oomdoc.SourceKmsg)
	if err != nil {
		return nil, err
	}
	s.first = position == nil
	if position == nil {
		return nil, nil
	}
	return &kmsg.Position{BootID: position.BootID, Seq: position.Seq}, nil
}

func (s *service) startMemory() error {
	machine, err := proc.Machine(s.options.ProcRoot)
	if err != nil {
		return err
	}
	s.memory = newMemory(machine, nil)
	s.memory.names = newNames(s.hand)
	if s.options.Config.Process.Snapshot {
		s.memory.table = proc.NewTable(proc.TableOptions{
			ProcRoot: s.options.ProcRoot, MaxEntries: s.options.Config.Process.Entries,
			Interval: s.options.Config.Process.Interval.Std(), Maps: s.hand.openMaps,
			Environment: s.hand.environment,
		})
	}
	return nil
}

func (s *service) startDiagnoser() {
	s.diagnose = NewDiagnoser(DiagnoserOptions{
		Facts:    s.memory.facts,
		PageSize: int64(os.Getpagesize()),
		Emit:     s.writer.add,
		Panicked: func(record string, value any) {
			s.log.Error("a record could not be understood and was passed over", "record", record, "panic", value)
		},
	})
}

func (s *service) follow(ctx context.Context, resume *kmsg.Position) error {
	c := s.options.Config.Kmsg
	follower, err := kmsg.Follow(ctx, kmsg.Options{
		Path: c.Path, Reader: c.Reader, QueueBytes: int(c.QueueSize),
		Resume: resume, BootID: s.bootID, ProcRoot: s.options.ProcRoot, Log: s.log,
	})
	if err != nil {
		return err
	}
	s.follower = follower
	s.told.follow(follower)
	return nil
}

// readAgain goes back to the stored position after the database refused for so
// long that incidents had to be dropped from memory.
func (s *service) readAgain(ctx context.Context) error {
	s.rewind = false
	if err := s.follower.Close(); err != nil {
		return fmt.Errorf("close kernel log: %w", err)
	}
	resume, err := s.loadPosition()
	if err != nil {
		return err
	}
	s.startDiagnoser()
	s.sawAny = false
	return s.follow(ctx, resume)
}

// watch is the loop: the next record, or the next thing that is due. With
// nothing due it sleeps until the kernel says something.
func (s *service) watch(ctx context.Context) error {
	var rec oomdoc.Record
	for {
		err := s.next(ctx, &rec)
		if ctx.Err() != nil && err != nil {
			return nil
		}
		if err := s.step(ctx, &rec, err); err != nil {
			return err
		}
	}
}

// step takes the record that came, or the reason why none did, and does what is
// due.
func (s *service) step(ctx context.Context, rec *oomdoc.Record, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch {
	case err == nil:
		s.take(rec)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
	case errors.Is(err, io.EOF):
		return fmt.Errorf("read kernel log: %w", io.ErrUnexpectedEOF)
	default:
		return err
	}
	s.due(now)
	if s.rewind {
		return s.readAgain(ctx)
	}
	return nil
}

func (s *service) next(ctx context.Context, rec *oomdoc.Record) error {
	s.mu.Lock()
	due := s.nextDue()
	var wait context.Context
	wait, s.wake = context.WithCancel(ctx)
	if !due.IsZero() {
		wait, s.wake = context.WithDeadline(ctx, due)
	}
	cancel := s.wake
	s.mu.Unlock()
	defer cancel()
	return s.follower.Next(wait, rec)
}

// nudge ends the loop's wait: another goroutine has changed what is due. The lock
// is held.
func (s *service) nudge() {
	if s.wake != nil {
		s.wake()
	}
}

func (s *service) take(rec *oomdoc.Record) {
	if rec.Lost > 0 {
		s.writer.lost(rec)
	}
	s.diagnose.Feed(rec)
	if !s.sawAny {
		s.headSeq = rec.Seq
	}
	s.sawSeq, s.sawAny = rec.Seq, true
	s.told.record(rec.Read)
	s.writer.moved(time.Now())
}

// tickEvery is how often an open report is looked at; it closes after two
// seconds of quiet.
const tickEvery = 500 * time.Millisecond

// nextDue is when the loop must act even if no record comes; zero: never.
func (s *service) nextDue() time.Time {
	due := s.writer.nextDue()
	if _, open := s.diagnose.Oldest(); open {
		if s.dueTick.IsZero() {
			s.dueTick = time.Now().Add(tickEvery)
		}
		due = earlier(due, s.dueTick)
	}
	if s.journal != nil {
		due = earlier(due, s.journal.nextDue(time.Now()))
	}
	if s.files != nil {
		due = earlier(due, s.files.nextDue(time.Now()))
	}
	if every := s.notify.WatchdogInterval(); every > 0 {
		if s.dueBeat.IsZero() {
			s.dueBeat = time.Now().Add(every / pingsPerInterval)
		}
		due = earlier(due, s.dueBeat)
	}
	return due
}

func (s *service) due(now time.Time) {
	if !s.dueTick.IsZero() && !now.Before(s.dueTick) {
		s.dueTick = time.Time{}
		s.diagnose.Tick(now)
		s.writer.moved(now)
	}
	if !s.dueBeat.IsZero() && !now.Before(s.dueBeat) {
		s.dueBeat = time.Time{}
		s.beat(now)
	}
	if s.journal != nil {
		s.journal.due(now)
	}
	if s.files != nil {
		s.files.due(now)
	}
	s.writer.due(now)
}

// position is the last record that need not be read again: a report that is
// still open must be read from its head after a restart.
func (s *service) position() (store.Position, bool) {
	if !s.sawAny {
		return store.Position{}, false
	}
	seq := s.sawSeq
	if oldest, open := s.diagnose.Oldest(); open && oldest <= seq {
		if oldest == 0 {
			return store.Position{}, false
		}
		seq = oldest - 1
	}
	return store.Position{Source: oomdoc.SourceKmsg, BootID: s.bootID, Seq: seq}, true
}

// finish writes what is left. The report that is open now is not closed: the
// position stands at its head, the next start reads it whole.
func (s *service) finish(ctx context.Context) {
	reloading := errors.Is(context.Cause(ctx), errReload)
	if !reloading {
		if err := s.notify.Stopping(); err != nil {
			s.log.Warn("cannot tell systemd that the service stops", "error", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writer.flush()
	s.saveState(!reloading)
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
