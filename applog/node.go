package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// node reads the last words of V8 when a heap is full (src/api/api.cc,
// V8::FatalProcessOutOfMemory; src/node_errors.cc and src/node_worker.cc of
// Node.js). The limit is the runtime's own.
func node() []mark {
	return []mark{
		{"- JavaScript heap out of memory", nodeRefused},
		{"Allocation failed - process out of memory", nodeRefused}, // to 7
		{"Fatal JavaScript out of memory: ", nodeRefused},          // 20 and later, Electron
		{"[ERR_WORKER_OUT_OF_MEMORY]", nodeRefused},
		{"RangeError: Array buffer allocation failed", nodeBuffer},
		{"Mark-Compact ", nodeCollects}, // 20 and later
		{"Mark-sweep ", nodeCollects},
		{"Mark-Compact (reduce) ", nodeCollects},
	}
}

func nodeRefused(s *scene, sp *span) {
	head := bytes.TrimSpace(sp.head)
	if !bytes.Contains(head, []byte("FATAL ERROR:")) && !bytes.HasSuffix(head, []byte("#")) && sp.isTalk() {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineNode, Pool: oomdoc.PoolRuntime, Refusal: oomdoc.RefusalCap}
	if c := s.clue(oomdoc.ClueHeapUse, near); c != nil {
		e.InUse, e.Grain = c.Bytes, mib/20
	}
	s.fail(sp, e)
}

// nodeBuffer reads that memory outside the heap was refused.
func nodeBuffer(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineNode, Pool: oomdoc.PoolHost})
}

// nodeCollects reads a line of "Last few GCs": "[15837:0x4443fe20] 901 ms:
// Mark-Compact 59.8 (92.9) -> 59.8 (92.9) MB, 257.16 / 0.00 ms": what is in use
// after the collection. V8's MB are 2^20 bytes.
func nodeCollects(s *scene, sp *span) {
	left, found := after(sp.rest(), ") -> ")
	if !found || !bytes.Contains(sp.head, []byte(" ms: ")) {
		return
	}
	n, _, ok := decimal(left)
	if !ok || !bytes.Contains(left, []byte(") MB, ")) {
		return
	}
	c := sp.clue(oomdoc.ClueHeapUse)
	c.Bytes = scaled(n, mib)
	s.note(c)
}
