package kmsg

import (
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
)

// How long a report may be quiet. After the kill only group members and the
// reaper (2 s delayed since 5.18) can follow. Before it a slow console can
// hold the kernel up for long in the middle.
const (
	patienceDecided   = 2 * time.Second
	patienceUndecided = 30 * time.Second
	// A clock that runs back by more than this is another boot's.
	backwards = 10 * time.Second
)

func (r *report) patience() time.Duration {
	if r.decided || r.failure {
		return patienceDecided
	}
	return patienceUndecided
}

// pass lets time pass as the record tells it: it closes reports that were
// quiet for long, or of another boot, and counts lost records.
func (p *Parser) pass(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	for i := 0; i < len(p.open); {
		r := p.open[i]
		if r.isOver(rec) {
			p.close(r, emit)
			continue
		}
		if rec.Lost > 0 {
			r.kernel.Lost += rec.Lost
			r.dirty = true
		}
		i++
	}
	p.calm.renew(p.open)
}

func (r *report) isOver(rec *oomdoc.Record) bool {
	if rec.BootID != r.first.bootID {
		return true
	}
	quiet, known := r.quiet(rec)
	return known && (quiet > r.patience() || quiet < -backwards)
}

// quiet is the time between the report's last record and this one.
func (r *report) quiet(rec *oomdoc.Record) (time.Duration, bool) {
	switch {
	case rec.Usec >= 0 && r.lastUsec >= 0:
		return time.Duration(rec.Usec-r.lastUsec) * time.Microsecond, true
	case !rec.Time.IsZero() && !r.lastTime.IsZero():
		return rec.Time.Sub(r.lastTime), true
	}
	return 0, false
}

// add opens a report. When too many are open, the oldest that is decided is
// closed, else the oldest.
func (p *Parser) add(r *report, emit func(oomdoc.Event)) {
	for len(p.open) >= p.options.MaxOpen {
		victim := p.open[0]
		for _, other := range p.open {
			if other.decided {
				victim = other
				break
			}
		}
		p.close(victim, emit)
	}
	p.open = append(p.open, r)
	p.waiting = append(p.waiting, r)
	p.calm.known = false
}

// without takes a report out of a list and keeps the order.
func without(list []*report, r *report) []*report {
	if at := slices.Index(list, r); at >= 0 {
		return slices.Delete(list, at, at+1)
	}
	return list
}

// close tells of the report for the last time, when there is something to tell.
func (p *Parser) close(r *report, emit func(oomdoc.Event)) {
	p.settleHeld(r, emit)
	p.open, p.waiting = without(p.open, r), without(p.waiting, r)
	if p.last == r {
		p.last = nil
	}
	if r.worthTelling() {
		if !r.decided {
			r.settle(p.options.HostPageSize)
			r.id = reportID(r)
		}
		emit(r.event(true))
	}
	p.spare = r.leave()
}

// settleHeld takes a kill line as it is when its end never came.
func (p *Parser) settleHeld(r *report, emit func(oomdoc.Event)) {
	if r.held != jointKill {
		return
	}
	r.held = jointNone
	if k, ok := parseKill(r.heldText); ok {
		p.addKill(r, k, r.heldFrom, emit)
	}
}

// bodyOf finds the report that a line of the body belongs to: of those of the
// same caller (or, where the kernel does not say, of all), the one that began
// last and can still take such a line. Up to 4.1 reports can mix, so one that
// lacks the line goes before one that has it.
func (p *Parser) bodyOf(f *format, rec *oomdoc.Record) *report {
	var last *report
	for i := len(p.waiting) - 1; i >= 0; i-- {
		r := p.waiting[i]
		if r.caller != rec.Caller {
			continue
		}
		if f.oom && r.failure || r.memory > 0 && isMemInfoStart(f) {
			continue
		}
		if f.has == nil || !f.has(r) {
			return r
		}
		if last == nil {
			last = r
		}
	}
	return last
}

func isMemInfoStart(f *format) bool { return f.prefix == "Mem-Info:" || f.prefix == "Mem-info:" }

// undecided finds the newest report of the OOM killer that has no end yet.
func (p *Parser) undecided(caller oomdoc.Caller) *report {
	for i := len(p.waiting) - 1; i >= 0; i-- {
		if r := p.waiting[i]; !r.failure && r.caller == caller {
			return r
		}
	}
	return nil
}

// killedIn finds the report that a kill line belongs to. Its own is the one
// that has the process in its summary or table; then the one whose group is
// being killed; then the oldest that has no kill yet and is not known to be of
// the other kind. nil: it stands alone.
func (p *Parser) killedIn(k *killLine, rec *oomdoc.Record) *report {
	caller := rec.Caller
	pid := k.kill.PID
	for _, r := range p.waiting {
		if !r.failure && r.names(pid) && r.mayKill(k, caller) {
			return r
		}
	}
	for _, r := range p.open {
		if r.decided && r.kernel.GroupPath != "" && r.isMember(k, rec) {
			return r
		}
	}
	for _, r := range p.waiting {
		if !r.failure && r.mayKill(k, caller) && r.expects(k) {
			return r
		}
	}
	return nil
}

// mayKill tells whether the line can be this report's by caller and kind.
func (r *report) mayKill(k *killLine, caller oomdoc.Caller) bool {
	if r.caller != caller {
		return false
	}
	s := r.kernel.Summary
	if s == nil || !s.HasTask || r.chosenMemcg {
		return true
	}
	return k.kill.Memcg == (s.OOMMemcg != "")
}

// expects tells whether the report waits for a kill line of an unknown
// process: up to 5.0 a child can be killed in place of the chosen process, and
// the table may be missing or have lost rows.
func (r *report) expects(k *killLine) bool {
	s := r.kernel.Summary
	if s == nil || !s.HasTask {
		return r.begun || r.kernel.Memory != nil || r.kernel.Memcg != nil
	}
	return k.kill.UID == nil || *k.kill.UID == s.UID
}

// How far apart the kill lines of one group may be. They are printed in one
// loop, but a slow console holds it up. A process that the table does not have
// (forked since, or its row was lost) is less likely one of them, and even less
// once the first victim, which is among them, stood a second time.
const (
	memberWithin   = 500 * time.Millisecond
	memberDoubtful = 10 // divides it, for each doubt
)

// isMember tells whether the process is one of the group that the report says
// is being killed.
func (r *report) isMember(k *killLine, rec *oomdoc.Record) bool {
	kills := r.kernel.Kills
	if r.caller != rec.Caller || len(kills) == 0 {
		return false
	}
	// Up to 5.0 only the line of the choice says whose memory ran out.
	if kills[0].Memcg != k.kill.Memcg && !r.chosenMemcg {
		return false
	}
	if r.killed(k.kill.PID) {
		return true
	}
	within := memberWithin
	if rowOf(r.kernel.Tasks, k.kill.PID) == nil {
		within /= memberDoubtful
		if r.repeated {
			within /= memberDoubtful
		}
	}
	quiet, known := r.quiet(rec)
	return !known || quiet <= within
}
