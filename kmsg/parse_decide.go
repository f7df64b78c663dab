package kmsg

import (
	"bytes"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// groupTail ends the line that announces a group kill (mm/memcontrol.c,
// mem_cgroup_print_oom_group, 4.19 and newer).
const groupTail = " are going to be killed due to memory.oom.group set"

// manualKey is the last SysRq line that asked for a kill.
type manualKey struct {
	line string
	at   origin
}

// manualWithin is how long after the key the report of its kill may begin: the
// kill is queued work.
const manualWithin = time.Second

// takeFor gives the line of the key when it asked for this report. Kernels
// from 4.3 print order=-1 for such a kill; before, a worker of the kernel asks.
func (m *manualKey) takeFor(t *oomdoc.Trigger, rec *oomdoc.Record) string {
	if m.line == "" || t.Order != -1 && !strings.HasPrefix(t.Comm, "kworker") && !strings.HasPrefix(t.Comm, "events/") {
		return ""
	}
	line, at := m.line, m.at
	if rec.Usec >= 0 && at.usec >= 0 && time.Duration(rec.Usec-at.usec)*time.Microsecond > manualWithin {
		return ""
	}
	m.line = ""
	return line
}

// openReport opens a report with its header.
func (p *Parser) openReport(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	t, ok := parseHeader(text)
	if !ok {
		return
	}
	// One context prints one report at a time, so an open one of the same
	// caller has lost its end.
	if rec.Caller != (oomdoc.Caller{}) {
		if r := p.undecided(rec.Caller); r != nil {
			p.close(r, emit)
		}
	}
	r := p.newReport(rec)
	r.kernel.Trigger, r.begun = t, true
	r.kernel.Manual = p.manual.takeFor(t, rec)
	p.rate.count(rec)
	p.add(r, emit)
	p.took(r, rec)
	if !rec.HasSeq {
		r.hold(jointHeader, rec, text)
	}
}

// openFailure opens the report of a failed allocation, or adds a line to one:
// SLUB tells of the same failure after the page allocator did.
func (p *Parser) openFailure(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	failure, ok := parseFailure(text)
	if !ok {
		return
	}
	if failure.Kind == failureSlub {
		for _, r := range p.open {
			if r.failure && r.caller == rec.Caller && r.kernel.AllocFailure.Kind == failurePage {
				p.took(r, rec)
				return
			}
		}
	}
	r := p.newReport(rec)
	r.failure, r.kernel.AllocFailure = true, failure
	p.add(r, emit)
	p.took(r, rec)
	if !rec.HasSeq {
		r.hold(jointHeader, rec, text)
	}
}

// takeSummary reads the summary line into the report that is waiting for it.
func (p *Parser) takeSummary(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	r := p.undecided(rec.Caller)
	if r != nil && r.kernel.Summary != nil && r.kernel.Summary.HasTask {
		r = nil // that report has its own: this one lost its head
	}
	if r == nil {
		r = p.newReport(rec)
		p.add(r, emit)
	}
	p.took(r, rec)
	r.setSummary(text)
	r.hold(jointSummary, rec, text)
}

func (r *report) setSummary(text []byte) {
	if s, ok := parseSummary(text, r.isTask); ok {
		r.kernel.Summary, r.begun = s, true
	}
}

// takeKill reads a kill line. Where its end is missing the rest of the name
// may follow, so it is held.
func (p *Parser) takeKill(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	k, ok := parseKill(text)
	if !ok {
		return
	}
	r := p.killedIn(&k, rec)
	if r == nil {
		r = p.newReport(rec)
		r.kernel.Suppressed = p.rate.exceeded(rec)
		p.add(r, emit)
	}
	p.took(r, rec)
	if !k.complete {
		r.hold(jointKill, rec, text)
		return
	}
	p.addKill(r, k, originOf(rec), emit)
	if !rec.HasSeq {
		r.hold(jointNumbers, rec, text)
	}
}

// addKill adds a kill to the report. The first one decides it.
func (p *Parser) addKill(r *report, k killLine, from origin, emit func(oomdoc.Event)) {
	kill := k.kill
	kill.Memcg = kill.Memcg || r.chosenMemcg
	kill.AllocatingTask = kill.AllocatingTask || r.chosenAllocating
	kill.Seq, kill.Usec = from.seq, from.usec
	mendPageTables(&kill, r.kernel.KernelVersion)
	r.repeated = r.repeated || r.decided && r.kernel.Kills[0].PID == kill.PID
	if len(r.kernel.Kills) >= p.options.MaxKills {
		r.kernel.KillsCut++
	} else {
		r.kernel.Kills = append(r.kernel.Kills, kill)
	}
	r.dirty = true
	if r.decided {
		return
	}
	r.checkSummary(&kill)
	r.id = killID(&k)
	if p.isRepeat(r) {
		p.drop(r)
		return
	}
	p.decide(r, from, emit)
}

// checkSummary reads the summary again when the kill line gives its process
// another name: a name can hold ",task=".
func (r *report) checkSummary(kill *oomdoc.Kill) {
	s := r.kernel.Summary
	if s == nil || !s.HasTask || s.PID != kill.PID || s.Task == kill.Comm {
		return
	}
	again, ok := parseSummary([]byte(s.Line), func(_ int, comm []byte) bool { return string(comm) == kill.Comm })
	if ok && again.Task == kill.Comm {
		r.kernel.Summary = again
	}
}

// isRepeat tells whether another open report is the same kill: the same log
// read through two forms.
func (p *Parser) isRepeat(r *report) bool {
	for _, other := range p.open {
		if other != r && other.decided && other.id == r.id {
			return true
		}
	}
	return false
}

// drop forgets a report without telling of it.
func (p *Parser) drop(r *report) {
	r.decided, r.begun, r.failure = false, false, false
	r.held = jointNone
	p.close(r, func(oomdoc.Event) {})
}

// decide tells of a report for the first time.
func (p *Parser) decide(r *report, from origin, emit func(oomdoc.Event)) {
	r.decided, r.decider = true, from
	p.waiting = without(p.waiting, r)
	p.calm.narrow(r) // a decided report has less patience
	r.settle(p.options.HostPageSize)
	if r.id == "" {
		r.id = reportID(r)
	}
	for _, other := range p.open {
		if other != r && other.decided && other.id == r.id {
			p.close(other, emit) // reports of a flood can be the same to the byte
			break
		}
	}
	emit(r.event(false))
}

// takeNoVictim reads "Out of memory and no killable processes...".
func (p *Parser) takeNoVictim(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	r := p.undecided(rec.Caller)
	if r == nil {
		r = p.newReport(rec)
		p.add(r, emit)
	}
	p.took(r, rec)
	r.kernel.NoVictim, r.kernel.NoVictimLine = true, keep(text)
	p.decide(r, originOf(rec), emit)
}

// memoryPanics are the words of a panic that is about memory. Any panic right
// after a decided report is told with it: killing init ends the machine too.
var memoryPanics = []string{
	"Out of memory", "out of memory", "System is deadlocked on memory", "Compulsory panic_on_oom",
}

// takePanic reads "Kernel panic - not syncing: ...".
func (p *Parser) takePanic(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	r := p.undecided(rec.Caller)
	if !isMemoryPanic(text) || r == nil {
		if last := p.lastDecided(); last != nil {
			p.took(last, rec)
			last.kernel.Panic, last.dirty = keep(text), true
			return
		}
	}
	if !isMemoryPanic(text) {
		return
	}
	if r == nil {
		r = p.newReport(rec)
		p.add(r, emit)
	}
	p.took(r, rec)
	r.kernel.Panic = keep(text)
	p.decide(r, originOf(rec), emit)
}

func isMemoryPanic(text []byte) bool {
	for _, words := range memoryPanics {
		if bytes.Contains(text, []byte(words)) {
			return true
		}
	}
	return false
}

// lastDecided finds the report that was decided last and is still open.
func (p *Parser) lastDecided() *report {
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i].decided {
			return p.open[i]
		}
	}
	return nil
}

