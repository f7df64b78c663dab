package classify

import "github.com/oomdoc/oomdoc"

// tableShare, in percent of RAM: when the zones are lost from the report,
// processes that held this much show that RAM was full all the same. Ours: the
// kernel keeps the rest for itself.
const tableShare = 75

const (
	keyTableFillsRAM     oomdoc.Key = "evidence.table-fills-ram"
	keyMissingNeighbours oomdoc.Key = "missing.neighbours"
)

// decideWithoutZones is for a global kill whose report lost its zones, so that
// the kernel's arithmetic cannot be done again.
func decideWithoutZones(r *reading) (verdict, bool) {
	if t := r.trigger; t != nil && t.Order > 0 {
		return verdict{}, false // it may have been fragmentation
	}
	if v, decided := decideByTable(r); decided {
		return v, true
	}
	return decideByWord(r)
}

// decideByTable holds when the listed processes held nearly all RAM.
func decideByTable(r *reading) (verdict, bool) {
	ram, known := r.ram()
	held, listed := r.tableSum()
	if !known || !listed || percent(held, ram) < tableShare {
		return verdict{}, false
	}
	v := verdict{ceiling: oomdoc.Likely, reason: hostReason(r)}
	v.proveGlobal(r)
	v.prove(r.report.Memory.RAMLine, keyTableFillsRAM, oomdoc.Args{
		"n": oomdoc.Count(r.listed()), "held": oomdoc.Bytes(held),
		"share": oomdoc.Percent(percent(held, ram)), "ram": oomdoc.Bytes(ram),
	})
	v.addSwap(r)
	v.proveLargest(r)
	v.proveVictim(r)
	return v, true
}

// decideByWord holds, as a mere possibility, when no number is left but the
// kernel says that the kill was global, or when it printed no more than the kill
// line in the middle of kills that were.
func decideByWord(r *reading) (verdict, bool) {
	s := r.report.Summary
	said := s != nil && s.GlobalOOM && s.Constraint == constraintNone
	if !said && !r.hostNearby {
		return verdict{}, false
	}
	v := verdict{ceiling: oomdoc.Possible, reason: reasonHostUnproven}
	v.proveGlobal(r)
	v.addSwap(r)
	v.proveLargest(r)
	v.proveVictim(r)
	if !said {
		if r.earlier != nil && isExhaustion(r.earlier.cause) {
			v.of = r.earlier // the same shortage goes on
		}
		v.lack(keyMissingNeighbours, oomdoc.Args{"window": oomdoc.Duration(burstWindow)})
	}
	return v, true
}
