package applog_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

func TestOllamaOfEveryGenerationSaysWhatItWasRefused(t *testing.T) {
	ollama := func(e oomdoc.ProgramError) []oomdoc.ProgramError {
		e.Engine = oomdoc.EngineOllama
		if e.Outcome == "" {
			e.Outcome = failed
		}
		return []oomdoc.ProgramError{e}
	}
	const gib = 1 << 30
	killed := ollama(oomdoc.ProgramError{Pool: onHost, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled})
	holdRefusals(t, map[string]refusal{
		"0.30: the API's answer": {
			log: logOf(t, "ollama-02-llama-server-kv"),
			want: ollama(oomdoc.ProgramError{
				Pool: onDevice, Phase: kvCache, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(1879048192),
			}),
		},
		"0.12: a healthy load": {log: logOf(t, "ollama-05-healthy-offload")},
		"0.30: plan, server's lines, error, answer": {
			log: `time=2026-09-11T20:14:01.201+02:00 level=INFO source=llama_server.go:412 msg="loading model via llama-server" model=/var/lib/ollama/models/blobs/sha256-aa11 gpus=1` + "\n" +
				`time=2026-09-11T20:14:01.201+02:00 level=INFO source=llama_server.go:440 msg="system memory" total="62.6 GiB" free="40.1 GiB" free_swap="0 B"` + "\n" +
				`time=2026-09-11T20:14:01.202+02:00 level=INFO source=llama_server.go:447 msg="gpu memory" id=GPU-5f0c library=CUDA available="10.9 GiB" free="11.4 GiB" minimum="457.0 MiB" overhead="0 B"` + "\n" +
				"0.01.114.009 I load_tensors: offloaded 33/33 layers to GPU\n0.01.114.020 I load_tensors:        CUDA0 model buffer size =  8128.50 MiB\n" +
				"0.01.230.114 E ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4096.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"0.01.230.120 E alloc_tensor_range: failed to allocate CUDA0 buffer of size 4294967296\n" +
				"0.01.231.002 E llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache\n" +
				`time=2026-09-11T20:14:03.100+02:00 level=ERROR source=sched.go:612 msg="error loading llama server" error="llama-server reported out-of-memory during startup: cudaMalloc failed: out of memory\nalloc_tensor_range: failed to allocate CUDA0 buffer of size 4294967296"` + "\n" +
				"[GIN] 2026/09/11 - 20:14:03 | 500 |  2.1s |       127.0.0.1 | POST     \"/api/chat\"\n",
			want: ollama(oomdoc.ProgramError{
				Pool: onDevice, Phase: kvCache, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(4294967296),
				Model: "/var/lib/ollama/models/blobs/sha256-aa11",
			}),
			clues: []oomdoc.Clue{
				{Kind: oomdoc.CluePlanFree, Name: "GPU-5f0c", Bytes: bytesOf(11703785881)}, {Kind: oomdoc.ClueLayers, N: bytesOf(33), Of: bytesOf(33)},
				{Kind: oomdoc.ClueModelBuffer, Name: "CUDA0", Bytes: bytesOf(8523350016)},
			},
		},
		"0.30: a smaller context was enough": {
			log: `time=2026-09-11T20:14:01.201+02:00 level=INFO source=llama_server.go:412 msg="loading model via llama-server" model=/m` + "\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4096.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache\n" +
				`time=2026-09-11T20:14:02.201+02:00 level=WARN source=sched.go:590 msg="llama-server load failed; reducing automatic context and retrying once" from=131072 to=65536` + "\n" +
				`time=2026-09-11T20:14:02.301+02:00 level=INFO source=llama_server.go:412 msg="loading model via llama-server" model=/m` + "\n" +
				`time=2026-09-11T20:14:09.301+02:00 level=INFO source=llama_server.go:900 msg="llama-server started in 7.00 seconds"` + "\n",
		},
		"0.30: the retry after an eviction fails too": {
			log: "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				`time=2026-09-11T20:14:02.201+02:00 level=WARN source=sched.go:590 msg="evicting all other loaded models for OOM retry" model=/m` + "\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"alloc_tensor_range: failed to allocate CUDA0 buffer of size 9437184000\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\n",
			want: ollama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(9437184000)}),
		},
		"0.30: RAM, as a client of it prints it": {
			log: "ollama._types.ResponseError: llama-server reported out-of-memory during startup: ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 2147483648\n" +
				"alloc_tensor_range: failed to allocate CPU buffer of size 2147483648\n" +
				"llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache (status code: 500)\n",
			want: ollama(oomdoc.ProgramError{Pool: onHost, Phase: kvCache, DeviceName: "CPU", Requested: bytesOf(2147483648)}),
		},
		"0.30: Vulkan, escaped": {
			log:  `{"error":"llama-server reported out-of-memory during startup: alloc_tensor_range: failed to allocate Vulkan0 buffer of size 820943872\nerror loading model: unable to allocate Vulkan0 buffer"}` + "\n",
			want: ollama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "Vulkan0", Requested: bytesOf(820943872)}),
		},
		"0.30: at work": {
			log: "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1825.82 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"ggml_gallocr_reserve_n_impl: failed to allocate CUDA0 buffer of size 1914513024\n" +
				`time=2026-09-11T20:14:02.201+02:00 level=ERROR source=llama_server.go:350 msg="llama-server terminated" error="signal: aborted (core dumped)"` + "\n" +
				`time=2026-09-11T20:14:02.301+02:00 level=WARN source=sched.go:1702 msg="runtime OOM detected; expiring loaded models to clear memory before next request" model=/m error="an error"` + "\n",
			want: ollama(oomdoc.ProgramError{Pool: onDevice, Phase: compute, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(1914513024)}),
		},
		"0.30: killed": {
			log:  `time=2026-08-04T14:45:02.1Z level=WARN source=llama_server.go:1301 msg="llama-server process no longer running" sys=9 string="signal: killed"` + "\n",
			want: killed,
		},
		"0.6: killed": {
			log: `time=2025-03-04T14:45:02.100Z level=ERROR source=sched.go:456 msg="error loading llama server" error="llama runner process has terminated: signal: killed"` + "\n" +
				"[GIN] 2025/03/04 - 14:45:02 | 500 |  9.4s |       127.0.0.1 | POST     \"/api/generate\"\n",
			want: killed,
		},
		"ended by itself: the client had left": {
			log: `time=2025-03-04T14:45:01.100Z level=WARN source=server.go:560 msg="client connection closed before server finished loading, aborting load"` + "\n" +
				`time=2025-03-04T14:45:02.100Z level=WARN source=server.go:430 msg="llama runner process no longer running" sys=9 string="signal: killed"` + "\n",
		},
		"0.5: the plan, and somebody took the memory": {
			log: `time=2025-01-20T10:00:00.100Z level=INFO source=memory.go:356 msg="offload to cuda" layers.requested=-1 layers.model=65 layers.offload=41 layers.split="" memory.available="[15.5 GiB]" memory.gpu_overhead="0 B" memory.required.full="23.1 GiB" memory.required.partial="15.1 GiB" memory.required.kv="2.0 GiB" memory.required.allocations="[15.1 GiB]" memory.weights.total="18.5 GiB" memory.graph.full="916.1 MiB" memory.graph.partial="916.1 MiB"` + "\n" +
				`time=2025-01-20T10:00:00.200Z level=INFO source=server.go:376 msg="starting llama server" cmd="/usr/lib/ollama/runners/cuda_v12_avx/ollama_llama_server runner --model /usr/share/ollama/.ollama/models/blobs/sha256-6150 --ctx-size 8192 --batch-size 512 --n-gpu-layers 41 --port 40000"` + "\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 11000.50 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"llama_model_load: error loading model: unable to allocate CUDA0 buffer\nllama_load_model_from_file: failed to load model\n" +
				`time=2025-01-20T10:00:03.200Z level=ERROR source=sched.go:455 msg="error loading llama server" error="llama runner process has terminated: cudaMalloc failed: out of memory\nllama_load_model_from_file: failed to load model"` + "\n",
			want: ollama(oomdoc.ProgramError{
				Pool: onDevice, Phase: weights, Device: new(0), Requested: bytesOf(11534860288), Grain: 5242,
				Model: "/usr/share/ollama/.ollama/models/blobs/sha256-6150",
			}),
			clues: []oomdoc.Clue{
				{Kind: oomdoc.ClueLayers, N: bytesOf(41), Of: bytesOf(65)}, {Kind: oomdoc.CluePlanFree, Bytes: bytesOf(15*gib + gib/2)},
				{Kind: oomdoc.CluePlanNeed, Bytes: bytesOf(16213501542)}, {Kind: oomdoc.ClueKVBuffer, Bytes: bytesOf(2 * gib)},
				{Kind: oomdoc.ClueContext, N: bytesOf(8192)},
			},
		},
		"0.1: the text behind the status": {
			log: `time=2024-06-18T13:23:19.008+02:00 level=ERROR source=sched.go:388 msg="error loading llama server" error="llama runner process has terminated: signal: aborted (core dumped) cudaMalloc failed: out of memory"` + "\n" +
				`time=2024-06-18T13:23:24.231+02:00 level=WARN source=sched.go:575 msg="gpu VRAM usage didn't recover within timeout" seconds=5.22 model=/m` + "\n",
			want: ollama(oomdoc.ProgramError{Pool: onDevice}),
		},
		"0.12: the new engine's plan": {
			log: `time=2025-11-02T09:11:40.120Z level=INFO source=device.go:240 msg="model weights" device=CUDA0 size="14.3 GiB"` + "\n" +
				`time=2025-11-02T09:11:40.120Z level=INFO source=device.go:251 msg="kv cache" device=CUDA0 size="512.0 MiB"` + "\n" +
				`time=2025-11-02T09:11:40.120Z level=INFO source=device.go:272 msg="total memory" size="15.1 GiB"` + "\n" +
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 300.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
				"ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 314572800\n" +
				`Error: 500 Internal Server Error: llama runner process has terminated: cudaMalloc failed: out of memory` + "\n",
			want: ollama(oomdoc.ProgramError{Pool: onDevice, Phase: compute, Device: new(0), DeviceName: "CUDA0", Requested: bytesOf(314572800)}),
			clues: []oomdoc.Clue{
				{Kind: oomdoc.ClueModelBuffer, Name: "CUDA0", Bytes: bytesOf(15354508083)}, {Kind: oomdoc.ClueKVBuffer, Name: "CUDA0", Bytes: bytesOf(gib / 2)},
				{Kind: oomdoc.CluePlanNeed, Bytes: bytesOf(16213501542)},
			},
		},
		"not enough RAM, computed; log and client": {
			log: `time=2025-04-10T08:00:00.100Z level=WARN source=server.go:133 msg="model request too large for system" requested="41.8 GiB" available="30.9 GiB" total="31.2 GiB" free="30.0 GiB" swap="953.7 MiB"` + "\n" +
				`time=2025-04-10T08:00:00.200Z level=INFO source=sched.go:429 msg="NewLlamaServer failed" model=/m error="model requires more system memory (41.8 GiB) than is available (30.9 GiB)"` + "\n" +
				"Error: model requires more system memory (41.8 GiB) than is available (30.9 GiB)\n",
			want: ollama(oomdoc.ProgramError{
				Pool: onHost, Refusal: oomdoc.RefusalPlan, Requested: bytesOf(44882408243), Free: bytesOf(33178622361), Grain: gib / 20,
			}),
		},
		"not enough RAM, the OpenAI route": {
			log: `{"error":{"message":"model requires more system memory (5.6 GiB) than is available (3.2 GiB)","type":"api_error","param":null,"code":null}}` + "\n",
			want: ollama(oomdoc.ProgramError{
				Pool: onHost, Refusal: oomdoc.RefusalPlan, Requested: bytesOf(6012954214), Free: bytesOf(3435973836), Grain: gib / 20,
			}),
		},
		"CUDA at work, in the runner's error": {
			log: "CUDA error: out of memory\n  current device: 0, in function alloc at //ml/backend/ggml/ggml/src/ggml-cuda/ggml-cuda.cu:424\n  cuMemCreate(&handle, reserve_size, &prop, 0)\n" +
				"//ml/backend/ggml/ggml/src/ggml-cuda/ggml-cuda.cu:75: CUDA error\n" +
				`time=2025-06-10T08:00:00.100Z level=ERROR source=server.go:807 msg="post predict" error="Post \"http://127.0.0.1:39001/completion\": EOF"` + "\n" +
				`time=2025-06-10T08:00:00.300Z level=ERROR source=server.go:475 msg="llama runner terminated" error="exit status 2"` + "\n",
			want: ollama(oomdoc.ProgramError{
				Pool: onDevice, Phase: running, Device: new(0), Operation: "cuMemCreate(&handle, reserve_size, &prop, 0)",
			}),
		},
		"0.5: the buffer's name alone": {
			log:  `time=2025-01-29T10:00:00.200Z level=ERROR source=sched.go:455 msg="error loading llama server" error="llama runner process has terminated: error loading model: unable to allocate CPU buffer"` + "\n",
			want: ollama(oomdoc.ProgramError{Pool: onHost, Phase: weights, DeviceName: "CPU"}),
		},
		"0.30: a long way round, told by the client": {
			log:  "Error: 500 Internal Server Error: llama-server startup failed after projector CPU offload retry: llama-server reported out-of-memory during startup: ggml_backend_cuda_buffer_type_alloc_buffer: allocating 2390.44 MiB on device 0: cudaMalloc failed: out of memory\n",
			want: ollama(oomdoc.ProgramError{Pool: onDevice, Device: new(0), Requested: bytesOf(2506558013), Grain: 5242}),
		},
		"0.30: an answer that names the buffer alone": {
			log:  `{"error":{"code":500,"message":"llama-server process has terminated: exit status 1: error loading model: unable to allocate CUDA0 buffer","type":"server_error"}}` + "\n",
			want: ollama(oomdoc.ProgramError{Pool: onDevice, Phase: weights, Device: new(0), DeviceName: "CUDA0"}),
		},
		"its runner of MLX": {
			log: `time=2026-09-10T08:00:00.100Z level=ERROR source=runner.go:518 msg="Recovered a panic while evaluating a request; stopping the runner" error="mlx: cudaMallocAsync(&data, size, stream) failed: out of memory"` + "\n" +
				`time=2026-09-10T08:00:00.200Z level=WARN source=sched.go:1702 msg="runtime OOM detected; expiring loaded models to clear memory before next request"` + "\n",
			want: ollama(oomdoc.ProgramError{Pool: onDevice}),
		},
	})
}

