package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// rapids reads RMM, the memory manager of RAPIDS (rmm/mr: cuda_memory_resource,
// pool_memory_resource, limiting_resource_adaptor). Its errors are a std::bad_alloc
// in C++ and a MemoryError in Python, and yet the GPU's.
func rapids() []mark {
	return []mark{
		{"std::bad_alloc: out_of_memory: ", rmmRefused},
		{"std::bad_alloc: CUDA error", rmmRefused},
		{"std::bad_alloc: RMM failure at", rmmRefused},
	}
}

// rmmRefused reads, from the oldest to the newest:
//
//	std::bad_alloc: CUDA error at: /.../cuda_memory_resource.hpp:70: cudaErrorMemoryAllocation out of memory
//	std::bad_alloc: out_of_memory: RMM failure at:/.../pool_memory_resource.hpp:196: Maximum pool size exceeded
//	std::bad_alloc: out_of_memory: Maximum pool size exceeded (failed to allocate 8.000 GiB): Not enough room to grow, ...
//	std::bad_alloc: out_of_memory: CUDA error (failed to allocate 8589934592 bytes) at: ...: cudaErrorMemoryAllocation out of memory
//
// The pool's largest size and the limit are what the program was given.
func rmmRefused(s *scene, sp *span) {
	rest := sp.body
	if sp.isSpoken() || bytes.Contains(rest, []byte("CUDA error")) && !bytes.Contains(rest, []byte("out of memory")) {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineRAPIDS, Pool: oomdoc.PoolDevice}
	if a := sizeAfter(rest, "ailed to allocate "); a != nil {
		e.Requested, e.Grain = &a.bytes, a.grain
	}
	if containsAny(rest, []string{"Maximum pool size exceeded", "Exceeded memory limit"}) {
		e.Refusal = oomdoc.RefusalCap
	}
	if a := sizeAfter(rest, "current/max/try size = "); a != nil {
		if _, list, found := bytes.Cut(rest, []byte("current/max/try size = ")); found {
			if _, second, more := bytes.Cut(list, []byte(", ")); more {
				if limit, _, ok := sizeAt(second, units()); ok {
					e.Limit = &limit.bytes
				}
			}
		}
	}
	if bytes.Contains(rest, []byte("pinned")) {
		e.Pool = oomdoc.PoolHost
	}
	s.fail(sp, e)
}
