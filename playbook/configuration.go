package playbook

import (
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A configuration is how a process was told to run: by its command line, else by
// its environment. It is the one place where a setting's value is looked up.
type configuration struct {
	commandLine
	environment []string // NAME=VALUE
}

// configurationOf is that of an incident's process. A worker that has no options
// of its own has those of the command that started it.
func configurationOf(p *oomdoc.Process, facts oomdoc.Facts) configuration {
	if p == nil {
		return configuration{}
	}
	c := configuration{commandLine: p.Cmdline, environment: p.Environment}
	if known, has := facts.Processes[p.PID]; has && p.PID != 0 {
		if len(c.commandLine) == 0 {
			c.commandLine = known.Cmdline
		}
		if len(c.environment) == 0 {
			c.environment = known.Env
		}
	}
	if p.StartedBy != nil && len(c.commandLine) < 2 {
		c.commandLine = p.StartedBy.Cmdline
	}
	for _, name := range wordVariables() {
		if words, has := c.set(name); has {
			c.commandLine = append(slices.Clone(c.commandLine), strings.Fields(words)...)
		}
	}
	return c
}

// wordVariables are those whose value is more words of a command line.
func wordVariables() []string {
	return []string{
		"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", // java(1)
		"NODE_OPTIONS",     // nodejs: doc/api/cli.md
		"COMMANDLINE_ARGS", // stable-diffusion-webui: webui-user.sh
	}
}

// A variable is the environment variable that does what an option does.
type variable struct {
	name    string
	options []string
	kind    variableKind
}

// variableKind is what the value of a variable means.
type variableKind int

const (
	hasValue   variableKind = iota // the option's own value
	isSwitch                       // whether the option is given
	isOpposite                     // LLAMA_ARG_MMAP=0 is --no-mmap
)

// variables are of llama-server, which Ollama hands them on to (llama.cpp:
// common/arg.cpp, set_env), and of programs whose options stand in the tables of
// settings.
func variables() []variable {
	return []variable{
		{"LLAMA_ARG_CTX_SIZE", []string{"-c", "--ctx-size"}, hasValue},
		{"LLAMA_ARG_N_GPU_LAYERS", []string{"-ngl", "--gpu-layers", "--n-gpu-layers"}, hasValue},
		{"LLAMA_ARG_BATCH", []string{"-b", "--batch-size"}, hasValue},
		{"LLAMA_ARG_UBATCH", []string{"-ub", "--ubatch-size"}, hasValue},
		{"LLAMA_ARG_N_PARALLEL", []string{"-np", "--parallel"}, hasValue},
		{"LLAMA_ARG_CACHE_TYPE_K", []string{"-ctk", "--cache-type-k"}, hasValue},
		{"LLAMA_ARG_CACHE_TYPE_V", []string{"-ctv", "--cache-type-v"}, hasValue},
		{"LLAMA_ARG_CACHE_RAM", []string{"-cram", "--cache-ram"}, hasValue},
		{"LLAMA_ARG_LOAD_MODE", []string{"-lm", "--load-mode"}, hasValue},
		{"LLAMA_ARG_NO_MMAP", []string{"--no-mmap"}, isSwitch},
		{"LLAMA_ARG_MMAP", []string{"--no-mmap"}, isOpposite},
		{"LLAMA_ARG_MLOCK", []string{"--mlock"}, isSwitch},
		{"LLAMA_ARG_FIT", []string{"-fit", "--fit"}, hasValue},
		{"LLAMA_ARG_FIT_TARGET", []string{"-fitt", "--fit-target"}, hasValue},
		{"LLAMA_ARG_CPU_MOE", []string{"--cpu-moe", "-cmoe"}, isSwitch},
		{"LLAMA_ARG_N_CPU_MOE", []string{"--n-cpu-moe", "-ncmoe"}, hasValue},
		{"LLAMA_ARG_NO_KV_OFFLOAD", []string{"-nkvo", "--no-kv-offload"}, isSwitch},
		{"LLAMA_ARG_KV_OFFLOAD", []string{"-nkvo", "--no-kv-offload"}, isOpposite},
		{"LLAMA_ARG_MODEL", []string{"-m", "--model"}, hasValue},
		{"LLAMA_ARG_HF_REPO", []string{"-hf", "--hf-repo"}, hasValue},
		{"CUDA_MEMORY_FRACTION", []string{"--cuda-memory-fraction"}, hasValue},
	}
}

// set is the value of a variable of the environment.
func (c configuration) set(name string) (string, bool) {
	for _, assignment := range c.environment {
		if value, is := strings.CutPrefix(assignment, name+"="); is && value != "" {
			return value, true
		}
	}
	return "", false
}

// isKnown tells that something is known of how it was started.
func (c configuration) isKnown() bool { return len(c.commandLine) > 0 }

// find gives the last of some options with its value, as it was typed, or the
// variable that stands for one: the command line goes first, as it does in
// llama.cpp.
func (c configuration) find(names ...string) (typed, value string, found bool) {
	if typed, value, found = c.commandLine.find(names...); found {
		return typed, value, found
	}
	for _, v := range variables() {
		if !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(v.options, n) }) {
			continue
		}
		value, has := c.set(v.name)
		if !has || v.kind == isSwitch && isOff(value) || v.kind == isOpposite && !isOff(value) {
			continue
		}
		return v.name + "=" + value, value, true
	}
	return "", "", false
}

// isOff tells the words for no (llama.cpp: common/arg.cpp, is_falsey).
func isOff(value string) bool {
	return slices.Contains([]string{"off", "disabled", "0", "false"}, value)
}

func (c configuration) has(names ...string) bool {
	_, _, found := c.find(names...)
	return found
}

func (c configuration) value(names ...string) (string, bool) {
	_, value, found := c.find(names...)
	return value, found && value != ""
}

// number is the value of an option that is a whole number, also with a "k" as
// vLLM takes it (--max-model-len 32k).
func (c configuration) number(names ...string) (int64, bool) {
	value, found := c.value(names...)
	if !found {
		return 0, false
	}
	return wholeNumber(value)
}

func wholeNumber(value string) (int64, bool) {
	unit := int64(1)
	switch {
	case strings.HasSuffix(value, "k"):
		unit, value = 1000, value[:len(value)-1]
	case strings.HasSuffix(value, "K"):
		unit, value = 1024, value[:len(value)-1]
	}
	n, err := strconv.ParseInt(value, 10, 32)
	return n * unit, err == nil && n > 0
}

// fraction is the value of an option that is a share of one.
func (c configuration) fraction(names ...string) (float64, bool) {
	value, found := c.value(names...)
	if !found {
		return 0, false
	}
	f, err := strconv.ParseFloat(value, 64)
	return f, err == nil && f > 0 && f <= 1
}

// setTo finds what a setting of the tables is set to now: as an option, or as the
// variable that the setting itself sets.
func (c configuration) setTo(s setting) (typed, value string, found bool) {
	if s.place != inEnvironment {
		return c.find(s.names...)
	}
	name, _, _ := strings.Cut(s.text, "=")
	value, found = c.set(name)
	return name + "=" + value, value, found
}

// assigned tells a variable that is set, in the environment or within the
// arguments.
func (c configuration) assigned(name string) bool {
	_, has := c.set(name)
	return has || c.commandLine.assigned(name)
}
