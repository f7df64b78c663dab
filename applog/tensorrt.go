package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// tensorrt reads TensorRT (the messages of its logger: "[TRT] [E] 2: [...] Error
// Code 2: OutOfMemory (...)").
func tensorrt() []mark {
	return []mark{
		{"rror Code 2: OutOfMemory", tensorrtRefused},
		{"rror Code 1: Cuda Runtime (out of memory)", tensorrtRefused},
		{"Requested amount of GPU memory (", tensorrtRefused},
		{"CUDA error 2 for ", tensorrtRefused},
		{"Cuda Error in ", tensorrtRefused}, // "Cuda Error in allocate: 2 (out of memory)", to 8.0
		{"Skipping tactic", tensorrtSkips},
	}
}

func tensorrtRefused(s *scene, sp *span) {
	if sp.isSpoken() {
		return
	}
	e := oomdoc.ProgramError{Engine: callerOf(sp.text, oomdoc.EngineTensorRT), Pool: oomdoc.PoolDevice}
	switch rest := sp.rest(); {
	case bytes.HasPrefix(sp.body, []byte("Cuda Error in ")):
		if !bytes.Contains(rest, []byte(": 2 (out of memory)")) {
			return
		}
	case bytes.HasPrefix(sp.body, []byte("Requested amount")):
		if !bytes.Contains(rest, []byte("could not be allocated")) {
			return
		}
		if n, _, ok := whole(rest); ok {
			e.Requested = &n
		}
	case bytes.HasPrefix(sp.body, []byte("CUDA error 2")):
		n, rest, ok := whole(rest)
		if !ok || !bytes.HasPrefix(rest, []byte("-byte allocation")) {
			return
		}
		e.Requested = &n
	default:
		e.Requested = wholeAfter(rest, "equested size was ")
	}
	s.fail(sp, e)
}

// tensorrtSkips reads that the builder tried a tactic for which there was no room
// and takes another.
func tensorrtSkips(s *scene, sp *span) {
	if bytes.Contains(sp.rest(), []byte("insufficient memory")) && s.open != nil && s.open.err.Raiser == oomdoc.EngineTensorRT {
		s.recovered(sp, true)
	}
}
