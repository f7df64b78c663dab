package systemd_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/journal"
	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc/systemd"
)

var message = systemd.Message{
	Text: "memory ran out", Priority: journal.PriErr,
	Fields: map[string]string{"MESSAGE_ID": systemd.MessageHostKill, "OOMDOC_ID": "0123456789"},
}

func TestLibrarySenderWritesTheNativeProtocol(t *testing.T) {
	if !inPrivateRun(t) {
		return
	}
	mountRun(t)
	if err := (systemd.LibrarySender{}).Ready(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Ready() without a journal = %v, want an error that its socket does not exist", err)
	}
	if err := (systemd.LibrarySender{}).Send(message, time.Second); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Send() without a journal = %v, want an error that its socket does not exist", err)
	}

	journald := listen(t, systemd.JournalSocket)
	if err := (systemd.LibrarySender{}).Send(message, 0); err != nil {
		t.Fatalf("Send() = %v", err)
	}
	lines := strings.Split(strings.TrimSuffix(receive(t, journald), "\n"), "\n")
	slices.Sort(lines)
	equal(t, "entry", lines, []string{
		"MESSAGE=memory ran out", "MESSAGE_ID=" + systemd.MessageHostKill, "OOMDOC_ID=0123456789", "PRIORITY=3"})
}

func TestLibrarySenderWaitsForRoomWithoutWork(t *testing.T) {
	if !inPrivateRun(t) {
		return
	}
	mountRun(t)
	journald := listen(t, systemd.JournalSocket)
	waiting := fill(t, systemd.JournalSocket)
	if err := (systemd.LibrarySender{}).Ready(); !errors.Is(err, systemd.ErrJournalFull) {
		t.Errorf("Ready() with a full queue = %v, want %v", err, systemd.ErrJournalFull)
	}

	used, start := cpuTime(t), time.Now()
	if err := (systemd.LibrarySender{}).Send(message, 500*time.Millisecond); !errors.Is(err, systemd.ErrJournalFull) {
		t.Errorf("Send() with a full queue = %v, want %v", err, systemd.ErrJournalFull)
	}
	used, waited := cpuTime(t)-used, time.Since(start)
	if used > waited/4 {
		t.Errorf("waiting %v for the journal took %v of processor time, want under a quarter", waited, used)
	}

	sent := make(chan error, 1)
	go func() { sent <- systemd.LibrarySender{}.Send(message, time.Minute) }()
	for range waiting {
		receive(t, journald)
	}
	if err := <-sent; err != nil {
		t.Fatalf("Send() once there is room = %v", err)
	}
	if got := receive(t, journald); !strings.Contains(got, "MESSAGE=memory ran out\n") {
		t.Errorf("received %q, want the message", got)
	}
}

// cpuTime is the processor time of this process, user and kernel.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
