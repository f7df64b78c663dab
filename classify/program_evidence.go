package classify

import "github.com/oomdoc/oomdoc"

const (
	keyProgramAsked       oomdoc.Key = "evidence.program-asked"
	keyProgramAskedFree   oomdoc.Key = "evidence.program-asked-free"
	keyProgramAskedCard   oomdoc.Key = "evidence.program-asked-card"
	keyProgramHostAsked   oomdoc.Key = "evidence.program-host-asked"
	keyProgramHeapLimit   oomdoc.Key = "evidence.program-heap-limit"
	keyProgramBare        oomdoc.Key = "evidence.program-bare"
	keyProgramDisguised   oomdoc.Key = "evidence.program-disguised"
	keyProgramSaid        oomdoc.Key = "evidence.program-said"
	keyProgramPool        oomdoc.Key = "evidence.program-pool"
	keyProgramKVNeeds     oomdoc.Key = "evidence.program-kv-needs"
	keyProgramTokens      oomdoc.Key = "evidence.program-tokens"
	keyProgramFits        oomdoc.Key = "evidence.program-fits"
	keyProgramUtilization oomdoc.Key = "evidence.program-utilization"
	keyProgramOwn         oomdoc.Key = "evidence.program-own"
	keyProgramAllocator   oomdoc.Key = "evidence.program-allocator"
	keyProgramPrivate     oomdoc.Key = "evidence.program-private"
	keyProgramRanks       oomdoc.Key = "evidence.program-ranks"

	keyProgramKilled     oomdoc.Key = "evidence.program-killed"
	keyProgramOOMKilled  oomdoc.Key = "evidence.program-oomkilled"
	keyProgramShm        oomdoc.Key = "evidence.program-shm"
	keyProgramShmSize    oomdoc.Key = "evidence.program-shm-size"
	keyProgramUnified    oomdoc.Key = "evidence.program-unified"
	keyProgramPinned     oomdoc.Key = "evidence.program-pinned"
	keyProgramBigger     oomdoc.Key = "evidence.program-bigger"
	keyProgramBeyond     oomdoc.Key = "evidence.program-beyond"
	keyProgramAbsurd     oomdoc.Key = "evidence.program-absurd"
	keyProgramPieces     oomdoc.Key = "evidence.program-pieces"
	keyProgramPoolPieces oomdoc.Key = "evidence.program-pool-pieces"
	keyProgramAllowed    oomdoc.Key = "evidence.program-allowed"
	keyProgramTaken      oomdoc.Key = "evidence.program-taken"
	keyProgramOthers     oomdoc.Key = "evidence.program-others"
	keyProgramHolder     oomdoc.Key = "evidence.program-holder"
	keyProgramHidden     oomdoc.Key = "evidence.program-hidden"
	keyProgramBorder     oomdoc.Key = "evidence.program-border"

	keyProgramNoSizes       oomdoc.Key = "missing.program-sizes"
	keyProgramNoList        oomdoc.Key = "missing.program-list"
	keyProgramContradiction oomdoc.Key = "missing.program-contradiction"
)

