package proc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
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
	return d.names(func(pid int) bool {
		visit(pid)
		return true
	})
}

// names calls visit with every name from here on that is a number, until it has
// enough.
func (d *procDir) names(visit func(n int) bool) error {
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
			if n, is := pidOf(rest[direntName:length]); is && !visit(n) {
				return nil
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
	d.at(pid, name)
	fd, err := openAt(d.fd, d.path, 0)
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
func openAt(dir int, path []byte, more int) (int, error) {
	for {
		fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&path[0])),
			uintptr(unix.O_RDONLY|unix.O_CLOEXEC|more), 0, 0, 0)
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

// at makes the path of a process's file.
func (d *procDir) at(pid int, name string) {
	d.path = appendInt(d.path[:0], pid)
	d.path = append(d.path, '/')
	d.path = append(d.path, name...)
	d.path = append(d.path, 0)
}

// open opens a process's file.
func (d *procDir) open(pid int, name string) (*os.File, error) {
	d.at(pid, name)
	fd, err := openAt(d.fd, d.path, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// readWhole reads a process's file of at most limit bytes.
func (d *procDir) readWhole(pid int, name string, limit int) ([]byte, error) {
	file, err := d.open(pid, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(file, int64(limit)))
}

// link is where a link of a process leads, "" when it may not be read.
func (d *procDir) link(pid int, name string) string {
	target, err := linkAt(d.fd, strconv.Itoa(pid)+"/"+name)
	if err != nil {
		return ""
	}
	return target
}

// longestLink is how long a path can be that the kernel gives (PATH_MAX).
const longestLink = 4096

func linkAt(folder int, name string) (string, error) {
	var target [longestLink]byte
	for {
		n, err := unix.Readlinkat(folder, name, target[:])
		if !errors.Is(err, unix.EINTR) {
			return string(target[:max(n, 0)]), err
		}
	}
}

// eachOpen calls visit with the folder of a process's open files and the name of
// each in it, up to a number of them.
func (d *procDir) eachOpen(pid, most int, visit func(folder int, name string)) {
	d.at(pid, "fd")
	fd, err := openAt(d.fd, d.path, unix.O_DIRECTORY)
	if err != nil {
		return
	}
	defer func() { _ = unix.Close(fd) }() // it was only read
	folder := procDir{fd: fd, entries: d.entries}
	seen := 0
	// What could not be listed is not known, as if it were closed to us.
	_ = folder.names(func(number int) bool {
		seen++
		visit(fd, strconv.Itoa(number))
		return seen < most
	})
}
