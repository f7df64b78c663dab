package applog

import "github.com/oomdoc/oomdoc"

// exllama reads ExLlamaV2 and V3, whose loader fills one card after the other and
// says when the last is full.
func exllama() []mark {
	return []mark{
		{"Insufficient VRAM for model and cache", exllamaFull},
		{"Insufficient VRAM in split for model and cache", exllamaFull},
		{"!! Out of memory (", exllamaMoves},
	}
}

func exllamaFull(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.is(oomdoc.EngineExLlama)
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineExLlama, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseWeights})
}

// exllamaMoves reads " !! Out of memory (H), moving to device": it goes on.
func exllamaMoves(s *scene, sp *span) {
	s.is(oomdoc.EngineExLlama)
	s.recovered(sp, true)
}