// proveRequest says what was asked for and what was there.
func (r *programReading) proveRequest(v *programVerdict) {
	e := r.e
	args := oomdoc.Args{}
	put := func(name string, size *int64) {
		if size != nil {
			args[name] = oomdoc.Bytes(*size)
		}
	}
	put("requested", e.Requested)
	if r.facts.Completed.Free { // that stands beside it, as what was sampled
		own := *e
		own.Free = nil
		e = &own
	}
	put("free", e.Free)
	put("total", e.Total)
	switch {
	case e.Phase == oomdoc.PhaseKVCache && e.Refusal == oomdoc.RefusalPlan && e.Requested != nil && e.Free != nil:
		v.prove(e.Line, keyProgramKVNeeds, args)
	case e.Requested != nil && !r.onDevice():
		v.prove(e.Line, keyProgramHostAsked, args)
	case e.Requested != nil && e.Free != nil && e.Total != nil:
		v.prove(e.Line, keyProgramAskedCard, args)
	case e.Requested != nil && e.Free != nil:
		v.prove(e.Line, keyProgramAskedFree, args)
	case e.Requested != nil:
		v.prove(e.Line, keyProgramAsked, args)
	case e.Refusal == oomdoc.RefusalDisguised:
		v.prove(e.Line, keyProgramDisguised, nil)
		v.atMost(oomdoc.Likely)
	case e.Limit != nil && e.Pool == oomdoc.PoolRuntime:
		v.prove(e.Line, keyProgramHeapLimit, oomdoc.Args{"limit": oomdoc.Bytes(*e.Limit)})
	case r.onDevice() && r.isBareCUDA():
		// CUDA_ERROR_OUT_OF_MEMORY and cudaErrorMemoryAllocation are both 2 (cuda.h).
		v.prove(e.Line, keyProgramBare, oomdoc.Args{"code": oomdoc.Count(2)})
		v.atMost(oomdoc.Likely)
		v.lack(keyProgramNoSizes, nil)
	default:
		v.prove(e.Line, keyProgramSaid, nil)
	}
	r.proveLimits(v)
}

// isBareCUDA tells an error of the CUDA or HIP runtime itself.
func (r *programReading) isBareCUDA() bool {
	return r.e.Refusal == oomdoc.RefusalAllocation && containsAny(r.e.Line, "CUDA error", "CUDA driver error", "HIP error", "ROCm error",
		"cuda runtime error", "CUDA failure", "CUDA failed", "CUDA_ERROR_OUT_OF_MEMORY", "cudaErrorMemoryAllocation", "Cuda failure",
		"_ALLOC_FAILED", "CUDA runtime error", "cudaMalloc")
}

// proveLimits says what the program's own pools and settings allowed.
func (r *programReading) proveLimits(v *programVerdict) {
	e := r.e
	if e.Limit != nil && e.InUse != nil {
		v.prove(e.LimitLine, keyProgramPool, oomdoc.Args{"used": oomdoc.Bytes(*e.InUse), "limit": oomdoc.Bytes(*e.Limit)})
	}
	if e.Tokens != nil && e.TokensFree != nil {
		v.prove(e.Line, keyProgramTokens, oomdoc.Args{"tokens": oomdoc.Count(*e.Tokens), "free": oomdoc.Count(*e.TokensFree)})
	}
	if e.TokensFit != nil {
		v.prove(e.Line, keyProgramFits, oomdoc.Args{"tokens": oomdoc.Count(*e.TokensFit)})
	}
	if e.Utilization != nil {
		v.prove(e.Line, keyProgramUtilization, oomdoc.Args{"share": oomdoc.Percent(100 * *e.Utilization)})
	}
}

// proveHolders names who held the card.
func (r *programReading) proveHolders(v *programVerdict) {
	const shown = 4
	var listed int64
	for i, h := range r.e.Holders {
		listed += h.Bytes
		if i < shown {
			v.prove(r.e.Line, keyProgramHolder, oomdoc.Args{"pid": oomdoc.Count(h.PID), "bytes": oomdoc.Bytes(h.Bytes)})
		}
	}
	if hidden := r.vram.others - listed; r.e.Own != nil && hidden > 1<<30 {
		v.prove(r.e.Line, keyProgramHidden, oomdoc.Args{"bytes": oomdoc.Bytes(hidden)})
	}
}

// proveBorder says that figures are so near a limit that the other reading is
// possible too.
func (r *programReading) proveBorder(v *programVerdict) {
	if !r.vram.borderline() {
		return
	}
	v.prove(r.e.Line, keyProgramBorder, oomdoc.Args{
		"pieces": oomdoc.Bytes(r.vram.pieces), "free": oomdoc.Bytes(r.vram.free), "requested": oomdoc.Bytes(r.vram.request),
	})
	v.atMost(oomdoc.Likely)
}

