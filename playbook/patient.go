package playbook

import (
	"cmp"
	"slices"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

// A patient is an incident with what its remedies ask about.
type patient struct {
	inc    *oomdoc.Incident
	report *oomdoc.KernelReport
	facts  oomdoc.Facts
}

func newPatient(inc *oomdoc.Incident, report *oomdoc.KernelReport, facts oomdoc.Facts) *patient {
	if report == nil {
		report = &oomdoc.KernelReport{}
	}
	return &patient{inc: inc, report: report, facts: facts}
}

// memory is the numbers of the pool that failed, all absent where there are none.
func (p *patient) memory() oomdoc.Memory {
	if p.inc.Memory == nil {
		return oomdoc.Memory{}
	}
	return *p.inc.Memory
}

// ram is the memory of the machine in bytes: as this machine says, else as the
// report does; 0 when neither tells.
func (p *patient) ram() int64 {
	if p.facts.RAMBytes > 0 {
		return p.facts.RAMBytes
	}
	m := p.report.Memory
	if m == nil || m.RAMPages == nil {
		return 0
	}
	pages := *m.RAMPages
	if m.ReservedPages != nil {
		pages -= *m.ReservedPages
	}
	return max(0, pages*p.report.PageSize)
}

// counter is a global counter of the report in bytes, 0 when it is not there.
func (p *patient) counter(name string) int64 {
	if p.report.Memory == nil {
		return 0
	}
	return p.report.Memory.Counters[name] * p.report.PageSize
}

// limitPath is the cgroup whose limit was reached: as read, else the one that
// the victim was sampled in.
func (p *patient) limitPath() string {
	if p.inc.Kernel != nil && p.inc.Kernel.OOMCgroup != "" {
		return p.inc.Kernel.OOMCgroup
	}
	return p.victimPath()
}

// victimPath is the cgroup of the killed process, "" when it is not known.
func (p *patient) victimPath() string {
	if p.inc.Process == nil {
		return ""
	}
	return p.inc.Process.Cgroup
}

func (p *patient) owner(path string) oomdoc.Owner { return classify.OwnerOf(path, p.facts) }

// largest are the biggest processes of the task table, by resident memory.
func (p *patient) largest(n int) []oomdoc.Task {
	tasks := slices.Clone(p.report.Tasks)
	slices.SortStableFunc(tasks, func(a, b oomdoc.Task) int { return cmp.Compare(b.RSS, a.RSS) })
	return tasks[:min(n, len(tasks))]
}

// bytes of a number of pages, 0 when the page size is not known.
func (p *patient) bytes(pages int64) int64 { return pages * p.report.PageSize }

// isVictim tells the row of the process that was killed.
func (p *patient) isVictim(t oomdoc.Task) bool {
	return p.inc.Process != nil && p.inc.Process.PID != 0 &&
		(t.TGID == p.inc.Process.PID || t.PID == p.inc.Process.PID)
}

// proves tells that the incident rests on a sentence of that key.
func (p *patient) proves(key oomdoc.Key) bool { return p.proof(key) != nil }

// proof gives the incident's sentence of that key, nil when it has none.
func (p *patient) proof(key oomdoc.Key) *oomdoc.Sentence {
	for i := range p.inc.Evidence {
		if p.inc.Evidence[i].Sentence.Key == key {
			return &p.inc.Evidence[i].Sentence
		}
	}
	return nil
}
