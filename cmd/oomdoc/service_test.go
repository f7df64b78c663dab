package main_test

import (
	"database/sql"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // to change a database behind the daemon's back
	"golang.org/x/sys/unix"
)

// A manager is a service manager as the daemon sees one: the socket that it
// tells its state to.
type manager struct {
	t      *testing.T
	path   string
	socket *net.UnixConn
}

func newManager(t *testing.T) *manager {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return &manager{t, path, socket}
}

// next is the next message that came within a time; empty: none.
func (m *manager) next(within time.Duration) string {
	buffer := make([]byte, 4096)
	if err := m.socket.SetReadDeadline(time.Now().Add(within)); err != nil {
		m.t.Fatal(err)
	}
	n, err := m.socket.Read(buffer)
	if err != nil {
		return ""
	}
	return string(buffer[:n])
}

// await reads messages until one begins so, and gives it and what came before.
func (m *manager) await(prefix string) (message string, before []string) {
	m.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		message := m.next(time.Second)
		if strings.HasPrefix(message, prefix) {
			return message, before
		}
		before = append(before, message)
	}
	m.t.Fatalf("waited in vain for %q, got %q", prefix, before)
	return "", nil
}

// serve starts the daemon as systemd does, with a configuration file.
func (m *machine) serve(manager *manager, stderr *os.File, environ ...string) (config string) {
	m.t.Helper()
	config = filepath.Join(m.folder, "oomdoc.toml")
	m.configure(config, "")
	m.command = exec.Command(built.oomdoc, "daemon")
	m.command.Env = append(os.Environ(), append(environ, "NOTIFY_SOCKET="+manager.path, "INVOCATION_ID=0", "OOMDOC_CONFIG="+config,
		"OOMDOC_RUN_DIR="+m.folder, "OOMDOC_STORE_PATH="+m.database, "LC_ALL=C.UTF-8")...)
	m.command.Stderr = stderr
	if err := m.command.Start(); err != nil {
		m.t.Fatal(err)
	}
	return config
}

func (m *machine) configure(path, text string) {
	m.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) hangup() {
	m.t.Helper()
	if err := m.command.Process.Signal(syscall.SIGHUP); err != nil {
		m.t.Fatal(err)
	}
}

func TestReloadReadsTheConfigurationAndLosesNothing(t *testing.T) {
	m, manager := newMachine(t, "own"), newManager(t)
	config := m.serve(manager, nil)
	ready, _ := manager.await("READY=1")
	if !strings.Contains(ready, "STATUS=watching /dev/kmsg") {
		t.Errorf("ready with %q, want the status", ready)
	}
	box := newBox(t, 16<<20)
	box.reported("before")
	m.waitFor("the kill before the reload", func() bool { return len(of(m.incidents(), box)) == 1 })
	if status, _ := manager.await("STATUS="); !strings.Contains(status, "stored, the newest of") {
		t.Errorf("status %q, want how many incidents are stored", status)
	}
	pid, started := m.command.Process.Pid, m.state().Started

	m.configure(config, "[kmsg]\nreader = \"go-kmsg-parser\"\n")
	m.hangup()
	manager.await("RELOADING=1\nMONOTONIC_USEC=")
	ready, before := manager.await("READY=1")
	for _, message := range before {
		if strings.HasPrefix(message, "STOPPING") {
			t.Errorf("a reload said %q", message)
		}
	}
	if strings.Contains(ready, "of before") {
		t.Errorf("the reload was refused: %q", ready)
	}
	box.reported("after")
	m.waitFor("the kill after the reload", func() bool { return len(of(m.incidents(), box)) == 2 })
	if state := m.state(); state.PID != pid || state.Kmsg.Reader != "go-kmsg-parser" || !state.Started.Equal(started) {
		t.Errorf("after the reload %+v, want the new reader in process %d, started %s", state, pid, started)
	}

	for _, row := range []struct{ name, text, want string }{
		{"a misspelt key", "[kmsg]\nraeder = \"own\"\n", "unknown key kmsg.raeder"},
		{"a log that is not there", "[kmsg]\npath = \"/dev/absent\"\n", "nothing could be watched"},
	} {
		m.configure(config, row.text)
		m.hangup()
		manager.await("RELOADING=1")
		var refusal string
		for !strings.Contains(refusal, row.want) {
			refusal, _ = manager.await("READY=1") // the old configuration is ready before it says why
		}
		if !strings.Contains(refusal, "configuration of before") {
			t.Errorf("%s: ready with %q, want that the one before is used", row.name, refusal)
		}
	}
	box.reported("last")
	m.waitFor("the kill after the refused reloads", func() bool { return len(of(m.incidents(), box)) == 3 })
	if state := m.state(); state.PID != pid || state.Kmsg.Path != "/dev/kmsg" || state.Kmsg.Reader != "go-kmsg-parser" {
		t.Errorf("after refused reloads %+v, want the configuration of before", state)
	}
	m.stop()
	manager.await("STOPPING=1")
	if got, want := len(of(m.incidents(), box)), box.kernelKills(); got != want {
		t.Errorf("%d incidents are stored, the kernel counts %d kills", got, want)
	}
}

// One loop that hangs is enough: here the one that writes alerts, because
// nobody reads standard error.
func TestWatchdogIsPingedOnlyWhileEveryLoopMoves(t *testing.T) {
	m, manager := newMachine(t, "own"), newManager(t)
	reader, stderr, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	const watchdog = 2 * time.Second
	m.serve(manager, stderr, "OOMDOC_ALERT_JOURNAL=false", "WATCHDOG_USEC=2000000")
	manager.await("READY=1")
	manager.await("WATCHDOG=1")
	manager.await("WATCHDOG=1")

	fillPipe(t, stderr)
	newBox(t, 16<<20).reported("hang")
	m.waitFor("the kill", func() bool { return len(m.incidents()) > 0 })
	time.Sleep(watchdog / 2) // what was on its way
	for manager.next(time.Millisecond) != "" {
	}
	for end := time.Now().Add(2 * watchdog); time.Now().Before(end); {
		if message := manager.next(time.Until(end)); message == "WATCHDOG=1" {
			t.Fatal("the watchdog was pinged while the alerts hung")
		}
	}

	go func() { // read standard error again, until the daemon ends
		buffer := make([]byte, 64<<10)
		for {
			if _, err := reader.Read(buffer); err != nil {
				return
			}
		}
	}()
	manager.await("WATCHDOG=1")
	m.stop()
	stderr.Close()
}

// fillPipe writes to a pipe until it takes no more.
func fillPipe(t *testing.T, pipe *os.File) {
	t.Helper()
	fd := int(pipe.Fd()) // blocking from now on
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for chunk := make([]byte, 4096); ; {
		if _, err := unix.Write(fd, chunk); errors.Is(err, unix.EAGAIN) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
}

// A database of a newer oomdoc ends the daemon with the status with which
// systemd does not start it again and again.
func TestDaemonThatNoRestartMendsEndsWithStatus2(t *testing.T) {
	m := newMachine(t, "own")
	m.start()
	m.stop()
	newer, err := sql.Open("sqlite3", m.database)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newer.Exec("INSERT INTO migration (name, applied_ns) VALUES ('migration/9999_next.sql', 0)"); err != nil {
		t.Fatal(err)
	}
	newer.Close()
	_, stderr, status := m.run("daemon")
	if status != 2 || !strings.Contains(stderr, "made by a newer oomdoc") || !strings.Contains(stderr, "Try: install the newest oomdoc") {
		t.Errorf("status %d, %q; want 2 and what to do", status, stderr)
	}
}
