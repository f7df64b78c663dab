package applog

import (
	"bytes"
	"math"
	"time"

	"github.com/oomdoc/oomdoc"
)

// tensorflow reads TensorFlow and the allocator that it shares with XLA
// (core/common_runtime/bfc_allocator.cc, later tsl/framework/bfc_allocator.cc),
// 1.x to 2.2x.
func tensorflow() []mark {
	return []mark{
		{"an out of memory trying to allocate ", bfcRefused},
		{"Sum Total of in-use chunks: ", bfcInUse},
		{"Total bytes in pool: ", bfcPool},
		{"] Stats:", bfcStats},
		{"OOM when allocating tensor ", tensorRefused},
		{"failed to allocate memory [Op:", tensorflowBare},
		{"Dst tensor is not initialized", tensorflowDisguised},
		{"failed. Status: out of memory", tensorflowBare},
		{" bytes) from device: ", poolGrab},
		{"Created device /job:", poolMade},
		{"Created TensorFlow device (", poolMade},
		{"Loaded cuDNN version ", poolMade},
	}
}

// bfcEngine tells whose copy of the allocator printed a line: TensorFlow's builds
// call XLA's sources "local", JAX's do not.
func bfcEngine(s *scene, text []byte) string {
	switch {
	case containsAny(text, []string{"external/local_"}):
		return oomdoc.EngineTensorFlow
	case containsAny(text, []string{"external/xla", "external/tsl", "external/org_tensorflow", "jaxlib", "jax.errors"}):
		return oomdoc.EngineJAX
	case containsAny(text, []string{"tensorflow"}):
		return oomdoc.EngineTensorFlow
	case s.isRunning(oomdoc.EngineJAX):
		return oomdoc.EngineJAX
	case containsAny(text, []string{" xla/"}):
		return oomdoc.EngineJAX
	}
	return oomdoc.EngineTensorFlow
}

// notAFailure is what the allocator adds where its caller has another way.
const notAFailure = "The caller indicates that this is not a failure"

// bfcRefused reads "Allocator (GPU_0_bfc) ran out of memory trying to allocate
// 1.14GiB (rounded to 1228800000)requested by op model/conv/Conv2D".
func bfcRefused(s *scene, sp *span) {
	name, found := after(sp.head, "Allocator (")
	old := bytes.HasSuffix(sp.head, []byte("] R")) && bytes.Contains(sp.head, []byte("bfc_allocator.cc:")) // 0.x names none
	if !found && !old || sp.isTalk() || bytes.Contains(sp.body, []byte(notAFailure)) {
		return
	}
	e := oomdoc.ProgramError{Engine: bfcEngine(s, sp.text), Pool: oomdoc.PoolDevice}
	allocatorOf(name, &e)
	if a, _, ok := sizeAt(sp.rest(), units()); ok {
		e.Requested, e.Grain = &a.bytes, a.grain
	}
	if n := wholeAfter(sp.rest(), "(rounded to "); n != nil {
		e.Requested, e.Grain = n, 0
	}
	if op, found := after(sp.rest(), "requested by op "); found {
		e.Operation = keep(bytes.TrimSpace(op))
	}
	s.fail(sp, e)
}

// allocatorOf reads an allocator's name: "GPU_0_bfc", "cpu", "mklcpu".
func allocatorOf(name []byte, e *oomdoc.ProgramError) {
	if device, is := bytes.CutPrefix(name, []byte("GPU_")); is {
		if n, _, ok := small(device); ok {
			e.Device = &n
		}
		return
	}
	if containsAny(name[:min(len(name), 16)], []string{"cpu", "CPU", "host", "pinned"}) {
		e.Pool = oomdoc.PoolHost
	}
}

// bfcInUse reads "Sum Total of in-use chunks: 561.92MiB". It is rounded, and the
// statistics give it to the byte: it counts where they are missing.
func bfcInUse(s *scene, sp *span) {
	if a, _, ok := sizeAt(sp.rest(), units()); ok {
		s.told(sp.line, oomdoc.ProgramError{InUse: &a.bytes, Grain: a.grain})
	}
}

// bfcPool reads "Total bytes in pool: 3502964736 memory_limit_: 3502964736
// available bytes: 0".
func bfcPool(s *scene, sp *span) {
	if limit := wholeAfter(sp.body, "memory_limit_: "); limit != nil {
		s.told(sp.line, oomdoc.ProgramError{Limit: limit, LimitLine: sp.shows()})
	}
}

// bfcStats reads the statistics, a line each: "Limit: 3502964736", "InUse:
// 589212672". LargestFreeBlock is printed as 0 whatever there is.
func bfcStats(s *scene, sp *span) {
	if !bytes.Contains(sp.head, []byte("bfc_allocator")) {
		return
	}
	left := 4
	s.read(func(l *line) bool {
		for _, field := range []string{"Limit:", "InUse:", "MaxInUse:", "NumAllocs:", "MaxAllocSize:"} {
			rest, is := after(l.text, field)
			if !is {
				continue
			}
			n, _, ok := whole(bytes.TrimLeft(rest, " "))
			switch {
			case !ok:
				return false
			case field == "Limit:":
				s.told(l, oomdoc.ProgramError{Limit: &n, LimitLine: l.proof()})
			case field == "InUse:" && !bytes.Contains(l.text, []byte("MaxInUse")):
				s.told(l, oomdoc.ProgramError{InUse: &n})
			}
			return true
		}
		left--
		return left > 0
	})
}

