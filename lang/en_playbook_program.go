package lang

import "github.com/oomdoc/oomdoc"

// englishProgramFixes hold what helps a program that was refused memory.
func englishProgramFixes() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		englishReclaimFixes(),
		englishModelFixes(),
		englishBatchFixes(),
		englishProgramHostFixes(),
		englishSettingSteps(),
		englishEngineSteps(),
	})
}

// englishReclaimFixes are about memory that something else holds, or that a
// setting keeps away.
func englishReclaimFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.end-others":             "Free what other processes hold on this GPU",
		"fix.end-others.why":         "This program alone would have had room. It costs nothing.",
		"fix.end-others.why-held":    "Other processes held {held} of {total}. It costs nothing.",
		"fix.end-others.why-unknown": "What others hold on this GPU is the first thing to get back, at no cost; whose request was refused, and how much they held, the log does not say.",

		"step.others-look":      "See who uses the GPU:",
		"step.others-holder":    "Process {pid} held {held}.",
		"step.others-end":       "If nobody needs it, end it by its number; a service stop with systemctl stop, as it may come back otherwise:",
		"step.others-container": "These numbers are the machine's, not the container's: look and end them on the host, not in here.",
		"step.others-hidden":    "The error does not name them. This also finds processes of other containers, and such that hang:",
		"step.others-server":    "A server that crashed may leave its workers behind:",

		"fix.spread-ranks":     "Give each rank a GPU of its own",
		"fix.spread-ranks.why": "A rank other than 0 failed on GPU 0, which another rank uses.",
		"step.ranks":           "In rank {rank}, before anything is put on the GPU: {code}",

		"fix.find-cap":     "Look for a cap, or for a peak that was over",
		"fix.find-cap.why": "More was free than was asked for, so the card was not simply full: a slice (MIG, vGPU) or MPS may have refused, or others gave memory back before the error was printed.",
		"step.cap-look":    "Is it a slice of a GPU, and does anything cap it?",
		"step.cap-watch":   "While it runs again, watch the peak:",

		"fix.let-it-fit":            "Let the engine fit the model itself",
		"fix.let-it-fit.why":        "A setting of the user's switched its fitting off. It chooses layers and context by what is free, and costs nothing.",
		"fix.let-it-fit.why-layers": "It knew that {need} would not fit into {free}, but {n|GPU layer was|GPU layers were} set, so it went on as it was told. Left alone it chooses what fits.",

		"fix.raise-share":         "Let it take a larger share of the GPU",
		"fix.raise-share.why":     "The engine's own share was the limit: the weights and scratch space left nothing of it for the cache. Nothing else on this GPU may need what it takes more.",
		"fix.raise-share.why-now": "Its share of {now} was the limit, not the card: {next} is a first try. Nothing else on this GPU may need what it takes more.",

		"fix.lower-share":          "Let it take a smaller share of the GPU",
		"fix.lower-share.why":      "What it takes at the start is missing later for scratch space, graphs and libraries. It costs room in the KV cache.",
		"fix.lower-share.why-now":  "With a share of {now} too little is left outside of it for scratch space, graphs and libraries; {next} is a first try. It costs room in the KV cache.",
		"fix.lower-share.why-free": "{free} of {total} was free, so a share of {next} fits beside the others, if the model does.",

		"fix.raise-cap":           "Raise the cap that was set on this program",
		"fix.raise-cap.why":       "A limit of the program's own refused, not the card.",
		"fix.raise-cap.why-now":   "It was allowed {limit} of {total}; with a tenth to spare it needs {need}.",
		"fix.raise-cap.why-limit": "Its own limit of {limit} refused, not the card; with a tenth to spare it needs {need}, if the card has that.",

		"fix.grow-as-needed":     "Have it take memory as it needs it",
		"fix.grow-as-needed.why": "By default it takes most of the card at once, whatever it needs. This lets several programs share one GPU; it may fragment more.",

		"fix.unload-models":     "Unload models that are not in use",
		"fix.unload-models.why": "A model stays loaded for a while after its last answer. It costs nothing but the time to load it again.",

		"fix.restart":             "Start it again",
		"fix.restart.why":         "What it held grew, or its GPU was taken from it; only a fresh start gives that back. It puts the next failure off, no more.",
		"step.restart":            "End the program and start it again.",
		"step.restart-container":  "Make the container anew, so that it gets its GPU back.",
		"fix.load-one-by-one":     "Load the weights piece by piece",
		"fix.load-one-by-one.why": "Loading can need much more than the model does when it is loaded. It costs nothing.",

		"fix.more-headroom":     "Keep more of the GPU free when it loads",
		"fix.more-headroom.why": "The model fitted, but long prompts, images and graphs came on top. It moves a little of the model to RAM.",
	}
}

