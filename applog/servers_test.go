package applog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/oomdoc/oomdoc"
)

// engineErrors gives the errors of programs in a log, each as it was told last.
func engineErrors(tb testing.TB, log string) []oomdoc.ProgramError {
	tb.Helper()
	var list []oomdoc.ProgramError
	for _, ev := range events(tb, log) {
		if ev.Program != nil {
			list = append(list, *ev.Program)
		}
	}
	return list
}

type engineCase struct {
	log  string
	want oomdoc.ProgramError
}

// holdEngineCases wants exactly one error of each log. An outcome that a case does
// not name is that it failed.
func holdEngineCases(t *testing.T, cases map[string]engineCase) {
	t.Helper()
	ignored := cmpopts.IgnoreFields(oomdoc.ProgramError{}, "Raiser", "Witness", "Clues", "Line", "LimitLine", "Grain", "Ranks", "Name", "UID", "Unit")
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			list := engineErrors(t, test.log)
			if len(list) != 1 {
				t.Fatalf("got %d errors, want 1: %+v", len(list), list)
			}
			if test.want.Outcome == "" {
				test.want.Outcome = oomdoc.OutcomeFailed
			}
			if diff := cmp.Diff(test.want, list[0], ignored); diff != "" {
				t.Error(diff)
			}
			if list[0].Line == "" {
				t.Error("no line is kept as evidence")
			}
		})
	}
}

// inGiB is a size as programs print it in GiB.
func inGiB(n float64) *int64 { return new(int64(n * (1 << 30))) }

func inMiB(n float64) *int64 { return new(int64(n * (1 << 20))) }

const (
	device = oomdoc.PoolDevice
	host   = oomdoc.PoolHost
)

func TestVLLMSaysWhatDidNotFit(t *testing.T) {
	holdEngineCases(t, map[string]engineCase{
		"the share of the card is not free, 0.8": {
			"(VllmWorker rank=1 pid=812) ERROR 04-30 09:11:20 [multiproc_executor.py:470] ValueError: Free memory on device (13.97/14.74 GiB) on startup is less than desired GPU memory utilization (0.95, 14.0 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Refusal: oomdoc.RefusalPlan, Rank: new(1), PID: 812,
				Free: inGiB(13.97), Total: inGiB(14.74), Requested: inGiB(14), Utilization: new(0.95),
			},
		},
		"the share of the card is not free, 0.12, cut by a terminal": {
			"ValueError: Free memory on device cuda:3 (31.5/79.19 GiB) on startup is less tha\nn desired GPU memory utilization (0.9, 71.27 GiB). Decrease GPU memory utilizati\non or reduce GPU memory used by other processes.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Refusal: oomdoc.RefusalPlan, Device: new(3),
				Free: inGiB(31.5), Total: inGiB(79.19), Requested: inGiB(71.27), Utilization: new(0.9),
			},
		},
		"four workers of one start": {
			strings.Join([]string{
				"(Worker_TP2 pid=542) ERROR 08-15 11:02:19 [multiproc_executor.py:597] ValueError: Free memory on device (2.02/63.59 GiB) on startup is less than desired GPU memory utilization (0.92, 58.51 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.",
				"(Worker_TP0 pid=540) ERROR 08-15 11:02:19 [multiproc_executor.py:597] ValueError: Free memory on device (1.97/63.59 GiB) on startup is less than desired GPU memory utilization (0.92, 58.51 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.",
				strings.Repeat("(Worker_TP0 pid=540) ERROR 08-15 11:02:19 [multiproc_executor.py:597]   File \"/opt/x.py\", line 3, in y\n", 40) +
					"(Worker_TP1 pid=541) ERROR 08-15 11:02:20 [multiproc_executor.py:597] ValueError: Free memory on device (1.90/63.59 GiB) on startup is less than desired GPU memory utilization (0.92, 58.51 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.",
				"(EngineCore_DP0 pid=400) ERROR 08-15 11:02:21 [core.py:700] EngineCore failed to start.",
				"(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n",
			}, "\n"),
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Refusal: oomdoc.RefusalPlan, Rank: new(2), PID: 542,
				Free: inGiB(2.02), Total: inGiB(63.59), Requested: inGiB(58.51), Utilization: new(0.92),
			},
		},
		"two engines of one server (data parallel)": {
			"(EngineCore_DP1 pid=3122) ERROR 08-15 11:02:19 [core.py:936] ValueError: Free memory on device cuda:1 (2.02/63.59 GiB) on startup is less than desired GPU memory utilization (0.92, 58.51 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n" +
				strings.Repeat("(EngineCore_DP0 pid=3121) INFO 08-15 11:02:19 [parallel_state.py:1]\n", 30) +
				"(EngineCore_DP0 pid=3121) ERROR 08-15 11:02:25 [core.py:936] ValueError: Free memory on device cuda:0 (1.10/63.59 GiB) on startup is less than desired GPU memory utilization (0.92, 58.51 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Refusal: oomdoc.RefusalPlan, PID: 3122, Device: new(1),
				Free: inGiB(2.02), Total: inGiB(63.59), Requested: inGiB(58.51), Utilization: new(0.92),
			},
		},
		"the context does not fit, 0.8, no estimate, in docker compose": {
			"[vllm]                 | ERROR 06-02 05:17:18 [core.py:387] ValueError: To serve at least one request with the models's max seq len (40960), (10.00 GiB KV cache is needed, which is larger than the available KV cache memory (1.25 GiB). Based on the available memory,  Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseKVCache,
				Requested: inGiB(10), Free: inGiB(1.25), Tokens: new(int64(40960)),
			},
		},
		"the context does not fit, 2026": {
			"(EngineCore_DP0 pid=272) INFO 11-02 08:10:01 [gpu_worker.py:298] Available KV cache memory: 6.91 GiB\n" +
				"(EngineCore_DP0 pid=272) ERROR 11-02 08:10:01 [core.py:843] ValueError: To serve at least one request with the model's max seq len (131072), 9.5 GiB KV cache is needed, which is larger than the available KV cache memory (6.91 GiB). Based on the available memory, the estimated maximum model length is 91520. Try increasing `gpu_memory_utilization` (which also controls CPU memory on the CPU backend) or decreasing `max_model_len` when initializing the engine.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseKVCache, PID: 272,
				Requested: inGiB(9.5), Free: inGiB(6.91), Tokens: new(int64(131072)), TokensFit: new(int64(91520)),
			},
		},
		"the context does not fit, V0": {
			"[rank0]: ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (12384). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseKVCache, Rank: new(0),
				Tokens: new(int64(32768)), TokensFree: new(int64(12384)),
			},
		},
		"nothing is left for the KV cache": {
			"(EngineCore pid=88) INFO 05-18 05:44:01 [gpu_model_runner.py:2007] Model loading took 20.55 GiB memory and 8.120000 seconds\n" +
				"(EngineCore pid=88) INFO 05-18 05:44:10 [gpu_worker.py:298] Available KV cache memory: -1.72 GiB\n" +
				"(EngineCore pid=88) ERROR 05-18 05:44:10 [core.py:708] ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineVLLM, Pool: device, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseWeights, PID: 88},
		},
		"the sampler's warm-up": {
			"[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 594.00 MiB. GPU 0 has a total capacity of 23.53 GiB of which 61.19 MiB is free. Including non-PyTorch memory, this process has 23.46 GiB memory in use. Of the allocated memory 22.90 GiB is allocated by PyTorch, and 101.00 MiB is reserved by PyTorch but unallocated.\n" +
				"[rank0]: The above exception was the direct cause of the following exception:\n" +
				"[rank0]: Traceback (most recent call last):\n" +
				"[rank0]: RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Phase: oomdoc.PhaseCompute, Rank: new(0), Device: new(0), Operation: "warming up sampler",
				Requested: new(594 * mib), Total: inGiB(23.53), Free: inMiB(61.19), Own: inGiB(23.46),
				Allocated: inGiB(22.90), Unallocated: new(101 * mib),
			},
		},
		"PyTorch's error while the weights load, in the image's paths": {
			"(EngineCore_DP0 pid=272) INFO 11-02 08:10:01 [gpu_model_runner.py:2602] Starting to load model Qwen/Qwen2.5-32B...\n" +
				"(EngineCore_DP0 pid=272) ERROR 11-02 08:10:05 [core.py:708]   File \"/usr/local/lib/python3.12/dist-packages/vllm/model_executor/layers/linear.py\", line 371, in create_weights\n" +
				"(EngineCore_DP0 pid=272) ERROR 11-02 08:10:05 [core.py:708] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 270.00 MiB. GPU 0 has a total capacity of 23.53 GiB of which 61.19 MiB is free. Including non-PyTorch memory, this process has 23.46 GiB memory in use. Of the allocated memory 22.90 GiB is allocated by PyTorch, and 101.00 MiB is reserved by PyTorch but unallocated.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineVLLM, Pool: device, Phase: oomdoc.PhaseWeights, PID: 272, Device: new(0),
				Requested: new(270 * mib), Total: inGiB(23.53), Free: inMiB(61.19), Own: inGiB(23.46),
				Allocated: inGiB(22.90), Unallocated: new(101 * mib),
			},
		},
	})
}

