package playbook

import "github.com/oomdoc/oomdoc"

const llamaReadme = "llama.cpp:tools/server/README, 00dc8057"

// llamaSettings are of llama-server and llama-cli. From 2025-12 on they size what
// is not set themselves; -ngl, -ot and --cpu-moe switch that off (llama.cpp#16653,
// #19437, #27872). Only f16, bf16, q8_0 and q4_0, the same for K and V, stay on
// the GPU (#27109, #28455).
func llamaSettings() []setting {
	const name = oomdoc.EngineLlamaCpp
	ctx := []string{"-c", "--ctx-size"}
	ngl := []string{"-ngl", "--gpu-layers", "--n-gpu-layers"}
	return []setting{
		{engine: name, measure: letItFit, place: outOfCommand, text: "-ngl {n}", names: ngl, first: "99", since: "2025-12", source: "llama.cpp#16653, #19437"},
		{engine: name, measure: letItFit, place: outOfCommand, text: "--cpu-moe", names: []string{"--cpu-moe", "-cmoe", "--n-cpu-moe", "-ncmoe", "-ot", "--override-tensor"}, onlySeen: true, since: "2025-12", source: "llama.cpp#27872"},
		{engine: name, measure: letItFit, place: outOfCommand, text: "-fit off", names: []string{"-fit", "--fit"}, onlySeen: true, since: "2025-12", source: "llama.cpp#16653"},
		{engine: name, measure: shortenContext, place: inCommandLine, text: "-fa on", names: []string{"-fa", "--flash-attn"}, only: needsFlash, since: "2025-08", tell: true, source: "llama.cpp#10052"},
		{engine: name, measure: shortenContext, place: inCommandLine, text: "-c {n}", names: ctx, first: "8192", since: "2023", source: llamaReadme},
		{engine: name, measure: smallerKV, place: inCommandLine, text: "-fa on -ctk q8_0 -ctv q8_0", names: []string{"-ctk", "--cache-type-k", "-ctv", "--cache-type-v"}, since: "2024", source: "llama.cpp#27109, #28524"},
		{engine: name, measure: slidingWindow, place: outOfCommand, text: "--swa-full", names: []string{"--swa-full"}, onlySeen: true, since: "2025-05", source: "llama.cpp#13194"},
		{engine: name, measure: fewerSlots, place: inCommandLine, text: "-np 1", names: []string{"-np", "--parallel"}, since: "2023", source: llamaReadme},
		{engine: name, measure: offload, place: inCommandLine, text: "-ngl {n}", names: ngl, since: "2023", source: llamaReadme},
		{engine: name, measure: offload, place: inWords, words: "step.llama-fit", since: "2025-12", source: "llama.cpp#16653"},
		{engine: name, measure: offloadMoE, place: inCommandLine, text: "--n-cpu-moe 20", names: []string{"-ncmoe", "--n-cpu-moe"}, since: "2025-08", tell: true, source: llamaReadme},
		{engine: name, measure: smallerPrefill, place: inCommandLine, text: "--image-max-tokens 1024", names: []string{"--image-max-tokens"}, only: mode(oomdoc.ModeImages), since: "2025-11", tell: true, source: llamaReadme},
		{engine: name, measure: smallerPrefill, place: inCommandLine, text: "-ub {n}", names: []string{"-ub", "--ubatch-size"}, first: "256", since: "2024", source: llamaReadme},
		{engine: name, measure: moreHeadroom, place: inCommandLine, text: "-fitt 2048", names: []string{"-fitt", "--fit-target"}, since: "2025-12", tell: true, source: "llama.cpp#16653"},
		{engine: name, measure: moreHeadroom, place: inCommandLine, text: "--no-mmproj-offload", names: []string{"--no-mmproj-offload"}, only: takesImages, since: "2025", source: "llama.cpp#18181"},
		{engine: name, measure: quantize, place: inWords, words: "step.gguf-q4", since: "2024", source: "llama.cpp:tools/quantize/README"},
		{engine: name, measure: quantize, place: inCommandLine, text: "-hf REPO:Q4_K_M", names: []string{"-hf", "--hf-repo"}, since: "2025", source: llamaReadme},
		{engine: name, measure: mapFile, place: outOfCommand, text: "--no-mmap", names: []string{"--no-mmap", "--mlock"}, since: "2023", source: llamaReadme},
		{engine: name, measure: mapFile, place: inCommandLine, text: "--load-mode mmap", names: []string{"-lm", "--load-mode"}, since: "2026-06", tell: true, source: llamaReadme},
		{engine: name, measure: pinLess, place: inEnvironment, text: "GGML_CUDA_NO_PINNED=1", since: "2023", source: "llama.cpp:ggml/src/ggml-cuda/ggml-cuda.cu"},
		{engine: name, measure: moreRAM, place: inCommandLine, text: "--cache-ram 512", names: []string{"-cram", "--cache-ram"}, since: "2025-10", tell: true, source: llamaReadme},
		{engine: oomdoc.EngineWhisperCpp, measure: quantize, place: inShell, text: "./build/bin/quantize models/ggml-large-v3.bin models/ggml-large-v3-q5_0.bin q5_0", since: "1.4", source: "whisper.cpp: README"},
		{engine: oomdoc.EngineWhisperCpp, measure: smallerBatch, place: inCommandLine, text: "--beam-size 1 --best-of 1", names: []string{"--beam-size", "-bs"}, since: "1.0", source: "whisper.cpp: examples/cli/README"},
	}
}

