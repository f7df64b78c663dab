package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// rust reads "memory allocation of 268435456 bytes failed", with which Rust's
// standard library aborts (library/std/src/alloc.rs).
func rust() []mark { return []mark{{"memory allocation of ", rustRefused}} }

func rustRefused(s *scene, sp *span) {
	n, rest, ok := whole(sp.rest())
	if sp.isTalk() || !ok || !bytes.HasPrefix(rest, []byte(" bytes failed")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineRust, Pool: oomdoc.PoolHost, Requested: &n})
}