func TestVLLMKeepsWhatItPlanned(t *testing.T) {
	log := "(APIServer pid=1) INFO 11-02 08:09:40 [api_server.py:1839] vLLM API server version 0.12.0\n" +
		"(EngineCore_DP0 pid=272) INFO 11-02 08:09:59 [core.py:93] Initializing a V1 LLM engine (v0.12.0) with config: model='org/big-7b', speculative_config=None\n" +
		"(EngineCore_DP0 pid=272) INFO 11-02 08:10:00 [gpu_model_runner.py:2653] Model loading took 20.5500 GiB memory and 8.120000 seconds\n" +
		"(EngineCore_DP0 pid=272) INFO 11-02 08:10:01 [gpu_worker.py:298] Available KV cache memory: -0.30 GiB\n" +
		"(EngineCore_DP0 pid=272) ERROR 11-02 08:10:01 [core.py:708] ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.\n"
	list := engineErrors(t, log+log)
	if len(list) != 2 {
		t.Fatalf("%d errors of two starts", len(list))
	}
	e := list[1]
	weights, left := e.Clue(oomdoc.ClueModelBuffer), e.Clue(oomdoc.ClueKVAvailable)
	if e.Model != "org/big-7b" || weights == nil || left == nil || *weights.Bytes != *inGiB(20.55) || *left.Bytes != -*inGiB(0.3) {
		t.Errorf("model=%q weights=%v left=%v", e.Model, weights, left)
	}
}

