package classify

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A leak against one large request cannot be told from one report (knowledge
// kernel-oom.md section 4 point 6). Two reports of one boot tell it, when the
// same process, or the same part of the kernel's or of shared memory, has become
// much larger between them. The numbers are ours: reports closer together are
// one wave of allocations, and less growth is what a program's work does.
const (
	growthApart = time.Minute
	growthBy    = 20 // percent of what it was
	growthShare = 5  // percent of the memory that ran out
	// growthUntil is how far apart reports may be whose log does not name the boot:
	// a file can hold several, and pids come again.
	growthUntil = 24 * time.Hour
	// growthRows is how many of the largest processes of a report are remembered.
	growthRows = 8
	// shrunkBy, in percent: what has become smaller by this has given memory back.
	shrunkBy = 10
)

const (
	keyGrewProcess     oomdoc.Key = "evidence.grew-process"
	keyGrewSlab        oomdoc.Key = "evidence.grew-slab"
	keyGrewUnaccounted oomdoc.Key = "evidence.grew-unaccounted"
	keyGrewShmem       oomdoc.Key = "evidence.grew-shmem"
	keyGrewKernel      oomdoc.Key = "evidence.grew-group-kernel"
)

// A quantity is something of a report that can grow from one report to the next.
type quantity struct {
	name   string // tells it from the others of its boot and pool
	key    oomdoc.Key
	args   oomdoc.Args
	size   int64 // bytes
	whole  int64 // the memory that ran out
	record string
}

// A sighted quantity is how large it was in the reports before.
type sighted struct {
	first, last moment
	size        int64 // at first
	lastSize    int64
}

// A growth is a quantity that has grown since it was first seen.
type growth struct {
	quantity
	from int64
	over time.Duration
}

// quantities are those of a report.
func (r *reading) quantities() []quantity {
	pool := poolOf(r)
	if r.isMemcg() {
		return append(r.groupQuantities(pool), r.rowQuantities(r.groupTotal())...)
	}
	a, known := r.account()
	if !known {
		return nil
	}
	parts := []quantity{
		{name: pool + " slab", key: keyGrewSlab, size: a.slab, whole: a.ram, record: a.counters},
		{name: pool + " unaccounted", key: keyGrewUnaccounted, size: a.unaccounted, whole: a.ram, record: a.counters},
		{name: pool + " shmem", key: keyGrewShmem, size: a.shmem, whole: a.ram, record: a.counters},
	}
	return append(parts, r.rowQuantities(a.ram)...)
}

// groupQuantities are the parts of a group that no process holds.
func (r *reading) groupQuantities(pool string) []quantity {
	m := r.report.Memcg
	if m == nil || m.Limit == nil || r.limitCgroup() == "" {
		return nil
	}
	return []quantity{
		{name: pool + " shmem", key: keyGrewShmem, size: m.Stats["shmem"], whole: *m.Limit, record: m.StatLines["shmem"]},
		{name: pool + " kernel", key: keyGrewKernel, size: max(m.Stats["kernel"], valueOr(m.KmemUsage, 0)), whole: *m.Limit, record: m.Line},
	}
}

// rowQuantities are the largest processes of the table.
func (r *reading) rowQuantities(whole int64) []quantity {
	if r.page() <= 0 || whole <= 0 {
		return nil
	}
	held := func(t *oomdoc.Task) int64 { return (ownPages(t) + valueOr(t.SwapEnts, 0)) * r.page() }
	var rows []*oomdoc.Task
	for i := range r.report.Tasks {
		rows = append(rows, &r.report.Tasks[i])
	}
	slices.SortStableFunc(rows, func(a, b *oomdoc.Task) int { return cmp.Compare(held(b), held(a)) })
	found := make([]quantity, 0, growthRows)
	for _, t := range rows[:min(len(rows), growthRows)] {
		found = append(found, quantity{
			name: fmt.Sprintf("%s process %d %s", r.event.BootID, taskID(t), t.Name), key: keyGrewProcess,
			args: oomdoc.Args{"name": processName(t.Name), "pid": oomdoc.Count(taskID(t))},
			size: held(t), whole: whole, record: t.Line,
		})
	}
	return found
}

// grown compares a report with those before it and remembers it.
func (j *Joiner) grown(r *reading, at moment) []growth {
	var found []growth
	for _, q := range r.quantities() {
		before, known := j.sizes.get(q.name)
		over, follows := at.since(before.last)
		if !known || !follows || shrank(before.lastSize, q.size) {
			j.sizes.put(q.name, sighted{first: at, last: at, size: q.size, lastSize: q.size})
			continue
		}
		if total, ok := at.since(before.first); ok {
			over = total
		}
		if over >= growthApart && q.hasGrown(before.size) {
			found = append(found, growth{q, before.size, over})
		}
		before.last, before.lastSize = at, q.size
		j.sizes.put(q.name, before)
	}
	return found
}

func shrank(before, now int64) bool { return now < before-before/100*shrunkBy }

// hasGrown tells a quantity that has grown by much of itself and of the memory
// that ran out.
func (q *quantity) hasGrown(from int64) bool {
	by := q.size - from
	return percent(by, max(1, from)) >= growthBy && percent(by, q.whole) >= growthShare
}

// since is the time from an earlier report, where the two are known to be of one
// boot or near enough that they can be taken for it.
func (m moment) since(earlier moment) (time.Duration, bool) {
	if m.boot != earlier.boot || m.stamped(earlier) && m.usec < earlier.usec {
		return 0, false
	}
	over, known := m.distance(earlier)
	if m.boot == "" && over > growthUntil {
		return 0, false
	}
	return over, known
}

// proveGrowth says what has grown since an earlier report.
func (v *verdict) proveGrowth(r *reading) {
	for _, g := range r.growths {
		args := oomdoc.Args{"from": oomdoc.Bytes(g.from), "to": oomdoc.Bytes(g.size), "over": oomdoc.Duration(g.over.Round(time.Second))}
		for name, value := range g.args {
			args[name] = value
		}
		v.prove(g.record, g.key, args)
	}
}