// englishModelFixes are about the weights and the KV cache.
func englishModelFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.quantize":          "Use a quantised model (8 or 4 bits)",
		"fix.quantize.why":      "The weights are the largest fixed part; at 4 bits they need a little more than a quarter of what they do at 16, at 8 half. A small loss of quality.",
		"fix.quantize.why-less": "The weights have {bits} bits each; with about 4 they need {share} less. A small loss of quality.",
		"fix.quantize.why-bits": "The weights take {size} at {bits} bits each; with about 4 they take {left}. A small loss of quality.",

		"fix.small-optimizer":     "Keep the optimizer's state in 8 bits",
		"fix.small-optimizer.why": "AdamW keeps 8 bytes for each parameter; in 8 bits it is 2. The cost is small.",
		"fix.adapters":            "Train adapters (LoRA, or QLoRA on a 4-bit model)",
		"fix.adapters.why":        "Full training needs about 16 bytes for each parameter, LoRA about 2 and its adapters, QLoRA about half a byte. It learns less than full training.",

		"fix.halve":     "Use half precision (bf16 or fp16)",
		"fix.halve.why": "If it runs in 32 bits, this halves weights and KV cache, at no cost on GPUs from Ampere on (older ones: fp16).",

		"fix.offload":               "Keep part of the model in RAM",
		"fix.offload.why":           "What does not fit on the GPU runs from RAM, if there is room for it. Dense layers on the CPU are several times slower.",
		"fix.offload.why-layers":    "Of {layers} layers of about {each}, {keep} fit. The rest runs from RAM, if there is room for it, several times slower.",
		"fix.offload.why-first-try": "A layer takes about {each}. How much was free the log does not say, so {keep} of {layers} on the GPU is a first try; the rest runs from RAM, several times slower.",
		"fix.offload-experts":       "Keep only the experts in RAM (mixture-of-experts models)",
		"fix.offload-experts.why":   "Experts are most of such a model and only few are used at a time, so this costs much less speed than whole layers.",
		"fix.split-gpus":            "Spread it over several GPUs",
		"fix.split-gpus.why":        "Each GPU then holds only its part. It needs a second GPU.",

		"fix.shorten-context":           "Shorten the context",
		"fix.shorten-context.why":       "The KV cache grows with every token of context. It costs how far back the model sees.",
		"fix.shorten-context.why-long":  "The KV cache grows with every token, and {tokens} were asked for; {want} is a first try. It costs how far back the model sees.",
		"fix.shorten-context.why-size":  "The KV cache takes {size} for {tokens} tokens, in proportion; {want} tokens are proposed. It costs how far back the model sees.",
		"fix.shorten-context.why-space": "What the cache and scratch space take for {tokens} tokens ({size}) shrinks in proportion; {want} tokens are proposed. It costs how far back the model sees.",
		"fix.shorten-context.why-fit":   "The KV cache takes {size} for {tokens} tokens; {want} fit, the engine says. It costs how far back the model sees.",

		"fix.sliding-window":     "Keep the window alone for layers that look no further back",
		"fix.sliding-window.why": "Most layers of this kind of model see only the last tokens, yet the cache keeps the whole context for them. It costs nothing but the reuse of an older prompt.",

		"fix.smaller-kv":          "Keep the KV cache in 8 bits",
		"fix.smaller-kv.why":      "That takes half of what 16 bits do, with hardly a loss.",
		"fix.smaller-kv.why-same": "That takes about half of what 16 bits do, with hardly a loss. Key and value must have the same type; other pairs run on the CPU, far slower.",
		"fix.fewer-slots":         "Serve fewer requests at a time",
		"fix.fewer-slots.why":     "Each slot has a context of its own. It costs throughput with several users.",

		"fix.downsize":          "Use a smaller model",
		"fix.downsize.why":      "If nothing above is enough, the model is too large for this machine.",
		"fix.downsize.why-size": "If nothing above is enough, the model is too large: {total} carries about {n} billion parameters at 4 bits with a context of 8192.",
		"step.downsize":         "Take one of at most about {n} billion parameters at 4 bits.",
		"step.downsize-some":    "Take one with fewer parameters, or with fewer bits for each.",
		"step.downsize-other":   "Or run it where there is more memory: a larger or a second GPU, or a remote one.",
	}
}

