package playbook

import "github.com/oomdoc/oomdoc"

// A deadSetting is one that a program no longer reads.
type deadSetting struct {
	name    string // of a variable, or an option with its dashes
	engine  string
	since   string // the version that no longer reads it, or the first that was seen not to
	instead string
	source  string
}

// deadSettings are settings that common advice still names (knowledge playbook.md
// sections 1 and 2).
func deadSettings() []deadSetting {
	return []deadSetting{
		{"OLLAMA_MAX_VRAM", oomdoc.EngineOllama, "0.1.45", "LLAMA_ARG_FIT_TARGET", "ollama#10623"},
		{"OLLAMA_GPU_OVERHEAD", oomdoc.EngineOllama, "0.30", "LLAMA_ARG_FIT_TARGET", "ollama v0.33.0-rc2, code read"},
		{"--low-cpu-mem-usage", oomdoc.EngineTransformers, "4.51", "--dtype", "transformers#36963, #38792"},
		{"--offload-state-dict", oomdoc.EngineTransformers, "4.57", "--dtype", "knowledge playbook.md section 1, transformers"},
		{"low_cpu_mem_usage", oomdoc.EngineTransformers, "4.51", "dtype", "transformers#36963, #38792"},
		{"offload_state_dict", oomdoc.EngineTransformers, "4.57", "dtype", "knowledge playbook.md section 1, transformers"},
		{"--swap-space", oomdoc.EngineVLLM, "0.33", "--kv-offloading-size", "vllm cache.py, code read"},
		{"--lowvram", oomdoc.EngineComfyUI, "0.30", "--vram-headroom", "ComfyUI#13598, #15255"},
	}
}

const keyDead oomdoc.Key = "step.dead-setting"

// deadSettings names those that the process has.
func (r *refused) deadSettings() (steps []oomdoc.Sentence) {
	for _, d := range deadSettings() {
		if !r.isKin(d.engine) || !r.args.has(d.name) && !r.args.assigned(d.name) && !r.e.Has(oomdoc.ClueSetting, d.name) {
			continue
		}
		steps = append(steps, oomdoc.Say(keyDead, oomdoc.Args{
			"setting": oomdoc.Text(d.name), "engine": oomdoc.Text(d.engine), "version": oomdoc.Text(d.since), "instead": oomdoc.Text(d.instead),
		}))
	}
	return steps
}

// isKin tells an engine whose settings the program has: Transformers is a library
// of programs that tell only of PyTorch.
func (r *refused) isKin(engine string) bool {
	if engine == oomdoc.EngineTransformers {
		return isTorch(r)
	}
	return r.engine() == engine
}
