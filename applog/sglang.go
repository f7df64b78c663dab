package applog

import (
	"bytes"
	"math"

	"github.com/oomdoc/oomdoc"
)

// sglang reads SGLang (python/sglang/srt: mem_cache/common.py,
// model_executor/model_runner.py, managers/scheduler.py), 0.1 to 2026.
func sglang() []mark {
	return []mark{
		{"server_args=ServerArgs(", sglangBegins},
		{"Load weight begin. avail mem=", sglangLoads},
		{"Load weight end. ", sglangLoaded},
		{"KV Cache is allocated. ", sglangKV},
		{"Capture cuda graph begin", sglangCaptures},
		{"Capture CUDA graph failed: ", sglangCaptures},
		{"Capture cuda graph failed: ", sglangCaptures},
		{"The server is fired up and ready to roll", sglangServes},

		{"emory. Please try to increase --mem-fraction-static", sglangStartup},
		{"emory for hybrid (mamba/linear-attention) state cache", sglangStartup},
		{"ut of memory. Try to lower your batch size", sglangPool},
		{"ut of memory. This should never happen. Try to lower your batch size", sglangPool},
		{" in AlignedAllocator", flashinferFull},
		{"The memory capacity is unbalanced. Some GPUs may be occupied by other processes", sglangUnbalanced},
		{"eceived sigquit from a child process", sglangEnds},
	}
}

func sglangBegins(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.begins()
	s.is(oomdoc.EngineSGLang)
	if rest, found := after(sp.rest(), "model_path='"); found {
		if name, _, closed := bytes.Cut(rest, []byte("'")); closed {
			s.model = keep(name)
		}
	}
}

func sglangLoads(s *scene, sp *span) {
	s.is(oomdoc.EngineSGLang)
	did(oomdoc.PhaseWeights, oomdoc.ClueLoading)(s, sp)
}

// sglangLoaded reads "Load weight end. type=.., avail mem=63.72 GB, mem
// usage=15.08 GB."; it means GiB.
func sglangLoaded(s *scene, sp *span) {
	s.is(oomdoc.EngineSGLang)
	s.entered(oomdoc.PhaseKVCache)
	if a := sizeIn(sp.body, "mem usage=", shortUnits()); a != nil {
		c := sp.clue(oomdoc.ClueModelBuffer)
		c.Bytes = &a.bytes
		s.note(c)
	}
}

// sglangKV reads "KV Cache is allocated. #tokens: 443482, K size: 27.07 GB, V
// size: 27.07 GB".
func sglangKV(s *scene, sp *span) {
	s.is(oomdoc.EngineSGLang)
	c := sp.clue(oomdoc.ClueKVBuffer)
	c.N = wholeAfter(sp.body, "#tokens: ")
	k, v := sizeIn(sp.body, "K size: ", shortUnits()), sizeIn(sp.body, "V size: ", shortUnits())
	if k != nil && v != nil && k.bytes <= math.MaxInt64-v.bytes {
		c.Bytes = new(k.bytes + v.bytes)
	}
	s.note(c)
	s.entered(oomdoc.PhaseCompute)
}

func sglangCaptures(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.is(oomdoc.EngineSGLang)
	s.entered(oomdoc.PhaseCompute)
	s.note(sp.clue(oomdoc.ClueGraphCapture))
}

func sglangServes(s *scene, sp *span) {
	s.is(oomdoc.EngineSGLang)
	s.note(sp.clue(oomdoc.ClueServing))
	s.entered(oomdoc.PhaseRun)
}

// sglangStartup reads "Not enough memory. Please try to increase
// --mem-fraction-static. Current value: mem_fraction_static=0.7": the weights
// ate the share that the setting gives to weights and KV cache.
func sglangStartup(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	e := oomdoc.ProgramError{
		Engine: oomdoc.EngineSGLang, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseWeights, Refusal: oomdoc.RefusalPlan,
	}
	if rest, found := after(sp.rest(), "Current value:"); found {
		e.Utilization = decimalAfter(rest, "mem_fraction_static=")
	}
	s.fail(sp, e)
}

