package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// tgi reads Hugging Face's Text Generation Inference, its Python shards
// (server/text_generation_server/models/flash_causal_lm.py) and its Rust router
// and launcher.
func tgi() []mark {
	return []mark{
		{"text_generation_launcher", ranIn(oomdoc.EngineTGI)},
		{"text_generation_router", ranIn(oomdoc.EngineTGI)},
		{"Not enough memory to handle ", tgiWarmUp},
		{"Decode cuda graph warmup failed", tgiGraphs},
		{"Setting max batch total tokens to", tgiServes},
		{"Shard process was signaled to shutdown with signal 9", tgiKilled},
		{"ShardCannotStart", tgiFollows},
		{"ShardFailed", tgiFollows},
	}
}

// tgiWarmUp reads "Not enough memory to handle 4096 prefill tokens. You need to
// decrease `--max-batch-prefill-tokens`" and the form for `max_total_tokens=8192`,
// for which there was no room in the KV cache.
func tgiWarmUp(s *scene, sp *span) {
	rest := sp.rest()
	e := oomdoc.ProgramError{Engine: oomdoc.EngineTGI, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseCompute}
	switch {
	case bytes.Contains(rest, []byte("prefill tokens")):
		if n, _, ok := whole(rest); ok {
			e.Tokens = &n
		}
	case bytes.Contains(rest, []byte("total_tokens")), bytes.Contains(rest, []byte("total tokens")):
		e.Phase, e.Refusal = oomdoc.PhaseKVCache, oomdoc.RefusalPlan
		e.Tokens = wholeAfter(rest, "total_tokens=")
		if n, _, ok := whole(bytes.TrimLeft(rest, "`")); ok {
			e.Tokens = &n
		}
	default:
		return
	}
	if sp.isSpoken() {
		return
	}
	s.fail(sp, e)
}

// tgiGraphs reads that no graphs could be captured; it goes on without them, and
// prints the error that it caught.
func tgiGraphs(s *scene, sp *span) {
	s.is(oomdoc.EngineTGI)
	s.entered(oomdoc.PhaseCompute)
	s.note(sp.clue(oomdoc.ClueGraphCapture))
}

func tgiServes(s *scene, sp *span) {
	s.is(oomdoc.EngineTGI)
	s.recovered(sp, true)
	s.note(sp.clue(oomdoc.ClueServing))
}

func tgiKilled(s *scene, sp *span) {
	if sp.isSpoken() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineTGI, Pool: oomdoc.PoolHost, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled})
}

func tgiFollows(s *scene, sp *span) {
	s.is(oomdoc.EngineTGI)
	s.more(sp)
}
