package kmsg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// DefaultPath is where the kernel log is.
const DefaultPath = "/dev/kmsg"

// DefaultQueueBytes is the room for records that were read and not yet taken:
// with it the whole ring of most kernels (128 KiB to 1 MiB) several times over.
const DefaultQueueBytes = 4 << 20

// A ReaderKind says whose code reads the device.
type ReaderKind string

// The kinds of readers.
const (
	ReaderOwn     ReaderKind = "own"
	ReaderLibrary ReaderKind = "go-kmsg-parser"
)

// A Position is the last record that need not be read again. Sequence numbers
// start anew with each boot.
type Position struct {
	BootID string
	Seq    uint64
}

// Options say what to follow and from where. The zero value follows /dev/kmsg
// from its oldest record.
type Options struct {
	Path       string
	Reader     ReaderKind
	Resume     *Position
	BootID     string // empty: ProcRoot/sys/kernel/random/boot_id
	ProcRoot   string // empty: /proc
	QueueBytes int    // room for records not yet taken; 0: DefaultQueueBytes
	// Now reads the clocks; nil: the machine's. It is called by one goroutine
	// at a time.
	Now func() Moment
	Log *slog.Logger
}

// Stats count since Follow.
type Stats struct {
	Records uint64 // delivered by Next
	Bytes   uint64 // of the records delivered, as read
	// LostRing is how many were overwritten in the kernel's ring before they
	// were read: exact, from the sequence.
	LostRing uint64
	// LostQueue is how many were read and found no room in the queue.
	LostQueue uint64
	// Restarts is how often the device was opened again after an error.
	Restarts uint64
	// Malformed is how many could not be read or decoded.
	Malformed uint64
	// LastSeq is the sequence of the last record delivered.
	LastSeq uint64
	// BacklogDone: all that was in the log before Follow has been delivered.
	BacklogDone bool
}

// A Follower delivers the records of the kernel log, old ones first. Next is
// for one goroutine; Stats and Close may be called beside it.
type Follower struct {
	bootID  string
	reader  *ringReader
	time    *timeline
	newest  uint64 // the last record of history; valid with history
	history bool
	detach  func() bool // from Follow's context
	log     *slog.Logger

	last    uint64 // sequence of the last record delivered
	known   bool
	taken   rawRecord
	scratch []byte

	records, bytes, malformed, lastSeq atomic.Uint64
}

// Follow opens the kernel log and starts to read it. It goes on until ctx ends
// or Close. Where the log cannot be read it gives an *oomdoc.Error that says
// what to do.
func Follow(ctx context.Context, o Options) (*Follower, error) {
	o.Path = cmp.Or(o.Path, DefaultPath)
	o.ProcRoot = cmp.Or(o.ProcRoot, "/proc")
	o.Reader = cmp.Or(o.Reader, ReaderOwn)
	own := func() (device, error) {
		d, err := openKmsg(o.Path)
		if err != nil {
			return nil, openError(o.Path, o.ProcRoot, err)
		}
		return d, nil
	}
	switch {
	case o.Reader == ReaderOwn:
		return follow(ctx, o, own, own)
	case o.Reader == ReaderLibrary && o.Path != DefaultPath:
		return nil, &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "open kernel log", Path: o.Path,
			Err:  errors.New("go-kmsg-parser reads only " + DefaultPath),
			Hint: `set reader = "own", or path = "` + DefaultPath + `"`}
	case o.Reader == ReaderLibrary:
		return follow(ctx, o, own, func() (device, error) { return openLibrary(own, o.Log) })
	}
	return nil, &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "open kernel log", Path: o.Path,
		Err:  fmt.Errorf("unknown reader %q", string(o.Reader)),
		Hint: fmt.Sprintf("reader is %q or %q", ReaderOwn, ReaderLibrary)}
}

// follow surveys the ring on one device and follows it on another.
func follow(ctx context.Context, o Options, look, open func() (device, error)) (*Follower, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	bootID, err := o.bootID()
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		clock, err := newSystemClock()
		if err != nil {
			return nil, err
		}
		o.Now = clock.now
	}
	opened := o.Now()
	ring, err := lookThrough(ctx, look, opened)
	if err != nil {
		return nil, err
	}
	d, err := open()
	if err != nil {
		return nil, err
	}
	return start(ctx, o, bootID, opened, ring, d, open), nil
}

func lookThrough(ctx context.Context, look func() (device, error), opened Moment) (survey, error) {
	d, err := look()
	if err != nil {
		return survey{}, err
	}
	ring, err := surveyRing(ctx, d, opened)
	if closeErr := d.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("close kernel log: %w", closeErr)
	}
	return ring, err
}

