package applog

import "github.com/oomdoc/oomdoc"

// dialects are the engines whose lines are known, one file each.
func dialects() []dialect {
	return []dialect{
		frames, code, pytorch,
		transformers, diffusers, deepspeed, bitsandbytes,
		vllm, sglang, tgi,
		tensorrtLLM, tensorrt, tritonServer, onnxRuntime, ctranslate2,
		tensorflow, jax,
		rapids, cupy, numba, faiss,
		handled,
		cuda,
		ggml, ggmlPlan, ollama, lmStudio, koboldCpp, textgen, whisperCpp, jetson, comfyUI, webUI, exllama, mlc,
		python, numpy, cpp, java, node, golang, rust, dataloader, sharedMemory, hostMemory, killed,
	}
}

// wrapped tells what runs inside an engine: an error of the inner one is the
// outer's where both were seen in one log.
func wrapped() map[string][]string {
	torch := []string{oomdoc.EnginePyTorch, oomdoc.EngineCUDA, oomdoc.EngineTransformers, oomdoc.EnginePython, oomdoc.EngineNumPy, oomdoc.EngineCpp}
	ggml := []string{oomdoc.EngineLlamaCpp, oomdoc.EngineCUDA, oomdoc.EngineCpp}
	return map[string][]string{
		oomdoc.EngineTransformers: torch,
		oomdoc.EngineDiffusers:    torch,
		oomdoc.EngineDeepSpeed:    torch,
		oomdoc.EngineVLLM:         torch,
		oomdoc.EngineSGLang:       torch,
		oomdoc.EngineTGI:          append([]string{oomdoc.EngineRust}, torch...),
		oomdoc.EngineTensorRTLLM:  torch,
		oomdoc.EngineComfyUI:      append([]string{oomdoc.EngineDiffusers}, torch...),
		oomdoc.EngineA1111:        torch,
		oomdoc.EngineExLlama:      torch,
		oomdoc.EngineTextgen:      append(append([]string{oomdoc.EngineExLlama}, torch...), ggml...),
		oomdoc.EngineOllama:       append([]string{oomdoc.EngineGo}, ggml...),
		oomdoc.EngineLMStudio:     append([]string{oomdoc.EngineNode}, ggml...),
		oomdoc.EngineKoboldCpp:    append([]string{oomdoc.EngineWhisperCpp}, ggml...),
		oomdoc.EngineMLC:          {oomdoc.EngineCUDA, oomdoc.EnginePython, oomdoc.EngineCpp},
		oomdoc.EngineWhisperCpp:   ggml,
		oomdoc.EnginePyTorch:      {oomdoc.EngineCUDA, oomdoc.EnginePython},
		oomdoc.EngineLlamaCpp:     {oomdoc.EngineCUDA, oomdoc.EngineCpp},
		oomdoc.EngineJAX:          {oomdoc.EngineCUDA, oomdoc.EnginePython},
		oomdoc.EngineTensorFlow:   {oomdoc.EngineCUDA, oomdoc.EnginePython},
		oomdoc.EngineONNXRuntime:  {oomdoc.EngineCUDA},
		oomdoc.EngineNumPy:        {oomdoc.EnginePython},
		oomdoc.EngineRAPIDS:       {oomdoc.EngineCUDA, oomdoc.EngineCpp, oomdoc.EnginePython},
		oomdoc.EngineCuPy:         {oomdoc.EngineCUDA, oomdoc.EnginePython},
		oomdoc.EngineNumba:        {oomdoc.EngineCUDA, oomdoc.EnginePython},
		oomdoc.EngineFaiss:        {oomdoc.EngineCUDA, oomdoc.EngineCpp},
		oomdoc.EngineCTranslate2:  {oomdoc.EngineCUDA, oomdoc.EngineCpp},
		oomdoc.EngineTensorRT:     {oomdoc.EngineCUDA},
		oomdoc.EngineTritonServer: {oomdoc.EngineTensorRT, oomdoc.EngineONNXRuntime, oomdoc.EngineTensorRTLLM},
	}
}

// wraps tells an engine that runs the other one inside.
func wraps(outer, inner string) bool {
	for _, other := range wrapped()[outer] {
		if other == inner {
			return true
		}
	}
	return inner == ""
}

// outermost is the engine that a failure is called by: the outermost of those
// that this program was seen to be.
func (s *scene) outermost(engine string) string {
	if s.home != "" && engine != "" && wraps(s.home, engine) {
		return s.home
	}
	for range len(s.engines) {
		outer := engine
		for _, seen := range s.engines {
			if seen != engine && wraps(seen, outer) {
				outer = seen
			}
		}
		if outer == engine {
			break
		}
		engine = outer
	}
	return engine
}
