package classify

import (
	"slices"

	"github.com/oomdoc/oomdoc"
)

// addProgramError makes the incident of a program's error. That a process was
// killed, which its parent tells, belongs to the kernel's kill where there is one.
func (j *Joiner) addProgramError(event *oomdoc.Event, facts oomdoc.Facts) []oomdoc.Incident {
	at := momentOf(event)
	before, known := j.told.get(event.ID)
	known = known && before.moment.compatible(at)
	if known && before.covers(event) {
		return nil
	}
	if event.Program.Refusal == oomdoc.RefusalKilled {
		if incidents, is := j.amendKilled(event, at); is {
			return incidents
		}
	}
	r := newProgramReading(event, facts)
	inc, is := diagnoseProgram(r)
	if !is {
		return nil
	}
	if !known {
		before.burst = j.joinPool(event.BootID+" program "+r.poolName(), event.ID, at)
	}
	inc.Burst = before.burst
	before.moment, before.revision, before.final = at, event.Revision, event.Final
	j.told.put(event.ID, before)
	return []oomdoc.Incident{inc}
}

// poolName names the memory that ran out: a unit's, a device's.
func (r *programReading) poolName() string {
	name := string(r.e.Pool) + " " + r.e.Unit + r.e.Container
	if r.e.Device != nil {
		name += " " + string(rune('0'+*r.e.Device%64))
	}
	return name
}

// lacksVictim tells a kernel kill of which a manager alone tells, without saying
// which process it was.
func lacksVictim(inc *oomdoc.Incident) bool {
	return inc.Killer == oomdoc.KillerKernel && len(inc.Victims) == 0 && inc.Process != nil && inc.Process.PID == 0 &&
		inc.Process.OwnerKind == string(oomdoc.OwnerSlurm)
}

// amendKilled adds to a kernel kill whose process a program misses: which engine
// it was, and how its end looked from there.
func (j *Joiner) amendKilled(event *oomdoc.Event, at moment) ([]oomdoc.Incident, bool) {
	e := event.Program
	seen := j.killers.latest(at, toldWindow, func(seen *sighting) bool { return isVictim(&seen.incident, e.PID) })
	if seen == nil {
		seen = j.killers.latest(at, guessWindow, func(seen *sighting) bool { return e.PID == 0 || lacksVictim(&seen.incident) })
	}
	if seen == nil { // a job's step, of which it is not told which process died
		seen = j.killers.latest(at, guessWindow, func(seen *sighting) bool {
			p := seen.incident.Process
			return p != nil && p.OwnerKind == string(oomdoc.OwnerSlurm) && len(seen.incident.Victims) == 0
		})
	}
	if seen == nil {
		return nil, false
	}
	inc := seen.incident
	has := func(evidence oomdoc.Evidence) bool { return evidence.Record == e.Line }
	if slices.ContainsFunc(inc.Evidence, has) {
		return nil, true
	}
	if p := inc.Process; p != nil && e.Engine != "" {
		named := *p
		if named.Engine == "" || named.Engine == oomdoc.EnginePython || named.Engine == oomdoc.EngineLlamaCpp {
			named.Engine = e.Engine
		}
		if named.Model == "" {
			named.Model = decoded(e.Model)
		}
		inc.Process = &named
	}
	inc.Evidence = append(slices.Clone(inc.Evidence), proof(e.Line, keyProgramKilled, oomdoc.Args{"signal": oomdoc.Count(9)}))
	inc.Revision++
	j.killers.see(inc, seen.at, seen.bare)
	return []oomdoc.Incident{inc}, true
}
