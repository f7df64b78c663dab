package playbook_test

import (
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/playbook"
)

// A prescription is a log with what must stand first.
type prescription struct {
	name    string
	log     string
	cmdline []string
	cause   oomdoc.Cause
	number  int    // of the first fix; -1 is none
	says    string // a part of its steps
	saves   int64  // 0 is not asked
	enough  *bool
}

const (
	yes = true
	no  = false
)

const llamaFree = "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 4090) - 23500 MiB free\n"

func llamaWeights(file, layers, mib, bytes string) string {
	return "llama_model_loader: loaded meta data with 28 key-value pairs and 310 tensors from /models/" + file + " (version GGUF V3 (latest))\n" +
		llamaFree + "load_tensors: offloading " + layers + " repeating layers to GPU\n" +
		"ggml_backend_cuda_buffer_type_alloc_buffer: allocating " + mib + " MiB on device 0: cudaMalloc failed: out of memory\n" +
		"alloc_tensor_range: failed to allocate CUDA0 buffer of size " + bytes + "\n" +
		"llama_model_load: error loading model: unable to allocate CUDA0 buffer\n"
}

func llamaKV(free, ctx, mib, bytes string) string {
	return free + "load_tensors: offloaded 33/33 layers to GPU\nload_tensors:        CUDA0 model buffer size =  4403.49 MiB\n" +
		"llama_context: n_ctx         = " + ctx + "\n" +
		"ggml_backend_cuda_buffer_type_alloc_buffer: allocating " + mib + " MiB on device 0: cudaMalloc failed: out of memory\n" +
		"alloc_tensor_range: failed to allocate CUDA0 buffer of size " + bytes + "\n" +
		"llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache\n"
}

