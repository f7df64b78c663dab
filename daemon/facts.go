package daemon

import (
	"context"
	"log/slog"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/gpu"
	"github.com/oomdoc/oomdoc/proc"
)

// maxFactVictims bounds how many processes of one event are looked up.
const maxFactVictims = 32

// youngWithin is how long a kill may wait for the command line of a victim
// that was too young for the snapshot. Reading it takes the memory lock of a
// process that is being torn down, which can last.
const youngWithin = 5 * time.Millisecond

// A memory is what is known of this machine: its size, and the rolling
// snapshot of who runs on it.
type memory struct {
	machine proc.MachineInfo
	table   *proc.Table   // nil when the configuration wants no snapshot
	reading busy          // the rounds of the snapshot
	looking chan struct{} // holds a token while a victim is looked up in /proc
	names   *names        // nil: nobody knows what containers are called
	gpus    *gpu.Sampler  // nil: the configuration wants none
}

func newMemory(machine proc.MachineInfo, table *proc.Table) *memory {
	return &memory{machine: machine, table: table, looking: make(chan struct{}, 1)}
}

// facts finds what was known of the processes that an event names.
func (m *memory) facts(ev *oomdoc.Event) oomdoc.Facts {
	facts := oomdoc.Facts{RAMBytes: m.machine.RAMBytes, SwapBytes: &m.machine.SwapTotalBytes}
	m.processes(ev, &facts)
	m.sampledGPUs(ev, &facts)
	if m.names != nil && !ev.Replayed {
		facts.Containers = m.names.of(cgroupsOf(ev, facts))
	}
	return facts
}

// processes finds what was known of the processes that an event is about, and of
// those that started them.
func (m *memory) processes(ev *oomdoc.Event, facts *oomdoc.Facts) {
	if m.table == nil {
		return
	}
	facts.Processes = make(map[int]oomdoc.ProcessFacts)
	kills := killsOf(ev)
	for i := range kills[:min(len(kills), maxFactVictims)] {
		kill := &kills[i]
		found, ok := m.table.Lookup(kill.PID, kill.Comm)
		if !ok && !ev.Replayed && ev.Revision == 0 {
			found, ok = m.young(kill.PID, kill.Comm)
		}
		if ok && (ev.UserKill == nil || isOf(found, ev.UserKill.UID)) {
			m.add(found, facts)
		}
	}
	if e := ev.Program; e != nil && !ev.Replayed {
		m.program(ev, e, facts)
	}
}

// add takes a process in, with those that started it.
func (m *memory) add(found oomdoc.ProcessFacts, facts *oomdoc.Facts) {
	facts.Processes[found.PID] = found
	for range maxAncestors {
		parent, ok := m.table.Lookup(found.Parent, "")
		if _, has := facts.Processes[found.Parent]; !ok || has || parent.StartTime.After(found.StartTime) {
			return
		}
		facts.Processes[parent.PID] = parent
		found = parent
	}
}

// maxAncestors bounds how many of those that started a process are told of.
const maxAncestors = 4

// program finds the process that a program's own error is about: by the pid that
// stands in its lines or that journald gives. In a container that may be another
// number.
func (m *memory) program(ev *oomdoc.Event, e *oomdoc.ProgramError, facts *oomdoc.Facts) {
	found, ok := m.table.Lookup(e.PID, "")
	if !ok && e.PID != 0 && e.Container == "" && ev.Revision == 0 {
		found, ok = m.young(e.PID, "")
	}
	ok = ok && e.Container == "" && !found.StartTime.After(ev.Time.Add(clockSlack))
	if !ok && e.Container != "" {
		found, ok = m.table.LookupContained(e.Container, e.PID, e.Engine)
	}
	if ok && isOf(found, e.UID) {
		key := e.PID
		m.add(found, facts)
		facts.Processes[key] = found
	}
	for _, holder := range e.Holders[:min(len(e.Holders), maxFactVictims)] {
		// A number from within a container is another process's here.
		if holding, known := m.table.Lookup(holder.PID, ""); known && m.table.IsWatched(holder.PID) {
			facts.Processes[holding.PID] = holding
		}
	}
}