// englishBatchFixes are about scratch space, the allocator and what is kept for
// nothing.
func englishBatchFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.smaller-batch":       "Take less at a time: a smaller batch, shorter or smaller inputs",
		"fix.smaller-batch.why":   "Scratch space grows with the batch and with the longest input in it. It costs speed, no quality.",
		"fix.micro-batch":         "Use a smaller micro-batch and accumulate gradients",
		"fix.micro-batch.why":     "Activations grow with the micro-batch; accumulated gradients keep the batch that the model learns from. It costs some speed.",
		"fix.checkpoint":          "Recompute activations in the backward pass (checkpointing)",
		"fix.checkpoint.why":      "Then only about one tensor is kept for each layer. It costs 20 to 30% of time.",
		"fix.chunked-loss":        "Compute the loss in parts",
		"fix.chunked-loss.why":    "The logits of every token over the whole vocabulary are one large tensor, in 32 bits; in parts it is never there whole. It costs nothing.",
		"fix.cap-length":          "Cap the length of the samples",
		"fix.cap-length.why":      "The longest sample of a batch decides; a few long ones are enough to fail. What is cut off is not learnt.",
		"fix.smaller-prefill":     "Process prompts in smaller pieces",
		"fix.smaller-prefill.why": "Scratch space grows with how much of a prompt is taken at once. It costs speed while prompts are read, no quality.",
		"fix.fewer-sequences":     "Run fewer requests at a time",
		"fix.fewer-sequences.why": "Each running request takes scratch space and KV cache. It costs throughput.",
		"fix.no-graphs":           "Capture fewer or no CUDA graphs",
		"fix.no-graphs.why":       "Graphs take 0.6 to 5 GiB beside the weights. It costs some speed at small batches.",
		"fix.tile":                "Decode images in tiles, or make them smaller",
		"fix.tile.why":            "Decoding a whole image or video at once is the peak. Tiles cost some time.",
		"fix.attention":           "Use attention that does not build the whole matrix",
		"fix.attention.why":       "Plain attention builds a matrix that grows with the square of the length. It costs nothing.",
		"fix.pieces":              "Work in pieces",
		"fix.pieces.why":          "A part of the data at a time needs that part's memory only. It costs some code.",

		"fix.check-shape":          "Look at the shape of that tensor",
		"fix.check-shape.why":      "A single request was larger than the device; the size may be an error.",
		"fix.check-shape.why-size": "{size} is {times|time|times} the device's {total}: no setting carries that, so the size itself is most likely an error.",
		"step.check-shape":         "Before the line that failed: {code}",

		"fix.join-segments":         "Have the allocator use segments that can grow",
		"fix.join-segments.why":     "Memory was there, but in pieces that were too small. It costs nothing.",
		"fix.join-segments.why-now": "{size} was asked for; {free} was free and {held} lay unused in pieces of the allocator's. It costs nothing.",

		"fix.inference-mode":     "Do not keep what is not needed: inference mode, no old results",
		"fix.inference-mode.why": "Without it the graph for gradients and every result that is still referred to stay on the GPU. It costs nothing.",
	}
}

