package record

import (
	"os"
	"syscall"
	"time"
)

// looks are what was seen of the file that is read and of the one that has the
// name. As long as they stay so there is nothing to do.
type looks struct{ file, name look }

type look struct {
	device, inode uint64
	size          int64
	written       syscall.Timespec
	changed       syscall.Timespec // by a new name too
}

// askAfter is how often whoever has the name is asked for at most where that
// costs a request to another process.
const askAfter = 2 * time.Second

// Poll looks whether there may be something to read, and wakes Read then. It
// costs two calls of the kernel.
func (t *Tail) Poll(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen := looks{file: lookAt(t.file)}
	if t.opener == nil {
		if info, err := os.Stat(t.path); err == nil {
			seen.name = lookOf(info)
		}
	}
	due := !t.nameDue.IsZero() && now.After(t.nameDue)
	if seen == t.seen && !t.lingers && !due {
		return
	}
	// A file of which only the time of its last change is another may have lost
	// its name, and only its opener knows.
	t.nameDue = time.Time{}
	if t.opener != nil && seen.file != t.seen.file {
		t.nameDue = now.Add(askAfter)
	}
	t.seen = seen
	t.woken = true
	t.changed.Broadcast()
}

func lookAt(file *os.File) look {
	if file == nil {
		return look{}
	}
	info, err := file.Stat()
	if err != nil {
		return look{}
	}
	return lookOf(info)
}

func lookOf(info os.FileInfo) look {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return look{}
	}
	return look{uint64(stat.Dev), stat.Ino, stat.Size, stat.Mtim, stat.Ctim} //nolint:unconvert // Dev has another size on other machines
}
