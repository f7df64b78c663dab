package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A Family is a process and all that descend from it, those that have ended
// too, within a bound. Who was born and died between two looks is not known.
type Family struct {
	root    string // of /proc
	pid     int
	table   *Table // asked for single processes only
	members map[int]*member
	order   []int            // by when they were met
	cgroups map[string]int64 // the kills of each when it was met; unknown: -1
	kills   func(cgroup string) (int64, bool)
}

type member struct {
	facts oomdoc.ProcessFacts
	looks int
	gone  bool
}

const (
	maxMembers = 1024
	maxCgroups = 64
	// A young process may not be what it becomes yet (execve); later it is looked
	// at again now and then.
	youngLooks = 4
	laterLooks = 16
)

// NewFamily makes the family of a process, and looks at it once.
func NewFamily(procRoot string, pid int) *Family {
	f := &Family{
		root: procRoot, pid: pid, table: NewTable(TableOptions{ProcRoot: procRoot}), members: make(map[int]*member),
		cgroups: make(map[string]int64), kills: OOMKills,
	}
	f.meet(pid)
	f.Refresh()
	return f
}

// Close lets go of /proc.
func (f *Family) Close() error { return f.table.Close() }

// Refresh meets who was born since and looks at the others.
func (f *Family) Refresh() {
	for at := 0; at < len(f.order); at++ { // it grows meanwhile
		pid := f.order[at]
		m := f.members[pid]
		if m.gone {
			continue
		}
		f.look(pid, m)
		for _, child := range f.children(pid) {
			f.meet(child)
		}
	}
}

func (f *Family) meet(pid int) {
	if m := f.members[pid]; m != nil && !m.gone {
		return
	} else if m != nil { // another has the number now
		f.order = slices.DeleteFunc(f.order, func(other int) bool { return other == pid })
	}
	for len(f.order) >= maxMembers {
		oldest := slices.IndexFunc(f.order, func(pid int) bool { return f.members[pid].gone })
		if oldest < 0 {
			return
		}
		delete(f.members, f.order[oldest])
		f.order = slices.Delete(f.order, oldest, oldest+1)
	}
	m := &member{}
	f.members[pid] = m
	f.order = append(f.order, pid)
	f.look(pid, m)
}

func (f *Family) look(pid int, m *member) {
	m.looks++
	if _, err := os.Stat(f.file(pid)); err != nil {
		m.gone = true
		return
	}
	if m.looks > youngLooks && m.looks%laterLooks != 0 {
		return
	}
	facts, ok := f.table.LookupNow(pid, "")
	if !ok || !m.facts.StartTime.IsZero() && !facts.StartTime.Equal(m.facts.StartTime) {
		m.gone = true
		return
	}
	if len(facts.Cmdline) > 0 || m.facts.PID == 0 { // a dying one has none left
		m.facts = facts
	}
	f.watch(facts.Cgroup)
}

// watch begins to count the kills of a cgroup.
func (f *Family) watch(cgroup string) {
	if _, known := f.cgroups[cgroup]; known || cgroup == "" || len(f.cgroups) >= maxCgroups {
		return
	}
	kills, ok := f.kills(cgroup)
	if !ok {
		kills = -1
	}
	f.cgroups[cgroup] = kills
}

// Has tells whether a process is of the family. One that it has not met is asked
// who its parents are, as long as it is there.
func (f *Family) Has(pid int) bool {
	const generations = 64
	for range generations {
		if pid <= 1 {
			return false
		}
		if f.members[pid] != nil {
			return true
		}
		pid = f.parent(pid)
	}
	return false
}

// Facts are what was known of a member.
func (f *Family) Facts(pid int) (oomdoc.ProcessFacts, bool) {
	if m := f.members[pid]; m != nil && m.facts.PID != 0 {
		return m.facts, true
	}
	return f.table.LookupNow(pid, "")
}

// Root is the process that the others descend from.
func (f *Family) Root() int { return f.pid }

// Len is how many have been met.
func (f *Family) Len() int { return len(f.members) }

// In tells a cgroup that a member was in.
func (f *Family) In(cgroup string) bool {
	_, is := f.cgroups[cgroup]
	return is
}

// Kills finds a cgroup in which the kernel killed since a member was met in it.
// known tells whether all that members were in can be asked.
func (f *Family) Kills() (cgroup string, n int64, known bool) {
	known = len(f.cgroups) > 0
	for path, before := range f.cgroups {
		now, ok := f.kills(path)
		switch {
		case !ok || before < 0:
			known = false
		case now > before:
			return path, now - before, true
		}
	}
	return "", 0, known
}

// children are the processes that any thread of a process has started
// (proc_pid_task(5), children; it needs CONFIG_PROC_CHILDREN, which
// distributions set).
func (f *Family) children(pid int) []int {
	const mostThreads = 512
	var found []int
	threads, err := os.ReadDir(f.file(pid, "task"))
	if err != nil {
		return nil
	}
	for _, thread := range threads[:min(len(threads), mostThreads)] {
		text, err := os.ReadFile(f.file(pid, "task", thread.Name(), "children"))
		if err != nil {
			continue
		}
		for _, word := range bytes.Fields(text) {
			if child, is := pidOf(word); is {
				found = append(found, child)
			}
		}
	}
	return found
}

// parent is who started a process, 0 when it is gone.
func (f *Family) parent(pid int) int {
	text, err := os.ReadFile(f.file(pid, "stat"))
	if err != nil {
		return 0
	}
	end := bytes.LastIndexByte(text, ')')
	fields := bytes.Fields(text[max(0, end+1):])
	if end < 0 || len(fields) < 2 {
		return 0
	}
	parent, _ := pidOf(fields[1])
	return parent
}

func (f *Family) file(pid int, names ...string) string {
	return filepath.Join(append([]string{f.root, strconv.Itoa(pid)}, names...)...)
}

// FamilyPace is how long to wait after a look that took so long: at least a
// fifth of a second, and never more than a hundredth of a processor.
func FamilyPace(took time.Duration) time.Duration {
	const shortest, share = 200 * time.Millisecond, 100
	return max(shortest, share*took)
}
