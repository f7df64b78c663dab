package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// ggml reads the refusals of ggml, the library below llama.cpp, Ollama, LM Studio,
// koboldcpp, whisper.cpp and stable-diffusion.cpp (ggml/src/ggml-alloc.c,
// ggml-backend.cpp and the folder of each backend). Which buffer did not fit says
// whose memory it was; the lines after it say what it was for.
func ggml() []mark {
	return []mark{
		{"Malloc failed: ", ggmlMalloc},
		{"buffer of size ", ggmlBuffer},
		{"unable to allocate ", ggmlWeights},
		{"error loading model: ", ggmlLoading},
		{"failed to allocate buffer for ", ggmlCache},
		{"kv_cache_init() failed for ", ggmlCache},
		{"failed to allocate memory for the kv cache", ggmlCache},
		{"failed to allocate compute ", ggmlCompute},
		{"failed to allocate the compute buffer", ggmlCompute},
		{"failed to allocate compute buffer", ggmlCompute},
		{"ggml_aligned_malloc: insufficient memory", ggmlAligned},
		{`data != NULL && "failed to allocate buffer"`, ggmlAligned},
		{"memory on device", ggmlSYCL},
		{"ggml_vulkan: ", ggmlVulkan},
		{"vk::OutOfDeviceMemoryError", ggmlVulkanThrown},
		{"CUDA error: out of memory", ggmlRuntime},
		{"ROCm error: out of memory", ggmlRuntime},
		{"MUSA error: out of memory", ggmlRuntime},
		{" error: the resource allocation failed", ggmlRuntime}, // CUBLAS_STATUS_ALLOC_FAILED
		{"CUDA error 2 at ", ggmlRuntime},
		{"current device: ", ggmlDevice},
		{"cuMemCreate(&handle", ggmlCall},
		{"ggml-cuda.cu:", ggmlCall},

		{"retrying without pipeline parallelism", ggmlRetries},
		{"exiting due to model loading error", ggmlEnds},
		{"failed to load model", ggmlEnds},
		{"ailed to load model from file", ggmlEnds},
		{"failed to create context with model", ggmlEnds},
		{"Failed to create llama_context", ggmlEnds},
	}
}

// A ggmlState is what a scene remembers of ggml's own lines.
type ggmlState struct {
	device   *int   // of the last "current device: 0"
	deviceAt uint64 // where that stood
	stopped  uint64 // where the program said that it ends its own runner
}

// sameReport is how many lines the parts of one report of ggml stand apart.
const sameReport = 8

// ggmlQuoted tells a line that speaks of the error. What stands before the
// function's name is a logger's, or the sentence of a program that passes it on.
func ggmlQuoted(s *scene, sp *span) bool {
	if f := s.open; f != nil && f.lastLine == s.desk.count {
		return false // the sentence before it was no quotation
	}
	whole := *sp
	for _, start := range []string{"ggml_", "alloc_tensor_range", "llama_", "whisper_", "cudaMalloc", "hipMalloc", "graph_reserve", "sched_reserve"} {
		if at := bytes.Index(whole.head, []byte(start)); at >= 0 {
			whole.head = whole.head[:at]
		}
	}
	for _, call := range []string{"cuda", "hip", "musa", "aclrt"} { // "cudaMalloc failed"
		whole.head = bytes.TrimSuffix(whole.head, []byte(call))
	}
	if isString(whole.head) {
		return true
	}
	whole.head = lastLine(whole.head)
	if isLogger(whole.head) {
		return false
	}
	return whole.isTalk()
}

// isString tells a string in a program's source: the text begins in quotation
// marks that no field of a log and no exception opened.
func isString(head []byte) bool {
	head = bytes.TrimSpace(head)
	at := bytes.LastIndexAny(head, "\"'`")
	if at < 0 {
		return false
	}
	before := bytes.TrimRight(head[:at], ` \\`)
	switch {
	case len(before) == 0, bytes.HasSuffix(head[:at], []byte("= ")), bytes.HasSuffix(head[:at], []byte("=> ")):
		return true
	case bytes.HasSuffix(before, []byte("(")):
		return !bytes.HasSuffix(before, []byte("Error(")) && !bytes.HasSuffix(before, []byte("Exception("))
	}
	return bytes.IndexByte([]byte("[{,"), before[len(before)-1]) >= 0
}

