package applog

import "github.com/oomdoc/oomdoc"

// webUI reads AUTOMATIC1111's Stable Diffusion web UI and Forge, which is made from
// it; the refusal itself is PyTorch's.
func webUI() []mark {
	return []mark{
		{"*** Error completing request", webUIFails},
		{"*** Error executing ", webUIFails},
		{"Launching Web UI with arguments:", func(s *scene, _ *span) { s.is(oomdoc.EngineA1111) }},
		{"[Memory Management] ", forgePlans},
		{"[Unload] Trying to free ", func(s *scene, _ *span) { s.is(oomdoc.EngineA1111) }},
	}
}

// webUIFails reads the head of an error's report, which ends the job before.
func webUIFails(s *scene, _ *span) {
	s.closeFailure()
	s.is(oomdoc.EngineA1111)
}

// forgePlans reads Forge's plan: "Target: KModel, Free GPU: 5120.00 MB, Model
// Require: 12000.00 MB, ..."; its MB are MiB (backend/memory_management.py).
func forgePlans(s *scene, sp *span) {
	free, need := sizeIn(sp.rest(), "Free GPU: ", shortUnits()), sizeIn(sp.rest(), "Model Require: ", shortUnits())
	if free == nil || need == nil {
		return
	}
	s.is(oomdoc.EngineA1111)
	c := sp.clue(oomdoc.CluePlanNeed)
	c.Bytes = &need.bytes
	s.note(c)
	c = sp.clue(oomdoc.CluePlanFree)
	c.Bytes = &free.bytes
	s.note(c)
}
