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

// processes finds what was known of the processes that an event kills.
func (m *memory) processes(ev *oomdoc.Event, facts *oomdoc.Facts) {
	kills := killsOf(ev)
	if len(kills) == 0 || m.table == nil {
		return
	}
	facts.Processes = make(map[int]oomdoc.ProcessFacts, len(kills))
	for i := range kills[:min(len(kills), maxFactVictims)] {
		kill := &kills[i]
		found, ok := m.table.Lookup(kill.PID, kill.Comm)
		if !ok && !ev.Replayed && ev.Revision == 0 {
			found, ok = m.young(kill.PID, kill.Comm)
		}
		if ok {
			facts.Processes[kill.PID] = found
		}
	}
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
	answers := make(chan answer, 1)
	go func() {
		defer func() { <-m.looking }()
		facts, ok := m.table.LookupNow(pid, comm)
		answers <- answer{facts, ok}
	}()
	select {
	case a := <-answers:
		return a.facts, a.ok
	case <-time.After(youngWithin):
		return oomdoc.ProcessFacts{}, false
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

// refresh keeps the snapshot fresh until ctx ends. The table itself stretches
// the period on a machine where a round is expensive.
func (m *memory) refresh(ctx context.Context, log *slog.Logger) {
	warned := false
	for {
		if m.gpus != nil {
			m.table.Watch(m.gpus.PIDs())
		}
		done := m.reading.work()
		err := m.table.Refresh()
		done()
		if err != nil && !warned {
			log.Warn("cannot read the process list; command lines will be missing", "error", err)
			warned = true
		}
		if m.names != nil {
			m.names.ahead(m.table)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(m.table.NextInterval()):
		}
	}
}
