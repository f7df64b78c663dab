package classify

import "github.com/oomdoc/oomdoc"

// A flood is the open incident of a pool whose reports find nobody to kill: the
// kernel repeats the whole report every few milliseconds until something frees
// memory (knowledge kernel-oom.md 1.8).
type flood struct {
	incident oomdoc.Incident // as the first report made it, without its records
	invoker  string          // who asked, in all of these reports
	last     moment
	count    int
}

// addNoVictim joins such reports: one incident per pool until five seconds of
// quiet. Each report amends it, so that the count is true at any time. The
// place, the numbers and the evidence stay those of the first report.
func (j *Joiner) addNoVictim(r *reading) []oomdoc.Incident {
	at := momentOf(r.event)
	heard, again := j.heard.get(r.event.ID)
	again = again && heard.compatible(at)
	j.heard.put(r.event.ID, at)

	key := poolOf(r)
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
	if r.report.Trigger == nil {
		return false
	}
	at := momentOf(r.event)
	for _, open := range j.floods.values {
		if open.invoker == r.report.Trigger.Comm && open.last.near(at, burstWindow) {
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
	open := &flood{incident: kept, last: at, count: 1}
	if r.report.Trigger != nil {
		open.invoker = r.report.Trigger.Comm
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
