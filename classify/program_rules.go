package classify

import "github.com/oomdoc/oomdoc"

// A programVerdict is what a rule found in a program's error.
type programVerdict struct{ verdict }

// A programRule decides one cause of a program's error.
type programRule struct {
	class  oomdoc.Class
	cause  oomdoc.Cause
	decide func(*programReading, *programVerdict) bool
}

// programRules are asked in their order: whose memory it was, then what the
// figures decide (gpu-oom.md section 4), then what the program was doing.
func programRules() []programRule {
	host, gpu := oomdoc.ClassHostRAM, oomdoc.ClassVRAM
	return []programRule{
		{host, oomdoc.CauseCgroupLimit, (*programReading).killedAtLimit},
		{host, oomdoc.CauseHostExhausted, (*programReading).killed},
		{host, oomdoc.CauseShmTooSmall, (*programReading).shmTooSmall},
		{host, oomdoc.CauseAllocationRefused, (*programReading).hostRefused},
		{gpu, oomdoc.CauseSingleAllocation, (*programReading).biggerThanCard},
		{oomdoc.ClassFragmentation, oomdoc.CauseCUDAAllocator, (*programReading).inPieces},
		{oomdoc.ClassFragmentation, oomdoc.CauseCUDAAllocator, (*programReading).poolInPieces},
		{gpu, oomdoc.CauseReservation, (*programReading).capped},
		{gpu, oomdoc.CauseOtherProcess, (*programReading).heldByPlan},
		{gpu, oomdoc.CauseOtherProcess, (*programReading).heldByOthers},
		{gpu, oomdoc.CauseLeak, (*programReading).climbed},
		{gpu, oomdoc.CauseKVCache, (*programReading).kvCache},
		{gpu, oomdoc.CauseWeights, (*programReading).weights},
		{gpu, oomdoc.CauseReservation, (*programReading).planTooHigh},
		{gpu, oomdoc.CauseActivations, (*programReading).activations},
		{gpu, oomdoc.CauseExhausted, (*programReading).exhausted},
	}
}

// judgeProgram asks the rules in their order. It gives none for an error that is
// not memory's.
func judgeProgram(r *programReading) (programVerdict, bool) {
	if r.e.Clue(oomdoc.ClueLostDevice) != nil || r.onDevice() && r.vram.unreachable(r.e) {
		return programVerdict{}, false
	}
	for _, rule := range programRules() {
		var v programVerdict
		if rule.decide(r, &v) {
			v.class, v.cause = rule.class, rule.cause
			return v, true
		}
	}
	return programVerdict{}, false
}

// killedAtLimit reads a manager's word that a container reached its limit.
func (r *programReading) killedAtLimit(v *programVerdict) bool {
	if r.e.Refusal != oomdoc.RefusalKilled || r.e.LimitLine == "" {
		return false
	}
	v.prove(r.e.LimitLine, keyProgramOOMKilled, oomdoc.Args{"code": oomdoc.Count(137)})
	v.atMost(oomdoc.Likely)
	v.lack(keyMissingKernelLog, nil)
	return true
}

// killed reads that a process ended by SIGKILL. Who sent it these lines do not
// say; where the kernel's do, its kill is the incident.
func (r *programReading) killed(v *programVerdict) bool {
	if r.e.Refusal != oomdoc.RefusalKilled {
		return false
	}
	v.prove(r.e.Line, keyProgramKilled, oomdoc.Args{"signal": oomdoc.Count(9)})
	v.atMost(oomdoc.Possible)
	v.lack(keyMissingKernelLog, nil)
	return true
}

func (r *programReading) shmTooSmall(v *programVerdict) bool {
	if r.e.Pool != oomdoc.PoolShm && r.e.Refusal != oomdoc.RefusalBus {
		return false
	}
	if r.e.Total != nil {
		v.prove(r.e.Line, keyProgramShmSize, oomdoc.Args{"total": oomdoc.Bytes(*r.e.Total)})
	} else {
		v.prove(r.e.Line, keyProgramShm, oomdoc.Args{"signal": oomdoc.Count(r.shmNumber())})
	}
	v.atMost(oomdoc.Likely)
	return true
}

// shmNumber is the number of what the program saw: signal 7 (SIGBUS), or error 28
// (ENOSPC).
func (r *programReading) shmNumber() int {
	if r.e.Refusal == oomdoc.RefusalBus {
		return 7
	}
	return 28
}

// hostRefused reads that a program was told no by the host, or by its own heap.
func (r *programReading) hostRefused(v *programVerdict) bool {
	switch {
	case r.e.Pool == oomdoc.PoolHost, r.e.Pool == oomdoc.PoolRuntime, r.e.Clue(oomdoc.ClueUnified) != nil:
	default:
		return false
	}
	r.proveRequest(v)
	if c := r.e.Clue(oomdoc.ClueUnified); c != nil {
		v.prove(c.Line, keyProgramUnified, nil)
	}
	if c := r.e.Clue(oomdoc.CluePinned); c != nil && r.e.Requested == nil {
		v.prove(c.Line, keyProgramPinned, oomdoc.Args{"code": oomdoc.Count(2)})
	}
	if r.e.Refusal == oomdoc.RefusalPlan {
		v.atMost(oomdoc.Likely)
	}
	return true
}

