package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// onnxRuntime reads ONNX Runtime (core/framework/bfc_arena.cc,
// core/providers/cuda/cuda_call.cc). Its arena prints the same text for a GPU and
// for the CPU: which it was, the session's providers tell.
func onnxRuntime() []mark {
	return []mark{
		{"[E:onnxruntime:", ranIn(oomdoc.EngineONNXRuntime)},
		{"[ONNXRuntimeError]", ranIn(oomdoc.EngineONNXRuntime)},
		{"ExecutionProvider", onnxProvider},
		{"ailed to allocate memory for requested buffer of size ", onnxRefused},
		{"Available memory of ", onnxLimit},
		{"CUDA failure 2: out of memory", onnxCUDA},
		{"CUDA error 2: out of memory", onnxCUDA},
		{"CUBLAS failure 3: ", onnxLibrary},
		{"CUDNN failure ", onnxLibrary},
	}
}

// onnxProvider reads on what the session runs: "Applied providers:
// ['CUDAExecutionProvider', 'CPUExecutionProvider']", or that it could not have
// the GPU and falls back.
func onnxProvider(s *scene, sp *span) {
	text := sp.text
	gpu := containsAny(text, []string{
		"CUDAExecutionProvider", "ROCMExecutionProvider", "MIGraphXExecutionProvider", "TensorrtExecutionProvider", "DmlExecutionProvider",
	})
	refused := containsAny(text, []string{
		"is not in available provider", "not available", "Failed to create ", "Falling back to ['CPUExecutionProvider']",
		"Fallback to CPU", "Please reference",
	})
	s.is(oomdoc.EngineONNXRuntime)
	switch {
	case gpu && !refused:
		s.pool = oomdoc.PoolDevice
	case refused, bytes.Contains(text, []byte("CPUExecutionProvider")) && s.pool == "":
		s.pool = oomdoc.PoolHost
	}
}

// onnxPool is whose memory the session uses. Where nothing tells, it is the
// GPU's: on the CPU the arena is rarely what refuses.
func onnxPool(s *scene) oomdoc.Pool {
	if s.pool != "" {
		return s.pool
	}
	return oomdoc.PoolDevice
}

func isOnnx(s *scene, sp *span) bool {
	return containsAny(sp.head, []string{"onnxruntime", "BFCArena", "bfc_arena", "ONNXRuntimeError"}) || s.isRunning(oomdoc.EngineONNXRuntime)
}

// onnxRefused reads "... BFCArena::AllocateRawInternal(size_t, bool,
// onnxruntime::Stream*) Failed to allocate memory for requested buffer of size
// 4531027968".
func onnxRefused(s *scene, sp *span) {
	n, _, ok := whole(sp.rest())
	if !ok || sp.isSpoken() || !isOnnx(s, sp) {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineONNXRuntime, Pool: onnxPool(s), Requested: &n, Operation: onnxNode(sp.head)}
	if e.Operation != "" {
		e.Phase = oomdoc.PhaseCompute
	}
	s.fail(sp, e)
}

// onnxNode reads the node that ran: "while running Conv node. Name:'/cnn/Conv'".
func onnxNode(head []byte) string {
	rest, found := after(head, "while running ")
	if !found {
		return ""
	}
	kind, rest, found := bytes.Cut(rest, []byte(" node"))
	if !found {
		return ""
	}
	if name, named := after(rest, "Name:'"); named {
		name, _, _ = bytes.Cut(name, []byte("'"))
		kind = append(append(bytes.Clone(kind), ' '), name...)
	}
	return keep(kind)
}

// onnxLimit reads "Available memory of 1048576 is smaller than requested bytes of
// 4194304": what gpu_mem_limit leaves.
func onnxLimit(s *scene, sp *span) {
	free, rest, ok := whole(sp.rest())
	requested := wholeAfter(rest, "smaller than requested bytes of ")
	if !ok || requested == nil || sp.isSpoken() {
		return
	}
	e := oomdoc.ProgramError{
		Engine: oomdoc.EngineONNXRuntime, Pool: onnxPool(s), Refusal: oomdoc.RefusalCap, Requested: requested, Free: &free,
		Operation: onnxNode(sp.head),
	}
	s.fail(sp, e)
}

// onnxCUDA reads "CUDA failure 2: out of memory ; GPU=0 ; hostname=h ; file=f ;
// line=n ; expr=cudaMalloc((void**)&p, size);".
func onnxCUDA(s *scene, sp *span) {
	if sp.isSpoken() {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineONNXRuntime, Pool: oomdoc.PoolDevice}
	if rest, found := after(sp.rest(), "GPU="); found {
		if n, _, ok := small(rest); ok {
			e.Device = &n
		}
	}
	if call, found := after(sp.rest(), "expr="); found {
		e.Operation = keep(bytes.TrimRight(call, "; "))
		if isHostCall(call) {
			e.Pool = oomdoc.PoolHost
		}
	}
	s.fail(sp, e)
}

// onnxLibrary reads "CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED ; GPU=0 ; ...".
func onnxLibrary(s *scene, sp *span) {
	if sp.isSpoken() || !bytes.Contains(sp.rest(), []byte("_ALLOC_FAILED")) {
		return
	}
	onnxCUDA(s, sp)
}
