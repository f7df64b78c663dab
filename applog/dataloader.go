package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// dataloader reads the ends of PyTorch's worker processes
// (torch/utils/data/_utils/signal_handling.py, torch/csrc/DataLoader.cpp) and the
// refusals of the shared memory that they hand tensors over in
// (aten/src/ATen/MapAllocator.cpp).
func dataloader() []mark {
	return []mark{
		{"DataLoader worker (pid", workerEnded},
		{"Unexpected bus error encountered in worker", workerBus},
		{"unable to write to file </torch_", torchShared},
		{"unable to mmap ", torchShared},
		{"unable to allocate shared memory(shm) for file ", torchShared},
	}
}

// ignoredLines is how far below "Exception ignored in" the exception stands: its
// traceback comes between.
const ignoredLines = 40

// workerEnded reads "DataLoader worker (pid 28841) is killed by signal: Killed. ".
// While the interpreter ends it kills the workers itself and complains of it: that
// is none.
func workerEnded(s *scene, sp *span) {
	if sp.isTalk() || s.ignoring > 0 && s.desk.count-s.ignoring <= ignoredLines {
		return
	}
	signal, found := after(sp.rest(), " is killed by signal: ")
	if !found {
		s.more(sp) // "(pid(s) 7, 8) exited unexpectedly": it does not say why
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Name: "pt_data_worker"}
	if n, _, ok := small(bytes.TrimLeft(sp.rest(), " ")); ok {
		e.PID = n
	}
	switch {
	case bytes.HasPrefix(signal, []byte("Killed")):
		s.killed(sp, e)
	case bytes.HasPrefix(signal, []byte("Bus error")):
		e.Pool, e.Refusal = oomdoc.PoolShm, oomdoc.RefusalBus
		s.fail(sp, e)
	}
}

func workerBus(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolShm, Refusal: oomdoc.RefusalBus})
}

// torchShared reads "unable to write to file </torch_8_21>: No space left on
// device (28)" and "unable to mmap 1228800 bytes from file </torch_8_21>: Cannot
// allocate memory (12)". Too many open files is not memory.
func torchShared(s *scene, sp *span) {
	if sp.isTalk() || !bytes.Contains(sp.body, []byte("file </torch_")) {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolShm, Operation: "shared memory of tensors"}
	switch {
	case bytes.Contains(sp.rest(), []byte("No space left on device")):
	case bytes.Contains(sp.rest(), []byte("Resource temporarily unavailable")) && !bytes.HasPrefix(sp.body, []byte("unable to mmap")):
	case bytes.Contains(sp.rest(), []byte("Cannot allocate memory")):
		e.Pool = oomdoc.PoolHost
	default:
		return
	}
	if n, rest, ok := whole(sp.rest()); ok && bytes.HasPrefix(rest, []byte(" bytes from ")) {
		e.Requested = &n
	}
	s.fail(sp, e)
}
