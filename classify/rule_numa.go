package classify

import "github.com/oomdoc/oomdoc"

const (
	keyCpusetBound   oomdoc.Key = "evidence.cpuset-bound"
	keyPolicyBound   oomdoc.Key = "evidence.policy-bound"
	keyFreeElsewhere oomdoc.Key = "evidence.free-on-other-nodes"
	keyNoneElsewhere oomdoc.Key = "evidence.little-free-on-other-nodes"
)

// decideNUMABound holds when the kernel says that the request was bound to some
// of the nodes: by a cpuset, or by a memory policy (mm/oom_kill.c,
// constrained_alloc). That the other nodes had room is shown where the report
// tells it; where they had none, the verdict is less sure.
func decideNUMABound(r *reading) (verdict, bool) {
	s := r.report.Summary
	if s == nil || r.isMemcg() {
		return verdict{}, false
	}
	v := verdict{reason: reasonNUMA}
	switch s.Constraint {
	case constraintCpuset:
		v.prove(s.Line, keyCpusetBound, oomdoc.Args{"cpuset": name(s.Cpuset), "nodes": name(s.MemsAllowed)})
	case constraintPolicy:
		v.prove(s.Line, keyPolicyBound, oomdoc.Args{"nodes": name(s.NodeMask)})
	default:
		return verdict{}, false
	}
	v.addElsewhere(r)
	v.addZones(r)
	v.addSwap(r)
	v.proveVictim(r)
	return v, true
}

// addElsewhere says what the nodes that were not allowed had free.
func (v *verdict) addElsewhere(r *reading) {
	elsewhere, known := r.freeElsewhere()
	ram, hasRAM := r.ram()
	if !known || !hasRAM {
		return
	}
	key := keyFreeElsewhere
	if percent(elsewhere, ram) < elsewhereShare {
		key = keyNoneElsewhere
		v.atMost(oomdoc.Likely)
	}
	v.prove(r.report.Memory.CountersLine, key, oomdoc.Args{
		"free": oomdoc.Bytes(elsewhere), "share": oomdoc.Percent(percent(elsewhere, ram)), "ram": oomdoc.Bytes(ram),
	})
}
