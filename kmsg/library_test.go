package kmsg_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/euank/go-kmsg-parser/kmsgparser"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// A scriptedParser is the library with messages of the test's. Like the real
// one it stops only when it is closed or its channel is emptied.
type scriptedParser struct {
	out    chan kmsgparser.Message
	closed chan struct{}
}

// libraryBoot is what the library takes for the boot: the clock less the whole
// seconds of uptime, with Go's monotonic reading.
var libraryBoot = time.Now().Add(-90 * time.Hour)

func scripted(messages ...kmsgparser.Message) *scriptedParser {
	p := &scriptedParser{make(chan kmsgparser.Message, 1), make(chan struct{})}
	go func() {
		defer close(p.out)
		for _, m := range messages {
			p.out <- m
		}
		<-p.closed
	}()
	return p
}

func (p *scriptedParser) SeekEnd() error                   { return nil }
func (p *scriptedParser) Parse() <-chan kmsgparser.Message { return p.out }
func (p *scriptedParser) SetLogger(kmsgparser.Logger)      {}
func (p *scriptedParser) Close() error                     { close(p.closed); return nil }

func message(seq int, usec int64, text string) kmsgparser.Message {
	return kmsgparser.Message{
		Priority: 6, SequenceNumber: seq, Message: text,
		Timestamp: libraryBoot.Add(time.Duration(usec) * time.Microsecond),
	}
}

func TestTheLibrarysRecordsAreWholeAgain(t *testing.T) {
	ring := newFakeRing(10)
	for i := range int64(3) {
		ring.say(1_000_001+i, "x")
	}
	own, _ := ring.device()
	texts := []string{"plain\n", "esc \\x5cx2d\n", "usb 1-1: new\n SUBSYSTEM=usb\n DEVICE=+usb:1-1\n", "; a;b\n"}
	var messages []kmsgparser.Message
	for i, text := range texts {
		messages = append(messages, message(i, 1_000_001+int64(i), text))
	}
	d := kmsg.OpenLibrary(scripted(messages...), own)
	buf := make([]byte, 8192)
	for i, text := range texts {
		want := fmt.Sprintf("6,%d,%d,-;%s", i, 1_000_001+i, text)
		if got, stamped, err := d.Read(buf); got != want || !stamped || err != nil {
			t.Errorf("got %q, stamped %v (%v), want %q", got, stamped, err, want)
		}
	}
	if ring.open != 0 {
		t.Error("the log that gave the anchor is still open")
	}
	if err := d.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// The ring was overrun between our look and the library's: what we know is
// ahead of what it delivers.
func TestStampsAreKnownExactlyOrNotAtAll(t *testing.T) {
	ring := newFakeRing(10)
	for i := range int64(12) { // 0 and 1 are gone
		ring.say(5_000_000+7*i, "x")
	}
	own, _ := ring.device()
	d := kmsg.OpenLibrary(scripted(
		message(0, 5_000_000, "a\n"), message(1, 5_000_007, "b\n"), message(2, 5_000_014, "c\n"), message(3, 5_000_021, "d\n"),
	), own)
	buf := make([]byte, 8192)
	for _, want := range []struct {
		raw     string
		stamped bool
	}{{"6,0,0,-;a\n", false}, {"6,1,0,-;b\n", false}, {"6,2,5000014,-;c\n", true}, {"6,3,5000021,-;d\n", true}} {
		if got, stamped, err := d.Read(buf); got != want.raw || stamped != want.stamped || err != nil {
			t.Errorf("got %q, stamped %v (%v); want %q, %v", got, stamped, err, want.raw, want.stamped)
		}
	}
	if err := d.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func TestALibraryWithoutAnAnchorStillDelivers(t *testing.T) {
	own, _ := newFakeRing(1).device() // nothing to find in it
	d := kmsg.OpenLibrary(scripted(message(4, 1, "a\n"), message(5, 1, strings.Repeat("x", 200))), own)
	if got, stamped, err := d.Read(make([]byte, 100)); got != "6,4,0,-;a\n" || stamped || err != nil {
		t.Errorf("got %q, stamped %v (%v), want the record without a stamp", got, stamped, err)
	}
	if _, _, err := d.Read(make([]byte, 100)); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("a record longer than the buffer gave %v, want EINVAL as read(2) gives", err)
	}
	if err := d.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func TestClosingTheLibraryFreesItsGoroutine(t *testing.T) {
	own, _ := newFakeRing(1).device()
	p := scripted(message(1, 1, "a\n"), message(2, 1, "b\n"), message(3, 1, "c\n"), message(4, 1, "d\n"))
	d := kmsg.OpenLibrary(p, own)
	if err := d.Close(); err != nil { // three of its messages were never taken
		t.Errorf("close: %v", err)
	}
	if _, open := <-p.out; open {
		t.Error("the library still delivers after Close")
	}
}

func TestReadersThatCannotBeAreRefused(t *testing.T) {
	for _, o := range []kmsg.Options{
		{Reader: kmsg.ReaderLibrary, Path: "/tmp/kmsg"},
		{Reader: "another"},
	} {
		_, err := kmsg.Follow(t.Context(), o)
		if oomdoc.ErrorCode(err) != oomdoc.CodeUsage || oomdoc.ErrorHint(err) == "" {
			t.Errorf("%+v: got %v with code %d and hint %q, want a usage error with a hint",
				o, err, oomdoc.ErrorCode(err), oomdoc.ErrorHint(err))
		}
	}
}
