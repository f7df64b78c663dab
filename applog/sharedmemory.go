package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// sharedMemory reads that /dev/shm had no room, as other programs than PyTorch's
// workers say it: Python's files there, NCCL's segments
// (src/os/linux.cc of 2.x), PostgreSQL's (src/backend/storage/ipc/dsm_impl.c).
func sharedMemory() []mark {
	return []mark{
		{"No space left on device: '/dev/shm/", shmFull},
		{"No space left on device: '/psm_", shmFull},
		{"creating shared memory segment /dev/shm/nccl-", shmNCCL},
		{"could not resize shared memory segment ", shmPostgres},
	}
}

func shmFull(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: oomdoc.PoolShm})
}

// shmNCCL reads "Error while creating shared memory segment /dev/shm/nccl-qWjM2z
// (size 9637888)", since 2.19 with an errno's text behind it.
func shmNCCL(s *scene, sp *span) {
	if bytes.Contains(sp.rest(), []byte("Permission denied")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{
		Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolShm, Operation: "NCCL", Requested: wholeAfter(sp.rest(), "(size "),
	})
}

// shmPostgres reads `could not resize shared memory segment
// "/PostgreSQL.1203214412" to 8388608 bytes: No space left on device`.
func shmPostgres(s *scene, sp *span) {
	if sp.isTalk() || !bytes.Contains(sp.rest(), []byte("No space left on device")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Pool: oomdoc.PoolShm, Requested: wholeAfter(sp.rest(), " to ")})
}
