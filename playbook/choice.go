package playbook

import (
	"slices"

	"github.com/oomdoc/oomdoc"
)

// A choice is one row of the decision table: when it applies, and the measures
// that its evidence allows, the cheapest first.
type choice struct {
	applies  func(*refused) bool
	measures func(*refused) []measure
}

// take are the same measures whatever else is known.
func take(measures ...measure) func(*refused) []measure {
	return func(*refused) []measure { return measures }
}

// choose gives the measures of the first row that applies.
func choose(r *refused) []measure {
	for _, table := range [][]choice{nothingShort(), hostChoices(), deviceChoices()} {
		for _, c := range table {
			if c.applies(r) {
				return c.measures(r)
			}
		}
	}
	return nil
}

// The words of the table's conditions.

func all(conditions ...func(*refused) bool) func(*refused) bool {
	return func(r *refused) bool {
		return !slices.ContainsFunc(conditions, func(is func(*refused) bool) bool { return !is(r) })
	}
}

func anyOf(conditions ...func(*refused) bool) func(*refused) bool {
	return func(r *refused) bool {
		return slices.ContainsFunc(conditions, func(is func(*refused) bool) bool { return is(r) })
	}
}

func not(condition func(*refused) bool) func(*refused) bool {
	return func(r *refused) bool { return !condition(r) }
}

func class(c oomdoc.Class) func(*refused) bool {
	return func(r *refused) bool { return r.inc.Class == c }
}

func cause(causes ...oomdoc.Cause) func(*refused) bool {
	return func(r *refused) bool { return slices.Contains(causes, r.inc.Cause) }
}

func engine(engines ...string) func(*refused) bool {
	return func(r *refused) bool { return slices.Contains(engines, r.engine()) }
}

func phase(phases ...oomdoc.Phase) func(*refused) bool {
	return func(r *refused) bool { return slices.Contains(phases, r.e.Phase) }
}

func refusal(kind oomdoc.Refusal) func(*refused) bool {
	return func(r *refused) bool { return r.e.Refusal == kind }
}

func clue(kind oomdoc.ClueKind) func(*refused) bool {
	return func(r *refused) bool { return r.knows(kind) }
}

func code(name string) func(*refused) bool {
	return func(r *refused) bool { return r.e.Has(oomdoc.ClueCode, name) }
}

func mode(name string) func(*refused) bool {
	return func(r *refused) bool { return r.e.Has(oomdoc.ClueMode, name) }
}

func option(names ...string) func(*refused) bool {
	return func(r *refused) bool { return r.args.has(names...) }
}

func isGGML(r *refused) bool { return r.isGGML() }

// isTorch tells a program of the user's own on PyTorch, whose code can change.
func isTorch(r *refused) bool {
	return slices.Contains([]string{
		oomdoc.EnginePyTorch, oomdoc.EngineTransformers, oomdoc.EngineDiffusers, oomdoc.EngineDeepSpeed, oomdoc.EnginePython,
	}, r.engine())
}

// nothingShort are the refusals that nothing the user could change would have
// prevented: a plan that asked for less than there was (knowledge playbook.md
// section 7, row 18), and access to a GPU that was lost.
func nothingShort() []choice {
	planned := func(r *refused) bool { return r.fits() && r.e.Allowed == nil }
	return []choice{
		{all(refusal(oomdoc.RefusalPlan), planned, not(clue(oomdoc.CluePlanOverruled))), take()},
		{clue(oomdoc.ClueLostDevice), take(restart)},
	}
}

// hostChoices are for RAM and what counts as it (knowledge playbook.md section 3,
// rows 18 to 27).
func hostChoices() []choice {
	host := class(oomdoc.ClassHostRAM)
	ctranslate := engine(oomdoc.EngineCTranslate2, oomdoc.EngineWhisperCpp)
	return []choice{
		{all(host, cause(oomdoc.CauseShmTooSmall)), take(growShm, fewerWorkers)},
		{all(host, refusal(oomdoc.RefusalKilled), mode(oomdoc.ModeWSL)), take(wslMemory, findKiller, halve, loadOneByOne)},
		// A model that was asked for in 32 bits needs twice as much while it loads.
		{all(host, refusal(oomdoc.RefusalKilled), isFull), take(halve, loadOneByOne, findKiller, moreRAM)},
		{all(host, refusal(oomdoc.RefusalKilled)), take(findKiller, moreRAM, halve, loadOneByOne)},
		{all(host, clue(oomdoc.ClueUnified), phase(oomdoc.PhaseKVCache)), take(dropCache, shortenContext, smallerKV, quantize)},
		{all(host, clue(oomdoc.ClueUnified)), take(dropCache, quantize, shortenContext, downsize)},
		{all(host, engine(oomdoc.EngineJava, oomdoc.EngineNode)), take(growHeap, addressSpace)},
		{all(host, clue(oomdoc.CluePinned), not(isGGML)), take(pinLess, fewerWorkers, smallerBatch)},
		// Row 21: weights that would lie in the page cache were taken out of it.
		{all(host, isGGML, hostBuffer, unmapped), take(mapFile, offload, quantize, moreRAM)},
		{all(host, engine(oomdoc.EngineLMStudio), refusal(oomdoc.RefusalPlan)), take(unloadModels, shortenContext, quantize, downsize)},
		{all(host, isGGML, refusal(oomdoc.RefusalPlan), longContext), take(shortenContext, unloadModels, moreRAM, quantize, downsize)},
		{all(host, isGGML, refusal(oomdoc.RefusalPlan)), take(moreRAM, unloadModels, shortenContext, quantize, downsize)},
		{all(host, isGGML, phase(oomdoc.PhaseKVCache)), take(shortenContext, smallerKV, moreRAM, quantize)},
		{all(host, isGGML), take(moreRAM, mapFile, pinLess, quantize, shortenContext, downsize)},
		{all(host, ctranslate), take(moreRAM, quantize)},
		{all(host, engine(oomdoc.EngineVLLM, oomdoc.EngineSGLang, oomdoc.EngineTGI, oomdoc.EngineTensorRTLLM)), take(pinLess, moreRAM, quantize)},
		{all(host, isTorch, phase(oomdoc.PhaseWeights)), take(moreRAM, halve, loadOneByOne, addressSpace, quantize)},
		{all(host, cause(oomdoc.CauseAllocationRefused)), take(addressSpace, smallerBatch, pieces, fewerWorkers, moreRAM)},
		{all(host), take(moreRAM, fewerWorkers, halve, loadOneByOne)},
	}
}

// hostBuffer tells one of llama.cpp's buffers in RAM that is pinned.
func hostBuffer(r *refused) bool {
	return isHostBuffer(r.e.DeviceName) && r.e.DeviceName != "CPU" || r.knows(oomdoc.CluePinned)
}

// unmapped tells that the process was told to copy the model's file.
func unmapped(r *refused) bool {
	mode, _ := r.args.value("-lm", "--load-mode")
	return r.args.has("--no-mmap", "--mlock", "--nommap", "--usemlock") || mode == "none" || mode == "mlock"
}

// longContext, in tokens: from here on the KV cache is a part of the plan that is
// worth a cut (knowledge playbook.md section 3, row 7).
func longContext(r *refused) bool { return r.tokens() >= 32768 }
