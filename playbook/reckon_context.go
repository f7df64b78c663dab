package playbook

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyContextWhy   oomdoc.Key = "fix.shorten-context.why-size"
	keyContextFit   oomdoc.Key = "fix.shorten-context.why-fit"
	keyContextSpace oomdoc.Key = "fix.shorten-context.why-space"
	keyContextLong  oomdoc.Key = "fix.shorten-context.why-long"
	keyKVSame       oomdoc.Key = "fix.smaller-kv.why-same"
)

const (
	// shortestContext, in tokens: a first try is no shorter. Ollama's and
	// llama.cpp's own smallest (knowledge playbook.md section 1, F3, -fitc).
	shortestContext = 4096
	// hugeContext, in tokens: from here on a first try is a quarter.
	hugeContext = 65536
)

// reckonContext gives the longest context that fits: as the engine says itself,
// else from the size of the KV cache, which is exact per token, and the room for
// it; else a first try.
func reckonContext(r *refused) reckoning {
	tokens, kv := r.tokens(), r.kvCache()
	if r.e.Phase == oomdoc.PhaseWeights && kv == 0 && r.missing() != nil {
		return reckoning{unfit: true} // the weights alone did not fit
	}
	if fit := r.e.TokensFit; fit != nil && *fit > 0 {
		return r.contextOf(tokens, kv, roundTokens(*fit, fitStep), keyContextFit)
	}
	if tokens == 0 {
		return reckoning{}
	}
	if tokens <= shortestContext && kv == 0 {
		return reckoning{unfit: true} // it is short, and its share is not known
	}
	want := tokens / 2
	if tokens >= hugeContext {
		want = tokens / 4
	}
	room := r.room()
	if r.e.Phase == oomdoc.PhaseCompute && room != nil && kv > 0 {
		return r.contextForScratch(tokens, kv)
	}
	if room != nil && kv > 0 && r.atKVCache() {
		// A tenth of the room stays, as for every saving.
		left := max(0, *room)
		want = min(tokens, int64(float64(left)*(100-spare)/100/(float64(kv)/float64(tokens))))
		if want < fitStep {
			return reckoning{unfit: true} // not even a short one fits
		}
	}
	step := int64(roundStepTokens)
	if want < step {
		step = fitStep
	}
	key := keyContextLong
	if kv > 0 {
		key = keyContextWhy
	}
	done := r.contextOf(tokens, kv, roundTokens(want, step), key)
	if room != nil && done.saves != nil && r.atKVCache() {
		fits := kv-*done.saves <= *room
		done.enough = &fits
	}
	return done
}

// contextForScratch gives the context at which scratch space finds room beside the
// KV cache: what the cache gives back, and without flash attention what scratch
// space itself needs less.
func (r *refused) contextForScratch(tokens, kv int64) reckoning {
	missing := r.missing()
	if missing == nil {
		return reckoning{unfit: true}
	}
	shrinks := kv
	if plainAttention(r) {
		shrinks = saturating(kv, *r.e.Requested)
	}
	leaves := 1 - float64(saturating(*missing, share(*missing, spare)))/float64(shrinks)
	want := roundTokens(int64(float64(tokens)*leaves), roundStepTokens)
	if leaves <= 0 || want < shortestContext {
		want = min(tokens/4, max(shortestContext, tokens/hugeContext*shortestContext))
	}
	return r.contextOf(tokens, shrinks, max(want, roundStepTokens), keyContextSpace)
}

const (
	// maxTokens bounds what a log may claim.
	maxTokens       = 1 << 31
	fitStep         = 16 // tokens: the usual size of a block of the cache (vLLM)
	roundStepTokens = 1024
)

func roundTokens(n, step int64) int64 { return max(step, n/step*step) }

// atKVCache tells that the request was for the KV cache.
func (r *refused) atKVCache() bool {
	return r.e.Phase == oomdoc.PhaseKVCache || r.inc.Cause == oomdoc.CauseKVCache
}