// lastLine is the last line of a text in which the ends of lines are written "\n".
func lastLine(head []byte) []byte {
	if at := bytes.LastIndex(head, []byte(`\n`)); at >= 0 {
		return head[at+len(`\n`):]
	}
	return head
}

// isLogger tells the fields of a structured log, whose message may be any
// sentence: time=... level=ERROR msg="error loading llama server" error=".
func isLogger(head []byte) bool {
	return bytes.Contains(head, []byte(" level=")) || bytes.HasPrefix(head, []byte("level=")) ||
		bytes.Contains(head, []byte(`"error":`)) || bytes.Contains(head, []byte(`"level":`))
}

// fromGGML begins the error of a line.
func fromGGML() oomdoc.ProgramError {
	return oomdoc.ProgramError{Engine: oomdoc.EngineLlamaCpp, Pool: oomdoc.PoolDevice}
}

// ggmlMalloc reads "ggml_backend_cuda_buffer_type_alloc_buffer: allocating
// 19841.31 MiB on device 0: cudaMalloc failed: out of memory". The index counts
// the devices that the program sees. ROCm builds say cudaMalloc too; CANN's call
// is aclrtMalloc. A program of its own may say the end alone.
func ggmlMalloc(s *scene, sp *span) {
	cann := bytes.HasSuffix(sp.head, []byte("aclrt"))
	if !cann && !bytes.HasPrefix(sp.rest(), []byte("out of memory")) || ggmlQuoted(s, sp) {
		return
	}
	e := fromGGML()
	_, allocating, isGGML := afterLast(sp.head, "allocating ")
	if isGGML {
		requested := sizeBefore(allocating, " on device ")
		e.Requested, e.Grain = requested.of(), coarsest(requested)
		if n := wholeAfter(allocating, " on device "); n != nil {
			e.Device = new(int(min(*n, maxDevice)))
		}
	} else if !bytes.Contains(sp.head, []byte("llama")) && !bytes.Contains(sp.head, []byte("ggml")) {
		if cann {
			return
		}
		e.Engine = oomdoc.EngineCUDA
	}
	if e.Engine == oomdoc.EngineLlamaCpp {
		s.is(oomdoc.EngineLlamaCpp)
	}
	s.fail(sp, e)
}

const maxDevice = 1 << 10

// ggmlBuffer reads "alloc_tensor_range: failed to allocate CUDA0 buffer of size
// 20805120000" (weights or KV cache) and "ggml_gallocr_reserve_n: failed to
// allocate ..." (scratch space). The host's malloc names no buffer.
func ggmlBuffer(s *scene, sp *span) {
	function, name, found := afterLast(sp.head, "failed to allocate ")
	if !found {
		return
	}
	name = bytes.TrimSuffix(name, []byte(" "))
	if bytes.IndexByte(name, ' ') >= 0 || ggmlQuoted(s, sp) {
		return
	}
	function = lastLine(function)
	e := fromGGML()
	if string(name) == "output" { // of the host: logits are copied there
		size := sizeAfter(sp.body, sp.literal)
		if size == nil {
			return
		}
		e.Requested, e.Grain, e.Pool, e.Phase = size.of(), size.grain, oomdoc.PoolHost, oomdoc.PhaseCompute
	} else {
		if !isAllocator(function) {
			return
		}
		n, _, ok := whole(sp.rest())
		if !ok {
			return
		}
		e.Requested = &n
		e.DeviceName = keep(name)
		e.Device = deviceIn(name)
		if isHostBuffer(name) {
			e.Pool, e.Device = oomdoc.PoolHost, nil
		}
	}
	if bytes.Contains(function, []byte("gallocr")) {
		e.Phase = oomdoc.PhaseCompute
	}
	s.is(oomdoc.EngineLlamaCpp)
	f := s.fail(sp, e)
	f.does(e.Phase)
	f.unite()
	if f != nil && e.Pool == oomdoc.PoolHost {
		// "CUDA_Host" and "CPU" are the machine's RAM, whatever call refused it.
		f.err.Pool, f.err.Device, f.err.DeviceName = e.Pool, nil, e.DeviceName
	}
}

