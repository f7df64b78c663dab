package proc

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// A model can fill the memory between two rounds. So in between the table looks at
// what may do that, and at nothing else: processes that are new, and of those that
// are known the ones that are young or climb.

const (
	glanceInterval = time.Second
	// maxYoung is how many new processes are followed at a time: a machine that
	// compiles starts thousands a minute, and the newest are taken.
	maxYoung = 64
	// leastYoung, in pages: a process below that is not looked at.
	leastYoung = 1024
	// glancesAhead is how many glances ahead a growing process is reckoned at the size
	// that it would then have.
	glancesAhead = 10
)

// A newcomer is a process that was started since the last round began to list all.
type newcomer struct {
	pid   int
	pages int64
	since time.Time
}

// A watchman is what glances remember.
type watchman struct {
	newest int // pid, as loadavg names it; 0: not known
	young  []newcomer

	// Where in the list of processes a pid stands, as far as that is known.
	offset  int64
	inOrder bool
	listed  int

	// The smallest process that the last round kept, and that it looked at closely.
	leastKept, leastNear int64
	spent                pace
}

// Glance looks at what changes fast. It needs a Refresh before.
func (t *Table) Glance() error {
	t.rounds.Lock()
	defer t.rounds.Unlock()
	if err := t.reader.open(); err != nil {
		return err
	}
	end := measure(t.options.CPU)
	now := t.options.Now()
	err := t.findNew(now)
	t.followYoung(now)
	t.followClimbing(now)
	cost := end()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watchman.spent.add(cost)
	t.seen = now
	return err
}

// NextGlance is how long to wait until the next one: a second, or more where
// glances are expensive.
func (t *Table) NextGlance() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return min(t.watchman.spent.interval(), max(t.options.Interval, glanceInterval))
}

// findNew lists the processes that were started since the last time: of the list of
// processes the part between the pid that was given out last then, and now.
func (t *Table) findNew(now time.Time) error {
	w := &t.watchman
	newest, before := t.newestPID(), w.newest
	w.newest = newest
	if newest == 0 || before == 0 || newest == before || !w.inOrder {
		return nil
	}
	var err error
	if newest < before { // pids have begun anew
		err = t.list(before, math.MaxInt, now)
		before = 0
	}
	err = errors.Join(err, t.list(before, newest, now))
	if len(w.young) > maxYoung {
		w.young = slices.Delete(w.young, 0, len(w.young)-maxYoung)
	}
	return err
}

// list takes in the processes after one pid and until another.
func (t *Table) list(after, until int, now time.Time) error {
	w := &t.watchman
	if _, err := unix.Seek(t.reader.dir.fd, w.offset+int64(after), unix.SEEK_SET); err != nil {
		return err
	}
	return t.reader.dir.names(func(pid int) bool {
		if pid > after && pid <= until {
			w.young = append(w.young, newcomer{pid: pid, since: now})
		}
		return pid < until
	})
}

// learnOrder finds out where in the list of processes a pid stands: the kernel lists
// them by number, and the place of one is its number and an offset (fs/proc/base.c,
// proc_pid_readdir, TGID_OFFSET). Where that is not so new ones are not looked for.
func (w *watchman) learnOrder(pid int, place int64) {
	offset := place - int64(pid)
	if w.listed == 0 {
		w.offset, w.inOrder = offset, true
	}
	w.listed++
	// Where the first stands the entry before it does not tell.
	if w.listed == 2 {
		w.offset = offset
	}
	w.inOrder = w.inOrder && (w.listed < 3 || w.offset == offset)
}

// newestPID reads the last field of loadavg, the pid that was given out last
// (proc_loadavg(5)): threads have one too.
func (t *Table) newestPID() int {
	text, err := t.reader.dir.readFile("loadavg")
	if err != nil {
		return 0
	}
	text = bytes.TrimSpace(text)
	pid, _ := leadingInt(text[bytes.LastIndexByte(text, ' ')+1:])
	return int(pid)
}

// followYoung looks at new processes until they are old, are gone, or are known.
func (t *Table) followYoung(now time.Time) {
	w := &t.watchman
	w.young = slices.DeleteFunc(w.young, func(n newcomer) bool {
		e := t.live[n.pid]
		return now.Sub(n.since) > youngFor || e != nil && e.inside != nil
	})
	for i := range w.young {
		n := &w.young[i]
		statm, err := t.reader.dir.read(n.pid, "statm")
		if err != nil {
			n.since = time.Time{} // it is let go of with the next glance
			continue
		}
		pages, _ := residentPages(statm)
		size := pages + glancesAhead*max(0, pages-n.pages)
		if n.pages == 0 {
			size = pages // how fast it grew is not known
		}
		n.pages = pages
		if pages >= leastYoung && size >= w.leastKept {
			t.takeIn(n.pid, pages, size >= w.leastNear, now)
		}
	}
}

// takeIn takes a process in between two rounds, in the place of the smallest where
// there is no room.
func (t *Table) takeIn(pid int, pages int64, near bool, now time.Time) {
	if len(t.live) >= t.seats.limit && !t.giveUpSmallest() {
		return
	}
	t.see(pid, pages, now)
	e := t.live[pid]
	if e == nil || !near {
		return
	}
	if parent := e.facts.Parent; parent > 1 && t.live[parent] == nil && len(t.live) < t.seats.limit {
		if statm, err := t.reader.dir.read(parent, "statm"); err == nil {
			held, _ := residentPages(statm)
			t.see(parent, held, now)
		}
	}
	t.lookInto(e, now, false)
}

// giveUpSmallest makes room.
func (t *Table) giveUpSmallest() bool {
	var smallest *entry
	for _, e := range t.live {
		if e.inside == nil && (smallest == nil || e.facts.RSSBytes < smallest.facts.RSSBytes) {
			smallest = e
		}
	}
	if smallest == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.live, smallest.facts.PID)
	return true
}

// followClimbing looks at those of the known that are young or climb.
func (t *Table) followClimbing(now time.Time) {
	for pid, e := range t.live {
		if e.inside == nil || !e.inside.climbs && now.Sub(e.facts.StartTime) > youngFor {
			continue
		}
		statm, err := t.reader.dir.read(pid, "statm")
		if err != nil {
			continue // it is gone; the next round buries it
		}
		pages, is := residentPages(statm)
		if !is {
			continue
		}
		t.mu.Lock()
		e.facts.RSSBytes, e.facts.Sampled = pages*t.pageSize, now
		t.mu.Unlock()
		t.lookInto(e, now, false)
	}
}
