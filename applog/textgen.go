package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// textgen reads text-generation-webui (oobabooga), which runs llama-server as a
// child, or ExLlama and Transformers in its own process.
func textgen() []mark {
	return []mark{
		{"text-generation-webui", ranOutOf(oomdoc.EngineTextgen)},
		{"Error loading the model with llama.cpp: ", textgenServer},
		{"llama.cpp weights detected: ", func(s *scene, _ *span) { s.is(oomdoc.EngineTextgen) }},
	}
}

// textgenServer reads "Error loading the model with llama.cpp: Server process
// terminated unexpectedly with exit code: 1". Below zero it is the signal.
func textgenServer(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.is(oomdoc.EngineTextgen)
	if f := s.more(sp); f != nil {
		f.ended = true
		return
	}
	if code, found := after(sp.rest(), "exit code: "); found && bytes.Equal(bytes.TrimSpace(code), []byte("-9")) {
		s.fail(sp, oomdoc.ProgramError{
			Engine: oomdoc.EngineTextgen, Pool: oomdoc.PoolHost, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled,
		})
	}
}
