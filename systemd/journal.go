package systemd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// How a message was told.
const (
	ToldJournal = "journal"
	ToldStderr  = "stderr"
)

// HungAfter is how long one message may wait for the journal.
const HungAfter = 2 * time.Second

// queueLength is how many messages may wait. Storms are told in two messages
// each, so that many stand for at least 128 offenders at the same moment.
const queueLength = 256

// JournalOptions are what a Journal needs.
type JournalOptions struct {
	Sender Sender    // nil: no journal, everything goes to Stderr
	Stderr io.Writer // takes one line per message that the journal did not take
	Log    *slog.Logger
	// Dropped makes the message that says how many were dropped.
	Dropped func(n uint64) Message
}

// JournalStats says what became of the messages.
type JournalStats struct {
	Journal bool   // the last message went to the journal; before the first: it would
	Sent    uint64 // to the journal
	Stderr  uint64 // to standard error instead
	Dropped uint64 // to nobody: the queue was full, or standard error failed
}

// A Journal writes messages to the journal, or to standard error while the
// journal is absent or hangs; the journal is tried again at each message.
// Posting never waits. One goroutine writes; it is the only one that a journal
// can hold up, and but for a fault of the Sender not longer than HungAfter.
type Journal struct {
	options JournalOptions
	queue   chan post
	ended   chan struct{} // closed when the writer has ended
	abandon atomic.Bool   // tells the writer to leave what is queued

	mu     sync.Mutex // guards closed, and the queue against closing
	closed bool

	inJournal             atomic.Bool
	busy                  atomic.Pointer[time.Time] // since when a message is written; nil: none
	sent, stderr, dropped atomic.Uint64

	// What follows is the writer's own.
	down      bool       // the last try failed
	stuck     chan error // the answer of a Send that was given up; nil: none
	toldDrops uint64     // how many of dropped were told of
}

// A post is a message and whom to tell what became of it.
type post struct {
	message Message
	told    func(at time.Time, how string)
}

// NewJournal starts the writer; Close ends it.
func NewJournal(options JournalOptions) *Journal {
	j := &Journal{options: options, queue: make(chan post, queueLength), ended: make(chan struct{})}
	if options.Sender != nil {
		j.note(options.Sender.Ready())
	}
	go j.write()
	return j
}

// Post queues a message; told is called, from the writer's goroutine, once it
// was written. Post does not wait: it is false when the queue is full or the
// Journal closed, and the message is then counted as dropped.
func (j *Journal) Post(m Message, told func(at time.Time, how string)) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.closed {
		select {
		case j.queue <- post{m, told}:
			return true
		default:
		}
	}
	j.dropped.Add(1)
	return false
}

// Stats says what became of the messages so far.
func (j *Journal) Stats() JournalStats {
	return JournalStats{
		Journal: j.inJournal.Load(),
		Sent:    j.sent.Load(), Stderr: j.stderr.Load(), Dropped: j.dropped.Load(),
	}
}

// Close writes what is queued and ends the writer. When ctx ends first, the
// rest is left and the error says how much; a write that hangs is not waited for.
func (j *Journal) Close(ctx context.Context) error {
	j.mu.Lock()
	if !j.closed {
		j.closed = true
		close(j.queue)
	}
	j.mu.Unlock()
	select {
	case <-j.ended:
		return nil
	case <-ctx.Done():
		j.abandon.Store(true)
		return fmt.Errorf("close journal with %d messages unwritten: %w", len(j.queue), ctx.Err())
	}
}

func (j *Journal) write() {
	defer close(j.ended)
	for p := range j.queue {
		if j.abandon.Load() {
			return
		}
		now := time.Now()
		j.busy.Store(&now)
		how, ok := j.deliver(p.message)
		switch {
		case !ok:
			j.dropped.Add(1)
		case p.told != nil:
			p.told(time.Now(), how)
		}
		j.tellDropped()
		j.busy.Store(nil)
	}
}

// Busy is since when one message is written, the zero time while none is. It
// comes to seconds when the journal hangs, and to more when standard error does.
func (j *Journal) Busy() time.Time {
	if since := j.busy.Load(); since != nil {
		return *since
	}
	return time.Time{}
}

// tellDropped says, once the queue is empty again, how many messages found it full.
func (j *Journal) tellDropped() {
	dropped := j.dropped.Load()
	if dropped == j.toldDrops || len(j.queue) > 0 || j.options.Dropped == nil {
		return
	}
	if _, ok := j.deliver(j.options.Dropped(dropped - j.toldDrops)); ok {
		j.toldDrops = dropped
	}
}

// deliver writes one message to the journal, or else to standard error.
func (j *Journal) deliver(m Message) (how string, ok bool) {
	if j.options.Sender != nil {
		err := j.send(m)
		j.note(err)
		if err == nil {
			j.sent.Add(1)
			return ToldJournal, true
		}
	}
	if _, err := fmt.Fprintf(j.options.Stderr, "%s: %s\n", Identifier, m.Text); err != nil {
		j.options.Log.Error("cannot write an alert", "error", err, "alert", m.Text)
		return "", false
	}
	j.stderr.Add(1)
	return ToldStderr, true
}

// note keeps whether the journal takes messages, and logs when that changes.
func (j *Journal) note(err error) {
	j.inJournal.Store(err == nil)
	switch {
	case err != nil && !j.down:
		j.options.Log.Warn("the journal takes no alerts; they go to standard error", "error", err)
	case err == nil && j.down:
		j.options.Log.Info("the journal takes alerts again")
	}
	j.down = err != nil
}

var errStuck = errors.New("an earlier message hangs in the journal's socket")

// send hands a message to the Sender in a goroutine of its own, because no
// deadline can be set on go-systemd's socket. While one hangs there is no
// second. While the journal is down nothing waits for it.
func (j *Journal) send(m Message) error {
	if j.stuck != nil {
		select {
		case <-j.stuck: //nolint:errcheck // that message went to standard error long ago
			j.stuck = nil
		default:
			return errStuck
		}
	}
	patience := HungAfter
	if j.down {
		patience = 0
	}
	answer := make(chan error, 1)
	go func() { answer <- j.options.Sender.Send(m, patience) }()

	// The Sender may use its whole patience and still be in time.
	timer := time.NewTimer(patience + HungAfter)
	defer timer.Stop()
	select {
	case err := <-answer:
		return err
	case <-timer.C:
		j.stuck = answer
		return ErrJournalFull
	}
}
