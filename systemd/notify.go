package systemd

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/sys/unix"
)

// notifyWithin bounds how long a message to the service manager may take. A
// manager that is busy (daemon-reload) or stopped lets its socket fill, and the
// daemon must not wait for it.
const notifyWithin = time.Second

// A Notifier speaks sd_notify(3). One that was started outside of systemd does
// nothing, successfully. It is not changed after NewNotifier, so any number of
// goroutines may use it.
//
// daemon.SdNotify of go-systemd v22.7.0 is not called: it writes without a
// deadline and reads the environment anew each time. Its words are used.
type Notifier struct {
	socket   string // empty: nobody listens
	watchdog time.Duration
}

// NewNotifier reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from an
// environment in the form of os.Environ.
func NewNotifier(environ []string) *Notifier {
	n := &Notifier{}
	var usec, pid string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch name {
		case "NOTIFY_SOCKET":
			n.socket = value
		case "WATCHDOG_USEC":
			usec = value
		case "WATCHDOG_PID":
			pid = value
		}
	}
	n.watchdog = watchdogInterval(usec, pid)
	return n
}

// watchdogInterval is what sd_watchdog_enabled(3) says: 0 when the watchdog is
// off, or meant for another process.
func watchdogInterval(usec, pid string) time.Duration {
	if pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return 0
	}
	n, err := strconv.ParseInt(usec, 10, 64)
	if err != nil || n <= 0 || n > int64(1<<63-1)/int64(time.Microsecond) {
		return 0
	}
	return time.Duration(n) * time.Microsecond
}

// WatchdogInterval is the longest silence that systemd's watchdog allows, 0
// when it is off. Ping at least twice as often.
func (n *Notifier) WatchdogInterval() time.Duration { return n.watchdog }

// Ready says that the start, or a reload, is done, and what is watched.
func (n *Notifier) Ready(status string) error {
	return n.send(daemon.SdNotifyReady, statusLine(status))
}

// Status replaces the line that `systemctl status` shows.
func (n *Notifier) Status(status string) error { return n.send(statusLine(status)) }

// Reloading says that a reload begins; Ready ends it. The time on the
// monotonic clock is what Type=notify-reload (systemd 253 and newer) waits for.
func (n *Notifier) Reloading() error {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return fmt.Errorf("read monotonic clock: %w", err)
	}
	return n.send(daemon.SdNotifyReloading, "MONOTONIC_USEC="+strconv.FormatInt(now.Nano()/1000, 10))
}

// Stopping says that the service ends by its own will.
func (n *Notifier) Stopping() error { return n.send(daemon.SdNotifyStopping) }

// Ping tells the watchdog that we live. Call it only when every loop has made
// progress since the last time.
func (n *Notifier) Ping() error { return n.send(daemon.SdNotifyWatchdog) }

// maxStatus is how many bytes of a status are sent: a line, not a report.
const maxStatus = 512

// statusLine is the assignment for a status, which must not hold a newline: it
// would begin another assignment.
func statusLine(status string) string { return "STATUS=" + clean(status, maxStatus) }

func (n *Notifier) send(assignments ...string) error {
	if n.socket == "" {
		return nil
	}
	connection, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: n.socket, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	defer func() { _ = connection.Close() }() // a datagram socket has nothing to flush
	if err := connection.SetWriteDeadline(time.Now().Add(notifyWithin)); err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	if _, err := connection.Write([]byte(strings.Join(assignments, "\n"))); err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	return nil
}
