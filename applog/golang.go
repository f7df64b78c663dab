package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// golang reads the end of a Go program that the kernel refused memory
// (src/runtime/malloc.go, mem_linux.go).
func golang() []mark {
	return []mark{
		{"runtime: out of memory: cannot allocate ", goRefused},
		{"fatal error: out of memory", goFatal},
		{"fatal error: runtime: out of memory", goFatal},
		{"fatal error: runtime: cannot allocate memory", goFatal},
		{"runtime: cannot allocate heap metadata", goFatal},
		{"runtime: cannot reserve arena virtual address space", goFatal},
	}
}

// goRefused reads "runtime: out of memory: cannot allocate 8388608-byte block
// (4030595072 in use)".
func goRefused(s *scene, sp *span) {
	n, rest, ok := whole(sp.rest())
	if sp.isTalk() || !ok || !bytes.HasPrefix(rest, []byte("-byte block")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{
		Engine: oomdoc.EngineGo, Pool: oomdoc.PoolHost, Requested: &n, InUse: wholeAfter(rest, "("),
	})
}

// goFatal reads the fatal error alone; compilers and others begin theirs with
// the same words, with more behind them.
func goFatal(s *scene, sp *span) {
	if sp.isTalk() || !endsName(bytes.TrimSpace(sp.rest())) || bytes.HasPrefix(sp.rest(), []byte(":")) {
		return
	}
	head := bytes.TrimSpace(sp.head)
	if len(head) > 0 && !startsError(sp.head) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineGo, Pool: oomdoc.PoolHost})
}
