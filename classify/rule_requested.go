package classify

import "github.com/oomdoc/oomdoc"

const (
	keyOrderMinusOne oomdoc.Key = "evidence.order-minus-one"
	keyManualLine    oomdoc.Key = "evidence.sysrq-f"
	keyNoShortage    oomdoc.Key = "evidence.free-while-requested"
)

// decideRequested holds for a kill that somebody asked for with SysRq-f. No
// shortage is claimed (knowledge kernel-oom.md section 4 point 1): what was free
// is said as it is.
func decideRequested(r *reading) (verdict, bool) {
	if !r.isRequested() {
		return verdict{}, false
	}
	v := verdict{reason: reasonRequested}
	if t := r.trigger; t != nil && t.Order == -1 {
		v.prove(t.Line, keyOrderMinusOne, oomdoc.Args{"order": oomdoc.Count(t.Order)})
	}
	if r.report.Manual != "" {
		v.prove(r.report.Manual, keyManualLine, nil)
	}
	if free, known := r.counter("free"); known {
		v.memory.FreeBytes = new(free)
		if ram, known := r.ram(); known {
			v.prove(r.report.Memory.CountersLine, keyNoShortage, oomdoc.Args{
				"free": oomdoc.Bytes(free), "ram": oomdoc.Bytes(ram), "share": oomdoc.Percent(percent(free, ram)),
			})
		}
	}
	v.proveVictim(r)
	return v, true
}
