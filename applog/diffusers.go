package applog

import "github.com/oomdoc/oomdoc"

// diffusers reads what Diffusers prints while it loads, and the frames of the
// models that run in a pipeline. Its errors are PyTorch's.
func diffusers() []mark {
	runs := func(s *scene, sp *span) {
		s.is(oomdoc.EngineDiffusers)
		s.entered(oomdoc.PhaseCompute)
	}
	marks := []mark{
		{"Loading pipeline components...", func(s *scene, sp *span) {
			s.is(oomdoc.EngineDiffusers)
			did(oomdoc.PhaseWeights, oomdoc.ClueLoading)(s, sp)
		}},
	}
	marks = append(marks, inPath("/diffusers/models/", runs)...)
	return append(marks, inPath("/diffusers/pipelines/", ranIn(oomdoc.EngineDiffusers))...)
}
