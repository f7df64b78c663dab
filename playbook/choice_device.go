package playbook

import "github.com/oomdoc/oomdoc"

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
		{all(class(oomdoc.ClassFragmentation), cause(oomdoc.CauseCUDAAllocator), clue(oomdoc.ClueUnified)), []measure{smallerBatch}},
		{all(class(oomdoc.ClassFragmentation), cause(oomdoc.CauseCUDAAllocator)), []measure{joinSegments, smallerPrefill, smallerBatch}},
		{all(others, clue(oomdoc.ClueUnified)), []measure{dropCache, endOthers, lowerShare}},
		{all(others, ranksOnOneGPU), []measure{spreadRanks, endOthers}},
		{all(others), []measure{endOthers, lowerShare, growAsNeeded, unloadModels}},
		{all(cause(oomdoc.CauseLeak), isGGML), []measure{restart, shortenContext}},
		{all(cause(oomdoc.CauseLeak)), []measure{inferenceMode, restart}},
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
		{all(cause(oomdoc.CauseReservation), func(r *refused) bool { return r.e.Allowed != nil }), []measure{raiseCap, smallerBatch}},
		{all(reserved, engine(oomdoc.EngineSGLang), noDeviceError), []measure{raiseShare, quantize, splitGPUs, downsize}},
		{all(reserved, engine(oomdoc.EngineVLLM), noDeviceError), []measure{raiseShare, noGraphs, smallerPrefill, fewerSequences, quantize, splitGPUs, downsize}},
		{all(cause(oomdoc.CauseReservation), refusal(oomdoc.RefusalDisguised)), []measure{endOthers, smallerBatch, quantize}},
		{all(cause(oomdoc.CauseReservation), engine(oomdoc.EngineSGLang), refusal(oomdoc.RefusalPool)), poolFull()},
		{all(cause(oomdoc.CauseReservation)), []measure{raiseCap, raiseShare, growAsNeeded, smallerBatch}},
	}
}

// noDeviceError tells an engine's own reckoning, as against a failed allocation.
func noDeviceError(r *refused) bool {
	return r.e.Refusal == oomdoc.RefusalPlan || r.e.Refusal == oomdoc.RefusalCap || r.e.Requested == nil && r.e.Free == nil && r.e.Refusal != oomdoc.RefusalPool
}

// poolFull is for a KV pool that had no room for the tokens that came together.
func poolFull() []measure { return []measure{smallerPrefill, fewerSequences, smallerKV, raiseShare} }

// trainingChoices are the table of training by what failed (knowledge playbook.md
// section 1, "PyTorch training").
func trainingChoices() []choice {
	vram := class(oomdoc.ClassVRAM)
	training := anyOf(phase(oomdoc.PhaseTraining), clue(oomdoc.ClueBackward), clue(oomdoc.ClueOptimizer))
	single := cause(oomdoc.CauseSingleAllocation)
	return []choice{
		{all(vram, training, clue(oomdoc.ClueOptimizer), not(single), not(clue(oomdoc.ClueBackward))), []measure{smallOptimize, adapters, splitGPUs, microBatch}},
		{all(vram, training, isTorch, not(single)), []measure{microBatch, checkpoint, attention, smallOptimize, adapters, splitGPUs}},
	}
}

// weightsChoices are for a model that was loading.
func weightsChoices() []choice {
	weights := all(class(oomdoc.ClassVRAM), anyOf(cause(oomdoc.CauseWeights), all(phase(oomdoc.PhaseWeights), cause(oomdoc.CauseExhausted, oomdoc.CauseSingleAllocation))))
	overruled := anyOf(clue(oomdoc.CluePlanOverruled), all(engine(oomdoc.EngineLlamaCpp), option("--cpu-moe", "-cmoe", "--n-cpu-moe", "-ncmoe", "-ot", "--override-tensor")))
	full := anyOf(option("--no-half", "--no-half-vae"), fullPrecision)
	return []choice{
		{all(weights, overruled), []measure{letItFit, offload, shortenContext, quantize}},
		{all(weights, full), []measure{halve, quantize, offload}},
		// At 16 bits and more quantising is the larger and the faster saving; from
		// 5 bits on only moving layers out is left.
		{all(weights, isGGML, isMoE), []measure{offloadMoE, offload, quantize, shortenContext, downsize}},
		{all(weights, isGGML, manyBits), []measure{quantize, offload, offloadMoE, shortenContext, downsize}},
		{all(weights, isGGML), []measure{offload, offloadMoE, shortenContext, quantize, downsize}},
		{all(weights, engine(oomdoc.EngineVLLM, oomdoc.EngineTGI, oomdoc.EngineTensorRTLLM, oomdoc.EngineMLC)), []measure{quantize, splitGPUs, offload, downsize}},
		{all(weights, engine(oomdoc.EngineSGLang)), []measure{quantize, splitGPUs, lowerShare, downsize}},
		{all(weights, engine(oomdoc.EngineDiffusers, oomdoc.EngineA1111)), []measure{offload, quantize, halve, tile}},
		{all(weights, engine(oomdoc.EngineComfyUI)), []measure{offload, moreHeadroom, quantize}},
		// Its Transformers loader quantises on the way; ExLlama's cache is made later.
		{all(weights, engine(oomdoc.EngineTextgen), isTorchs), []measure{quantize, shortenContext, smallerKV, offload, downsize}},
		{all(weights, engine(oomdoc.EngineExLlama, oomdoc.EngineTextgen)), []measure{shortenContext, smallerKV, offload, quantize, downsize}},
		{all(weights, packed), []measure{loadOneByOne, offload, splitGPUs, downsize}},
		{all(weights), []measure{quantize, halve, offload, splitGPUs, downsize}},
	}
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
		{all(kv, refusal(oomdoc.RefusalPool), engine(oomdoc.EngineSGLang)), poolFull()},
		{all(kv, clue(oomdoc.CluePlanOverruled)), []measure{letItFit, shortenContext, smallerKV, offload}},
		{all(kv, engine(oomdoc.EngineVLLM)), []measure{shortenContext, smallerKV, raiseShare, splitGPUs}},
		{kv, []measure{shortenContext, smallerKV, fewerSlots, offload, quantize}},
	}
}