// needsFlash tells that flash attention is off, and would give its scratch space
// back.
func needsFlash(r *refused) bool { return r.e.Phase == oomdoc.PhaseCompute && plainAttention(r) }

// takesImages tells a model with a part of its own for images.
func takesImages(r *refused) bool {
	return r.e.Has(oomdoc.ClueMode, oomdoc.ModeImages) || r.args.has("--mmproj", "-mm", "-hf", "--hf-repo")
}

// ollamaSettings: from 0.30 on it runs llama-server and hands LLAMA_ARG_ variables
// to it.
func ollamaSettings() []setting {
	const name, faq = oomdoc.EngineOllama, "ollama:docs/faq"
	return []setting{
		{engine: name, measure: shortenContext, place: inEnvironment, text: "OLLAMA_CONTEXT_LENGTH={n}", first: "8192", since: "0.5.13", tell: true, source: faq},
		{engine: name, measure: shortenContext, place: inPrompt, text: "/set parameter num_ctx {n}", first: "8192", since: "0.1.8", source: "ollama:docs/modelfile"},
		{engine: name, measure: shortenContext, place: inConfig, text: `"options": {"num_ctx": {n}}`, first: "8192", since: "0.1.8", source: "ollama:docs/api"},
		{engine: name, measure: smallerKV, place: inEnvironment, text: "OLLAMA_KV_CACHE_TYPE=q8_0", since: "0.5.0", source: faq},
		{engine: name, measure: fewerSlots, place: inEnvironment, text: "OLLAMA_NUM_PARALLEL=1", since: "0.2", source: faq},
		{engine: name, measure: unloadModels, place: inShell, text: "ollama ps && ollama stop MODEL", since: "0.5", source: faq},
		{engine: name, measure: unloadModels, place: inEnvironment, text: "OLLAMA_MAX_LOADED_MODELS=1", since: "0.2", source: faq},
		{engine: name, measure: letItFit, place: inWords, words: "step.ollama-num-gpu", since: "0.1", source: "playbook.md F3, Ollama"},
		{engine: name, measure: offload, place: inConfig, text: `"options": {"num_gpu": {n}}`, first: "20", since: "0.1", source: "ollama:docs/modelfile"},
		{engine: name, measure: offload, place: inEnvironment, text: "LLAMA_ARG_FIT_TARGET=2048", since: "0.30", tell: true, source: "ollama v0.33.0-rc2, code read"},
		{engine: name, measure: moreHeadroom, place: inEnvironment, text: "LLAMA_ARG_FIT_TARGET=2048", since: "0.30", tell: true, source: "ollama v0.33.0-rc2, code read"},
		{engine: name, measure: smallerPrefill, place: inConfig, text: `"options": {"num_batch": {n}}`, first: "256", since: "0.1", source: "ollama:docs/api"},
		{engine: name, measure: quantize, place: inShell, text: "ollama pull NAME:TAG-q4_K_M", since: "0.1", source: "ollama.com/library"},
		{engine: name, measure: moreRAM, place: inEnvironment, text: "LLAMA_ARG_CACHE_RAM=512", since: "0.30", tell: true, source: "home-ops#13936"},
		{engine: name, measure: mapFile, place: inConfig, text: `"options": {"use_mmap": true}`, since: "0.1", source: "ollama:docs/api"},
	}
}

// lmstudioSettings are of 0.4.
func lmstudioSettings() []setting {
	const name, docs = oomdoc.EngineLMStudio, "lmstudio:docs/cli"
	return []setting{
		{engine: name, measure: unloadModels, place: inShell, text: "lms ps && lms unload --all", since: "0.3", source: docs},
		{engine: name, measure: shortenContext, place: inShell, text: "lms load MODEL --context-length {n}", first: "8192", since: "0.3", source: docs},
		{engine: name, measure: shortenContext, place: inShell, text: "lms load MODEL --estimate-only", since: "0.3.27", source: docs},
		{engine: name, measure: smallerKV, place: inConfig, text: `llamaKCacheQuantizationType: "q8_0", llamaVCacheQuantizationType: "q8_0"`, since: "0.3.7", source: "lmstudio:docs/typescript; bug #2246"},
		{engine: name, measure: offload, place: inShell, text: "lms load MODEL --gpu 0.5", since: "0.3", source: docs},
		{engine: name, measure: smallerPrefill, place: inConfig, text: "evalBatchSize: {n}", first: "256", since: "0.3", source: "lmstudio:docs/typescript"},
		{engine: name, measure: quantize, place: inShell, text: "lms get MODEL@q4_k_m", since: "0.3", source: docs},
		{engine: name, measure: fewerSlots, place: inShell, text: "lms load MODEL --parallel 1", since: "0.4", source: docs},
		{engine: name, measure: unloadModels, place: inWords, words: "step.lms-guardrails", since: "0.3", source: "playbook.md F3, LM Studio"},
	}
}

