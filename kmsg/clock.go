package kmsg

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// A Moment is what the clocks of the machine said at one instant.
//
// The kernel stamps its records with local_clock, which like CLOCK_MONOTONIC
// stands still while the machine sleeps, but is not steered by NTP: the two
// drift apart by seconds over months.
type Moment struct {
	Wall      time.Time     // without Go's monotonic reading: two Walls compare as clocks on the wall do
	Monotonic time.Duration // CLOCK_MONOTONIC, since boot without sleep
	Slept     time.Duration // CLOCK_BOOTTIME - CLOCK_MONOTONIC: all sleep since boot
}

// A systemClock reads the machine's clocks. Go's own monotonic reading is
// CLOCK_MONOTONIC counted from the start of the process, and costs no system
// call; base and offset turn it into the kernel's count.
type systemClock struct {
	base   time.Time
	offset time.Duration // CLOCK_MONOTONIC at base

	slept    time.Duration // as last measured
	measured Moment        // when
}

func newSystemClock() (*systemClock, error) {
	c := &systemClock{}
	// Two readings of one clock: the closer together, the better.
	for best, tries := time.Duration(1<<62), 0; tries < 5; tries++ {
		before := time.Now()
		monotonic, err := readClock(unix.CLOCK_MONOTONIC)
		if err != nil {
			return nil, fmt.Errorf("read monotonic clock: %w", err)
		}
		if took := time.Since(before); took < best {
			best, c.base, c.offset = took, before, monotonic-took/2
		}
	}
	if _, err := readClock(unix.CLOCK_BOOTTIME); err != nil {
		return nil, fmt.Errorf("read boot clock: %w", err)
	}
	return c, nil
}

const (
	// sleptGrain is how well Slept is measured. A process that was stopped
	// between two readings must not look like a machine that slept.
	sleptGrain = time.Millisecond
	// sleptFor is how long a measurement of Slept holds, as long as no more time
	// has passed on the wall: a system call for each record of a flood is much.
	sleptFor = 10 * time.Millisecond
)

// now reads the clocks. It is not safe for concurrent use.
func (c *systemClock) now() Moment {
	now := time.Now()
	m := Moment{Wall: now.Round(0), Monotonic: c.monotonic(now), Slept: c.slept}
	if m.Wall.Sub(c.measured.Wall).Abs() > sleptFor || m.Monotonic-c.measured.Monotonic > sleptFor {
		c.measureSlept()
		m.Slept, c.measured = c.slept, m
	}
	return m
}

// measureSlept reads the boot clock between two readings of the monotonic one
// that lie close together, and leaves slept as it is when they never do.
func (c *systemClock) measureSlept() {
	for range 3 {
		before := c.monotonic(time.Now())
		boot, err := readClock(unix.CLOCK_BOOTTIME) // cannot fail: it was read before
		after := c.monotonic(time.Now())
		if err == nil && after-before < sleptGrain {
			c.slept = (boot - before).Truncate(sleptGrain)
			return
		}
	}
}

func (c *systemClock) monotonic(t time.Time) time.Duration { return c.offset + t.Sub(c.base) }

func readClock(id int32) (time.Duration, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(id, &ts); err != nil {
		return 0, err
	}
	return time.Duration(ts.Nano()), nil
}
