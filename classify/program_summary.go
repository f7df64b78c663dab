package classify

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

func containsAny(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// programTitles are the engines' names as their makers write them.
func programTitles() map[string]string {
	return map[string]string{
		oomdoc.EnginePyTorch: "PyTorch", oomdoc.EngineTransformers: "Transformers", oomdoc.EngineDiffusers: "Diffusers",
		oomdoc.EngineLlamaCpp: "llama.cpp", oomdoc.EngineOllama: "Ollama", oomdoc.EngineLMStudio: "LM Studio", oomdoc.EngineVLLM: "vLLM",
		oomdoc.EngineSGLang: "SGLang", oomdoc.EngineTGI: "Text Generation Inference", oomdoc.EngineTensorRTLLM: "TensorRT-LLM",
		oomdoc.EngineONNXRuntime: "ONNX Runtime", oomdoc.EngineComfyUI: "ComfyUI", oomdoc.EngineA1111: "Stable Diffusion web UI",
		oomdoc.EngineTextgen: "text-generation-webui", oomdoc.EngineKoboldCpp: "KoboldCpp", oomdoc.EngineExLlama: "ExLlama",
		oomdoc.EngineDeepSpeed: "DeepSpeed", oomdoc.EngineJAX: "JAX", oomdoc.EngineTensorFlow: "TensorFlow", oomdoc.EngineCuPy: "CuPy",
		oomdoc.EngineRAPIDS: "RAPIDS", oomdoc.EngineFaiss: "Faiss", oomdoc.EngineMLC: "MLC LLM", oomdoc.EngineNumba: "Numba",
		oomdoc.EngineRay: "Ray", oomdoc.EngineTensorRT: "TensorRT", oomdoc.EngineTritonServer: "Triton Inference Server",
		oomdoc.EngineCTranslate2: "CTranslate2", oomdoc.EngineWhisperCpp: "whisper.cpp",
		oomdoc.EnginePython: "Python", oomdoc.EngineNumPy: "NumPy", oomdoc.EngineJava: "Java", oomdoc.EngineNode: "Node.js",
		oomdoc.EngineGo: "Go", oomdoc.EngineRust: "Rust", oomdoc.EngineCpp: "C++", oomdoc.EngineCUDA: "CUDA",
	}
}

// programSummaries are the sentences by cause: where the size that was asked for
// is known, and where it is not.
func programSummaries() map[oomdoc.Cause]struct{ sized, plain oomdoc.Key } {
	return map[oomdoc.Cause]struct{ sized, plain oomdoc.Key }{
		oomdoc.CauseSingleAllocation:  {"summary.program-single", "summary.program-single"},
		oomdoc.CauseCUDAAllocator:     {"summary.program-pieces", "summary.program-pieces"},
		oomdoc.CauseReservation:       {"summary.program-reservation-sized", "summary.program-reservation"},
		oomdoc.CauseOtherProcess:      {"summary.program-others", "summary.program-others"},
		oomdoc.CauseKVCache:           {"summary.program-kv-sized", "summary.program-kv"},
		oomdoc.CauseWeights:           {"summary.program-weights-sized", "summary.program-weights"},
		oomdoc.CauseActivations:       {"summary.program-activations-sized", "summary.program-activations"},
		oomdoc.CauseLeak:              {"summary.program-leak", "summary.program-leak"},
		oomdoc.CauseExhausted:         {"summary.program-exhausted-sized", "summary.program-exhausted"},
		oomdoc.CauseAllocationRefused: {"summary.program-host-sized", "summary.program-host"},
		oomdoc.CauseShmTooSmall:       {"summary.program-shm", "summary.program-shm"},
		oomdoc.CauseHostExhausted:     {"summary.program-killed", "summary.program-killed"},
		oomdoc.CauseCgroupLimit:       {"summary.program-oomkilled", "summary.program-oomkilled"},
	}
}

// summary is the one sentence in plain words.
func (r *programReading) summary(v *programVerdict) oomdoc.Sentence {
	e := r.e
	args := oomdoc.Args{"who": r.who()}
	keys := programSummaries()[v.cause]
	key := keys.plain
	if e.Requested != nil {
		key = keys.sized
		args["requested"] = oomdoc.Bytes(*e.Requested)
	}
	if e.Total != nil {
		args["total"] = oomdoc.Bytes(*e.Total)
	}
	switch v.cause {
	case oomdoc.CauseSingleAllocation:
		if e.Total == nil {
			key = "summary.program-beyond"
		}
	case oomdoc.CauseOtherProcess:
		others := r.vram.others
		if !r.vram.knownOthers || e.Refusal == oomdoc.RefusalPlan {
			others = *e.Total - *e.Free
		}
		args["others"] = oomdoc.Bytes(others)
	case oomdoc.CauseCUDAAllocator:
		pieces := r.vram.pieces
		if e.Limit != nil && e.InUse != nil {
			pieces = *e.Limit - *e.InUse
		}
		args["pieces"] = oomdoc.Bytes(pieces)
	case oomdoc.CauseAllocationRefused:
		switch {
		case e.Pool == oomdoc.PoolRuntime:
			key = "summary.program-heap"
		case e.Refusal == oomdoc.RefusalPlan:
			key = "summary.program-host-plan"
			if e.Requested == nil {
				key = "summary.program-host-plan-plain"
			}
		}
	}
	return oomdoc.Say(key, args)
}

// who is what the failing program is called: its engine, else its name.
func (r *programReading) who() oomdoc.Value {
	if title, known := programTitles()[r.e.Engine]; known && r.e.Engine != oomdoc.EngineCUDA {
		return oomdoc.Text(title)
	}
	if r.e.Name != "" {
		return oomdoc.Text(decoded(r.e.Name))
	}
	return oomdoc.Word("word.a-program")
}
