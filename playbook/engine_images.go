package playbook

import "github.com/oomdoc/oomdoc"

// comfySettings are of 2026, where Dynamic VRAM is the default: --lowvram does
// nothing with it, --novram and --disable-smart-memory switch it off
// (ComfyUI#13598, #15255).
func comfySettings() []setting {
	const name, code = oomdoc.EngineComfyUI, "ComfyUI v0.30: comfy/cli_args.py"
	return []setting{
		{engine: name, measure: tile, place: inWords, words: "step.comfy-tiled", since: "0.1", source: code},
		{engine: name, measure: smallerBatch, place: inWords, words: "step.comfy-smaller", since: "0.1", source: "playbook.md F5"},
		{engine: name, measure: moreHeadroom, place: inCommandLine, text: "--vram-headroom 2.5", names: []string{"--vram-headroom"}, since: "0.30", tell: true, source: "ComfyUI#14396"},
		{engine: name, measure: moreHeadroom, place: inCommandLine, text: "--reserve-vram 2", names: []string{"--reserve-vram"}, since: "0.2", until: "0.30", tell: true, source: code},
		{engine: name, measure: offload, place: outOfCommand, text: "--highvram", onlySeen: true, names: []string{"--highvram", "--gpu-only", "--novram", "--disable-smart-memory"}, since: "0.30", source: "ComfyUI#15255"},
		{engine: name, measure: offload, place: inCommandLine, text: "--lowvram", names: []string{"--lowvram"}, since: "0.1", until: "0.30", tell: true, source: code},
		{engine: name, measure: offload, place: inCommandLine, text: "--disable-dynamic-vram", names: []string{"--disable-dynamic-vram"}, since: "0.30", tell: true, source: "ComfyUI#13598"},
		{engine: name, measure: quantize, place: inCommandLine, text: "--fp8_e4m3fn-unet --fp8_e4m3fn-text-enc", names: []string{"--fp8_e4m3fn-unet"}, since: "0.1", source: code},
		{engine: name, measure: halve, place: inCommandLine, text: "--fp16-vae", names: []string{"--fp16-vae"}, since: "0.1", source: code},
		{engine: name, measure: pinLess, place: inCommandLine, text: "--disable-pinned-memory", names: []string{"--disable-pinned-memory"}, since: "0.3.68", source: code},
		{engine: name, measure: attention, place: inCommandLine, text: "--use-pytorch-cross-attention", names: []string{"--use-pytorch-cross-attention", "--use-split-cross-attention"}, since: "0.1", source: code},
		{engine: name, measure: fewerWorkers, place: inCommandLine, text: "--cache-none", names: []string{"--cache-none", "--cache-lru", "--cache-classic"}, since: "0.3", source: code},
	}
}

// a1111Settings are of Stable Diffusion web UI and of Forge.
func a1111Settings() []setting {
	const name, wiki = oomdoc.EngineA1111, "stable-diffusion-webui: wiki, Command-Line-Arguments-and-Settings"
	return []setting{
		{engine: name, measure: halve, place: outOfCommand, text: "--no-half", names: []string{"--no-half", "--no-half-vae"}, since: "1.0", source: wiki},
		{engine: name, measure: offload, place: inCommandLine, text: "--medvram", names: []string{"--medvram"}, since: "1.0", source: wiki},
		{engine: name, measure: offload, place: inCommandLine, text: "--lowvram", names: []string{"--lowvram", "--medvram"}, only: option("--medvram"), since: "1.0", source: wiki},
		{engine: name, measure: offload, place: inWords, words: "step.forge-offload", since: "2024 (Forge)", source: "stable-diffusion-webui-forge: backend/args.py"},
		{engine: name, measure: attention, place: inCommandLine, text: "--opt-sdp-attention", names: []string{"--opt-sdp-attention", "--opt-sub-quad-attention", "--xformers"}, since: "1.1", source: wiki},
		{engine: name, measure: tile, place: inCommandLine, text: "--opt-sub-quad-attention", names: []string{"--opt-sub-quad-attention"}, only: not(option("--opt-sdp-attention", "--xformers")), since: "1.1", source: wiki},
		{engine: name, measure: tile, place: inWords, words: "step.smaller-image", since: "1.0", source: "playbook.md F5"},
		{engine: name, measure: smallerBatch, place: inWords, words: "step.smaller-image", since: "1.0", source: "playbook.md F5"},
		{engine: name, measure: quantize, place: inWords, words: "step.forge-quantized", since: "2024 (Forge)", source: "stable-diffusion-webui-forge: backend/args.py"},
	}
}
