package applog

import (
	"bytes"
	"slices"

	"github.com/oomdoc/oomdoc"
)

// ggmlPlan reads what llama.cpp tells before it fails: the devices, what it means
// to put where, how much of that it got. Nothing of it is an error.
func ggmlPlan() []mark {
	return []mark{
		{"rojected to use ", fitNeeds},
		{"context size reduced from ", fitReduces},
		{"already set by user", fitOverruled},
		{"memory_breakdown_print: |   - ", fitBreakdown},
		{"using device ", ggmlUses},
		{"layers to GPU", ggmlLayers},
		{"buffer size = ", ggmlGot},
		{"n_ctx ", ggmlContext},
		{"n_seq_max ", ggmlSlots},
		{"llama_model_loader: loaded meta data", ggmlLoads},
		{"loading model tensors", func(s *scene, _ *span) { s.entered(oomdoc.PhaseWeights) }},
		{"llm_load_tensors: ", ggmlLoadsTensors},
		{"llama_kv_cache", ggmlMakesCache},
		{"main: build = ", ggmlBegins},
		{"build_info: b", ggmlBegins},
		{"print_info: build ", ggmlBegins},
		{"server is listening on http", ggmlServes},
		{"all slots are idle", ggmlServes},
		{"launch_slot_", ggmlServes},
		{"update_slots", ggmlServes},
		{"compute capability ", ggmlNamesDevice},
		{"gfx9", ggmlNamesDevice},
		{"gfx1", ggmlNamesDevice},
	}
}

// fitNeeds reads the planner (common_params_fit_impl since 2026,
// llama_params_fit[_impl] before): "projected to use 32953 MiB of device memory
// vs. 8186 MiB of free device memory".
func fitNeeds(s *scene, sp *span) {
	rest := sp.rest()
	need, _, ok := sizeAt(rest, units())
	if !ok || !bytes.Contains(rest, []byte("device memory")) {
		return
	}
	s.is(oomdoc.EngineLlamaCpp)
	c := sp.clue(oomdoc.CluePlanNeed)
	c.Bytes = &need.bytes
	s.note(c)
	if free := sizeAfter(rest, "vs. "); free != nil {
		c := sp.clue(oomdoc.CluePlanFree)
		c.Bytes = &free.bytes
		s.note(c)
	}
}

// fitReduces reads "context size reduced from 131072 to 4096 -> need ...".
func fitReduces(s *scene, sp *span) {
	if n := wholeAfter(sp.rest(), " to "); n != nil {
		c := sp.clue(oomdoc.ClueContext)
		c.N = n
		s.note(c)
	}
}

// fitOverruled reads "failed to fit params to free device memory: n_gpu_layers
// already set by user to 99, abort".
func fitOverruled(s *scene, sp *span) {
	if !bytes.Contains(sp.head, []byte("fit")) {
		return
	}
	c := sp.clue(oomdoc.CluePlanOverruled)
	setting := bytes.TrimRight(sp.head, " ")
	setting = setting[bytes.LastIndexByte(setting, ' ')+1:]
	c.Name = keep(setting[bytes.LastIndexByte(setting, ':')+1:])
	c.N = wholeAfter(sp.rest(), " to ")
	s.note(c)
}

// fitBreakdown reads "CUDA0 (RTX 5090) | 32111 = 31605 + (18058 = 16386 + 1024 +
// 648) + -17552 |", in MiB: total = free + (self = model + context + compute) +
// unaccounted.
func fitBreakdown(s *scene, sp *span) {
	name, _, _ := bytes.Cut(sp.rest(), []byte(" "))
	_, self, found := bytes.Cut(sp.rest(), []byte("= "))
	if _, parts, has := bytes.Cut(self, []byte("= ")); has { // behind the total and the free
		self = parts
	}
	if !found || len(name) == 0 {
		return
	}
	for _, kind := range []oomdoc.ClueKind{oomdoc.ClueModelBuffer, oomdoc.ClueKVBuffer, oomdoc.ClueComputeBuffer} {
		n, rest, ok := whole(bytes.TrimLeft(self, " +"))
		if !ok {
			return
		}
		self = rest
		c := sp.clue(kind)
		if c.Name, c.Bytes = keep(name), times(&n, mib); c.Bytes != nil {
			s.note(c)
		}
	}
}

