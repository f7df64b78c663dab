package playbook

import (
	"github.com/oomdoc/oomdoc"
)

// ownShare, in percent of the memory that ran out: a program that was killed and
// held less is a victim of others, and its own settings would not have helped. Ours.
const ownShare = 25

// killedChoices are for a program that was killed for RAM, where it is known how it
// was started (knowledge playbook.md section 3, rows 18 to 25). What the log of the
// kernel does not tell, what the program did then, its command line may.
func killedChoices() []choice {
	return []choice{
		{all(isGGML, unmapped), take(mapFile, capCache, shortenContext, quantize)},
		{all(isGGML, inRAM), take(useGPU, capCache, shortenContext, quantize)},
		{all(isGGML, longContext), take(shortenContext, smallerKV, capCache, quantize)},
		{isGGML, take(capCache, shortenContext, quantize)},
		{engine(oomdoc.EngineVLLM, oomdoc.EngineSGLang), take(pinLess, quantize)},
		{all(isTorch, fewWorkersMissing), take(fewerWorkers)},
		{all(isTorch, hasModels), take(halve, loadOneByOne)},
		{engine(oomdoc.EngineJava), take(shrinkHeap)},
	}
}

// inRAM tells llama.cpp's options that keep in RAM what could lie on the GPU.
func inRAM(r *refused) bool {
	return r.args.has("-nkvo", "--no-kv-offload", "-cmoe", "--cpu-moe", "-ncmoe", "--n-cpu-moe")
}

// fewWorkersMissing tells a program that was told to use several workers.
func fewWorkersMissing(r *refused) bool {
	n, has := r.args.number("--num-workers", "--dataloader-num-workers", "--workers")
	return has && n > 1
}

func hasModels(r *refused) bool { return len(r.sampled().Models) > 0 }

// sampled is what was known of the process while it lived.
func (r *refused) sampled() oomdoc.ProcessFacts {
	if r.inc.Process == nil || r.inc.Process.PID == 0 {
		return oomdoc.ProcessFacts{}
	}
	return r.facts.Processes[r.inc.Process.PID]
}

// programFixes are those for the killed program itself: its settings.
func programFixes(p *patient) []oomdoc.Fix {
	inc := p.inc
	if inc.Process == nil || inc.Class != oomdoc.ClassHostRAM || inc.Outcome != oomdoc.OutcomeKilled || !p.heldEnough() {
		return nil
	}
	e := &oomdoc.ProgramError{Engine: inc.Process.Engine, Model: inc.Process.Model, Pool: oomdoc.PoolHost, Outcome: oomdoc.OutcomeKilled}
	r := newRefused(inc, e, p.facts)
	r.patient = p
	if !r.args.isKnown() {
		return nil // its settings are not known
	}
	for _, c := range killedChoices() {
		if c.applies(r) {
			return r.fixes(c.measures(r))
		}
	}
	return nil
}

// heldEnough tells a victim that held a good part of what ran out.
func (p *patient) heldEnough() bool {
	m := p.memory()
	pool := p.pool()
	return m.RSSBytes != nil && pool > 0 && *m.RSSBytes >= share(pool, ownShare)
}

// pool is how large the memory that ran out is, 0 when it is not known.
func (p *patient) pool() int64 {
	if limit := p.memory().LimitBytes; limit != nil && !oomdoc.NoLimit(*limit) && p.inc.Cause == oomdoc.CauseCgroupLimit {
		return *limit
	}
	return p.ram()
}

// copied are the bytes of the models that the process has, 0 when not known.
func (r *refused) copied() (sum int64) {
	for _, m := range r.sampled().Models {
		sum = saturating(sum, m.Bytes)
	}
	return sum
}

const keyMapSize oomdoc.Key = "fix.map-file.why-size"

const (
	keyShrinkWhy oomdoc.Key = "fix.shrink-heap.why-size"
	// leastHeap is the smallest heap that is proposed.
	leastHeap = 64 * mib
)

// reckonShrink is for a heap that is as large as the memory it lives in: the
// runtime needs some beside it.
func reckonShrink(r *refused) reckoning {
	now, pool := r.heapNow(), r.pool()
	next := roundDown(share(pool, heapShare))
	if now <= next || next < leastHeap {
		return reckoning{unfit: true}
	}
	return reckoning{
		value: r.heapUnits(next),
		why:   oomdoc.Say(keyShrinkWhy, oomdoc.Args{"now": oomdoc.Bytes(now), "pool": oomdoc.Bytes(pool), "next": oomdoc.Bytes(next)}),
	}
}

// defaultCacheRAM is llama-server's, in MiB (llama.cpp: tools/server/README.md,
// --cache-ram).
const (
	defaultCacheRAM = 8192
	smallCacheRAM   = 512
)

const keyCapCacheWhy oomdoc.Key = "fix.cap-cache.why-size"

// reckonCache is for the prompts that llama-server keeps in RAM.
func reckonCache(r *refused) reckoning {
	now := int64(defaultCacheRAM)
	if value, has := r.args.value("-cram", "--cache-ram"); has {
		n, is := wholeNumber(value)
		if !is || n <= smallCacheRAM { // 0 is off; -1 is no limit
			return reckoning{unfit: value != "-1"}
		}
		now = n
	}
	return reckoning{why: oomdoc.Say(keyCapCacheWhy, oomdoc.Args{"now": oomdoc.Bytes(now * mib)})}
}
