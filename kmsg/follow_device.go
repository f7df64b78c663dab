package kmsg

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// readBuffer is the room for one record, in bytes. The kernel builds a record
// in a buffer of its own: CONSOLE_EXT_LOG_MAX, 8192 bytes, until 6.2, and
// PRINTK_MESSAGE_MAX, 2048, from 6.3 (kernel/printk/internal.h). With less room
// than the record read(2) gives EINVAL and that record is passed over.
const readBuffer = 8192

// A device gives one record per read. read may be called by one goroutine at a
// time; Close may be called beside it and ends a read that waits.
//
// With wait unset, read gives EAGAIN when no record is there yet. stamped says
// that the microseconds in the record's head are the kernel's own.
type device interface {
	read(buf []byte, wait bool) (n int, stamped bool, err error)
	Close() error
}

// A kmsgDevice is an open /dev/kmsg.
type kmsgDevice struct {
	file *os.File
	raw  syscall.RawConn

	// What tryRead, called by the runtime's poller, works on.
	buf  []byte
	wait bool
	n    int
	err  error
	try  func(fd uintptr) bool // tryRead, made once: no allocation per record
}

// openKmsg opens the kernel log at its oldest record. O_NONBLOCK keeps open(2)
// from waiting when the path is a pipe (systemd-nspawn puts one there), and
// puts the file into the runtime's poller, so that Close wakes a waiting read.
func openKmsg(path string) (*kmsgDevice, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	d := &kmsgDevice{file: file}
	d.try = d.tryRead
	if err := d.check(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if d.raw, err = file.SyscallConn(); err != nil {
		return nil, errors.Join(fmt.Errorf("poll %s: %w", path, err), file.Close())
	}
	return d, nil
}

// errNotKmsg says that the path is something else than the kernel log.
var errNotKmsg = errors.New("not the kernel log device")

// check refuses what is not character device 1:11 (drivers/char/mem.c, devlist).
func (d *kmsgDevice) check() error {
	info, err := d.file.Stat()
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || info.Mode()&os.ModeCharDevice == 0 || stat.Rdev != unix.Mkdev(1, 11) {
		return errNotKmsg
	}
	return nil
}

func (d *kmsgDevice) read(buf []byte, wait bool) (int, bool, error) {
	d.buf, d.wait = buf, wait
	if err := d.raw.Read(d.try); err != nil {
		return 0, false, err
	}
	return d.n, true, d.err
}

// tryRead reads once; false lets the poller wait until there is something.
func (d *kmsgDevice) tryRead(fd uintptr) bool {
	d.n, d.err = unix.Read(int(fd), d.buf)
	return !d.wait || !errors.Is(d.err, unix.EAGAIN)
}

func (d *kmsgDevice) Close() error { return d.file.Close() }
