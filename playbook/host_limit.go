package playbook

import (
	"cmp"
	"path"
	"strings"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

// growth is how much more than the old limit a first try is, in percent, when
// the log does not tell how much was wanted. Ours: enough to see whether the
// demand ends, not so much that the limit means nothing.
const growth = 50

const (
	keyRaiseTitle     oomdoc.Key = "fix.raise-limit"
	keyRaiseTitleUnit oomdoc.Key = "fix.raise-limit-unit"
	keyRaiseWhy       oomdoc.Key = "fix.raise-limit.why"
	keyRaiseWhyRAM    oomdoc.Key = "fix.raise-limit.why-ram"
	keyRaiseWhyBeyond oomdoc.Key = "fix.raise-limit.why-beyond-ram"
	keyRaiseWhySwap   oomdoc.Key = "fix.raise-limit.why-swap"
	keyRaiseUnknown   oomdoc.Key = "fix.raise-limit.why-unknown"
	keyOrSwap         oomdoc.Key = "fix.raise-limit.or-swap"
)

// raiseLimit is for a memory cgroup at its limit: set it higher, with the
// command of whoever manages the group (knowledge playbook.md section 3 row 19).
func raiseLimit(p *patient) (oomdoc.Fix, bool) {
	limitPath := p.limitPath()
	if p.inc.Cause != oomdoc.CauseCgroupLimit || !isExact(limitPath) {
		return oomdoc.Fix{}, false
	}
	owner := p.owner(limitPath)
	change := limitChange{p: p, owner: owner, path: limitPath, size: p.newLimit()}
	steps := change.steps()
	if len(steps) == 0 {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: ownerTitle(owner, keyRaiseTitleUnit, keyRaiseTitle),
		Why:   p.whyRaise(change.size),
		Steps: steps,
	}, true
}

// newLimit is a first try: half more than the group is known to have wanted,
// which is its limit and what it had swapped out; 0 when the limit is not known.
func (p *patient) newLimit() int64 {
	m := p.memory()
	if m.LimitBytes == nil || oomdoc.NoLimit(*m.LimitBytes) {
		return 0
	}
	return roundUp(p.wanted() + share(p.wanted(), growth))
}

// wanted is the least that the group needed.
func (p *patient) wanted() int64 {
	wanted := *p.memory().LimitBytes
	if p.report.Memcg != nil && p.report.Memcg.SwapUsage != nil {
		wanted += *p.report.Memcg.SwapUsage
	}
	return wanted
}

// whyRaise gives the reason for the size, and says when it is more than the
// machine has.
func (p *patient) whyRaise(size int64) oomdoc.Sentence {
	if size == 0 {
		return oomdoc.Say(keyRaiseUnknown, nil)
	}
	limit, ram := *p.memory().LimitBytes, p.ram()
	args := oomdoc.Args{
		"limit": oomdoc.Bytes(limit), "try": oomdoc.Bytes(size),
		"ram": oomdoc.Bytes(ram), "swapped": oomdoc.Bytes(p.wanted() - limit),
	}
	switch {
	case ram > 0 && size > ram:
		return oomdoc.Say(keyRaiseWhyBeyond, args)
	case p.wanted() > limit:
		return oomdoc.Say(keyRaiseWhySwap, args)
	case ram > 0:
		return oomdoc.Say(keyRaiseWhyRAM, args)
	}
	return oomdoc.Say(keyRaiseWhy, args)
}

// swapForbidden tells a group that may not swap on a machine that could: then
// swap is a way out too.
func (p *patient) swapForbidden() bool {
	m := p.report.Memcg
	if m == nil || m.SwapLimit == nil || *m.SwapLimit != 0 {
		return false
	}
	return p.facts.SwapBytes == nil || *p.facts.SwapBytes > 0
}

// A limitChange is a new memory limit for a cgroup. size 0 means that the
// present limit is not known, so that none can be proposed.
type limitChange struct {
	p     *patient
	owner oomdoc.Owner
	path  string
	size  int64
}

// steps are the commands of the group's manager. A group inside another's, that
// its manager does not know, is set by its own file.
func (c limitChange) steps() []oomdoc.Sentence {
	if c.isInside() {
		return c.cgroupSteps()
	}
	if c.owner.Pod != "" {
		return c.podSteps()
	}
	byKind := map[oomdoc.OwnerKind]func(limitChange) []oomdoc.Sentence{
		oomdoc.OwnerUnit:      limitChange.unitSteps,
		oomdoc.OwnerSession:   limitChange.unitSteps,
		oomdoc.OwnerSlice:     limitChange.unitSteps,
		oomdoc.OwnerUserUnit:  limitChange.userUnitSteps,
		oomdoc.OwnerApp:       limitChange.userUnitSteps,
		oomdoc.OwnerContainer: limitChange.containerSteps,
		oomdoc.OwnerLXC:       limitChange.lxcSteps,
		oomdoc.OwnerVM:        limitChange.machineSteps,
		oomdoc.OwnerSlurm:     limitChange.slurmSteps,
		oomdoc.OwnerCgroup:    limitChange.cgroupSteps,
	}
	if steps, has := byKind[c.owner.Kind]; has {
		return steps(c)
	}
	return nil
}

// isInside tells a cgroup below that of its owner: the last part of the path
// then does not name the owner.
func (c limitChange) isInside() bool {
	names := map[oomdoc.OwnerKind]string{
		oomdoc.OwnerUnit:      c.owner.Unit,
		oomdoc.OwnerUserUnit:  c.owner.UserUnit,
		oomdoc.OwnerContainer: c.owner.Container,
	}
	name := names[c.owner.Kind]
	return name != "" && !strings.Contains(path.Base(c.path), name)
}

// ownerTitle names the owner of a group in a title. The name of a unit says what
// it is; the others have a word before it.
func ownerTitle(owner oomdoc.Owner, unit, other oomdoc.Key) oomdoc.Sentence {
	args := oomdoc.Args{
		"kind":  oomdoc.Word(classify.KindWord(owner.Kind)),
		"owner": oomdoc.Text(cmp.Or(owner.Name, owner.Path)),
	}
	if owner.Kind == oomdoc.OwnerUnit || owner.Kind == oomdoc.OwnerUserUnit {
		return oomdoc.Say(unit, args)
	}
	return oomdoc.Say(other, args)
}
