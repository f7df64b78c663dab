package proc

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

	Now func() time.Time     // time.Now
	CPU func() time.Duration // CPU time of this thread so far
}

// Table is a rolling snapshot of the largest processes: their command line,
// cgroup and user, for the moment when one of them is killed and /proc has
// nothing left of it. A process that grows fast counts as larger than it is, and
// one that died is remembered for keepDead.
//
// Its owner calls Refresh every NextInterval. It is not safe for concurrent use.
type Table struct {
	options  TableOptions
	pageSize int64
	boot     time.Time // when ticks began
	dir      *procDir

	live   map[int]*entry
	dead   []*entry // the oldest first
	growth growth
	seats  seats
	round  uint64
	pace   pace
}

// An entry is one process that is remembered.
type entry struct {
	facts oomdoc.ProcessFacts
	start uint64 // ticks since boot: with the pid it names the process
	pages int64  // resident at the last round
	round uint64 // the last round that saw it
	check uint64 // the round from which it is to be looked at again
	died  time.Time
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

	// ticksPerSecond is the unit of starttime: USER_HZ, 100 on every architecture
	// that Go runs on (include/asm-generic/param.h).
	ticksPerSecond = 100
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
		live:     make(map[int]*entry),
		pace:     pace{base: options.Interval},
	}
}

// Len is how many processes are remembered, dead ones included.
func (t *Table) Len() int { return len(t.live) + len(t.dead) }

// Refresh looks at all processes once and remembers the largest. An error means
// that the list of processes cannot be read; a process that goes away meanwhile
// is none.
func (t *Table) Refresh() error {
	if err := t.open(); err != nil {
		return err
	}
	defer t.pace.measure(t.options.CPU)()
	t.round++
	t.seats.reset(t.options.MaxEntries - t.maxDead())
	err := t.dir.each(func(pid int) {
		statm, err := t.dir.read(pid, "statm")
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
	for _, seat := range t.seats.taken {
		t.see(seat.pid, seat.pages, now)
	}
	t.retire(now)
	return nil
}

// Close gives back the open folder. The table may be used again.
func (t *Table) Close() error {
	if t.dir == nil {
		return nil
	}
	err := t.dir.close()
	t.dir = nil
	return err
}

func (t *Table) open() error {
	if t.dir != nil {
		return nil
	}
	boot, err := bootTime(filepath.Join(t.options.ProcRoot, "stat"))
	if err != nil {
		return err
	}
	dir, err := openProc(t.options.ProcRoot)
	if err != nil {
		return err
	}
	t.boot, t.dir = boot, dir
	return nil
}

// see notes that a process has a seat in this round. Its files are read when it
// is new, and again when it may have become another: a new program begins small,
// and every now and then in any case.
func (t *Table) see(pid int, pages int64, now time.Time) {
	e := t.live[pid]
	if e == nil || pages < e.pages/2 || t.round >= e.check {
		e = t.look(pid, e, now)
		if e == nil {
			return
		}
		e.check = t.round + checkRounds
	}
	e.pages, e.round = pages, t.round
	e.facts.RSSBytes, e.facts.Sampled = pages*t.pageSize, now
}

// look reads what a process is, unless it is the one known. The one known goes
// to the dead when its pid has become another process's.
func (t *Table) look(pid int, known *entry, now time.Time) *entry {
	stat, is := t.readStat(pid)
	if !is {
		return nil
	}
	if known != nil && known.start == stat.start {
		if known.facts.Comm == string(stat.comm) {
			return known
		}
		t.identify(known, stat)
		return known
	}
	if known != nil {
		t.bury(known, now)
	}
	fresh := &entry{start: stat.start, facts: oomdoc.ProcessFacts{PID: pid}}
	t.identify(fresh, stat)
	t.live[pid] = fresh
	return fresh
}

func (t *Table) readStat(pid int) (procStat, bool) {
	text, err := t.dir.read(pid, "stat")
	if err != nil {
		return procStat{}, false
	}
	return parseStat(text)
}

// identify reads the files that say what a process is. One that cannot be read
// leaves its fact unknown: another user's may be closed to us, and a process on
// its way out has an empty command line.
func (t *Table) identify(e *entry, stat procStat) {
	pid := e.facts.PID
	e.facts.Comm = string(stat.comm)
	e.facts.StartTime = t.boot.Add(time.Duration(stat.start) * time.Second / ticksPerSecond)
	e.facts.UID = -1
	e.facts.Cmdline, e.facts.Cgroup = nil, ""
	if text, err := t.dir.read(pid, "cmdline"); err == nil {
		e.facts.Cmdline = commandLine(text, len(text) == fileSize, t.options.MaxCmdline)
	}
	if text, err := t.dir.read(pid, "cgroup"); err == nil {
		e.facts.Cgroup = memoryCgroup(text)
	}
	if text, err := t.dir.read(pid, "status"); err == nil {
		e.facts.UID = realUID(text)
	}
}

// retire takes those out that had no seat: the living are let go, the dead are
// kept for a while.
func (t *Table) retire(now time.Time) {
	for pid, e := range t.live {
		if e.round == t.round {
			continue
		}
		delete(t.live, pid)
		if stat, is := t.readStat(pid); !is || stat.start != e.start {
			t.bury(e, now)
		}
	}
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
