package playbook

import "github.com/oomdoc/oomdoc"

const (
	// capShare, in percent of RAM: the limit proposed for the biggest consumer,
	// so that a quarter stays for everything else. Ours.
	capShare = 75
	// bigShare, in percent of all listed: from here on one process is the hog
	// (knowledge kernel-oom.md section 4 point 6).
	bigShare = 50
	// listed is how many of the largest processes are named.
	listed = 5
)

const (
	keyCapTitle    oomdoc.Key = "fix.cap-largest"
	keyCapTitleOf  oomdoc.Key = "fix.cap-largest-unit"
	keyCapWhy      oomdoc.Key = "fix.cap-largest.why"
	keyScoreTitle  oomdoc.Key = "fix.score"
	keyScoreWhy    oomdoc.Key = "fix.score.why"
	keyScoreStep   oomdoc.Key = "step.score"
	keyScoreOther  oomdoc.Key = "step.score-other"
	keyLessTitle   oomdoc.Key = "fix.run-less"
	keyLessWhy     oomdoc.Key = "fix.run-less.why"
	keyLessProcess oomdoc.Key = "step.process"
	keyNoName      oomdoc.Key = "word.nameless"
)

// capLargest gives the group of the hog a limit of its own, so that it fails
// alone. Only the victim's group is known, so the victim must be the hog.
func capLargest(p *patient) (oomdoc.Fix, bool) {
	path := p.victimPath()
	if p.inc.Cause != oomdoc.CauseHostExhausted || !p.victimIsHog() || !isExact(path) || p.ram() == 0 {
		return oomdoc.Fix{}, false
	}
	owner := p.owner(path)
	switch owner.Kind {
	case oomdoc.OwnerUnit, oomdoc.OwnerUserUnit, oomdoc.OwnerApp, oomdoc.OwnerContainer, oomdoc.OwnerPod, oomdoc.OwnerSlurm:
	default: // the limit of a session or of a bare group would hit too much
		return oomdoc.Fix{}, false
	}
	size := roundDown(share(p.ram(), capShare))
	steps := limitChange{p: p, owner: owner, path: path, size: size}.steps()
	if len(steps) == 0 {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: ownerTitle(owner, keyCapTitleOf, keyCapTitle),
		Why:   oomdoc.Say(keyCapWhy, oomdoc.Args{"size": oomdoc.Bytes(size), "ram": oomdoc.Bytes(p.ram())}),
		Steps: steps,
	}, true
}

// victimIsHog tells a victim that held most of what the listed processes held.
func (p *patient) victimIsHog() bool {
	largest := p.largest(1)
	if len(largest) == 0 || !p.isVictim(largest[0]) {
		return false
	}
	return 100*float64(largest[0].RSS) >= bigShare*float64(p.resident())
}

// resident is what the listed processes held together, in pages.
func (p *patient) resident() int64 {
	sum := p.report.TasksCutRSS
	for i := range p.report.Tasks {
		sum += p.report.Tasks[i].RSS
	}
	return sum
}

// evenScore is for a victim that died in place of a larger process because its
// oom_score_adj was higher.
func evenScore(p *patient) (oomdoc.Fix, bool) {
	largest := p.largest(1)
	if p.inc.Cause != oomdoc.CauseHostExhausted || len(largest) == 0 || p.isVictim(largest[0]) {
		return oomdoc.Fix{}, false
	}
	victim := p.victimRow()
	if victim == nil || adj(victim) <= adj(&largest[0]) || victim.RSS >= largest[0].RSS {
		return oomdoc.Fix{}, false
	}
	fix := oomdoc.Fix{
		Title: oomdoc.Say(keyScoreTitle, nil),
		Why: oomdoc.Say(keyScoreWhy, oomdoc.Args{
			"name": processName(victim.Name), "adj": oomdoc.Count(adj(victim)),
			"other": processName(largest[0].Name), "other_adj": oomdoc.Count(adj(&largest[0])),
			"held": oomdoc.Bytes(p.bytes(victim.RSS)), "other_held": oomdoc.Bytes(p.bytes(largest[0].RSS)),
		}),
	}
	owner := p.owner(p.victimPath())
	score := oomdoc.Args{"setting": oomdoc.Text("OOMScoreAdjust="), "adj": oomdoc.Count(adj(&largest[0]))}
	if owner.Kind == oomdoc.OwnerUnit && isExact(owner.Unit) {
		fix.Steps = []oomdoc.Sentence{
			oomdoc.Say(keyScoreStep, score),
			oomdoc.Command("sudo systemctl edit " + operand(owner.Unit)),
		}
		return fix, true
	}
	fix.Steps = []oomdoc.Sentence{oomdoc.Say(keyScoreOther, score)}
	return fix, true
}

// victimRow is the row of the killed process, nil when it is not listed.
func (p *patient) victimRow() *oomdoc.Task {
	for i := range p.report.Tasks {
		if p.isVictim(p.report.Tasks[i]) {
			return &p.report.Tasks[i]
		}
	}
	return nil
}

func adj(t *oomdoc.Task) int {
	if t.OOMScoreAdj == nil {
		return 0
	}
	return *t.OOMScoreAdj
}

// runLess names the largest processes: what to stop, move or make smaller. It
// says how much they held of RAM, so that a reader sees whether it was them.
func runLess(p *patient) (oomdoc.Fix, bool) {
	largest := p.largest(listed)
	if p.inc.Cause != oomdoc.CauseHostExhausted || len(largest) == 0 || p.report.PageSize == 0 || p.ram() == 0 {
		return oomdoc.Fix{}, false
	}
	fix := oomdoc.Fix{
		Title: oomdoc.Say(keyLessTitle, nil),
		Why: oomdoc.Say(keyLessWhy, oomdoc.Args{
			"n":   oomdoc.Count(len(p.report.Tasks) + p.report.TasksCut),
			"sum": oomdoc.Bytes(p.bytes(p.resident())), "ram": oomdoc.Bytes(p.ram()),
		}),
	}
	for _, task := range largest {
		fix.Steps = append(fix.Steps, oomdoc.Say(keyLessProcess, oomdoc.Args{
			"name": processName(task.Name), "pid": oomdoc.Count(taskID(task)), "held": oomdoc.Bytes(p.bytes(task.RSS)),
		}))
	}
	return fix, true
}

func taskID(t oomdoc.Task) int {
	if t.TGID > 0 {
		return t.TGID
	}
	return t.PID
}
