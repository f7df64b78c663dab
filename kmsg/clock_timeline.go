package kmsg

import "time"

const (
	// waitedAfter is how far behind its stamp a live record may arrive and
	// still be taken as new.
	waitedAfter = 50 * time.Millisecond
	// freshAfter: a record that comes after this much quiet was being waited
	// for, so that its delay measures the clocks, not us.
	freshAfter = 20 * time.Millisecond
	// skewDrift is how fast local_clock may leave CLOCK_MONOTONIC, in parts per
	// million: the error with which the kernel measured its time stamp counter,
	// which NTP steers out of the one and not of the other.
	skewDrift = 100
	// latestUsec is the latest stamp that can be believed, 35 years. A kernel
	// that woke from hibernation has been seen to print negative ones as huge.
	latestUsec = 1 << 50
)

// A timeline turns kernel stamps into wall time, record by record in order. It
// is arithmetic on the moments that it is given, nothing else.
type timeline struct {
	sleep sleepLog
	last  Moment // of the record before, or of the opening
	skew  skewFilter
}

// newTimeline starts at the opening of the log. sleep holds what the lines of
// the ring told.
func newTimeline(open Moment, sleep sleepLog) *timeline {
	sleep.unknown = open.Slept
	return &timeline{sleep: sleep, last: open}
}

// A stamp is what timeline needs of a record.
type stamp struct {
	usec     int64 // microseconds; negative: none
	arrival  Moment
	replayed bool // it was in the log before it was opened
	mark     sleepMark
}

// place gives the wall time of a record. A live one that did not wait was
// printed when it arrived; any other at its arrival less its age. Both rest on
// the clock at arrival alone, so that a clock that was set in between does not
// matter.
func (t *timeline) place(s stamp) (at time.Time, approximate bool) {
	t.sleep.watch(t.last, s.arrival)
	quiet := s.arrival.Monotonic - t.last.Monotonic
	t.last = s.arrival
	if s.usec < 0 || s.usec > latestUsec {
		return s.arrival.Wall, true
	}
	usec := time.Duration(s.usec) * time.Microsecond
	if !s.replayed {
		t.sleep.narrow(s.mark, usec)
	}

	delay := s.arrival.Monotonic - usec
	if !s.replayed {
		t.skew.sample(delay, s.arrival.Monotonic, quiet >= freshAfter)
	}
	age := t.skew.correct(delay, s.arrival.Monotonic)
	slept, sure := t.sleep.since(usec, s.replayed)
	if !s.replayed && sure && slept == 0 && age < waitedAfter {
		return s.arrival.Wall, false
	}
	return s.arrival.Wall.Add(-age - slept), !sure
}

// A skewFilter estimates how far local_clock is behind CLOCK_MONOTONIC: the
// delay between a record's stamp and its arrival is that skew and the time that
// the record waited, which is never negative. So the least of the recent delays
// is taken, each loosened by what the clocks may have drifted since.
type skewFilter struct {
	samples [16]struct{ delay, at time.Duration }
	n       int // how many were taken ever
}

func (f *skewFilter) sample(delay, now time.Duration, fresh bool) {
	if f.n > 0 && !fresh && delay >= f.estimate(now) {
		return
	}
	s := &f.samples[f.n%len(f.samples)]
	s.delay, s.at = delay, now
	f.n++
}

// correct takes the skew out of a delay. Nothing arrives before it is printed.
func (f *skewFilter) correct(delay, now time.Duration) time.Duration {
	if f.n == 0 {
		return max(delay, 0)
	}
	return max(delay-f.estimate(now), 0)
}

func (f *skewFilter) estimate(now time.Duration) time.Duration {
	least := time.Duration(1<<63 - 1)
	for _, s := range f.samples[:min(f.n, len(f.samples))] {
		least = min(least, s.delay+(now-s.at)/1e6*skewDrift)
	}
	return least
}
