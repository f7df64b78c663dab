package classify

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// The constraints of the summary line (mm/oom_kill.c, oom_constraint_text).
const (
	constraintNone   = "CONSTRAINT_NONE"
	constraintCpuset = "CONSTRAINT_CPUSET"
	constraintPolicy = "CONSTRAINT_MEMORY_POLICY"
	constraintMemcg  = "CONSTRAINT_MEMCG"
)

// A reading is one event and its report, with what more than one rule needs to
// know of it.
type reading struct {
	event  *oomdoc.Event
	report *oomdoc.KernelReport
	facts  oomdoc.Facts
	// trigger is who asked for what: the header of a kill, or the request that
	// failed without one.
	trigger *oomdoc.Trigger
	// guessed is the cgroup of neighbouring kills when the report names none.
	// It is a guess: it never stands where a read path would.
	guessed string
	// hostNearby says that no number of the machine is there, and that the kills
	// right before it were because the machine was out of RAM.
	hostNearby bool
	// earlier is a kill for the machine's memory right before, nil when there
	// was none.
	earlier *hostKill
	// growths are what has grown since earlier reports.
	growths []growth

	accounted  *account      // made once (account)
	limitOwned *oomdoc.Owner // made once (limitOwner)
}

func newReading(event *oomdoc.Event, facts oomdoc.Facts) *reading {
	report := event.Kernel
	if report == nil {
		report = &oomdoc.KernelReport{}
	}
	return &reading{event: event, report: report, facts: facts, trigger: triggerOf(report)}
}

// triggerOf gives the request of a report: a failed allocation has a line of its
// own in place of the header.
func triggerOf(report *oomdoc.KernelReport) *oomdoc.Trigger {
	f := report.AllocFailure
	if report.Trigger != nil || f == nil {
		return report.Trigger
	}
	return &oomdoc.Trigger{Comm: f.Comm, GFPMask: f.GFPMask, GFP: f.GFP, Order: f.Order, Line: f.Line}
}

// isFailure tells a request that failed without a kill.
func (r *reading) isFailure() bool { return r.report.AllocFailure != nil && len(r.report.Kills) == 0 }

// isMemcg tells a kill for a cgroup's limit. oom_memcg= decides over the
// constraint, which 5.0 and 5.1.0 to 5.1.18 always print as CONSTRAINT_NONE
// (fixed by 432b1de0de02); a kill line alone says it by its prefix.
func (r *reading) isMemcg() bool {
	s := r.report.Summary
	switch {
	case s != nil && (s.OOMMemcg != "" || s.Constraint == constraintMemcg):
		return true
	case s != nil && s.GlobalOOM:
		return false
	case r.report.Memcg != nil, r.report.Chosen != nil && r.report.Chosen.Memcg:
		return true
	}
	for i := range r.report.Kills {
		if r.report.Kills[i].Memcg {
			return true
		}
	}
	return false
}

// constraint is what the summary line names, "" when there is none or when the
// line contradicts itself (see isMemcg).
func (r *reading) constraint() string {
	if r.report.Summary == nil {
		return ""
	}
	return r.report.Summary.Constraint
}

// isRequested tells a kill that somebody asked for: order -1 (4.3 and newer), or
// SysRq's line right before.
func (r *reading) isRequested() bool {
	return r.report.Manual != "" || r.trigger != nil && r.trigger.Order == -1
}

// limitCgroup is the cgroup whose limit was hit, as read; "" for a global kill
// or when the log does not name it. The statistics are those of the same
// cgroup (mm/memcontrol.c, mem_cgroup_print_oom_meminfo).
func (r *reading) limitCgroup() string {
	if s := r.report.Summary; s != nil && s.OOMMemcg != "" {
		return s.OOMMemcg
	}
	if r.isMemcg() && r.report.Memcg != nil {
		return r.report.Memcg.StatsOf
	}
	return ""
}

// taskCgroup is the cgroup of the victim, as read.
func (r *reading) taskCgroup() string {
	if r.report.Summary == nil {
		return ""
	}
	return r.report.Summary.TaskMemcg
}

// sampledCgroup is the cgroup of the victim as it was sampled while it lived.
func (r *reading) sampledCgroup() string {
	return r.facts.Processes[r.victimPID()].Cgroup
}