// ggmlUses reads "using device CUDA0 (NVIDIA GeForce RTX 3060) - 11909 MiB free".
func ggmlUses(s *scene, sp *span) {
	free := sizeBefore(sp.body, " free")
	name, _, found := bytes.Cut(sp.rest(), []byte(" ("))
	if free == nil || !found || bytes.IndexByte(name, ' ') >= 0 {
		return
	}
	s.is(oomdoc.EngineLlamaCpp)
	c := sp.clue(oomdoc.CluePlanFree)
	c.Name, c.Bytes = keep(name), &free.bytes
	s.note(c)
}

// ggmlLayers reads "offloaded 33/49 layers to GPU".
func ggmlLayers(s *scene, sp *span) {
	_, numbers, found := afterLast(sp.head, "offloaded ")
	if !found {
		ggmlOffloads(s, sp)
		return
	}
	n, rest, ok := whole(numbers)
	if !ok || !bytes.HasPrefix(rest, []byte("/")) {
		return
	}
	of, _, ok := whole(rest[1:])
	if !ok {
		return
	}
	c := sp.clue(oomdoc.ClueLayers)
	c.N, c.Of = &n, &of
	s.note(c)
}

// ggmlOffloads reads "offloading 48 repeating layers to GPU", which stands before
// the attempt: how many there are in all is not said.
func ggmlOffloads(s *scene, sp *span) {
	_, numbers, found := afterLast(sp.head, "offloading ")
	if !found {
		return
	}
	if n, rest, ok := whole(numbers); ok && n > 0 && string(bytes.TrimRight(rest, " ")) == " repeating" {
		c := sp.clue(oomdoc.ClueLayers)
		c.N = &n
		s.note(c)
	}
}

// ggmlGot reads "CUDA0 model buffer size = 11541.20 MiB": what was got, and so what
// comes next. Before 2024-04 the weights' line names the buffer alone.
func ggmlGot(s *scene, sp *span) {
	size := sizeAfter(sp.body, sp.literal)
	words := bytes.Fields(sp.head)
	if size == nil || size.bytes < mib/100 || len(words) == 0 {
		return
	}
	kind, next := oomdoc.ClueModelBuffer, oomdoc.PhaseKVCache
	name := words[len(words)-1]
	switch string(name) {
	case "KV", "RS":
		kind, next = oomdoc.ClueKVBuffer, oomdoc.PhaseCompute
	case "compute":
		kind, next = oomdoc.ClueComputeBuffer, oomdoc.PhaseCompute
	case "model":
	case "output":
		return
	default:
		words = append(words, nil)
	}
	if len(words) < 2 {
		return
	}
	c := sp.clue(kind)
	c.Name, c.Bytes = keep(words[len(words)-2]), &size.bytes
	s.note(c)
	s.entered(next)
}

// ggmlContext reads "llama_context: n_ctx         = 262144".
func ggmlContext(s *scene, sp *span) {
	number, is := bytes.CutPrefix(bytes.TrimLeft(sp.rest(), " "), []byte("= "))
	if !is || !bytes.HasSuffix(sp.head, []byte(": ")) {
		return
	}
	if n, _, ok := whole(number); ok {
		c := sp.clue(oomdoc.ClueContext)
		c.N = &n
		s.note(c)
		if s.inPhase(near) != oomdoc.PhaseRun {
			s.entered(oomdoc.PhaseKVCache)
		}
	}
}

// ggmlSlots reads "llama_context: n_seq_max     = 4": as many requests share the
// context.
func ggmlSlots(s *scene, sp *span) {
	number, is := bytes.CutPrefix(bytes.TrimLeft(sp.rest(), " "), []byte("= "))
	if !is || !bytes.HasSuffix(sp.head, []byte(": ")) {
		return
	}
	s.forget(oomdoc.ClueSlots)
	if n, _, ok := whole(number); ok && n > 1 {
		c := sp.clue(oomdoc.ClueSlots)
		c.N = &n
		s.note(c)
	}
}

