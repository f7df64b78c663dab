package helper

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// JournalSocket is where journald takes entries.
const JournalSocket = "/run/systemd/journal/socket"

// maxWait is how long an entry may wait for the journal, whatever was asked.
const maxWait = 2 * time.Second

// ErrJournalFull says that journald did not read its socket in time.
var ErrJournalFull = errors.New("journal does not read its socket")

// sendNative puts an entry into the journal. The socket is connected, so that
// poll(2) tells when journald has made room; a write that finds none does not
// wait.
func sendNative(socket string, entry []byte, patience time.Duration) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }() // what was sent is sent
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: socket}); err != nil {
		return err
	}
	deadline := time.Now().Add(min(patience, maxWait))
	for {
		err := unix.Send(fd, entry, 0)
		if !errors.Is(err, unix.EAGAIN) {
			return err
		}
		left := time.Until(deadline)
		if left <= 0 {
			return ErrJournalFull
		}
		room := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		if _, err := unix.Poll(room, int(left.Milliseconds())+1); err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