func TestSGLangAndTGISayWhatDidNotFit(t *testing.T) {
	pool := oomdoc.ProgramError{Engine: oomdoc.EngineSGLang, Pool: device, Refusal: oomdoc.RefusalPool, Phase: oomdoc.PhaseKVCache}
	with := func(e oomdoc.ProgramError, tokens, free int64, rank *int) oomdoc.ProgramError {
		e.Tokens, e.TokensFree, e.Rank = &tokens, &free, rank
		return e
	}
	holdEngineCases(t, map[string]engineCase{
		"SGLang, the share for weights and KV cache": {
			"[2026-03-01 10:00:00 TP1] Scheduler hit an exception: Traceback (most recent call last):\nRuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.62\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineSGLang, Pool: device, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseWeights, Utilization: new(0.62),
			},
		},
		"SGLang 0.1": {
			"RuntimeError: Not enought memory. Please try to increase --mem-fraction-static.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineSGLang, Pool: device, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseWeights},
		},
		"SGLang decodes, 2025": {
			"[2025-10-14 03:12:44 TP0] Decode out of memory. Try to lower your batch size.\nTry to allocate 4 tokens.\nAvailable tokens: 3 (available_size=3 + evictable_size=0)\n\n[2025-10-14 03:12:44] Received sigquit from a child process. It usually means the child failed.\n./run.sh: line 3:   211 Killed                  python3 -m sglang.launch_server\n",
			with(pool, 4, 3, new(0)),
		},
		"SGLang prefills, sliding window": {
			"[2026-05-02 14:36:28 PP0 TP3] Prefill out of memory. Try to lower your batch size.\nTry to allocate 8192 tokens.\nAvailable full tokens: 899840 (full_available_size=11776 + full_evictable_size_=888064)\nAvailable swa: 3840 (available_size=3840 + component_evictable_size_=0)\n",
			with(pool, 8192, 3840, new(3)),
		},
		"SGLang, the older word": {
			"[2024-12-01 10:00:00 TP0] Prefill out of memory. Try to lower your batch size.\nTry to allocate 9000 tokens.\nAvaliable tokens: 120\n",
			with(pool, 9000, 120, new(0)),
		},
		"SGLang, no phase": {
			"RuntimeError: Out of memory. Try to lower your batch size.\nTry to allocate 300 tokens.\nAvailable tokens: 64 (available_size=64 + evictable_size=0)\n",
			with(pool, 300, 64, nil),
		},
		"SGLang captures graphs": {
			"[2025-06-11 12:00:01 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=1.20 GB\nException: Capture cuda graph failed: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 0 has a total capacity of 23.53 GiB of which 61.19 MiB is free. Including non-PyTorch memory, this process has 23.46 GiB memory in use. Of the allocated memory 22.90 GiB is allocated by PyTorch, and 101.00 MiB is reserved by PyTorch but unallocated.\nPossible solutions:\n1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineSGLang, Pool: device, Phase: oomdoc.PhaseCompute, Device: new(0),
				Requested: inGiB(1.16), Total: inGiB(23.53), Free: inMiB(61.19), Own: inGiB(23.46),
				Allocated: inGiB(22.90), Unallocated: new(101 * mib),
			},
		},
		"SGLang, one card is taken": {
			"ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes. pre_model_load_memory=11.25, local_gpu_memory=78.5, local_gpu_memory * 0.9=70.65\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineSGLang, Pool: device, Refusal: oomdoc.RefusalPlan, Free: inGiB(11.25), Total: inGiB(78.5)},
		},
		"TGI's warm-up, told by three layers": {
			`2026-01-08T15:02:48.900Z ERROR text_generation_launcher: Method Warmup encountered an error.` + "\n" +
				`torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.32 GiB. GPU 0 has a total capacity of 23.53 GiB of which 1.19 GiB is free. Including non-PyTorch memory, this process has 22.34 GiB memory in use. Of the allocated memory 21.90 GiB is allocated by PyTorch, and 101.00 MiB is reserved by PyTorch but unallocated.` + "\n" +
				"RuntimeError: Not enough memory to handle 8192 prefill tokens. You need to decrease `--max-batch-prefill-tokens`\n" +
				"2026-01-08T15:02:49.123Z ERROR warmup{max_input_length=None max_prefill_tokens=8192}:warmup: text_generation_router_v3::client: backends/v3/src/client/mod.rs:45: Server error: Not enough memory to handle 8192 prefill tokens. You need to decrease `--max-batch-prefill-tokens`\n" +
				"Error: Backend(Warmup(Generation(\"Not enough memory to handle 8192 prefill tokens. You need to decrease `--max-batch-prefill-tokens`\")))\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineTGI, Pool: device, Phase: oomdoc.PhaseCompute, Device: new(0), Tokens: new(int64(8192)),
				Requested: inGiB(2.32), Total: inGiB(23.53), Free: inGiB(1.19), Own: inGiB(22.34), Allocated: inGiB(21.90), Unallocated: new(101 * mib),
			},
		},
		"TGI, no room for the tokens": {
			"RuntimeError: Not enough memory to handle `max_total_tokens=32768`\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTGI, Pool: device, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseKVCache, Tokens: new(int64(32768))},
		},
		"TGI, a shard is killed": {
			`{"timestamp":"2025-05-01T08:00:00.1Z","level":"ERROR","fields":{"message":"Shard process was signaled to shutdown with signal 9"},"target":"text_generation_launcher","spans":[{"rank":0,"name":"shard-manager"}]}` + "\n" +
				"Error: ShardCannotStart\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTGI, Pool: host, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled},
		},
	})
}