// sglangPool reads that the pool of KV cache slots has no room for a batch:
//
//	Prefill out of memory. Try to lower your batch size.
//	Try to allocate 13738 tokens.
//	Available full tokens: 2816 (full_available_size=2816 + full_evictable_size=0)
//
// Older versions print "Available tokens: " or "Avaliable tokens: ", the oldest
// nothing after the first line; 2026 prints a line for the sliding window too
// ("Available swa tokens: 3840", "Available swa: 3840"), and the smaller one is
// what refused.
func sglangPool(s *scene, sp *span) {
	whose := bytes.HasSuffix(sp.head, []byte("Prefill o")) || bytes.HasSuffix(sp.head, []byte("Decode o")) || s.isRunning(oomdoc.EngineSGLang)
	if sp.isTalk() || !whose && !bytes.HasSuffix(sp.head, []byte("RuntimeError: O")) && !isEmptyOr(sp.head, "O") {
		return
	}
	e := oomdoc.ProgramError{
		Engine: oomdoc.EngineSGLang, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseKVCache, Refusal: oomdoc.RefusalPool,
	}
	readSGLangTokens(sp.body, &e)
	f := s.fail(sp, e)
	if f == nil {
		return
	}
	s.read(func(l *line) bool {
		more := oomdoc.ProgramError{Tokens: f.err.Tokens, TokensFree: f.err.TokensFree}
		if !readSGLangTokens(l.text, &more) {
			return false
		}
		f.err.Tokens, f.err.TokensFree = more.Tokens, more.TokensFree
		f.add(s, l, f.last)
		return true
	})
}

// readSGLangTokens tells whether a line has one of the figures.
func readSGLangTokens(text []byte, e *oomdoc.ProgramError) (has bool) {
	if n := wholeAfter(text, "Try to allocate "); n != nil {
		e.Tokens, has = n, true
	}
	for _, form := range []string{"Available full tokens: ", "Available swa tokens: ", "Available swa: ", "Available tokens: ", "Avaliable tokens: "} {
		if n := wholeAfter(text, form); n != nil {
			if e.TokensFree == nil || *n < *e.TokensFree {
				e.TokensFree = n
			}
			has = true
		}
	}
	return has
}

// flashinferFull reads that the workspace of FlashInfer, which SGLang and vLLM give
// it, had no room for a batch: "Failed to allocate memory for batch_prefill_tmp_v
// with size 435814400 and alignment 16 in AlignedAllocator"; since 2025 "Buffer
// overflow when allocating memory for ... but only 134217728 bytes available in
// AlignedAllocator." (include/flashinfer/allocator.h).
func flashinferFull(s *scene, sp *span) {
	size := wholeAfter(sp.head, " with size ")
	if size == nil || !bytes.Contains(sp.head, []byte(" and alignment ")) || isQuotation(bytes.TrimSpace(sp.head)) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{
		Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseCompute, Requested: size, Free: wholeAfter(sp.head, "but only "),
		Operation: "FlashInfer",
	})
}

// sglangUnbalanced reads "pre_model_load_memory=11.2, local_gpu_memory=78.5": one
// of the cards has less free than the others before anything was loaded. It means
// GiB.
func sglangUnbalanced(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineSGLang, Pool: oomdoc.PoolDevice, Refusal: oomdoc.RefusalPlan}
	for _, field := range []struct {
		mark string
		to   **int64
	}{{"pre_model_load_memory=", &e.Free}, {"local_gpu_memory=", &e.Total}} {
		if n := decimalAfter(sp.body, field.mark); n != nil {
			*field.to = scaled(*n, gib)
		}
	}
	s.fail(sp, e)
}

// sglangEnds reads that the server ends all its processes with SIGKILL because
// one has failed: the "Killed" of the shell that follows is its own doing.
func sglangEnds(s *scene, sp *span) {
	s.is(oomdoc.EngineSGLang)
	s.more(sp)
	s.endsItself = s.desk.count
}

// isRunning tells whether the program printed lines that only this engine prints.
func (s *scene) isRunning(engine string) bool {
	for _, seen := range s.engines {
		if seen == engine {
			return true
		}
	}
	return false
}

func isEmptyOr(head []byte, text string) bool {
	head = bytes.TrimSpace(head)
	return len(head) == 0 || string(head) == text
}
