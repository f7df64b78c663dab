package playbook

import "github.com/oomdoc/oomdoc"

const (
	keyNodesTitle       oomdoc.Key = "fix.allow-nodes"
	keyNodesWhy         oomdoc.Key = "fix.allow-nodes.why"
	keyNodesWhyProbably oomdoc.Key = "fix.allow-nodes.why-probably"
	keyNodesUnit        oomdoc.Key = "step.nodes-unit"
	keyNodesCpuset      oomdoc.Key = "step.nodes-cpuset"
	keyNodesPolicy      oomdoc.Key = "step.nodes-policy"
)

// allowNodes is for a process that was bound to full NUMA nodes while others
// had room: let it use those (numactl(8); systemd.resource-control(5),
// AllowedMemoryNodes=; cgroup-v2.rst, cpuset.mems).
func allowNodes(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseNUMABound {
		return oomdoc.Fix{}, false
	}
	fix := oomdoc.Fix{Title: oomdoc.Say(keyNodesTitle, nil), Why: oomdoc.Say(keyNodesWhy, nil)}
	policy := oomdoc.Say(keyNodesPolicy, oomdoc.Args{
		"soft": oomdoc.Text("numactl --preferred=0"), "hard": oomdoc.Text("--membind"), "all": oomdoc.Text("numactl --interleave=all"),
	})
	cpuset := oomdoc.Say(keyNodesCpuset, oomdoc.Args{"file": oomdoc.Text("cpuset.mems")})
	switch p.constraint() {
	case "CONSTRAINT_MEMORY_POLICY":
		fix.Steps = []oomdoc.Sentence{policy}
		return fix, true
	case "CONSTRAINT_CPUSET":
	default: // a kernel that does not say by what it was bound
		fix.Why = oomdoc.Say(keyNodesWhyProbably, nil)
		fix.Steps = []oomdoc.Sentence{policy, cpuset}
		return fix, true
	}
	owner := p.owner(p.victimPath())
	if owner.Kind == oomdoc.OwnerUnit && isExact(owner.Unit) {
		fix.Steps = []oomdoc.Sentence{
			oomdoc.Say(keyNodesUnit, nil),
			oomdoc.Command("sudo systemctl set-property " + operand(owner.Unit) + " AllowedMemoryNodes="),
		}
		return fix, true
	}
	fix.Steps = []oomdoc.Sentence{cpuset}
	return fix, true
}

// constraint is what bound the request, as the kernel named it.
func (p *patient) constraint() string {
	if p.inc.Kernel == nil {
		return ""
	}
	return p.inc.Kernel.Constraint
}
