package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// numpy reads "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5
// GiB for an array with shape (100000, 100000) and data type float64"; of 1.17 to
// 1.19 with the class MemoryError, of 2.x in numpy._core; and the plain
// MemoryError of what wraps it (numpy/_core/_exceptions.py).
func numpy() []mark { return []mark{{"Unable to allocate ", numpyRefused}} }

func numpyRefused(s *scene, sp *span) {
	size, rest, ok := sizeAt(sp.rest(), append(units(), unitSize{"PiB", 1 << 50}, unitSize{"EiB", 1 << 60}))
	if !ok || !bytes.HasPrefix(rest, []byte(" for an array with shape ")) || sp.isTalk() {
		return
	}
	operation, _, _ := bytes.Cut(rest[len(" for an "):], []byte("\\n"))
	s.fail(sp, oomdoc.ProgramError{
		Engine: oomdoc.EngineNumPy, Pool: oomdoc.PoolHost, Requested: size.of(), Grain: size.grain, Operation: keep(bytes.TrimSpace(operation)),
	})
}
