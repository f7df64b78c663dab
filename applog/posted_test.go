package applog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/oomdoc/oomdoc"
)

// The shapes are those in which people posted them in 2016 to 2026, names and
// numbers are others.

func TestErrorsOfCUDAAreKnownInEveryProgramsWords(t *testing.T) {
	const cuda = oomdoc.EngineCUDA
	bare := oomdoc.ProgramError{Engine: cuda, Pool: device}
	holdEngineCases(t, map[string]engineCase{
		"a macro that thousands copied":  {"GPUassert: out of memory tree.cu 377\n", bare},
		"NVIDIA's samples":               {"CUDA error at grid.cu:183 code=2(cudaErrorMemoryAllocation) \"cudaMalloc(&d_A, size_A)\" \n", bare},
		"NVIDIA's samples, on the host":  {"CUDA error at grid.cu:183 code=2(cudaErrorMemoryAllocation) \"cudaMallocHost(&h_A, size_A)\" \n", oomdoc.ProgramError{Engine: cuda, Pool: host}},
		"a logger before it":             {"2026-01-18 16-37-43: The following exception occurred: CUDA error at C:\\life\\Memory.cuh:30 code=2(cudaErrorMemoryAllocation) \"cudaMalloc(&result, sizeof(T)*n)\"\n", bare},
		"darknet":                        {" seen 64, trained: 0 K-images (0 Kilo-batches_64) \nCUDA Error: out of memory: File exists\ndarknet: ./src/utils.c:331: error: Assertion `0' failed.\n", bare},
		"Caffe":                          {"F0208 17:55:12.123456  4321 syncedmem.cpp:56] Check failed: error == cudaSuccess (2 vs. 0)  out of memory\n*** Check failure stack trace: ***\n", bare},
		"OpenCV":                         {"terminate called after throwing an instance of 'cv::Exception'\n  what():  OpenCV(4.8.0) /src/core/src/cuda/gpu_mat.cu:116: error: (-217:Gpu API call) out of memory in function 'allocate'\n", bare},
		"PyCUDA":                         {"    a_gpu = cuda.mem_alloc(a.nbytes)\npycuda._driver.MemoryError: cuMemAlloc failed: out of memory\n", bare},
		"a program's own sentence":       {"Cuda error: cudaMalloc dev_grid failed: out of memory.\n", bare},
		"nvdiffrast":                     {"  File \"/srv/ops.py\", line 248, in rasterize\nRuntimeError: Cuda error: 2[cudaMalloc(&m_gpuPtr, bytes);]\n", bare},
		"Thrust to 11":                   {"terminate called after throwing an instance of 'thrust::system::detail::bad_alloc'\n  what():  std::bad_alloc: out of memory\nAborted (core dumped)\n", bare},
		"Thrust's system_error":          {"terminate called after throwing an instance of 'thrust::system::system_error'\n  what():  parallel_for failed: cudaErrorMemoryAllocation: out of memory\n", bare},
		"a library's exception in lines": {"terminate called after throwing an instance of 'CUDA::error' \n  what():  /src/pool/Malloc_impl.hpp(42):\nerror: out of memory\n", bare},
		"ManagedCuda":                    {"ManagedCuda.CudaException: ErrorOutOfMemory: The API call failed because it was unable to allocate enough memory to perform the requested operation\n", bare},
		"torch_memory_saver":             {"[torch_memory_saver.cpp] CUresult error  result=2 file=csrc/core.cpp func=cu_mem_create line=103 (5)\n", bare},
		"XGBoost": {
			"xgboost.core.XGBoostError: [10:12:13] ../src/tree/updater_gpu_hist.cu:712: Exception in gpu_hist: /src/device_helpers.cuh:428: Memory allocation error on worker 0: std::bad_alloc: cudaErrorMemoryAllocation: out of memory\n- Free memory: 171442176\n- Requested memory: 6442450944\n",
			oomdoc.ProgramError{Engine: cuda, Pool: device, Requested: inGiB(6), Free: new(int64(171442176))},
		},
		"PaddlePaddle": {
			"ResourceExhaustedError: \n\nOut of memory error on GPU 1. Cannot allocate 1.500000GB memory on GPU 1, 10.500000GB memory has been allocated and available memory is only 160.500000MB.\n\nPlease check whether there is any other process using GPU 1.\n",
			oomdoc.ProgramError{Engine: cuda, Pool: device, Device: new(1), Requested: inGiB(1.5), Free: inMiB(160.5), Allocated: inGiB(10.5)},
		},
		"vLLM wakes from its sleep": {
			"(EngineCore pid=44) RuntimeError: CUDA Error: out of memory at /workspace/csrc/cumem_allocator.cpp:62\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineVLLM, Pool: device, PID: 44},
		},
		"TensorRT to 8.0, in ONNX Runtime": {
			"E:onnxruntime:Default, tensorrt_execution_provider.h:50 log] [2022-03-04 13:39:28 ERROR] ../rtSafe/safeRuntime.cpp (25) - Cuda Error in allocate: 2 (out of memory)\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineONNXRuntime, Pool: device},
		},
	})
}

