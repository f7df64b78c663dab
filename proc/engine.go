package proc

import (
	"path"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A markPlace is where something stands that tells an engine.
type markPlace int

// The places, in the order in which they are asked: what is more particular comes
// first.
const (
	inTitle    markPlace = iota // how its name, or the title that it gave itself, begins
	inProgram                   // within the path of the program, or of the script that an interpreter runs
	asProgram                   // the program's name
	asModule                    // the module after python -m, with those below it
	asScript                    // the name of the script that an interpreter runs
	inFolder                    // within the path of the script or the working directory of an interpreter
	asLibrary                   // how the name of a library begins that an interpreter has loaded
	asFallback                  // the interpreter itself
)

// An engineMark is one thing that tells an engine.
type engineMark struct {
	place  markPlace
	text   string
	engine string
}

// engineMarks are what tells the engine of a process. Names of programs are as the
// kernel cuts them, to 15 bytes.
func engineMarks() []engineMark {
	return []engineMark{
		// setproctitle titles (vllm: utils/system_utils.py; sglang: utils.py; ray).
		{inTitle, "VLLM::", oomdoc.EngineVLLM},
		{inTitle, "sglang::", oomdoc.EngineSGLang},
		{inTitle, "ray::", oomdoc.EngineRay},

		// Where engines lie that others ship: LM Studio's and Ollama's llama.cpp.
		{inProgram, "/.lmstudio/", oomdoc.EngineLMStudio},
		{inProgram, "/.cache/lm-studio/", oomdoc.EngineLMStudio},
		{inProgram, "/LM Studio", oomdoc.EngineLMStudio},
		{inProgram, "/LM-Studio", oomdoc.EngineLMStudio},
		{inProgram, "/lib/ollama/", oomdoc.EngineOllama},
		{inProgram, "/llama_cpp_binaries/", oomdoc.EngineTextgen},

		{asProgram, "ollama", oomdoc.EngineOllama},
		{asProgram, "ollama_llama_se", oomdoc.EngineOllama}, // ollama_llama_server
		{asProgram, "lm-studio", oomdoc.EngineLMStudio},
		{asProgram, "lmstudio", oomdoc.EngineLMStudio},
		{asProgram, "llmster", oomdoc.EngineLMStudio},
		{asProgram, "llama-server", oomdoc.EngineLlamaCpp},
		{asProgram, "llama-cli", oomdoc.EngineLlamaCpp},
		{asProgram, "llama-bench", oomdoc.EngineLlamaCpp},
		{asProgram, "llama-run", oomdoc.EngineLlamaCpp},
		{asProgram, "llama-mtmd-cli", oomdoc.EngineLlamaCpp},
		{asProgram, "llama-embedding", oomdoc.EngineLlamaCpp},
		{asProgram, "llama-perplexit", oomdoc.EngineLlamaCpp}, // llama-perplexity
		{asProgram, "llama-quantize", oomdoc.EngineLlamaCpp},
		{asProgram, "llama-imatrix", oomdoc.EngineLlamaCpp},
		{asProgram, "koboldcpp", oomdoc.EngineKoboldCpp},
		{asProgram, "koboldcpp-linux", oomdoc.EngineKoboldCpp}, // koboldcpp-linux-x64…
		{asProgram, "vllm", oomdoc.EngineVLLM},
		{asProgram, "sglang", oomdoc.EngineSGLang},
		{asProgram, "text-generation", oomdoc.EngineTGI}, // text-generation-launcher, -router, -server
		{asProgram, "whisper-server", oomdoc.EngineWhisperCpp},
		{asProgram, "whisper-cli", oomdoc.EngineWhisperCpp},
		{asProgram, "tritonserver", oomdoc.EngineTritonServer},
		{asProgram, "trtllm-serve", oomdoc.EngineTensorRTLLM},
		{asProgram, "trtllm-build", oomdoc.EngineTensorRTLLM},
		{asProgram, "trtexec", oomdoc.EngineTensorRT},
		{asProgram, "mlc_llm", oomdoc.EngineMLC},
		{asProgram, "raylet", oomdoc.EngineRay},
		{asProgram, "deepspeed", oomdoc.EngineDeepSpeed},
		{asProgram, "torchrun", oomdoc.EnginePyTorch},
		{asProgram, "accelerate", oomdoc.EnginePyTorch},
		// Threads and workers that PyTorch names (torch/utils/data; inductor).
		{asProgram, "pt_main_thread", oomdoc.EnginePyTorch},
		{asProgram, "pt_data_worker", oomdoc.EnginePyTorch},
		{asProgram, "java", oomdoc.EngineJava},
		{asProgram, "node", oomdoc.EngineNode},

		{asModule, "vllm", oomdoc.EngineVLLM},
		{asModule, "sglang", oomdoc.EngineSGLang},
		{asModule, "text_generation_server", oomdoc.EngineTGI},
		{asModule, "tensorrt_llm", oomdoc.EngineTensorRTLLM},
		{asModule, "mlc_llm", oomdoc.EngineMLC},
		{asModule, "deepspeed", oomdoc.EngineDeepSpeed},
		{asModule, "torch", oomdoc.EnginePyTorch},
		{asModule, "accelerate", oomdoc.EnginePyTorch},
		{asModule, "llama_cpp", oomdoc.EngineLlamaCpp},

		{asScript, "vllm", oomdoc.EngineVLLM},
		{asScript, "sglang", oomdoc.EngineSGLang},
		{asScript, "koboldcpp.py", oomdoc.EngineKoboldCpp},
		{asScript, "text-generation-server", oomdoc.EngineTGI},
		{asScript, "torchrun", oomdoc.EnginePyTorch},
		{asScript, "accelerate", oomdoc.EnginePyTorch},
		{asScript, "deepspeed", oomdoc.EngineDeepSpeed},
		{asScript, "tritonserver", oomdoc.EngineTritonServer},
		{asScript, "trtllm-serve", oomdoc.EngineTensorRTLLM},
		{asScript, "mlc_llm", oomdoc.EngineMLC},
		{asScript, "ray", oomdoc.EngineRay},

		// Programs whose scripts are called main.py, server.py, launch.py.
		{inFolder, "comfyui", oomdoc.EngineComfyUI},
		{inFolder, "stable-diffusion-webui", oomdoc.EngineA1111},
		{inFolder, "text-generation-webui", oomdoc.EngineTextgen},
		{inFolder, "koboldcpp", oomdoc.EngineKoboldCpp},

		// What an interpreter has loaded. PyTorch stands behind what is built on it
		// and before what it brings along.
		{asLibrary, "libllama.so", oomdoc.EngineLlamaCpp},
		{asLibrary, "libctranslate2", oomdoc.EngineCTranslate2},
		{asLibrary, "libtorch_", oomdoc.EnginePyTorch}, // libtorch_cpu.so, libtorch_cuda.so
		{asLibrary, "libtensorflow_", oomdoc.EngineTensorFlow},
		{asLibrary, "_pywrap_tensorflow", oomdoc.EngineTensorFlow},
		{asLibrary, "xla_extension", oomdoc.EngineJAX},
		{asLibrary, "libjax_common", oomdoc.EngineJAX},
		{asLibrary, "libcudf", oomdoc.EngineRAPIDS},
		{asLibrary, "onnxruntime_pybind", oomdoc.EngineONNXRuntime},

		{asFallback, "python", oomdoc.EnginePython},
	}
}

// A wrap is an engine that runs another as its child.
type wrap struct {
	outer string
	inner []string
}

// wraps are what a child is called whose parent is an engine of its own: the
// outermost that is known.
func wraps() []wrap {
	some := []string{oomdoc.EnginePython, oomdoc.EnginePyTorch}
	return []wrap{
		{oomdoc.EngineOllama, []string{oomdoc.EngineLlamaCpp}},
		{oomdoc.EngineLMStudio, []string{oomdoc.EngineLlamaCpp, oomdoc.EngineNode}},
		{oomdoc.EngineTextgen, append(some, oomdoc.EngineLlamaCpp)},
		{oomdoc.EngineKoboldCpp, append(some, oomdoc.EngineLlamaCpp)},
		{oomdoc.EngineVLLM, some},
		{oomdoc.EngineSGLang, some},
		{oomdoc.EngineTGI, some},
		{oomdoc.EngineDeepSpeed, some},
		{oomdoc.EngineComfyUI, some},
		{oomdoc.EngineA1111, some},
		{oomdoc.EnginePyTorch, []string{oomdoc.EnginePython}},
		{oomdoc.EngineTensorRTLLM, some},
	}
}

// The tables as they are used: a kill asks for them while memory is short.
var (
	marksOfEngines = engineMarks()
	wrapsOfEngines = wraps()
)

// EngineOf names the engine of a process, "" when nothing tells it. Of the facts it
// uses name, command line, program and working directory; library is what the
// process has loaded, and parent the engine of the one that started it, both "" when
// not known.
func EngineOf(p *oomdoc.ProcessFacts, library, parent string) string {
	own := ownEngine(p, library)
	for _, w := range wrapsOfEngines {
		if w.outer == parent && slices.Contains(w.inner, own) {
			return w.outer
		}
	}
	return own
}

// A look is what the marks are held against.
type look struct {
	titles   []string
	paths    []string // of the program and the script
	programs []string
	module   string
	script   string
	folders  []string // lower case
	library  string
}

func ownEngine(p *oomdoc.ProcessFacts, library string) string {
	at := lookOf(p, library)
	for _, mark := range marksOfEngines {
		if at.has(mark) {
			return mark.engine
		}
	}
	return ""
}

func lookOf(p *oomdoc.ProcessFacts, library string) look {
	first := ""
	if len(p.Cmdline) > 0 {
		first = p.Cmdline[0]
	}
	at := look{
		titles:   []string{p.Comm, first},
		paths:    []string{p.Exe, first},
		programs: []string{p.Comm, programName(p.Exe), programName(first)},
	}
	if !slices.ContainsFunc(at.programs, isPython) {
		return at
	}
	module, script := runs(p.Cmdline)
	at.module, _, _ = strings.Cut(module, ".")
	at.script, at.library = path.Base(script), library
	at.paths = append(at.paths, script)
	at.folders = []string{strings.ToLower(path.Dir(script)), strings.ToLower(p.Dir)}
	return at
}

func (l *look) has(mark engineMark) bool {
	switch mark.place {
	case inTitle:
		return slices.ContainsFunc(l.titles, func(t string) bool { return strings.HasPrefix(t, mark.text) })
	case inProgram:
		return slices.ContainsFunc(l.paths, func(p string) bool { return strings.Contains(p, mark.text) })
	case asProgram:
		return slices.Contains(l.programs, mark.text)
	case asModule:
		return l.module == mark.text
	case asScript:
		return l.script == mark.text
	case inFolder:
		return slices.ContainsFunc(l.folders, func(f string) bool { return hasFolder(f, mark.text) })
	case asLibrary:
		return strings.HasPrefix(l.library, mark.text)
	case asFallback:
		return slices.ContainsFunc(l.programs, isPython)
	}
	return false
}

// hasFolder tells a path with a folder whose name begins so: "comfyui-master".
func hasFolder(folder, name string) bool {
	for part := range strings.SplitSeq(folder, "/") {
		if strings.HasPrefix(part, name) {
			return true
		}
	}
	return false
}

// programName is the name of a program as the kernel would cut it.
func programName(file string) string {
	base := path.Base(strings.TrimSuffix(file, deletedMark))
	if file == "" || base == "/" || base == "." {
		return ""
	}
	return firstBytes(base)
}

// isPython tells the names of the interpreter: python, python3, python3.12.
func isPython(name string) bool {
	rest, is := strings.CutPrefix(name, "python")
	return is && strings.Trim(rest, "0123456789.") == ""
}

// runs tells what a Python command line runs: the module after -m, or the first
// argument that is no option. The interpreter may have another program before it,
// which runs it.
func runs(cmdline []string) (module, script string) {
	for i := 0; i < len(cmdline); i++ {
		argument := cmdline[i]
		if i == 0 && isPython(programName(argument)) {
			continue
		}
		switch {
		case argument == "-m":
			if i+1 < len(cmdline) {
				return cmdline[i+1], ""
			}
			return "", ""
		case argument == "-c":
			return "", ""
		case argument == "-W" || argument == "-X":
			i++ // has a value
		case argument != "" && argument[0] != '-':
			return "", argument
		}
	}
	return "", ""
}

// libraryNames are how the names of libraries begin that tell an engine.
func libraryNames() []string {
	var names []string
	for _, mark := range engineMarks() {
		if mark.place == asLibrary {
			names = append(names, mark.text)
		}
	}
	return names
}
