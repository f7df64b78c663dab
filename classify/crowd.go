package classify

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	// crowd is how many processes of one name are a flood of them, and
	// crowdLargest, in percent of all that is resident, is what none of them may
	// reach (knowledge kernel-oom.md section 4 point 6).
	crowd        = 20
	crowdLargest = 10
	// unwrittenShare, in percent of the cached files: from here on slow writing
	// is what kept them from being given up (same place).
	unwrittenShare = 50
)

const (
	keyAlike     oomdoc.Key = "evidence.many-alike"
	keyWriteback oomdoc.Key = "evidence.slow-writeback"
)

// proveAlike says that many small processes of one name filled RAM: a fork bomb
// or too many workers. Numbers at the end of a name are left out, as workers are
// numbered.
func (v *verdict) proveAlike(r *reading) {
	type group struct {
		n     int
		pages int64
	}
	groups := map[string]group{}
	var all, largest int64
	for i := range r.report.Tasks {
		task := &r.report.Tasks[i]
		stem := strings.TrimRight(task.Name, "0123456789-_:/#.")
		g := groups[stem]
		groups[stem] = group{g.n + 1, g.pages + ownPages(task)}
		all += ownPages(task)
		largest = max(largest, ownPages(task))
	}
	var most string
	for stem, g := range groups {
		if g.pages > groups[most].pages || g.pages == groups[most].pages && stem < most {
			most = stem
		}
	}
	found := groups[most]
	held, known := r.bytes(found.pages)
	if most == "" || found.n < crowd || !known || percent(largest, all) >= crowdLargest || percent(found.pages, all) < anonShare {
		return
	}
	v.prove(r.report.TasksLine, keyAlike, oomdoc.Args{
		"n": oomdoc.Count(found.n), "name": processName(most), "held": oomdoc.Bytes(held),
	})
}

// proveWriteback says that cached files could not be given up because they were
// not written yet.
func (v *verdict) proveWriteback(r *reading) {
	a, known := r.account()
	if !known || percent(a.file, a.ram) < fileShare || percent(a.unwritten, a.file) < unwrittenShare {
		return
	}
	v.prove(a.counters, keyWriteback, oomdoc.Args{
		"size": oomdoc.Bytes(a.unwritten), "file": oomdoc.Bytes(a.file), "share": oomdoc.Percent(percent(a.unwritten, a.file)),
	})
}
