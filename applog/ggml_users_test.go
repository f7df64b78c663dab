package applog_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

func TestProgramsThatRunGgmlAreCalledByTheirName(t *testing.T) {
	by := func(engine string, e oomdoc.ProgramError) []oomdoc.ProgramError {
		e.Engine = engine
		if e.Outcome == "" {
			e.Outcome = failed
		}
		return []oomdoc.ProgramError{e}
	}
	holdRefusals(t, map[string]refusal{
		"LM Studio's guardrail": {
			log: logOf(t, "lmstudio-01-guardrail"),
			want: by(oomdoc.EngineLMStudio, oomdoc.ProgramError{
				Pool: onHost, Refusal: oomdoc.RefusalPlan, Requested: bytesOf(14360000000), Grain: 5000000, Model: "google/gemma-4-26b-a4b",
			}),
		},
		"LM Studio's guardrail, wrapped": {
			log: "[2025-11-08 10:00:00][ERROR][LMSInternal][Client=LM Studio][Endpoint=loadModel] Error in channel handler: Error: Model loading was stopped due to insufficient system resources. Under the current\n" +
				"settings, this model requires approximately 273.25\nGB of memory, and continuing to load it would likely overload your system\n",
			want: by(oomdoc.EngineLMStudio, oomdoc.ProgramError{
				Pool: onHost, Refusal: oomdoc.RefusalPlan, Requested: bytesOf(273250000000), Grain: 5000000,
			}),
		},
		"LM Studio's guardrail of 0.3.27, which could not compute": {
			log:  "Error: Model loading was stopped due to insufficient system resources. Under the current settings, this model requires approximately NaN undefined of memory, and continuing to load it would likely overload your system and cause it to freeze.\n",
			want: by(oomdoc.EngineLMStudio, oomdoc.ProgramError{Pool: onHost, Refusal: oomdoc.RefusalPlan}),
		},
		"LM Studio's guardrail, as its API answers": {
			log: `{"error":{"message":"Failed to load model \"qwen/qwen3-8b\". Error: Model loading was stopped due to insufficient system resources. Under the current settings, this model requires approximately 5.31 GB of memory, and continuing"}}` + "\n",
			want: by(oomdoc.EngineLMStudio, oomdoc.ProgramError{
				Pool: onHost, Refusal: oomdoc.RefusalPlan, Requested: bytesOf(5310000000), Grain: 5000000, Model: "qwen/qwen3-8b",
			}),
		},
		"Ollama, by the name of its unit": {
			log: entry("MESSAGE", "alloc_tensor_range: failed to allocate CUDA0 buffer of size 20805120000", "SYSLOG_IDENTIFIER", "ollama", "_TRANSPORT", "stdout", "_SYSTEMD_UNIT", "ollama.service", "_PID", "77", "_UID", "998"),
			want: by(oomdoc.EngineOllama, oomdoc.ProgramError{
				Pool: onDevice, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(20805120000), PID: 77, UID: new(998), Unit: "ollama.service",
			}),
		},
		"koboldcpp, by the tag of its lines": {
			log:  "Dec 01 12:00:00 box koboldcpp[77]: alloc_tensor_range: failed to allocate CUDA0 buffer of size 20805120000\n",
			want: by(oomdoc.EngineKoboldCpp, oomdoc.ProgramError{Pool: onDevice, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(20805120000)}),
		},
		"LM Studio's plan, and what llama.cpp said": {
			log: "[2026-07-23 10:21:52.880] [error] [LM Studio] Model load size estimate with raw num offload layers 'max' and context length '8192':\n" +
				"  Model: 14.87 GB\n  Context: 936.03 MB\n  Total: 15.81 GB\n" +
				"[2026-07-23 10:21:54.880] [error] [lmstudio-llama-cpp] ggml_backend_cuda_buffer_type_alloc_buffer: allocating 14181.14 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 14870003456\n" +
				"[2026-07-23 10:21:54.890] [error] [lmstudio-llama-cpp] error loading model: unable to allocate CUDA0 buffer\n",
			want: by(oomdoc.EngineLMStudio, oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(14870003456),
			}),
			clues: []oomdoc.Clue{
				{Kind: oomdoc.CluePlanNeed, Bytes: bytesOf(15810000000)}, {Kind: oomdoc.ClueKVBuffer, Bytes: bytesOf(936030000)},
				{Kind: oomdoc.ClueContext, N: bytesOf(8192)},
			},
		},
		"koboldcpp": {
			log: logOf(t, "kobold-01"),
			want: by(oomdoc.EngineKoboldCpp, oomdoc.ProgramError{
				Pool: onDevice, Phase: kvCache, Device: new(0), Requested: bytesOf(9216 << 20), Grain: 5242, Model: "/models/m.gguf",
			}),
		},
		"koboldcpp 1.93, weights": {
			log: "***\nWelcome to KoboldCpp - Version 1.93.1\nFor command line arguments, please refer to --help\n***\nDetected Free GPU Memory: 6141 MB (Set GPU layers manually if incorrect)\n" +
				"Initializing dynamic library: koboldcpp_cublas.so\n==========\nNamespace(admin=False, contextsize=16384, gpulayers=99)\n==========\n" +
				"load_tensors: offloaded 49/49 layers to GPU\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8148.38 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 8544191488\n" +
				"llama_model_load: error loading model: unable to allocate CUDA0 buffer\n" +
				"gpttype_load_model: error: failed to load model '/m/Qwen3-14B.gguf'\nLoad Text Model OK: False\nError: Could not load text model: /m/Qwen3-14B.gguf\n",
			want: by(oomdoc.EngineKoboldCpp, oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(8544191488), Model: "/m/Qwen3-14B.gguf",
			}),
			clues: []oomdoc.Clue{{Kind: oomdoc.ClueContext, N: bytesOf(16384)}, {Kind: oomdoc.CluePlanFree, Bytes: bytesOf(6141 << 20)}},
		},
		"koboldcpp on the processor": {
			log: "Welcome to KoboldCpp - Version 1.104\nggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 42949672960\n" +
				"alloc_tensor_range: failed to allocate CPU buffer of size 42949672960\nCould not load text model: /m/big.gguf\n",
			want: by(oomdoc.EngineKoboldCpp, oomdoc.ProgramError{
				Pool: onHost, DeviceName: "CPU", Requested: bytesOf(42949672960), Model: "/m/big.gguf",
			}),
		},
		"text-generation-webui with llama-server": {
			log: "12:01:02-113 INFO     Loading \"Qwen3-32B-Q4_K_M.gguf\"\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 18500.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 19398656000\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\n" +
				"12:01:05-113 ERROR    Error loading the model with llama.cpp: Server process terminated unexpectedly with exit code: 1\n",
			want: by(oomdoc.EngineTextgen, oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(19398656000),
			}),
		},
		"text-generation-webui, the child killed": {
			log: "12:01:05-113 ERROR    Error loading the model with llama.cpp: Server process terminated unexpectedly with exit code: -9\n",
			want: by(oomdoc.EngineTextgen, oomdoc.ProgramError{
				Pool: onHost, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled,
			}),
		},
		"text-generation-webui with ExLlama": {
			log: "Traceback (most recent call last):\n  File \"/home/u/text-generation-webui/modules/ui_model_menu.py\", line 214, in load_model_wrapper\n    shared.model, shared.tokenizer = load_model(selected_model, loader)\n" +
				"RuntimeError: Insufficient VRAM for model and cache\n",
			want: by(oomdoc.EngineTextgen, oomdoc.ProgramError{Pool: onDevice, Phase: weights}),
		},
		"ExLlamaV3": {
			log:  logOf(t, "exllama-01"),
			want: by(oomdoc.EngineExLlama, oomdoc.ProgramError{Pool: onDevice, Phase: weights}),
		},
		"ExLlamaV2, in a server's log": {
			log:  "ERROR:    RuntimeError: Insufficient VRAM for model and cache\n",
			want: by(oomdoc.EngineExLlama, oomdoc.ProgramError{Pool: onDevice, Phase: weights}),
		},
		"ExLlama's own words while PyTorch refuses": {
			log: "Traceback (most recent call last):\n  File \"/opt/tabby/lib/python3.11/site-packages/exllamav2/model.py\", line 330, in load_gen\n    module.load()\n" +
				"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 128.00 MiB. GPU 0 has a total capacity of 23.69 GiB of which 90.00 MiB is free. Of the allocated memory 23.10 GiB is allocated by PyTorch, and 40.00 MiB is reserved by PyTorch but unallocated.\n",
			want: by(oomdoc.EngineExLlama, oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Device: new(0), Requested: bytesOf(128 << 20), Total: bytesOf(25436943810), Free: bytesOf(90 << 20),
				Allocated: bytesOf(24803436134), Unallocated: bytesOf(40 << 20), Grain: 5368709,
			}),
		},
		"whisper.cpp, the KV cache": {
			log: "whisper_init_from_file_with_params_no_state: loading model from 'models/ggml-large-v3.bin'\nwhisper_model_load: loading model\n" +
				"whisper_model_load:    CUDA0 total size =  3094.36 MB\nwhisper_backend_init_gpu: using CUDA0 backend\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 240.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 251658240\n" +
				"whisper_kv_cache_init: failed to allocate memory for the kv cache\nwhisper_init_state: whisper_kv_cache_init() failed for self-attention cache\n",
			want: by(oomdoc.EngineWhisperCpp, oomdoc.ProgramError{
				Pool: onDevice, Phase: kvCache, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(251658240), Model: "models/ggml-large-v3.bin",
			}),
			clues: []oomdoc.Clue{{Kind: oomdoc.ClueModelBuffer, Name: "CUDA0", Bytes: bytesOf(3094360000)}},
		},
		"whisper.cpp, scratch space": {
			log: "whisper_init_state: kv self size  =   83.89 MB\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 208.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 218103808\nwhisper_init_state: failed to init encoder allocator\n",
			want: by(oomdoc.EngineWhisperCpp, oomdoc.ProgramError{
				Pool: onDevice, Phase: compute, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(218103808),
			}),
		},
		"whisper.cpp, weights": {
			log: "whisper_init_from_file_with_params_no_state: loading model from 'ggml-large.bin'\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 2951.01 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 3094363648\nerror: failed to initialize whisper context\n",
			want: by(oomdoc.EngineWhisperCpp, oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(3094363648), Model: "ggml-large.bin",
			}),
		},
		"stable-diffusion.cpp": {
			log: "[INFO ] stable-diffusion.cpp:1483 - decoding 1 latents\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 6656.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 6979321856\n" +
				"[ERROR] ggml_extend.hpp:1023 - vae: failed to allocate the compute buffer\n",
			want: by(oomdoc.EngineLlamaCpp, oomdoc.ProgramError{
				Pool: onDevice, Phase: compute, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(6979321856),
			}),
		},
		"MLC, computed": {
			log: "InternalError: Insufficient GPU memory error: The available single GPU memory is 10240.500 MB, which is less than the sum of model weight size (13500.250 MB) and temporary buffer size (730.000 MB).\n1. You can set a larger \"gpu_memory_utilization\" value.\n",
			want: by(oomdoc.EngineMLC, oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Refusal: oomdoc.RefusalPlan, Requested: bytesOf(14921498624), Free: bytesOf(10737942528), Grain: 524,
			}),
			clues: []oomdoc.Clue{{Kind: oomdoc.ClueModelBuffer, Bytes: bytesOf(14156038144)}},
		},
		"MLC, wrapped": {
			log: "[12:00:01] Error: Insufficient GPU memory error: The available single GPU memory is 800\n.0 MB, which is less than the sum of model weight size (4000.0 MB) and tempora\nry buffer size (300.0 MB).\n",
			want: by(oomdoc.EngineMLC, oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Refusal: oomdoc.RefusalPlan, Requested: bytesOf(4300 << 20), Free: bytesOf(800 << 20), Grain: 52428,
			}),
		},
		"MLC's runtime": {
			log:  "tvm._ffi.base.TVMError: Traceback (most recent call last):\n  File \"/workspace/mlc-llm/cpp/serve/engine.cc\", line 1\nInternalError: Check failed: (e == cudaSuccess || e == cudaErrorCudartUnloading) is false: CUDA: out of memory\n",
			want: by(oomdoc.EngineMLC, oomdoc.ProgramError{Pool: onDevice}),
		},
	})
}