// isAllocator tells the functions of ggml that print that a buffer did not fit.
func isAllocator(function []byte) bool {
	for _, name := range []string{"alloc_tensor_range", "gallocr_", "alloc_ctx_tensors", "buffer_type_alloc_buffer", "ggml_backend_", "ggml_vbuffer"} {
		if bytes.Contains(function, []byte(name)) {
			return true
		}
	}
	return false
}

// isHostBuffer tells the buffers that lie in the machine's RAM: CPU, CPU_Mapped,
// CPU_REPACK, CUDA_Host, ROCm_Host, Vulkan_Host; and what has no name.
func isHostBuffer(name []byte) bool {
	return len(name) == 0 || bytes.HasPrefix(name, []byte("CPU")) || bytes.HasSuffix(name, []byte("_Host")) || string(name) == "Host"
}

// deviceIn reads the index of "CUDA1" or "ROCm0".
func deviceIn(name []byte) *int {
	at := len(name)
	for at > 0 && isDigit(name[at-1]) {
		at--
	}
	if n, _, ok := small(name[at:]); ok && at > 0 && n <= maxDevice && startsWord(name) {
		return &n
	}
	return nil
}

// ggmlWeights reads "error loading model: unable to allocate CUDA0 buffer".
func ggmlWeights(s *scene, sp *span) {
	name, rest, found := bytes.Cut(sp.rest(), []byte(" buffer"))
	if !found || len(name) == 0 || bytes.IndexByte(name, ' ') >= 0 || startsWord(rest) || ggmlQuoted(s, sp) {
		return
	}
	ggmlFollows(s, sp, oomdoc.PhaseWeights, name)
}

// ggmlLoading reads the reasons of llama_model_load that name no buffer.
func ggmlLoading(s *scene, sp *span) {
	rest := sp.rest()
	switch {
	case ggmlQuoted(s, sp):
	case bytes.HasPrefix(rest, []byte("failed to allocate buffer")), bytes.HasPrefix(rest, []byte("unable to allocate backend buffer")):
		ggmlFollows(s, sp, oomdoc.PhaseWeights, nil)
	case bytes.Contains(rest, []byte("ErrorOutOfDeviceMemory")):
		ggmlFollows(s, sp, oomdoc.PhaseWeights, []byte("Vulkan"))
	case bytes.Contains(rest, []byte("Cannot allocate memory")), bytes.HasPrefix(rest, []byte("std::bad_alloc")):
		ggmlFollows(s, sp, oomdoc.PhaseWeights, []byte("CPU"))
	}
}

// ggmlCache reads that the buffer of the KV cache was the one that did not fit, or
// that of the state of a recurrent model.
func ggmlCache(s *scene, sp *span) {
	rest := sp.rest()
	switch {
	case ggmlQuoted(s, sp):
		return
	case bytes.HasPrefix(rest, []byte("kv cache")), bytes.HasPrefix(rest, []byte("rs cache")), bytes.HasPrefix(rest, []byte("recurrent")):
	case sp.literal != "failed to allocate buffer for ":
	default:
		return
	}
	ggmlFollows(s, sp, oomdoc.PhaseKVCache, nil)
}

// ggmlCompute reads that scratch space did not fit. The retry that llama.cpp makes
// says so in the same words.
func ggmlCompute(s *scene, sp *span) {
	if !ggmlQuoted(s, sp) {
		ggmlFollows(s, sp, oomdoc.PhaseCompute, nil)
	}
}

// ggmlFollows takes what a line says of the refusal before it. Where the log does
// not have that one, it is the refusal itself.
func ggmlFollows(s *scene, sp *span, phase oomdoc.Phase, buffer []byte) {
	if f := s.more(sp); f != nil && !f.ended {
		f.does(phase)
		f.lies(buffer)
		return
	}
	e := fromGGML()
	e.Phase, e.DeviceName, e.Device = phase, keep(buffer), deviceIn(buffer)
	if len(buffer) > 0 && isHostBuffer(buffer) || s.runsOnCPU() {
		e.Pool, e.Device = oomdoc.PoolHost, nil
	}
	s.is(oomdoc.EngineLlamaCpp)
	s.fail(sp, e).unite()
}