// tensorRefused reads "OOM when allocating tensor with shape[64,300,125,128] and
// type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator
// GPU_0_bfc".
func tensorRefused(s *scene, sp *span) {
	rest := sp.rest()
	if sp.isSpoken() || !containsAny(rest, []string{"shape[", "shape ["}) {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineTensorFlow, Pool: oomdoc.PoolDevice, Requested: tensorBytes(rest)}
	if device, found := after(rest, "device:GPU:"); found {
		if n, _, ok := small(device); ok {
			e.Device = &n
		}
	} else if bytes.Contains(rest, []byte("device:CPU:")) {
		e.Pool = oomdoc.PoolHost
	}
	if name, found := after(rest, "by allocator "); found {
		allocatorOf(name, &e)
	}
	s.fail(sp, e)
}

// tensorBytes is the size of "shape[64,300,125,128] and type float": a shape times
// a type.
func tensorBytes(text []byte) *int64 {
	_, rest, found := bytes.Cut(text, []byte("["))
	dims, rest, closed := bytes.Cut(rest, []byte("]"))
	name, typed := after(rest, " type ")
	if !found || !closed || !typed {
		return nil
	}
	name, _, _ = bytes.Cut(bytes.TrimSpace(name), []byte(" "))
	size := typeBytes(string(bytes.TrimRight(name, ".,;")))
	if size == 0 {
		return nil
	}
	for dim := range bytes.SplitSeq(dims, []byte(",")) {
		n, rest, ok := whole(bytes.TrimSpace(dim))
		if !ok || len(rest) > 0 || n > 0 && size > math.MaxInt64/n {
			return nil
		}
		size *= n
	}
	return &size
}

// typeBytes is the size of one element (core/framework/types.cc, DataTypeString).
func typeBytes(name string) int64 {
	switch name {
	case "bool", "int8", "uint8", "qint8", "quint8", "float8_e5m2", "float8_e4m3fn":
		return 1
	case "half", "bfloat16", "int16", "uint16", "float16":
		return 2
	case "float", "int32", "uint32", "qint32", "float32":
		return 4
	case "double", "int64", "uint64", "complex64", "float64":
		return 8
	case "complex128":
		return 16
	}
	return 0
}

func tensorflowBare(s *scene, sp *span) {
	if sp.isTalk() || !containsAny(sp.text, []string{"tensorflow", "CUDA", "RESOURCE_EXHAUSTED", "ResourceExhausted", "[Op:"}) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineTensorFlow, Pool: oomdoc.PoolDevice})
}

// tensorflowDisguised reads that a tensor could not be copied to the GPU, as there
// was no memory for it there (core/common_runtime/copy_tensor.cc).
func tensorflowDisguised(s *scene, sp *span) {
	if sp.isSpoken() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineTensorFlow, Pool: oomdoc.PoolDevice, Refusal: oomdoc.RefusalDisguised})
}

// trialHold is how long a program may be silent after it tried for a pool: loading
// what comes next takes its time.
const trialHold = time.Minute

// poolGrab reads "failed to allocate 735.56M (771293184 bytes) from device:
// CUDA_ERROR_OUT_OF_MEMORY: out of memory": it asks for a pool, and for a tenth
// less each time. That is a failure only where it ends so.
func poolGrab(s *scene, sp *span) {
	if !bytes.Contains(sp.head, []byte("ailed to allocate ")) || sp.isSpoken() || !bytes.Contains(sp.rest(), []byte("OUT_OF_MEMORY")) {
		return
	}
	bracket := bytes.LastIndexByte(sp.head, '(')
	n, _, ok := whole(sp.head[bracket+1:])
	if bracket < 0 || !ok {
		return
	}
	fresh := s.open == nil
	f := s.fail(sp, oomdoc.ProgramError{Engine: bfcEngine(s, sp.text), Pool: oomdoc.PoolDevice, Requested: &n})
	if f == nil || !fresh {
		return
	}
	f.trial, f.hold = true, trialHold
	s.read(func(l *line) bool {
		if !f.trial || s.open != f {
			return false
		}
		if len(bytes.TrimSpace(l.text)) == 0 || containsAny(l.text, []string{
			"OUT_OF_MEMORY", "RESOURCE_EXHAUSTED", "ut of memory", "Traceback", "rror", "Aborted", "core dumped", "terminate called", "  File ",
		}) {
			return true
		}
		s.recovered(&span{line: l, body: l.text}, true)
		return false
	})
}

// poolMade reads that it got its pool, or works.
func poolMade(s *scene, sp *span) {
	s.is(oomdoc.EngineTensorFlow)
	if s.open != nil && s.open.trial {
		s.recovered(sp, true)
	}
}