func TestWhatTheyOnlySayGivesNothing(t *testing.T) {
	for name, log := range map[string]string{
		"a report about LM Studio":  "LM Studio told me that \"Model loading was stopped due to insufficient system resources\" even if I switch off the guardrail\n> Error: Model loading was stopped due to insufficient system resources.\n",
		"LM Studio at work":         "[2026-07-23 10:21:52.880] [error] [LM Studio] Model load size estimate with raw num offload layers 'max' and context length '8192':\n  Model: 14.87 GB\n  Context: 936.03 MB\n  Total: 15.81 GB\n",
		"koboldcpp without a file":  "Cannot find text model file: /m/x.gguf\nLoad Text Model OK: False\nCould not load text model: /m/x.gguf\n",
		"ExLlama moves on":          " !! Out of memory (H), moving to device 1\nModel loaded\n",
		"ExLlama in a manual":       "- If you get RuntimeError: Insufficient VRAM for model and cache, lower the context.\n",
		"text-generation-webui":     "12:01:05-113 ERROR    Error loading the model with llama.cpp: Server process terminated unexpectedly with exit code: 1\n",
		"whisper.cpp without":       "whisper_init_from_file_with_params_no_state: failed to open 'models/x.bin'\nerror: failed to initialize whisper context\n",
		"a Jetson's old complaint":  "NvMapMemAllocInternalTagged: 1075072515 error 12\nNvMapMemHandleAlloc: error 0\n",
		"MLC in a manual":           "You may see \"Insufficient GPU memory error: The available single GPU memory is 800 MB\" here.\n",
		"an illegal access, of TVM": "InternalError: Check failed: (e == cudaSuccess) is false: CUDA: an illegal memory access was encountered\n",
	} {
		for _, e := range programErrors(t, log) {
			t.Errorf("%s: got %+v", name, e)
		}
	}
}