// runsOnCPU tells a model of which no layer was put on a GPU.
func (s *scene) runsOnCPU() bool {
	for i := range s.clues {
		if c := &s.clues[i]; c.Kind == oomdoc.ClueLayers && c.N != nil && c.Of != nil {
			return *c.N == 0
		}
	}
	return false
}

// ggmlAligned reads the refusals of old ggml's own allocation on the host.
func ggmlAligned(s *scene, sp *span) {
	if ggmlQuoted(s, sp) {
		return
	}
	e := fromGGML()
	e.Pool = oomdoc.PoolHost
	if size := sizeIn(sp.body, "attempted to allocate ", shortUnits()); size != nil {
		e.Requested, e.Grain = size.of(), size.grain
	}
	s.is(oomdoc.EngineLlamaCpp)
	s.fail(sp, e)
}

// ggmlSYCL reads "can't allocate 4294967296 Bytes of memory on device".
func ggmlSYCL(s *scene, sp *span) {
	_, amount, found := afterLast(sp.head, "can't allocate ")
	if !found {
		if _, amount, found = afterLast(sp.head, "can't malloc "); !found {
			return
		}
	}
	n, unit, ok := whole(amount)
	if !ok || !bytes.HasPrefix(unit, []byte(" Bytes")) {
		return
	}
	e := fromGGML()
	e.Requested = &n
	if at := wholeAfter(sp.body, sp.literal); at != nil {
		e.Device = new(int(min(*at, maxDevice)))
	}
	s.is(oomdoc.EngineLlamaCpp)
	s.fail(sp, e).unite()
}

// ggmlVulkan reads "ggml_vulkan: Device memory allocation of size 4177920000
// failed." and the reason on the line after it: the device, the host, or that one
// buffer may not be as large, which says nothing of the card.
func ggmlVulkan(s *scene, sp *span) {
	rest := sp.rest()
	switch {
	case bytes.HasPrefix(rest, []byte("Device memory allocation of size ")):
		if ggmlQuoted(s, sp) {
			return
		}
		e := fromGGML()
		e.Requested = wholeAfter(rest, "of size ")
		s.is(oomdoc.EngineLlamaCpp)
		s.fail(sp, e).unite()
	case bytes.Contains(rest, []byte("exceeds device ")): // "buffer size limit", "memory allocation limit"
		if f := s.more(sp); f != nil {
			f.err.Refusal, f.err.LimitLine = oomdoc.RefusalCap, sp.shows()
		}
	case bytes.HasPrefix(rest, []byte("Failed to allocate pinned memory")): // it takes pageable memory
	case bytes.Contains(rest, []byte("ErrorOutOfHostMemory")):
		if f := s.more(sp); f != nil {
			f.err.Pool, f.err.Device = oomdoc.PoolHost, nil
		}
	case bytes.Contains(rest, []byte("ErrorOutOfDeviceMemory")):
		s.more(sp)
	case bytes.Contains(rest, []byte("| uma: 1")):
		n, _, ok := small(rest)
		if ok {
			s.shares("Vulkan", n, sp)
		}
	}
}

// ggmlVulkanThrown reads the exception that nobody caught.
func ggmlVulkanThrown(s *scene, sp *span) {
	if sp.isTalk() && !bytes.Contains(sp.head, []byte("terminate called after throwing")) {
		return
	}
	s.is(oomdoc.EngineLlamaCpp)
	s.fail(sp, fromGGML()).unite()
}

// ggmlRuntime reads a refusal while the model was at work: a pool of the backend
// had to grow and the card was full. Beside PyTorch's own reading of the first
// text, which has no more to say than that it was CUDA's.
func ggmlRuntime(s *scene, sp *span) {
	f := s.open
	if sp.literal != "CUDA error: out of memory" {
		if !containsAny(sp.body, []string{"out of memory", "allocation failed"}) || ggmlQuoted(s, sp) {
			return
		}
		s.is(oomdoc.EngineLlamaCpp)
		f = s.fail(sp, fromGGML())
	}
	if f == nil || f.lastLine != s.desk.count {
		return
	}
	if s.ggml.device != nil && s.desk.count-s.ggml.deviceAt <= sameReport {
		s.grew(f)
	}
}

