package proc

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A modelOption is how a program is told its model.
type modelOption struct {
	engines []string // nil: any
	option  string   // or a word before it, which is no option
	source  string
}

func modelOptions() []modelOption {
	ggml := []string{oomdoc.EngineLlamaCpp, oomdoc.EngineOllama, oomdoc.EngineLMStudio, oomdoc.EngineWhisperCpp, oomdoc.EngineTextgen}
	const llama = "llama.cpp: common/arg.cpp"
	return []modelOption{
		{ggml, "-m", llama}, // of Python it is a module
		{ggml, "-hf", llama}, {ggml, "-hfr", llama}, {ggml, "--hf-repo", llama},
		{[]string{oomdoc.EngineVLLM, oomdoc.EngineSGLang, oomdoc.EngineTensorRTLLM, oomdoc.EngineMLC}, "serve", "vllm: entrypoints/cli/serve.py"},
		{[]string{oomdoc.EngineTensorRTLLM}, "trtllm-serve", "tensorrt-llm: commands/serve.py"},
		{[]string{oomdoc.EngineOllama}, "run", "ollama: cmd/cmd.go"},
		{nil, "--model", llama},
		{nil, "--model-path", "sglang: server_args.py"},
		{nil, "--model-id", "text-generation-inference: launcher"},
		{nil, "--model-name-or-path", "transformers: examples"},
		{nil, "--pretrained-model-name-or-path", "diffusers: examples"},
		{nil, "--base-model", "axolotl, alpaca-lora"},
		{nil, "--ckpt", "stable-diffusion-webui: cmd_args.py"},
		{nil, "--hf-repo", llama},
	}
}

// ModelOf gives the model that a command line names, as it was typed, "" when it
// names none.
func ModelOf(engine string, cmdline []string) string {
	for _, known := range modelOptions() {
		if known.engines != nil && !slices.Contains(known.engines, engine) {
			continue
		}
		for i, argument := range cmdline {
			if i == 0 && known.option != "trtllm-serve" {
				continue
			}
			name, value, inline := strings.Cut(argument, "=")
			if !sameOption(known.option, name) {
				continue
			}
			if !inline && i+1 < len(cmdline) {
				value = cmdline[i+1]
			}
			if value != "" && value[0] != '-' && value != cutMark && value != masked {
				return value
			}
		}
	}
	return ""
}

// sameOption: in long names _ and - are the same, as Python's parsers take them.
func sameOption(known, typed string) bool {
	if strings.HasPrefix(typed, "--") {
		typed = strings.ReplaceAll(typed, "_", "-")
	}
	return known == typed
}

// ModelName is what people call a model that was named on a command line or in a
// log: a path is taken apart, and one of those that the process has is called by
// its name.
func ModelName(typed string, models []oomdoc.ModelFile) string {
	if typed == "" {
		return ""
	}
	for _, m := range models {
		if m.Path == typed || strings.HasSuffix(m.Path, "/"+strings.TrimPrefix(typed, "./")) {
			return m.Name
		}
	}
	if _, is := modelLeast(modelForms(), typed); !is {
		if strings.HasPrefix(typed, "/") && hubOf(typed+"/") != "" {
			return hubOf(typed + "/")
		}
		return shortModel(typed) // a repository, a tag, a folder
	}
	return shortModel(modelName(typed))
}
