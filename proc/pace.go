package proc

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
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
func (t *Table) NextInterval() time.Duration { return t.pace.interval() }

func (p *pace) interval() time.Duration {
	return min(max(p.base, p.cost*shareOf/shareParts), max(p.base, maxInterval))
}

// measure begins to measure a round and gives what ends it.
func (p *pace) measure(cpu func() time.Duration) (end func()) {
	runtime.LockOSThread() // the clock is the thread's
	begin := cpu()
	return func() {
		cost := cpu() - begin
		runtime.UnlockOSThread()
		if p.cost == 0 {
			p.cost = cost
			return
		}
		p.cost = (p.cost + cost) / 2
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

// bootTime reads the btime line of /proc/stat, seconds since 1970 (proc_stat(5)).
func bootTime(path string) (time.Time, error) {
	file, err := os.Open(path)
	if err != nil {
		return time.Time{}, unreadable(path, err)
	}
	defer file.Close() // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20) // the intr line of a large machine is long
	for lines.Scan() {
		digits, is := strings.CutPrefix(lines.Text(), "btime ")
		if !is {
			continue
		}
		seconds, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return time.Time{}, unreadable(path, err)
		}
		return time.Unix(seconds, 0), nil
	}
	if err := lines.Err(); err != nil {
		return time.Time{}, unreadable(path, err)
	}
	return time.Time{}, unreadable(path, errNoBootTime)
}

const errNoBootTime = constError("no btime line")