// scratchChoices are for scratch space: batch, prompt, image, graph capture, one
// tensor that is larger than the card.
func scratchChoices() []choice {
	single := cause(oomdoc.CauseSingleAllocation)
	scratch := anyOf(cause(oomdoc.CauseActivations), all(class(oomdoc.ClassVRAM), phase(oomdoc.PhaseCompute), cause(oomdoc.CauseExhausted)))
	images := engine(oomdoc.EngineDiffusers, oomdoc.EngineComfyUI, oomdoc.EngineA1111)
	return []choice{
		{all(single, absurd), []measure{checkShape}},
		{all(single, isGGML), []measure{shortenContext, smallerPrefill, offload}},
		{all(single, images), []measure{tile, attention}},
		{all(single, engine(oomdoc.EngineVLLM)), []measure{smallerPrefill, fewerSequences}},
		{all(single), []measure{attention, smallerBatch, pieces, checkShape}},
		{all(scratch, isGGML), []measure{smallerPrefill, moreHeadroom, offload, shortenContext}},
		{all(scratch, engine(oomdoc.EngineVLLM), clue(oomdoc.ClueGraphCapture)), []measure{noGraphs, lowerShare, fewerSequences}},
		{all(scratch, engine(oomdoc.EngineSGLang), clue(oomdoc.ClueGraphCapture)), []measure{lowerShare, noGraphs, smallerPrefill}},
		{all(scratch, engine(oomdoc.EngineSGLang), refusal(oomdoc.RefusalPool)), poolFull()},
		{all(scratch, engine(oomdoc.EngineSGLang)), []measure{smallerPrefill, lowerShare, fewerSequences}},
		{all(scratch, engine(oomdoc.EngineVLLM)), []measure{fewerSequences, smallerPrefill, lowerShare, noGraphs}},
		{all(scratch, engine(oomdoc.EngineTGI)), []measure{smallerPrefill, lowerShare, fewerSequences}},
		{all(scratch, images), []measure{tile, smallerBatch, offload, halve}},
		{scratch, []measure{smallerBatch, attention, inferenceMode, halve, quantize}},
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
		{all(vram, func(r *refused) bool { return r.fits() && r.e.Refusal == oomdoc.RefusalAllocation && r.total() > 0 }), []measure{findCap, smallerBatch}},
		{all(vram, engine(oomdoc.EngineLlamaCpp, oomdoc.EngineOllama, oomdoc.EngineLMStudio, oomdoc.EngineKoboldCpp)), []measure{smallerPrefill, moreHeadroom, shortenContext, offload}},
		{all(vram, engine(oomdoc.EngineWhisperCpp, oomdoc.EngineCTranslate2)), []measure{quantize, smallerBatch, downsize}},
		{all(vram, engine(oomdoc.EngineVLLM, oomdoc.EngineSGLang)), []measure{lowerShare, smallerPrefill, fewerSequences, noGraphs}},
		{all(vram, engine(oomdoc.EngineTGI)), []measure{smallerPrefill, lowerShare, quantize}},
		{all(vram, engine(oomdoc.EngineComfyUI, oomdoc.EngineA1111, oomdoc.EngineDiffusers)), []measure{tile, smallerBatch, moreHeadroom, offload, quantize}},
		{all(vram, engine(oomdoc.EngineExLlama, oomdoc.EngineTextgen)), []measure{shortenContext, smallerKV, offload, quantize}},
		{all(vram, engine(oomdoc.EngineJAX)), []measure{smallerBatch, checkpoint, lowerShare, halve}},
		{all(vram, engine(oomdoc.EngineTensorRTLLM, oomdoc.EngineMLC, oomdoc.EngineTritonServer)), []measure{lowerShare, shortenContext, smallerBatch, quantize}},
		{all(vram, isTorch), []measure{smallerBatch, inferenceMode, halve, quantize}},
		{all(vram), []measure{smallerBatch, pieces, halve, inferenceMode, quantize}},
	}
}
