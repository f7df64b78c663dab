package playbook_test

import (
	"math"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// llamaCompute is a llama.cpp whose weights and cache had room, and whose scratch
// space had none.
func llamaCompute(free, model, ctx, kv, flash, mib, bytes string) string {
	return "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 4090) - " + free + " MiB free\n" +
		"load_tensors: offloaded 37/37 layers to GPU\nload_tensors:        CUDA0 model buffer size =  " + model + " MiB\n" +
		"llama_context: n_ctx         = " + ctx + "\nllama_context: flash_attn    = " + flash + "\n" +
		"llama_kv_cache:      CUDA0 KV buffer size =  " + kv + " MiB\n" +
		"ggml_backend_cuda_buffer_type_alloc_buffer: allocating " + mib + " MiB on device 0: cudaMalloc failed: out of memory\n" +
		"ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size " + bytes + "\n" +
		"llama_init_from_model: failed to initialize the context: failed to allocate compute pp buffers\n"
}

// trace is a traceback of some frames.
func trace(frames ...string) string {
	return "Traceback (most recent call last):\n" + strings.Join(frames, "")
}

const fitAborts = "common_params_fit_impl: projected to use 24840 MiB of device memory vs. 22341 MiB of free device memory\n" +
	"common_fit_params: failed to fit params to free device memory: model_params::tensor_buft_overrides already set by user, abort\n"

// reports are rows of knowledge playbook.md section 7 by their number, in our own
// words, and situations beside them.
func reports() []prescription {
	fits := new(yes)
	flux := frame("/home/a/flux.py", "<module>", `pipe.to("cuda")`) + frame("/v/site-packages/diffusers/pipelines/pipeline_utils.py", "to", "module.to(device, dtype)")
	comfy := frame("/opt/ComfyUI/execution.py", "execute", "out")
	sampler := frame("/opt/ComfyUI/nodes.py", "common_ksampler", "samples = comfy.sample.sample(")
	hf := frame("/v/site-packages/transformers/modeling_utils.py", "from_pretrained", "return cls._load(x)")
	full := torch("1.00 GiB", "23.60 GiB", "512.00 MiB", "23.09 GiB", "22.50 GiB", "90.00 MiB")
	return []prescription{
		{"2: scratch space without flash attention", llamaCompute("3700", "1252.41", "131072", "2048.00", "0", "8464.00", "8875147264"),
			nil, oomdoc.CauseActivations, 4, "-fa on", 9388949504, fits},
		{"2b: the same with it", llamaCompute("23500", "15000.00", "32768", "4096.00", "enabled", "4900.00", "5138022400"),
			nil, oomdoc.CauseActivations, 5, "-ub 256", 0, nil},
		{"5: --cpu-moe switched the fitting off", fitAborts + llamaCompute("22341", "5100.00", "262144", "16896.00", "auto", "2844.00", "2982150144"),
			[]string{"llama-server", "--cpu-moe", "-c", "262144"}, oomdoc.CauseActivations, 0, "Leave out --cpu-moe", 0, nil},
		{"7: an image on top", "load_tensors:        CUDA0 model buffer size =  15740.00 MiB\nllama_kv_cache:      CUDA0 KV buffer size =  1536.00 MiB\n" +
			"clip_model_loader: model name:   gemma-3\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 1121.50 MiB on device 0: cudaMalloc failed: out of memory\n" +
			"ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 1175978240\n", nil, oomdoc.CauseActivations, 5, "--image-max-tokens", 0, nil},
		{"9: key and value of different types", llamaKV(llamaFree, "131072", "43200.00", "45298483200"), []string{"llama-server", "-c", "131072", "-ctk", "q8_0", "-ctv", "q4_0"},
			oomdoc.CauseKVCache, 4, "Use -ctk q8_0 -ctv q8_0", 27598462976, fits},
		{"13: a cache that keeps whole windows", "Welcome to KoboldCpp - Version 1.112\n" + llamaKV(llamaFree, "33024", "22384.00", "23471325184"),
			[]string{"koboldcpp", "--model", "gemma-3-12b-it-q4_k_m.gguf", "--contextsize", "32768"}, oomdoc.CauseKVCache, 4, "--useswa", 0, nil},
		{"13b: a model without windows", "Welcome to KoboldCpp - Version 1.112\n" + llamaKV(llamaFree, "33024", "22384.00", "23471325184"),
			[]string{"koboldcpp", "--model", "llama-3-8b-q4_k_m.gguf", "--contextsize", "32768"}, oomdoc.CauseKVCache, 4, "--contextsize 32768 → --contextsize 24576", 6004113408, fits},
		{"13c: --swa-full of llama.cpp", llamaKV(llamaFree, "33024", "22384.00", "23471325184"), []string{"llama-server", "--swa-full", "-c", "33024"},
			oomdoc.CauseKVCache, 4, "Leave out --swa-full", 0, nil},
		{"15: ollama's runner", "llama_model_loader: loaded meta data with 42 key-value pairs and 1025 tensors from /root/.ollama/models/blobs/sha256-98 (version GGUF V3 (latest))\n" +
			"load_tensors: offloading 9 repeating layers to GPU\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 20236.14 MiB on device 0: cudaMalloc failed: out of memory\n" +
			"alloc_tensor_range: failed to allocate CUDA0 buffer of size 21219131392\nError: llama runner process has terminated: cudaMalloc failed: out of memory\n",
			nil, oomdoc.CauseWeights, 3, `"num_gpu": 4`, 11788406328, nil},
		{"19: vllm's older words", "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (17024). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.\n",
			[]string{"vllm", "serve", "Qwen/Qwen2-72B-Instruct-GPTQ-Int8", "-tp", "4"}, oomdoc.CauseKVCache, 4, "--max-model-len 17024", 0, fits},
		{"21: a share that the weights ate", "worker.py:267] the current vLLM instance can use total_gpu_memory (8.00GiB) x gpu_memory_utilization (0.70) = 5.60GiB\n" +
			"worker.py:267] model weights take 5.20GiB; non_torch_memory takes 0.03GiB; PyTorch activation peak memory takes 1.42GiB; the rest of the memory reserved for KV Cache is -1.05GiB.\n" +
			"ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.\n",
			[]string{"vllm", "serve", "Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "--gpu-memory-utilization", "0.70"}, "", 0,
			"--gpu-memory-utilization 0.70 → --gpu-memory-utilization 0.9: frees 1.6 GiB", 1717986918, fits},
		{"21b: a share that is at its end", "Available KV cache memory: -1.05 GiB\nValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.\n",
			[]string{"vllm", "serve", "m", "--gpu-memory-utilization", "0.95"}, "", 5, "--enforce-eager", 0, nil},
		{"23: many tokens at a time", "Model loading took 14.9889 GiB and 12.2 seconds\n" +
			trace(frame("/v/site-packages/vllm/v1/worker/gpu_model_runner.py", "_dummy_run", "outputs = self.model(")) + torch("6.10 GiB", "23.60 GiB", "3.20 GiB", "20.40 GiB", "19.60 GiB", "300.00 MiB"),
			[]string{"vllm", "serve", "m", "--max-num-batched-tokens", "64000"}, oomdoc.CauseActivations, 5, "--max-num-batched-tokens 64000 → --max-num-batched-tokens 16384", 0, nil},
		{"26: swap space that four workers pin", "WARNING 06-12 cache.py:190] Possibly too large swap space. 64.00 GiB out of the 125.00 GiB total CPU memory is allocated for the swap space.\n" +
			trace(frame("/v/site-packages/vllm/worker/cache_engine.py", "_allocate_kv_cache", "torch.empty(shape, pin_memory=pin_memory)")) + "RuntimeError: CUDA error: out of memory\n",
			[]string{"vllm", "serve", "m", "--swap-space", "16", "-tp", "4"}, oomdoc.CauseAllocationRefused, 8, "--swap-space is of no use any more", 0, nil},
		{"28: sglang between two values", "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=0.9\n", nil, "", 1, "quantised", 0, nil},
		{"28b: what its share left was too little", trace(frame("/v/site-packages/sglang/srt/model_executor/cuda_graph_runner.py", "capture", "y")) +
			"Capture cuda graph begin. This can take up to several minutes.\n" + torch("1.20 GiB", "79.10 GiB", "600.00 MiB", "78.50 GiB", "77.00 GiB", "300.00 MiB"),
			[]string{"sglang", "--mem-fraction-static", "0.85"}, oomdoc.CauseActivations, 0, "--mem-fraction-static 0.85 → --mem-fraction-static 0.8", 4246649241, fits},
		{"29: comfyui, a video model", trace(comfy, sampler) + torch("2.10 GiB", "15.60 GiB", "1.10 GiB", "14.20 GiB", "13.70 GiB", "120.00 MiB"),
			[]string{"python", "main.py"}, "", 3, "--disable-dynamic-vram", 0, nil},
		{"31: comfyui, nothing left", trace(comfy, sampler) + torch("2.10 GiB", "15.60 GiB", "0 bytes", "15.20 GiB", "14.70 GiB", "120.00 MiB"),
			[]string{"python", "main.py"}, "", 0, "--vram-headroom 2.5", 0, nil},
		{"29b: comfyui, decoding", trace(comfy, frame("/opt/ComfyUI/comfy/sd.py", "decode", "x")) + torch("2.10 GiB", "15.60 GiB", "1.10 GiB", "14.20 GiB", "13.70 GiB", "120.00 MiB"),
			[]string{"python", "main.py", "--lowvram"}, "", 5, "--lowvram is of no use any more", 0, nil},
		{"33: a pipeline of 16 bits", trace(flux) + full, nil, oomdoc.CauseWeights, 3, "pipe.enable_model_cpu_offload()", 0, nil},
		{"35: a loader that loads ahead", trace(frame("/home/a/infer.py", "<module>", "model = load(quantization_config=bnb)"),
			frame("/v/site-packages/transformers/core_model_loading.py", "convert_and_load_state_dict_in_model", "x"), hf) +
			torch("1.02 GiB", "15.60 GiB", "500.00 MiB", "15.00 GiB", "5.46 GiB", "8.01 GiB"), nil, "", 0, "HF_DEACTIVATE_ASYNC_LOAD=1", 0, nil},
		{"36: a batch of a model that is packed", trace(frame("/v/site-packages/bitsandbytes/autograd/_functions.py", "forward", "x")) + torch("6.10 GiB", "23.60 GiB", "3.20 GiB", "20.40 GiB", "19.60 GiB", "300.00 MiB"),
			[]string{"python", "serve.py", "--load-in-4bit", "--batch-size", "32"}, "", 5, "--batch-size 32 → --batch-size 16", 0, nil},
		{"37: 32 bits, killed while it loads", "Loading checkpoint shards:  67%|######6   | 2/3 [01:11<00:35, 35.5s/it]\nKilled\n", []string{"python", "run.py", "--dtype", "float32"}, "", 2, "bfloat16", 0, nil},
		{"37b: killed while it loads", "Loading checkpoint shards:  67%|######6   | 2/3 [01:11<00:35, 35.5s/it]\nKilled\n", []string{"python", "run.py"}, "", 8, "oomdoc explain", 0, nil},
		{"38: 32 bits, as the code says", trace(frame("/home/a/x.py", "<module>", "m = AutoModel.from_pretrained(name, torch_dtype=torch.float32)"), hf) + full, nil, oomdoc.CauseWeights, 2, "bfloat16", 0, nil},
		{"41: much was free", torch("960.00 MiB", "23.64 GiB", "15.50 GiB", "8.12 GiB", "7.60 GiB", "76.00 MiB"), nil, oomdoc.CauseExhausted, 0, "nvidia-smi", 0, nil},
		{"43: an evaluation that keeps gradients", trace(frame("/home/a/eval.py", "main", "flow = model(img1, img2)")) + torch("2.50 GiB", "39.40 GiB", "1.40 GiB", "37.90 GiB", "37.00 GiB", "300.00 MiB"),
			nil, oomdoc.CauseExhausted, 7, "torch.inference_mode()", 0, nil},
		{"43b: one that does not", trace(frame("/v/site-packages/torch/utils/_contextlib.py", "decorate_context", "return func(*args, **kwargs)"), frame("/home/a/eval.py", "main", "flow = model(img1, img2)")) +
			torch("2.50 GiB", "39.40 GiB", "1.40 GiB", "37.90 GiB", "37.00 GiB", "300.00 MiB"), nil, oomdoc.CauseExhausted, 5, "batch", 0, nil},
		{"45: the loss over a vocabulary", trace(frame("/v/site-packages/transformers/loss/loss_utils.py", "ForCausalLMLoss", "logits = logits.float()")) +
			torch("7.75 GiB", "23.60 GiB", "5.00 GiB", "18.50 GiB", "17.90 GiB", "300.00 MiB"), []string{"python", "sft.py", "--per_device_train_batch_size", "1"}, "", 5, "use_liger_kernel=True", 0, nil},
		{"45b: what is switched on is not proposed again", trace(frame("/h/sft.py", "<module>", "loss.backward()")) + torch("1.75 GiB", "23.60 GiB", "1.00 GiB", "22.50 GiB", "21.90 GiB", "300.00 MiB"),
			[]string{"python", "sft.py", "--per_device_train_batch_size", "1", "--gradient_checkpointing", "True"}, oomdoc.CauseActivations, 5, "max_length=2048", 0, nil},
		{"46: under WSL", "Linux version 5.15.153.1-microsoft-standard-WSL2\nLoading checkpoint shards:  33%|\nKilled\n", nil, "", 8, ".wslconfig", 0, nil},
		{"48: killed, no more is known", "Killed\n", []string{"python", "cli_demo.py"}, "", 8, "oomdoc explain", 0, nil},
		{"49: shared memory, not workers", "RuntimeError: DataLoader worker (pid 4411) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.\n",
			nil, oomdoc.CauseShmTooSmall, 8, "--shm-size=8g", 0, nil},

		// Beside them.
		{"the cache of transformers grows", trace(frame("/v/site-packages/transformers/generation/utils.py", "generate", "result = self._sample("),
			frame("/v/site-packages/transformers/cache_utils.py", "update", "self.keys = torch.cat([self.keys, key_states], dim=-2)")) + torch("1.20 GiB", "23.60 GiB", "400.00 MiB", "23.10 GiB", "22.30 GiB", "400.00 MiB"),
			nil, oomdoc.CauseKVCache, 4, "max_new_tokens=512", 0, nil},
		{"attention that builds its matrix", trace(frame("/v/site-packages/transformers/models/llama/modeling_llama.py", "eager_attention_forward", "attn_weights = nn.functional.softmax(attn_weights, dim=-1)")) +
			torch("16.00 GiB", "23.60 GiB", "5.00 GiB", "18.50 GiB", "17.90 GiB", "300.00 MiB"), nil, "", 5, `attn_implementation="sdpa"`, 0, nil},
		{"web UI, sampling", trace(frame("/home/a/stable-diffusion-webui/modules/sd_samplers_kdiffusion.py", "sample", "x")) + torch("2.25 GiB", "7.79 GiB", "1.10 GiB", "5.60 GiB", "5.10 GiB", "200.00 MiB"),
			[]string{"python", "launch.py", "--xformers"}, "", 3, "--medvram", 0, nil},
		{"web UI, it has --medvram", trace(frame("/home/a/stable-diffusion-webui/modules/sd_samplers_kdiffusion.py", "sample", "x")) + torch("2.25 GiB", "7.79 GiB", "1.10 GiB", "5.60 GiB", "5.10 GiB", "200.00 MiB"),
			[]string{"python", "launch.py", "--medvram"}, "", 3, "--medvram → --lowvram", 0, nil},
		{"web UI, it has --lowvram", trace(frame("/home/a/stable-diffusion-webui/modules/sd_samplers_kdiffusion.py", "sample", "x")) + torch("2.25 GiB", "7.79 GiB", "1.10 GiB", "5.60 GiB", "5.10 GiB", "200.00 MiB"),
			[]string{"python", "launch.py", "--lowvram"}, "", 5, "smaller", 0, nil},
		{"diffusers, decoding", trace(frame("/v/site-packages/diffusers/models/autoencoders/autoencoder_kl.py", "decode", "x")) + torch("9.00 GiB", "23.60 GiB", "2.00 GiB", "21.50 GiB", "20.90 GiB", "300.00 MiB"),
			nil, "", 5, "enable_tiling()", 0, nil},
		{"sglang, decoding", "RuntimeError: Decode out of memory. Try to lower your batch size.\nTry to allocate 1024 tokens.\n", nil, "", 5, "--max-running-requests 32", 0, nil},
		{"sglang, a long prompt", "RuntimeError: Prefill out of memory. Try to lower your batch size.\nTry to allocate 13738 tokens.\nAvailable full tokens: 2816\n", nil, "", 5, "--chunked-prefill-size 2048", 0, nil},
		{"jax, the pool itself", "E external/xla/xla/stream_executor/cuda/cuda_executor.cc:1216] failed to allocate 17.79GiB (19107151872 bytes) from device: RESOURCE_EXHAUSTED: : CUDA_ERROR_OUT_OF_MEMORY: out of memory\n",
			nil, "", 0, "XLA_PYTHON_CLIENT_PREALLOCATE=false", 0, nil},
		{"jax, what it computes", "jaxlib._jax.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 19112660224 bytes.\n", nil, "", 5, "Halve the batch size", 0, nil},
		{"ollama, four requests at a time", "llama-server process has terminated: exit status 1\nllama_context: n_seq_max     = 4\nllama_context: n_ctx         = 131072\n" +
			"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 16384.00 MiB on device 0: cudaMalloc failed: out of memory\nalloc_tensor_range: failed to allocate CUDA0 buffer of size 17179869184\n" +
			"llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache\n", nil, oomdoc.CauseKVCache, 4, "OLLAMA_CONTEXT_LENGTH=16384", 8589934592, nil},
		{"layers given out by hand, and room on another card", "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3090) - 23800 MiB free\n" +
			"llama_model_load_from_file_impl: using device CUDA1 (NVIDIA GeForce RTX 3060) - 11800 MiB free\nload_tensors: offloading 80 repeating layers to GPU\n" +
			"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 25100.00 MiB on device 0: cudaMalloc failed: out of memory\nalloc_tensor_range: failed to allocate CUDA0 buffer of size 26319257600\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\n",
			[]string{"llama-server", "-ts", "3,1"}, oomdoc.CauseWeights, 0, "Leave out -ts 3,1", 0, nil},
		{"a quantised model of which parts would go to RAM", "ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU RAM to fit the quantized model.\n",
			nil, oomdoc.CauseWeights, 3, "llm_int8_enable_fp32_cpu_offload=True", 0, nil},
		{"an array that no machine has room for", "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, 100000) and data type float64\n",
			nil, oomdoc.CauseAllocationRefused, 5, "mmap_mode", 0, nil},
		{"java, as it was typed", "java.lang.OutOfMemoryError: Java heap space\n", []string{"java", "-Xmx4g", "-jar", "a.jar"}, oomdoc.CauseAllocationRefused, 8, "-Xmx4g → -Xmx8g", 0, nil},
		{"node, as it was typed", "FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory\n", []string{"node", "--max-old-space-size=2048", "build.js"},
			oomdoc.CauseAllocationRefused, 8, "--max-old-space-size=2048 → --max-old-space-size=4096", 0, nil},
		{"an evaluation within training", trace(frame("/v/site-packages/transformers/trainer.py", "evaluation_loop", "logits = self.accelerator.pad_across_processes(logits)")) +
			torch("5.12 GiB", "23.60 GiB", "1.00 GiB", "22.50 GiB", "21.90 GiB", "300.00 MiB"), []string{"python", "train.py", "--learning_rate", "1e-4"}, "", 5, "eval_accumulation_steps", 0, nil},
		{"a cache that hardly has room", llamaKV("llama_model_load_from_file_impl: using device CUDA0 (NVIDIA A40) - 4900 MiB free\n", "8192", "2560.00", "2684354560"),
			[]string{"llama-server", "-m", "a-8b-Q4_K_M.gguf", "-ngl", "99", "-c", "8192"}, oomdoc.CauseKVCache, 3, "-ngl 99 → -ngl 22", 2433916155, fits},
		{"forge has options of its own", "[Memory Management] Target: KModel, Free GPU: 5120.00 MB, Model Require: 12125.00 MB, Previously Loaded: 0.00 MB, Inference Require: 1024.00 MB, Remaining: -8029.00 MB\n" +
			trace(frame("/home/a/stable-diffusion-webui-forge/backend/memory_management.py", "load_models_gpu", "x")) + torch("20.00 MiB", "7.79 GiB", "0 bytes", "7.60 GiB", "7.40 GiB", "20.00 MiB"),
			nil, "", 3, "--always-offload-from-vram", 0, nil},
		{"lm studio, a large request", "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9102.00 MiB on device 0: cudaMalloc failed: out of memory\nalloc_tensor_range: failed to allocate CUDA0 buffer of size 9544138752\n" +
			"[LMSInternal][Client=LM Studio] Error loading model. (Exit code: 18446744072635812000). Unknown error. Try a different model and/or config.\n", nil, "", 4, "lms load MODEL --context-length", 0, nil},
		{"a worker that was killed", "RuntimeError: DataLoader worker (pid 12345) is killed by signal: Killed.\n", nil, "", 8, "oomdoc explain", 0, nil},
		{"kubectl's word of a limit", "    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n", nil, oomdoc.CauseCgroupLimit, 8, "resources.limits.memory", 0, nil},
		{"docker's word of a limit", "            \"OOMKilled\": true,\n            \"ExitCode\": 137,\n", nil, oomdoc.CauseCgroupLimit, 8, "docker update --memory SIZE", 0, nil},
		{"yolo's way to type", trace(frame("/v/site-packages/ultralytics/nn/modules/conv.py", "forward", "return self.act(self.conv(x))")) + torch("800.00 MiB", "23.60 GiB", "500.00 MiB", "23.00 GiB", "22.40 GiB", "100.00 MiB"),
			[]string{"yolo", "train", "model=yolov8x.pt", "batch=32"}, oomdoc.CauseActivations, 5, "batch=32 → batch=16", 0, nil},
		{"weights in RAM that are copied", "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 42949672960\nllama_model_load: error loading model: unable to allocate CPU buffer\n",
			[]string{"llama-server", "-ngl", "0", "--no-mmap"}, oomdoc.CauseAllocationRefused, 8, "Leave out --no-mmap", 0, nil},
		{"vllm beside a desktop", "ValueError: Free memory on device cuda:0 (21.22/23.60 GiB) on startup is less than desired GPU memory utilization (0.92, 21.71 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n",
			[]string{"vllm", "serve", "m"}, oomdoc.CauseOtherProcess, 0, "--gpu-memory-utilization 0.88", 0, nil},
		{"a kernel's line of a graphics driver", "[  812.114300] amdgpu 0000:03:00.0: [drm] *ERROR* Not enough memory for command submission!\n", nil, oomdoc.CauseExhausted, 0, "mem_info_", 0, nil},
		{"an argument that does nothing", trace(frame("/h/a.py", "<module>", "m = AutoModelForCausalLM.from_pretrained(name, low_cpu_mem_usage=True, torch_dtype=torch.float16)"), hf) + full,
			nil, oomdoc.CauseWeights, 1, "low_cpu_mem_usage is of no use any more", 0, nil},
	}
}

func TestReportsOfThePublicGetTheFixThatHelped(t *testing.T) {
	for _, c := range reports() {
		t.Run(c.name, func(t *testing.T) { checkPrescription(t, c) })
	}
}

func checkPrescription(t *testing.T, c prescription) {
	t.Helper()
	inc := prescribed(t, c.log, c.cmdline...)
	if c.cause != "" && inc.Cause != c.cause {
		t.Errorf("cause %s, want %s", inc.Cause, c.cause)
	}
	if number(inc) != c.number {
		t.Fatalf("fix %d stands first, want %d", number(inc), c.number)
	}
	if c.number < 0 {
		return
	}
	if !strings.Contains(steps(inc), c.says) {
		t.Errorf("no %q in\n%s", c.says, steps(inc))
	}
	fix := inc.Fixes[0]
	if c.saves != 0 && (fix.SavesBytes == nil || math.Abs(float64(*fix.SavesBytes-c.saves)) > 0.05*float64(c.saves)) {
		t.Errorf("saves %v, want %d", value(fix.SavesBytes), c.saves)
	}
	if c.enough != nil && *c.enough && (fix.Enough == nil || !*fix.Enough) {
		t.Error("it is not said to be enough")
	}
	if c.enough != nil && !*c.enough && fix.Enough != nil && *fix.Enough {
		t.Error("it is said to be enough")
	}
}

// TestTheSameCauseHasDifferentFirstFixes holds pairs that a table from cause to fix
// would get wrong.
func TestTheSameCauseHasDifferentFirstFixes(t *testing.T) {
	cases := map[string]prescription{}
	for _, c := range append(prescriptions(), reports()...) {
		cases[c.name] = c
	}
	for _, pair := range [][2]string{
		{"weights of 16 bits", "weights of 4 bits"},
		{"weights of 4 bits", "a mixture of experts"},
		{"weights of 16 bits", "fitting switched off by -ngl"},
		{"fp32 asked for", "transformers, loading"},
		{"transformers, loading", "33: a pipeline of 16 bits"},
		{"2: scratch space without flash attention", "2b: the same with it"},
		{"5: --cpu-moe switched the fitting off", "2b: the same with it"},
		{"13: a cache that keeps whole windows", "13b: a model without windows"},
		{"backward pass", "optimizer step"},
		{"a batch that was typed", "a batch of one"},
		{"43: an evaluation that keeps gradients", "43b: one that does not"},
		{"one tensor of 189 GiB", "a size that is an error"},
		{"the hint alone is no fragmentation", "more free than asked for"},
		{"28b: what its share left was too little", "23: many tokens at a time"},
		{"29: comfyui, a video model", "31: comfyui, nothing left"},
		{"37: 32 bits, killed while it loads", "37b: killed while it loads"},
	} {
		a, b := cases[pair[0]], cases[pair[1]]
		if a.log == "" || b.log == "" {
			t.Fatalf("no such cases: %q", pair)
		}
		first, second := prescribed(t, a.log, a.cmdline...), prescribed(t, b.log, b.cmdline...)
		if first.Cause != second.Cause || first.Class != second.Class {
			t.Errorf("%q: %s and %s", pair, first.Cause, second.Cause)
		}
		if first.Fixes[0].Title.Key == second.Fixes[0].Title.Key {
			t.Errorf("%q: both %s", pair, first.Fixes[0].Title.Key)
		}
	}
}
