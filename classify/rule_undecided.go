package classify

import "github.com/oomdoc/oomdoc"

const (
	keyUndecidedOrder     oomdoc.Key = "evidence.undecided-order"
	keyUndecidedElsewhere oomdoc.Key = "evidence.undecided-elsewhere"
	keyRemains            oomdoc.Key = "evidence.remains"
	keyHeader             oomdoc.Key = "evidence.header"
)

// decideUndecided is the last rule: it says what is known and which numbers
// speak against a plain shortage, and claims no cause.
func decideUndecided(r *reading) (verdict, bool) {
	v := verdict{reason: reasonUndecided, ceiling: oomdoc.Possible}
	if zones, complete := r.usableZones(); complete {
		v.reason = reasonContradicted
		if r.shortageFor(zones) == short {
			v.reason = reasonElsewhere
		}
	}
	v.proveGlobal(r)
	v.addZones(r)
	v.proveWhatSpeaksAgainst(r)
	v.addSwap(r)
	v.addShares(r)
	v.proveLargest(r)
	v.proveVictim(r)
	return v, true
}

// proveRemains quotes the line that is all that is left of a report, where no
// rule found anything to tell.
func (v *verdict) proveRemains(r *reading) {
	if len(v.evidence) > 0 {
		return
	}
	switch t, s := r.trigger, r.report.Summary; {
	case t != nil:
		v.prove(t.Line, keyHeader, oomdoc.Args{"name": processName(t.Comm), "order": oomdoc.Count(t.Order)})
	case s != nil:
		v.prove(s.Line, keyRemains, nil)
	}
}

// proveWhatSpeaksAgainst says what a plain shortage does not explain: a request
// for several pages in one piece, and free memory that the request could not
// use.
func (v *verdict) proveWhatSpeaksAgainst(r *reading) {
	v.proveWhatWasAsked(r)
	if elsewhere, _ := r.freeElsewhere(); r.muchElsewhere() {
		v.prove(r.report.Memory.CountersLine, keyUndecidedElsewhere, oomdoc.Args{"free": oomdoc.Bytes(elsewhere)})
	}
}
