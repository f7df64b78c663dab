package playbook

import (
	"cmp"
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyShowLimit     oomdoc.Key = "step.show-limit"
	keyRestartUnit   oomdoc.Key = "step.restart-unit"
	keyTransientUnit oomdoc.Key = "step.transient-unit"
	keyAsUser        oomdoc.Key = "step.as-user"
)

// unitSteps set the limit of a unit of the system manager (systemctl(1),
// set-property; systemd.resource-control(5), MemoryMax=).
func (c limitChange) unitSteps() []oomdoc.Sentence {
	return c.managerSteps("sudo systemctl", cmp.Or(c.owner.Unit, c.owner.Slice, c.owner.Name))
}

// userUnitSteps do the same for a unit of a user's manager, which that user
// types.
func (c limitChange) userUnitSteps() []oomdoc.Sentence {
	unit := cmp.Or(c.owner.UserUnit, c.owner.Unit)
	steps := c.managerSteps("systemctl --user", unit)
	if c.owner.UID == nil || len(steps) == 0 {
		return steps
	}
	return append([]oomdoc.Sentence{
		oomdoc.Say(keyAsUser, oomdoc.Args{"uid": oomdoc.Count(*c.owner.UID)}),
	}, steps...)
}

func (c limitChange) managerSteps(systemctl, unit string) []oomdoc.Sentence {
	if !isExact(unit) {
		return nil
	}
	if c.size == 0 {
		return []oomdoc.Sentence{
			oomdoc.Say(keyShowLimit, nil),
			oomdoc.Command(systemctl + " show -p MemoryMax -p MemorySwapMax -p MemoryPeak " + operand(unit)),
		}
	}
	set, transient := systemctl+" set-property ", isTransient(unit)
	if transient {
		set += "--runtime "
	}
	size := inUnits(c.size, systemdUnits())
	steps := []oomdoc.Sentence{oomdoc.Command(set + operand(unit) + " MemoryMax=" + size)}
	switch {
	case transient:
		steps = append(steps, oomdoc.Say(keyTransientUnit, oomdoc.Args{"setting": oomdoc.Text("MemoryMax=" + size)}))
	case strings.HasSuffix(unit, ".service"):
		steps = append(steps,
			oomdoc.Say(keyRestartUnit, nil),
			oomdoc.Command(systemctl+" restart "+operand(unit)))
	}
	if c.p.swapForbidden() {
		steps = append(steps,
			oomdoc.Say(keyOrSwap, nil),
			oomdoc.Command(set+operand(unit)+" MemorySwapMax="+size))
	}
	return steps
}

// isTransient tells a unit that is gone when its processes are: a scope, or
// what systemd-run made.
func isTransient(unit string) bool {
	return strings.HasSuffix(unit, ".scope") || strings.HasPrefix(unit, "run-")
}
