package applog

import "github.com/oomdoc/oomdoc"

// transformers reads what Transformers and Accelerate say where the plan of layers
// and devices leaves no room (transformers/modeling_utils.py,
// transformers/quantizers, accelerate/big_modeling.py). Errors of an allocation
// are PyTorch's.
func transformers() []mark {
	return []mark{
		{"Some modules are dispatched on the CPU or the disk", transformersPlan},
		{"had weights offloaded to the disk. Please provide an `offload_folder`", transformersPlan},
		{"submodule will be offloaded to disk, please pass along an `offload_folder`", transformersPlan},
	}
}

// transformersPlan reads that a quantised model does not fit into the GPUs, so
// that parts of it would have to go where they cannot.
func transformersPlan(s *scene, sp *span) {
	if sp.isSpoken() {
		return
	}
	e := oomdoc.ProgramError{
		Engine: oomdoc.EngineTransformers, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseWeights, Refusal: oomdoc.RefusalPlan,
	}
	s.fail(sp, e)
}
