package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// ollama reads Ollama's own words, of all three generations of its log: up to 0.11
// its runner of llama.cpp (server/sched.go, llm/server.go), then its own engine,
// since 0.30.0 llama-server as a child whose lines it passes on (llm/llama_server.go).
// Its API and its client give the same sentences.
func ollama() []mark {
	return []mark{
		{"model requires more system memory", ollamaHostPlan},
		{"model request too large for system", ollamaTooLarge},
		{"llama runner process has terminated: ", ollamaTerminated},
		{"llama-server process has terminated: ", ollamaTerminated},
		{"llama-server reported out-of-memory during startup: ", ollamaReported},
		{"llama-server startup failed ", ollamaStartup},
		{"process no longer running", ollamaGone},
		{"runtime OOM detected", ollamaRuntime},
		{"reducing automatic context and retrying once", ollamaRetries},
		{`msg=load request="{Operation:`, ollamaRetries}, // its own engine tries a layout with less on the card
		{"evicting all other loaded models for OOM retry", ollamaRetries},
		{"error loading llama server", ollamaFollows},
		{`msg="llama runner terminated"`, ollamaFollows},
		{`msg="llama-server terminated"`, ollamaFollows},
		{"mlx: cudaMalloc", ollamaMLX},
		{"memory layout cannot be allocated with num_gpu = ", ollamaLayout},
		{"NewLlamaServer failed", ollamaFollows},
		{"timed out waiting for llama", ollamaStops},
		{"client connection closed before server finished loading", ollamaStops},
		{"VRAM usage didn't recover within timeout", ollamaNotRecovered},

		{`msg="loading model via llama-server"`, ollamaLoads},
		{`msg="starting llama server"`, ollamaLoads},
		{`msg="starting llama-server"`, ollamaLoads},
		{`msg="starting runner"`, ollamaLoads},
		{`msg="starting go runner"`, isOllama},
		{"msg=offload library=", ollamaOffload},
		{`msg="offload to `, ollamaOffload},
		{`msg="model weights" device=`, ollamaBuffer(oomdoc.ClueModelBuffer)},
		{`msg="kv cache" device=`, ollamaBuffer(oomdoc.ClueKVBuffer)},
		{`msg="compute graph" device=`, ollamaBuffer(oomdoc.ClueComputeBuffer)},
		{`msg="total memory" size=`, ollamaTotal},
		{`msg="gpu memory" id=`, ollamaGPU},
		{`msg="model requires more gpu memory than is currently available`, isOllama},
		{"source=llama_server.go:", isOllama},
		{"source=sched.go:", isOllama},
		{`msg="inference compute" id=`, isOllama},
		{"/ollama runner ", isOllama},
		{"/.ollama/models/blobs/", isOllama},
		{"OLLAMA_HOST:", isOllama},
		{"github.com/ollama/ollama/", isOllama},
		{`\blobs\sha256-`, isOllama},
	}
}

func isOllama(s *scene, _ *span) { s.is(oomdoc.EngineOllama) }

// ollamaQuoted tells a line that speaks of the error.
func ollamaQuoted(sp *span) bool {
	if isString(sp.head) {
		return true
	}
	return !isLogger(sp.head) && sp.isTalk()
}

// slogSize reads a field of Ollama's log (format.HumanBytes2: of two powers, one
// decimal).
func slogSize(text []byte, key string) *amount {
	value, found := after(text, key)
	if !found {
		return nil
	}
	value = bytes.TrimLeft(value, `"\[`)
	if a, _, ok := sizeAt(value, units()); ok {
		return &a
	}
	if n, rest, ok := whole(value); ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '"') { // bytes, as older ones print it
		return &amount{bytes: n}
	}
	return nil
}

// ollamaHostPlan reads "model requires more system memory (5.6 GiB) than is
// available (3.2 GiB)": RAM and swap, counted before it begins.
func ollamaHostPlan(s *scene, sp *span) {
	if ollamaQuoted(sp) {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineOllama, Pool: oomdoc.PoolHost, Refusal: oomdoc.RefusalPlan}
	need, free := sizeAfter(sp.rest(), "("), sizeAfter(sp.rest(), "available (")
	if need == nil {
		return
	}
	e.Requested, e.Free, e.Grain = need.of(), free.of(), coarsest(need, free)
	s.is(oomdoc.EngineOllama)
	s.fail(sp, e)
}

// ollamaTooLarge reads the same of the log: requested="41.8 GiB" available="30.9
// GiB" total=... free=... swap=...
func ollamaTooLarge(s *scene, sp *span) {
	if ollamaQuoted(sp) {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineOllama, Pool: oomdoc.PoolHost, Refusal: oomdoc.RefusalPlan}
	need, free := slogSize(sp.rest(), " requested="), slogSize(sp.rest(), " available=")
	e.Requested, e.Free, e.Grain = need.of(), free.of(), coarsest(need, free)
	s.is(oomdoc.EngineOllama)
	s.fail(sp, e)
}

