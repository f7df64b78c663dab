package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// tritonServer reads NVIDIA's Triton Inference Server (core's cuda_memory_manager.cc
// and pinned_memory_manager.cc). Where a pool is full it mostly falls back to
// other memory, and says so: then nothing failed.
func tritonServer() []mark {
	return []mark{
		{"ailed to allocate CUDA memory with byte size ", tritonServerRefused},
		{"tritonserver", func(s *scene, _ *span) { s.is(oomdoc.EngineTritonServer) }},
	}
}

func tritonServerRefused(s *scene, sp *span) {
	n, rest, ok := whole(sp.rest())
	if !ok || sp.isSpoken() || bytes.Contains(rest, []byte("falling back")) {
		return
	}
	// The pool is what --cuda-memory-pool-byte-size set aside.
	e := oomdoc.ProgramError{
		Engine: oomdoc.EngineTritonServer, Pool: oomdoc.PoolDevice, Refusal: oomdoc.RefusalCap, Requested: &n, Phase: oomdoc.PhaseRun,
	}
	if device, is := bytes.CutPrefix(rest, []byte(" on GPU ")); is {
		if n, _, ok := small(device); ok {
			e.Device = &n
		}
	}
	s.fail(sp, e)
}
