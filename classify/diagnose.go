package classify

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyGroupKill    oomdoc.Key = "evidence.oom-group"
	keyNoKillable   oomdoc.Key = "evidence.no-killable"
	keyNobodyToKill oomdoc.Key = "evidence.nobody-to-kill"
	keyPanicSet     oomdoc.Key = "evidence.panic-set"
	keyPanicNobody  oomdoc.Key = "evidence.panic-nobody"
	keyPanicLine    oomdoc.Key = "evidence.panic"
)

// Diagnose makes the incident of one event by itself: without burst, count, or
// what neighbouring events could tell (see Joiner). Fixes are not in it.
func Diagnose(event oomdoc.Event, facts oomdoc.Facts) oomdoc.Incident {
	return newReading(&event, facts).incident()
}

func (r *reading) incident() oomdoc.Incident {
	v := judge(r)
	v.proveFate(r)
	v.proveRemains(r)
	v.proveGrowth(r)
	v.proveTrend(r)
	v.addRequest(r)
	inc := r.frame()
	inc.Class, inc.Cause = v.class, v.cause
	inc.Confidence, inc.Missing = grade(r, &v)
	inc.Summary = summarize(r, &v)
	inc.Evidence = append([]oomdoc.Evidence{}, v.evidence...) // never nil
	inc.VictimReason = victimReason(r)
	if v.memory != (oomdoc.Memory{}) {
		inc.Memory = &v.memory
	}
	inc.Process = r.process()
	inc.Victims = r.victims()
	inc.Samples = samplesOf(r.victimPID(), r.facts)
	inc.Kernel = r.kernel()
	inc.Selftest = r.isSelftest()
	return inc
}

// frame is what the incident takes over from the event.
func (r *reading) frame() oomdoc.Incident {
	ev := r.event
	inc := oomdoc.Incident{
		ID: ev.ID, Time: ev.Time, TimeApproximate: ev.TimeApproximate, BootID: ev.BootID,
		Source: ev.Source, Outcome: r.outcome(),
		Seq: ev.DecisiveSeq, HasSeq: ev.HasSeq, Usec: ev.Usec, Read: ev.Read, Replayed: ev.Replayed,
		Revision: ev.Revision, Final: ev.Final, Records: ev.Records,
		Fixes: []oomdoc.Fix{},
	}
	if inc.Outcome == oomdoc.OutcomeKilled {
		inc.Killer = oomdoc.KillerKernel
	}
	return inc
}

func (r *reading) outcome() oomdoc.Outcome {
	switch fateOf(r) {
	case fatePanic:
		return oomdoc.OutcomePanic
	case fateNobody, fateRefused: // whether the program went on after it the log does not tell
		return oomdoc.OutcomeDegraded
	}
	return oomdoc.OutcomeKilled
}

// proveFate adds what became of the group or the machine.
func (v *verdict) proveFate(r *reading) {
	p := r.report
	if p.GroupPath != "" {
		v.prove(p.GroupLine, keyGroupKill, oomdoc.Args{
			"cgroup": name(p.GroupPath), "n": oomdoc.Count(r.others() + 1),
		})
	}
	switch {
	case p.NoVictim && r.listed() == 0:
		v.prove(p.NoVictimLine, keyNobodyToKill, nil)
	case p.NoVictim:
		v.prove(p.NoVictimLine, keyNoKillable, oomdoc.Args{"n": oomdoc.Count(r.listed())})
	}
	if p.Panic != "" {
		v.prove(p.Panic, panicKey(p.Panic), nil)
	}
}

// panicKey says why the kernel panicked, where its line does (mm/oom_kill.c,
// check_panic_on_oom and out_of_memory, of all versions).
func panicKey(line string) oomdoc.Key {
	switch {
	case strings.Contains(line, "panic_on_oom"):
		return keyPanicSet
	case strings.Contains(line, "deadlocked on memory"), strings.Contains(line, "no killable processes"):
		return keyPanicNobody
	}
	return keyPanicLine
}

// addRequest fills in how much was asked for.
func (v *verdict) addRequest(r *reading) {
	if f := r.report.AllocFailure; r.isFailure() && f.Kind != failurePage && f.Bytes != nil {
		v.memory.RequestedBytes = f.Bytes
	} else if size, known := r.requested(); known {
		v.memory.RequestedBytes = new(size)
	}
}

func (r *reading) victims() []oomdoc.Victim {
	var victims []oomdoc.Victim
	for _, kill := range distinctKills(r.report.Kills) {
		victims = append(victims, oomdoc.Victim{PID: kill.PID, Name: decoded(kill.Comm), RSSBytes: kill.RSS()})
	}
	return victims
}

// kernel is what the kernel said of the request; only what was read.
func (r *reading) kernel() *oomdoc.KernelContext {
	k := oomdoc.KernelContext{
		Constraint: r.constraint(),
		PageSize:   r.page(),
		OOMCgroup:  decoded(r.limitCgroup()),
		TaskCgroup: decoded(r.taskCgroup()),
	}
	if t := r.trigger; t != nil {
		k.Order, k.GFP, k.Invoker = new(t.Order), gfpText(t), invoker(t)
	}
	if k == (oomdoc.KernelContext{}) {
		return nil
	}
	return &k
}
