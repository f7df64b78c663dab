package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// What the formats of the body do. Each tells whether the line was what its
// start promised; the section that follows is set by those that begin one.

func (r *report) takeCPU(text []byte) bool {
	comm := ""
	if r.kernel.Trigger != nil {
		comm = r.kernel.Trigger.Comm
	} else if r.kernel.AllocFailure != nil {
		comm = r.kernel.AllocFailure.Comm
	}
	c, ok := parseCPU(text, comm)
	if !ok {
		return false
	}
	if c.version != "" {
		r.kernel.KernelVersion = c.version
	}
	r.cpuSeen = true
	if t := r.kernel.Trigger; t != nil {
		t.TID, t.UID = c.tid, c.uid
		r.tasks.keepPID = c.tid
	} else if f := r.kernel.AllocFailure; f != nil {
		f.TID = c.tid
		if f.Comm == "" { // of a kind whose first line does not name the thread
			f.Comm = c.comm
		}
	}
	return true
}

// What tells that a report has a line of which there is one.

func (r *report) hasCPU() bool       { return r.cpuSeen }
func (r *report) hasChosen() bool    { return r.kernel.Chosen != nil }
func (r *report) hasLimitLine() bool { return r.kernel.Summary != nil }
func (r *report) hasTable() bool     { return r.tasks.columns != nil }
func (r *report) hasUsage() bool     { return r.kernel.Memcg != nil && r.kernel.Memcg.Usage != nil }
func (r *report) hasMemsw() bool     { return r.kernel.Memcg != nil && r.kernel.Memcg.MemswUsage != nil }
func (r *report) hasSwap() bool      { return r.kernel.Memcg != nil && r.kernel.Memcg.SwapUsage != nil }
func (r *report) hasKmem() bool      { return r.kernel.Memcg != nil && r.kernel.Memcg.KmemUsage != nil }

func (r *report) takeHardware(text []byte) bool {
	r.kernel.Hardware = keep(text[len("Hardware name: "):])
	return true
}

func (r *report) takeModules(text []byte) bool {
	r.kernel.Modules = keep(bytes.TrimSpace(text[len("Modules linked in:"):]))
	return true
}

func (r *report) takeTrace([]byte) bool {
	r.section = sectionStack
	return true
}

func (r *report) takeMemInfo([]byte) bool {
	r.mem()
	r.memory++
	return true
}

func (r *report) takeCounters(text []byte) bool {
	m := r.mem()
	if m.Counters == nil {
		m.Counters = make(map[string]int64, 32)
	}
	if !readCounters(m.Counters, text) {
		return false
	}
	m.CountersLine = keep(text)
	r.section = sectionCounters
	return true
}

func (r *report) takeNodeLine(text []byte) bool {
	m := r.kernel.Memory
	if m == nil {
		m = new(oomdoc.MemInfo)
	}
	if !readNodeLine(m, text) {
		return false
	}
	r.kernel.Memory = m
	return true
}

func (r *report) takeReserve(text []byte) bool {
	readReserve(r.mem(), text)
	return true
}

func (r *report) takeSwap(text []byte) bool { return readSwap(r.mem(), text) }

func (r *report) takeSlabHead([]byte) bool {
	r.section = sectionSlab
	return true
}

func (r *report) takeAllocationsHead([]byte) bool {
	r.section = sectionAllocations
	return true
}

func (r *report) takeProtection(text []byte) bool {
	readProtection(r.mem(), text)
	return true
}

func (r *report) takeUsage(text []byte) bool { return readUsage(r.cgroup(), text) }

func (r *report) takeStatsHead(text []byte) bool {
	readStatsHead(r.cgroup(), text)
	r.section = sectionStats
	return true
}

func (r *report) takeTasksTitle([]byte) bool { return true }

func (r *report) takeTaskHeader(text []byte) bool {
	columns, ok := parseTaskHeader(text)
	if !ok {
		return false
	}
	r.kernel.TasksLine = keep(text)
	r.tasks.columns = columns
	r.section = sectionTasks
	return true
}

func (r *report) takeLimitLine(text []byte) bool {
	s, ok := parseLimitLine(text)
	if ok {
		r.kernel.Summary = s
	}
	return ok
}

// takeChosen notes whose memory ran out and how the process was chosen.
func (r *report) takeChosen(text []byte) bool {
	c, ok := parseChosen(text)
	if !ok {
		return false
	}
	if r.kernel.Chosen == nil {
		r.kernel.Chosen = c
	}
	r.chosenMemcg = bytes.HasPrefix(text, []byte("Memory cgroup "))
	r.chosenAllocating = bytes.HasPrefix(text, []byte("Out of memory (oom_kill_allocating_task)"))
	r.begun = true
	return true
}

func (r *report) takeSlubCache(text []byte) bool {
	if r.kernel.AllocFailure == nil || r.kernel.AllocFailure.Kind != failureSlub {
		return false
	}
	readSlubCache(r.kernel.AllocFailure, text)
	return true
}

// takeRow reads a line that has no fixed start, by the section it stands in. A
// line that is not of the section ends it only where the kernel prints a
// section in one go.
func (r *report) takeRow(text []byte) bool {
	switch r.section {
	case sectionStack:
		return isStackMark(text) || takeFrame(r.kernel, text, &r.texts)
	case sectionCounters:
		return r.takeMoreCounters(text)
	case sectionStats:
		return readStats(r.cgroup(), text, &r.texts)
	case sectionTasks:
		return r.tasks.take(text)
	case sectionSlab:
		return bytes.HasPrefix(text, []byte("Name ")) || readSlabCache(r.mem(), text)
	case sectionAllocations:
		return r.takeAllocation(text)
	}
	return false
}

// isStackMark tells the " <TASK>" and " <IRQ>" lines of x86.
func isStackMark(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 2 && text[0] == '<' && text[len(text)-1] == '>'
}

func (r *report) takeMoreCounters(text []byte) bool {
	m := r.mem()
	if !readCounters(m.Counters, text) {
		return false
	}
	if len(m.CountersLine) < maxLine {
		m.CountersLine += "\n" + keep(text)
	}
	return true
}

func (r *report) takeAllocation(text []byte) bool {
	if !isAllocationRow(text) {
		return false
	}
	if m := r.mem(); len(m.Allocations) < maxAllocations {
		m.Allocations = append(m.Allocations, keep(bytes.TrimSpace(text)))
	}
	return true
}

// parseChosen reads "...: Kill process PID (NAME) score N or sacrifice child",
// the name from the right.
func parseChosen(text []byte) (*oomdoc.Chosen, bool) {
	value, found := after(text, "ill process ")
	if !found {
		return nil, false
	}
	pid, rest, ok := small(value)
	if !ok || pid <= 0 {
		return nil, false
	}
	c := &oomdoc.Chosen{PID: pid, Memcg: bytes.HasPrefix(text, []byte("Memory cgroup ")), Line: keep(text)}
	name, found := bytes.CutPrefix(rest, []byte(" ("))
	if end := bytes.LastIndex(name, []byte(") score")); found && end >= 0 {
		c.Comm = string(cutComm(name[:end]))
	}
	return c, true
}
