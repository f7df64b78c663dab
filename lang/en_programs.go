package lang

import "github.com/oomdoc/oomdoc"

// englishPrograms holds the English sentences about programs that were refused
// memory.
func englishPrograms() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		englishProgramSummaries(),
		englishProgramEvidence(),
		englishClues(),
	})
}

func englishProgramSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"word.a-program": "A program",

		"summary.program-beyond":            "{who} asked for {requested} of GPU memory in one piece; no GPU has as much.",
		"summary.program-single":            "{who} asked for {requested} of GPU memory in one piece, more than the whole card has ({total}).",
		"summary.program-pieces":            "{who} was refused {requested} of GPU memory though it was there: {pieces} lay unused in pieces (fragmentation).",
		"summary.program-reservation":       "{who} reached a limit of its own for GPU memory, not the card's.",
		"summary.program-reservation-sized": "{who} was refused {requested} of GPU memory by a limit of its own, not by the card.",
		"summary.program-others":            "{who} found no room on the GPU: others held {others} of its {total}.",
		"summary.program-kv":                "{who} ran out of GPU memory for the KV cache: the context is too large.",
		"summary.program-kv-sized":          "{who} could not get {requested} of GPU memory for the KV cache: the context is too large.",
		"summary.program-weights":           "{who} ran out of GPU memory while it loaded the model.",
		"summary.program-weights-sized":     "{who} ran out of GPU memory while it loaded the model: {requested} was refused.",
		"summary.program-activations":       "{who} ran out of GPU memory while it computed: activations and scratch space.",
		"summary.program-activations-sized": "{who} ran out of GPU memory while it computed: {requested} of activations or scratch space was refused.",
		"summary.program-leak":              "{who} ran out of GPU memory: what it held had climbed step by step, as a leak does.",
		"summary.program-exhausted":         "{who} ran out of GPU memory.",
		"summary.program-exhausted-sized":   "{who} ran out of GPU memory: {requested} more was refused.",
		"summary.program-host":              "{who} was refused memory by the host (RAM, not GPU memory).",
		"summary.program-host-sized":        "{who} was refused {requested} of RAM.",
		"summary.program-host-plan":         "{who} did not start: it worked out that it needs {requested} of RAM, more than there is.",
		"summary.program-host-plan-plain":   "{who} did not start: it worked out that it needs more RAM than there is.",
		"summary.program-heap":              "{who} filled its own heap, whose limit is a setting of its own; the machine may have memory left.",
		"summary.program-shm":               "{who}: shared memory (/dev/shm) is too small for its worker processes.",
		"summary.program-killed":            "{who}: a process was killed (SIGKILL); often that is the kernel when memory runs out, but these lines do not say who did it.",
		"summary.program-oomkilled":         "{who}: the container was killed at its memory limit, as its manager says.",
	}
}

func englishProgramEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.program-asked":       "{requested} was asked for and refused",
		"evidence.program-asked-free":  "{requested} was asked for, {free} was free",
		"evidence.program-asked-card":  "{requested} was asked for, {free} of the card's {total} was free",
		"evidence.program-host-asked":  "{requested} of RAM was asked for and refused",
		"evidence.program-heap-limit":  "the heap had reached its limit of {limit}",
		"evidence.program-bare":        "CUDA refused memory (error {code}) and printed no sizes",
		"evidence.program-disguised":   "PyTorch could not build its out-of-memory message, because NVML gave no answer (as in MIG slices, on Jetson and in containers)",
		"evidence.program-said":        "the program says that memory ran out",
		"evidence.program-pool":        "{used} of its own pool of {limit} was in use",
		"evidence.program-kv-needs":    "the KV cache needs {requested}; {free} was left for it",
		"evidence.program-tokens":      "room for {tokens} tokens was asked for; there was room for {free}",
		"evidence.program-fits":        "a context of at most {tokens} tokens would fit",
		"evidence.program-utilization": "it may take {share} of the card",
		"evidence.sampled-card":        "{before} before, {used} of the {total} of {gpu} was in use, {free} was free",
		"evidence.sampled-own":         "the program held {bytes} of it",
		"evidence.sampled-peak":        "at its peak it had held {bytes}, by the driver's accounting",
		"evidence.sampled-holder":      "{name} (pid {pid}) held {bytes} of it",
		"evidence.sampled-flat":        "its own use had been level for {over}",
		"evidence.sampled-jumped":      "its own use rose by {grew} within the last {over}: one large request, not a slow climb",
		"evidence.sampled-climbed":     "its own use rose by {grew} over {over}",
		"evidence.program-own":         "the program itself held {own} of the card",
		"evidence.program-allocator":   "{used} was in use by its tensors, {pieces} reserved and unused",
		"evidence.program-private":     "{bytes} was kept for CUDA graphs alone",
		"evidence.program-ranks":       "{n} ranks of the job failed of it; the first is shown",

		"evidence.program-killed":      "a process was ended by signal {signal} (SIGKILL)",
		"evidence.program-oomkilled":   "its manager says OOMKilled (exit status {code})",
		"evidence.program-shm":         "a worker failed against shared memory (number {signal})",
		"evidence.program-shm-size":    "/dev/shm has {total}",
		"evidence.program-unified":     "CPU and GPU of this machine share one memory: it was RAM that ran out",
		"evidence.program-pinned":      "host memory was being pinned when CUDA gave error {code}: that is RAM",
		"evidence.program-bigger":      "{requested} in one piece was asked for; the card has {total} in all",
		"evidence.program-beyond":      "{requested} in one piece was asked for; no GPU has as much: a size that is computed wrongly, not a large model",
		"evidence.program-absurd":      "that is {times} times the card: a size that is computed wrongly, not a large model",
		"evidence.program-pieces":      "{pieces} was reserved and unused, {share} of all that it had reserved: with the free {free} enough for {requested}, but in pieces",
		"evidence.program-pool-pieces": "{free} of the pool of {limit} was free, enough for {requested}, but in pieces",
		"evidence.program-allowed":     "a setting allows this process {allowed}",
		"evidence.program-taken":       "{others} of the card's {total} was taken before it began",
		"evidence.program-others":      "others held {others} of {total}, the program itself {own}",
		"evidence.program-holder":      "pid {pid} held {bytes}",
		"evidence.program-hidden":      "{bytes} was held by processes that are not listed",
		"evidence.program-border":      "it is a near thing: {pieces} in pieces and {free} free against {requested} asked for",

		"missing.program-sizes":         "how much was asked for and how much was free",
		"missing.program-list":          "which processes held the card: this build of the program does not list them",
		"missing.program-contradiction": "why it failed: {free} was free for {requested}. Another process may have given memory back in between, or the GPU could not be reached",
	}
}

func englishClues() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.clue-model-buffer":   "the weights on {name} take {bytes}",
		"evidence.clue-kv-buffer":      "the KV cache on {name} takes {bytes}",
		"evidence.clue-compute-buffer": "the compute buffer on {name} takes {bytes}",
		"evidence.clue-plan-need":      "its own plan needs {bytes}",
		"evidence.clue-plan-free":      "its own plan found {bytes} free",
		"evidence.clue-layers":         "{n} of {of} layers were to be on the GPU",
		"evidence.clue-context":        "the context is {n} tokens",
		"evidence.clue-plan-overruled": "the number of layers on the GPU was set by hand to {n}, which kept it from fitting the model to the card",
		"evidence.clue-kv-available":   "{bytes} was left for the KV cache",
		"evidence.clue-kv-none":        "nothing was left for the KV cache: {bytes} too little",
		"evidence.clue-backward":       "the backward pass of a training step was running",
		"evidence.clue-optimizer":      "the optimizer was making its step",
		"evidence.clue-graph-capture":  "CUDA graphs were being captured",
		"evidence.clue-loading":        "the model was being loaded",
		"evidence.clue-not-recovered":  "memory of the model before had not come back yet",
	}
}