// ggmlDevice reads "  current device: 0, in function alloc at .../ggml-cuda.cu:384"
// of a CUDA call that failed for any reason: it counts beside one that was out of
// memory, before or after it.
func ggmlDevice(s *scene, sp *span) {
	n, rest, ok := small(sp.rest())
	if !ok || !bytes.HasPrefix(rest, []byte(", in function ")) || n > maxDevice {
		return
	}
	s.is(oomdoc.EngineLlamaCpp)
	s.ggml.device, s.ggml.deviceAt = &n, s.desk.count
	if f := s.open; f != nil && s.desk.count-f.lastLine <= sameReport && f.isCUDAs() {
		s.more(sp)
		s.grew(f)
	}
}

// grew notes that a pool of the backend could not grow.
func (s *scene) grew(f *failure) {
	if f.err.Device == nil {
		f.err.Device = s.ggml.device
	}
	if f.err.Raiser == oomdoc.EngineCUDA || f.err.Raiser == oomdoc.EnginePyTorch {
		f.err.Engine, f.err.Raiser = oomdoc.EngineLlamaCpp, oomdoc.EngineLlamaCpp
	}
	f.does(oomdoc.PhaseRun)
	f.unite()
}

// isCUDAs tells an error that CUDA's or HIP's own text began.
func (f *failure) isCUDAs() bool { return f.err.Requested == nil && f.err.Pool == oomdoc.PoolDevice }

// ggmlCall reads the call that failed. Until 2023 "ggml-cuda.cu:5048: out of
// memory" was all that there was.
func ggmlCall(s *scene, sp *span) {
	f := s.open
	if _, rest, ok := whole(sp.rest()); ok && bytes.HasPrefix(rest, []byte(": out of memory")) && (f == nil || f.lastLine != s.desk.count) {
		if !ggmlQuoted(s, sp) {
			s.is(oomdoc.EngineLlamaCpp)
			s.fail(sp, fromGGML())
		}
		return
	}
	if f == nil || s.desk.count-f.lastLine > sameReport || !f.isCUDAs() {
		return
	}
	if f.err.Raiser == oomdoc.EngineCUDA {
		f.err.Engine, f.err.Raiser = oomdoc.EngineLlamaCpp, oomdoc.EngineLlamaCpp
	}
	s.is(oomdoc.EngineLlamaCpp)
	s.more(sp)
	if sp.literal == "cuMemCreate(&handle" {
		f.err.Operation = keep(sp.body)
	}
}

// ggmlRetries reads that llama.cpp does with less scratch space. If that fails as
// well, it says so anew.
func ggmlRetries(s *scene, sp *span) { s.recovered(sp, true) }

// ggmlEnds reads the end of a program that could not load its model, and which
// model that was.
func ggmlEnds(s *scene, sp *span) {
	f := s.more(sp)
	if f == nil {
		return
	}
	f.ended = true
	if f.err.Model == "" {
		f.err.Model = quotedIn(sp.rest())
	}
}

// quotedIn gives the path of ", '/models/q4.gguf'", or of ": /models/q4.gguf".
func quotedIn(rest []byte) string {
	if quoted, found := after(rest, "'"); found {
		if path, _, closed := bytes.Cut(quoted, []byte("'")); closed {
			return keep(path)
		}
	}
	if path, is := bytes.CutPrefix(rest, []byte(": ")); is && bytes.IndexByte(path, '/') >= 0 {
		return keep(bytes.TrimSpace(path))
	}
	return ""
}

// isGGMLs tells what llama.cpp and those who run it put before a line: "0.02.230.114
// E ", "E ", or their own sentence.
func isGGMLs(head []byte) bool {
	head = bytes.TrimRight(head, " ")
	level := len(head) - 1
	if level >= 0 && bytes.IndexByte([]byte("IWED"), head[level]) >= 0 && (level == 0 || head[level-1] == ' ') {
		return true
	}
	return bytes.Contains(head, []byte("llama")) || bytes.Contains(head, []byte("ggml"))
}
