package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// vllm reads vLLM, V0 and V1 (vllm/v1/worker/gpu_worker.py,
// vllm/v1/core/kv_cache_utils.py, vllm/worker/worker.py of the older engine).
func vllm() []mark {
	marks := []mark{
		{"vLLM API server version ", vllmBegins},
		{"LLM engine (v", vllmModel},
		{"Starting to load model ", vllmLoads},
		{"Model loading took ", vllmLoaded},
		{"Loading model weights took ", vllmLoaded},
		{"Available KV cache memory: ", vllmAvailable},
		{"the rest of the memory reserved for KV Cache is ", vllmAvailable},
		{"instance can use total_gpu_memory (", vllmShare},
		{"GPU KV cache size: ", vllmKVSize},
		{"Capturing CUDA graph", vllmCaptures},
		{"Capturing cudagraphs for ", vllmCaptures},
		{"init engine (profile, create kv cache", vllmServes},

		{"Free memory on device", vllmStartup},
		{"To serve at least one request with the model", vllmKV},
		{"The model's max seq len (", vllmOldKV},
		{"No available memory for the cache blocks", vllmNoBlocks},
		{"CUDA out of memory occurred when warming up ", vllmWarmUp},
	}
	// What its processes put before their lines, and what they say when another of
	// them has failed: no cause, but whose failure it is.
	for _, prefix := range []string{"(EngineCore", "(APIServer pid=", "(Worker_", "(Worker pid=", "(VllmWorker"} {
		marks = append(marks, mark{prefix, ranIn(oomdoc.EngineVLLM)})
	}
	for _, follows := range []string{
		"EngineCore failed to start.", "EngineCore encountered a fatal error", "Engine core initialization failed.",
		"Engine core proc ", "WorkerProc failed to start.", "WorkerProc initialization failed", "EngineDeadError",
	} {
		marks = append(marks, mark{follows, vllmFollows})
	}
	return marks
}

func vllmBegins(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.begins()
	s.is(oomdoc.EngineVLLM)
}

// vllmModel reads "Initializing a V1 LLM engine (v0.11.0) with config:
// model='org/name', ...".
func vllmModel(s *scene, sp *span) {
	if !bytes.Contains(sp.head, []byte("nitializing a")) {
		return
	}
	s.is(oomdoc.EngineVLLM)
	if rest, found := after(sp.rest(), "model='"); found {
		if name, _, closed := bytes.Cut(rest, []byte("'")); closed {
			s.model = keep(name)
		}
	}
}

func vllmLoads(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.is(oomdoc.EngineVLLM)
	did(oomdoc.PhaseWeights, oomdoc.ClueLoading)(s, sp)
}

// vllmLoaded reads how much the weights took: "14.99 GiB memory and 5.19 seconds",
// "14.9888 GB" of V0, which means GiB too. What it does next, profiling, needs
// scratch space.
func vllmLoaded(s *scene, sp *span) {
	a, _, ok := sizeAt(sp.rest(), append(units(), shortUnits()...))
	if !ok {
		return
	}
	c := sp.clue(oomdoc.ClueModelBuffer)
	c.Bytes = &a.bytes
	s.is(oomdoc.EngineVLLM)
	s.note(c)
	s.entered(oomdoc.PhaseCompute)
}

// vllmAvailable reads what is left for the KV cache, which may be below zero.
func vllmAvailable(s *scene, sp *span) {
	size, negative := bytes.CutPrefix(sp.rest(), []byte("-"))
	a, _, ok := sizeAt(size, units())
	if !ok {
		return
	}
	if negative {
		a.bytes = -a.bytes
	}
	c := sp.clue(oomdoc.ClueKVAvailable)
	c.Bytes = &a.bytes
	s.is(oomdoc.EngineVLLM)
	s.note(c)
	s.entered(oomdoc.PhaseKVCache)
}

// vllmShare reads the older engine's "the current vLLM instance can use
// total_gpu_memory (8.00GiB) x gpu_memory_utilization (0.70) = 5.60GiB".
func vllmShare(s *scene, sp *span) {
	total, _, ok := sizeAt(sp.rest(), units())
	if !ok {
		return
	}
	s.is(oomdoc.EngineVLLM)
	s.told(sp.line, oomdoc.ProgramError{Total: &total.bytes, Utilization: decimalAfter(sp.rest(), "gpu_memory_utilization (")})
}

// vllmKVSize reads "GPU KV cache size: 123,456 tokens": the cache is made.
func vllmKVSize(s *scene, sp *span) {
	if n, _, ok := grouped(sp.rest()); ok {
		c := sp.clue(oomdoc.ClueKVBuffer)
		c.N = &n
		s.is(oomdoc.EngineVLLM)
		s.note(c)
		s.entered(oomdoc.PhaseCompute)
	}
}

func vllmCaptures(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	did(oomdoc.PhaseCompute, oomdoc.ClueGraphCapture)(s, sp)
}

