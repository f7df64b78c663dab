package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// hostMemory reads the refusals of programs that are no engine of ours but run
// beside them: databases, interpreters, compilers.
func hostMemory() []mark {
	return []mark{
		{"fork: Cannot allocate memory", hostRefused("")},
		{"Failed on request of size ", hostRefused("Failed on request of size ")}, // PostgreSQL, DETAIL
		{"LLVM ERROR: out of memory", hostRefused("")},
		{"[WinError 1455]", hostRefused("")}, // ERROR_COMMITMENT_LIMIT, "The paging file is too small"
		{"cannot allocate vector of size ", hostVector},
		{"Out Of Memory allocating ", hostRefused("Out Of Memory allocating ")}, // Redis, Valkey
		{"out of memory allocating ", hostRefused("out of memory allocating ")}, // GCC
		{"mysqld: Out of memory (Needed ", hostRefused("(Needed ")},
		{"failed to allocate memory (NoMemoryError)", hostRefused("")},
		{"Allowed memory size of ", hostPHP},
	}
}

// hostRefused reads a refusal whose size follows a text, in bytes. One without a
// size is a sentence that manuals have too, there indented.
func hostRefused(size string) func(*scene, *span) {
	return func(s *scene, sp *span) {
		e := oomdoc.ProgramError{Pool: oomdoc.PoolHost}
		if size != "" {
			if e.Requested = wholeAfter(sp.body, size); e.Requested == nil {
				return
			}
		} else if bytes.HasPrefix(sp.head, []byte("    ")) {
			return
		}
		if sp.isTalk() {
			return
		}
		s.fail(sp, e)
	}
}

// hostVector reads R's "Error: cannot allocate vector of size 7.5 Gb", whose Gb
// are 2^30 bytes (src/main/memory.c).
func hostVector(s *scene, sp *span) {
	a, _, ok := sizeAt(sp.rest(), []unitSize{{"Gb", gib}, {"Mb", mib}, {"Kb", kib}})
	if !ok || sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Pool: oomdoc.PoolHost, Requested: a.of(), Grain: a.grain})
}

// hostPHP reads "PHP Fatal error:  Allowed memory size of 134217728 bytes
// exhausted (tried to allocate 20480 bytes)": a limit of its own.
func hostPHP(s *scene, sp *span) {
	limit, rest, ok := whole(sp.rest())
	if !ok || !bytes.HasPrefix(rest, []byte(" bytes exhausted")) || sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{
		Pool: oomdoc.PoolRuntime, Refusal: oomdoc.RefusalCap, Limit: &limit, Requested: wholeAfter(rest, "tried to allocate "),
	})
}
