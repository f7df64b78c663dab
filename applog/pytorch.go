package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// pytorch reads the errors of PyTorch's caching allocators
// (c10/cuda/CUDACachingAllocator.cpp and its copies for HIP, XPU and others), all
// versions from 1.0 on, and of the CUDA libraries that it calls.
func pytorch() []mark {
	return []mark{
		{"ut of memory. Tried to allocate ", torchRefused},
		{"would exceed allowed memory. (out of memory)", torchAsync},
		{"CUDA error: out of memory", torchBare},
		{"HIP error: out of memory", torchBare},
		{"CUDA driver error: out of memory", torchBare},
		{"cuda runtime error (2) : out of memory at ", torchBare},
		{" error=2 : out of memory", torchCheck}, // "THCudaCheck FAIL file=... line=58 error=2 : out of memory", 0.x
		{"r INTERNAL ASSERT FAILED at ", torchAssert},
		{"_STATUS_ALLOC_FAILED", torchLibrary},
		{"CUFFT_ALLOC_FAILED", torchLibrary},
		{"Cuda failure 'out of memory'", torchNCCL},
		{"Cuda failure 2 'out of memory'", torchNCCL},
		{"NCCL WARN Failed to CUDA ", torchNCCL},
		{"DefaultCPUAllocator: ", torchHost},
		{"Torch: not enough memory: ", torchHost},
		{"posix_memalign(&data, gAlignment, nbytes) == 0. 12 vs 0", torchHost},
		{"Error: CUDA out of memory.", torchCut},
		{"srcIndex < srcSelectDimSize", torchIndexBug},
		{"AutoBatch: ", torchProbes},
		{"torch.distributed", func(s *scene, _ *span) { s.is(oomdoc.EnginePyTorch) }},
		{"Watchdog caught collective operation timeout", torchFollows},
		{"failed (exitcode: ", torchFollows},
	}
}

// torchRefused reads "CUDA out of memory. Tried to allocate ...".
func torchRefused(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.failWhole(sp, wholeTorch(), readTorch)
}

// wholeTorch are the ends of a sentence whose figures are all there.
func wholeTorch() []string {
	return []string{"reserved by PyTorch but unallocated", "in total by PyTorch)", " cached)", "more than 1EB memory"}
}

// readTorch reads the figures of the sentence, by their names: which of them
// there are differs from version to version. It tells how many it found.
func readTorch(text []byte) (oomdoc.ProgramError, int) {
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice}
	requested := sizeAfter(text, "Tried to allocate ")
	if requested == nil && bytes.Contains(text, []byte("Tried to allocate more than 1EB memory")) {
		requested = &amount{bytes: 1 << 60} // an overflow: it does not say by how much
	}
	if old, is := after(text, " (GPU "); is {
		return readOldTorch(e, requested, old)
	}
	total := sizeAfter(text, " has a total capacity of ")
	if total == nil {
		total = sizeAfter(text, " has a total capacty of ") // as 2.1 prints it
	}
	free := sizeBefore(text, " is free")
	allocated := sizeBefore(text, " is allocated by PyTorch")
	unallocated := sizeBefore(text, " is reserved by PyTorch but unallocated")
	private := sizeBefore(text, " allocated in private pools")
	allowed := sizeBefore(text, " allowed;")
	e.Requested, e.Total, e.Free, e.Allocated, e.Unallocated = requested.of(), total.of(), free.of(), allocated.of(), unallocated.of()
	e.PrivatePools, e.Allowed = private.of(), allowed.of()
	e.Grain = coarsest(requested, total, free, allocated, unallocated)
	if own, found := after(text, "this process has "); found {
		if a, _, ok := sizeAt(own, units()); ok {
			e.Own = &a.bytes
		}
	}
	e.Holders = torchHolders(text)
	if rest, found := after(text, ". GPU "); found {
		if n, _, ok := small(rest); ok {
			e.Device = &n
		}
	}
	return e, known(e.Requested, e.Total, e.Free, e.Allocated, e.Unallocated, e.Own, e.Allowed) + len(e.Holders)
}

