package classify

import (
	"cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

// A programReading is one program's own error with what was known of it.
type programReading struct {
	event *oomdoc.Event
	e     *oomdoc.ProgramError
	facts oomdoc.Facts
	vram  vram
}

func newProgramReading(event *oomdoc.Event, facts oomdoc.Facts) *programReading {
	return &programReading{event: event, e: event.Program, facts: facts, vram: measure(event.Program)}
}

// diagnoseProgram makes the incident of a program's error (EventProgramError),
// and gives none for what only looks like one.
func diagnoseProgram(r *programReading) (oomdoc.Incident, bool) {
	v, is := judgeProgram(r)
	if !is {
		return oomdoc.Incident{}, false
	}
	ev := r.event
	inc := oomdoc.Incident{
		ID: ev.ID, Time: ev.Time, TimeApproximate: ev.TimeApproximate, BootID: ev.BootID, Source: ev.Source,
		Class: v.class, Cause: v.cause, Outcome: r.e.Outcome,
		Seq: ev.DecisiveSeq, HasSeq: ev.HasSeq, Usec: ev.Usec, Read: ev.Read, Replayed: ev.Replayed,
		Revision: ev.Revision, Final: ev.Final, Records: ev.Records,
		Fixes: []oomdoc.Fix{},
	}
	inc.Process = r.process()
	inc.GPU = r.gpu()
	inc.Memory = r.memory()
	inc.Holders = r.holders()
	r.proveContext(&v)
	r.proveSampled(&v)
	inc.Samples = r.samples()
	inc.Evidence = v.evidence
	inc.Confidence, inc.Missing = r.grade(&v)
	inc.Summary = r.summary(&v)
	inc.Quiet = r.e.Outcome == oomdoc.OutcomeDegraded || r.e.Refusal == oomdoc.RefusalKilled
	return inc, true
}

// process is the program that failed.
func (r *programReading) process() *oomdoc.Process {
	e := r.e
	p := &oomdoc.Process{PID: e.PID, UID: e.UID, Engine: e.Engine, Model: decoded(e.Model)}
	if e.Name != "" {
		p.Name = new(decoded(e.Name))
	}
	addSampled(p, r.facts)
	path := cmp.Or(e.Cgroup, r.facts.Processes[e.PID].Cgroup)
	switch {
	case path != "":
		setOwner(p, proc.OwnerOf(path))
		nameContainer(p, path, r.facts)
		p.Cgroup = decoded(path)
	case e.Unit != "":
		p.Unit, p.OwnerKind, p.Owner = decoded(e.Unit), string(oomdoc.OwnerUnit), decoded(e.Unit)
	case e.UserUnit != "":
		p.UserUnit, p.OwnerKind, p.Owner = decoded(e.UserUnit), string(oomdoc.OwnerUserUnit), decoded(e.UserUnit)
	case e.Pod != "":
		p.OwnerKind, p.Owner = string(oomdoc.OwnerPod), decoded(e.Pod)
	case e.ContainerName != "" || e.Container != "":
		p.OwnerKind, p.Owner = string(oomdoc.OwnerContainer), decoded(firstOf(e.ContainerName, e.Container))
	}
	p.PodName, p.Namespace = cmp.Or(decoded(e.Pod), p.PodName), cmp.Or(decoded(e.Namespace), p.Namespace)
	if p.Container == "" {
		p.Container = decoded(e.Container)
	}
	p.ContainerName = cmp.Or(decoded(e.ContainerName), p.ContainerName)
	return p
}

func firstOf(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return ""
}

// gpu is the device, as far as the program names it.
func (r *programReading) gpu() *oomdoc.GPU {
	if !r.onDevice() {
		return nil
	}
	g := oomdoc.GPU{Index: r.e.Device, TotalBytes: r.e.Total}
	if r.e.Total != nil {
		g.FreeBytes = r.e.Free
	}
	if d := r.facts.Device; d != nil {
		index := d.Index
		g.Index, g.UUID, g.Name = &index, decoded(d.UUID), decoded(d.Name)
	}
	if g == (oomdoc.GPU{}) {
		return nil
	}
	return &g
}

// memory are the numbers of the pool that refused.
func (r *programReading) memory() *oomdoc.Memory {
	e := r.e
	m := oomdoc.Memory{
		RequestedBytes: e.Requested, FreeBytes: e.Free, AllocatedBytes: e.Allocated, LimitBytes: e.Allowed, UsedBytes: e.Own,
	}
	if m.LimitBytes == nil {
		m.LimitBytes = e.Limit
	}
	if m.AllocatedBytes == nil {
		m.AllocatedBytes = e.InUse
	}
	if e.Allocated != nil && e.Unallocated != nil {
		m.ReservedBytes = new(*e.Allocated + *e.Unallocated)
	}
	// What the plan found free was so before the weights were loaded: it tells what
	// was free for the request only where that could not have fitted then either.
	if plan := e.Clue(oomdoc.CluePlanFree); m.FreeBytes == nil && plan != nil && plan.Bytes != nil && e.Requested != nil && *plan.Bytes < *e.Requested {
		m.FreeBytes = plan.Bytes
	}
	if free := m.FreeBytes; free != nil && *free < 0 { // what was left for the KV cache can be below nothing
		m.FreeBytes = nil
	}
	if m == (oomdoc.Memory{}) {
		return nil
	}
	return &m
}

func (r *programReading) holders() []oomdoc.Holder {
	var holders []oomdoc.Holder
	for _, h := range r.e.Holders {
		name := ""
		if process, known := r.facts.Processes[h.PID]; known && (process.Comm != "" || len(process.Cmdline) > 0) {
			name = r.nameOf(h.PID)
		}
		holders = append(holders, oomdoc.Holder{PID: h.PID, Name: name, Bytes: h.Bytes})
	}
	return holders
}

// onDevice tells memory of a GPU that is not the machine's own.
func (r *programReading) onDevice() bool {
	return r.e.Pool == oomdoc.PoolDevice && r.e.Clue(oomdoc.ClueUnified) == nil
}

// grade says how sure it is. What has no number is not proven (DESIGN: evidence
// is a sentence with a number).
func (r *programReading) grade(v *programVerdict) (oomdoc.Confidence, []oomdoc.Sentence) {
	confidence, missing := v.ceiling, v.missing
	if confidence == "" {
		confidence = oomdoc.Certain
	}
	if r.e.Witness == oomdoc.WitnessForgeable {
		confidence = oomdoc.Possible
	}
	if !hasNumber(v.evidence) {
		confidence = lower(confidence, oomdoc.Possible)
		missing = append(missing, oomdoc.Say(keyProgramNoSizes, nil))
	}
	return confidence, missing
}