func TestWhatOllamaSaysInPassingGivesNothing(t *testing.T) {
	for name, log := range map[string]string{
		"the planner's loop": `time=2025-11-02T09:11:40.120Z level=INFO source=server.go:780 msg="insufficient memory - required allocations: {CPU:{} GPUs:[]}"` + "\n",
		"eviction":           `time=2025-11-02T09:11:40.121Z level=INFO source=server.go:1031 msg="model requires more gpu memory than is currently available, evicting a model to make space" "loaded layers"=12` + "\n" + `time=2025-11-02T09:11:45.121Z level=WARN source=sched.go:575 msg="gpu VRAM usage didn't recover within timeout" seconds=5.2` + "\n",
		"a crash":            `time=2025-11-02T09:11:40.121Z level=ERROR source=sched.go:1 msg="error loading llama server" error="llama runner process has terminated: exit status 2"` + "\n" + `llama-server process no longer running: exit status 0xc0000005` + "\n",
		"a manual":           "| Ollama 400 `llama-server process no longer running: signal: killed` | OOM | set num_ctx |\nThis happens if Ollama says model requires more system memory (5.6 GiB) than is available (3.2 GiB).\n",
		"source code":        "\t\treturn fmt.Errorf(\"model requires more system memory (%s) than is available (%s)\", a, b)\n\tmsg := \"llama runner process has terminated: cudaMalloc failed: out of memory\"\n\t{\"llama-server reported out-of-memory during startup: \", true},\n",
		"time-out":           `time=2025-11-02T09:11:40.121Z level=ERROR source=sched.go:1 msg="error loading llama server" error="timed out waiting for llama runner to start - progress 0.45 - "` + "\n" + `time=2025-11-02T09:11:41.121Z level=WARN source=server.go:1 msg="llama runner process no longer running" sys=9 string="signal: killed"` + "\n",
	} {
		for _, e := range programErrors(t, log) {
			t.Errorf("%s: got %+v", name, e)
		}
	}
}

// A line is read at its own time, also where the next comes half an hour later.
func TestOllamaFailsTwiceInAnHour(t *testing.T) {
	once := func(at string) string {
		return "Sep 01 " + at + ":00 box ollama[1234]: time=2026-09-01T" + at + `:00.1+02:00 level=INFO source=llama_server.go:412 msg="loading model via llama-server" model=/m` + "\n" +
			"Sep 01 " + at + ":01 box ollama[1234]: ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
			"Sep 01 " + at + ":01 box ollama[1234]: alloc_tensor_range: failed to allocate CUDA0 buffer of size 9437184000\n" +
			"Sep 01 " + at + ":01 box ollama[1234]: llama_model_load: error loading model: unable to allocate CUDA0 buffer\n" +
			"Sep 01 " + at + ":02 box ollama[1234]: time=2026-09-01T" + at + `:02.1+02:00 level=ERROR source=sched.go:612 msg="error loading llama server" error="llama-server process has terminated: exit status 1: cudaMalloc failed: out of memory"` + "\n"
	}
	got := programErrors(t, once("10:00")+once("10:30"))
	if len(got) != 2 || got[0].Phase != weights || got[1].Phase != weights || got[1].Model != "/m" {
		t.Errorf("got %+v", got)
	}
}
