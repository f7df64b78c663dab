package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// faiss reads Faiss (faiss/gpu/StandardGpuResources.cpp): "StandardGpuResources:
// alloc fail type IVFLists dev 0 space Device stream 0x5581d0 size 3221225472
// bytes (cudaMalloc error out of memory [2])"; with cuVS the bracket says "CUDA
// memory allocation error". Before 1.7 it was "failed to cudaMalloc 1610612736
// bytes (error 2 out of memory)".
func faiss() []mark {
	return []mark{
		{"StandardGpuResources: alloc fail ", faissRefused},
		{"(cudaMalloc error out of memory", faissEnds},
		{"ailed to cudaMalloc ", faissOld},
	}
}

// faissEnds reads the end of the sentence, which is long and often broken into
// lines before it.
func faissEnds(s *scene, sp *span) {
	if s.open != nil && s.open.lastLine == s.desk.count || sp.isSpoken() {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineFaiss, Pool: oomdoc.PoolDevice}
	if size, found := bytes.CutSuffix(bytes.TrimRight(sp.head, " "), []byte(" bytes")); found {
		if n, rest, ok := whole(size[bytes.LastIndexByte(size, ' ')+1:]); ok && len(rest) == 0 {
			e.Requested = &n
		}
	}
	if device, found := after(sp.head, "dev "); found {
		if n, _, ok := small(device); ok {
			e.Device = &n
		}
	}
	s.fail(sp, e)
}

func faissRefused(s *scene, sp *span) {
	if sp.isSpoken() {
		return
	}
	rest := sp.rest()
	e := oomdoc.ProgramError{Engine: oomdoc.EngineFaiss, Pool: oomdoc.PoolDevice, Requested: wholeAfter(rest, "size ")}
	if device, found := after(rest, "dev "); found {
		if n, _, ok := small(device); ok {
			e.Device = &n
		}
	}
	if kind, found := after(rest, "type "); found {
		kind, _, _ = bytes.Cut(kind, []byte(" "))
		e.Operation = keep(kind)
	}
	if bytes.Contains(rest, []byte("space Temporary")) || bytes.HasPrefix([]byte(e.Operation), []byte("Temporary")) {
		e.Phase = oomdoc.PhaseCompute
	}
	s.fail(sp, e)
}

func faissOld(s *scene, sp *span) {
	n, rest, ok := whole(sp.rest())
	if !ok || sp.isSpoken() || !bytes.Contains(rest, []byte("error 2")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineFaiss, Pool: oomdoc.PoolDevice, Requested: &n})
}
