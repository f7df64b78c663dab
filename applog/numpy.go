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
	if bytes.HasPrefix(sp.rest(), []byte("array with shape ")) && !sp.isTalk() { // 1.17: no size, but what it is made of
		s.fail(sp, oomdoc.ProgramError{
			Engine: oomdoc.EngineNumPy, Pool: oomdoc.PoolHost, Requested: arrayBytes(sp.rest()), Operation: keep(bytes.TrimSpace(sp.rest())),
		})
		return
	}
	size, rest, ok := sizeAt(sp.rest(), append(units(), unitSize{"PiB", 1 << 50}, unitSize{"EiB", 1 << 60}))
	if !ok || !bytes.HasPrefix(rest, []byte(" for an array with shape ")) || sp.isTalk() {
		return
	}
	operation, _, _ := bytes.Cut(rest[len(" for an "):], []byte("\\n"))
	s.fail(sp, oomdoc.ProgramError{
		Engine: oomdoc.EngineNumPy, Pool: oomdoc.PoolHost, Requested: size.of(), Grain: size.grain, Operation: keep(bytes.TrimSpace(operation)),
	})
}

// arrayBytes is the size of "array with shape (9681, 9681) and data type float64".
func arrayBytes(text []byte) *int64 {
	text = bytes.ReplaceAll(text, []byte("("), []byte("["))
	return tensorBytes(bytes.ReplaceAll(text, []byte(")"), []byte("]")))
}
