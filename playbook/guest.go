package playbook

import "github.com/oomdoc/oomdoc"

const (
	keyGuestTitle  oomdoc.Key = "fix.guest-memory"
	keyGuestWhy    oomdoc.Key = "fix.guest-memory.why"
	keyGuestWhere  oomdoc.Key = "step.guest-where"
	keyGuestOthers oomdoc.Key = "step.guest-others"
)

// giveGuestMore is for a virtual machine whose hypervisor took memory away by
// its balloon. What is typed, is typed on the hypervisor, which knows the
// machine by another name than this one.
func giveGuestMore(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseBalloon || p.report.Memory == nil {
		return oomdoc.Fix{}, false
	}
	var balloon int64
	for i := range p.report.Memory.Nodes {
		balloon += p.report.Memory.Nodes[i].Bytes["Balloon"]
	}
	whole := oomdoc.Text(inUnits(roundUp(p.ram()+balloon), systemdUnits()))
	return oomdoc.Fix{
		Title: oomdoc.Say(keyGuestTitle, nil),
		Why:   oomdoc.Say(keyGuestWhy, oomdoc.Args{"size": oomdoc.Bytes(balloon), "left": oomdoc.Bytes(p.ram())}),
		Steps: []oomdoc.Sentence{
			oomdoc.Say(keyGuestWhere, oomdoc.Args{"whole": whole}),
			oomdoc.Say(keyGuestOthers, nil),
		},
		SavesBytes: new(balloon),
	}, true
}
