package kmsg_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// A fakeRing behaves like the kernel's: it keeps the last few records, every
// opening starts at the oldest, a read whose record was overwritten gives EPIPE
// and then the oldest. Errors of reads and openings can be ordered.
type fakeRing struct {
	mu       sync.Mutex
	changed  *sync.Cond
	size     int // records kept
	first    uint64
	records  []string // the first has sequence number first
	readErrs []error  // given by the next reads that wait
	openErrs []error
	opened   int
	open     int // devices not closed
	blocked  int // reads that wait now
	waitAt   uint64
	reads    int // reads that began to wait for a record or found one
}

func newFakeRing(size int) *fakeRing {
	r := &fakeRing{size: size}
	r.changed = sync.NewCond(&r.mu)
	return r
}

// say adds one record of the kernel with the next sequence number.
func (r *fakeRing) say(usec int64, text string) { r.sayAs(6, usec, text) }

func (r *fakeRing) sayAs(priority int, usec int64, text string) {
	r.add(func(seq uint64) string { return fmt.Sprintf("%d,%d,%d,-;%s\n", priority, seq, usec, text) })
}

func (r *fakeRing) add(line func(seq uint64) string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records = append(r.records, line(r.first+uint64(len(r.records))))
	if over := len(r.records) - r.size; over > 0 {
		r.records = r.records[over:]
		r.first += uint64(over)
	}
	r.changed.Broadcast()
}

func (r *fakeRing) failReads(errs ...error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readErrs = append(r.readErrs, errs...)
	r.changed.Broadcast()
}

func (r *fakeRing) failOpens(errs ...error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.openErrs = append(r.openErrs, errs...)
}

func (r *fakeRing) device() (kmsg.TestDevice, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.openErrs) > 0 {
		err := r.openErrs[0]
		r.openErrs = r.openErrs[1:]
		return nil, err
	}
	r.opened++
	r.open++
	return &fakeDevice{ring: r, next: r.first}, nil
}

// drained waits until a read waits for the next record.
func (r *fakeRing) drained(t *testing.T) {
	t.Helper()
	eventually(t, "the reader waits for the next record", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		// A read that was woken but has not run yet still counts as blocked.
		return r.blocked > 0 && len(r.readErrs) == 0 && r.waitAt >= r.first+uint64(len(r.records))
	})
}

type fakeDevice struct {
	ring   *fakeRing
	next   uint64
	closed bool
}

func (d *fakeDevice) Read(buf []byte, wait bool) (int, error) {
	r := d.ring
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	for {
		switch {
		case d.closed:
			return 0, os.ErrClosed
		case wait && len(r.readErrs) > 0:
			err := r.readErrs[0]
			r.readErrs = r.readErrs[1:]
			if errors.Is(err, syscall.EINVAL) {
				d.next++ // the record that did not fit is passed over
			}
			return 0, err
		case d.next < r.first:
			d.next = r.first
			return 0, syscall.EPIPE
		case d.next < r.first+uint64(len(r.records)):
			n := copy(buf, r.records[d.next-r.first])
			d.next++
			return n, nil
		case !wait:
			return 0, syscall.EAGAIN
		}
		r.blocked, r.waitAt = r.blocked+1, d.next
		r.changed.Wait()
		r.blocked--
	}
}

func (d *fakeDevice) Close() error {
	d.ring.mu.Lock()
	defer d.ring.mu.Unlock()
	if d.closed {
		return os.ErrClosed
	}
	d.closed = true
	d.ring.open--
	d.ring.changed.Broadcast()
	return nil
}

// eventually waits for what must come; how long it takes is not judged.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// A fakeClock stands still until it is set.
type fakeClock struct {
	mu     sync.Mutex
	moment kmsg.Moment
}

// epoch is the wall time at which the fake machines of these tests started.
var epoch = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

func newFakeClock(up time.Duration) *fakeClock {
	return &fakeClock{moment: kmsg.Moment{Wall: epoch.Add(up), Monotonic: up}}
}

func (c *fakeClock) now() kmsg.Moment {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.moment
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moment.Wall = c.moment.Wall.Add(d)
	c.moment.Monotonic += d
}

const testBoot = "6e1c7c7f-52b5-4c07-9a3c-0d2f0e1b8f11"

func followRing(t *testing.T, ring *fakeRing, o kmsg.Options) *kmsg.Follower {
	t.Helper()
	if o.BootID == "" {
		o.BootID = testBoot
	}
	f, err := kmsg.FollowDevice(t.Context(), o, ring.device)
	if err != nil {
		t.Fatalf("follow: %v", err)
	}
	t.Cleanup(func() { closeFollower(t, f) })
	return f
}

func closeFollower(t *testing.T, f *kmsg.Follower) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// next gives the next record, copied.
func next(t *testing.T, f *kmsg.Follower) oomdoc.Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var rec oomdoc.Record
	if err := f.Next(ctx, &rec); err != nil {
		t.Fatalf("next: %v", err)
	}
	return cloneRecord(rec)
}

func cloneRecord(rec oomdoc.Record) oomdoc.Record {
	for _, b := range []*[]byte{&rec.Text, &rec.Raw, &rec.Dict, &rec.Writer} {
		*b = append([]byte(nil), *b...)
	}
	return rec
}

// nothingComes tells whether Next has nothing to deliver. The reader must have
// been seen to wait before.
func nothingComes(t *testing.T, f *kmsg.Follower) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	var rec oomdoc.Record
	if err := f.Next(ctx, &rec); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got record %d %q (%v), want none", rec.Seq, rec.Text, err)
	}
}