// readOldTorch reads the figures in brackets of 1.0 to 2.0: "(GPU 0; 3.95 GiB
// total capacity; 3.38 GiB already allocated; 13.62 MiB free; 3.43 GiB reserved in
// total by PyTorch)". Reserved contains what is allocated; cached (to 1.3) is what
// is not in use.
func readOldTorch(e oomdoc.ProgramError, requested *amount, text []byte) (oomdoc.ProgramError, int) {
	if n, _, ok := small(text); ok {
		e.Device = &n
	}
	total, allocated, free := sizeBefore(text, " total capacity"), sizeBefore(text, " already allocated"), sizeBefore(text, " free;")
	reserved, cached := sizeBefore(text, " reserved in total by"), sizeBefore(text, " cached)")
	allowed := sizeBefore(text, " allowed;")
	e.Requested, e.Total, e.Free, e.Allocated, e.Allowed = requested.of(), total.of(), free.of(), allocated.of(), allowed.of()
	e.Unallocated = cached.of()
	if reserved != nil && allocated != nil && reserved.bytes >= allocated.bytes {
		e.Unallocated = new(reserved.bytes - allocated.bytes)
	}
	e.Grain = coarsest(requested, total, free, allocated, reserved, cached)
	return e, known(e.Requested, e.Total, e.Free, e.Allocated, e.Unallocated)
}

// torchHolders reads "Process 3936 has 5.38 GiB memory in use. ", one for each
// process that NVML lists. Its pids are the driver's.
func torchHolders(text []byte) (holders []oomdoc.PoolHolder) {
	for len(holders) < maxHolders {
		rest, found := after(text, "Process ")
		if !found {
			return holders
		}
		text = rest
		pid, rest, ok := small(rest)
		if !ok || !bytes.HasPrefix(rest, []byte(" has ")) {
			continue
		}
		if a, rest, ok := sizeAt(rest[len(" has "):], units()); ok && bytes.HasPrefix(rest, []byte(" memory in use")) {
			holders = append(holders, oomdoc.PoolHolder{PID: pid, Bytes: a.bytes})
		}
	}
	return holders
}

const maxHolders = 64

func known(sizes ...*int64) (n int) {
	for _, size := range sizes {
		if size != nil {
			n++
		}
	}
	return n
}

// torchAsync reads the error of the cudaMallocAsync backend, whose figures stand
// in the lines that follow.
func torchAsync(s *scene, sp *span) {
	if sp.isTalk() && !bytes.Contains(sp.head, []byte("Allocation on device ")) {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice}
	if rest, found := after(sp.head, "Allocation on device "); found {
		if n, _, ok := small(rest); ok {
			e.Device = &n
		}
	}
	f := s.fail(sp, e)
	s.read(func(l *line) bool {
		var more oomdoc.ProgramError
		for _, field := range []struct {
			mark string
			to   **int64
		}{
			{"Currently allocated     :", &more.Allocated}, {"Requested               :", &more.Requested},
			{"Device limit            :", &more.Total}, {"Free (according to CUDA):", &more.Free},
		} {
			if a := sizeAfter(l.text, field.mark); a != nil {
				*field.to, more.Grain = a.of(), a.grain
				f.complete(&more)
				f.add(s, l, f.last)
				return true
			}
		}
		if bytes.Contains(l.text, []byte("PyTorch limit ")) {
			return true
		}
		if a := sizeAfter(l.text, "                        : "); a != nil {
			more.Allowed = a.of()
			f.complete(&more)
		}
		return false
	})
}

// torchBare reads an out-of-memory error of the CUDA runtime without figures. A
// frame that pins host memory says that it is the host's.
func torchBare(s *scene, sp *span) {
	if sp.isTalk() || bytes.HasPrefix(sp.rest(), []byte(" occurred when")) {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice}
	if s.has(oomdoc.CluePinned, near) {
		e.Pool = oomdoc.PoolHost
	}
	if len(bytes.TrimSpace(sp.head)) == 0 || isGGMLs(sp.head) { // llama.cpp and others print it so
		e.Engine = oomdoc.EngineCUDA
	}
	s.fail(sp, e)
}

func torchCheck(s *scene, sp *span) {
	if bytes.Contains(sp.head, []byte("THCudaCheck FAIL file=")) {
		s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice})
	}
}

