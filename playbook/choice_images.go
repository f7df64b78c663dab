package playbook

import "github.com/oomdoc/oomdoc"

// images tells a program that makes images or video.
func images(r *refused) bool {
	return engine(oomdoc.EngineDiffusers, oomdoc.EngineComfyUI, oomdoc.EngineA1111)(r)
}

// full, as a part of the card: with less free than one in that many there is no
// room to move a model about.
const full = 100

// imageMeasures are for a pipeline of images: what decodes the picture is the peak
// by itself and goes in tiles; what runs before it is the model, of which a part
// can wait in RAM at little cost. ComfyUI moves models by itself, and where it kept
// nothing free it was told to take too much (ComfyUI#13598, #14396).
func imageMeasures(r *refused) []measure {
	switch free := r.free(); {
	case r.e.Has(oomdoc.ClueCode, oomdoc.CodeDecode):
		return []measure{tile, smallerBatch, moreHeadroom, offload, quantize}
	case r.engine() == oomdoc.EngineComfyUI && free != nil && r.total() > 0 && *free <= r.total()/full:
		return []measure{moreHeadroom, offload, smallerBatch, tile, quantize}
	case r.engine() == oomdoc.EngineA1111 && r.args.has("--lowvram"):
		return []measure{smallerBatch, tile, quantize}
	}
	return []measure{offload, moreHeadroom, smallerBatch, tile, quantize}
}

// plainAttention tells llama.cpp without flash attention: as it says, or as it was
// told.
func plainAttention(r *refused) bool {
	value, typed := r.args.value("-fa", "--flash-attn")
	return r.e.Has(oomdoc.ClueMode, oomdoc.ModePlainAttention) || typed && (value == "off" || value == "0")
}

// keepsGradients tells a program that only evaluates and never turned gradients
// off, as far as its frames show: each step then keeps what a backward pass would
// need.
func keepsGradients(r *refused) bool {
	return r.e.Has(oomdoc.ClueCode, oomdoc.CodeEvaluation) && !r.e.Has(oomdoc.ClueCode, oomdoc.CodeNoGradients)
}

// poolRefused tells that what a framework takes at the start, whatever it needs,
// was not there: the first operation then fails to begin.
func poolRefused(r *refused) bool {
	return r.says("from device: ") || r.says("DNN library initialization failed")
}

// driverRefused tells the kernel's line of a graphics driver, which does not say
// whose request it was.
func driverRefused(r *refused) bool { return r.engine() == "" && r.says("*ERROR* ") }
