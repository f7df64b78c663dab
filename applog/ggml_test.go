package applog_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/oomdoc/oomdoc"
)

// programErrors are the errors of programs that a log tells of, without the lines.
func programErrors(tb testing.TB, log string) []oomdoc.ProgramError {
	tb.Helper()
	var list []oomdoc.ProgramError
	for _, ev := range events(tb, log) {
		if ev.Program == nil {
			tb.Fatalf("not a program's error: %+v", ev)
		}
		if ev.Program.Line == "" || len(ev.Records) == 0 || !ev.Final {
			tb.Errorf("the event is not whole: %+v", ev)
		}
		list = append(list, *ev.Program)
	}
	return list
}

// refusal is a case of a refusal that a log tells of. clues are some of those that
// must be there.
type refusal struct {
	log   string
	want  []oomdoc.ProgramError
	clues []oomdoc.Clue
}

func holdRefusals(t *testing.T, cases map[string]refusal) {
	t.Helper()
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			got := programErrors(t, test.log)
			besides := cmpopts.IgnoreFields(oomdoc.ProgramError{}, "Line", "LimitLine", "Clues", "Witness", "Ranks", "Raiser")
			if diff := cmp.Diff(test.want, got, besides, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("(-want +got)\n%s", diff)
			}
			for _, want := range test.clues {
				found := false
				for _, c := range got[0].Clues {
					found = found || cmp.Equal(want, c, cmpopts.IgnoreFields(oomdoc.Clue{}, "Line"))
				}
				if !found {
					t.Errorf("no clue %s %q: %+v", want.Kind, want.Name, got[0].Clues)
				}
			}
		})
	}
}

// logOf is a case of the corpus.
func logOf(tb testing.TB, name string) string {
	tb.Helper()
	log, err := os.ReadFile(filepath.Join("testdata/program", name+".log"))
	if err != nil {
		tb.Fatal(err)
	}
	return string(log)
}

const (
	failed   = oomdoc.OutcomeFailed
	weights  = oomdoc.PhaseWeights
	kvCache  = oomdoc.PhaseKVCache
	compute  = oomdoc.PhaseCompute
	running  = oomdoc.PhaseRun
	onDevice = oomdoc.PoolDevice
	onHost   = oomdoc.PoolHost
)

func bytesOf(n int64) *int64 { return &n }