func TestTensorRTAndONNXRuntimeSayWhatWasRefused(t *testing.T) {
	holdEngineCases(t, map[string]engineCase{
		"TensorRT-LLM's executor": {
			strings.Join([]string{
				"[12/01/2026-10:00:00] [TRT-LLM] [E] Failed to initialize executor on rank 0: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.20 GiB is free. Including non-PyTorch memory, this process has 77.90 GiB memory in use. Of the allocated memory 75.80 GiB is allocated by PyTorch, and 611.20 MiB is reserved by PyTorch but unallocated.",
				"RuntimeError: Executor creation failed due to insufficient GPU memory.",
				"",
				"The following component could not be created: KV cache",
				"Total GPU memory (GiB): 79.11",
				"Free GPU memory before component creation attempt (GiB): 3.20",
				"",
				"Previously created components and free GPU memory before/after creation (GiB):",
				"Model: 78.50 / 20.10",
				"",
			}, "\n"),
			oomdoc.ProgramError{
				Engine: oomdoc.EngineTensorRTLLM, Pool: device, Phase: oomdoc.PhaseKVCache, Operation: "KV cache", Device: new(0),
				Requested: inGiB(3), Total: inGiB(79.11), Free: inGiB(1.20), Own: inGiB(77.90), Allocated: inGiB(75.80), Unallocated: inMiB(611.20),
			},
		},
		"TensorRT-LLM's executor alone": {
			"[TRT-LLM] [E] Executor creation failed due to insufficient GPU memory.\n\nThe following component could not be created: Model\nTotal GPU memory (GiB): 15.44\nFree GPU memory before component creation attempt (GiB): 12.78\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineTensorRTLLM, Pool: device, Phase: oomdoc.PhaseWeights, Operation: "Model", Total: inGiB(15.44), Free: inGiB(12.78),
			},
		},
		"TensorRT-LLM's C++ runtime": {
			"[TensorRT-LLM][ERROR] Encountered an error when fetching new request: [TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMallocAsync(ptr, n, mCudaStream->get()): out of memory (/src/tensorrt_llm/cpp/tensorrt_llm/runtime/tllmBuffers.h:112)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorRTLLM, Pool: device, Operation: "::cudaMallocAsync(ptr, n, mCudaStream->get())"},
		},
		"TensorRT-LLM pins host memory": {
			"[TensorRT-LLM][ERROR] CUDA runtime error in ::cudaHostAlloc(ptr, n, cudaHostAllocDefault): out of memory (/src/tllmBuffers.h:155)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorRTLLM, Pool: host, Operation: "::cudaHostAlloc(ptr, n, cudaHostAllocDefault)"},
		},
		"TensorRT 8": {
			"[03/01/2024-10:00:00] [TRT] [E] 1: [defaultAllocator.cpp::allocate::20] Error Code 1: Cuda Runtime (out of memory)\n" +
				"[03/01/2024-10:00:00] [TRT] [W] Requested amount of GPU memory (9126805504 bytes) could not be allocated. There may not be enough free memory for allocation to succeed.\n" +
				"[03/01/2024-10:00:00] [TRT] [E] 2: [executionContext.cpp::initializeExecutionContext::410] Error Code 2: OutOfMemory (no further information)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorRT, Pool: device, Requested: new(int64(9126805504))},
		},
		"TensorRT 10": {
			"[E] Error[2]: [executionContext.cpp::initializeExecutionContext::557] Error Code 2: OutOfMemory (Requested size was 1073741824 bytes.)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorRT, Pool: device, Requested: new(int64(1073741824))},
		},
		"TensorRT 7": {
			"[TensorRT] ERROR: ../rtSafe/safeRuntime.cpp (25) - Cuda Error in allocate: 2 (out of memory)\n[TensorRT] ERROR: CUDA error 2 for 536870912-byte allocation.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorRT, Pool: device, Requested: new(int64(536870912))},
		},
		"Triton server's pool": {
			"E0601 12:00:00.000001 1 infer_request.cc:100] Failed to allocate CUDA memory with byte size 268435456 on GPU 1: CNMEM_STATUS_OUT_OF_MEMORY\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineTritonServer, Pool: device, Refusal: oomdoc.RefusalCap, Requested: new(int64(268435456)), Device: new(1), Phase: oomdoc.PhaseRun,
			},
		},
		"ONNX Runtime on the CPU": {
			"UserWarning: Specified provider 'CUDAExecutionProvider' is not in available provider names.Available providers: 'AzureExecutionProvider, CPUExecutionProvider'\n" +
				"2026-06-07 07:26:39.493748329 [E:onnxruntime:, sequential_executor.cc:572 ExecuteKernel] Non-zero status code returned while running MatMul node. Name:'/m/MatMul' Status Message: bfc_arena.cc:376 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool, onnxruntime::Stream*) Failed to allocate memory for requested buffer of size 34359738368\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineONNXRuntime, Pool: host, Requested: new(int64(34359738368)), Phase: oomdoc.PhaseCompute, Operation: "MatMul /m/MatMul",
			},
		},
		"ONNX Runtime names its GPU provider; raised in Python": {
			"Applied providers: ['CUDAExecutionProvider', 'CPUExecutionProvider'], with options: {'CUDAExecutionProvider': {'device_id': '0'}}\n" +
				"onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException: [ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running Conv node. Name:'Conv_5' Status Message: /onnxruntime_src/onnxruntime/core/framework/bfc_arena.cc:342 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool) Failed to allocate memory for requested buffer of size 268435456\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineONNXRuntime, Pool: device, Requested: new(int64(268435456)), Phase: oomdoc.PhaseCompute, Operation: "Conv Conv_5",
			},
		},
		"ONNX Runtime's own limit": {
			"[E:onnxruntime:, inference_session.cc:1533] Exception during initialization: /onnxruntime_src/onnxruntime/core/framework/bfc_arena.cc:326 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool) Available memory of 1048576 is smaller than requested bytes of 4194304\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineONNXRuntime, Pool: device, Refusal: oomdoc.RefusalCap, Requested: new(int64(4194304)), Free: new(int64(1048576)),
			},
		},
		"ONNX Runtime calls CUDA": {
			"onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException: [ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Exception during initialization: /onnxruntime_src/onnxruntime/core/providers/cuda/cuda_call.cc:123 CUDA failure 2: out of memory ; GPU=1 ; hostname=box ; file=/onnxruntime_src/cuda_allocator.cc ; line=47 ; expr=cudaMalloc((void**)&p, size); \n",
			oomdoc.ProgramError{Engine: oomdoc.EngineONNXRuntime, Pool: device, Device: new(1), Operation: "cudaMalloc((void**)&p, size)"},
		},
		"ONNX Runtime pins host memory": {
			"CUDA failure 2: out of memory ; GPU=0 ; hostname=box ; expr=cudaMallocHost((void**)&p, size); \n",
			oomdoc.ProgramError{Engine: oomdoc.EngineONNXRuntime, Pool: host, Device: new(0), Operation: "cudaMallocHost((void**)&p, size)"},
		},
		"ONNX Runtime has no room for cuBLAS": {
			"[E:onnxruntime:Default, cuda_call.cc:118] CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED ; GPU=0 ; hostname=box ; expr=cublasCreate(&cublas_handle_); \n",
			oomdoc.ProgramError{Engine: oomdoc.EngineONNXRuntime, Pool: device, Device: new(0), Operation: "cublasCreate(&cublas_handle_)"},
		},
		"CTranslate2": {
			"  File \"/usr/lib/python3/dist-packages/faster_whisper/transcribe.py\", line 145, in __init__\nRuntimeError: CUDA failed with error out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCTranslate2, Pool: device},
		},
		"CTranslate2 has no room for cuBLAS": {
			"RuntimeError: cuBLAS failed with status CUBLAS_STATUS_ALLOC_FAILED\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCTranslate2, Pool: device, Operation: "cuBLAS"},
		},
	})
}

