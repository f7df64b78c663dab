package proc

import "github.com/oomdoc/oomdoc"

// commLength is how many bytes of a process's name the kernel keeps
// (include/linux/sched.h, TASK_COMM_LEN, less the terminator).
const commLength = 15

// Lookup finds what was known of a process. Comm is the name in the kernel's
// report; a process of another name had the pid before or after, and is not the
// one. An empty comm asks for the pid alone: the report names a thread, whose
// name is its own.
func (t *Table) Lookup(pid int, comm string) (oomdoc.ProcessFacts, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.live[pid]; e != nil && isNamed(e.facts.Comm, comm) {
		return t.told(e), true
	}
	for i := len(t.dead) - 1; i >= 0; i-- {
		if e := t.dead[i]; e.facts.PID == pid && isNamed(e.facts.Comm, comm) {
			return t.told(e), true
		}
	}
	return oomdoc.ProcessFacts{}, false
}

// told are the facts of an entry. What they point to is never changed.
func (t *Table) told(e *entry) oomdoc.ProcessFacts {
	facts := e.facts
	if e.inside != nil {
		facts.Trend = e.inside.trend.told(t.pageSize)
	}
	return facts
}

func isNamed(known, comm string) bool {
	return comm == "" || firstBytes(known) == firstBytes(comm)
}

func firstBytes(comm string) string { return comm[:min(len(comm), commLength)] }

// LookupNow tries /proc itself, for a victim that was too young or too small for
// the last round. It is dying: its memory may be gone and its command line with
// it, and then what is left (name, user, cgroup, start) is what is told.
func (t *Table) LookupNow(pid int, comm string) (oomdoc.ProcessFacts, bool) {
	t.lookups.Lock()
	defer t.lookups.Unlock()
	if pid <= 0 || t.now.open() != nil {
		return oomdoc.ProcessFacts{}, false
	}
	stat, is := t.now.stat(pid)
	if !is || !isNamed(string(stat.comm), comm) {
		return oomdoc.ProcessFacts{}, false
	}
	start := stat.start
	facts := t.now.identify(pid, stat)
	if statm, err := t.now.dir.read(pid, "statm"); err == nil {
		pages, _ := residentPages(statm)
		facts.RSSBytes = pages * t.pageSize
	}
	if again, is := t.now.stat(pid); !is || again.start != start {
		return oomdoc.ProcessFacts{}, false // another took the pid while we read
	}
	facts.Sampled = t.options.Now()
	return facts, true
}
