package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// bitsandbytes reads its C++ half (csrc/pythonInterface.cpp, csrc/ops.cu): "Error
// out of memory at line 380 in file /.../csrc/pythonInterface.c". It works for
// PyTorch, in whose name the error counts.
func bitsandbytes() []mark {
	return []mark{{"Error out of memory at line ", func(s *scene, sp *span) {
		if _, rest, ok := whole(sp.rest()); !ok || !bytes.HasPrefix(rest, []byte(" in file ")) || sp.isTalk() {
			return
		}
		s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice, Operation: "bitsandbytes"})
	}}}
}