func TestTensorFlowAndJAXSayWhatWasRefused(t *testing.T) {
	const stats = "2026-01-02 16:36:14.407857: I external/local_xla/xla/tsl/framework/bfc_allocator.cc:1114] Stats: \n" +
		"Limit:                     10737418240\nInUse:                     10200547328\nMaxInUse:                  10300000000\nNumAllocs:                        7\nLargestFreeBlock:                    0\n\n"
	holdEngineCases(t, map[string]engineCase{
		"TensorFlow 2.18: the chunk list is long, Python repeats the error": {
			"2026-01-02 16:36:14.405010: W external/local_xla/xla/tsl/framework/bfc_allocator.cc:497] Allocator (GPU_1_bfc) ran out of memory trying to allocate 1.00GiB (rounded to 1073741824)requested by op model/Mul\n" +
				strings.Repeat("2026-01-02 16:36:14.407822: I external/local_xla/xla/tsl/framework/bfc_allocator.cc:1103] 1 Chunks of size 491520000 totalling 468.75MiB\n", 90) + stats +
				"2026-01-02 16:36:14.408002: W tensorflow/core/framework/op_kernel.cc:1840] OP_REQUIRES failed at mul.cc:1228 : RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[256,1024,1024] and type float on /job:localhost/replica:0/task:0/device:GPU:1 by allocator GPU_1_bfc\n" +
				strings.Repeat("  File \"/opt/a.py\", line 1, in b\n", 60) +
				"tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error: OOM when allocating tensor with shape[256,1024,1024] and type float on /job:localhost/replica:0/task:0/device:GPU:1 by allocator GPU_1_bfc\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineTensorFlow, Pool: device, Device: new(1), Requested: new(int64(1 << 30)), Operation: "model/Mul",
				Limit: new(int64(10737418240)), InUse: new(int64(10200547328)),
			},
		},
		"TensorFlow 1": {
			"2019-05-01 10:00:00.000001: W tensorflow/core/common_runtime/bfc_allocator.cc:267] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.25GiB.  Current allocation summary follows.\n" +
				"2019-05-01 10:00:00.100001: W tensorflow/core/framework/op_kernel.cc:1273] OP_REQUIRES failed at conv_ops.cc:446 : Resource exhausted: OOM when allocating tensor with shape[32,64,543,543] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorFlow, Pool: device, Device: new(0), Requested: new(int64(32 * 64 * 543 * 543 * 4))},
		},
		"TensorFlow on the CPU": {
			"tensorflow.python.framework.errors_impl.ResourceExhaustedError: {{function_node __wrapped__Fill}} OOM when allocating tensor with shape[100000,200000] and type double on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu [Op:Fill]\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorFlow, Pool: host, Requested: new(int64(100000 * 200000 * 8))},
		},
		"TensorFlow cannot copy to the GPU": {
			"tensorflow.python.framework.errors_impl.InternalError: Failed copying input tensor from /job:localhost/replica:0/task:0/device:CPU:0 to /job:localhost/replica:0/task:0/device:GPU:0 in order to run _EagerConst: Dst tensor is not initialized.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorFlow, Pool: device, Refusal: oomdoc.RefusalDisguised},
		},
		"TensorFlow has no room for cuDNN": {
			"2021-03-01 10:00:00.000001: E tensorflow/stream_executor/cuda/cuda_dnn.cc:328] Could not create cudnn handle: CUDNN_STATUS_ALLOC_FAILED\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorFlow, Pool: device},
		},
		"the pool was tried for, and the tensor decides": {
			"2025-07-31 20:22:32.859693: I tensorflow/stream_executor/cuda/cuda_driver.cc:763] failed to allocate 2.00G (2147483648 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n" +
				"2025-07-31 20:22:32.860073: I tensorflow/stream_executor/cuda/cuda_driver.cc:763] failed to allocate 1.80G (1932735232 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n" +
				"2025-07-31 20:22:33.100412: W tensorflow/core/common_runtime/bfc_allocator.cc:457] Allocator (GPU_0_bfc) ran out of memory trying to allocate 512.00MiB (rounded to 536870912)requested by op Mul\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTensorFlow, Pool: device, Device: new(0), Requested: new(512 * mib), Operation: "Mul"},
		},
		"the pool was tried for, and that was the end": {
			"2025-07-31 20:22:32.859693: E external/org_tensorflow/tensorflow/compiler/xla/stream_executor/cuda/cuda_driver.cc:628] failed to allocate 2.00G (2147483648 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\nAborted (core dumped)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Requested: new(int64(2147483648))},
		},
		"JAX 0.3": {
			"RuntimeError: Resource exhausted: Out of memory while trying to allocate 49807360 bytes.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Requested: new(int64(49807360))},
		},
		"JAX 0.4, of its allocator and of Python": {
			"2024-07-12 14:20:01.747540: W external/xla/xla/tsl/framework/bfc_allocator.cc:497] Allocator (GPU_0_bfc) ran out of memory trying to allocate 86.89GiB (rounded to 93297344512)requested by op \n" +
				"jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 93297344512 bytes.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Device: new(0), Requested: new(int64(93297344512))},
		},
		"JAX 2026, of a name": {
			"jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 512.00MiB [executable_name='jit_train_step'].\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Requested: new(512 * mib), Phase: oomdoc.PhaseCompute, Operation: "jit_train_step"},
		},
		"JAX, a device named": {
			"jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 8.00GiB (8589934592B) on device ordinal 2\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Device: new(2), Requested: new(int64(8589934592))},
		},
		"JAX allocates for a buffer": {
			"jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 107374182400 bytes.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Requested: new(int64(107374182400))},
		},
		"JAX on a TPU loads a program": {
			"XlaRuntimeError: RESOURCE_EXHAUSTED: Error loading program 'jit_step': Attempting to reserve 29.50G at the bottom of memory. That was not possible. There are 147.64M free, 0B reserved, and 147.64M reservable.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Phase: oomdoc.PhaseCompute, Requested: inGiB(29.5), Free: inMiB(147.64)},
		},
		"JAX on a TPU allocates": {
			"ValueError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 50.00M. That was not possible. There are 27.86M free.; (0x0x0_HBM0)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Requested: new(50 * mib), Free: inMiB(27.86)},
		},
		"JAX on a TPU compiles": {
			"jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 21.05G of 15.48G hbm. Exceeded hbm capacity by 5.57G.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Phase: oomdoc.PhaseCompute, Total: inGiB(15.48)},
		},
	})
}