// koboldSettings: K and V are set together by one number.
func koboldSettings() []setting {
	const name, wiki = oomdoc.EngineKoboldCpp, "koboldcpp: koboldcpp.py --help"
	return []setting{
		{engine: name, measure: shortenContext, place: inCommandLine, text: "--contextsize {n}", names: []string{"--contextsize"}, first: "4096", since: "1.0", source: wiki},
		{engine: name, measure: smallerKV, place: inCommandLine, text: "--flashattention --quantkv 1", names: []string{"--quantkv"}, since: "1.67", source: wiki},
		{engine: name, measure: slidingWindow, place: inCommandLine, text: "--useswa", names: []string{"--useswa"}, since: "1.92", source: "koboldcpp#2235"},
		{engine: name, measure: offload, place: inCommandLine, text: "--gpulayers {n}", names: []string{"--gpulayers"}, first: "-1", since: "1.76", source: wiki},
		{engine: name, measure: offloadMoE, place: inCommandLine, text: "--moecpu 20", names: []string{"--moecpu"}, since: "1.97", source: wiki},
		{engine: name, measure: moreHeadroom, place: inCommandLine, text: "--autofit --autofitpadding 2048", names: []string{"--autofitpadding"}, since: "1.113", tell: true, source: "playbook.md, koboldcpp"},
		{engine: name, measure: letItFit, place: outOfCommand, text: "--gpulayers {n}", names: []string{"--gpulayers"}, first: "99", since: "1.113", source: "playbook.md, koboldcpp"},
		{engine: name, measure: smallerPrefill, place: inCommandLine, text: "--blasbatchsize {n}", names: []string{"--blasbatchsize", "--batchsize"}, first: "256", since: "1.0", source: wiki},
		{engine: name, measure: quantize, place: inWords, words: "step.gguf-q4", since: "1.0", source: "playbook.md F1"},
		{engine: name, measure: mapFile, place: outOfCommand, text: "--nommap", names: []string{"--nommap", "--usemlock"}, since: "1.0", source: wiki},
	}
}

// textgenSettings are of text-generation-webui 4.7.
func textgenSettings() []setting {
	const name, code = oomdoc.EngineTextgen, "text-generation-webui v4.7.3: modules/shared.py"
	return []setting{
		{engine: name, measure: shortenContext, place: inCommandLine, text: "--ctx-size {n}", names: []string{"--ctx-size", "--n_ctx", "--max_seq_len"}, first: "8192", since: "3.0", source: code},
		{engine: name, measure: smallerKV, place: inCommandLine, text: "--cache-type q8_0", names: []string{"--cache-type"}, since: "3.0", source: code},
		{engine: name, measure: offload, place: inCommandLine, text: "--gpu-layers -1 --fit-target 1024", names: []string{"--gpu-layers", "--n-gpu-layers"}, since: "4.0", tell: true, source: code},
		{engine: name, measure: offloadMoE, place: inCommandLine, text: "--cpu-moe", names: []string{"--cpu-moe"}, since: "4.0", source: code},
		{engine: name, measure: quantize, place: inCommandLine, text: "--load-in-4bit", names: []string{"--load-in-4bit"}, since: "1.0", source: code},
		{engine: name, measure: quantize, place: inWords, words: "step.exllama-bpw", since: "1.0", source: "exllamav2: README"},
		{engine: name, measure: halve, place: inCommandLine, text: "--bf16", names: []string{"--bf16"}, since: "1.0", source: code},
		{engine: name, measure: smallerPrefill, place: inCommandLine, text: "--batch-size {n} --ubatch-size {n}", names: []string{"--ubatch-size"}, first: "512", since: "4.0", source: code},
		{engine: name, measure: smallerBatch, place: inCommandLine, text: "--batch-size 512 --ubatch-size 512", names: []string{"--ubatch-size"}, since: "4.0", source: code},
		{engine: name, measure: mapFile, place: outOfCommand, text: "--no-mmap", names: []string{"--no-mmap"}, since: "1.0", source: code},
		{engine: oomdoc.EngineExLlama, measure: shortenContext, place: inPython, text: "cache = ExLlamaV2Cache(model, max_seq_len=8192, lazy=True)", since: "0.1", source: "exllamav2: README"},
		{engine: oomdoc.EngineExLlama, measure: smallerKV, place: inPython, text: "cache = ExLlamaV2Cache_Q8(model, max_seq_len=8192, lazy=True)", since: "0.1.5", source: "exllamav2: exllamav2/cache.py"},
		{engine: oomdoc.EngineExLlama, measure: offload, place: inWords, words: "step.exllama-split", since: "0.1", source: "exllamav2: README"},
		{engine: oomdoc.EngineExLlama, measure: quantize, place: inWords, words: "step.exllama-bpw", since: "0.1", source: "exllamav2: README"},
	}
}