// ollamaTerminated reads how the runner ended. What it printed last stands behind
// that, with "\n" between the lines: the marks of ggml read it.
func ollamaTerminated(s *scene, sp *span) {
	if ollamaQuoted(sp) {
		return
	}
	s.is(oomdoc.EngineOllama)
	rest := sp.rest()
	switch {
	case bytes.Contains(rest, []byte("signal: killed")) && !isRefusal(rest):
		ollamaKilled(s, sp)
	case isRefusal(rest):
		s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineOllama})
	default:
		s.more(sp)
	}
}

// isRefusal tells an end by an allocation that failed from a crash of another kind.
func isRefusal(text []byte) bool {
	for _, words := range []string{"out of memory", "failed to allocate", "unable to allocate", "OutOfDeviceMemory", "insufficient memory"} {
		if bytes.Contains(text, []byte(words)) {
			return true
		}
	}
	return false
}

// ollamaReported reads what llama-server printed before it was ready.
func ollamaReported(s *scene, sp *span) {
	if ollamaQuoted(sp) {
		return
	}
	s.is(oomdoc.EngineOllama)
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineOllama})
}

// ollamaStartup reads "llama-server startup failed after projector CPU offload
// retry: ..." with the reason behind it.
func ollamaStartup(s *scene, sp *span) {
	if !isRefusal(sp.rest()) || ollamaQuoted(sp) {
		return
	}
	s.is(oomdoc.EngineOllama)
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineOllama})
}

// ollamaGone reads a runner that ended between two requests: msg="llama-server
// process no longer running" sys=9 string="signal: killed".
func ollamaGone(s *scene, sp *span) {
	if !bytes.HasSuffix(sp.head, []byte("llama runner ")) && !bytes.HasSuffix(sp.head, []byte("llama-server ")) || ollamaQuoted(sp) {
		return
	}
	s.is(oomdoc.EngineOllama)
	rest := sp.rest()
	switch {
	case bytes.Contains(rest, []byte("signal: killed")):
		ollamaKilled(s, sp)
	case isRefusal(rest):
		s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineOllama})
	default:
		s.more(sp)
	}
}

// ollamaKilled notes a runner that ended by SIGKILL. Ollama ends it so itself when
// the client leaves or it takes too long.
func ollamaKilled(s *scene, sp *span) {
	if s.ggml.stopped > 0 && s.desk.count-s.ggml.stopped <= near {
		s.more(sp)
		return
	}
	s.fail(sp, oomdoc.ProgramError{
		Engine: oomdoc.EngineOllama, Pool: oomdoc.PoolHost, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled,
	})
}

func ollamaStops(s *scene, _ *span) {
	s.is(oomdoc.EngineOllama)
	s.ggml.stopped = s.desk.count
}

// ollamaRuntime reads that a model that was at work ran out of memory.
func ollamaRuntime(s *scene, sp *span) {
	if ollamaQuoted(sp) {
		return
	}
	s.is(oomdoc.EngineOllama)
	if s.more(sp) != nil {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineOllama, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseRun})
}

// ollamaMLX reads the refusal of its runner of MLX: "mlx: cudaMallocAsync(&data,
// size, stream) failed: out of memory".
func ollamaMLX(s *scene, sp *span) {
	if !bytes.Contains(sp.rest(), []byte("failed: out of memory")) || ollamaQuoted(sp) {
		return
	}
	s.is(oomdoc.EngineOllama)
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineOllama, Pool: oomdoc.PoolDevice})
}

// ollamaLayout reads "memory layout cannot be allocated with num_gpu = 49": the
// layers that somebody asked for do not fit, and it does not begin (0.11 and
// later, llm/server.go).
func ollamaLayout(s *scene, sp *span) {
	n, _, ok := whole(sp.rest())
	if !ok || ollamaQuoted(sp) {
		return
	}
	s.is(oomdoc.EngineOllama)
	c := sp.clue(oomdoc.CluePlanOverruled)
	c.Name, c.N = "n_gpu_layers", &n
	s.note(c)
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineOllama, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseWeights, Refusal: oomdoc.RefusalPlan})
}

// ollamaRetries reads that it tries again with less, or with the card to itself.
func ollamaRetries(s *scene, sp *span) {
	s.is(oomdoc.EngineOllama)
	s.recovered(sp, true)
}

func ollamaFollows(s *scene, sp *span) {
	s.is(oomdoc.EngineOllama)
	s.more(sp)
}

