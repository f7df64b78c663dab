package classify

import (
	"fmt"

	"github.com/oomdoc/oomdoc"
)

// A flood is the open incident of reports that tell of one failure again and
// again: of a pool where nobody can be killed, which the kernel tells every few
// milliseconds until something frees memory (knowledge kernel-oom.md 1.8), or of
// a program that is refused memory.
type flood struct {
	incident oomdoc.Incident // as the first report made it, without its records
	invoker  string          // who asked, in all of these reports
	failure  bool            // of a request that failed, not of a kill without a victim
	last     moment
	count    int
}

// addNoVictim joins reports without a victim: one incident per pool.
func (j *Joiner) addNoVictim(r *reading) []oomdoc.Incident {
	return j.addRepeating(poolOf(r), r)
}

// addFailure joins failed allocations of one program and one size. One that
// names no shortage is none (matters), and one within a burst of a kill for the
// machine's memory is that kill's.
func (j *Joiner) addFailure(r *reading) []oomdoc.Incident {
	if !r.matters() || j.last.killedNear(momentOf(r.event)) {
		return nil
	}
	key := fmt.Sprintf("%s failure %d %s", r.event.BootID, r.order(), r.trigger.Comm)
	return j.addRepeating(key, r)
}

// addRepeating joins reports of one key: one incident until five seconds of
// quiet. Each report amends it, so that the count is true at any time. The
// place, the numbers and the evidence stay those of the first report.
func (j *Joiner) addRepeating(key string, r *reading) []oomdoc.Incident {
	at := momentOf(r.event)
	heard, again := j.heard.get(r.event.ID)
	again = again && heard.compatible(at)
	j.heard.put(r.event.ID, at)

	open, known := j.floods.get(key)
	known = known && !open.last.far(at, burstWindow)
	switch {
	case again && known && open.count == 1 && open.incident.ID == r.event.ID:
		return []oomdoc.Incident{j.reopen(key, r, open.incident.Burst, at)}
	case again:
		return nil
	case !known:
		return []oomdoc.Incident{j.reopen(key, r, j.join(r, at), at)}
	}
	open.count, open.last = open.count+1, at
	return []oomdoc.Incident{open.amended()}
}

// isOfFlood tells a report of which only the head came through, in the middle
// of a flood of reports of the same process: the rest would have said that
// there was nobody to kill.
func (j *Joiner) isOfFlood(r *reading) bool {
	if r.trigger == nil {
		return false
	}
	at := momentOf(r.event)
	for _, open := range j.floods.values {
		if !open.failure && open.invoker == r.trigger.Comm && open.last.near(at, burstWindow) {
			return true
		}
	}
	return false
}

// reopen makes the incident of the first report, or makes it again when that
// report is told with more in it.
func (j *Joiner) reopen(key string, r *reading, burst string, at moment) oomdoc.Incident {
	inc := r.incident()
	inc.Burst, inc.Count = burst, 1
	kept := inc
	kept.Records = nil // they are told once
	open := &flood{incident: kept, failure: r.isFailure(), last: at, count: 1}
	if r.trigger != nil {
		open.invoker = r.trigger.Comm
	}
	j.floods.put(key, open)
	return inc
}

// amended is the incident with its count. Revisions go on from those of the
// first report, which are few.
func (f *flood) amended() oomdoc.Incident {
	inc := f.incident
	inc.Count = f.count
	inc.Revision += f.count
	inc.Fixes = []oomdoc.Fix{}
	return inc
}
