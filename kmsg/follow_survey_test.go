package kmsg_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// The lines are a laptop's (kernel 6.6); what user space writes in their shape
// does not count.
func TestTheLinesOfTheRingTellWhenTheMachineSlept(t *testing.T) {
	ring, clock := newFakeRing(100), newFakeClock(time.Hour)
	const slept = 8 * time.Hour
	clock.moment.Wall, clock.moment.Slept = clock.moment.Wall.Add(slept), slept
	lines := []struct {
		priority int
		stamp    time.Duration
		text     string
		want     time.Duration // after epoch
		approx   bool
	}{
		{5, 0, "Linux version 6.6.1", 0, false},
		{12, 5 * minute, "PM: suspend exit", 5 * minute, false},
		{6, 10 * minute, "PM: suspend entry (deep)", 10 * minute, false},
		{6, 10*minute + 2*second, "Disabling non-boot CPUs ...", slept + 10*minute + 2*second, true},
		{6, 10*minute + 4*second, "PM: suspend exit", slept + 10*minute + 4*second, false},
		{12, 20 * minute, "PM: suspend entry (deep)", slept + 20*minute, false},
		{3, 30 * minute, "Out of memory: Killed process 1 (a)", slept + 30*minute, false},
	}
	for _, l := range lines {
		ring.sayAs(l.priority, l.stamp.Microseconds(), l.text)
	}
	f := followRing(t, ring, kmsg.Options{Now: clock.now})
	for _, l := range lines {
		rec := next(t, f)
		if want := epoch.Add(l.want); !rec.Time.Equal(want) || rec.TimeApproximate != l.approx {
			t.Errorf("%q: got %v, approximate %v; want %v, %v", rec.Text, rec.Time.Sub(epoch), rec.TimeApproximate, l.want, l.approx)
		}
	}
}

// A funcDevice reads what a function gives.
type funcDevice func(buf []byte, wait bool) (int, error)

func (d funcDevice) Read(buf []byte, wait bool) (int, error) { return d(buf, wait) }
func (d funcDevice) Close() error                            { return nil }

func TestOpeningEndsInAFloodWithoutEnd(t *testing.T) {
	clock := newFakeClock(time.Hour)
	ring := newFakeRing(10)
	opened := false
	f, err := kmsg.FollowDevice(t.Context(), kmsg.Options{BootID: testBoot, Now: clock.now}, func() (kmsg.TestDevice, error) {
		if opened {
			return ring.device()
		}
		opened = true
		seq := 0
		return funcDevice(func(buf []byte, _ bool) (int, error) {
			seq++ // a second of stamps for each read
			return copy(buf, fmt.Sprintf("6,%d,%d,-;flood\n", seq, seq*1_000_000)), nil
		}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	closeFollower(t, f)
}

func TestALogThatFailsAtOnceIsNotFollowed(t *testing.T) {
	for _, fails := range []error{syscall.EIO, nil} { // nil: the end of a file
		_, err := kmsg.FollowDevice(t.Context(), kmsg.Options{BootID: testBoot}, func() (kmsg.TestDevice, error) {
			return funcDevice(func([]byte, bool) (int, error) { return 0, fails }), nil
		})
		if err == nil || fails != nil && !errors.Is(err, fails) {
			t.Errorf("a log whose reads give %v: %v, want an error", fails, err)
		}
	}
}

func TestALogOfNothingButUnreadableRecordsIsOpenedAgain(t *testing.T) {
	ring := newFakeRing(10)
	ring.say(1, "first")
	f := followRing(t, ring, kmsg.Options{})
	next(t, f)
	ring.drained(t)
	unreadable := make([]error, 1000)
	for i := range unreadable {
		unreadable[i] = syscall.EINVAL
	}
	ring.failReads(unreadable...)
	ring.drained(t)
	ring.say(2, "after")
	if rec := next(t, f); rec.Seq != 1 || rec.Lost != 0 {
		t.Errorf("got record %d with %d lost, want 1 with none", rec.Seq, rec.Lost)
	}
	if got := f.Stats(); got.Restarts != 1 || got.Malformed != 1000 {
		t.Errorf("restarts %d, malformed %d; want 1, 1000", got.Restarts, got.Malformed)
	}
}

// unstamped is a device that has lost the kernel's microseconds.
type unstamped struct{ kmsg.TestDevice }

func (unstamped) Unstamped() {}

func TestARecordWithoutAStampIsDatedByItsArrival(t *testing.T) {
	ring, clock := newFakeRing(10), newFakeClock(time.Hour)
	ring.say(0, "x")
	f, err := kmsg.FollowDevice(t.Context(), kmsg.Options{BootID: testBoot, Now: clock.now}, func() (kmsg.TestDevice, error) {
		d, err := ring.device()
		return unstamped{d}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer closeFollower(t, f)
	rec := next(t, f)
	if rec.Usec != oomdoc.NoUsec || !rec.Time.Equal(epoch.Add(time.Hour)) || !rec.TimeApproximate {
		t.Errorf("stamp %d, time %v, approximate %v; want none, its arrival, true", rec.Usec, rec.Time, rec.TimeApproximate)
	}
}

func TestTheBootIDMustBeReadable(t *testing.T) {
	root := t.TempDir()
	_, err := kmsg.FollowDevice(t.Context(), kmsg.Options{ProcRoot: root}, newFakeRing(1).device)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "boot id") {
		t.Errorf("got %v, want that the boot id cannot be read", err)
	}
}