// contextOf is a reckoning for so many tokens.
func (r *refused) contextOf(tokens, kv, want int64, why oomdoc.Key) reckoning {
	done := reckoning{value: strconv.FormatInt(want, 10)}
	if tokens <= want {
		return done
	}
	args := oomdoc.Args{"tokens": oomdoc.Count(tokens), "want": oomdoc.Count(want), "size": oomdoc.Bytes(kv)}
	done.why = oomdoc.Say(why, args)
	if kv == 0 {
		return done
	}
	saves := scaled(kv, 1-float64(want)/float64(tokens))
	done.saves, done.enough = &saves, r.enough(&saves)
	if r.e.TokensFit != nil && want <= *r.e.TokensFit {
		fits := true // the engine says so
		done.enough = &fits
	}
	return done
}

// reckonKV is what a smaller type of the KV cache saves (knowledge playbook.md
// section 4: f16 2 bytes, q8_0 1.0625, fp8 1). What is not 16 bits now stays.
func reckonKV(r *refused) reckoning {
	for _, s := range settingsOf(r.kin(), smallerKV) {
		value, has := r.args.value(s.names...)
		if has && !slices.Contains([]string{"auto", "f16", "fp16", "bf16", "bfloat16", "float16", "0"}, value) {
			return reckoning{unfit: true}
		}
	}
	kv := r.kvCache()
	if kv == 0 && r.isGGML() {
		return reckoning{why: oomdoc.Say(keyKVSame, nil)}
	}
	if kv == 0 {
		return reckoning{}
	}
	factor := 0.5
	if r.isGGML() {
		factor = 1 - 1.0625/2
	}
	saves := scaled(kv, factor)
	done := reckoning{saves: &saves, enough: r.enough(&saves)}
	if r.isGGML() {
		done.why = oomdoc.Say(keyKVSame, nil)
	}
	return done
}

// reckonSlots is for a server that keeps a context for each of several requests.
func reckonSlots(r *refused) reckoning {
	if r.atLeast(oomdoc.EngineOllama, "0.30") {
		return reckoning{unfit: true} // one is its default
	}
	for _, s := range settingsOf(r.kin(), fewerSlots) {
		slots, has := r.args.number(s.names...)
		if !has && s.place == inCommandLine || slots == 1 {
			return reckoning{unfit: true}
		}
	}
	return reckoning{}
}

// reckonBatch halves the batch that the command line asked for. Of one there is
// no half.
func reckonBatch(r *refused) reckoning {
	typed, value, found := r.args.find("--per-device-train-batch-size", "--train-batch-size", "--batch-size", "--micro-batch-size", "--batch", "--bs")
	if !found {
		return reckoning{}
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n <= 0 {
		return reckoning{}
	}
	if n == 1 {
		return reckoning{unfit: true}
	}
	name, _, _ := strings.Cut(typed, " ")
	name, _, _ = strings.Cut(name, "=")
	half := strconv.FormatInt(n/2, 10)
	return reckoning{value: half, change: &change{old: typed, new: name + " " + half}}
}

// reckonPrefill halves what is taken of a prompt at a time, or takes what has
// room, to a power of two.
func reckonPrefill(r *refused) reckoning {
	now := r.e.TokensFree
	if now == nil || *now <= 0 || r.e.Refusal != oomdoc.RefusalPool {
		for _, s := range settingsOf(r.kin(), smallerPrefill) {
			if n, has := r.args.number(s.names...); has {
				n /= 2
				now = &n
			}
		}
	}
	if (now == nil || *now <= 0) && r.engine() == oomdoc.EngineTGI && r.e.Tokens != nil {
		n := *r.e.Tokens / 2
		now = &n
	}
	if now == nil || *now <= 0 {
		return reckoning{}
	}
	size := int64(1) << (bits.Len64(uint64(min(*now, maxTokens))) - 1)
	return reckoning{value: strconv.FormatInt(max(size, fitStep), 10)}
}

// reckonSequences halves how many requests run together.
func reckonSequences(r *refused) reckoning {
	for _, s := range settingsOf(r.kin(), fewerSequences) {
		if n, has := r.args.number(s.names...); has {
			if n == 1 {
				return reckoning{unfit: true}
			}
			return reckoning{value: strconv.FormatInt(n/2, 10)}
		}
	}
	return reckoning{}
}