// englishProgramHostFixes are about RAM and the limits of the machine.
func englishProgramHostFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.grow-heap":         "Give the runtime a larger heap",
		"fix.grow-heap.why":     "The limit is the runtime's own; the machine may have plenty. If it fills again and again, something leaks.",
		"fix.grow-heap.why-now": "The heap's limit of {now} is the runtime's own; the machine may have plenty. {next} is a first try. If that fills too, something leaks.",
		"fix.grow-heap.why-ram": "The heap's limit of {now} is the runtime's own. {next} is as much as {ram} of RAM carry; beyond that the program must need less.",

		"fix.address-space":     "Lift the limit that refused",
		"fix.address-space.why": "The program was told no by a limit; nothing was killed. Either it may map too little, or the kernel had promised all that it may.",
		"step.limits-look":      "In the shell that starts it: anything but unlimited is a limit on what it may map, in KiB:",
		"step.limits-raise":     "Lift it before the program starts (set by a limits.conf or a job's settings, change it there):",
		"step.limits-unit":      "Of a service it is LimitAS=, beside its memory limit:",
		"step.commit-look":      "With overcommit_memory = 2 the kernel refuses beyond CommitLimit; compare Committed_AS with it:",
		"step.commit-raise":     "If they are near, add swap or set vm.overcommit_memory to 0.",

		"fix.grow-shm":      "Give it more shared memory (/dev/shm)",
		"fix.grow-shm.why":  "Worker processes hand their data on through /dev/shm, and it was full. A container has 64 MiB there unless it is told otherwise; what is in it counts as RAM.",
		"step.shm-look":     "Where it runs, see its size:",
		"step.shm-docker":   "docker or podman run: {size}, or {host} to use the machine's.",
		"step.shm-compose":  "In a compose file, at the service: {line}",
		"step.shm-pod":      "In Kubernetes mount a volume at /dev/shm: {volume}; it counts against the memory limit.",
		"step.shm-host":     "Outside of a container make the machine's larger:",
		"fix.fewer-workers": "Use fewer workers, and hand less on",

		"fix.fewer-workers.why": "Each worker holds batches ahead, and in time a copy of what it reads. It costs speed of loading.",
		"fix.pin-less":          "Pin less RAM",
		"fix.pin-less.why":      "The error says CUDA, but it was RAM that was to be pinned for copies to the GPU. Pinned memory cannot be swapped, and WSL and ulimit -l bound it. It costs some speed of copies.",
		"fix.map-file":          "Map the model's file instead of copying it",
		"fix.map-file.why":      "Mapped weights lie in the page cache, which the kernel can give back; copied or locked ones cannot be given back.",

		"fix.drop-cache":     "Free the memory that processor and GPU share",
		"fix.drop-cache.why": "On this machine they use one RAM. The page cache counts as free for programs, but not always for the GPU. It costs nothing.",
		"step.cache-free":    "Drop the page cache and see what is free then:",
		"step.cache-desktop": "If that is not enough, end the desktop, which takes its part:",

		"fix.more-ram":             "Free RAM, or add swap",
		"fix.more-ram.why":         "RAM was what ran short, not the GPU. Swap helps against a peak while loading, but is slow, and does not extend VRAM.",
		"fix.more-ram.why-missing": "{size} of RAM was asked for and {free} was free: {missing} was missing. Swap helps against a peak while loading, but is slow, and does not extend VRAM.",
		"step.ram-look":            "See what is free, and who holds most:",
		"step.ram-swap":            "Add swap for what was missing:",
		"step.ram-container":       "In a container its memory limit counts, not the machine's RAM: raise that (--memory, resources.limits.memory).",
		"step.ram-wsl":             "Under WSL half of RAM is the limit: raise {key} in {file} of the Windows user, then wsl --shutdown.",

		"fix.wsl-memory":     "Give WSL more of the machine's RAM",
		"fix.wsl-memory.why": "Under WSL, Linux has half of the machine's RAM unless it is told otherwise; what runs out of that is killed, whatever Windows has left.",
		"step.wsl-file":      "On Windows, in {file} under {section}, leaving enough for Windows: {memory} and {swap}",
		"step.wsl-restart":   "Then, in PowerShell; it ends all of WSL:",
		"step.wsl-look":      "Back in WSL, see that it has it:",

		"fix.find-killer":       "Find out who killed it",
		"fix.find-killer.why":   "Its own lines say only that it was killed. The kernel's log names what ran out; a GPU never kills.",
		"step.killer-look":      "On the machine where it ran:",
		"step.killer-container": "What the container runtime says of it, and its limit:",
	}
}
