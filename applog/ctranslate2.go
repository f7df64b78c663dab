package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// ctranslate2 reads CTranslate2, which faster-whisper and others run on
// (src/cuda/utils.h).
func ctranslate2() []mark {
	return []mark{
		{"CUDA failed with error out of memory", ctranslate2Refused},
		{"cuBLAS failed with status CUBLAS_STATUS_ALLOC_FAILED", ctranslate2Refused},
	}
}

func ctranslate2Refused(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineCTranslate2, Pool: oomdoc.PoolDevice}
	if bytes.HasPrefix(sp.body, []byte("cuBLAS")) {
		e.Operation = "cuBLAS"
	}
	s.fail(sp, e)
}
