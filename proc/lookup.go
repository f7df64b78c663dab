package proc

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

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

// LookupContained finds a process in a container, by the pid that it has in there,
// or as the only one of its engine: what a container prints knows no other number,
// and may have none. Only processes that are looked at closely are known so.
func (t *Table) LookupContained(container string, pid int, engine string) (oomdoc.ProcessFacts, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var only *entry
	alone := true
	consider := func(e *entry) (is bool) {
		if e.inside == nil || len(container) < shortID || !strings.Contains(e.facts.Cgroup, container) {
			return false
		}
		if e.facts.Engine == engine && engine != "" {
			alone = only == nil
			only = e
		}
		return pid != 0 && e.inside.inner == pid
	}
	for _, e := range t.live {
		if consider(e) {
			return t.told(e), true
		}
	}
	for _, e := range slices.Backward(t.dead) {
		if consider(e) {
			return t.told(e), true
		}
	}
	if only == nil || !alone {
		return oomdoc.ProcessFacts{}, false
	}
	return t.told(only), true
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

// LookInside adds to what LookupNow found what the process has inside. It may have
// to wait for the process's memory.
func (t *Table) LookInside(facts oomdoc.ProcessFacts) oomdoc.ProcessFacts {
	t.lookups.Lock()
	defer t.lookups.Unlock()
	if t.now.open() != nil {
		return facts
	}
	found := t.now.look(facts.PID, true)
	stat, is := t.now.stat(facts.PID)
	if !is || t.now.startOf(stat) != facts.StartTime {
		return facts // another took the pid while we read
	}
	facts.Exe, facts.Dir, facts.Env, facts.Models = found.exe, found.dir, found.env, found.models
	facts.Engine = EngineOf(&facts, found.library, "")
	return facts
}
