package classify

import (
	"path"
	"strings"
)

// enginesByName are the engines (DESIGN, the contract) that a program's name
// tells for certain. A name is cut to 15 bytes by the kernel.
var enginesByName = map[string]string{
	"ollama":          "ollama",
	"ollama_llama_se": "ollama", // ollama_llama_server
	"llama-server":    "llama.cpp",
	"llama-cli":       "llama.cpp",
	"llama-bench":     "llama.cpp",
	"llama-run":       "llama.cpp",
	"llama-mtmd-cli":  "llama.cpp",
	"llama-embedding": "llama.cpp",
	"llama-perplexit": "llama.cpp", // llama-perplexity
	"koboldcpp":       "koboldcpp",
	"vllm":            "vllm",
	"whisper-server":  "whisper.cpp",
	"whisper-cli":     "whisper.cpp",
	"tritonserver":    "triton-server",
	"trtllm-serve":    "tensorrt-llm",
	"mlc_llm":         "mlc",
	"raylet":          "ray",
	"java":            "java",
	"node":            "node",
	"python":          "python",
}

// enginesByPrefix are the engines whose processes rename themselves:
// setproctitle titles of vLLM ("VLLM::EngineCore"), SGLang
// ("sglang::scheduler") and Ray ("ray::train").
var enginesByPrefix = []struct{ prefix, engine string }{
	{"VLLM::", "vllm"},
	{"sglang::", "sglang"},
	{"ray::", "ray"},
}

// enginesByArgument are the engines that one argument of an interpreter's
// command line tells: a module after -m (with its submodules), or the program
// that is run.
var enginesByArgument = map[string]string{
	"vllm":         "vllm",
	"sglang":       "sglang",
	"koboldcpp.py": "koboldcpp",
	"torchrun":     "pytorch",
	"deepspeed":    "deepspeed",
	"tritonserver": "triton-server",
	"trtllm-serve": "tensorrt-llm",
	"mlc_llm":      "mlc",
}

// engineOf names the engine of a process, "" when nothing tells it. What runs
// inside an interpreter is named before the interpreter.
func engineOf(comm string, cmdline []string) string {
	for _, e := range enginesByPrefix {
		if strings.HasPrefix(comm, e.prefix) {
			return e.engine
		}
	}
	engine := enginesByName[interpreter(comm)]
	if engine != "" && engine != "python" {
		return engine
	}
	if inner := engineOfScript(cmdline); inner != "" {
		return inner
	}
	return engine
}

// interpreter takes the version off python's name: python3, python3.12.
func interpreter(comm string) string {
	if rest, is := strings.CutPrefix(comm, "python"); is && strings.Trim(rest, "0123456789.") == "" {
		return "python"
	}
	return comm
}

// engineOfScript looks at what a Python command line runs: the module after
// -m, or the first argument that is not an option. A launcher's own name comes
// first when there is no interpreter before it.
func engineOfScript(cmdline []string) string {
	if len(cmdline) == 0 {
		return ""
	}
	if engine := enginesByArgument[path.Base(cmdline[0])]; engine != "" {
		return engine
	}
	if interpreter(path.Base(cmdline[0])) != "python" {
		return ""
	}
	for i, argument := range cmdline[1:] {
		if argument == "-m" && i+2 < len(cmdline) {
			module, _, _ := strings.Cut(cmdline[i+2], ".")
			return enginesByArgument[module]
		}
		if !strings.HasPrefix(argument, "-") {
			return enginesByArgument[path.Base(argument)]
		}
	}
	return ""
}