// ollamaNotRecovered reads that memory of a model that was unloaded had not come
// back: a reason of a refusal that follows, and a consequence of one before.
func ollamaNotRecovered(s *scene, sp *span) {
	s.is(oomdoc.EngineOllama)
	if s.more(sp) == nil {
		s.note(sp.clue(oomdoc.ClueNotRecovered))
	}
}

// ollamaLoads reads the start of a runner with what it was given: cmd="... --model
// PATH --ctx-size 8192 --n-gpu-layers 33".
func ollamaLoads(s *scene, sp *span) {
	s.closeFailure()
	s.is(oomdoc.EngineOllama)
	s.forget(oomdoc.ClueServing)
	s.ggml.stopped = 0
	s.entered(oomdoc.PhaseWeights)
	for _, key := range []string{"--model ", " model="} {
		if path, found := after(sp.rest(), key); found {
			path = bytes.TrimLeft(path, `"`)
			if end := bytes.IndexAny(path, ` "]`); end >= 0 {
				path = path[:end]
			}
			s.model = keep(path)
			break
		}
	}
	if n := wholeAfter(sp.rest(), "--ctx-size "); n != nil {
		c := sp.clue(oomdoc.ClueContext)
		c.N = n
		s.note(c)
	}
}

// ollamaOffload reads the plan of the first generation: layers.model=65
// layers.offload=41 memory.available="[15.5 GiB]" memory.required.partial="15.1
// GiB" memory.required.kv=...
func ollamaOffload(s *scene, sp *span) {
	s.is(oomdoc.EngineOllama)
	rest := sp.rest()
	if n, of := wholeAfter(rest, "layers.offload="), wholeAfter(rest, "layers.model="); n != nil && of != nil {
		c := sp.clue(oomdoc.ClueLayers)
		c.N, c.Of = n, of
		s.note(c)
	}
	for _, part := range []struct {
		key  string
		kind oomdoc.ClueKind
	}{
		{"memory.weights.total=", oomdoc.ClueModelBuffer}, {"memory.required.kv=", oomdoc.ClueKVBuffer},
		{"memory.graph.full=", oomdoc.ClueComputeBuffer}, {"memory.required.partial=", oomdoc.CluePlanNeed},
	} {
		if size := slogSize(rest, part.key); size != nil {
			c := sp.clue(part.kind)
			c.Bytes = &size.bytes
			s.note(c)
		}
	}
	if free := slogSum(rest, "memory.available="); free != nil {
		c := sp.clue(oomdoc.CluePlanFree)
		c.Bytes = free
		s.note(c)
	}
}

// slogSum adds the sizes of `"[15.5 GiB 23.1 GiB]"`, one for each device.
func slogSum(text []byte, key string) *int64 {
	list, found := after(text, key)
	if !found {
		return nil
	}
	list, _, _ = bytes.Cut(bytes.TrimLeft(list, `"\[`), []byte("]"))
	var sum int64
	for n := 0; ; n++ {
		a, rest, ok := sizeAt(list, units())
		if !ok || n == maxHolders {
			if n == 0 {
				return nil
			}
			return &sum
		}
		if sum += a.bytes; sum < 0 {
			return nil
		}
		list = rest
	}
}

// ollamaBuffer reads the plan of the second generation: msg="kv cache"
// device=CUDA0 size="512.0 MiB".
func ollamaBuffer(kind oomdoc.ClueKind) func(*scene, *span) {
	return func(s *scene, sp *span) {
		s.is(oomdoc.EngineOllama)
		device, _, _ := bytes.Cut(sp.rest(), []byte(" "))
		if size := slogSize(sp.rest(), "size="); size != nil {
			c := sp.clue(kind)
			c.Name, c.Bytes = keep(device), &size.bytes
			s.note(c)
		}
	}
}

func ollamaTotal(s *scene, sp *span) {
	s.is(oomdoc.EngineOllama)
	if size := slogSize(sp.body, "size="); size != nil {
		c := sp.clue(oomdoc.CluePlanNeed)
		c.Bytes = &size.bytes
		s.note(c)
	}
}

// ollamaGPU reads the third generation's look at a card: msg="gpu memory" id=GPU-...
// library=CUDA available="15.5 GiB" free="15.9 GiB" minimum="457.0 MiB" overhead="0 B".
func ollamaGPU(s *scene, sp *span) {
	s.is(oomdoc.EngineOllama)
	if size := slogSize(sp.rest(), " available="); size != nil {
		id, _, _ := bytes.Cut(sp.rest(), []byte(" "))
		c := sp.clue(oomdoc.CluePlanFree)
		c.Name, c.Bytes = keep(id), &size.bytes
		s.note(c)
	}
}
