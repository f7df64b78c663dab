package playbook

import "github.com/oomdoc/oomdoc"

const (
	keyFindLimitTitle oomdoc.Key = "fix.find-limit"
	keyFindLimitWhy   oomdoc.Key = "fix.find-limit.why"
	keyFindLimitUnit  oomdoc.Key = "step.find-limit-unit"
	keyFindLimitBox   oomdoc.Key = "step.find-limit-container"
)

// findLimit is for a limit whose owner the log does not name: find who is at it,
// then raise it (systemd-cgtop(1), docker-container-update(1)).
func findLimit(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseCgroupLimit || p.limitPath() != "" {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keyFindLimitTitle, nil),
		Why:   oomdoc.Say(keyFindLimitWhy, nil),
		Steps: []oomdoc.Sentence{
			oomdoc.Command("systemd-cgtop --order=memory --depth=5 --iterations=1"),
			oomdoc.Say(keyFindLimitUnit, nil),
			oomdoc.Say(keyFindLimitBox, nil),
		},
	}, true
}
