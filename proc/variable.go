package proc

import (
	"bytes"
	"strings"
)

// A Variable is an environment variable that says something of the memory that a
// process takes. Nothing else of an environment is ever kept: it is where secrets
// stand.
type Variable struct {
	Name   string // the whole name, or its beginning where it ends in "_"
	Why    string
	Source string
}

// Variables are all that are kept.
func Variables() []Variable {
	const (
		torch = "pytorch: docs/source/notes/cuda.md"
		ggml  = "llama.cpp: ggml/src/ggml-cuda/ggml-cuda.cu"
		jax   = "jax: docs/gpu_memory_allocation.rst"
		hub   = "huggingface_hub: docs, environment_variables"
		faq   = "ollama: docs/faq, envconfig/config.go"
	)
	return []Variable{
		{"PYTORCH_ALLOC_CONF", "the allocator's settings", torch},
		{"PYTORCH_CUDA_ALLOC_CONF", "the same by its older name", torch},
		{"PYTORCH_HIP_ALLOC_CONF", "the same on AMD", torch},
		{"PYTORCH_NO_CUDA_MEMORY_CACHING", "turns the allocator's cache off", torch},
		{"CUDA_VISIBLE_DEVICES", "which GPUs it sees, and their order", "NVIDIA: CUDA C++ Programming Guide, Environment Variables"},
		{"NVIDIA_VISIBLE_DEVICES", "which GPUs its container has", "nvidia-container-toolkit: docs"},
		{"HIP_VISIBLE_DEVICES", "which GPUs it sees, on AMD", "ROCm: docs, gpu-isolation"},
		{"ROCR_VISIBLE_DEVICES", "the same, one layer below", "ROCm: docs, gpu-isolation"},
		{"CUDA_MODULE_LOADING", "LAZY keeps unused kernels out of memory", "NVIDIA: CUDA C++ Programming Guide, Lazy Loading"},
		{"CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "a cap on its memory under MPS", "NVIDIA: Multi-Process Service"},

		{"OLLAMA_CONTEXT_LENGTH", "length of the context", faq},
		{"OLLAMA_NUM_PARALLEL", "contexts side by side", faq},
		{"OLLAMA_MAX_LOADED_MODELS", "models side by side", faq},
		{"OLLAMA_KEEP_ALIVE", "how long an idle model stays", faq},
		{"OLLAMA_KV_CACHE_TYPE", "type of the KV cache", faq},
		{"OLLAMA_FLASH_ATTENTION", "without it the KV cache keeps its type", faq},
		{"OLLAMA_GPU_OVERHEAD", "what it leaves free", faq},
		{"OLLAMA_SCHED_SPREAD", "over how many GPUs a model is laid", faq},
		{"OLLAMA_MAX_VRAM", "a cap that is no longer read", "ollama#10623"},
		{"OLLAMA_NEW_ENGINE", "which runner it uses", faq},
		{"OLLAMA_LLM_LIBRARY", "which backend it uses", faq},
		{"OLLAMA_MODELS", "where its models are", faq},
		{"LLAMA_ARG_", "llama-server's options by name", "llama.cpp: tools/server/README.md"},
		{"LLAMA_CACHE", "where its models are", "llama.cpp: common/common.cpp"},
		{"GGML_", "unified and pinned memory, graphs, devices", ggml},

		{"XLA_PYTHON_CLIENT_", "how much is taken at the start, and by which allocator", jax},
		{"XLA_CLIENT_MEM_FRACTION", "the same by its newer name", jax},
		{"XLA_FLAGS", "limits of the compiler", jax},
		{"TF_FORCE_GPU_ALLOW_GROWTH", "take memory as needed", "tensorflow: guide/gpu"},
		{"TF_GPU_ALLOCATOR", "which allocator", "tensorflow: guide/gpu"},

		{"VLLM_CPU_KVCACHE_SPACE", "KV cache in RAM", "vllm: envs.py"},
		{"VLLM_CPU_OMP_THREADS_BIND", "threads, each with memory of its own", "vllm: envs.py"},
		{"VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS", "whether graphs count in the plan", "vllm: envs.py"},
		{"VLLM_ALLOW_LONG_MAX_MODEL_LEN", "a context beyond the model's", "vllm: envs.py"},
		{"VLLM_USE_V1", "which engine", "vllm: envs.py"},
		{"VLLM_WORKER_MULTIPROC_METHOD", "how workers are started", "vllm: envs.py"},
		{"SGLANG_", "its settings", "sglang: docs/references/environment_variables.md"},
		{"CUDA_MEMORY_FRACTION", "text-generation-inference's share", "text-generation-inference: docs, launcher"},
		{"COMMANDLINE_ARGS", "the web UI's options", "stable-diffusion-webui: webui-user.sh"},

		{"HF_HOME", "where models are cached", hub},
		{"HF_HUB_CACHE", "the same, the hub's part", hub},
		{"HUGGINGFACE_HUB_CACHE", "the same by its older name", hub},
		{"TRANSFORMERS_CACHE", "the same by a name before that", hub},

		{"OMP_NUM_THREADS", "threads, each with memory of its own", "OpenMP 5.2, section 21.1.2"},
		{"MALLOC_", "glibc's arenas and thresholds", "mallopt(3)"},
		{"JAVA_TOOL_OPTIONS", "the heap's limit, by the environment", "java(1)"},
		{"JDK_JAVA_OPTIONS", "the same", "java(1)"},
		{"NODE_OPTIONS", "the heap's limit, by the environment", "nodejs: doc/api/cli.md"},
		{"GOMEMLIMIT", "Go's soft limit", "go: runtime"},
		{"GOGC", "how much garbage Go keeps", "go: runtime"},
		{"RAY_memory_", "when Ray's monitor kills", "ray: docs, ray-oom-prevention"},
	}
}

// Bounds of what is kept of an environment, in bytes.
const (
	maxVariable    = 256
	maxEnvironment = 1 << 10
)

// Environment picks from an environment, variables ended by zero bytes
// (proc_pid_environ(5)), what Variables names. Secrets are masked all the same: an
// option's value can be one.
func Environment(text []byte) []string {
	list := Variables()
	var kept []string
	room := maxEnvironment
	for line := range bytes.SplitSeq(text, []byte{0}) {
		name, _, has := bytes.Cut(line, []byte{'='})
		if !has || len(line) > room || !isKept(list, name) {
			continue
		}
		room -= len(line)
		value := MaskSecrets([]string{string(line)})[0]
		kept = append(kept, strings.ToValidUTF8(cutText(value, min(len(value), maxVariable)), "\uFFFD"))
	}
	return kept
}

func isKept(list []Variable, name []byte) bool {
	if isSecretName(string(name[:min(len(name), maxNameLength)])) {
		return false
	}
	for i := range list {
		known := list[i].Name
		if string(name) == known || known[len(known)-1] == '_' && bytes.HasPrefix(name, []byte(known)) {
			return true
		}
	}
	return false
}
