package classify

import (
	"strings"

	"fmt"

	"github.com/oomdoc/oomdoc"
)

// process is the victim, or the program that was refused memory: what the log
// and the facts know of it. Without one there is none.
func (r *reading) process() *oomdoc.Process {
	if r.isFailure() {
		return r.refused()
	}
	comm, known := r.victimName()
	if !known {
		return nil
	}
	p := &oomdoc.Process{PID: r.victimPID(), Name: new(comm), UID: r.victimUID()}
	addSampled(p, r.facts)
	path := r.taskCgroup()
	if path == "" {
		path = r.sampledCgroup()
	}
	if path != "" {
		setOwner(p, OwnerOf(path, r.facts))
		nameContainer(p, path, r.facts)
		p.Cgroup = decoded(path)
	}
	return p
}

// refused is the program whose request failed. Its pid is that of the thread.
func (r *reading) refused() *oomdoc.Process {
	if r.trigger == nil || r.trigger.Comm == "" {
		return nil
	}
	comm := decoded(r.trigger.Comm)
	p := &oomdoc.Process{Name: new(comm)}
	p.Engine = engineOf(p, oomdoc.ProcessFacts{})
	if f := r.report.AllocFailure; f != nil {
		p.PID = f.TID
	}
	return p
}

// setOwner copies what the cgroup path tells of a process.
func setOwner(p *oomdoc.Process, owner oomdoc.Owner) {
	p.Unit, p.UserUnit = decoded(owner.Unit), decoded(owner.UserUnit)
	p.Container, p.Pod, p.QoS = owner.Container, owner.Pod, owner.QoS
	p.OwnerKind, p.Owner = string(owner.Kind), decoded(owner.Name)
}

// victimUID is the user of the victim: from its kill line (5.4), else from the
// summary or the table, as far as those speak of the same process.
func (r *reading) victimUID() *int {
	if v := r.victim(); v != nil && v.UID != nil {
		return v.UID
	}
	pid := r.victimPID()
	if c := r.choice(); c != nil && c.pid == pid && c.uid != nil {
		return c.uid
	}
	if task := r.taskOf(pid); task != nil {
		return new(int(task.UID))
	}
	return nil
}

// invoker is who asked, nil where the kernel (to 2.6.17) does not say.
func invoker(t *oomdoc.Trigger) *string {
	if strings.HasPrefix(t.Line, "oom-killer:") {
		return nil
	}
	return new(decoded(t.Comm))
}

// gfpText is the request's flags as printed: their names, or only the mask.
func gfpText(t *oomdoc.Trigger) string {
	if t.GFP != "" {
		return decoded(t.GFP)
	}
	return fmt.Sprintf("%#x", t.GFPMask)
}
