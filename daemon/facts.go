package daemon

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

// maxFactVictims bounds how many processes of one event are looked up.
const maxFactVictims = 32

// A memory is the rolling snapshot of who runs on this machine, shared by the
// loop that refreshes it and the one that asks it.
type memory struct {
	mu      sync.Mutex
	table   *proc.Table
	machine proc.MachineInfo
}

// facts finds what was known of the processes that an event names.
func (m *memory) facts(ev *oomdoc.Event) oomdoc.Facts {
	if m == nil {
		return oomdoc.Facts{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	facts := oomdoc.Facts{RAMBytes: m.machine.RAMBytes, SwapBytes: &m.machine.SwapTotalBytes}
	if ev.Kernel == nil {
		return facts
	}
	kills := ev.Kernel.Kills
	facts.Processes = make(map[int]oomdoc.ProcessFacts, len(kills))
	for i := range kills[:min(len(kills), maxFactVictims)] {
		kill := &kills[i]
		if found, ok := m.table.Lookup(kill.PID, kill.Comm); ok {
			facts.Processes[kill.PID] = found
		} else if found, ok := m.table.LookupNow(kill.PID, kill.Comm); ok && !ev.Replayed {
			facts.Processes[kill.PID] = found
		}
	}
	return facts
}

// close lets go of /proc, after refresh has ended.
func (m *memory) close() {
	if m != nil {
		_ = m.table.Close() // it was only read
	}
}

// size is how many processes are remembered.
func (m *memory) size() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.table.Len()
}

// refresh keeps the snapshot fresh until ctx ends. The table itself stretches
// the period on a machine where a round is expensive.
func (m *memory) refresh(ctx context.Context, log *slog.Logger) {
	warned := false
	for {
		m.mu.Lock()
		err := m.table.Refresh()
		wait := m.table.NextInterval()
		m.mu.Unlock()
		if err != nil && !warned {
			log.Warn("cannot read the process list; command lines will be missing", "error", err)
			warned = true
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
