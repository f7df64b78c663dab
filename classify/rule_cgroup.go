package classify

import (
	"github.com/oomdoc/oomdoc"
)

const (
	// atLimitShare, in percent: usage this near to the limit is at it. It is
	// printed a moment after the request failed, which may itself have been for
	// up to 2 MiB.
	atLimitShare = 95
	// outsideShare, in percent of the usage: with less than this resident in the
	// listed processes, the group's memory is not in processes (knowledge
	// kernel-oom.md section 4 point 2).
	outsideShare = 60
)

const (
	keyUsedLimit      oomdoc.Key = "evidence.usage-at-limit"
	keyUsedLimitTimes oomdoc.Key = "evidence.usage-at-limit-times"
	keyUsedBelow      oomdoc.Key = "evidence.usage-below-limit"
	keyUsedNoLimit    oomdoc.Key = "evidence.usage-no-limit"
	keyMemswLimit     oomdoc.Key = "evidence.memory-and-swap-at-limit"
	keyKmemLimit      oomdoc.Key = "evidence.kernel-memory-at-limit"
	keySwapForbidden  oomdoc.Key = "evidence.swap-forbidden"
	keySwapAtLimit    oomdoc.Key = "evidence.swap-at-limit"
	keySayMemcg       oomdoc.Key = "evidence.limit-of"
	keyParentLimit    oomdoc.Key = "evidence.limit-of-parent"
	keyMemcgKillLine  oomdoc.Key = "evidence.memcg-kill-line"
	keySampledCgroup  oomdoc.Key = "evidence.sampled-cgroup"
	keyOutside        oomdoc.Key = "evidence.not-in-processes"
	keyMissingCgroup  oomdoc.Key = "missing.cgroup"
	keyMissingGuess   oomdoc.Key = "missing.cgroup-guessed"
	keyMissingPath    oomdoc.Key = "missing.cgroup-cut"
)

// decideCgroupLimit holds when the kernel says that a memory cgroup's limit was
// hit. The numbers then tell which limit, whose, and what filled it (knowledge
// kernel-oom.md section 4 point 2).
func decideCgroupLimit(r *reading) (verdict, bool) {
	if !r.isMemcg() {
		return verdict{}, false
	}
	v := verdict{}
	v.proveUsage(r)
	v.proveOwner(r)
	v.addParts(r)
	v.proveOutside(r)
	v.proveVictim(r)
	v.reason = limitReason(r, &v)
	return v, true
}

// A limitCounter is one of the page counters of a cgroup.
type limitCounter struct {
	usage, limit *int64
	key          oomdoc.Key // what to say when it is at its limit
	record       string
}

// real tells a counter that has a limit and is known.
func (c *limitCounter) real() bool {
	return c.usage != nil && c.limit != nil && !oomdoc.NoLimit(*c.limit)
}

func (c *limitCounter) full() bool {
	return c.real() && percent(*c.usage, max(1, *c.limit)) >= atLimitShare
}

// hitCounter is the counter whose limit stopped the request: memory's, unless
// that one had room and another had not.
func hitCounter(m *oomdoc.MemcgOOM) limitCounter {
	memory := limitCounter{m.Usage, m.Limit, keyUsedLimit, m.Line}
	for _, c := range []limitCounter{
		memory,
		{m.MemswUsage, m.MemswLimit, keyMemswLimit, m.SwapLine},
		{m.KmemUsage, m.KmemLimit, keyKmemLimit, m.Line},
	} {
		if c.full() {
			return c
		}
	}
	return memory
}

// proveUsage says how full the group was, and fills in the numbers.
func (v *verdict) proveUsage(r *reading) {
	m := r.report.Memcg
	if m == nil {
		return
	}
	hit := hitCounter(m)
	v.memory.UsedBytes = hit.usage
	args := r.ownerArgs()
	args["used"] = oomdoc.Bytes(valueOr(hit.usage, 0))
	args["limit"] = oomdoc.Bytes(valueOr(hit.limit, 0))
	args["n"] = oomdoc.Count(valueOr(m.Failcnt, 0))
	if hit.real() {
		v.memory.LimitBytes = hit.limit
		v.memory.FreeBytes = new(max(0, *hit.limit-*hit.usage))
	}
	switch {
	case hit.usage == nil:
	case !hit.real():
		v.prove(hit.record, keyUsedNoLimit, args)
	case !hit.full():
		v.prove(hit.record, keyUsedBelow, args)
	case hit.key == keyUsedLimit && valueOr(m.Failcnt, 0) > 0:
		v.prove(hit.record, keyUsedLimitTimes, args)
	default:
		v.prove(hit.record, hit.key, args)
	}
	v.proveGroupSwap(m)
}

