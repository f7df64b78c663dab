package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// cupy reads CuPy (cupy/cuda/memory.pyx): "Out of memory allocating 8,589,934,592
// bytes (allocated so far: 4,294,967,296 bytes, limit set to: 5,368,709,120
// bytes)."; before 6.0 "out of memory to allocate 8589934592 bytes (total
// 8589934592 bytes)".
func cupy() []mark {
	return []mark{
		{"(allocated so far: ", cupyRefused},
		{"ut of memory to allocate ", cupyOld},
	}
}

func cupyRefused(s *scene, sp *span) {
	before, _, found := bytes.Cut(sp.text, []byte("ut of memory allocating "))
	if !found || (&span{line: sp.line, head: before}).isTalk() {
		return
	}
	e := oomdoc.ProgramError{
		Engine: oomdoc.EngineCuPy, Pool: oomdoc.PoolDevice,
		Requested: groupedAfter(sp.head, "ut of memory allocating "), Allocated: groupedAfter(sp.body, "(allocated so far: "),
		Allowed: groupedAfter(sp.body, "limit set to: "),
	}
	if e.Requested == nil {
		return
	}
	if e.Allowed != nil {
		e.Refusal = oomdoc.RefusalCap
	}
	s.fail(sp, e)
}

func cupyOld(s *scene, sp *span) {
	n, rest, ok := grouped(sp.rest())
	total := groupedAfter(rest, "(total ")
	if !ok || total == nil || sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineCuPy, Pool: oomdoc.PoolDevice, Requested: &n, Allocated: total})
}
