package classify

import (
	"cmp"
	"slices"

	"github.com/oomdoc/oomdoc"
)

// adjNever is the oom_score_adj of a process that is never killed
// (include/uapi/linux/oom.h, OOM_SCORE_ADJ_MIN).
const adjNever = -1000

const (
	keyReasonOnly       oomdoc.Key = "victim.only-one"
	keyReasonOnlyListed oomdoc.Key = "victim.only-listed"
	keyReasonLargest    oomdoc.Key = "victim.largest"
	keyReasonProtected  oomdoc.Key = "victim.larger-was-protected"
	keyReasonRaised     oomdoc.Key = "victim.score-raised"
	keyReasonAllocating oomdoc.Key = "victim.allocating-task"
	keyReasonGroup      oomdoc.Key = "victim.oom-group"
)

// A candidate is one row of the task table with the kernel's score of it.
type candidate struct {
	task  *oomdoc.Task
	held  int64 // pages: resident, swapped and page tables
	score int64 // pages: held, moved by oom_score_adj
	never bool  // oom_score_adj forbids to kill it
}

// badness is the kernel's arithmetic (mm/oom_kill.c, oom_badness): resident
// pages, swapped pages and page tables, plus oom_score_adj thousandths of all
// memory that the request could have had.
func badness(t *oomdoc.Task, page, total int64) candidate {
	c := candidate{task: t, held: t.RSS + valueOr(t.SwapEnts, 0)}
	if t.PageTables != nil {
		c.held += *t.PageTables / page
	}
	adj := valueOr(t.OOMScoreAdj, 0)
	c.never = adj == adjNever
	c.score = c.held + int64(adj)*(total/1000)
	return c
}

// totalPages is what a score is measured by: the group's limit or RAM, and swap
// (constrained_alloc). For a request bound to nodes it is the memory of those.
func (r *reading) totalPages() int64 {
	m := r.report.Memory
	var bytes int64
	switch {
	case r.isMemcg():
		bytes = r.groupTotal()
	case m == nil:
		return 0
	case r.constraint() == constraintCpuset || r.constraint() == constraintPolicy:
		bytes = zoneSum(m, "present") + valueOr(m.SwapTotal, 0)
	default:
		ram, _ := r.ram()
		bytes = ram + valueOr(m.SwapTotal, 0)
	}
	return bytes / r.page()
}

// groupTotal is the limit of a group with the swap that it may use
// (mm/memcontrol.c, mem_cgroup_get_max). A group without a swap limit may use
// all that the machine has, which only the facts can tell.
func (r *reading) groupTotal() int64 {
	m := r.report.Memcg
	if m == nil || m.Limit == nil || oomdoc.NoLimit(*m.Limit) {
		return 0
	}
	if m.MemswLimit != nil && !oomdoc.NoLimit(*m.MemswLimit) && *m.MemswLimit > *m.Limit {
		return *m.MemswLimit
	}
	swap := valueOr(r.facts.SwapBytes, 0)
	if m.SwapLimit != nil && !oomdoc.NoLimit(*m.SwapLimit) {
		swap = min(swap, *m.SwapLimit)
	}
	return *m.Limit + swap
}

// ranking is the table by score, the first to die first. Rows that are never
// killed stand at the end.
func (r *reading) ranking() []candidate {
	if r.page() <= 0 {
		return nil
	}
	total := r.totalPages()
	ranked := make([]candidate, 0, len(r.report.Tasks))
	for i := range r.report.Tasks {
		ranked = append(ranked, badness(&r.report.Tasks[i], r.page(), total))
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int {
		if a.never != b.never {
			if a.never {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.score, a.score)
	})
	return ranked
}

// victimReason says why the kernel chose this process. It speaks of the score
// only when the table is there and the score, computed again, agrees with the
// kill; else it says nothing.
func victimReason(r *reading) oomdoc.Sentence {
	if r.report.GroupPath != "" {
		return oomdoc.Say(keyReasonGroup, oomdoc.Args{
			"cgroup": name(r.report.GroupPath), "n": oomdoc.Count(r.others() + 1),
		})
	}
	if kill := r.victim(); kill != nil && kill.AllocatingTask {
		return oomdoc.Say(keyReasonAllocating, nil)
	}
	ranked := r.ranking()
	at := slices.IndexFunc(ranked, func(c candidate) bool { return taskID(c.task) == r.victimPID() })
	if at < 0 || ranked[at].never || ranked[at].score != ranked[0].score {
		return oomdoc.Sentence{}
	}
	ranked[0], ranked[at] = ranked[at], ranked[0]
	return r.explain(ranked)
}

// explain words the choice of the first of a ranking.
func (r *reading) explain(ranked []candidate) oomdoc.Sentence {
	first := ranked[0]
	args := oomdoc.Args{
		"held": r.size(first.held), "n": oomdoc.Count(r.listed()),
		"adj": oomdoc.Count(valueOr(first.task.OOMScoreAdj, 0)),
	}
	larger := largerThan(ranked)
	if larger != nil {
		args["other"], args["other_held"] = processName(larger.task.Name), r.size(larger.held)
		args["other_adj"] = oomdoc.Count(valueOr(larger.task.OOMScoreAdj, 0))
		if valueOr(first.task.OOMScoreAdj, 0) > 0 {
			return oomdoc.Say(keyReasonRaised, args)
		}
		return oomdoc.Say(keyReasonProtected, args)
	}
	if len(ranked) == 1 {
		return oomdoc.Say(keyReasonOnlyListed, args)
	}
	if ranked[1].never {
		return oomdoc.Say(keyReasonOnly, args)
	}
	args["next"], args["next_held"] = processName(ranked[1].task.Name), r.size(ranked[1].held)
	return oomdoc.Say(keyReasonLargest, args)
}

// largerThan finds the largest process that held more than the first of a
// ranking, nil when there is none.
func largerThan(ranked []candidate) *candidate {
	var larger *candidate
	for i := range ranked[1:] {
		c := &ranked[i+1]
		if c.held > ranked[0].held && (larger == nil || c.held > larger.held) {
			larger = c
		}
	}
	return larger
}

func (r *reading) size(pages int64) oomdoc.Value { return oomdoc.Bytes(pages * r.page()) }
