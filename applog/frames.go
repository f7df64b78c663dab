package applog

import (
	"bytes"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// frames reads the tracebacks of Python: which library's code ran, and what it
// was doing, decides the phase of the error that ends them.
func frames() []mark {
	marks := []mark{
		{"Traceback (most recent call last)", traceBegins},
		{"During handling of the above exception", traceChains},
		{"direct cause of the following exception", traceChains},
	}
	for _, f := range frameTexts() {
		marks = append(marks, mark{f.text, f.read})
	}
	for _, f := range framePaths() {
		marks = append(marks, inPath(f.text, f.read)...)
	}
	return marks
}

// inPath are the marks of a part of a path, as it is written on Linux and on
// Windows.
func inPath(path string, read func(*scene, *span)) []mark {
	return []mark{{path, read}, {strings.ReplaceAll(path, "/", `\`), read}}
}

func traceBegins(s *scene, _ *span) {
	if s.open != nil && !s.chained {
		s.traces++
	}
}

func traceChains(s *scene, _ *span) { s.chained = true }

type frameText struct {
	text string
	read func(*scene, *span)
}

// framePaths are the places of libraries and of programs.
func framePaths() []frameText {
	return []frameText{
		// site-packages, and dist-packages as Debian and the vendors' images have it.
		{"-packages/transformers/", ranIn(oomdoc.EngineTransformers)},
		{"-packages/diffusers/", ranIn(oomdoc.EngineDiffusers)},
		{"-packages/deepspeed/", ranIn(oomdoc.EngineDeepSpeed)},
		{"-packages/vllm/", ranIn(oomdoc.EngineVLLM)},
		{"/vllm/v1/", ranIn(oomdoc.EngineVLLM)},
		{"-packages/sglang/", ranIn(oomdoc.EngineSGLang)},
		{"/sglang/srt/", ranIn(oomdoc.EngineSGLang)},
		{"/text_generation_server/", ranIn(oomdoc.EngineTGI)},
		{"/ComfyUI/", ranOutOf(oomdoc.EngineComfyUI)},
		{"/comfy/", ranIn(oomdoc.EngineComfyUI)},
		{"/stable-diffusion-webui", ranOutOf(oomdoc.EngineA1111)},
		{"/text-generation-webui/", ranOutOf(oomdoc.EngineTextgen)},
		{"/exllamav2/", ranIn(oomdoc.EngineExLlama)},
		{"/exllamav3/", ranIn(oomdoc.EngineExLlama)},
		{"/tensorrt_llm/", ranIn(oomdoc.EngineTensorRTLLM)},
		{"/jax/_src/", ranIn(oomdoc.EngineJAX)},
		{"/onnxruntime/capi/", ranIn(oomdoc.EngineONNXRuntime)},
		{"-packages/ctranslate2/", ranIn(oomdoc.EngineCTranslate2)},
		{"-packages/faster_whisper/", ranIn(oomdoc.EngineCTranslate2)},
		{"-packages/cudf/", ranIn(oomdoc.EngineRAPIDS)},
		{"-packages/cuml/", ranIn(oomdoc.EngineRAPIDS)},
	}
}

func frameTexts() []frameText {
	return []frameText{
		{"from_pretrained(", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in from_pretrained", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{"load_state_dict", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in load_model", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in load_weights", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{"safetensors", loadsTensors},
		{"model.to(", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{"model.cuda(", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{"pipe.to(", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{"_apply(lambda t: t.cuda(", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)}, // Module.cuda
		{"return t.to(", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},             // Module.to
		{", in set_module_tensor_to_device", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in load_gen", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)}, // ExLlamaV2
		{"Loading checkpoint shards:", loadsShards},

		{".backward(", did(oomdoc.PhaseTraining, oomdoc.ClueBackward)},
		{", in backward", did(oomdoc.PhaseTraining, oomdoc.ClueBackward)},
		{"optimizer.step(", did(oomdoc.PhaseTraining, oomdoc.ClueOptimizer)},
		{"exp_avg", did(oomdoc.PhaseTraining, oomdoc.ClueOptimizer)},
		{"loss = ", did(oomdoc.PhaseTraining, "")},
		{", in training_step", did(oomdoc.PhaseTraining, "")},
		{", in forward", did(oomdoc.PhaseCompute, "")},

		{"pin_memory", did("", oomdoc.CluePinned)},
		{"cudaHostAlloc", did("", oomdoc.CluePinned)},
		{"host_register", did("", oomdoc.CluePinned)},
		{"cudaHostRegister", did("", oomdoc.CluePinned)},
	}
}

func ranIn(engine string) func(*scene, *span) { return func(s *scene, _ *span) { s.is(engine) } }

// ranOutOf is ranIn for a program's own folder, out of which others load models.
func ranOutOf(engine string) func(*scene, *span) {
	return func(s *scene, sp *span) {
		if rest := bytes.TrimLeft(sp.rest(), `/\`); !bytes.HasPrefix(rest, []byte("models")) {
			s.is(engine)
		}
	}
}

// did notes what a frame was doing. A later frame goes deeper; training and
// loading say more than the forward pass inside them.
func did(phase oomdoc.Phase, clue oomdoc.ClueKind) func(*scene, *span) {
	return func(s *scene, sp *span) {
		if phase != "" && (phase != oomdoc.PhaseCompute || s.inPhase(near) == "") {
			s.entered(phase)
		}
		if clue != "" {
			s.note(sp.clue(clue))
		}
	}
}

// loadsShards reads the bar that Transformers draws (transformers/modeling_utils.py).
func loadsShards(s *scene, sp *span) {
	s.is(oomdoc.EngineTransformers)
	did(oomdoc.PhaseWeights, oomdoc.ClueLoading)(s, sp)
}

// loadsTensors reads a frame of the loader of weights; the name also stands in
// paths of models.
func loadsTensors(s *scene, sp *span) {
	if bytes.Contains(sp.text, []byte("File \"")) || bytes.Contains(sp.body, []byte("checkpoint shards")) {
		did(oomdoc.PhaseWeights, oomdoc.ClueLoading)(s, sp)
	}
}