// ggmlLoads reads that a model is opened: "loaded meta data with 28 key-value
// pairs and 310 tensors from /models/a.gguf (version GGUF V3 (latest))". What was
// got for another model holds no more; the plan for this one does.
func ggmlLoads(s *scene, sp *span) {
	s.closeFailure()
	s.is(oomdoc.EngineLlamaCpp)
	s.forget(oomdoc.ClueModelBuffer, oomdoc.ClueKVBuffer, oomdoc.ClueComputeBuffer, oomdoc.ClueLayers, oomdoc.ClueContext, oomdoc.ClueSlots, oomdoc.ClueServing)
	s.entered(oomdoc.PhaseWeights)
	if from, found := after(sp.rest(), " tensors from "); found {
		path, _, _ := bytes.Cut(from, []byte(" (version"))
		s.model = keep(path)
	}
}

func ggmlLoadsTensors(s *scene, sp *span) {
	if !bytes.Contains(sp.rest(), []byte("buffer size")) {
		s.entered(oomdoc.PhaseWeights)
	}
}

func ggmlMakesCache(s *scene, _ *span) {
	if s.inPhase(near) == oomdoc.PhaseWeights {
		s.entered(oomdoc.PhaseKVCache)
	}
}

// ggmlBegins reads the first line of a program of llama.cpp.
func ggmlBegins(s *scene, _ *span) {
	runsIn := slices.Clone(s.engines) // Ollama and others start it anew for each model
	s.begins()
	for _, engine := range runsIn {
		if wraps(engine, oomdoc.EngineLlamaCpp) {
			s.is(engine)
		}
	}
	s.is(oomdoc.EngineLlamaCpp)
}

// ggmlServes reads that the server is at work. What failed before did not end it.
func ggmlServes(s *scene, sp *span) {
	if f := s.open; f != nil && !f.ended && f.err.Phase != oomdoc.PhaseRun && sp.literal == "server is listening on http" {
		s.recovered(sp, false)
	}
	if s.phase.phase != oomdoc.PhaseRun || !s.has(oomdoc.ClueServing, near) {
		s.note(sp.clue(oomdoc.ClueServing))
	}
	s.entered(oomdoc.PhaseRun)
}

// ggmlNamesDevice reads "  Device 0: Orin, compute capability 8.7, VMM: yes" and
// "  Device 0: AMD Radeon Graphics, gfx1103 (0x1103), VMM: no". Some of them have no
// memory of their own.
func ggmlNamesDevice(s *scene, sp *span) {
	_, device, found := afterLast(sp.head, "Device ")
	if !found {
		return
	}
	n, name, ok := small(device)
	if !ok || !bytes.HasPrefix(name, []byte(": ")) {
		return
	}
	backend := "CUDA"
	if target, is := bytes.CutPrefix(sp.body, []byte("gfx")); is {
		backend = "ROCm"
		model, _, _ := bytes.Cut(target, []byte(" "))
		if !slices.Contains(sharedAMD(), string(bytes.TrimRight(model, ",:"))) {
			return
		}
	} else if !isSharedNVIDIA(name) {
		return
	}
	s.shares(backend, n, sp)
}

// isSharedNVIDIA tells the chips whose CPU and GPU have one memory: Jetson, DGX
// Spark.
func isSharedNVIDIA(name []byte) bool {
	for _, chip := range []string{"Orin", "Xavier", "Thor", "Tegra", "GB10", "NVIDIA Jetson"} {
		if bytes.Contains(name, []byte(chip)) {
			return true
		}
	}
	return false
}

// sharedAMD are the graphics parts of AMD's processors by their target (LLVM's
// table of AMDGPU processors, those marked APU).
func sharedAMD() []string {
	return []string{"90c", "902", "909", "1013", "1033", "1035", "1036", "1103", "1150", "1151", "1152", "1153"}
}

// shares notes a device that has no memory of its own.
func (s *scene) shares(backend string, n int, sp *span) {
	if n > maxDevice {
		return
	}
	c := sp.clue(oomdoc.ClueUnified)
	c.Name = backend + decimalOf(n)
	s.note(c)
}
