package classify

import (
	"slices"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

const (
	// askWindow: the kernel kills within this time of being asked by SysRq-f.
	askWindow = 10 * time.Second
	// toldWindow: a unit may take its whole stop timeout to fail after the kill.
	toldWindow = 2 * time.Minute
	// guessWindow: a kill line that names no cgroup is taken for the one that a
	// manager tells of this soon after.
	guessWindow = 10 * time.Second
	// maxSightings is how many incidents are remembered to be matched.
	maxSightings = 64
)

// A sighting is an incident that a manager's word may be about.
type sighting struct {
	incident oomdoc.Incident // without its records
	at       moment
	bare     bool // only the kernel's kill line is known
}

// sightings are the last incidents and the last time that a killer asked the
// kernel to choose.
type sightings struct {
	list []*sighting // oldest first
	ask  *userReading
	// answered says that the kernel's kill was found: it is the ask's incident.
	answered bool
}

func (s *sightings) see(inc oomdoc.Incident, at moment, bare bool) {
	inc.Records = nil // they are told once
	same := func(other *sighting) bool { return other.incident.ID == inc.ID && other.at.compatible(at) }
	if i := slices.IndexFunc(s.list, same); i >= 0 {
		s.list[i] = &sighting{inc, at, bare}
		return
	}
	if len(s.list) == maxSightings {
		s.list = slices.Delete(s.list, 0, 1)
	}
	s.list = append(s.list, &sighting{inc, at, bare})
}

// latest gives the youngest incident that is of the same boot and fits.
func (s *sightings) latest(at moment, window time.Duration, fits func(*sighting) bool) *sighting {
	for i := len(s.list) - 1; i >= 0; i-- {
		seen := s.list[i]
		if seen.at.boot == at.boot && !seen.at.far(at, window) && fits(seen) {
			return seen
		}
	}
	return nil
}

// meet lets a kernel kill's incident take part: one that was asked for belongs to
// the killer that asked.
func (s *sightings) meet(r *reading, inc *oomdoc.Incident, at moment) {
	if s.ask != nil && inc.Cause == oomdoc.CauseRequested && momentOf(s.ask.event).near(at, askWindow) {
		s.ask.claim(inc)
		s.answered = true
	}
	s.see(*inc, at, r.onlyKillLine() && r.taskCgroup() == "")
}

// claim makes a kill that the kernel was asked for the decision of who asked.
func (r *userReading) claim(inc *oomdoc.Incident) {
	inc.Cause, inc.Killer = oomdoc.CausePressureKill, r.kill.Killer
	evidence := append(r.evidence(), proof(r.kill.Line, keyKillAsked, oomdoc.Args{"killer": r.killer()}))
	inc.Evidence = append(evidence, inc.Evidence...)
	confidence, missing := r.grade()
	inc.Confidence = lower(inc.Confidence, confidence)
	inc.Missing = append(slices.Clone(inc.Missing), slices.DeleteFunc(missing, func(s oomdoc.Sentence) bool {
		return s.Key == keyMissingWho || slices.ContainsFunc(inc.Missing, func(m oomdoc.Sentence) bool { return m.Key == s.Key })
	})...)
	if p := inc.Process; p != nil && p.Name != nil {
		inc.Summary = oomdoc.Say(keyUserAvailable, oomdoc.Args{
			"name": processName(*p.Name), "pid": oomdoc.Count(p.PID), "killer": r.killer(),
		})
	}
}

// addUserKill makes the incident of a decision of a killer in user space.
func (j *Joiner) addUserKill(event *oomdoc.Event, facts oomdoc.Facts) []oomdoc.Incident {
	at := momentOf(event)
	before, known := j.told.get(event.ID)
	known = known && before.moment.compatible(at)
	if known && before.covers(event) {
		return nil
	}
	r := &userReading{event: event, kill: event.UserKill, facts: facts}
	switch {
	case r.kill.Told && !known && j.isTold(r, at):
		return j.amendTold(r, at)
	case r.kill.Reason == oomdoc.ReasonAsked:
		if incidents, settled := j.addAsk(r, at); settled {
			return incidents
		}
	}
	inc := diagnoseUserKill(event, facts)
	if !known {
		before.burst = j.joinPool(r.pool(), event.ID, at)
	}
	inc.Burst = before.burst
	before.moment, before.revision, before.final = at, event.Revision, event.Final
	j.told.put(event.ID, before)
	j.killers.see(inc, at, false)
	return []oomdoc.Incident{inc}
}

// pool names the memory that was short: the cgroup whose pressure was too high,
// or the machine's.
func (r *userReading) pool() string {
	if m := r.kill.Monitored; m != "" && m != "/" {
		return r.event.BootID + " cgroup " + m
	}
	return r.event.BootID + " host"
}

// addAsk takes a killer's request to the kernel. The kernel's kill is its
// incident, be it told before or after; only when none is told until the request
// is final does the request stand for it.
func (j *Joiner) addAsk(r *userReading, at moment) (incidents []oomdoc.Incident, settled bool) {
	if r.kill.Witness == oomdoc.WitnessForgeable {
		return nil, true // the kernel's kill tells itself
	}
	s := &j.killers
	if s.ask != nil && s.ask.event.ID == r.event.ID {
		return nil, s.answered || !r.event.Final
	}
	s.ask, s.answered = r, false
	requested := func(seen *sighting) bool { return seen.incident.Cause == oomdoc.CauseRequested }
	if seen := s.latest(at, askWindow, requested); seen != nil && seen.at.near(at, askWindow) {
		r.claim(&seen.incident)
		s.answered = true
		seen.incident.Revision++
		return []oomdoc.Incident{seen.incident}, true
	}
	return nil, !r.event.Final
}

// isTold tells a manager's word of a kill that is an incident already.
func (j *Joiner) isTold(r *userReading, at moment) bool { return j.subject(r, at) != nil }

// subject finds the incident that a manager's word is about: of the process or
// the unit that it names, else a kill line that names neither, right before.
func (j *Joiner) subject(r *userReading, at moment) *sighting {
	named := func(seen *sighting) bool {
		return isVictim(&seen.incident, r.kill.PID) || isOfUnit(seen.incident.Process, r.kill.Unit+r.kill.UserUnit) ||
			isOfJob(seen.incident.Process, r.kill.SlurmJob)
	}
	if seen := j.killers.latest(at, toldWindow, named); seen != nil {
		return seen
	}
	return j.killers.latest(at, guessWindow, func(seen *sighting) bool {
		return seen.bare && r.kill.PID == 0 && seen.at.near(at, guessWindow)
	})
}

// bareNear counts the kill lines that a manager's word may be about: of several
// it does not tell which.
func (s *sightings) bareNear(at moment) (n int) {
	for i := range s.list {
		if seen := s.list[i]; seen.bare && seen.at.boot == at.boot && seen.at.near(at, guessWindow) {
			n++
		}
	}
	return n
}

func isVictim(inc *oomdoc.Incident, pid int) bool {
	return pid != 0 && slices.ContainsFunc(inc.Victims, func(v oomdoc.Victim) bool { return v.PID == pid })
}

func isOfJob(p *oomdoc.Process, job string) bool {
	return p != nil && job != "" && p.OwnerKind == string(oomdoc.OwnerSlurm) && p.Owner == job
}

func isOfUnit(p *oomdoc.Process, unit string) bool {
	if p == nil || unit == "" {
		return false
	}
	return p.Unit == unit || p.UserUnit == unit || strings.HasSuffix(p.Cgroup, "/"+unit) || strings.Contains(p.Cgroup, "/"+unit+"/")
}

// amendTold adds to a kernel kill of which only the kill line is known whose unit
// it was. To others a manager's word adds nothing.
func (j *Joiner) amendTold(r *userReading, at moment) []oomdoc.Incident {
	seen := j.subject(r, at)
	p := seen.incident.Process
	if !seen.bare || p == nil || p.OwnerKind != "" || j.killers.bareNear(at) != 1 {
		return nil
	}
	inc := seen.incident
	owned := *p
	r.setOwner(&owned, "")
	inc.Process = &owned
	evidence, _ := proveTold(r)
	inc.Evidence = append(slices.Clone(inc.Evidence), evidence)
	inc.Revision++
	j.killers.see(inc, seen.at, false)
	return []oomdoc.Incident{inc}
}