func TestLlamaCppSaysWhichBufferDidNotFitAndWhatItWasFor(t *testing.T) {
	llama := func(e oomdoc.ProgramError) []oomdoc.ProgramError {
		e.Engine, e.Outcome = oomdoc.EngineLlamaCpp, failed
		return []oomdoc.ProgramError{e}
	}
	holdRefusals(t, map[string]refusal{
		"weights": {
			log: logOf(t, "llama-01-weights"),
			want: llama(oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(20805120000), Model: "/models/q4.gguf",
			}),
		},
		"KV cache, the prefix of 2026": {
			log: logOf(t, "llama-02-kv-cache"),
			want: llama(oomdoc.ProgramError{
				Pool: onDevice, Phase: kvCache, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(13930856448),
			}),
			clues: []oomdoc.Clue{
				{Kind: oomdoc.ClueLayers, N: bytesOf(49), Of: bytesOf(49)}, {Kind: oomdoc.ClueContext, N: bytesOf(262144)},
				{Kind: oomdoc.ClueModelBuffer, Name: "CUDA0", Bytes: bytesOf(12101825331)},
			},
		},
		"less scratch space was enough": {log: logOf(t, "llama-03-recovered")},
		"CUDA_Host is RAM": {
			log:  logOf(t, "llama-04-cuda-host-buffer"),
			want: llama(oomdoc.ProgramError{Pool: onHost, Phase: weights, DeviceName: "CUDA_Host", Requested: bytesOf(5771621440)}),
		},
		"a pool grows at work, ik_llama.cpp": {
			log: logOf(t, "llama-07-runtime-pool"),
			want: llama(oomdoc.ProgramError{
				Pool: onDevice, Phase: running, Device: new(0), Operation: "cuMemCreate(&handle, reserve_size, &prop, 0)",
			}),
		},
		"the user overruled the plan": {
			log:  logOf(t, "llama-09-fit"),
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(9019850752)}),
			clues: []oomdoc.Clue{
				{Kind: oomdoc.CluePlanNeed, Bytes: bytesOf(32953 << 20)}, {Kind: oomdoc.CluePlanFree, Bytes: bytesOf(8186 << 20)},
				{Kind: oomdoc.CluePlanOverruled, Name: "n_gpu_layers", N: bytesOf(99)}, {Kind: oomdoc.ClueContext, N: bytesOf(4096)},
			},
		},
		"Jetson: one memory": {
			log:   logOf(t, "jetson-01-unified"),
			want:  llama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(1476114816)}),
			clues: []oomdoc.Clue{{Kind: oomdoc.ClueUnified}},
		},
		"2024: llama_kv_cache_init": {
			log: "llm_load_tensors: offloaded 33/33 layers to GPU\nllm_load_tensors:      CUDA0 buffer size =  3847.55 MiB\n" +
				"llama_new_context_with_model: n_ctx      = 32768\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 16384.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"llama_kv_cache_init: failed to allocate buffer for kv cache\n" +
				"llama_new_context_with_model: llama_kv_cache_init() failed for self-attention cache\n" +
				"llama_init_from_gpt_params: error: failed to create context with model '/m/llama-2-7b.Q4_K_M.gguf'\n",
			want: llama(oomdoc.ProgramError{
				Pool: onDevice, Phase: kvCache, Device: new(0), Requested: bytesOf(16384 << 20), Grain: 5242, Model: "/m/llama-2-7b.Q4_K_M.gguf",
			}),
			clues: []oomdoc.Clue{
				{Kind: oomdoc.ClueModelBuffer, Name: "CUDA0", Bytes: bytesOf(4034448588)}, {Kind: oomdoc.ClueContext, N: bytesOf(32768)},
			},
		},
		"scratch space on ROCm": {
			log: "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 14136.04 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"ggml_gallocr_reserve_n: failed to allocate ROCm0 buffer of size 14822711296\n" +
				"graph_reserve: failed to allocate compute buffers\n" +
				"llama_init_from_model: failed to initialize the context: failed to allocate compute pp buffers\n" +
				"common_init_from_params: failed to create context with model 'models/a.gguf', try reducing --n-gpu-layers if you're running out of VRAM\n" +
				"srv    load_model: failed to load model, 'models/a.gguf'\nmain: exiting due to model loading error\n",
			want: llama(oomdoc.ProgramError{
				Pool: onDevice, Phase: compute, Device: new(0), DeviceName: "ROCm0", Requested: bytesOf(14822711296), Model: "models/a.gguf",
			}),
		},
		"the retry fails as well": {
			log: "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 2880.02 MiB on device 1: cudaMalloc failed: out of memory\n" +
				"ggml_gallocr_reserve_n_impl: failed to allocate CUDA1 buffer of size 3019919360\n" +
				"sched_reserve: compute buffer allocation failed, retrying without pipeline parallelism\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1440.02 MiB on device 1: cudaMalloc failed: out of memory\n" +
				"ggml_gallocr_reserve_n_impl: failed to allocate CUDA1 buffer of size 1509969920\n" +
				"graph_reserve: failed to allocate compute buffers\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: compute, Device: new(1), DeviceName: "CUDA1", Requested: bytesOf(1509969920)}),
		},
		"Vulkan": {
			log: "0.00.947.119 W load: special_eot_id is not in special_eog_ids\n" +
				"ggml_vulkan: Device memory allocation of size 1037832192 failed.\nggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory\n" +
				"0.02.468.179 E alloc_tensor_range: failed to allocate Vulkan0 buffer of size 1037832192\n" +
				"0.02.672.374 E llama_model_load: error loading model: unable to allocate Vulkan0 buffer\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "Vulkan0", Requested: bytesOf(1037832192)}),
		},
		"Vulkan: one buffer may not be as large": {
			log: "ggml_vulkan: Device memory allocation of size 5368709120 failed.\n" +
				"ggml_vulkan: Requested buffer size exceeds device buffer size limit: ErrorOutOfDeviceMemory\n" +
				"ggml_gallocr_reserve_n: failed to allocate Vulkan0 buffer of size 5368709120\n",
			want: llama(oomdoc.ProgramError{
				Pool: onDevice, Phase: compute, Refusal: oomdoc.RefusalCap, Device: new(0), DeviceName: "Vulkan0", Requested: bytesOf(5368709120),
			}),
		},
		"Vulkan on a processor's graphics, another card beside it": {
			log: "ggml_vulkan: 0 = AMD Radeon RX 7900 XTX (RADV NAVI31) (radv) | uma: 0 | fp16: 1 | warp size: 64\n" +
				"ggml_vulkan: 1 = AMD Radeon Graphics (RADV RAPHAEL) (radv) | uma: 1 | fp16: 1 | warp size: 64\n" +
				"ggml_vulkan: Device memory allocation of size 2037832192 failed.\nggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory\n" +
				"alloc_tensor_range: failed to allocate Vulkan1 buffer of size 2037832192\n",
			want:  llama(oomdoc.ProgramError{Pool: onDevice, Device: new(1), DeviceName: "Vulkan1", Requested: bytesOf(2037832192)}),
			clues: []oomdoc.Clue{{Kind: oomdoc.ClueUnified, Name: "Vulkan1"}},
		},
		"an APU of AMD, ROCm": {
			log: "ggml_cuda_init: found 1 ROCm devices (Total VRAM: 126976 MiB):\n  Device 0: Radeon 8060S Graphics, gfx1151 (0x1151), VMM: no, Wave Size: 32, VRAM: 126976 MiB\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 120000.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"alloc_tensor_range: failed to allocate ROCm0 buffer of size 125829120000\n",
			want:  llama(oomdoc.ProgramError{Pool: onDevice, Device: new(0), DeviceName: "ROCm0", Requested: bytesOf(125829120000)}),
			clues: []oomdoc.Clue{{Kind: oomdoc.ClueUnified, Name: "ROCm0"}},
		},
		"several devices: the plan's free is the failing one's": {
			log: "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3060) (0000:01:00.0) - 11909 MiB free\n" +
				"llama_model_load_from_file_impl: using device CUDA1 (NVIDIA GeForce RTX 3090) (0000:02:00.0) - 23909 MiB free\n" +
				"load_tensors: loading model tensors, this can take a while... (mmap = true)\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 12884901888\n",
			want:  llama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(12884901888)}),
			clues: []oomdoc.Clue{{Kind: oomdoc.CluePlanFree, Name: "CUDA0", Bytes: bytesOf(11909 << 20)}},
		},
		"the planner's table": {
			log: "I common_memory_breakdown_print: |   - CUDA0 (RTX 5090)   | 32111 = 31605 + (33975 = 16386 +   16832 +     756) +      -32469 |\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 17649631232\nllama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: kvCache, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(17649631232)}),
			clues: []oomdoc.Clue{
				{Kind: oomdoc.ClueModelBuffer, Name: "CUDA0", Bytes: bytesOf(16386 << 20)}, {Kind: oomdoc.ClueKVBuffer, Name: "CUDA0", Bytes: bytesOf(16832 << 20)},
				{Kind: oomdoc.ClueComputeBuffer, Name: "CUDA0", Bytes: bytesOf(756 << 20)},
			},
		},
		"SYCL": {
			log: "ggml_backend_sycl_buffer_type_alloc_buffer: can't allocate 4831838208 Bytes of memory on device\n" +
				"alloc_tensor_range: failed to allocate SYCL0 buffer of size 4831838208\n" +
				"llama_model_load: error loading model: unable to allocate SYCL0 buffer\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "SYCL0", Requested: bytesOf(4831838208)}),
		},
		"CANN": {
			log:  "ggml_backend_cann_buffer_type_alloc_buffer: allocating 30208.00 MiB on device 2: aclrtMalloc failed: EL0004: [PID: 12] Failed to allocate memory.\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Device: new(2), Requested: bytesOf(30208 << 20), Grain: 5242}),
		},
		"RPC": {
			log:  "alloc_tensor_range: failed to allocate RPC[192.168.231.2:50052] buffer of size 8589934592\nllama_model_load: error loading model: unable to allocate RPC[192.168.231.2:50052] buffer\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, DeviceName: "RPC[192.168.231.2:50052]", Requested: bytesOf(8589934592)}),
		},
		"the report of CUDA in another order": {
			log: "srv  update_slots: all slots are idle\n" +
				"0.12.230.114 E ggml_cuda_error:   current device: 1, in function alloc at /src/ggml-cuda.cu:512\n" +
				"0.12.230.115 E   cuMemCreate(&handle, reserve_size, &prop, 0)\n" +
				"0.12.230.116 E CUDA error: out of memory\n" +
				"/src/ggml/src/ggml-cuda/ggml-cuda.cu:98: CUDA error\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: running, Device: new(1)}),
		},
		"HIP at work": {
			log:  "ROCm error: out of memory\n  current device: 0, in function alloc at /b/ggml-cuda.cu:451\n  hipMemCreate(&handle, reserve_size, &prop, 0)\n/b/ggml-cuda.cu:84: ROCm error\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: running, Device: new(0)}),
		},
		"2023: a number for the error": {
			log:  "CUDA error 2 at /b/ggml-cuda.cu:7834: out of memory\ncurrent device: 0\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice}),
		},
		"llama-cpp-python": {
			log: "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 7605.33 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 7974769664\n" +
				"llama_model_load: error loading model: unable to allocate CUDA0 buffer\nllama_model_load_from_file_impl: failed to load model\n" +
				"Traceback (most recent call last):\n  File \"/app/run.py\", line 4, in <module>\n    llm = Llama(model_path=\"/m/a.gguf\", n_gpu_layers=-1)\n" +
				"ValueError: Failed to load model from file: /m/a.gguf\n",
			want: llama(oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(7974769664), Model: "/m/a.gguf",
			}),
		},
		"logits lie in RAM": {
			log:  "llama_context: failed to allocate output buffer of size 1187.50 MiB\n",
			want: llama(oomdoc.ProgramError{Pool: onHost, Phase: compute, Requested: bytesOf(1245184000), Grain: 5242}),
		},
		"only the outcome was kept": {
			log:  "Dec 01 10:00:00 box llama-server[77]: llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache\n",
			want: llama(oomdoc.ProgramError{Pool: onDevice, Phase: kvCache}),
		},
		"a model that runs on the processor": {
			log:  "load_tensors: offloaded 0/33 layers to GPU\nllama_kv_cache: failed to allocate buffer for kv cache\n",
			want: llama(oomdoc.ProgramError{Pool: onHost, Phase: kvCache}),
		},
		"ancient, on the host": {
			log:  "ggml_aligned_malloc: insufficient memory (attempted to allocate 22680.50 MB)\n",
			want: llama(oomdoc.ProgramError{Pool: onHost, Requested: bytesOf(23782227968), Grain: 5242}),
		},
	})
}

