package kmsg

import (
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// The waits before a log that failed is opened again.
	reopenFirst = 10 * time.Millisecond
	reopenLast  = 10 * time.Second
	// malformedRun is how many unreadable records in a row are no accident.
	malformedRun = 1000
)

// errMalformedRun ends a device that gives only what cannot be read.
var errMalformedRun = errors.New("only unreadable records")

// A ringReader is the goroutine that reads. It understands of a record its
// sequence number and nothing else, and waits for nothing but the device.
type ringReader struct {
	open  func() (device, error)
	queue *rawQueue
	now   func() Moment
	log   *slog.Logger
	buf   []byte

	last       uint64 // sequence of the last record read or passed over
	known      bool   // last is set
	unreadable uint64 // records known to be unreadable since last
	progress   bool   // a new record came since the log was opened

	counters readerCounters

	stopped  chan struct{} // closed by stop
	finished chan struct{} // closed when run ends

	mu     sync.Mutex
	device device // the one that is read now, for stop; nil while there is none
	closed bool
}

type readerCounters struct {
	lostRing, lostQueue, restarts, malformed atomic.Uint64
	reached                                  atomic.Uint64 // last, for others
	// busy is since when the reader works on what it read, in nanoseconds of the
	// wall clock; 0 while it waits for the device.
	busy atomic.Int64
}

// run reads d, and what is opened after it, until stop.
func (r *ringReader) run(d device) {
	defer close(r.finished)
	defer r.queue.close()
	wait := reopenFirst
	for open := r.adopt(d); open; {
		err := r.drain(d)
		if r.progress {
			wait = reopenFirst
		}
		d, open = r.replace(err, &wait)
	}
}

// drain reads a device until it fails.
func (r *ringReader) drain(d device) error {
	r.progress = false
	for run := 0; run < malformedRun; {
		r.counters.busy.Store(0)
		n, stamped, err := d.read(r.buf, true)
		arrival := r.now()
		r.counters.busy.Store(arrival.Wall.UnixNano())
		switch {
		case err == nil && n == 0:
			return io.ErrUnexpectedEOF
		case err == nil && r.accept(r.buf[:n], arrival, stamped):
			run = 0
		case err == nil || errors.Is(err, unix.EINVAL):
			run++
			r.unreadable++
			r.counters.malformed.Add(1)
		case !passes(err):
			return err
		}
	}
	return errMalformedRun
}

// accept queues a record that was not read before; false when it has no head.
func (r *ringReader) accept(raw []byte, arrival Moment, stamped bool) bool {
	head, ok := parseHead(raw)
	if !ok {
		return false
	}
	if r.known && head.seq <= r.last {
		return true
	}
	if r.known {
		gap := head.seq - r.last - 1
		r.counters.lostRing.Add(gap - min(gap, r.unreadable))
	}
	r.last, r.known, r.unreadable, r.progress = head.seq, true, 0, true
	if !r.queue.put(raw, arrival, stamped) {
		r.counters.lostQueue.Add(1)
	}
	r.counters.reached.Store(head.seq)
	return true
}

// replace closes a device that failed and opens another, as often as it takes;
// false when the reader was stopped. The log is then read from its oldest
// record, and what was read before is passed over.
func (r *ringReader) replace(cause error, wait *time.Duration) (device, bool) {
	closeErr := r.closeDevice()
	r.counters.busy.Store(0)
	if r.isStopped() {
		return nil, false
	}
	r.log.Warn("the kernel log failed and is opened again", "error", errors.Join(cause, closeErr))
	r.counters.restarts.Add(1)
	timer := time.NewTimer(*wait)
	defer timer.Stop()
	for {
		select {
		case <-r.stopped:
			return nil, false
		case <-timer.C:
		}
		*wait = min(2**wait, reopenLast)
		d, err := r.open()
		if err == nil {
			return d, r.adopt(d)
		}
		r.log.Debug("the kernel log does not open", "error", err)
		timer.Reset(*wait)
	}
}

// adopt makes d the device that stop closes; false when it is too late.
func (r *ringReader) adopt(d device) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		_ = d.Close() // nothing was read from it
		return false
	}
	r.device = d
	return true
}

// closeDevice closes the device in use, if there is one.
func (r *ringReader) closeDevice() error {
	r.mu.Lock()
	d := r.device
	r.device = nil
	r.mu.Unlock()
	if d == nil {
		return nil
	}
	return d.Close()
}

func (r *ringReader) isStopped() bool {
	select {
	case <-r.stopped:
		return true
	default:
		return false
	}
}

// stop ends the reading and wakes it if it waits. It may be called again.
func (r *ringReader) stop() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil
	}
	r.closed = true
	close(r.stopped)
	r.mu.Unlock()
	return r.closeDevice()
}
