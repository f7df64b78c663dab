package proc

import (
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
)

const (
	// nearLargest is how many of the largest processes are looked at closely.
	nearLargest = 20
	// maxWatched bounds those that use a GPU.
	maxWatched = 64
	// nearParents is how many generations of those that started a process are
	// looked at: a server's worker, its engine, the server, the shell or shim.
	nearParents = 4
	// maxNear bounds all of them.
	maxNear = 112
	// nearCmdline is how many times as much of their command lines is kept: a
	// server's has its settings anywhere in it.
	nearCmdline = 4
)

// Watch says which processes use a GPU: they are looked at closely however small
// they are in RAM. It replaces what was said before.
func (t *Table) Watch(pids []int) {
	kept := slices.Clone(pids[:min(len(pids), maxWatched)])
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watched = kept
}

// Closed is how many of the processes that are looked at closely may not be: they
// are other users'.
func (t *Table) Closed() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

// lookClosely takes in the largest processes, those that are watched and those
// that started either, and looks into them.
func (t *Table) lookClosely(now time.Time) {
	t.near = t.near[:0]
	most := min(maxNear, t.seats.limit)
	for _, seat := range t.seats.taken[:min(nearLargest, len(t.seats.taken))] {
		t.approach(seat.pid, seat.pages, most, now)
	}
	t.mu.Lock()
	watched := t.watched
	t.mu.Unlock()
	for _, pid := range watched {
		t.approachPID(pid, most, now)
	}
	from := 0
	for range nearParents {
		until := len(t.near)
		for _, e := range t.near[from:until] {
			if e.facts.Parent > 1 {
				t.approachPID(e.facts.Parent, most, now)
			}
		}
		from = until
	}
	closed := 0
	for _, e := range slices.Backward(t.near) { // parents first: a child is called after them
		t.lookInto(e, now)
		if e.inside.closed {
			closed++
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = closed
}

func (t *Table) approachPID(pid, most int, now time.Time) {
	if statm, err := t.reader.dir.read(pid, "statm"); err == nil {
		if pages, is := residentPages(statm); is {
			t.approach(pid, pages, most, now)
		}
	}
}

// approach takes a process in, unless it is one already.
func (t *Table) approach(pid int, pages int64, most int, now time.Time) {
	if len(t.near) >= most || t.live[pid] != nil && t.live[pid].round == t.round {
		return
	}
	t.see(pid, pages, now)
	if e := t.live[pid]; e != nil && e.round == t.round {
		t.near = append(t.near, e)
	}
}

// lookInto notes how large a process is, and reads what it has inside where that
// may have changed.
func (t *Table) lookInto(e *entry, now time.Time) {
	in := e.inside
	if in == nil {
		in = &inside{}
	}
	pages := e.facts.RSSBytes / t.pageSize
	facts := e.facts
	if in.isDue(pages, now.Sub(e.facts.StartTime)) {
		t.readInside(e, in, &facts)
	} else if pages != in.pages {
		if text, err := t.reader.dir.read(facts.PID, "status"); err == nil {
			facts.SwapBytes = swapBytes(text)
		}
	}
	if parent := t.live[facts.Parent]; parent != nil {
		facts.Engine = EngineOf(&facts, in.library, parent.facts.Engine)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	in.trend.add(now, pages)
	e.facts, e.inside = facts, in
}

// readInside reads what a process has inside. What is read of another process that
// has taken its pid meanwhile is thrown away.
func (t *Table) readInside(e *entry, in *inside, facts *oomdoc.ProcessFacts) {
	found := t.reader.look(facts.PID, !in.read)
	status, err := t.reader.dir.read(facts.PID, "status")
	if err == nil {
		facts.SwapBytes = swapBytes(status)
	}
	if n := len(facts.Cmdline); n > 0 && facts.Cmdline[n-1] == cutMark && !in.read {
		if text, err := t.reader.dir.read(facts.PID, "cmdline"); err == nil {
			facts.Cmdline = commandLine(text, len(text) == fileSize, nearCmdline*t.options.MaxCmdline)
		}
	}
	if stat, is := t.reader.stat(facts.PID); !is || stat.start != e.start {
		*facts = e.facts
		return
	}
	if found.exe != "" && in.exe != "" && found.exe != in.exe {
		facts.Models, in.library = nil, "" // another program
	}
	if found.exe != "" {
		in.exe, facts.Exe = found.exe, found.exe
	}
	if found.dir != "" {
		facts.Dir = found.dir
	}
	if found.env != nil {
		facts.Env = found.env
	}
	if found.library != "" {
		in.library = found.library
	}
	if len(found.models) > 0 || len(facts.Models) > 0 {
		facts.Models = mergeModels(found.models, facts.Models)
	}
	in.read, in.closed, in.pages = true, found.closed, facts.RSSBytes/t.pageSize
	facts.Engine = EngineOf(facts, in.library, "")
}
