package playbook

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// deviceChoices are for a GPU's memory (knowledge playbook.md section 3, rows 1 to
// 17 and 28).
func deviceChoices() []choice {
	var table []choice
	for _, part := range [][]choice{
		sharedChoices(), reservedChoices(), trainingChoices(), weightsChoices(), kvChoices(), scratchChoices(), exhaustedChoices(),
	} {
		table = append(table, part...)
	}
	return table
}

// sharedChoices are for memory that something else holds, or that lies in pieces.
func sharedChoices() []choice {
	others := cause(oomdoc.CauseOtherProcess)
	return []choice{
		// The loader of 5.0 holds what it has not converted yet (transformers#43032).
		{all(cause(oomdoc.CauseCUDAAllocator), code(oomdoc.CodeLoadsAhead)), take(loadOneByOne, joinSegments, quantize)},
		{all(class(oomdoc.ClassFragmentation), cause(oomdoc.CauseCUDAAllocator), clue(oomdoc.ClueUnified)), take(smallerBatch)},
		{all(class(oomdoc.ClassFragmentation), cause(oomdoc.CauseCUDAAllocator)), take(joinSegments, smallerPrefill, smallerBatch)},
		{all(others, clue(oomdoc.ClueUnified)), take(dropCache, endOthers, lowerShare)},
		{all(others, ranksOnOneGPU), take(spreadRanks, endOthers)},
		{all(others), take(endOthers, lowerShare, growAsNeeded, unloadModels)},
		{all(cause(oomdoc.CauseLeak), isGGML), take(restart, shortenContext)},
		{all(cause(oomdoc.CauseLeak)), take(inferenceMode, restart)},
	}
}

// ranksOnOneGPU tells that a rank other than 0 failed on the first GPU, which is
// another rank's.
func ranksOnOneGPU(r *refused) bool {
	return r.e.Rank != nil && *r.e.Rank > 0 && r.e.Device != nil && *r.e.Device == 0
}

// reservedChoices are for a share or a cap that was the limit, not the card.
// SGLang wants opposite directions: at the start its share was too small, at run
// time what it left was.
func reservedChoices() []choice {
	reserved := cause(oomdoc.CauseReservation, oomdoc.CauseWeights)
	return []choice{
		{all(cause(oomdoc.CauseReservation), func(r *refused) bool { return r.e.Allowed != nil }), take(raiseCap, smallerBatch)},
		{all(reserved, engine(oomdoc.EngineSGLang), noDeviceError), take(raiseShare, quantize, splitGPUs, downsize)},
		{all(reserved, engine(oomdoc.EngineVLLM), noDeviceError), take(raiseShare, noGraphs, smallerPrefill, fewerSequences, quantize, splitGPUs, downsize)},
		{all(cause(oomdoc.CauseReservation), refusal(oomdoc.RefusalDisguised)), take(endOthers, smallerBatch, quantize)},
		{all(cause(oomdoc.CauseReservation), engine(oomdoc.EngineSGLang), refusal(oomdoc.RefusalPool)), poolFull},
		{all(cause(oomdoc.CauseReservation)), take(raiseCap, raiseShare, growAsNeeded, smallerBatch)},
	}
}

// noDeviceError tells an engine's own reckoning, as against a failed allocation.
func noDeviceError(r *refused) bool {
	return r.e.Refusal == oomdoc.RefusalPlan || r.e.Refusal == oomdoc.RefusalCap || r.e.Requested == nil && r.e.Free == nil && r.e.Refusal != oomdoc.RefusalPool
}

// poolFull is for a KV pool that had no room for the tokens that came together.
// SGLang says of which.
func poolFull(r *refused) []measure {
	if r.says("Decode out of memory") {
		return []measure{fewerSequences, smallerPrefill, smallerKV, raiseShare}
	}
	return []measure{smallerPrefill, fewerSequences, smallerKV, raiseShare}
}

