package classify

import "github.com/oomdoc/oomdoc"

// A rule decides one cause. It reads a report and either does not apply or gives
// its verdict.
type rule struct {
	class  oomdoc.Class
	cause  oomdoc.Cause
	decide func(*reading) (verdict, bool)
}

// rules are the causes in the order in which they are asked (knowledge
// kernel-oom.md section 4): what the kernel itself states goes before what its
// numbers show, and memory in pieces, which the constraint of a request does not
// touch, before which part of it ran out. A kill that no rule explains is
// undecided.
func rules() []rule {
	return []rule{
		{oomdoc.ClassHostRAM, oomdoc.CauseRequested, decideRequested},
		{oomdoc.ClassHostRAM, oomdoc.CauseCgroupLimit, decideCgroupLimit},
		{oomdoc.ClassFragmentation, oomdoc.CauseKernelBuddy, decideFragmentation},
		{oomdoc.ClassHostRAM, oomdoc.CauseNUMABound, decideNUMABound},
		{oomdoc.ClassHostRAM, oomdoc.CauseNUMABound, decideHiddenNUMABound},
		{oomdoc.ClassHostRAM, oomdoc.CauseZoneExhausted, decideZoneExhausted},
		{oomdoc.ClassHostRAM, oomdoc.CauseHugepagesReserved, heldBy(oomdoc.CauseHugepagesReserved)},
		{oomdoc.ClassHostRAM, oomdoc.CauseKernelMemory, heldBy(oomdoc.CauseKernelMemory)},
		{oomdoc.ClassHostRAM, oomdoc.CauseSharedMemory, heldBy(oomdoc.CauseSharedMemory)},
		{oomdoc.ClassHostRAM, oomdoc.CauseBalloon, heldBy(oomdoc.CauseBalloon)},
		{oomdoc.ClassHostRAM, oomdoc.CauseHostExhausted, decideHostExhausted},
		{oomdoc.ClassHostRAM, oomdoc.CauseHostExhausted, decideFollowUp},
		{oomdoc.ClassHostRAM, oomdoc.CauseUndecided, decideRefused},
		{oomdoc.ClassHostRAM, oomdoc.CauseUndecided, decideUndecided},
	}
}

// A verdict is what a rule found.
type verdict struct {
	class    oomdoc.Class
	cause    oomdoc.Cause
	reason   reason
	evidence []oomdoc.Evidence
	missing  []oomdoc.Sentence
	// ceiling is the most that can be claimed; the zero value is Certain. What
	// the report lacks lowers it further (grade).
	ceiling oomdoc.Confidence
	memory  oomdoc.Memory
	// of is the cause of the shortage that this one follows, where the rule does
	// not name the cause itself (decideFollowUp).
	of *hostKill
	// held is what held the RAM that ran out, for the summary.
	held oomdoc.Args
}

// judge asks the rules in their order. The last one always decides.
func judge(r *reading) verdict {
	for _, rule := range rules() {
		if v, decided := rule.decide(r); decided {
			v.class, v.cause = rule.class, rule.cause
			if v.of != nil {
				v.class, v.cause = v.of.class, v.of.cause
			}
			return v
		}
	}
	return verdict{class: oomdoc.ClassHostRAM, cause: oomdoc.CauseUndecided, ceiling: oomdoc.Possible}
}

func (v *verdict) prove(record string, key oomdoc.Key, args oomdoc.Args) {
	v.evidence = append(v.evidence, proof(record, key, args))
}

func (v *verdict) lack(key oomdoc.Key, args oomdoc.Args) {
	v.missing = append(v.missing, oomdoc.Say(key, args))
}

func (v *verdict) atMost(c oomdoc.Confidence) { v.ceiling = lower(v.ceiling, c) }

func proof(record string, key oomdoc.Key, args oomdoc.Args) oomdoc.Evidence {
	return oomdoc.Evidence{Sentence: oomdoc.Say(key, args), Record: record}
}

// name is a name from the kernel's log as a fact of a sentence.
func name(s string) oomdoc.Value { return oomdoc.Text(decoded(s)) }
