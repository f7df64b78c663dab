package systemd

import (
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-systemd/v22/journal"
	"golang.org/x/sys/unix"
)

// JournalSocket is where journald takes entries. go-systemd's journal package
// has it as a variable that only the linker can change.
const JournalSocket = "/run/systemd/journal/socket"

// ErrJournalFull says that journald did not read its socket in time.
var ErrJournalFull = errors.New("journal does not read its socket")

// A Sender puts entries into a journal.
type Sender interface {
	// Ready looks whether the journal would take an entry now. It does not wait.
	Ready() error
	// Send puts one entry into the journal. It may wait for room as long as
	// patience; what takes longer is taken for hung.
	Send(m Message, patience time.Duration) error
}

// LibrarySender sends through go-systemd's journal.Send.
//
// That function is not to be called while journald's queue is full
// (net.unix.max_dgram_qlen, 10 by default): its socket is not connected, so
// every refused write makes the socket look writable again, and it tries again
// and again at the cost of a whole processor until journald reads. So the
// sender first waits, with poll(2) on a connected socket of its own, for room.
// What is left is another program that takes the last place between that look
// and the write; Journal covers it by not waiting for Send.
type LibrarySender struct{}

// Ready implements Sender.
func (LibrarySender) Ready() error { return waitForRoom(JournalSocket, 0) }

// Send implements Sender.
func (LibrarySender) Send(m Message, patience time.Duration) error {
	if err := waitForRoom(JournalSocket, patience); err != nil {
		return fmt.Errorf("send to journal: %w", err)
	}
	if err := journal.Send(m.Text, m.Priority, m.Fields); err != nil {
		return fmt.Errorf("send to journal: %w", err)
	}
	return nil
}

// waitForRoom waits until the queue of a datagram socket has room, at most for
// patience; then the error is ErrJournalFull. With no patience it only looks.
func waitForRoom(path string, patience time.Duration) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("make socket: %w", err)
	}
	defer func() { _ = unix.Close(fd) }() // nothing was written to it
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return fmt.Errorf("connect to %s: %w", path, err)
	}
	deadline := time.Now().Add(patience)
	for {
		// poll(2) counts whole milliseconds; rounded down it would spin.
		left := max(0, time.Until(deadline)+time.Millisecond-1)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, int(left.Milliseconds()))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return fmt.Errorf("wait for %s: %w", path, err)
		case n > 0:
			return nil
		case !time.Now().Before(deadline):
			return ErrJournalFull
		}
	}
}