// trainingChoices are the table of training by what failed (knowledge playbook.md
// section 1, "PyTorch training").
func trainingChoices() []choice {
	vram := class(oomdoc.ClassVRAM)
	training := anyOf(phase(oomdoc.PhaseTraining), clue(oomdoc.ClueBackward), clue(oomdoc.ClueOptimizer), isTrainer)
	single := cause(oomdoc.CauseSingleAllocation)
	return []choice{
		{all(vram, isTorch, code(oomdoc.CodeLoss), not(single), not(clue(oomdoc.ClueBackward))), take(chunkedLoss, microBatch, capLength, checkpoint, adapters)},
		{all(vram, training, clue(oomdoc.ClueOptimizer), not(single), not(clue(oomdoc.ClueBackward))), take(smallOptimize, adapters, splitGPUs, microBatch)},
		{all(vram, training, isTorch, not(single)), take(microBatch, checkpoint, capLength, attention, smallOptimize, adapters, splitGPUs)},
	}
}

// isTrainer tells a script that trains by its own options, which are those of
// Transformers' Trainer and of what is made after it.
func isTrainer(r *refused) bool {
	return r.e.Phase != oomdoc.PhaseWeights && r.args.has("--per-device-train-batch-size", "--train-batch-size", "--gradient-accumulation-steps",
		"--gradient-checkpointing", "--num-train-epochs", "--max-train-steps", "--learning-rate")
}

// weightsChoices are for a model that was loading.
func weightsChoices() []choice {
	weights := all(class(oomdoc.ClassVRAM), anyOf(cause(oomdoc.CauseWeights), all(phase(oomdoc.PhaseWeights), cause(oomdoc.CauseExhausted, oomdoc.CauseSingleAllocation))))
	overruled := anyOf(clue(oomdoc.CluePlanOverruled), all(engine(oomdoc.EngineLlamaCpp), option("--cpu-moe", "-cmoe", "--n-cpu-moe", "-ncmoe", "-ot", "--override-tensor")))
	return []choice{
		{all(weights, overruled), take(letItFit, offload, shortenContext, quantize)},
		{all(weights, isFull), take(halve, quantize, offload)},
		{all(weights, code(oomdoc.CodeLoadsAhead), code(oomdoc.CodeQuantizes)), take(loadOneByOne, offload, splitGPUs, downsize)},
		// At 16 bits and more quantising is the larger and the faster saving; from
		// 5 bits on only moving layers out is left.
		{all(weights, isGGML, isMoE), take(offloadMoE, offload, quantize, shortenContext, downsize)},
		{all(weights, isGGML, manyBits), take(quantize, offload, offloadMoE, shortenContext, downsize)},
		{all(weights, isGGML), take(offload, offloadMoE, shortenContext, quantize, downsize)},
		{all(weights, engine(oomdoc.EngineVLLM, oomdoc.EngineTGI, oomdoc.EngineTensorRTLLM, oomdoc.EngineMLC)), take(quantize, splitGPUs, offload, downsize)},
		{all(weights, engine(oomdoc.EngineSGLang)), take(quantize, splitGPUs, lowerShare, downsize)},
		{all(weights, engine(oomdoc.EngineDiffusers, oomdoc.EngineA1111)), take(offload, quantize, halve, tile)},
		{all(weights, engine(oomdoc.EngineComfyUI)), take(offload, moreHeadroom, quantize)},
		// Its Transformers loader quantises on the way; ExLlama's cache is made later.
		{all(weights, engine(oomdoc.EngineTextgen), isTorchs), take(quantize, shortenContext, smallerKV, offload, downsize)},
		{all(weights, engine(oomdoc.EngineExLlama, oomdoc.EngineTextgen)), take(shortenContext, smallerKV, offload, quantize, downsize)},
		{all(weights, packed), take(loadOneByOne, offload, splitGPUs, downsize)},
		{all(weights), take(quantize, halve, offload, splitGPUs, downsize)},
	}
}