func prescriptions() []prescription {
	fits, short := new(yes), new(no)
	return []prescription{
		// Weights: the bits, a setting of the user's and the engine decide.
		{"weights of 16 bits", llamaWeights("m-12b-f16.gguf", "40", "24414.00", "25600000000"), nil, oomdoc.CauseWeights, 1, "Q4_K_M", 17775000000, fits},
		{"weights of 4 bits", llamaWeights("m-70b-q4_k_m.gguf", "80", "39979.48", "41921500000"), nil, oomdoc.CauseWeights, 3, "-ngl 4", 0, fits},
		{"a mixture of experts", llamaWeights("qwen3-30b-a3b-q8_0.gguf", "48", "30979.48", "32484339220"), nil, oomdoc.CauseWeights, 3, "--n-cpu-moe", 0, nil},
		{"fitting switched off by -ngl", "common_params_fit_impl: projected to use 9814 MiB of device memory vs. 8720 MiB of free device memory\n" +
			"common_fit_params: failed to fit params to free device memory: n_gpu_layers already set by user to 77, abort\n" +
			"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9102.00 MiB on device 0: cudaMalloc failed: out of memory\n" +
			"alloc_tensor_range: failed to allocate CUDA0 buffer of size 9544138752\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\n",
			nil, oomdoc.CauseWeights, 0, "-ngl 77", 0, nil},
		{"layers and their number as it was typed", llamaWeights("m-70b-q4_k_m.gguf", "80", "39979.48", "41921500000"),
			[]string{"llama-server", "-m", "m-70b-q4_k_m.gguf", "-ngl", "81"}, oomdoc.CauseWeights, 3, "-ngl 81 → -ngl 43: frees 18.1 GiB, 16.1 GiB was missing", 0, fits},
		{"fp32 asked for", "Traceback (most recent call last):\n" + frame("/srv/a.py", "main", "model = AutoModel.from_pretrained(name)") +
			torch("1.00 GiB", "23.60 GiB", "512.00 MiB", "23.09 GiB", "22.50 GiB", "90.00 MiB"), []string{"python", "serve.py", "--dtype", "float32"}, oomdoc.CauseWeights, 2, "bfloat16", 0, nil},
		{"transformers, loading", "Traceback (most recent call last):\n" + frame("/v/site-packages/transformers/modeling_utils.py", "from_pretrained", "return cls._load(x)") +
			torch("1.00 GiB", "23.60 GiB", "512.00 MiB", "23.09 GiB", "22.50 GiB", "90.00 MiB"), nil, oomdoc.CauseWeights, 1, "BitsAndBytesConfig(load_in_4bit=True", 0, nil},
		{"diffusers, loading", "Traceback (most recent call last):\n" + frame("/v/site-packages/diffusers/pipelines/p.py", "from_pretrained", "return x") +
			torch("1.00 GiB", "23.60 GiB", "512.00 MiB", "23.09 GiB", "22.50 GiB", "90.00 MiB"), nil, oomdoc.CauseWeights, 3, "enable_model_cpu_offload()", 0, nil},

		// SGLang's share: opposite directions by phase.
		{"sglang, share too small", "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=0.6\n",
			nil, "", 0, "--mem-fraction-static 0.75", 0, nil},
		{"sglang, share at its end", "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=0.92\n",
			nil, "", 1, "quantised", 0, nil},

		// The KV cache.
		{"llama.cpp, context of training", llamaKV(llamaFree, "163840", "43200.00", "45298483200"), nil, oomdoc.CauseKVCache, 4, "-c 64512", 27462205440, fits},
		{"llama.cpp, typed context", llamaKV(llamaFree, "131072", "43200.00", "45298483200"), []string{"llama-server", "-c", "131072"},
			oomdoc.CauseKVCache, 4, "-c 131072 → -c 51200: frees 25.7 GiB, 23.5 GiB was missing", 0, fits},
		{"ollama", `{"error":{"message":"llama-server process has terminated: exit status 1: cudaMalloc failed: out of memory\nalloc_tensor_range: failed to allocate CUDA0 buffer of size 1979048192\nllama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache","type":"api_error","param":null,"code":null}}` + "\n",
			nil, oomdoc.CauseKVCache, 4, "OLLAMA_CONTEXT_LENGTH=", 0, nil},
		{"vllm, the engine's own length", "(EngineCore pid=88) ValueError: To serve at least one request with the model's max seq len (40960), 6.25 GiB KV cache is needed, which is larger than the available KV cache memory (2.50 GiB). Based on the available memory, the estimated maximum model length is 16384. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.\n",
			nil, oomdoc.CauseKVCache, 4, "--max-model-len 16384", 4026531840, fits},

		// Others on the card.
		{"a listed holder", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.60 GiB of which 1.00 GiB is free. Process 4100 has 18.50 GiB memory in use. Including non-PyTorch memory, this process has 4.10 GiB memory in use. Of the allocated memory 3.50 GiB is allocated by PyTorch, and 20.00 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n",
			nil, oomdoc.CauseOtherProcess, 0, "sudo kill 4100", 19864223744, fits},
		{"vllm at the start, zombie", "ValueError: Free memory on device cuda:0 (0.22/30.30 GiB) on startup is less than desired GPU memory utilization (0.92, 27.88 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n",
			nil, oomdoc.CauseOtherProcess, 0, "VLLM::", 0, fits},

		// Scratch space.
		{"backward pass", "Traceback (most recent call last):\n" + frame("/srv/t.py", "main", "loss.backward()") + torch("512.00 MiB", "23.60 GiB", "100.00 MiB", "23.49 GiB", "23.00 GiB", "100.00 MiB"),
			nil, oomdoc.CauseActivations, 5, "gradient_accumulation_steps", 0, nil},
		{"optimizer step", "Traceback (most recent call last):\n" + frame("/srv/t.py", "main", "optimizer.step()") + torch("512.00 MiB", "23.60 GiB", "100.00 MiB", "23.49 GiB", "23.00 GiB", "100.00 MiB"),
			nil, oomdoc.CauseActivations, 1, "adamw_bnb_8bit", 0, nil},
		{"a batch that was typed", "Traceback (most recent call last):\n" + frame("/srv/t.py", "main", "loss.backward()") + torch("512.00 MiB", "23.60 GiB", "100.00 MiB", "23.49 GiB", "23.00 GiB", "100.00 MiB"),
			[]string{"python", "t.py", "--per_device_train_batch_size", "8"}, oomdoc.CauseActivations, 5, "--per_device_train_batch_size 8 → --per_device_train_batch_size 4", 0, nil},
		{"a batch of one", "Traceback (most recent call last):\n" + frame("/srv/t.py", "main", "loss.backward()") + torch("512.00 MiB", "23.60 GiB", "100.00 MiB", "23.49 GiB", "23.00 GiB", "100.00 MiB"),
			[]string{"python", "t.py", "--batch-size=1"}, oomdoc.CauseActivations, 5, "gradient_checkpointing=True", 0, nil},
		{"tgi, warm-up", "RuntimeError: Not enough memory to handle 8192 prefill tokens. You need to decrease `--max-batch-prefill-tokens`\n",
			nil, oomdoc.CauseActivations, 5, "--max-batch-prefill-tokens 4096", 0, nil},

		// One tensor, fragmentation, a cap.
		{"one tensor of 189 GiB", torch("189.00 GiB", "47.40 GiB", "40.00 GiB", "7.30 GiB", "6.80 GiB", "70.00 MiB"), nil, oomdoc.CauseSingleAllocation, 5, "attention", 0, nil},
		{"a size that is an error", torch("130212.62 GiB", "23.56 GiB", "16.92 GiB", "6.62 GiB", "5.45 GiB", "836.77 MiB"), nil, oomdoc.CauseSingleAllocation, 5, "x.shape", 0, nil},
		{"pieces", torch("4.00 GiB", "23.60 GiB", "1.00 GiB", "22.50 GiB", "15.00 GiB", "7.00 GiB"), nil, oomdoc.CauseCUDAAllocator, 6, "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", 7516192768, fits},
		{"the hint alone is no fragmentation", torch("2.00 GiB", "23.60 GiB", "0.50 GiB", "23.09 GiB", "22.50 GiB", "90.00 MiB"), nil, oomdoc.CauseExhausted, 5, "batch", 0, nil},
		{"more free than asked for", torch("960.00 MiB", "23.64 GiB", "15.50 GiB", "8.12 GiB", "7.60 GiB", "76.00 MiB"), nil, oomdoc.CauseExhausted, 0, "nvidia-smi", 0, nil},
		{"a cap of the user's", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 40.00 GiB of which 30.00 GiB is free. 8.00 GiB allowed; Of the allocated memory 6.00 GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated. If reserved\n",
			nil, oomdoc.CauseReservation, 0, "set_per_process_memory_fraction(0.28)", 0, fits},

		// Host RAM.
		{"ollama's estimate", "Error: model requires more system memory (45.2 GiB) than is available (28.1 GiB)\n", nil, oomdoc.CauseAllocationRefused, 8, "fallocate -l 20G", 0, nil},
		{"ollama's estimate with a long context", "Error: model requires more system memory (45.2 GiB) than is available (28.1 GiB)\n",
			[]string{"ollama", "runner", "-c", "131072"}, oomdoc.CauseAllocationRefused, 8, "", 0, short},
		{"an estimate that is wrong", "Error: model requires more system memory (10.2 GiB) than is available (28.1 GiB)\n", nil, oomdoc.CauseAllocationRefused, -1, "", 0, nil},
		{"pinned memory of llama.cpp, not mapped", "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 95771621440\nalloc_tensor_range: failed to allocate CUDA_Host buffer of size 95771621440\nllama_model_load: error loading model: unable to allocate CUDA_Host buffer\n",
			[]string{"llama-server", "--no-mmap", "-ncmoe", "60"}, oomdoc.CauseAllocationRefused, 8, "Leave out --no-mmap", 0, nil},
	}
}