func TestTheArrayLibrariesSayWhatWasRefused(t *testing.T) {
	holdEngineCases(t, map[string]engineCase{
		"faiss 1.7": {
			"Faiss assertion 'err == cudaSuccess' failed in virtual void* faiss::gpu::StandardGpuResourcesImpl::allocMemory(const faiss::gpu::AllocRequest&) at StandardGpuResources.cpp:452; details: StandardGpuResources: alloc fail type FlatData dev 1 space Device stream 0x55 size 16106127360 bytes (cudaMalloc error out of memory [2])\nAborted (core dumped)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineFaiss, Pool: device, Device: new(1), Operation: "FlatData", Requested: new(int64(16106127360))},
		},
		"faiss with cuVS": {
			"RuntimeError: Error in virtual void* faiss::gpu::StandardGpuResourcesImpl::allocMemory(const AllocRequest &) at /x.cpp:600: Error: 'false' failed: StandardGpuResources: alloc fail type TemporaryMemoryOverflow dev 0 space Device stream 0x1 size 805306368 bytes (CUDA memory allocation error)\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineFaiss, Pool: device, Device: new(0), Operation: "TemporaryMemoryOverflow", Requested: new(int64(805306368)), Phase: oomdoc.PhaseCompute,
			},
		},
		"faiss 1.6": {
			"Faiss assertion 'err == __null' failed in void* faiss::gpu::allocMemorySpaceV(faiss::gpu::MemorySpace, size_t) at gpu/utils/MemorySpace.cpp:26; details: failed to cudaMalloc 1610612736 bytes (error 2 out of memory)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineFaiss, Pool: device, Requested: new(int64(1610612736))},
		},
		"RMM 0.19": {
			"MemoryError: std::bad_alloc: CUDA error at: /opt/conda/include/rmm/mr/device/cuda_memory_resource.hpp:69: cudaErrorMemoryAllocation out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineRAPIDS, Pool: device},
		},
		"RMM 23: the pool's largest size": {
			"MemoryError: std::bad_alloc: out_of_memory: RMM failure at:/opt/conda/include/rmm/mr/device/pool_memory_resource.hpp:196: Maximum pool size exceeded\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineRAPIDS, Pool: device, Refusal: oomdoc.RefusalCap},
		},
		"RMM 25: the pool's largest size": {
			"terminate called after throwing an instance of 'rmm::out_of_memory'\n  what():  std::bad_alloc: out_of_memory: Maximum pool size exceeded (failed to allocate 8.000 GiB): Not enough room to grow, current/max/try size = 10.500 GiB, 12.000 GiB, 8.000 GiB\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineRAPIDS, Pool: device, Refusal: oomdoc.RefusalCap, Requested: inGiB(8), Limit: inGiB(12)},
		},
		"RMM 25: CUDA": {
			"MemoryError: std::bad_alloc: out_of_memory: CUDA error (failed to allocate 8589934592 bytes) at: /x/cuda_memory_resource.hpp:62: cudaErrorMemoryAllocation out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineRAPIDS, Pool: device, Requested: new(int64(8589934592))},
		},
		"RMM: a limit": {
			"std::bad_alloc: out_of_memory: Exceeded memory limit (failed to allocate 1.500 GiB)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineRAPIDS, Pool: device, Refusal: oomdoc.RefusalCap, Requested: inGiB(1.5)},
		},
		"CuPy": {
			"cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,589,934,592 bytes (allocated so far: 4,294,967,296 bytes).\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCuPy, Pool: device, Requested: new(int64(8589934592)), Allocated: new(int64(4294967296))},
		},
		"CuPy with a limit": {
			"cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 1,024 bytes (allocated so far: 512 bytes, limit set to: 1,000 bytes).\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineCuPy, Pool: device, Refusal: oomdoc.RefusalCap, Requested: new(int64(1024)), Allocated: new(int64(512)), Allowed: new(int64(1000)),
			},
		},
		"CuPy 5": {
			"cupy.cuda.memory.OutOfMemoryError: out of memory to allocate 8589934592 bytes (total 2147483648 bytes)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCuPy, Pool: device, Requested: new(int64(8589934592)), Allocated: new(int64(2147483648))},
		},
		"CuPy, of the runtime": {
			"cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorMemoryAllocation: out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCuPy, Pool: device},
		},
		"Numba": {
			"numba.cuda.cudadrv.driver.CudaAPIError: [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNumba, Pool: device, Operation: "cuMemAlloc"},
		},
		"Numba with NVIDIA's bindings": {
			"numba.cuda.cudadrv.driver.CudaAPIError: [CUresult.CUDA_ERROR_OUT_OF_MEMORY] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNumba, Pool: device, Operation: "cuMemAlloc"},
		},
		"Numba pins host memory": {
			"numba.cuda.cudadrv.driver.CudaAPIError: [2] Call to cuMemHostAlloc results in CUDA_ERROR_OUT_OF_MEMORY\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineNumba, Pool: host, Operation: "cuMemHostAlloc"},
		},
		"bitsandbytes": {
			"Error out of memory at line 380 in file /mmfs1/home/x/csrc/pythonInterface.c\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: device, Operation: "bitsandbytes"},
		},
		"DeepSpeed's workspace": {
			"RuntimeError: Workspace can't be allocated, no enough memory.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineDeepSpeed, Pool: device, Phase: oomdoc.PhaseCompute},
		},
		"DeepSpeed's launcher tells of SIGKILL": {
			"[2025-01-10 03:22:17,871] [INFO] [launch.py:319:sigkill_handler] Killing subprocess 4711\n[2025-01-10 03:22:18,201] [ERROR] [launch.py:325:sigkill_handler] ['/usr/bin/python3', '-u', 'train.py', '--local_rank=3'] exits with return code = -9\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineDeepSpeed, Pool: host, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled},
		},
		"Transformers plans": {
			"ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU RAM to fit the quantized model. If you want to dispatch the model on the CPU or the disk while keeping these modules in 32-bit, you need to set `llm_int8_enable_fp32_cpu_offload=True`\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineTransformers, Pool: device, Refusal: oomdoc.RefusalPlan, Phase: oomdoc.PhaseWeights},
		},
		"Diffusers decodes": {
			"  File \"/usr/lib/python3/dist-packages/diffusers/pipelines/flux/pipeline_flux.py\", line 900, in __call__\n" +
				"  File \"/usr/lib/python3/dist-packages/diffusers/models/autoencoders/vae.py\", line 30, in decode\n" +
				"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.53 GiB of which 61.19 MiB is free. Including non-PyTorch memory, this process has 23.46 GiB memory in use. Of the allocated memory 22.90 GiB is allocated by PyTorch, and 101.00 MiB is reserved by PyTorch but unallocated.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineDiffusers, Pool: device, Phase: oomdoc.PhaseCompute, Device: new(0),
				Requested: inGiB(2), Total: inGiB(23.53), Free: inMiB(61.19), Own: inGiB(23.46),
				Allocated: inGiB(22.90), Unallocated: new(101 * mib),
			},
		},
		"a program in Rust": {
			"Error: DriverError(CUDA_ERROR_OUT_OF_MEMORY, \"out of memory\")\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineCUDA, Pool: device},
		},
	})
}

