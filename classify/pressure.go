package classify

import (
	"cmp"

	"strings"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

const (
	keyMissingWriter    oomdoc.Key = "missing.killer-writer"
	keyMissingForgeable oomdoc.Key = "missing.killer-forgeable"
	keyMissingWhy       oomdoc.Key = "missing.killer-why"
	keyMissingWho       oomdoc.Key = "missing.killer-who"
	keyMissingKernelLog oomdoc.Key = "missing.kernel-log"
)

// A userReading is one decision of a killer in user space with what was known of
// its victim.
type userReading struct {
	event *oomdoc.Event
	kill  *oomdoc.UserKill
	facts oomdoc.Facts
}

// diagnoseUserKill makes the incident of a decision (EventUserKill), or of a
// manager's word of a kernel kill that no line of the kernel's tells of.
func diagnoseUserKill(event *oomdoc.Event, facts oomdoc.Facts) oomdoc.Incident {
	r := &userReading{event: event, kill: event.UserKill, facts: facts}
	inc := r.frame()
	inc.Process = r.process()
	inc.Victims = r.victims()
	if memory := r.memory(); memory != (oomdoc.Memory{}) {
		inc.Memory = &memory
	}
	inc.Evidence = r.evidence()
	inc.Confidence, inc.Missing = r.grade()
	inc.Summary = r.summary()
	return inc
}

func (r *userReading) frame() oomdoc.Incident {
	ev := r.event
	inc := oomdoc.Incident{
		ID: ev.ID, Time: ev.Time, TimeApproximate: ev.TimeApproximate, BootID: ev.BootID, Source: ev.Source,
		Class: oomdoc.ClassHostRAM, Cause: oomdoc.CausePressureKill, Outcome: oomdoc.OutcomeKilled, Killer: r.kill.Killer,
		Seq: ev.DecisiveSeq, HasSeq: ev.HasSeq, Usec: ev.Usec, Read: ev.Read, Replayed: ev.Replayed,
		Revision: ev.Revision, Final: ev.Final, Records: ev.Records,
		Fixes: []oomdoc.Fix{},
	}
	if r.kill.Told { // which memory ran out the lines do not say
		inc.Cause = oomdoc.CauseUndecided
	}
	return inc
}

// process is the victim, or the unit, cgroup or pod of which all died.
func (r *userReading) process() *oomdoc.Process {
	k := r.kill
	p := &oomdoc.Process{PID: k.PID, UID: k.UID}
	switch {
	case k.Comm != nil:
		p.Name = new(decoded(*k.Comm))
	case k.Task != "": // Ray's workers name themselves so (setproctitle)
		p.Name = new("ray::" + decoded(k.Task))
	}
	sampled := r.facts.Processes[k.PID]
	p.Cmdline = sampled.Cmdline
	if len(p.Cmdline) == 0 && k.Cmdline != "" {
		p.Cmdline = proc.MaskSecrets(strings.Fields(decoded(k.Cmdline)))
	}
	r.setOwner(p, sampled.Cgroup)
	if k.Killer == oomdoc.KillerRay {
		p.Engine = "ray"
	} else if p.Name != nil {
		p.Engine = engineOf(*p.Name, p.Cmdline)
	}
	if p.PID == 0 && p.Name == nil && p.OwnerKind == "" {
		return nil
	}
	return p
}

// setOwner names who was killed, from the path that the killer names, else the
// one that the process was sampled in, else the unit or pod by itself.
func (r *userReading) setOwner(p *oomdoc.Process, sampled string) {
	k := r.kill
	path := k.Cgroup
	if path == "" {
		path = sampled
	}
	switch {
	case path != "":
		setOwner(p, OwnerOf(path, r.facts))
		nameContainer(p, path, r.facts)
		p.Cgroup = decoded(path)
	case k.Unit != "":
		p.Unit, p.OwnerKind, p.Owner = decoded(k.Unit), string(oomdoc.OwnerUnit), decoded(k.Unit)
	case k.UserUnit != "":
		p.UserUnit, p.OwnerKind, p.Owner = decoded(k.UserUnit), string(oomdoc.OwnerUserUnit), decoded(k.UserUnit)
	case k.SlurmJob != "":
		p.OwnerKind, p.Owner = string(oomdoc.OwnerSlurm), decoded(k.SlurmJob)
	case k.Pod != "":
		p.OwnerKind, p.Owner = string(oomdoc.OwnerPod), decoded(k.Pod)
	case k.Container != "":
		p.OwnerKind, p.Owner = string(oomdoc.OwnerContainer), decoded(k.Container)
	}
	p.PodName, p.Namespace = cmp.Or(decoded(k.Pod), p.PodName), cmp.Or(decoded(k.Namespace), p.Namespace)
	p.ContainerName = cmp.Or(decoded(k.Container), p.ContainerName)
}

func (r *userReading) victims() []oomdoc.Victim {
	k := r.kill
	if k.PID == 0 || k.Comm == nil && k.Task == "" {
		return nil
	}
	victim := oomdoc.Victim{PID: k.PID, RSSBytes: k.RSS}
	if k.Comm != nil {
		victim.Name = decoded(*k.Comm)
	} else {
		victim.Name = "ray::" + decoded(k.Task)
	}
	return []oomdoc.Victim{victim}
}

// memory are the numbers of the machine, and what the victim held.
func (r *userReading) memory() oomdoc.Memory {
	k := r.kill
	m := oomdoc.Memory{
		UsedBytes: k.MemUsed, FreeBytes: k.MemAvailable, RSSBytes: k.RSS,
		SwapTotalBytes: k.SwapTotal, SwapFreeBytes: k.SwapFree,
	}
	if k.SwapTotal != nil && k.SwapUsed != nil {
		m.SwapFreeBytes = new(max(0, *k.SwapTotal-*k.SwapUsed))
	}
	if k.Using != nil { // a container's own use
		m.RSSBytes = nil
	}
	if k.Reason == oomdoc.ReasonUsage && k.MemTotal != nil && k.MemLimit != nil {
		m.LimitBytes = new(int64(float64(*k.MemTotal) * *k.MemLimit / 100))
	}
	return m
}

// grade says how sure it is: as far as it is known who wrote the lines. What
// does not name its writer counts for more when its own numbers agree: one line
// is soon made up, one whose numbers show what it claims less so.
func (r *userReading) grade() (oomdoc.Confidence, []oomdoc.Sentence) {
	var missing []oomdoc.Sentence
	lack := func(key oomdoc.Key) { missing = append(missing, oomdoc.Say(key, nil)) }
	confidence := oomdoc.Certain
	switch r.kill.Witness {
	case oomdoc.WitnessForgeable:
		confidence = oomdoc.Possible
		lack(keyMissingForgeable)
	case oomdoc.WitnessUnnamed:
		confidence = oomdoc.Possible
		if r.agrees() {
			confidence = oomdoc.Likely
		}
		lack(keyMissingWriter)
	case oomdoc.WitnessNamed:
		confidence = oomdoc.Likely
		lack(keyMissingTrust)
	}
	switch {
	case r.kill.Teller == oomdoc.TellerCounter:
		confidence = oomdoc.Likely
		lack(keyMissingKernelLog)
	case r.kill.Told:
		confidence = oomdoc.Possible
		lack(keyMissingKernelLog)
	case !r.hasNumbers():
		confidence = lower(confidence, oomdoc.Possible)
		lack(keyMissingWhy)
	}
	if r.process() == nil {
		lack(keyMissingWho)
	}
	return confidence, missing
}

// agrees tells numbers that show what the line claims.
func (r *userReading) agrees() bool {
	k := r.kill
	switch {
	case k.Pressure != nil && k.PressureLimit != nil:
		return *k.Pressure >= *k.PressureLimit
	case k.MemAvailable != nil && k.MemLimitBytes != nil:
		return *k.MemAvailable <= *k.MemLimitBytes
	case k.MemAvailable != nil && k.MemTotal != nil && k.MemLimit != nil:
		return percent(*k.MemAvailable, *k.MemTotal) <= *k.MemLimit
	case k.MemUsed != nil && k.MemTotal != nil && k.MemLimit != nil:
		return percent(*k.MemUsed, *k.MemTotal) >= *k.MemLimit
	}
	return false
}

// hasNumbers tells a decision of which a number is known: why, or of what size
// the victim was.
func (r *userReading) hasNumbers() bool {
	k := r.kill
	for _, size := range []*int64{k.MemAvailable, k.MemUsed, k.MemLimitBytes, k.SwapUsed, k.RSS, k.Using} {
		if size != nil {
			return true
		}
	}
	return k.Pressure != nil || k.PressureLimit != nil || k.MemLimit != nil || k.SwapLimit != nil || k.Processes != nil
}