func TestErrorsOfFrameworksAreKnownInOldAndBrokenTexts(t *testing.T) {
	torchHost := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: host}
	holdEngineCases(t, map[string]engineCase{
		"PyTorch 0.4, whole GiB": {
			"RuntimeError: $ Torch: not enough memory: you tried to allocate 37GB. Buy new RAM! at /pytorch/aten/src/TH/THGeneral.cpp:204\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: host, Requested: inGiB(37)},
		},
		"PyTorch 0.4, less than one GiB": {
			"RuntimeError: $ Torch: not enough memory: you tried to allocate 0GB. Buy new RAM! at /pytorch/aten/src/TH/THGeneral.cpp:204\n", torchHost,
		},
		"PyTorch 1.1": {"RuntimeError: [enforce fail at CPUAllocator.cpp:56] posix_memalign(&data, gAlignment, nbytes) == 0. 12 vs 0\n", torchHost},
		"PyTorch, without the exception's name": {
			"[enforce fail at ..\\c10\\core\\impl\\alloc_cpu.cpp:72] data. DefaultCPUAllocator: not enough memory: you tried to allocate 536870912 bytes.\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: host, Requested: inMiB(512)},
		},
		"PyTorch, a size that overflowed": {
			"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate more than 1EB memory.\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: device, Requested: new(int64(1 << 60))},
		},
		"PyTorch, the first sentence alone": {"RuntimeError: CUDA out of memory.\n", oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: device}},
		"NCCL's last error on a line of its own": {
			"[rank1]: torch.distributed.DistBackendError: NCCL error in: /pytorch/ProcessGroupNCCL.cpp:3384, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5\n[rank1]: Last error:\n[rank1]: Cuda failure 'out of memory'\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: device, Operation: "NCCL", Rank: new(1)},
		},
		"JAX in a window of odd width": {
			"[1] 2019-06-13 01:17:08.886805: E external/org_tensorflow/tensorflow/compiler/xla/python/local_client.cc:672] Execution of replica 0 failed: Resource exhausted: Out \nof memory while trying to allocate 5520758552 bytes.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineJAX, Pool: device, Requested: new(int64(5520758552))},
		},
		"RMM under Spark": {
			": org.apache.spark.SparkException: Job aborted due to stage failure: Task 2 in stage 7.0 failed 4 times, most recent failure: Lost task 2.3 in stage 7.0 (TID 26, 10.5.2.6, executor 8): java.lang.OutOfMemoryError: Could not allocate native memory: std::bad_alloc: RMM failure at:/usr/local/rapids/include/rmm/mr/device/detail/arena.hpp:382: Maximum pool size exceeded\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineRAPIDS, Pool: device, Refusal: oomdoc.RefusalCap},
		},
		"MLC of 2024": {
			"ValueError: The model weight size may be larger than GPU memory size.\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineMLC, Pool: device, Phase: oomdoc.PhaseWeights, Refusal: oomdoc.RefusalPlan},
		},
		"FlashInfer's workspace in SGLang": {
			"  File \"/venv/lib/python3.11/site-packages/sglang/srt/managers/scheduler.py\", line 1196, in run_scheduler_process\nRuntimeError: Buffer overflow when allocating memory for batch_prefill_tmp_v with size 435814400 and alignment 16, but only 134217728 bytes available in AlignedAllocator. Increase the workspace buffer size.\n",
			oomdoc.ProgramError{
				Engine: oomdoc.EngineSGLang, Pool: device, Phase: oomdoc.PhaseCompute, Operation: "FlashInfer",
				Requested: new(int64(435814400)), Free: inMiB(128),
			},
		},
		"llama.cpp of 2023": {
			"llama_new_context_with_model: compute buffer total size = 73.47 MB\nggml-cuda.cu:5048: out of memory\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineLlamaCpp, Pool: device},
		},
		"Ollama, layers that do not fit": {
			"Error: 500 Internal Server Error: memory layout cannot be allocated with num_gpu = 49\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineOllama, Pool: device, Phase: oomdoc.PhaseWeights, Refusal: oomdoc.RefusalPlan},
		},
		"Ollama on Windows, by its blobs": {
			"alloc_tensor_range: failed to allocate CPU buffer of size 437944320\nllama_model_load: error loading model: unable to allocate CPU buffer\npanic: unable to load model: D:\\Models\\blobs\\sha256-ac9bc7a69dab\n",
			oomdoc.ProgramError{Engine: oomdoc.EngineOllama, Pool: host, DeviceName: "CPU", Phase: oomdoc.PhaseWeights, Requested: new(int64(437944320))},
		},
		"frames of Windows, whose backslashes are no escapes": {
			"  File \"C:\\ai\\ComfyUI\\nodes.py\", line 908, in load_unet\n  File \"C:\\ai\\python\\Lib\\site-packages\\torch\\nn\\modules\\linear.py\", line 99, in __init__\ntorch.OutOfMemoryError: Allocation on device \n",
			oomdoc.ProgramError{Engine: oomdoc.EngineComfyUI, Pool: device, Phase: oomdoc.PhaseWeights},
		},
		"a long command that died": {
			"subprocess.CalledProcessError: Command '['/srv/kohya/venv/bin/python', 'train.py',\n'--model=/srv/stable-diffusion-webui/models/Stable-diffusion/a.safetensors',\n'--mixed_precision=fp16']' died with <Signals.SIGKILL: 9>.\n",
			oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: host, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled},
		},
	})
}

