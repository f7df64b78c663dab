package helper

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// answerWithin is how long the helper may take beyond what a request waits for.
// Opening a file may have to wait for a disk.
const answerWithin = 2 * time.Second

// ErrAbsent says that no helper can be reached.
var ErrAbsent = errors.New("the helper cannot be reached")

// A Client asks a helper. It connects when it is first needed and again after a
// failure. Its methods may be called from several goroutines.
type Client struct {
	path string

	mu         sync.Mutex
	connection *net.UnixConn
}

// NewClient makes a client for the helper at that socket.
func NewClient(path string) *Client { return &Client{path: path} }

// Ready tells whether the helper can be reached.
func (c *Client) Ready() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.connection != nil && c.isOver() {
		_ = c.connection.Close() // the helper ended it
		c.connection = nil
	}
	return c.connect()
}

// isOver tells a connection whose other end is gone: only then is there
// something to read between two requests.
func (c *Client) isOver() bool {
	raw, err := c.connection.SyscallConn()
	if err != nil {
		return true
	}
	over := true
	err = raw.Control(func(fd uintptr) {
		_, _, failed := unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
		over = !errors.Is(failed, unix.EAGAIN)
	})
	return err != nil || over
}

// Close ends the connection.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.connection == nil {
		return nil
	}
	err := c.connection.Close()
	c.connection = nil
	return err
}

// OpenProcess opens a file of a process.
func (c *Client) OpenProcess(pid int, file ProcessFile) (*os.File, error) {
	return c.open(request{op: opProcess, file: uint16(file), pid: uint32(pid)})
}

// OpenContainer opens a file of a container.
func (c *Client) OpenContainer(id ContainerID, file ContainerFile) (*os.File, error) {
	return c.open(request{op: opContainer, file: uint16(file), id: id})
}

// OpenShared opens a file that tells of many containers.
func (c *Client) OpenShared(file SharedFile) (*os.File, error) {
	return c.open(request{op: opShared, file: uint16(file)})
}

// Send puts an entry into the journal, with UID 0. It may wait for room as long
// as patience; the error is then ErrJournalFull.
func (c *Client) Send(entry Entry, patience time.Duration) error {
	body, err := entry.encode()
	if err != nil {
		return err
	}
	r := request{op: opAlert, wait: uint32(patience.Milliseconds())}
	_, err = c.ask(append(r.encode(), body...), patience)
	return err
}

func (c *Client) open(r request) (*os.File, error) {
	fd, err := c.ask(r.encode(), 0)
	if err != nil {
		return nil, fmt.Errorf("open through the helper: %w", err)
	}
	if fd < 0 {
		return nil, fmt.Errorf("open through the helper: %w", errNoRequest)
	}
	return os.NewFile(uintptr(fd), "helper"), nil
}

// connect connects unless that is done. The caller holds the lock.
func (c *Client) connect() error {
	if c.connection != nil {
		return nil
	}
	connection, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: c.path, Net: "unixpacket"})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAbsent, err)
	}
	c.connection = connection
	return nil
}

// ask sends a packet and gives what comes back. A helper that was restarted
// since the last request is asked once more.
func (c *Client) ask(packet []byte, patience time.Duration) (fd int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	again := c.connection != nil
	for {
		if err := c.connect(); err != nil {
			return -1, err
		}
		fd, heard, err := c.exchange(packet, patience)
		if heard {
			return fd, err
		}
		_ = c.connection.Close() // it is of no more use
		c.connection = nil
		if !again || errors.Is(err, os.ErrDeadlineExceeded) {
			return -1, fmt.Errorf("%w: %w", ErrAbsent, err)
		}
		again = false
	}
}

// exchange asks once. heard says that the helper answered.
func (c *Client) exchange(packet []byte, patience time.Duration) (fd int, heard bool, err error) {
	if err := c.connection.SetDeadline(time.Now().Add(patience + answerWithin)); err != nil {
		return -1, false, err
	}
	if _, err := c.connection.Write(packet); err != nil {
		return -1, false, err
	}
	reply, rights := make([]byte, replySize+1), make([]byte, unix.CmsgSpace(4))
	n, oobn, _, _, err := c.connection.ReadMsgUnix(reply, rights)
	if err != nil || n != replySize {
		return -1, false, errors.Join(err, errNoRequest)
	}
	fd = descriptor(rights[:oobn])
	err = resultError(result(binary.LittleEndian.Uint32(reply)), unix.Errno(binary.LittleEndian.Uint32(reply[4:])))
	if err != nil && fd >= 0 {
		_ = unix.Close(fd) // it was only passed
		fd = -1
	}
	return fd, true, err
}

func resultError(r result, errno unix.Errno) error {
	switch r {
	case resultOK:
		return nil
	case resultFull:
		return ErrJournalFull
	case resultFailed:
		return errno
	}
	return fmt.Errorf("refused by the helper: %w", errNoRequest)
}

// descriptor is the one that came with a reply, -1 when none did. Package net
// has asked that it be closed on exec.
func descriptor(rights []byte) int {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) == 0 {
		return -1
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return -1
	}
	return fds[0]
}

// encode writes an entry as the body of a request: priority, number of the
// MESSAGE_ID, then for each field its number, the length of its value in two
// bytes, the value.
func (e Entry) encode() ([]byte, error) {
	kind := slices.Index(MessageIDs(), e.MessageID)
	if kind < 0 {
		return nil, fmt.Errorf("encode entry: no MESSAGE_ID %q in the table", e.MessageID)
	}
	body := []byte{e.Priority, byte(kind)}
	for _, field := range e.Fields {
		number := slices.Index(FieldNames(), field.Name)
		if number < 0 || len(field.Value) > 1<<16-1 {
			return nil, fmt.Errorf("encode entry: field %q of %d bytes is not for the journal", field.Name, len(field.Value))
		}
		body = binary.LittleEndian.AppendUint16(append(body, byte(number)), uint16(len(field.Value)))
		body = append(body, field.Value...)
	}
	if len(body) > maxEntry {
		return nil, fmt.Errorf("encode entry: %d bytes are more than %d", len(body), maxEntry)
	}
	return body, nil
}