// A second try is a second failure: where it was started again, or loads again.
func TestEachTryToLoadIsAFailureOfItsOwn(t *testing.T) {
	one := "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
		"alloc_tensor_range: failed to allocate CUDA0 buffer of size 9437184000\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\n" +
		"main: exiting due to model loading error\n"
	two := "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4500.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
		"alloc_tensor_range: failed to allocate CUDA0 buffer of size 4718592000\nllama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache\n"
	loads := "llama_model_loader: loaded meta data with 28 key-value pairs and 310 tensors from /m/a.gguf (version GGUF V3 (latest))\n"
	for name, log := range map[string]string{
		"another size after the end": one + two,
		"the same size, loaded anew": one + loads + one,
		"both":                       one + loads + two,
	} {
		if got := programErrors(t, log); len(got) != 2 {
			t.Errorf("%s: got %d errors, want 2: %+v", name, len(got), got)
		}
	}
	if got := programErrors(t, one+loads+two); got[1].Phase != kvCache || got[1].Model != "/m/a.gguf" || got[0].Phase != weights {
		t.Errorf("got %+v", got)
	}
}

func TestWhatGgmlSurvivesOrOnlySaysGivesNothing(t *testing.T) {
	for name, log := range map[string]string{
		"pinned memory":             "ggml_cuda_host_malloc: failed to allocate 512.00 MiB of pinned memory: out of memory\nggml_vulkan: Failed to allocate pinned memory (vk::Device::allocateMemory: ErrorOutOfDeviceMemory)\n",
		"mlock":                     "warning: failed to mlock 1073741824-byte buffer (after previously locking 0 bytes): Cannot allocate memory\nTry increasing RLIMIT_MEMLOCK ('ulimit -l' as root).\n",
		"the cache has no room":     "decode: failed to find a memory slot for batch of size 512\nllama_kv_cache_find_slot: failed to find free space in the KV cache\nsrv  send_error: the request exceeds the available context size\ninput is too large to process. increase the physical batch size\n",
		"an illegal access":         "CUDA error: an illegal memory access was encountered\n  current device: 0, in function ggml_backend_cuda_synchronize at /b/ggml-cuda.cu:2980\n  cudaStreamSynchronize(cuda_ctx->stream())\n/b/ggml-cuda.cu:110: CUDA error\n",
		"the plan did not fit":      "common_params_fit_impl: projected to use 32953 MiB of device memory vs. 8186 MiB of free device memory\ncommon_params_fit_impl: cannot meet free memory target of 1024 MiB, need to reduce device memory by 25790 MiB\ncommon_fit_params: successfully fit params to free device memory\n",
		"a healthy start":           "load_tensors: offloaded 49/49 layers to GPU\nload_tensors:        CUDA0 model buffer size = 11541.20 MiB\nllama_kv_cache:      CUDA0 KV buffer size =  1024.00 MiB\nllama_context:      CUDA0 compute buffer size =   832.01 MiB\nmain: server is listening on http://127.0.0.1:8080\n",
		"a file that is not there":  "llama_model_load: error loading model: llama_model_loader: failed to load model from /m/x.gguf\nsrv    load_model: failed to load model, '/m/x.gguf'\nmain: exiting due to model loading error\n",
		"a manual":                  "If you see `ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1000.00 MiB on device 0: cudaMalloc failed: out of memory`, lower -ngl.\n- The log shows `alloc_tensor_range: failed to allocate CUDA0 buffer of size 980097536`\n| OOM | cudaMalloc failed: out of memory | lower -ngl |\n",
		"source code":               "    \"0.18.542.875 E ggml_backend_cuda_buffer_type_alloc_buffer: allocating 97809.00 MiB on device 0: cudaMalloc failed: out of memory\",\n\t\t{\"cudaMalloc failed: out of memory\", \"oom\"},\nif \"cudaMalloc failed: out of memory\" in text:\n  'alloc_tensor_range: failed to allocate Vulkan0 buffer of size 1037832192',\n",
		"a question":                "user: my log says alloc_tensor_range: failed to allocate CUDA0 buffer of size 980097536, what now?\n",
		"a block of a driver":       "mydrv: failed to allocate DMA buffer of size 4096\nserver: failed to allocate ring buffer of size 65536\nallocated buffer of size 4096\n",
		"stamps and other devices":  "ggml_cuda_init: found 1 CUDA devices:\n  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes\nllama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 4090) - 23900 MiB free\n",
		"it serves, without a card": "ggml_vulkan: No devices found.\nmain: server is listening on http://127.0.0.1:8080\n",
	} {
		for _, e := range programErrors(t, log) {
			t.Errorf("%s: got %+v", name, e)
		}
	}
}