// proveGroupSwap says what swap the group could use, where its own limit
// decided that (cgroup v2).
func (v *verdict) proveGroupSwap(m *oomdoc.MemcgOOM) {
	swap := limitCounter{m.SwapUsage, m.SwapLimit, keySwapAtLimit, m.SwapLine}
	if !swap.real() {
		return
	}
	v.memory.SwapTotalBytes = swap.limit
	v.memory.SwapFreeBytes = new(max(0, *swap.limit-*swap.usage))
	args := oomdoc.Args{"used": oomdoc.Bytes(*swap.usage), "limit": oomdoc.Bytes(*swap.limit)}
	switch {
	case *swap.limit == 0:
		v.prove(swap.record, keySwapForbidden, args)
	case swap.full():
		v.prove(swap.record, keySwapAtLimit, args)
	}
}

// proveOwner says whose limit it was, and by what that is known.
func (v *verdict) proveOwner(r *reading) {
	limit, task := r.limitCgroup(), r.taskCgroup()
	switch {
	case limit != "" && task != "" && limit != task:
		args := r.ownerArgs()
		child := OwnerOf(task, r.facts)
		args["child_kind"], args["child"] = oomdoc.Word(KindWord(child.Kind)), name(child.Name)
		v.prove(r.report.Summary.Line, keyParentLimit, args)
	case limit != "" && r.report.Summary != nil:
		v.prove(r.report.Summary.Line, keySayMemcg, oomdoc.Args{"cgroup": name(limit)})
	case limit != "":
		v.prove(r.report.Memcg.Line, keySayMemcg, oomdoc.Args{"cgroup": name(limit)})
	default:
		v.proveUnnamed(r)
	}
	if s := r.report.Summary; s != nil && s.Truncated {
		v.lack(keyMissingPath, nil)
	}
}

// proveUnnamed holds where the kernel named no cgroup: its kill line alone says
// that it was one.
func (v *verdict) proveUnnamed(r *reading) {
	if kill := r.victim(); kill != nil && kill.Memcg {
		v.prove(kill.Line, keyMemcgKillLine, oomdoc.Args{"pid": oomdoc.Count(kill.PID)})
	}
	switch sampled := r.sampledCgroup(); {
	case sampled != "":
		v.prove("", keySampledCgroup, oomdoc.Args{"cgroup": name(sampled), "pid": oomdoc.Count(r.victimPID())})
		v.lack(keyMissingCgroup, nil)
	case r.guessed != "":
		v.lack(keyMissingGuess, oomdoc.Args{
			"cgroup": name(r.guessed), "window": oomdoc.Duration(burstWindow),
		})
	default:
		v.lack(keyMissingCgroup, nil)
	}
}

// proveOutside says that the group's memory was not in its processes.
func (v *verdict) proveOutside(r *reading) {
	sum, known := r.residentSum()
	m := r.report.Memcg
	if !known || m == nil || m.Usage == nil || percent(sum, *m.Usage) >= outsideShare {
		return
	}
	v.prove(r.report.TasksLine, keyOutside, oomdoc.Args{
		"n": oomdoc.Count(r.listed()), "sum": oomdoc.Bytes(sum), "used": oomdoc.Bytes(*m.Usage),
	})
}

// limitOwner is who the exhausted cgroup belongs to.
func (r *reading) limitOwner() oomdoc.Owner {
	if r.limitOwned == nil {
		r.limitOwned = new(OwnerOf(r.limitCgroup(), r.facts))
	}
	return *r.limitOwned
}

// ownerArgs name the owner of the limit: its kind and its name.
func (r *reading) ownerArgs() oomdoc.Args {
	if r.limitCgroup() == "" {
		return oomdoc.Args{"kind": oomdoc.Word(keyKindCgroup), "owner": oomdoc.Word(keyUnnamed)}
	}
	owner := r.limitOwner()
	return oomdoc.Args{"kind": oomdoc.Word(KindWord(owner.Kind)), "owner": name(owner.Name)}
}

// limitReason is how the summary says that a limit was reached.
func limitReason(r *reading, v *verdict) reason {
	measured := v.memory.LimitBytes != nil
	switch {
	case r.limitCgroup() == "":
		return reasonLimitUnnamed
	case !measured:
		return reasonLimitUnmeasured
	case r.limitOwner().Kind == oomdoc.OwnerUnit || r.limitOwner().Kind == oomdoc.OwnerUserUnit:
		return reasonLimitUnit
	}
	return reasonLimit
}
