package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// tensorrtLLM reads TensorRT-LLM: its C++ runtime ("[TensorRT-LLM][ERROR]") and
// its PyTorch backend (tensorrt_llm/_torch/pyexecutor/py_executor_creator.py).
func tensorrtLLM() []mark {
	return []mark{
		{"[TensorRT-LLM]", ranIn(oomdoc.EngineTensorRTLLM)},
		{"[TRT-LLM]", ranIn(oomdoc.EngineTensorRTLLM)},
		{"Executor creation failed due to insufficient GPU memory", tensorrtLLMExecutor},
		{"CUDA runtime error in ", tensorrtLLMRuntime},
	}
}

// tensorrtLLMExecutor reads the explanation of a failed start, with the lines:
//
//	The following component could not be created: KV cache
//	Total GPU memory (GiB): 79.11
//	Free GPU memory before component creation attempt (GiB): 3.20
func tensorrtLLMExecutor(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	f := s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineTensorRTLLM, Pool: oomdoc.PoolDevice})
	if f == nil {
		return
	}
	left := 8
	s.read(func(l *line) bool {
		var more oomdoc.ProgramError
		if component, found := after(l.text, "component could not be created: "); found {
			f.err.Operation, f.err.Phase = keep(component), tensorrtLLMPhase(component)
		} else if n := decimalAfter(l.text, "Total GPU memory (GiB): "); n != nil {
			more.Total = scaled(*n, gib)
		} else if n := decimalAfter(l.text, "before component creation attempt (GiB): "); n != nil {
			more.Free = scaled(*n, gib)
		} else {
			left--
			return left > 0
		}
		f.complete(&more)
		f.add(s, l, f.last)
		return true
	})
}

func tensorrtLLMPhase(component []byte) oomdoc.Phase {
	switch {
	case bytes.Contains(component, []byte("KV cache")):
		return oomdoc.PhaseKVCache
	case bytes.Contains(component, []byte("odel")):
		return oomdoc.PhaseWeights
	}
	return oomdoc.PhaseCompute
}

// tensorrtLLMRuntime reads "CUDA runtime error in ::cudaMallocAsync(ptr, n,
// stream): out of memory (/src/tensorrt_llm/...)".
func tensorrtLLMRuntime(s *scene, sp *span) {
	call, _, is := bytes.Cut(sp.rest(), []byte(": out of memory"))
	if !is || !bytes.Contains(sp.head, []byte("[TensorRT-LLM]")) && sp.isSpoken() {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineTensorRTLLM, Pool: oomdoc.PoolDevice, Operation: keep(call)}
	if isHostCall(call) {
		e.Pool = oomdoc.PoolHost
	}
	s.fail(sp, e)
}

// isHostCall tells the calls of CUDA that take the machine's memory.
func isHostCall(call []byte) bool {
	return containsAny(call, []string{"cudaMallocHost", "cudaHostAlloc", "cudaHostRegister", "cuMemHostAlloc", "cuMemAllocHost", "cuMemHostRegister"})
}
