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
	if process := p.inc.Process; process != nil && process.OwnerKind == string(oomdoc.OwnerSlurm) {
		return askForMore(p, process.Owner)
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

// askForMore is for a job that reached what it had asked Slurm for. How much that
// was, Slurm's accounting knows.
func askForMore(p *patient, job string) (oomdoc.Fix, bool) {
	owner := oomdoc.Owner{Kind: oomdoc.OwnerSlurm, Name: job, SlurmJob: job}
	look := limitChange{p: p, owner: owner}.slurmSteps()
	if len(look) == 0 {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: ownerTitle(owner, keyRaiseTitleUnit, keyRaiseTitle),
		Why:   oomdoc.Say(keyRaiseUnknown, nil),
		Steps: append(look, oomdoc.Say(keySlurm, oomdoc.Args{"option": oomdoc.Text("--mem=SIZE")})),
	}, true
}
