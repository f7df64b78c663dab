package proc

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
)

// TableOptions say what a Table reads and how much it keeps. The zero value of
// each field means its default.
type TableOptions struct {
	ProcRoot   string        // /proc
	MaxEntries int           // processes remembered, 256: of these a quarter may be dead ones
	MaxCmdline int           // bytes of a command line, 1 KiB; never more than 4 KiB
	Interval   time.Duration // shortest time between rounds, 10 s

	// Maps opens /proc/PID/maps of a process of another user; nil: nobody does.
	Maps func(pid int) (*os.File, error)

	Now func() time.Time     // time.Now
	CPU func() time.Duration // CPU time of this thread so far
}

// Table is a rolling snapshot of the largest processes: their command line,
// cgroup and user, for the moment when one of them is killed and /proc has
// nothing left of it. A process that grows fast counts as larger than it is, and
// one that died is remembered for keepDead.
//
// One goroutine calls Refresh every NextInterval; others may ask meanwhile. A
// round can be held up: the command line of a process is read from its memory,
// which may be swapped out or locked just when memory is short. An answer never
// waits for that.
type Table struct {
	options  TableOptions
	pageSize int64
	rounds   sync.Mutex // held through a round; guards what follows
	reader   reader
	growth   growth
	seats    seats
	near     []*entry // those that a round looks at closely
	round    uint64

	lookups sync.Mutex // held through a LookupNow
	now     reader

	mu   sync.Mutex // held for moments only; a round alone writes what follows, and so reads it freely
	live map[int]*entry
	dead []*entry // the oldest first
	pace pace

	watched []int // see Watch
	closed  int   // how many of the last round may not be looked into
}

// An entry is one process that is remembered.
type entry struct {
	facts oomdoc.ProcessFacts
	start uint64 // ticks since boot: with the pid it names the process
	pages int64  // resident when it was last looked at
	round uint64 // the last round that saw it
	check uint64 // the round from which it is to be looked at again
	died  time.Time

	inside *inside // nil: it is not looked at closely
}

const (
	defaultEntries  = 256
	defaultCmdline  = 1 << 10
	defaultInterval = 10 * time.Second

	// keepDead is how long a process that is gone is remembered: a kill is read
	// within seconds, and after ten minutes its pid may well be another's.
	keepDead = 10 * time.Minute

	// checkRounds is after how many rounds a process is looked at again, to see
	// whether it is still the same program.
	checkRounds = 6
)

// NewTable makes an empty table. It reads nothing yet.
func NewTable(options TableOptions) *Table {
	options.ProcRoot = cmp.Or(options.ProcRoot, "/proc")
	options.MaxEntries = cmp.Or(options.MaxEntries, defaultEntries)
	options.MaxCmdline = cmp.Or(options.MaxCmdline, defaultCmdline)
	options.Interval = cmp.Or(options.Interval, defaultInterval)
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.CPU == nil {
		options.CPU = threadCPU
	}
	return &Table{
		options:  options,
		pageSize: int64(os.Getpagesize()),
		reader:   reader{root: options.ProcRoot, maxCmdline: options.MaxCmdline, maps: options.Maps},
		now:      reader{root: options.ProcRoot, maxCmdline: options.MaxCmdline},
		live:     make(map[int]*entry),
		pace:     pace{base: options.Interval},
	}
}

// Len is how many processes are remembered, dead ones included.
func (t *Table) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.live) + len(t.dead)
}

// Refresh looks at all processes once and remembers the largest. An error means
// that the list of processes cannot be read; a process that goes away meanwhile
// is none.
func (t *Table) Refresh() error {
	t.rounds.Lock()
	defer t.rounds.Unlock()
	if err := t.reader.open(); err != nil {
		return err
	}
	end := measure(t.options.CPU)
	err := t.refresh()
	cost := end()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pace.add(cost)
	return err
}

func (t *Table) refresh() error {
	t.round++
	t.seats.reset(t.options.MaxEntries - t.maxDead())
	err := t.reader.dir.each(func(pid int) {
		statm, err := t.reader.dir.read(pid, "statm")
		if err != nil {
			return // it is gone
		}
		if pages, is := residentPages(statm); is && pages > 0 {
			t.seats.offer(seat{pid, pages, t.growth.size(pid, pages)})
		}
	})
	if err != nil {
		return fmt.Errorf("refresh process table: %w", err)
	}
	now := t.options.Now()
	t.seats.sort()
	t.lookClosely(now)
	kept := len(t.near)
	for _, seat := range t.seats.taken {
		if kept >= t.seats.limit {
			break
		}
		if known := t.live[seat.pid]; known != nil && known.round == t.round {
			continue // it is one of those
		}
		t.see(seat.pid, seat.pages, now)
		kept++
	}
	t.retire(now)
	return nil
}

// Close gives back the open folders. The table may be used again.
func (t *Table) Close() error {
	t.rounds.Lock()
	defer t.rounds.Unlock()
	t.lookups.Lock()
	defer t.lookups.Unlock()
	return errors.Join(t.reader.close(), t.now.close())
}

// see notes that a process has a seat in this round. Its files are read when it
// is new, and again when it may have become another: a new program has another
// size, and every now and then in any case.
func (t *Table) see(pid int, pages int64, now time.Time) {
	known := t.live[pid]
	seen := known
	if known == nil || pages < known.pages/2 || pages > known.pages*2 || t.round >= known.check {
		if seen = t.look(pid, known); seen == nil {
			return
		}
		seen.pages, seen.check = pages, t.round+checkRounds
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if known != nil && known.start != seen.start {
		t.bury(known, now) // its pid has become another process's
	}
	t.live[pid] = seen
	seen.round = t.round
	seen.facts.RSSBytes, seen.facts.Sampled = pages*t.pageSize, now
}

// look reads what a process is, unless it is the one known.
func (t *Table) look(pid int, known *entry) *entry {
	stat, is := t.reader.stat(pid)
	switch {
	case !is:
		return nil
	case known != nil && known.start == stat.start && known.facts.Comm == string(stat.comm):
		return known
	}
	fresh := &entry{start: stat.start, facts: t.reader.identify(pid, stat)}
	if known != nil && known.start == stat.start && known.inside != nil {
		kept := *known.inside // a name that it gave itself; what it runs is read again
		kept.read = false
		fresh.inside = &kept
		fresh.facts.Models = known.facts.Models
	}
	return fresh
}

// retire takes those out that had no seat: the living are let go, the dead are
// kept for a while.
func (t *Table) retire(now time.Time) {
	for pid, e := range t.live {
		if e.round == t.round {
			continue
		}
		stat, is := t.reader.stat(pid)
		t.mu.Lock()
		delete(t.live, pid)
		if !is || stat.start != e.start {
			t.bury(e, now)
		}
		t.mu.Unlock()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	old := 0
	for old < len(t.dead) && now.Sub(t.dead[old].died) > keepDead {
		old++
	}
	t.dead = slices.Delete(t.dead, 0, old)
}

// bury keeps a process that is gone, in place of the one that is gone longest
// where there is no room.
func (t *Table) bury(e *entry, now time.Time) {
	e.died = now
	if len(t.dead) >= t.maxDead() {
		t.dead = slices.Delete(t.dead, 0, 1)
	}
	t.dead = append(t.dead, e)
}

func (t *Table) maxDead() int { return max(1, t.options.MaxEntries/4) }