func start(ctx context.Context, o Options, bootID string, opened Moment, ring survey, d device, open func() (device, error)) *Follower {
	f := &Follower{
		bootID: bootID, log: o.Log,
		time: newTimeline(opened, ring.sleep), newest: ring.newest, history: ring.found,
		reader: &ringReader{
			open: open, queue: newRawQueue(cmp.Or(o.QueueBytes, DefaultQueueBytes)), now: o.Now, log: o.Log,
			buf: make([]byte, readBuffer), stopped: make(chan struct{}), finished: make(chan struct{}),
		},
	}
	if seq, ok := o.resumeAt(bootID, ring); ok {
		f.last, f.known = seq, true
		f.reader.last, f.reader.known = seq, true
		f.reader.counters.reached.Store(seq)
		f.lastSeq.Store(seq)
	}
	f.detach = context.AfterFunc(ctx, func() { _ = f.reader.stop() }) // closing a log that was only read
	go f.reader.run(d)
	return f
}

func (o *Options) bootID() (string, error) {
	if o.BootID != "" {
		return o.BootID, nil
	}
	id, err := os.ReadFile(filepath.Join(cmp.Or(o.ProcRoot, "/proc"), "sys/kernel/random/boot_id"))
	if err != nil {
		return "", fmt.Errorf("read boot id: %w", err)
	}
	return strings.TrimSpace(string(id)), nil
}

// resumeAt is the sequence to go on behind. A position of another boot, or one
// that this log has not reached, is none: everything is read.
func (o *Options) resumeAt(bootID string, ring survey) (uint64, bool) {
	if o.Resume == nil || o.Resume.BootID != bootID {
		return 0, false
	}
	if !ring.found || o.Resume.Seq > ring.newest {
		o.Log.Warn("the stored position is beyond the end of the kernel log; reading all of it",
			"position", o.Resume.Seq, "newest", ring.newest)
		return 0, false
	}
	return o.Resume.Seq, true
}

// Next waits for the next record. rec's bytes are valid until the next call.
// It gives ctx's error, and io.EOF when the Follower was closed or its context
// ended.
//
// rec.Lost is how many records are missing right before this one, whatever the
// reason: overwritten in the ring, no room in the queue, unreadable. Before the
// first record it is 0 unless Options.Resume tells where we had been.
func (f *Follower) Next(ctx context.Context, rec *oomdoc.Record) error {
	for {
		if err := f.reader.queue.take(ctx, &f.taken); err != nil {
			return err
		}
		var err error
		if f.scratch, err = record.ParseKmsg(f.taken.raw, rec, f.scratch); err == nil {
			f.complete(rec)
			return nil
		}
		f.malformed.Add(1)
		f.log.Debug("a kernel record cannot be decoded", "error", err)
	}
}

// complete fills in what the record itself does not say.
func (f *Follower) complete(rec *oomdoc.Record) {
	rec.Source, rec.BootID, rec.Offset = oomdoc.SourceKmsg, f.bootID, 0
	rec.Read = f.taken.arrival.Wall
	rec.Replayed = f.history && rec.Seq <= f.newest
	rec.Lost = 0
	if f.known && rec.Seq > f.last {
		rec.Lost = rec.Seq - f.last - 1
	}
	f.last, f.known = rec.Seq, true
	if !f.taken.stamped {
		rec.Usec = oomdoc.NoUsec
	}
	s := stamp{usec: rec.Usec, arrival: f.taken.arrival, replayed: rec.Replayed}
	if rec.Facility == oomdoc.FacilityKernel {
		s.mark = markOf(rec.Text)
	}
	rec.Time, rec.TimeApproximate = f.time.place(s)

	f.records.Add(1)
	f.bytes.Add(uint64(len(f.taken.raw)))
	f.lastSeq.Store(rec.Seq)
}

// Stats tells what has happened so far.
func (f *Follower) Stats() Stats {
	c := &f.reader.counters
	return Stats{
		Records: f.records.Load(), Bytes: f.bytes.Load(),
		LostRing: c.lostRing.Load(), LostQueue: c.lostQueue.Load(),
		Restarts: c.restarts.Load(), Malformed: c.malformed.Load() + f.malformed.Load(),
		LastSeq: f.lastSeq.Load(), BacklogDone: f.backlogDone(),
	}
}

// Busy is since when the reader works on what it read, the zero time while it
// waits for the kernel: a reader that is busy for long hangs.
func (f *Follower) Busy() time.Time {
	if since := f.reader.counters.busy.Load(); since != 0 {
		return time.Unix(0, since)
	}
	return time.Time{}
}

// backlogDone holds even when the last record of history could not be
// delivered: then the reader is past it and nothing is left in the queue.
func (f *Follower) backlogDone() bool {
	return !f.history || f.lastSeq.Load() >= f.newest ||
		f.reader.counters.reached.Load() >= f.newest && f.reader.queue.empty()
}

// Close stops the reading and waits until it has: no goroutine and no file
// stay. What was read and not taken is dropped; it is still in the ring, behind
// the position. Close may be called again.
func (f *Follower) Close() error {
	f.detach()
	err := f.reader.stop()
	<-f.reader.finished
	if err != nil {
		return fmt.Errorf("close kernel log: %w", err)
	}
	return nil
}