func TestDriversLinesInTheKernelsLog(t *testing.T) {
	holdEngineCases(t, map[string]engineCase{
		"amdgpu": {
			"[  812.114300] amdgpu 0000:03:00.0: [drm] *ERROR* Not enough memory for command submission!\n[  813.000000] amdgpu 0000:03:00.0: [drm] *ERROR* Not enough memory for command submission!\n",
			oomdoc.ProgramError{Pool: device, DeviceName: "0000:03:00.0"},
		},
		"amdgpu, raw": {
			"3,812,812114300,-;[drm:amdgpu_cs_ioctl [amdgpu]] *ERROR* Not enough memory for command submission!\n",
			oomdoc.ProgramError{Pool: device},
		},
		"amdgpu, syslog": {
			"Dec 18 19:34:56 box kernel: amdgpu 0000:0a:00.0: amdgpu: *ERROR* Not enough memory for command submission!\n",
			oomdoc.ProgramError{Pool: device, DeviceName: "0000:0a:00.0"},
		},
	})
	list := engineErrors(t, "12,812,812114300,-;amdgpu 0000:03:00.0: [drm] *ERROR* Not enough memory for command submission!\n")
	if len(list) != 1 || list[0].Witness != oomdoc.WitnessForgeable {
		t.Errorf("a line that user space wrote into the kernel's log: %+v", list)
	}
}

func TestWhatNVIDIAsDriverSaysStandsBesideAFailure(t *testing.T) {
	list := engineErrors(t, "NVRM is quiet\nkernel: NVRM: nvCheckOkFailedNoLog: Check failed: Out of memory [NV_ERR_NO_MEMORY] (0x00000051) returned from _memdescAllocInternal(pMemDesc) @ mem_desc.c:1359\n"+
		"RuntimeError: CUDA error: out of memory\n")
	if len(list) != 1 || list[0].Clue(oomdoc.ClueDriver) == nil {
		t.Errorf("%+v", list)
	}
}

