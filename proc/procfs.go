package proc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A procDir reads /proc without making garbage: a round of the table looks at
// every process of the machine and keeps hardly any.
type procDir struct {
	fd      int
	entries []byte // directory entries as getdents64(2) gives them
	path    []byte // "1234/statm\0"
	file    []byte // what was read last
}

// Sizes of the buffers in bytes. A directory read of this size names about
// three hundred processes. No file but the command line is longer than fileSize, and
// that one is cut.
const (
	entriesSize = 8 << 10
	fileSize    = 4 << 10
)

func openProc(root string) (*procDir, error) {
	fd, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, unreadable(root, "", err)
	}
	return &procDir{
		fd:      fd,
		entries: make([]byte, entriesSize),
		path:    make([]byte, 0, 64),
		file:    make([]byte, fileSize),
	}, nil
}

func (d *procDir) close() error { return unix.Close(d.fd) }

// Offsets in struct linux_dirent64 (getdents64(2)).
const (
	direntLength = 16
	direntName   = 19
)

// each calls visit with every pid that has a folder.
func (d *procDir) each(visit func(pid int)) error {
	if _, err := unix.Seek(d.fd, 0, unix.SEEK_SET); err != nil {
		return fmt.Errorf("rewind process list: %w", err)
	}
	for {
		n, err := unix.Getdents(d.fd, d.entries)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read process list: %w", err)
		}
		if n <= 0 {
			return nil
		}
		for rest := d.entries[:n]; len(rest) > direntName; {
			length := int(binary.NativeEndian.Uint16(rest[direntLength:]))
			if length <= direntName || length > len(rest) {
				return errBadDirent
			}
			if pid, is := pidOf(rest[direntName:length]); is {
				visit(pid)
			}
			rest = rest[length:]
		}
	}
}

const errBadDirent = constError("read process list: entry of impossible length")

// pidOf reads a name that ends in a zero byte as a pid.
func pidOf(name []byte) (int, bool) {
	pid := 0
	for i, c := range name {
		if c == 0 {
			return pid, i > 0
		}
		if !isDigit(c) || i > 9 {
			return 0, false
		}
		pid = pid*10 + int(c-'0')
	}
	return 0, false
}

// read gives the beginning of a process's file, as much as one read(2) gives of
// at most fileSize bytes. The bytes are valid until the next read.
func (d *procDir) read(pid int, name string) ([]byte, error) {
	d.path = appendInt(d.path[:0], pid)
	d.path = append(d.path, '/')
	d.path = append(d.path, name...)
	fd, err := openAt(d.fd, append(d.path, 0))
	if err != nil {
		return nil, err
	}
	n, err := readOnce(fd, d.file)
	if closeErr := unix.Close(fd); err == nil {
		err = closeErr
	}
	return d.file[:max(n, 0)], err
}

func readOnce(fd int, into []byte) (int, error) {
	for {
		n, err := unix.Read(fd, into)
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

// openAt is openat(2) for a path that ends in a zero byte. unix.Openat copies
// its path twice, which for every process of every round is what this saves.
func openAt(dir int, path []byte) (int, error) {
	for {
		fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&path[0])),
			unix.O_RDONLY|unix.O_CLOEXEC, 0, 0, 0)
		switch errno {
		case 0:
			return int(fd), nil
		case unix.EINTR:
			continue
		}
		return -1, errno
	}
}

func appendInt(to []byte, n int) []byte {
	if n >= 10 {
		to = appendInt(to, n/10)
	}
	return append(to, byte('0'+n%10))
}