// isFull tells a model of 32 bits, as the command line or the code asked for it.
func isFull(r *refused) bool {
	return r.args.has("--no-half", "--no-half-vae") || fullPrecision(r) || r.e.Has(oomdoc.ClueCode, oomdoc.CodeFullPrecision)
}

// fullPrecision tells a model that the command line asked for in 32 bits.
func fullPrecision(r *refused) bool {
	for _, name := range []string{"--dtype", "--torch-dtype", "--precision", "--mixed-precision"} {
		if value, has := r.args.value(name); has && (value == "float32" || value == "fp32" || value == "float" || value == "no") {
			return true
		}
	}
	return r.args.has("--fp32")
}

// isTorchs tells that PyTorch raised the error, whatever ran it.
func isTorchs(r *refused) bool { return r.e.Raiser == oomdoc.EnginePyTorch }

// manyBits tells a model whose name says that it has more than wellQuantized bits.
func manyBits(r *refused) bool {
	bits, known := r.bits()
	return known && bits > wellQuantized
}

func packed(r *refused) bool {
	bits, known := r.bits()
	return known && bits <= wellQuantized
}

// kvChoices are for the KV cache.
func kvChoices() []choice {
	kv := anyOf(cause(oomdoc.CauseKVCache), all(class(oomdoc.ClassVRAM), phase(oomdoc.PhaseKVCache), cause(oomdoc.CauseExhausted, oomdoc.CauseSingleAllocation)))
	return []choice{
		{all(kv, refusal(oomdoc.RefusalPool), engine(oomdoc.EngineSGLang)), poolFull},
		{all(kv, clue(oomdoc.CluePlanOverruled)), take(letItFit, shortenContext, smallerKV, offload)},
		{all(kv, wholeWindows), take(slidingWindow, shortenContext, smallerKV, offload)},
		{all(kv, engine(oomdoc.EngineVLLM)), take(shortenContext, smallerKV, raiseShare, splitGPUs)},
		{kv, take(shortenContext, smallerKV, fewerSlots, offload, quantize)},
	}
}

// wholeWindows tells a cache that keeps all of the context for layers that look at
// a window of it only (koboldcpp#2235; llama.cpp#13194).
func wholeWindows(r *refused) bool {
	switch r.engine() {
	case oomdoc.EngineLlamaCpp:
		return r.args.has("--swa-full")
	case oomdoc.EngineKoboldCpp:
		name := strings.ToLower(r.model())
		return !r.args.has("--useswa") && slices.ContainsFunc([]string{"gemma", "gpt-oss"}, func(family string) bool { return strings.Contains(name, family) })
	}
	return false
}

// scratchChoices are for scratch space: batch, prompt, image, graph capture, one
// tensor that is larger than the card.
func scratchChoices() []choice {
	single := cause(oomdoc.CauseSingleAllocation)
	scratch := anyOf(cause(oomdoc.CauseActivations), all(class(oomdoc.ClassVRAM), phase(oomdoc.PhaseCompute), cause(oomdoc.CauseExhausted)))
	return []choice{
		{all(single, absurd), take(checkShape)},
		{all(single, isGGML), take(shortenContext, smallerPrefill, offload)},
		{all(single, images), take(tile, attention)},
		{all(single, engine(oomdoc.EngineVLLM)), take(smallerPrefill, fewerSequences)},
		{all(single), take(attention, smallerBatch, pieces, checkShape)},
		{all(scratch, isGGML, clue(oomdoc.CluePlanOverruled)), take(letItFit, shortenContext, smallerPrefill, offload)},
		// Without flash attention its scratch space grows with the context.
		{all(scratch, isGGML, plainAttention, longContext), take(shortenContext, smallerPrefill, moreHeadroom, offload)},
		{all(scratch, isGGML), take(smallerPrefill, moreHeadroom, offload, shortenContext)},
		{all(scratch, engine(oomdoc.EngineVLLM), clue(oomdoc.ClueGraphCapture)), take(noGraphs, lowerShare, fewerSequences)},
		{all(scratch, engine(oomdoc.EngineSGLang), clue(oomdoc.ClueGraphCapture)), take(lowerShare, noGraphs, smallerPrefill)},
		{all(scratch, engine(oomdoc.EngineSGLang), refusal(oomdoc.RefusalPool)), poolFull},
		{all(scratch, engine(oomdoc.EngineSGLang)), take(smallerPrefill, lowerShare, fewerSequences)},
		{all(scratch, engine(oomdoc.EngineVLLM)), take(fewerSequences, smallerPrefill, lowerShare, noGraphs)},
		{all(scratch, engine(oomdoc.EngineTGI)), take(smallerPrefill, lowerShare, fewerSequences)},
		{all(scratch, images), imageMeasures},
		{all(scratch, isTorch, code(oomdoc.CodeAttention)), take(attention, smallerBatch, inferenceMode, halve, quantize)},
		{all(scratch, isTorch, keepsGradients), take(inferenceMode, smallerBatch, attention, halve, quantize)},
		{scratch, take(smallerBatch, attention, inferenceMode, halve, quantize)},
	}
}