func (r *programReading) biggerThanCard(v *programVerdict) bool {
	if !r.onDevice() || !r.vram.tooBig() {
		return false
	}
	m := r.vram
	if !m.knownTotal {
		v.prove(r.e.Line, keyProgramBeyond, oomdoc.Args{"requested": oomdoc.Bytes(m.request)})
		return true
	}
	v.prove(r.e.Line, keyProgramBigger, oomdoc.Args{"requested": oomdoc.Bytes(m.request), "total": oomdoc.Bytes(m.total)})
	if m.request > 8*m.total {
		v.prove(r.e.Line, keyProgramAbsurd, oomdoc.Args{"times": oomdoc.Count(m.request / max(m.total, 1))})
	}
	return true
}

func (r *programReading) inPieces(v *programVerdict) bool {
	if !r.onDevice() || !r.vram.inPieces() {
		return false
	}
	m := r.vram
	r.proveRequest(v)
	v.prove(r.e.Line, keyProgramPieces, oomdoc.Args{
		"pieces": oomdoc.Bytes(m.pieces), "share": oomdoc.Percent(percent(m.pieces, m.pool)),
		"free": oomdoc.Bytes(m.free), "requested": oomdoc.Bytes(m.request),
	})
	r.proveBorder(v)
	return true
}

// poolInPieces is the same for a pool whose size and use are printed.
func (r *programReading) poolInPieces(v *programVerdict) bool {
	e := r.e
	if !r.onDevice() || e.Limit == nil || e.InUse == nil || e.Requested == nil || *e.Limit-*e.InUse < *e.Requested {
		return false
	}
	r.proveRequest(v)
	v.prove(e.Line, keyProgramPoolPieces, oomdoc.Args{
		"free": oomdoc.Bytes(*e.Limit - *e.InUse), "limit": oomdoc.Bytes(*e.Limit), "requested": oomdoc.Bytes(*e.Requested),
	})
	return true
}

func (r *programReading) capped(v *programVerdict) bool {
	if !r.onDevice() || !r.vram.capRefused(r.e) && r.e.Refusal != oomdoc.RefusalCap {
		return false
	}
	r.proveRequest(v)
	if r.e.Allowed != nil {
		v.prove(r.e.Line, keyProgramAllowed, oomdoc.Args{"allowed": oomdoc.Bytes(*r.e.Allowed)})
	}
	return true
}

// heldByPlan reads an engine that looked before it began, and found others there.
func (r *programReading) heldByPlan(v *programVerdict) bool {
	e := r.e
	if !r.onDevice() || e.Refusal != oomdoc.RefusalPlan || e.Phase == oomdoc.PhaseKVCache || e.Free == nil || e.Total == nil {
		return false
	}
	const ownContext = 614 << 20 // 0.6 GiB: what the engine itself holds by then
	others := *e.Total - *e.Free
	if others <= *e.Total/20+ownContext {
		return false
	}
	r.proveRequest(v)
	v.prove(e.Line, keyProgramTaken, oomdoc.Args{"others": oomdoc.Bytes(others), "total": oomdoc.Bytes(*e.Total)})
	return true
}

func (r *programReading) heldByOthers(v *programVerdict) bool {
	if !r.onDevice() || !r.vram.held(r.e) {
		return false
	}
	r.proveRequest(v)
	m := r.vram
	v.prove(r.e.Line, keyProgramOthers, oomdoc.Args{
		"others": oomdoc.Bytes(m.others), "total": oomdoc.Bytes(m.total), "own": oomdoc.Bytes(m.own),
	})
	r.proveHolders(v)
	if m.guessedOwn {
		v.atMost(oomdoc.Likely)
		v.lack(keyProgramNoList, nil)
	}
	return true
}

func (r *programReading) kvCache(v *programVerdict) bool {
	if !r.onDevice() || r.e.Phase != oomdoc.PhaseKVCache && r.e.Refusal != oomdoc.RefusalPool {
		return false
	}
	r.proveRequest(v)
	return true
}

func (r *programReading) weights(v *programVerdict) bool {
	if !r.onDevice() || r.e.Phase != oomdoc.PhaseWeights {
		return false
	}
	r.proveRequest(v)
	return true
}

// planTooHigh reads a share of the card that the engine may take and that was not
// there, though nobody else holds much of it.
func (r *programReading) planTooHigh(v *programVerdict) bool {
	if !r.onDevice() || r.e.Refusal != oomdoc.RefusalPlan {
		return false
	}
	r.proveRequest(v)
	return true
}

func (r *programReading) activations(v *programVerdict) bool {
	if !r.onDevice() || r.e.Phase != oomdoc.PhaseCompute && r.e.Phase != oomdoc.PhaseTraining {
		return false
	}
	r.proveRequest(v)
	r.proveBorder(v)
	return true
}

func (r *programReading) exhausted(v *programVerdict) bool {
	if !r.onDevice() {
		v.atMost(oomdoc.Possible)
	}
	r.proveRequest(v)
	r.proveBorder(v)
	if r.vram.contradicts(r.e.Grain) {
		v.atMost(oomdoc.Possible)
		v.lack(keyProgramContradiction, oomdoc.Args{
			"free": oomdoc.Bytes(r.vram.free), "requested": oomdoc.Bytes(r.vram.request),
		})
	}
	return true
}
