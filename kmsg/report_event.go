package kmsg

import (
	"slices"

	"github.com/oomdoc/oomdoc"
)

// kind says what the report is, as far as it goes.
func (r *report) kind() oomdoc.EventKind {
	switch {
	case len(r.kernel.Kills) > 0:
		return oomdoc.EventKernelKill
	case r.kernel.NoVictim || r.kernel.Panic != "":
		return oomdoc.EventNoVictim
	case r.failure:
		return oomdoc.EventAllocFailure
	}
	return oomdoc.EventKernelKill // its end was lost
}

// worthTelling tells whether the report becomes an event when nothing more
// comes.
func (r *report) worthTelling() bool { return r.decided || r.begun || r.failure }

// settle works out what depends on the whole report, once nothing more will be
// added but victims.
func (r *report) settle(hostPageSize int64) {
	k := r.kernel
	r.tasks.shrink(true, k.Kills)
	k.Tasks, k.TasksCut, k.TasksCutRSS = r.tasks.list(), r.tasks.cut, r.tasks.cutRSS
	k.PageSize, k.PageSizeAssumed = pageSize(k, hostPageSize)
	r.tasks.rows = nil
}

// event gives the report as it stands. What it points to is not changed later.
func (r *report) event(final bool) oomdoc.Event {
	kernel := *r.kernel
	kernel.Kills = slices.Clip(kernel.Kills)
	kernel.Reaped = slices.Clip(kernel.Reaped)
	e := oomdoc.Event{
		ID: r.id, Kind: r.kind(), Revision: r.revision, Final: final,
		Source: r.decider.source, BootID: r.decider.bootID,
		FirstSeq: r.first.seq, DecisiveSeq: r.decider.seq, HasSeq: r.decider.hasSeq,
		Usec: r.decider.usec, Time: r.decider.time, TimeApproximate: r.decider.timeApproximate,
		Read: r.decider.read, Replayed: r.decider.replayed,
		Trust:  r.trust,
		Kernel: &kernel,
	}
	e.Records, e.RecordsCut = r.records.list()
	r.revision++
	r.dirty = false
	return e
}