// takeGroup reads the line that announces a group kill: it follows the first
// victim's kill line.
func (p *Parser) takeGroup(rec *oomdoc.Record, text []byte) {
	for i := len(p.open) - 1; i >= 0; i-- {
		r := p.open[i]
		if !r.decided || r.caller != rec.Caller || len(r.kernel.Kills) == 0 || r.kernel.GroupLine != "" {
			continue
		}
		p.took(r, rec)
		r.setGroup(text)
		r.hold(jointGroup, rec, text)
		return
	}
}

func (r *report) setGroup(text []byte) {
	path := text[len(taskGroupMark):]
	path = bytes.TrimSuffix(bytes.TrimRight(path, " "), []byte(groupTail))
	r.kernel.GroupPath, r.kernel.GroupLine = keepPath(path), keep(text)
	r.dirty = true
}

const taskGroupMark = "Tasks in "

// maxReaped is how many oom_reaper lines of a report are kept.
const maxReaped = 64

// takeReaped adds an oom_reaper line to the report of that process.
func (p *Parser) takeReaped(rec *oomdoc.Record, text []byte) {
	pid, ok := reapedPID(text)
	if !ok {
		return
	}
	for _, r := range p.open {
		if r.decided && r.killed(pid) && len(r.kernel.Reaped) < maxReaped {
			p.took(r, rec)
			r.kernel.Reaped = append(r.kernel.Reaped, keep(text))
			r.dirty = true
			return
		}
	}
}
