package proc

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// A pace keeps the cost of rounds to a share of one processor.
type pace struct {
	base time.Duration
	cost time.Duration // CPU time of a round, the last ones counting most
}

// The share of one processor that rounds may take is 3 parts of 10,000. The
// period is never longer than maxInterval: a table of ten minutes ago helps
// nobody.
const (
	shareParts  = 3
	shareOf     = 10_000
	maxInterval = 5 * time.Minute
)

// NextInterval is how long to wait until the next round, so that rounds take at
// most 0.03 % of one processor: the shortest interval, or more on a machine with
// very many processes.
func (t *Table) NextInterval() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pace.interval()
}

func (p *pace) interval() time.Duration {
	return min(max(p.base, p.cost*shareOf/shareParts), max(p.base, maxInterval))
}

func (p *pace) add(cost time.Duration) {
	if p.cost != 0 {
		cost = (p.cost + cost) / 2
	}
	p.cost = cost
}

// measure begins to measure CPU time and gives what ends it.
func measure(cpu func() time.Duration) (end func() time.Duration) {
	runtime.LockOSThread() // the clock is the thread's
	begin := cpu()
	return func() time.Duration {
		defer runtime.UnlockOSThread()
		return cpu() - begin
	}
}

// threadCPU is the CPU time of the calling thread (clock_gettime(2)), 0 where
// the kernel does not tell.
func threadCPU() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}
