package lang

import "github.com/oomdoc/oomdoc"

// englishSettingSteps say where a setting is made.
func englishSettingSteps() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"step.flag":               "Start it with {new}",
		"step.flag-change":        "{old} → {new}",
		"step.flag-frees":         "{old} → {new}: frees {frees}",
		"step.flag-frees-missing": "{old} → {new}: frees {frees}, {missing} was missing",
		"step.flag-drop":          "Leave out {old}",
		"step.flag-unit":          "Its command line is ExecStart= of the unit:",
		"step.flag-pod":           "In Kubernetes that is args of the container.",
		"step.flag-container":     "That is the container's command (command: in a compose file).",
		"step.python":             "In the Python code: {code}",
		"step.config":             "In its configuration or request: {code}",
		"step.prompt":             "At its prompt: {code}",
		"step.setting-since":      "{what} is from {engine} {version} on.",
		"step.setting-until":      "{what} is for {engine} before {version}.",

		"step.env-unit":      "In the section [Service] of its unit: {line}",
		"step.env-pod":       "In Kubernetes, in env of the container: name {name}, value {value}.",
		"step.env-container": "Start the container with {option} (environment: in a compose file).",
		"step.env-shell":     "In the shell, before it starts:",
		"step.env-ollama":    "In the section [Service] of the unit that Ollama's installer makes: {line}",

		"step.together":     "Alone it is not enough. Together with \"{other}\" it frees up to {sum} of the {missing} that was missing.",
		"step.none-does":    "Alone it is not enough: {missing} was missing.",
		"step.dead-setting": "{setting} is of no use any more: {engine} {version} does not go by it. In its place there is {instead}.",
	}
}

// englishEngineSteps are steps of single engines that are no setting to type.
func englishEngineSteps() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"step.smaller-batch":        "Halve the batch size, or the size or length of the inputs, until it runs.",
		"step.array-pieces":         "Process the array in parts, and delete what is no longer used before the next.",
		"step.torch-batch":          "Halve the batch size (or the length, the resolution, the number of images) until it runs; start at 1 if you do not know it.",
		"step.torch-references":     "Keep numbers and not tensors: loss.item() in place of loss, .detach().cpu() for results, no output_hidden_states.",
		"step.torch-lists":          "Keep the data set in NumPy arrays or tensors: lists of Python objects are copied in every worker, little by little.",
		"step.pinned-wsl":           "Under WSL only a part of RAM may be pinned; elsewhere see ulimit -l.",
		"step.chat-history":         "Cut the chat history: what is sent along again counts as context.",
		"step.diffusers-cuda":       "Leave out .to(\"cuda\") before it: that puts everything on the GPU first.",
		"step.llama-fit":            "Leave -ngl out, and llama.cpp chooses how many layers fit (--fit, from 2025-12 on); before, halve its number.",
		"step.ollama-num-gpu":       "Leave num_gpu out of the request and of the Modelfile: it switches the fitting off.",
		"step.lms-guardrails":       "LM Studio only feared that it would not fit: modelLoadingGuardrails in its settings says how careful it is.",
		"step.gguf-q4":              "Take the file of the model that ends in Q4_K_M.gguf.",
		"step.exllama-split":        "Give gpu_split less for the first GPU, and leave room there for the cache; or use load_autosplit with a lazy cache.",
		"step.exllama-bpw":          "Take the model with fewer bits per weight (4.0bpw or less).",
		"step.transformers-upgrade": "Or upgrade transformers: newer versions do not load ahead of what they quantise.",
		"step.packed-checkpoint":    "Take a checkpoint that is quantised already (FP8, NVFP4 or AWQ).",
		"step.comfy-tiled":          "In the workflow put VAE Decode (Tiled) in place of VAE Decode.",
		"step.comfy-smaller":        "In the workflow make the image smaller, or fewer images or frames at a time.",
		"step.forge-offload":        "In Forge move the slider of GPU weights down, or start it with --always-offload-from-vram.",
		"step.smaller-image":        "Make the image smaller, and one at a time; enlarge it afterwards.",
		"step.forge-quantized":      "In Forge take an NF4 or GGUF model, or start it with --unet-in-fp8-e4m3fn.",
		"step.python-pieces":        "Read and process the data piece by piece (a generator, chunks of a file) in place of one list.",
		"step.native-pieces":        "Work on the data in parts; the size that was asked for is in the log line.",
	}
}
