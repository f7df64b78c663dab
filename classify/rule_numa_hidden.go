package classify

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyPrintedNodes oomdoc.Key = "evidence.printed-nodes-full"
	keyHeaderNodes  oomdoc.Key = "evidence.nodemask"
)

// decideHiddenNUMABound is for kernels that do not print the constraint of a
// global kill. When the zones of the log, which shows only the nodes of the
// request, are short while much is free elsewhere, the request was probably
// bound to full nodes (knowledge kernel-oom.md section 4 point 3). It is never
// certain: only the numbers say so.
func decideHiddenNUMABound(r *reading) (verdict, bool) {
	if r.isMemcg() || !r.hidesPolicy() || r.report.Panic != "" {
		return verdict{}, false
	}
	zones, complete := r.usableZones()
	if !complete || r.shortageFor(zones) == plenty || r.hasHigherZone() || !r.muchElsewhere() {
		return verdict{}, false
	}
	v := verdict{reason: reasonNUMAProbably}
	v.atMost(oomdoc.Likely)
	if t := r.trigger; t != nil && t.NodeMask != "" && t.NodeMask != "(null)" {
		v.prove(t.Line, keyHeaderNodes, oomdoc.Args{"nodes": name(t.NodeMask)})
	}
	v.prove("", keyPrintedNodes, oomdoc.Args{"n": oomdoc.Count(nodesOf(zones))})
	v.addElsewhere(r)
	v.addZones(r)
	v.addSwap(r)
	v.proveVictim(r)
	return v, true
}

// hidesPolicy tells a report that does not name its constraint: that of a kernel
// before 5.0, or of 5.0 and 5.1, which print CONSTRAINT_NONE whatever it was
// (fixed by 432b1de0de02).
func (r *reading) hidesPolicy() bool {
	if r.report.Summary == nil {
		return true
	}
	version := r.report.KernelVersion
	return r.constraint() == constraintNone && (strings.HasPrefix(version, "5.0.") || strings.HasPrefix(version, "5.1."))
}
