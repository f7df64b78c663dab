package playbook

import (
	"cmp"
	"math"
	"strconv"

	"github.com/oomdoc/oomdoc"
)

const (
	keyOomdLimits    oomdoc.Key = "fix.oomd-limits"
	keyOomdLimitsWhy oomdoc.Key = "fix.oomd-limits.why"
	keyOomdSpare     oomdoc.Key = "fix.oomd-spare"
	keyOomdSpareWhy  oomdoc.Key = "fix.oomd-spare.why"
	keyOomdStatus    oomdoc.Key = "step.oomd-status"
	keyOomdMonitored oomdoc.Key = "step.oomd-monitored"
	keyOomdStart     oomdoc.Key = "step.oomd-start"
	keyOomdRules     oomdoc.Key = "step.oomd-rules"
	keyOomdRulesFix  oomdoc.Key = "fix.oomd-rules"
)

// oomdWaitLonger raises the limit of the cgroup that was watched
// (systemd.resource-control(5), ManagedOOMMemoryPressureLimit=), else the default
// for all (oomd.conf(5), DefaultMemoryPressureLimit=, 60 %).
func oomdWaitLonger(d decision) (oomdoc.Fix, bool) {
	k := d.kill
	if k.Reason != oomdoc.ReasonPressure || k.PressureLimit == nil {
		return oomdoc.Fix{}, false
	}
	percent := strconv.FormatInt(raisedPressure(k), 10) + "%"
	steps := []oomdoc.Sentence{oomdoc.Say(keyOomdStatus, nil), oomdoc.Command("oomctl")}
	owner := d.owner(k.Monitored)
	if unit := cmp.Or(owner.Unit, owner.Slice); k.Monitored != "" && owner.UserUnit == "" && isExact(unit) {
		steps = append(steps,
			oomdoc.Say(keyOomdMonitored, oomdoc.Args{"cgroup": oomdoc.Text(unit)}),
			oomdoc.Command("sudo systemctl set-property "+operand(unit)+" ManagedOOMMemoryPressureLimit="+percent))
	} else {
		steps = append(steps, oomdoc.Command("sudo mkdir -p /etc/systemd/oomd.conf.d && "+
			`printf '[OOM]\nDefaultMemoryPressureLimit=`+percent+`%%\n' | sudo tee /etc/systemd/oomd.conf.d/limit.conf && `+
			"sudo systemctl restart systemd-oomd"))
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keyOomdLimits, nil),
		Why:   oomdoc.Say(keyOomdLimitsWhy, oomdoc.Args{"limit": oomdoc.Percent(*k.PressureLimit)}),
		Steps: steps,
	}, true
}

// raisedPressure is above what was measured and the old limit, in tens, and below
// what no machine is worked at. Ours.
func raisedPressure(k *oomdoc.UserKill) int64 {
	const step, highest = 10, 95
	at := *k.PressureLimit
	if k.Pressure != nil {
		at = max(at, *k.Pressure)
	}
	return int64(min(math.Floor(at/step)*step+2*step, highest))
}

// oomdSpare is for a job that must live (systemd.resource-control(5),
// ManagedOOMPreference=, 248 and later).
func oomdSpare(d decision) (oomdoc.Fix, bool) {
	p := d.inc.Process
	if p == nil {
		return oomdoc.Fix{}, false
	}
	unit, systemctl := p.Unit, "sudo systemctl"
	if p.UserUnit != "" {
		unit, systemctl = p.UserUnit, "systemctl --user"
	}
	if !isExact(unit) {
		return oomdoc.Fix{}, false
	}
	const setting = "ManagedOOMPreference=avoid"
	step := oomdoc.Command(systemctl + " set-property " + operand(unit) + " " + setting)
	if isTransient(unit) {
		step = oomdoc.Say(keyOomdStart, oomdoc.Args{"setting": oomdoc.Text(setting)})
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keyOomdSpare, nil), Why: oomdoc.Say(keyOomdSpareWhy, nil), Steps: []oomdoc.Sentence{step},
	}, true
}

// oomdRules is for Meta's oomd, whose rules are the administrator's.
func oomdRules(d decision) (oomdoc.Fix, bool) {
	if d.kill.Rule == "" {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keyOomdRulesFix, nil),
		Steps: []oomdoc.Sentence{oomdoc.Say(keyOomdRules, oomdoc.Args{"rule": processName(d.kill.Rule)})},
	}, true
}