// clockSlack is how much later than the time of its error a process may seem to
// have been started: the two are reckoned from different clocks.
const clockSlack = 2 * time.Second

// isOf tells a process of the user who speaks of it. What one user writes must not
// tell him of another's process; root may speak of all.
func isOf(found oomdoc.ProcessFacts, uid *int) bool {
	return uid == nil || *uid == 0 || *uid == found.UID
}

// cgroupsOf are the cgroups that an event is about.
func cgroupsOf(ev *oomdoc.Event, facts oomdoc.Facts) []string {
	var paths []string
	add := func(path string) {
		if path != "" {
			paths = append(paths, path)
		}
	}
	if k := ev.Kernel; k != nil && k.Summary != nil {
		add(k.Summary.OOMMemcg)
		add(k.Summary.TaskMemcg)
	}
	if k := ev.Kernel; k != nil && k.Memcg != nil {
		add(k.Memcg.StatsOf)
	}
	if ev.UserKill != nil {
		add(ev.UserKill.Cgroup)
	}
	if ev.Program != nil {
		add(ev.Program.Cgroup)
	}
	for _, process := range facts.Processes {
		add(process.Cgroup)
	}
	return paths
}

// young looks a victim up in /proc, now, and does not wait for it: one such
// look at a time, and what comes too late is not used.
func (m *memory) young(pid int, comm string) (oomdoc.ProcessFacts, bool) {
	select {
	case m.looking <- struct{}{}:
	default:
		return oomdoc.ProcessFacts{}, false
	}
	type answer struct {
		facts oomdoc.ProcessFacts
		ok    bool
	}
	answers := make(chan answer, 2)
	go func() {
		defer func() { <-m.looking }()
		defer close(answers)
		facts, ok := m.table.LookupNow(pid, comm)
		answers <- answer{facts, ok}
		if ok {
			answers <- answer{m.table.LookInside(facts), true}
		}
	}()
	late := time.After(youngWithin)
	var last answer
	for {
		select {
		case a, more := <-answers:
			if !more {
				return last.facts, last.ok
			}
			last = a
		case <-late:
			return last.facts, last.ok
		}
	}
}

// killsOf are the processes that an event names as killed.
func killsOf(ev *oomdoc.Event) []oomdoc.Kill {
	switch k := ev.UserKill; {
	case ev.Kernel != nil:
		return ev.Kernel.Kills
	case k != nil && k.PID != 0 && k.Comm != nil:
		return []oomdoc.Kill{{PID: k.PID, Comm: *k.Comm}}
	}
	return nil
}

// close lets go of /proc, after refresh has ended.
func (m *memory) close() {
	if m.table != nil {
		_ = m.table.Close() // it was only read
	}
}

// size is how many processes are remembered.
func (m *memory) size() int {
	if m.table == nil {
		return 0
	}
	return m.table.Len()
}

// refresh keeps the snapshot fresh until ctx ends, in rounds over all processes and
// glances in between. The table itself stretches the periods on a machine where
// they are expensive.
func (m *memory) refresh(ctx context.Context, log *slog.Logger) {
	warned := false
	var next time.Time // round
	for {
		if m.gpus != nil {
			m.table.Watch(m.gpus.PIDs())
		}
		round := !time.Now().Before(next)
		done := m.reading.work()
		err := m.look(round)
		done()
		if err != nil && !warned {
			log.Warn("cannot read the process list; command lines will be missing", "error", err)
			warned = true
		}
		if round {
			next = time.Now().Add(m.table.NextInterval())
			if m.names != nil {
				m.names.ahead(m.table)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(time.Until(next), m.table.NextGlance())):
		}
	}
}

func (m *memory) look(round bool) error {
	if round {
		return m.table.Refresh()
	}
	return m.table.Glance()
}

// unknown tells how many programs may not be looked into, and whether models may
// not be named.
func (m *memory) unknown() (closed int, unnamed bool) {
	if m.table == nil {
		return 0, false
	}
	return m.table.Closed(), m.table.Unnamed()
}

// seen is when the processes were last looked at.
func (m *memory) seen() time.Time {
	if m.table == nil {
		return time.Time{}
	}
	return m.table.Seen()
}
