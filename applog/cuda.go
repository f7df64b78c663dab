package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// cuda reads the out-of-memory errors of the CUDA driver and runtime and of HIP by
// their names and in the words that programs without an engine of their own put
// around them: the macros of NVIDIA's samples, Thrust, OpenCV, Caffe, Paddle.
func cuda() []mark {
	marks := []mark{
		{"CUDA_ERROR_OUT_OF_MEMORY", cudaNamed},
		{"cudaErrorMemoryAllocation", cudaNamed},
		{"hipErrorOutOfMemory", cudaNamed},
		{"hipErrorMemoryAllocation", cudaNamed},
		{" failed: out of memory", cudaCall},
		{"Out of memory error on GPU ", cudaPaddle},
		{"terminate called after throwing an instance of '", cudaThrown},
		{"- Requested memory: ", cudaFigures},
		{"- Free memory: ", cudaFigures},
	}
	for _, form := range cudaForms() {
		marks = append(marks, mark{form.begin, cudaForm(form)})
	}
	return marks
}

// A cudaText is how a program reports an error of CUDA: what its line begins with,
// and what follows where the error is 2, cudaErrorMemoryAllocation.
type cudaText struct{ begin, has string }

func cudaForms() []cudaText {
	return []cudaText{
		{"GPUassert: ", "out of memory"},              // a macro that thousands copied
		{"CUDA Error: out of memory", ""},             // darknet; vLLM's cumem_allocator
		{"cudaSuccess (2 vs. 0)", "out of memory"},    // Caffe
		{":Gpu API call) out of memory", ""},          // OpenCV, error -217
		{"std::bad_alloc: out of memory", ""},         // Thrust; libstdc++ adds nothing
		{"Cuda error: 2[", "]"},                       // nvdiffrast
		{"CUDA error 2 [", "]: out of memory"},        // CUB
		{"CUDA runtime error: out of memory", ""},     // LMDeploy's TurboMind
		{"CUDA error at ", "out of memory"},           // the samples' older macros: "a.cu:30 - out of memory"
		{"CUresult error ", "result=2 "},              // torch_memory_saver
		{"ErrorOutOfMemory: The API call failed", ""}, // ManagedCuda
		{"CL_MEM_OBJECT_ALLOCATION_FAILURE", ""},      // OpenCL, by its name
	}
}

func cudaForm(form cudaText) func(*scene, *span) {
	return func(s *scene, sp *span) {
		if !bytes.Contains(sp.rest(), []byte(form.has)) || sp.isTalk() {
			return
		}
		s.failCUDA(sp, sp.rest())
	}
}

// failCUDA notes a refusal by a call of CUDA, of which the text may name which.
func (s *scene) failCUDA(sp *span, call []byte) *failure {
	e := oomdoc.ProgramError{Engine: callerOf(sp.text, oomdoc.EngineCUDA), Pool: oomdoc.PoolDevice}
	if isHostCall(call) {
		e.Pool = oomdoc.PoolHost
	}
	return s.fail(sp, e)
}

// cudaNamed reads "CUDA_ERROR_OUT_OF_MEMORY: out of memory", and "CUDA error at
// a.cu:30 code=2(cudaErrorMemoryAllocation) "cudaMalloc(&p, n)"" of the samples'
// helper_cuda.h. The name alone, as in a table of errors or a pointer to a manual,
// is no error.
func cudaNamed(s *scene, sp *span) {
	sample := bytes.HasSuffix(sp.head, []byte("code=2("))
	if sp.isTalk() || !sample && !bytes.Contains(sp.rest(), []byte("out of memory")) || bytes.HasSuffix(sp.head, []byte("`")) {
		return
	}
	if s.open != nil && s.open.trial {
		return // what it tried, in other words
	}
	if bytes.Contains(sp.head, []byte(" from device: ")) {
		return // tensorflow.go decides
	}
	s.failCUDA(sp, sp.text)
}

// cudaCall reads "cudaMalloc dev_pos failed: out of memory" and "cuMemAlloc failed:
// out of memory". What ggml says so of cudaMalloc is its own.
func cudaCall(s *scene, sp *span) {
	at := bytes.LastIndex(sp.head, []byte("cudaMalloc"))
	if at < 0 || bytes.HasSuffix(sp.head, []byte("cudaMalloc")) {
		if at = bytes.LastIndex(sp.head, []byte("cuMem")); at < 0 {
			return
		}
	}
	if (&span{line: sp.line, head: sp.head[:at]}).isTalk() {
		return
	}
	s.failCUDA(sp, sp.head[at:])
}

// cudaPaddle reads PaddlePaddle's "Out of memory error on GPU 0. Cannot allocate
// 1.200000GB memory on GPU 0, 10.600000GB memory has been allocated and available
// memory is only 160.562500MB."; its GB are 2^30 bytes (paddle/phi/core/memory).
func cudaPaddle(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.failWhole(sp, []string{"available memory is only"}, func(text []byte) (oomdoc.ProgramError, int) {
		e := oomdoc.ProgramError{Engine: oomdoc.EngineCUDA, Pool: oomdoc.PoolDevice}
		requested, free := sizeIn(text, "Cannot allocate ", shortUnits()), sizeIn(text, "available memory is only ", shortUnits())
		allocated := sizeIn(text, ", ", shortUnits())
		e.Requested, e.Free, e.Allocated, e.Grain = requested.of(), free.of(), allocated.of(), coarsest(requested, free, allocated)
		if rest, found := after(text, "on GPU "); found {
			if n, _, ok := small(rest); ok {
				e.Device = &n
			}
		}
		return e, known(e.Requested, e.Free, e.Allocated)
	})
}

// cudaThrown reads an exception of a library of CUDA that nobody caught: what it
// says stands in the lines below the name of its class.
func cudaThrown(s *scene, sp *span) {
	class, _, _ := bytes.Cut(sp.rest(), []byte("'"))
	if !containsAny(class, []string{"thrust::", "CUDA", "cuda"}) {
		return
	}
	left := 3
	s.read(func(l *line) bool {
		if _, says := l.cut("out of memory"); says && (s.open == nil || s.open.lastLine != s.desk.count) {
			s.failCUDA(&span{line: l, body: l.text}, l.text)
			return false
		}
		left--
		return left > 0
	})
}

// cudaFigures reads the figures that XGBoost prints below a refusal, in bytes.
func cudaFigures(s *scene, sp *span) {
	f := s.open
	n, rest, ok := whole(sp.rest())
	if f == nil || s.desk.count-f.lastLine > sameReport || !ok || len(bytes.TrimSpace(rest)) > 0 {
		return
	}
	var more oomdoc.ProgramError
	if sp.literal == "- Free memory: " {
		more.Free = &n
	} else {
		more.Requested = &n
	}
	f.complete(&more)
	s.more(sp)
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
