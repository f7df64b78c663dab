package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// cuda reads the out-of-memory errors of the CUDA driver and runtime and of HIP by
// their names, as programs without an engine of their own print them.
func cuda() []mark {
	return []mark{
		{"CUDA_ERROR_OUT_OF_MEMORY", cudaNamed},
		{"cudaErrorMemoryAllocation", cudaNamed},
		{"hipErrorOutOfMemory", cudaNamed},
		{"hipErrorMemoryAllocation", cudaNamed},
	}
}

// cudaNamed reads "CUDA_ERROR_OUT_OF_MEMORY: out of memory". The name alone, as in
// a table of errors or a pointer to a manual, is no error.
func cudaNamed(s *scene, sp *span) {
	if sp.isTalk() || !bytes.Contains(sp.rest(), []byte("out of memory")) || bytes.HasSuffix(sp.head, []byte("`")) {
		return
	}
	if s.open != nil && s.open.trial {
		return // what it tried, in other words
	}
	if bytes.Contains(sp.head, []byte(" from device: ")) {
		return // tensorflow.go decides
	}
	e := oomdoc.ProgramError{Engine: callerOf(sp.text, oomdoc.EngineCUDA), Pool: oomdoc.PoolDevice}
	if isHostCall(sp.text) {
		e.Pool = oomdoc.PoolHost
	}
	s.fail(sp, e)
}

// callerOf tells by what else a line says which engine called a library of CUDA,
// and gives the preset where it says nothing.
func callerOf(text []byte, preset string) string {
	for _, caller := range []struct{ text, engine string }{
		{"external/local_", oomdoc.EngineTensorFlow},
		{"external/xla", oomdoc.EngineJAX},
		{"external/org_tensorflow", oomdoc.EngineJAX},
		{"jaxlib", oomdoc.EngineJAX},
		{"tensorflow/", oomdoc.EngineTensorFlow},
		{"onnxruntime", oomdoc.EngineONNXRuntime},
		{"cupy", oomdoc.EngineCuPy},
		{"[TensorRT-LLM]", oomdoc.EngineTensorRTLLM},
		{"[TRT]", oomdoc.EngineTensorRT},
		{"numba", oomdoc.EngineNumba},
		{"/rmm/", oomdoc.EngineRAPIDS},
	} {
		if bytes.Contains(text, []byte(caller.text)) {
			return caller.engine
		}
	}
	return preset
}
