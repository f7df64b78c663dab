package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// deepspeed reads DeepSpeed: its inference kernels' workspace, and its launcher's
// word that a process ended. With states offloaded to RAM that is how it ends.
func deepspeed() []mark {
	return []mark{
		{"DeepSpeed info: version=", ranIn(oomdoc.EngineDeepSpeed)},
		{"[deepspeed", ranIn(oomdoc.EngineDeepSpeed)},
		{"Workspace can't be allocated", deepspeedWorkspace},
		{"sigkill_handler]", deepspeedEnded},
	}
}

func deepspeedWorkspace(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineDeepSpeed, Pool: oomdoc.PoolDevice, Phase: oomdoc.PhaseCompute})
}

// deepspeedEnded reads "[launch.py:321:sigkill_handler] ['/usr/bin/python3', ...]
// exits with return code = -9", and "Killing subprocess 4711" of the others.
func deepspeedEnded(s *scene, sp *span) {
	s.is(oomdoc.EngineDeepSpeed)
	code, found := after(sp.rest(), "exits with return code = ")
	if told := s.more(sp); told != nil || !found || !bytes.HasPrefix(code, []byte("-9")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineDeepSpeed, Pool: oomdoc.PoolHost, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled})
}