// TestTheRightFixStandsFirst holds the decision table: reports of the public
// (knowledge playbook.md section 7) in our own words, and pairs of one cause with
// different fixes.
func TestTheRightFixStandsFirst(t *testing.T) {
	for _, c := range prescriptions() {
		t.Run(c.name, func(t *testing.T) {
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
		})
	}
}

func value(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// TestTheAllocatorIsNotAdvisedWithoutPieces: PyTorch prints its hint always.
func TestTheAllocatorIsNotAdvisedWithoutPieces(t *testing.T) {
	for _, c := range prescriptions() {
		inc := prescribed(t, c.log, c.cmdline...)
		for _, fix := range inc.Fixes {
			if fix.Number == 6 && inc.Class != oomdoc.ClassFragmentation {
				t.Errorf("%s: the allocator is advised", c.name)
			}
		}
	}
}

func TestWhatIsQuantisedIsNotQuantisedAgain(t *testing.T) {
	inc := prescribed(t, llamaWeights("m-70b-q4_k_m.gguf", "80", "39979.48", "41921500000"))
	for _, fix := range inc.Fixes {
		if fix.Number == 1 {
			t.Errorf("%q for a model of 4 bits", fix.Title.Text)
		}
	}
	inc = prescribed(t, llamaKV(llamaFree, "163840", "43200.00", "45298483200"), "llama-server", "-ctk", "q8_0", "-ctv", "q8_0")
	for _, fix := range inc.Fixes {
		if fix.Title.Key == "fix.smaller-kv" {
			t.Error("a KV cache of 8 bits is made smaller")
		}
	}
}

// refusedIn is a PyTorch error in a process of some kind.
func refusedIn(process oomdoc.Process) (*oomdoc.Incident, *oomdoc.ProgramError) {
	inc := &oomdoc.Incident{Class: oomdoc.ClassFragmentation, Cause: oomdoc.CauseCUDAAllocator, Process: &process}
	return inc, &oomdoc.ProgramError{Engine: process.Engine, Pool: oomdoc.PoolDevice, Requested: new(4 * gib), Free: new(gib), Unallocated: new(7 * gib), Allocated: new(15 * gib)}
}

func TestAVariableIsSetWhereTheProcessHasItFrom(t *testing.T) {
	const assignment = "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
	for want, process := range map[string]oomdoc.Process{
		"sudo systemctl restart train.service":   {Engine: oomdoc.EnginePyTorch, Unit: "train.service"},
		"systemctl --user restart train.service": {Engine: oomdoc.EnginePyTorch, UserUnit: "train.service"},
		"-e " + assignment:                       {Engine: oomdoc.EnginePyTorch, Container: strings.Repeat("a", 64), Unit: "docker.service"},
		"value expandable_segments:True":         {Engine: oomdoc.EnginePyTorch, Pod: "0f5a3c1e", Container: strings.Repeat("a", 64)},
		"export " + assignment:                   {Engine: oomdoc.EnginePyTorch},
	} {
		inc, e := refusedIn(process)
		playbook.AttachProgram(inc, e, oomdoc.Facts{})
		if got := steps(inEnglish(t, *inc)); !strings.Contains(got, want) || !strings.Contains(got, "expandable_segments:True") {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestASettingThatDoesNothingIsNamed(t *testing.T) {
	log := "Error: model requires more system memory (45.2 GiB) than is available (28.1 GiB)\n"
	if got := steps(prescribed(t, log, "env", "OLLAMA_MAX_VRAM=8000000000", "ollama", "serve")); !strings.Contains(got, "OLLAMA_MAX_VRAM is of no use any more") {
		t.Errorf("it is not named in\n%s", got)
	}
	if got := steps(prescribed(t, log, "ollama", "serve")); strings.Contains(got, "of no use any more") {
		t.Errorf("something is named in\n%s", got)
	}
}

// TestHostileNamesAndNumbersStayHarmless: every figure and name comes from a log.
func TestHostileNamesAndNumbersStayHarmless(t *testing.T) {
	huge, below := new(int64(math.MaxInt64)), new(int64(math.MinInt64))
	name := "$(touch /tmp/pwned)'; rm -rf / #\n\x00"
	for _, engine := range []string{oomdoc.EngineLlamaCpp, oomdoc.EngineOllama, oomdoc.EngineLMStudio, oomdoc.EngineVLLM, oomdoc.EngineSGLang, oomdoc.EnginePyTorch, oomdoc.EngineJava, oomdoc.EngineNode, ""} {
		for _, class := range []oomdoc.Class{oomdoc.ClassVRAM, oomdoc.ClassHostRAM, oomdoc.ClassFragmentation} {
			for _, cause := range []oomdoc.Cause{
				oomdoc.CauseWeights, oomdoc.CauseKVCache, oomdoc.CauseActivations, oomdoc.CauseOtherProcess, oomdoc.CauseLeak, oomdoc.CauseSingleAllocation,
				oomdoc.CauseReservation, oomdoc.CauseExhausted, oomdoc.CauseCUDAAllocator, oomdoc.CauseAllocationRefused, oomdoc.CauseShmTooSmall, oomdoc.CauseHostExhausted,
			} {
				for _, n := range []*int64{huge, below, new(int64(0)), nil} {
					inc := &oomdoc.Incident{Class: class, Cause: cause, Process: &oomdoc.Process{
						Engine: engine, Model: name, Unit: name + ".service", Container: name, Cmdline: []string{name, "-c", "99999999999999999999", "-Xmx999999999999t", "--n-gpu-layers", name},
					}}
					e := &oomdoc.ProgramError{
						Engine: engine, Pool: oomdoc.PoolDevice, Requested: n, Total: n, Free: n, Allocated: n, Unallocated: n, Allowed: n, Own: n, Limit: n, InUse: n,
						Tokens: n, TokensFree: n, TokensFit: n, Holders: []oomdoc.PoolHolder{{PID: 1, Bytes: math.MaxInt64}, {PID: 7, Bytes: math.MaxInt64}},
						Clues: []oomdoc.Clue{{Kind: oomdoc.ClueLayers, N: n}, {Kind: oomdoc.ClueModelBuffer, Name: "CUDA0", Bytes: n}, {Kind: oomdoc.ClueKVBuffer, Bytes: n}, {Kind: oomdoc.ClueContext, N: n}, {Kind: oomdoc.CluePlanFree, Bytes: n}},
					}
					playbook.AttachProgram(inc, e, oomdoc.Facts{RAMBytes: value(n)})
					harmless(t, inEnglish(t, *inc))
				}
			}
		}
	}
}

func harmless(t *testing.T, inc oomdoc.Incident) {
	t.Helper()
	for _, fix := range inc.Fixes {
		if fix.SavesBytes != nil && *fix.SavesBytes < 0 {
			t.Errorf("%s saves %d", fix.Title.Key, *fix.SavesBytes)
		}
		_, commands := texts(fix)
		for _, command := range commands {
			if strings.Contains(strings.ReplaceAll(command, `'\''`, ""), "$(touch") && !strings.Contains(command, "'$(touch") {
				t.Errorf("a name stands open in %q", command)
			}
		}
	}
}

func TestEveryCommandIsOneThatAShellReads(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range prescriptions() {
		for _, fix := range prescribed(t, c.log, c.cmdline...).Fixes {
			_, commands := texts(fix)
			for _, command := range commands {
				if seen[command] {
					continue
				}
				seen[command] = true
				if out, err := exec.Command("bash", "-n", "-c", command).CombinedOutput(); err != nil {
					t.Errorf("%q: %v %s", command, err, out)
				}
			}
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d commands", len(seen))
	}
}
