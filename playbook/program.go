package playbook

import (
	"slices"

	"github.com/oomdoc/oomdoc"
)

// AttachProgram sets the fixes of an incident that a program's own error told
// of: those that the evidence allows, the cheapest that is enough first. e may
// be nil. Fixes stay empty (never nil) when nothing that the user could change
// would have helped, or when the evidence does not tell what would.
func AttachProgram(inc *oomdoc.Incident, e *oomdoc.ProgramError, facts oomdoc.Facts) {
	inc.Fixes = []oomdoc.Fix{}
	if inc.Selftest {
		return
	}
	r := newRefused(inc, e, facts)
	inc.Fixes = append(inc.Fixes, r.fixes(choose(r))...)
	if len(inc.Fixes) > 0 {
		first := &inc.Fixes[0]
		first.Steps = append(first.Steps, r.deadSettings()...)
		first.Steps = append(first.Steps, r.slowCache()...)
	}
}

// fixes are what some measures come to with the incident's numbers.
func (r *refused) fixes(measures []measure) (fixes []oomdoc.Fix) {
	var chosen []candidate
	for _, m := range measures {
		t := treatments()[m]
		reckoned := reckoning{}
		if t.reckon != nil {
			reckoned = t.reckon(r)
		}
		if reckoned.unfit {
			continue
		}
		steps := r.steps(m, reckoned)
		if len(steps) == 0 {
			continue
		}
		chosen = append(chosen, candidate{m, oomdoc.Fix{
			Number: t.number, Slug: slugs()[t.number],
			Title: oomdoc.Say(t.title, nil), Why: t.reason(reckoned), Steps: steps,
			SavesBytes: reckoned.saves, Enough: reckoned.enough,
		}})
	}
	for _, c := range r.combine(enoughFirst(chosen)) {
		fixes = append(fixes, c.fix)
	}
	return fixes
}

// A candidate is a fix that applies, with the measure that it came from.
type candidate struct {
	measure measure
	fix     oomdoc.Fix
}

// enoughFirst moves the first fix that is known to be enough before those that
// are known not to be. What cannot be reckoned keeps its place.
func enoughFirst(all []candidate) []candidate {
	at := slices.IndexFunc(all, func(c candidate) bool { return c.fix.Enough != nil && *c.fix.Enough })
	if at < 0 {
		return all
	}
	before := slices.IndexFunc(all[:at], func(c candidate) bool { return c.fix.Enough != nil })
	if before < 0 {
		return all
	}
	enough := all[at]
	return slices.Insert(slices.Delete(all, at, at+1), before, enough)
}

const (
	keyTogether oomdoc.Key = "step.together"
	keyNoneDoes oomdoc.Key = "step.none-does"
)

// combine says of a first fix that is not enough with which other one it would
// be, or that all that can be reckoned is not.
func (r *refused) combine(all []candidate) []candidate {
	missing := r.missing()
	if len(all) < 2 || missing == nil || all[0].fix.Enough == nil || *all[0].fix.Enough {
		return all
	}
	first := &all[0].fix
	for i := 1; i < len(all); i++ {
		other := all[i].fix
		if other.SavesBytes == nil || other.Enough == nil || *other.Enough {
			continue
		}
		// Two savings of which one works on what the other leaves.
		sum := saturating(*first.SavesBytes, *other.SavesBytes)
		if !covers(sum, *missing) {
			continue
		}
		first.Steps = append(first.Steps, oomdoc.Say(keyTogether, oomdoc.Args{
			"other": oomdoc.Word(other.Title.Key), "sum": oomdoc.Bytes(sum), "missing": oomdoc.Bytes(*missing),
		}))
		return all
	}
	first.Steps = append(first.Steps, oomdoc.Say(keyNoneDoes, oomdoc.Args{"missing": oomdoc.Bytes(*missing)}))
	return all
}