// anyLimitCgroup is the best word on which cgroup ran out: read, sampled,
// guessed.
func (r *reading) anyLimitCgroup() string {
	if !r.isMemcg() {
		return ""
	}
	for _, path := range []string{r.limitCgroup(), r.sampledCgroup(), r.guessed} {
		if path != "" {
			return path
		}
	}
	return ""
}

// victim is the first killed process, nil when no kill line was seen.
func (r *reading) victim() *oomdoc.Kill {
	if len(r.report.Kills) == 0 {
		return nil
	}
	return &r.report.Kills[0]
}

// A choice is the process that the kernel meant to kill.
type choice struct {
	pid  int
	comm string
	uid  *int
	line string
}

// choice is the process that the summary line names, or up to 5.0 the line of
// the choice: where that tells more than the kill line, or stands alone.
func (r *reading) choice() *choice {
	if s := r.report.Summary; s != nil && s.HasTask {
		return &choice{s.PID, s.Task, new(s.UID), s.Line}
	}
	if c := r.report.Chosen; c != nil {
		return &choice{c.PID, c.Comm, nil, c.Line}
	}
	return nil
}

// victimPID is the process that died; 0 when none is known. The kill line
// counts: the summary names the group leader and may be another's.
func (r *reading) victimPID() int {
	if v := r.victim(); v != nil {
		return v.PID
	}
	if c := r.choice(); c != nil {
		return c.pid
	}
	return 0
}

// victimName is the name of the process that died, for people.
func (r *reading) victimName() (string, bool) {
	if v := r.victim(); v != nil {
		return decoded(v.Comm), true
	}
	if c := r.choice(); c != nil {
		return decoded(c.comm), true
	}
	return "", false
}

// others is how many processes died beside the first.
func (r *reading) others() int {
	return max(0, len(distinctKills(r.report.Kills))-1+r.report.KillsCut)
}

// page is the page size in bytes, 0 when nothing tells it.
func (r *reading) page() int64 { return r.report.PageSize }

// bytes turns pages into bytes; not known without the page size.
func (r *reading) bytes(pages int64) (int64, bool) {
	return pages * r.page(), r.page() > 0 && pages >= 0
}

// counter is a global counter in bytes.
func (r *reading) counter(name string) (int64, bool) {
	if r.report.Memory == nil {
		return 0, false
	}
	pages, has := r.report.Memory.Counters[name]
	if !has {
		return 0, false
	}
	return r.bytes(pages)
}

// ram is the memory that the kernel manages: pages RAM less pages reserved.
func (r *reading) ram() (int64, bool) {
	m := r.report.Memory
	if m == nil || m.RAMPages == nil {
		return 0, false
	}
	pages := *m.RAMPages
	if m.ReservedPages != nil {
		pages -= *m.ReservedPages
	}
	size, known := r.bytes(pages)
	return size, known && size > 0
}

// order is the order of the request, 0 when it is not known.
func (r *reading) order() int {
	if r.trigger == nil {
		return 0
	}
	return r.trigger.Order
}

// requested is the size of the request; not known for a kill that was asked
// for, where no page was wanted.
func (r *reading) requested() (int64, bool) {
	t := r.trigger
	if t == nil || t.Order < 0 || t.Order > maxOrder {
		return 0, false
	}
	return r.bytes(1 << t.Order)
}

// maxOrder bounds an order that can be believed: 17 was seen on old ppc64
// (knowledge kernel-oom.md 1.4).
const maxOrder = 20

// decoded is a name from the kernel as text: each run of bytes that are not
// UTF-8 becomes one U+FFFD.
func decoded(name string) string {
	return strings.ToValidUTF8(name, "\uFFFD")
}

// distinctKills leaves out a victim that is told twice (memory.oom.group prints
// the first one again).
func distinctKills(kills []oomdoc.Kill) []*oomdoc.Kill {
	seen := make(map[int]bool, len(kills))
	distinct := make([]*oomdoc.Kill, 0, len(kills))
	for i := range kills {
		if !seen[kills[i].PID] {
			seen[kills[i].PID] = true
			distinct = append(distinct, &kills[i])
		}
	}
	return distinct
}
