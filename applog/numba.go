package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// numba reads Numba's CUDA target (numba/cuda/cudadrv/driver.py): "[2] Call to
// cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY".
func numba() []mark {
	return []mark{{" results in CUDA_ERROR_OUT_OF_MEMORY", numbaRefused}}
}

func numbaRefused(s *scene, sp *span) {
	_, call, found := afterLast(sp.head, "Call to ")
	if !found || sp.isSpoken() {
		return
	}
	call, _, _ = bytes.Cut(call, []byte(" "))
	e := oomdoc.ProgramError{Engine: oomdoc.EngineNumba, Pool: oomdoc.PoolDevice, Operation: keep(call)}
	if isHostCall(call) {
		e.Pool = oomdoc.PoolHost
	}
	s.fail(sp, e)
}
