package kmsg

import (
	"cmp"
	"slices"

	"github.com/oomdoc/oomdoc"
)

// A taskTable keeps the rows of a task table within a bound. A machine can
// have a hundred thousand tasks; what is needed of them is the biggest ones
// and the victim. The kernel kills the task with the most points, and points
// are rss + swap + page tables plus a share that depends on oom_score_adj
// alone (mm/oom_kill.c, oom_badness): so the victim is the biggest among those
// of its own oom_score_adj, and the rows that are the biggest of theirs are
// kept too, and so is the row of the task that asked.
type taskTable struct {
	limit   int
	columns []func(*oomdoc.Task, int64)
	rows    []taskRow
	next    int // the place of the next row in the table
	full    int // at how many rows to drop some
	keepPID int

	cut    int   // rows not kept
	cutRSS int64 // and their rss, pages
}

type taskRow struct {
	oomdoc.Task
	place int
}

// perAdjustment is how many of the biggest rows of each oom_score_adj are
// kept: the biggest may be a task that is already dying.
const perAdjustment = 4

// take reads one row and tells whether it was one.
func (t *taskTable) take(text []byte) bool {
	task, ok := parseTask(t.columns, text)
	if !ok {
		return false
	}
	t.rows = append(t.rows, taskRow{task, t.next})
	t.next++
	if len(t.rows) >= max(t.full, 2*t.limit) {
		t.shrink(false, nil)
		t.full = 2 * len(t.rows)
	}
	return true
}

// shrink drops rows beyond the limit, except those that may matter: before the
// victim is known, the biggest of each oom_score_adj; after, the victims.
func (t *taskTable) shrink(decided bool, victims []oomdoc.Kill) {
	if len(t.rows) <= t.limit {
		return
	}
	slices.SortStableFunc(t.rows, func(a, b taskRow) int {
		return cmp.Compare(b.weight(), a.weight())
	})
	perAdj, needed := make(map[int]int), 0
	kept := t.rows[:0]
	for i, row := range t.rows {
		keep := i < t.limit
		if !decided {
			adj := row.adjustment()
			keep = keep || perAdj[adj] < perAdjustment
			perAdj[adj]++
		}
		if !keep && needed < maxNeeded && t.isNeeded(row, victims) {
			keep = true
			needed++
		}
		if keep {
			kept = append(kept, row)
			continue
		}
		t.cut++
		t.cutRSS += row.RSS
	}
	clear(t.rows[len(kept):])
	t.rows = kept
	slices.SortFunc(t.rows, func(a, b taskRow) int { return a.place - b.place })
}

// maxNeeded bounds the rows that are kept for their pid: the first victims of
// a group, and the task that asked.
const maxNeeded = 8

func (t *taskTable) isNeeded(row taskRow, victims []oomdoc.Kill) bool {
	if row.PID == t.keepPID || row.TGID == t.keepPID {
		return true
	}
	for i := range victims {
		if row.PID == victims[i].PID || row.TGID == victims[i].PID {
			return true
		}
	}
	return false
}

// weight is what the row adds to the kernel's points, but for its page tables,
// which are in other units.
func (row *taskRow) weight() int64 {
	if row.SwapEnts != nil {
		return row.RSS + *row.SwapEnts
	}
	return row.RSS
}

func (row *taskRow) adjustment() int {
	if row.OOMScoreAdj != nil {
		return *row.OOMScoreAdj
	}
	return 0
}

// has tells whether a process or thread of that id is in the table.
func (t *taskTable) has(pid int) bool {
	for i := range t.rows {
		if t.rows[i].PID == pid || t.rows[i].TGID == pid {
			return true
		}
	}
	return false
}

// named tells whether the table gives that name to that process.
func (t *taskTable) named(pid int, comm []byte) bool {
	for i := range t.rows {
		if (t.rows[i].PID == pid || t.rows[i].TGID == pid) && t.rows[i].Name == string(comm) {
			return true
		}
	}
	return false
}

// extendLast joins the rest of a name that had a newline in it to the last row.
func (t *taskTable) extendLast(text []byte) {
	if len(t.rows) == 0 {
		return
	}
	last := &t.rows[len(t.rows)-1]
	if len(last.Name)+1+len(text) > 4*maxComm {
		return
	}
	last.Line += "\n" + string(text)
	last.Name += "\n" + string(text)
}

// list gives the rows in the order of the table.
func (t *taskTable) list() []oomdoc.Task {
	if len(t.rows) == 0 {
		return nil
	}
	tasks := make([]oomdoc.Task, len(t.rows))
	for i := range t.rows {
		tasks[i] = t.rows[i].Task
	}
	return tasks
}