// torchAssert reads the allocator's failed assertion that NVML answered: its
// message was being built for an allocation that had failed.
func torchAssert(s *scene, sp *span) {
	if !bytes.Contains(sp.head, []byte("NVML_SUCCESS == ")) || !bytes.Contains(sp.body, []byte("CachingAllocator.cpp")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice, Refusal: oomdoc.RefusalDisguised})
}

// torchLibrary reads that a library of CUDA found no room for its own handle or
// workspace. After an index out of range every call fails: then it says nothing.
func torchLibrary(s *scene, sp *span) {
	// A line that names its program ("tensorflow/stream_executor/...") may be wordy.
	engine := callerOf(sp.text, "")
	if engine == "" && sp.isTalk() || sp.isSpoken() || s.has(oomdoc.ClueIndexBug, near) {
		return
	}
	if !isLibrary(sp.head) {
		return
	}
	operation := ""
	if rest, found := after(sp.body, "when calling `"); found {
		call, _, _ := bytes.Cut(rest, []byte("`"))
		operation = keep(call)
	}
	if engine == "" {
		engine = oomdoc.EnginePyTorch
	}
	s.fail(sp, oomdoc.ProgramError{Engine: engine, Pool: oomdoc.PoolDevice, Operation: operation})
}

func isLibrary(head []byte) bool {
	for _, library := range []string{"CUBLAS", "CUDNN", "CUSOLVER", "CUSPARSE", "ROCBLAS", "HIPBLAS", "MIOPEN"} {
		if bytes.HasSuffix(head, []byte(library)) {
			return true
		}
	}
	return len(head) == 0 || head[len(head)-1] == ' '
}

// torchNCCL reads the collective library's own failed allocations, which it makes
// outside of every pool: "NCCL WARN Cuda failure 'out of memory'", which PyTorch
// passes on as its "Last error:", on the same line or the next.
func torchNCCL(s *scene, sp *span) {
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice, Operation: "NCCL"}
	if rest := sp.rest(); bytes.HasPrefix(sp.body, []byte("NCCL WARN")) {
		if bytes.HasPrefix(rest, []byte("host alloc")) {
			e.Pool = oomdoc.PoolHost
		}
		e.Requested = wholeAfter(rest, "alloc ")
	} else if sp.isSpoken() {
		return
	}
	s.fail(sp, e)
}

// torchHost reads the refusal of the CPU allocator: "you tried to allocate
// 6981091584 bytes. Error code 12 (Cannot allocate memory)". Before 1.2 it was
// "you tried to allocate 36GB. Buy new RAM!", in whole GiB, or only that
// posix_memalign gave 12, which is ENOMEM.
func torchHost(s *scene, sp *span) {
	checked := bytes.Contains(sp.head, []byte("[enforce fail at "))
	if !checked && sp.isTalk() || !bytes.Contains(sp.body, []byte("mem")) {
		return
	}
	const tried = "you tried to allocate "
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolHost}
	if size := sizeIn(sp.body, tried, shortUnits()); size != nil && size.bytes > 0 {
		// The division rounds down.
		e.Requested, e.Grain = &size.bytes, gib
	} else if size == nil {
		e.Requested = wholeAfter(sp.body, tried)
	}
	s.fail(sp, e)
}

// torchCut reads "RuntimeError: CUDA out of memory." that ends there: a logger put
// the figures on the lines after it, or kept the first sentence alone.
func torchCut(s *scene, sp *span) {
	if len(bytes.TrimSpace(sp.rest())) > 0 || sp.isTalk() {
		return
	}
	s.failWhole(sp, wholeTorch(), readTorch)
}

// torchProbes reads Ultralytics' search for a batch size, which runs into the
// limit on purpose.
func torchProbes(s *scene, sp *span) {
	if bytes.HasPrefix(sp.rest(), []byte("Using batch-size")) {
		s.recovered(sp, true)
	}
}

func torchIndexBug(s *scene, sp *span) { s.note(sp.clue(oomdoc.ClueIndexBug)) }

// torchFollows reads what the other ranks and the launcher say of a rank that has
// failed.
func torchFollows(s *scene, sp *span) { s.more(sp) }
