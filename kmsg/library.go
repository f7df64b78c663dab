package kmsg

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/euank/go-kmsg-parser/kmsgparser"
	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// A libraryDevice is go-kmsg-parser behind the interface of a device. The
// library ends for good at the first error of a read, an overrun of the ring
// included (v2.0.0 compares the wrapped error with ==); the reader then opens
// a new one like any device that failed, passes over what it had, and counts
// what is missing by the sequence.
//
// It gives priority, sequence and text as they were, escapes and dictionary
// lines still in the text, so the record is put together again and decoded by
// our own decoder. It drops the flags, the caller and the microseconds; the
// last are found again exactly (stampAnchor). It opens /dev/kmsg and nothing
// else.
type libraryDevice struct {
	parser   kmsgparser.Parser
	messages <-chan kmsgparser.Message
	anchor   stampAnchor
}

// errLibraryEnded says that the library closed its channel.
var errLibraryEnded = errors.New("go-kmsg-parser ended")

// openLibrary starts the library. own opens the same log for the anchor.
func openLibrary(own func() (device, error), log *slog.Logger) (*libraryDevice, error) {
	peek, err := own()
	if err != nil {
		return nil, err
	}
	parser, err := kmsgparser.NewParser()
	if err != nil {
		return nil, errors.Join(&oomdoc.Error{Code: oomdoc.CodeFailed, Op: "open kernel log", Path: DefaultPath, Err: err}, peek.Close())
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	parser.SetLogger(libraryLogger{log})
	return newLibraryDevice(parser, peek), nil
}

func newLibraryDevice(parser kmsgparser.Parser, peek device) *libraryDevice {
	return &libraryDevice{parser: parser, messages: parser.Parse(), anchor: stampAnchor{peek: peek}}
}

// read waits for the library's next message. The library cannot be asked
// whether there is one: wait must be set.
func (d *libraryDevice) read(buf []byte, wait bool) (int, bool, error) {
	if !wait {
		return 0, false, fmt.Errorf("read without waiting: %w", errors.ErrUnsupported)
	}
	m, open := <-d.messages
	if !open {
		return 0, false, errLibraryEnded
	}
	usec, stamped := d.anchor.usec(m)
	head := strconv.AppendInt(buf[:0], int64(m.Priority), 10)
	head = append(head, ',')
	head = strconv.AppendInt(head, int64(m.SequenceNumber), 10)
	head = append(head, ',')
	head = strconv.AppendInt(head, max(usec, 0), 10)
	head = append(head, ",-;"...)
	if len(head)+len(m.Message) > len(buf) {
		return 0, false, unix.EINVAL // as read(2) says it
	}
	return copy(buf[len(head):], m.Message) + len(head), stamped, nil
}

// Close stops the library and empties its channel: its goroutine waits there
// for ever otherwise.
func (d *libraryDevice) Close() error {
	err := errors.Join(d.parser.Close(), d.anchor.stop())
	for range d.messages {
	}
	return err
}

// A libraryLogger hands the library's complaints on. Their consequences are
// counted elsewhere, so they are details.
type libraryLogger struct{ log *slog.Logger }

func (l libraryLogger) Infof(f string, a ...any)    { l.log.Debug(fmt.Sprintf(f, a...)) }
func (l libraryLogger) Warningf(f string, a ...any) { l.log.Debug(fmt.Sprintf(f, a...)) }
func (l libraryLogger) Errorf(f string, a ...any)   { l.log.Debug(fmt.Sprintf(f, a...)) }

// A stampAnchor finds the microseconds that the library dropped. Its Timestamp
// is the record's microseconds after one instant that it keeps to itself. One
// record read by ourselves too, known by its sequence, tells that instant
// exactly, and with it the stamps of all others.
type stampAnchor struct {
	peek device // the same log, read by ourselves until the anchor is found
	buf  []byte
	// The record that peek read last.
	seq  uint64
	at   time.Duration
	seen bool

	over  bool      // there is nothing more to find
	found bool      // zero is known
	zero  time.Time // what the library takes for the boot
}

// usec is the stamp of a message; false while there is no anchor.
func (a *stampAnchor) usec(m kmsgparser.Message) (int64, bool) {
	// The Timestamp carries a monotonic reading, which Add moves as well;
	// only the wall part is looked at.
	timestamp := m.Timestamp.Round(0)
	if !a.over {
		a.find(uint64(m.SequenceNumber), timestamp)
	}
	if !a.found {
		return 0, false
	}
	return timestamp.Sub(a.zero).Microseconds(), true
}

// find reads on until it stands at the message or behind it. Behind it (records
// were overwritten in between) it waits for the message that it stands at.
func (a *stampAnchor) find(seq uint64, timestamp time.Time) {
	for !a.over && (!a.seen || a.seq < seq) {
		a.over = !a.readOn()
	}
	if a.seen && a.seq == seq {
		a.zero, a.found, a.over = timestamp.Add(-a.at), true, true
	}
	if a.over {
		a.buf = nil
		_ = a.stop() // it was only read
	}
}

// readOn reads one more record; false when there is none.
func (a *stampAnchor) readOn() bool {
	if a.buf == nil {
		a.buf = make([]byte, readBuffer)
	}
	n, _, err := a.peek.read(a.buf, false)
	if err != nil {
		return passes(err) && !errors.Is(err, unix.EAGAIN)
	}
	if head, ok := parseHead(a.buf[:n]); ok && head.usec <= latestUsec {
		a.seq, a.at, a.seen = head.seq, time.Duration(head.usec)*time.Microsecond, true
	}
	return true
}

// stop closes the log. It may be called again, and beside usec, which then
// finds nothing more.
func (a *stampAnchor) stop() error {
	if err := a.peek.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