func vllmServes(s *scene, sp *span) {
	s.is(oomdoc.EngineVLLM)
	s.note(sp.clue(oomdoc.ClueServing))
	s.entered(oomdoc.PhaseRun)
}

// vllmStartup reads "Free memory on device cuda:0 (2.02/63.59 GiB) on startup is
// less than desired GPU memory utilization (0.92, 58.51 GiB).": it looked before
// it began. The same words with a full stop after "startup" are a hint of a start
// that went well.
func vllmStartup(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	if e, n := readVLLMStartup(sp.body); n == 0 || e.Free == nil || e.Total == nil {
		return
	}
	s.failWhole(sp, []string{"used by other processes"}, readVLLMStartup)
}

func readVLLMStartup(text []byte) (oomdoc.ProgramError, int) {
	e := oomdoc.ProgramError{Engine: oomdoc.EngineVLLM, Pool: oomdoc.PoolDevice, Refusal: oomdoc.RefusalPlan}
	device, figures, found := bytes.Cut(text, []byte("("))
	if !found {
		return e, 0
	}
	if rest, named := after(device, "cuda:"); named {
		if n, _, ok := small(rest); ok {
			e.Device = &n
		}
	}
	free, rest, ok := decimal(figures)
	slash, rest, is := bytes.Cut(rest, []byte("/"))
	total, desired, hasTotal := sizeAt(rest, units())
	hint := bytes.HasPrefix(bytes.TrimLeft(desired, ")"), []byte(" on startup."))
	if !ok || !is || len(slash) > 0 || !hasTotal || hint {
		return e, 0
	}
	e.Free, e.Total, e.Grain = scaled(free, gib), &total.bytes, total.grain
	if rest, found := after(desired, "utilization ("); found {
		if share, rest, ok := decimal(rest); ok {
			e.Utilization = &share
			if rest, is := bytes.CutPrefix(rest, []byte(",")); is {
				if a, _, ok := sizeAt(rest, units()); ok {
					e.Requested = &a.bytes
				}
			}
		}
	}
	return e, known(e.Free, e.Total, e.Requested)
}

// vllmKV reads "To serve at least one request with the model's max seq len
// (32768), 16.00 GiB KV cache is needed, which is larger than the available KV
// cache memory (4.85 GiB). Based on the available memory, the estimated maximum
// model length is 9936." Early versions have a bracket before the size and no
// estimate.
func vllmKV(s *scene, sp *span) {
	if sp.isTalk() || !bytes.Contains(sp.body, []byte("seq len (")) {
		return
	}
	s.failWhole(sp, []string{"Try increasing", "maximum model length is", "Try decreasing"}, readVLLMKV)
}

func readVLLMKV(text []byte) (oomdoc.ProgramError, int) {
	e := oomdoc.ProgramError{
		Engine: oomdoc.EngineVLLM, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseKVCache, Refusal: oomdoc.RefusalPlan,
	}
	requested, free := sizeBefore(text, " KV cache is needed"), sizeAfter(text, "KV cache memory (")
	e.Requested, e.Free, e.Grain = requested.of(), free.of(), coarsest(requested, free)
	e.Tokens, e.TokensFit = wholeAfter(text, "seq len ("), wholeAfter(text, "maximum model length is ")
	return e, known(e.Requested, e.Free, e.Tokens, e.TokensFit)
}

// vllmOldKV reads V0: "The model's max seq len (32768) is larger than the maximum
// number of tokens that can be stored in KV cache (12384)."
func vllmOldKV(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	read := func(text []byte) (oomdoc.ProgramError, int) {
		e := oomdoc.ProgramError{
			Engine: oomdoc.EngineVLLM, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseKVCache, Refusal: oomdoc.RefusalPlan,
		}
		e.Tokens, e.TokensFree = wholeAfter(text, "max seq len ("), wholeAfter(text, "stored in KV cache (")
		return e, known(e.Tokens, e.TokensFree)
	}
	s.failWhole(sp, []string{"stored in KV cache (", "Try increasing"}, read)
}

// vllmNoBlocks reads that nothing is left for the KV cache: the weights and the
// profiling took all that the setting allows.
func vllmNoBlocks(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	e := oomdoc.ProgramError{
		Engine: oomdoc.EngineVLLM, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseWeights, Refusal: oomdoc.RefusalPlan,
	}
	s.fail(sp, e)
}

// vllmWarmUp reads "CUDA out of memory occurred when warming up sampler with 256
// dummy requests.", raised of PyTorch's own error.
func vllmWarmUp(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	what, _, _ := bytes.Cut(sp.rest(), []byte(" with "))
	s.fail(sp, oomdoc.ProgramError{
		Engine: oomdoc.EngineVLLM, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseCompute, Operation: "warming up " + keep(what),
	})
}

func vllmFollows(s *scene, sp *span) {
	s.is(oomdoc.EngineVLLM)
	s.more(sp)
}