// A log that has one of these has no incident in it.
func TestServersTextsThatAreNoFailure(t *testing.T) {
	for name, log := range map[string]string{
		"vLLM hints at a better setting":       "(EngineCore_DP0 pid=9) INFO 11-02 08:10:01 [gpu_worker.py:356] Free memory on device (78.5/79.19 GiB) on startup. Desired GPU memory utilization is (0.9, 71.27 GiB). Actual usage is 15.1 GiB for weight, 1.4 GiB for peak activation, 0.1 GiB for non-torch memory, and 0.6 GiB for CUDAGraph memory. Replace gpu_memory_utilization config with `--kv-cache-memory=58` to fit into requested memory\n",
		"vLLM: a neighbour freed memory":       "AssertionError: Error in memory profiling. Initial free memory 39.1 GiB, current free memory 41.2 GiB. This happens when other processes sharing the same container release GPU memory while vLLM is profiling during initialization.\n",
		"vLLM preempts":                        "WARNING 11-19 21:10:34 [scheduler.py:1823] Sequence group 7 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space.\n",
		"vLLM fails of something else":         "(EngineCore_DP0 pid=9) ERROR 11-02 08:10:01 [core.py:708] EngineCore failed to start.\n(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n",
		"vLLM starts well":                     "INFO 05-18 05:44:10 [gpu_worker.py:298] Available KV cache memory: 40.12 GiB\nINFO 05-18 05:44:10 [kv_cache_utils.py:1087] GPU KV cache size: 328,656 tokens\nINFO 05-18 05:44:10 [kv_cache_utils.py:1091] Maximum concurrency for 32,768 tokens per request: 10.03x\nCapturing CUDA graphs (mixed prefill-decode, PIECEWISE): 100%|██████| 67/67 [00:05<00:00]\n",
		"SGLang retracts":                      "[2026-02-25 15:39:25 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.6 -> 0.9\n",
		"SGLang ends itself":                   "[2026-02-25 15:39:25] Received sigquit from a child process. It usually means the child failed.\nKilled\n",
		"TGI goes on without graphs":           "2026-01-08T15:02:40.123Z ERROR text_generation_launcher: Decode cuda graph warmup failed\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 22.03 GiB of which 15.12 MiB is free. Including non-PyTorch memory, this process has 22.01 GiB memory in use. Of the allocated memory 21.62 GiB is allocated by PyTorch, and 135.82 MiB is reserved by PyTorch but unallocated.\n2026-01-08T15:02:49.123Z  INFO text_generation_router_v3: backends/v3/src/lib.rs:137: Setting max batch total tokens to 28592\n",
		"TensorRT takes another tactic":        "[TRT] [E] 2: [virtualMemoryBuffer.cpp::resizePhysical::140] Error Code 2: OutOfMemory (no further information)\n[TRT] [W] Skipping tactic 3 due to insufficient memory on requested size of 8589934592 detected for tactic 0x0000000000000004.\n",
		"TensorRT's tactic":                    "[TRT] [W] Tactic Device request: 8210MB Available: 3904MB. Device memory is insufficient to use tactic.\n[TRT] [W] Skipping tactic 3 due to insufficient memory on requested size of 8210 detected for tactic 0x3c.\n",
		"Triton server falls back":             "W0601 12:00:00.000001 1 memory.cc:212] Failed to allocate CUDA memory with byte size 268435456 on GPU 0: CNMEM_STATUS_OUT_OF_MEMORY, falling back to pinned system memory\nW0601 12:00:00.000001 1 memory.cc:135] failed to allocate pinned system memory, falling back to non-pinned system memory\n",
		"TensorFlow has another way":           "2023-10-02 16:36:14.405010: W tensorflow/core/common_runtime/bfc_allocator.cc:290] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.20GiB with freed_by_count=0. The caller indicates that this is not a failure, but may mean that there could be performance gains if more memory were available.\n",
		"TensorFlow grows its pool, and works": "2025-07-31 20:22:32.859693: I tensorflow/stream_executor/cuda/cuda_driver.cc:763] failed to allocate 6.83G (7335084032 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n2025-07-31 20:22:33.2: I tensorflow/stream_executor/cuda/cuda_dnn.cc:432] Loaded cuDNN version 8600\nEpoch 1/10\n",
		"JAX takes less":                       "2024-07-31 20:22:32.859693: E external/xla/xla/stream_executor/cuda/cuda_driver.cc:1067] failed to allocate 17.75G (19058098176 bytes) from device: RESOURCE_EXHAUSTED: : CUDA_ERROR_OUT_OF_MEMORY: out of memory\nstep 1: loss 3.2\n",
		"a TPU kernel too big for the chip":    "XlaRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem while allocating on stack for %_fwd.1 = bf16[16384,6144]\n",
		"a quota":                              "google.api_core.exceptions.ResourceExhausted: 429 RESOURCE_EXHAUSTED: Quota exceeded for quota metric\ngrpc: RESOURCE_EXHAUSTED: Received message larger than max (5242880 vs. 4194304)\n",
		"the language Triton":                  "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 140288, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.\nRuntimeError: Triton Error [CUDA]: too many resources requested for launch\n",
		"an illegal access":                    "torch.AcceleratorError: CUDA error: an illegal memory access was encountered\nkernel: NVRM: Xid (PCI:0000:01:00): 31, pid=80798, name=llama-server, Ch 00000008, intr 00000000. MMU Fault\n",
		"NVIDIA's driver alone":                "[ 99.1] NVRM: nvCheckOkFailedNoLog: Check failed: Out of memory [NV_ERR_NO_MEMORY] (0x00000051) returned from _memdescAllocInternal(pMemDesc) @ mem_desc.c:1359\n[ 99.2] [drm:nv_drm_gem_alloc_nvkms_memory_ioctl [nvidia_drm]] *ERROR* [nvidia-drm] [GPU ID 0x00000100] Failed to allocate NVKMS memory for GEM object\n",
		"a program speaks of the driver":       "the message amdgpu 0000:03:00.0: [drm] *ERROR* Not enough memory for command submission! means that VRAM is full\n",
		"a table of error names":               "  CUDA_ERROR_OUT_OF_MEMORY = 2,\n  cudaErrorMemoryAllocation = 2\n  case hipErrorOutOfMemory: return 2;\n",
		"a chat about vLLM":                    "user: my server says ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`, help\nassistant: lower the context: To serve at least one request with the model's max seq len (32768), 16.00 GiB KV cache is needed\n",
		"documentation of SGLang":              "- If you see `Not enough memory. Please try to increase --mem-fraction-static`, raise it.\n- Decode out of memory. Try to lower your batch size: lower --max-running-requests\n",
		"documentation of ONNX Runtime":        "> bfc_arena.cc:358 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool) Failed to allocate memory for requested buffer of size 4531027968\n",
		"an image library":                     "Not enough memory to handle image header (ihdr)\nMaximum pool size exceeded, destroying missile: 7\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range engineErrors(t, log) {
				t.Errorf("got %+v", e)
			}
		})
	}
}

func TestServersFailTwiceInOneLog(t *testing.T) {
	const one = "2026-06-07 07:26:39.493748329 [E:onnxruntime:, sequential_executor.cc:572 ExecuteKernel] Non-zero status code returned while running Conv node. Name:'/c/Conv' Status Message: bfc_arena.cc:358 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool, onnxruntime::Stream*) Failed to allocate memory for requested buffer of size 4531027968\n"
	two := strings.ReplaceAll(strings.ReplaceAll(one, "07:26:39", "09:12:01"), "4531027968", "268435456")
	if list := engineErrors(t, one+two); len(list) != 2 || *list[0].Requested != 4531027968 || *list[1].Requested != 268435456 {
		t.Errorf("got %+v", list)
	}
	list := engineErrors(t, one+"2026-06-07 07:26:39,494 WARNING OOM at batch 147. Reducing.\n"+two)
	if len(list) != 2 || list[0].Outcome != oomdoc.OutcomeDegraded || list[1].Outcome != oomdoc.OutcomeFailed {
		t.Errorf("got %+v", list)
	}
}