// What a program caught and went on from is degraded, or nothing where it was only
// finding out what fits.
func TestProgramsThatGoOnAreNotFailed(t *testing.T) {
	for name, test := range map[string]struct {
		log  string
		want []oomdoc.Outcome
	}{
		"fairseq leaves a batch out": {
			"| WARNING: ran out of memory with exception: CUDA out of memory. Tried to allocate 24.00 MiB (GPU 0; 7.93 GiB total capacity; 7.10 GiB already allocated; 17.56 MiB free; 46.25 MiB cached);\n Skipping batch\n| epoch 001:    100 / 2000 loss=12.1\n",
			[]oomdoc.Outcome{oomdoc.OutcomeDegraded},
		},
		"fairseq of 2018": {
			"| epoch 001:   0%|                 | 315/72115 [01:24<5:21:16,  3.72it/s]THCudaCheck FAIL file=/pytorch/torch/lib/THC/generic/THCStorage.cu line=58 error=2 : out of memory\n| WARNING: ran out of memory on GPU #1, skipping batch\n",
			[]oomdoc.Outcome{oomdoc.OutcomeDegraded},
		},
		"Lightning looks for a batch size": {
			"Failed with batch size 64: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.10 GiB is free.\nBatch size 64 failed, trying batch size 32\nFinished batch size finder, will continue with full run using batch size 32\n",
			nil,
		},
		"Ollama tries another layout": {
			"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9220.57 MiB on device 0: cudaMalloc failed: out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 9668469760\ntime=2025-12-03T18:13:23.094+08:00 level=INFO source=runner.go:1271 msg=load request=\"{Operation:alloc LoraPath:[] Parallel:1 GPULayers:2}\"\n",
			nil,
		},
		"the source of an error in a traceback": {
			"--> 444                             raise RuntimeError(\"Insufficient VRAM for model and cache\")\n", nil,
		},
		"a document about exit codes": {"keywords: exit code 137, OOM, out of memory\nIt ends with exit code 137 when it is killed.\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []oomdoc.Outcome
			for _, e := range engineErrors(t, test.log) {
				got = append(got, e.Outcome)
			}
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
