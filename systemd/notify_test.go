package systemd_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc/systemd"
)

// listen makes a datagram socket as the service manager or journald has one.
func listen(t *testing.T, path string) *net.UnixConn {
	t.Helper()
	listener, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	t.Cleanup(func() { _ = listener.Close() }) // some tests close it themselves
	return listener
}

// receive reads one datagram.
func receive(t *testing.T, from *net.UnixConn) string {
	t.Helper()
	buffer := make([]byte, 64<<10)
	if err := from.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	n, err := from.Read(buffer)
	if err != nil {
		t.Fatalf("receive: %v", err)
	}
	return string(buffer[:n])
}

// fill sends to a socket until its queue is full, as other programs do to
// journald, and gives the number that it took.
func fill(t *testing.T, path string) int {
	t.Helper()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatalf("make socket: %v", err)
	}
	defer func() { _ = unix.Close(fd) }() // nothing to flush
	for n := 0; ; n++ {
		err := unix.Sendto(fd, []byte("MESSAGE=of another program\n"), 0, &unix.SockaddrUnix{Name: path})
		if errors.Is(err, unix.EAGAIN) {
			return n
		}
		if err != nil {
			t.Fatalf("fill socket: %v", err)
		}
	}
}

func TestNotifierSpeaksTheProtocol(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	manager := listen(t, path)
	notifier := systemd.NewNotifier([]string{"NOTIFY_SOCKET=" + path})
	tests := []struct {
		name string
		send func() error
		want string // a pattern for the whole message
	}{
		{"ready", func() error { return notifier.Ready("watching kernel log") }, "READY=1\nSTATUS=watching kernel log"},
		{"status", func() error { return notifier.Status("3 incidents") }, "STATUS=3 incidents"},
		{"a newline would begin another assignment", func() error { return notifier.Status("a\nMAINPID=1") }, `STATUS=a\\nMAINPID=1`},
		{"reloading", notifier.Reloading, "RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*"},
		{"stopping", notifier.Stopping, "STOPPING=1"},
		{"ping", notifier.Ping, "WATCHDOG=1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.send(); err != nil {
				t.Fatal(err)
			}
			if got := receive(t, manager); !regexp.MustCompile("^" + tt.want + "$").MatchString(got) {
				t.Errorf("sent %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNotifierReachesAnAbstractSocket(t *testing.T) {
	name := fmt.Sprintf("@oomdoc-test-%d", os.Getpid())
	manager := listen(t, name)
	if err := systemd.NewNotifier([]string{"NOTIFY_SOCKET=" + name}).Ping(); err != nil {
		t.Fatal(err)
	}
	if got, want := receive(t, manager), "WATCHDOG=1"; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

func TestNotifierWithoutManagerDoesNothing(t *testing.T) {
	notifier := systemd.NewNotifier([]string{"PATH=/bin"})
	if err := errors.Join(notifier.Ready("x"), notifier.Status("x"), notifier.Reloading(), notifier.Ping(), notifier.Stopping()); err != nil {
		t.Errorf("got %v, want no error", err)
	}
	if got := notifier.WatchdogInterval(); got != 0 {
		t.Errorf("WatchdogInterval() = %v, want 0", got)
	}
}

func TestNotifierSaysWhenNobodyListens(t *testing.T) {
	notifier := systemd.NewNotifier([]string{"NOTIFY_SOCKET=" + filepath.Join(t.TempDir(), "absent")})
	if err := notifier.Ping(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Ping() = %v, want an error that the socket does not exist", err)
	}
}

func TestNotifierDoesNotWaitForAManagerThatHangs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	listen(t, path)
	if fill(t, path) == 0 {
		t.Fatal("the socket took nothing")
	}
	if err := systemd.NewNotifier([]string{"NOTIFY_SOCKET=" + path}).Ping(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Ping() = %v, want a timeout", err)
	}
}

func TestWatchdogIntervalIsThatOfThisProcess(t *testing.T) {
	own := fmt.Sprintf("WATCHDOG_PID=%d", os.Getpid())
	tests := []struct {
		name    string
		environ []string
		want    time.Duration
	}{
		{"three minutes", []string{"WATCHDOG_USEC=180000000", own}, 3 * time.Minute},
		{"without pid", []string{"WATCHDOG_USEC=180000000"}, 3 * time.Minute},
		{"meant for another process", []string{"WATCHDOG_USEC=180000000", "WATCHDOG_PID=1"}, 0},
		{"absent", []string{own}, 0},
		{"zero", []string{"WATCHDOG_USEC=0"}, 0},
		{"negative", []string{"WATCHDOG_USEC=-5"}, 0},
		{"not a number", []string{"WATCHDOG_USEC=soon"}, 0},
		{"longer than a duration can be", []string{"WATCHDOG_USEC=9223372036854775807"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := systemd.NewNotifier(tt.environ).WatchdogInterval(); got != tt.want {
				t.Errorf("WatchdogInterval() = %v, want %v", got, tt.want)
			}
		})
	}
}