// proveContext adds what the program itself held and what its lines told before.
func (r *programReading) proveContext(v *programVerdict) {
	e := r.e
	if r.onDevice() && e.Own != nil && !r.facts.Completed.Own && v.cause != oomdoc.CauseOtherProcess {
		v.prove(e.Line, keyProgramOwn, oomdoc.Args{"own": oomdoc.Bytes(*e.Own)})
	}
	if e.Allocated != nil && e.Unallocated != nil && v.cause != oomdoc.CauseCUDAAllocator {
		v.prove(e.Line, keyProgramAllocator, oomdoc.Args{"used": oomdoc.Bytes(*e.Allocated), "pieces": oomdoc.Bytes(*e.Unallocated)})
	}
	if e.PrivatePools != nil && e.Total != nil && *e.PrivatePools >= *e.Total/20 {
		v.prove(e.Line, keyProgramPrivate, oomdoc.Args{"bytes": oomdoc.Bytes(*e.PrivatePools)})
	}
	if e.Ranks > 1 {
		v.prove(e.Line, keyProgramRanks, oomdoc.Args{"n": oomdoc.Count(e.Ranks)})
	}
	for i := range e.Clues {
		v.proveClue(&e.Clues[i])
	}
}

// clueKeys are the sentences about what a program's lines told before it failed.
func clueKeys() map[oomdoc.ClueKind]oomdoc.Key {
	return map[oomdoc.ClueKind]oomdoc.Key{
		oomdoc.ClueModelBuffer:   "evidence.clue-model-buffer",
		oomdoc.ClueKVBuffer:      "evidence.clue-kv-buffer",
		oomdoc.ClueComputeBuffer: "evidence.clue-compute-buffer",
		oomdoc.CluePlanNeed:      "evidence.clue-plan-need",
		oomdoc.CluePlanFree:      "evidence.clue-plan-free",
		oomdoc.ClueLayers:        "evidence.clue-layers",
		oomdoc.ClueContext:       "evidence.clue-context",
		oomdoc.CluePlanOverruled: "evidence.clue-plan-overruled",
		oomdoc.ClueKVAvailable:   "evidence.clue-kv-available",
		oomdoc.ClueBackward:      "evidence.clue-backward",
		oomdoc.ClueOptimizer:     "evidence.clue-optimizer",
		oomdoc.ClueGraphCapture:  "evidence.clue-graph-capture",
		oomdoc.ClueLoading:       "evidence.clue-loading",
		oomdoc.ClueNotRecovered:  "evidence.clue-not-recovered",
	}
}

func (v *programVerdict) proveClue(c *oomdoc.Clue) {
	key, has := clueKeys()[c.Kind]
	if !has {
		return
	}
	args := oomdoc.Args{"name": oomdoc.Text(decoded(c.Name))}
	switch c.Kind {
	case oomdoc.ClueModelBuffer, oomdoc.ClueKVBuffer, oomdoc.ClueComputeBuffer, oomdoc.CluePlanNeed, oomdoc.CluePlanFree, oomdoc.ClueKVAvailable:
		if c.Bytes == nil {
			return
		}
		args["bytes"] = oomdoc.Bytes(*c.Bytes)
		if *c.Bytes < 0 {
			key = "evidence.clue-kv-none"
			args["bytes"] = oomdoc.Bytes(-*c.Bytes)
		}
	case oomdoc.ClueLayers:
		if c.N == nil || c.Of == nil {
			return
		}
		args["n"], args["of"] = oomdoc.Count(*c.N), oomdoc.Count(*c.Of)
	case oomdoc.ClueContext, oomdoc.CluePlanOverruled:
		if c.N == nil {
			return
		}
		args["n"] = oomdoc.Count(*c.N)
	}
	v.prove(c.Line, key, args)
}