// absurd, as a multiple of the card: a request of more is an error in the size
// (knowledge gpu-oom.md section 4, point 1).
func absurd(r *refused) bool {
	const times = 8
	const beyond = 1 << 40 // a TiB: no card has as much
	return r.e.Requested != nil && (r.total() > 0 && *r.e.Requested/times > r.total() || r.total() == 0 && *r.e.Requested > beyond)
}

// exhaustedChoices are for memory that ran out where the evidence tells no finer
// cause.
func exhaustedChoices() []choice {
	vram := class(oomdoc.ClassVRAM)
	return []choice{
		{all(vram, func(r *refused) bool { return r.fits() && r.e.Refusal == oomdoc.RefusalAllocation && r.total() > 0 }), take(findCap, smallerBatch)},
		{all(vram, engine(oomdoc.EngineLlamaCpp, oomdoc.EngineOllama, oomdoc.EngineLMStudio, oomdoc.EngineKoboldCpp)), take(smallerPrefill, moreHeadroom, shortenContext, offload)},
		{all(vram, engine(oomdoc.EngineWhisperCpp, oomdoc.EngineCTranslate2)), take(quantize, smallerBatch, downsize)},
		{all(vram, engine(oomdoc.EngineVLLM, oomdoc.EngineSGLang)), take(lowerShare, smallerPrefill, fewerSequences, noGraphs)},
		{all(vram, engine(oomdoc.EngineTGI)), take(smallerPrefill, lowerShare, quantize)},
		{all(vram, images), imageMeasures},
		{all(vram, engine(oomdoc.EngineExLlama, oomdoc.EngineTextgen)), take(shortenContext, smallerKV, offload, quantize)},
		{all(vram, engine(oomdoc.EngineJAX, oomdoc.EngineTensorFlow), poolRefused), take(growAsNeeded, endOthers, lowerShare)},
		{all(vram, engine(oomdoc.EngineJAX)), take(smallerBatch, checkpoint, lowerShare, halve)},
		{all(vram, driverRefused), take(endOthers)},
		{all(vram, engine(oomdoc.EngineTensorRTLLM, oomdoc.EngineMLC, oomdoc.EngineTritonServer)), take(lowerShare, shortenContext, smallerBatch, quantize)},
		{all(vram, isTorch, code(oomdoc.CodeAttention)), take(attention, smallerBatch, inferenceMode, halve, quantize)},
		{all(vram, isTorch, keepsGradients), take(inferenceMode, smallerBatch, halve, quantize)},
		{all(vram, isTorch), take(smallerBatch, inferenceMode, halve, quantize)},
		{all(vram), take(smallerBatch, pieces, halve, inferenceMode, quantize)},
	}
}
