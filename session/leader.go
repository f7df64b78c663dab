package session

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// wordFD is where the leader says what becomes of the command.
const wordFD = 3

// Lead leads the session of a command on a terminal: it starts it in the
// foreground, and stops when it stops. args are the file to run and then the
// command. It gives the exit status.
func Lead(args, environ []string) int {
	runtime.LockOSThread() // for the stop below
	words := os.NewFile(wordFD, "words")
	unix.CloseOnExec(wordFD)
	if words == nil || len(args) < 2 {
		return int(CodeCannotRun)
	}
	// What is meant for the command is sent to it; the terminal's end is ours too.
	signal.Reset()
	pid, err := syscall.ForkExec(args[0], args[1:], &syscall.ProcAttr{
		Env: environ, Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		number, _ := err.(syscall.Errno) //nolint:errorlint // fork and exec give an errno
		fmt.Fprintf(words, "failed %d\n", int(number))
		return int(CodeCannotRun)
	}
	// It may have tried the terminal before it was its own, and stand still.
	_ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, pid)
	_ = syscall.Kill(-pid, syscall.SIGCONT)
	fmt.Fprintf(words, "started %d\n", pid)
	for {
		status, err := wait(pid)
		switch {
		case err != nil:
			return int(CodeCannotRun)
		case !status.Stopped():
			fmt.Fprintf(words, "ended %d\n", uint32(status))
			return Result{Status: status}.Code()
		case isEarly(status.StopSignal(), pid):
		default:
			// To this thread, which then does nothing more before it stands still.
			_ = unix.Tgkill(os.Getpid(), unix.Gettid(), syscall.SIGSTOP)
		}
		_ = syscall.Kill(-pid, syscall.SIGCONT)
	}
}

// isEarly tells a stop for using a terminal that has become the command's own
// since.
func isEarly(sig syscall.Signal, pid int) bool {
	if sig != syscall.SIGTTIN && sig != syscall.SIGTTOU {
		return false
	}
	group, err := unix.IoctlGetInt(0, unix.TIOCGPGRP)
	return err == nil && group == pid
}

// A word is what the leader says.
type word struct {
	lines *bufio.Scanner
	pid   int
}

// started waits for the command to be started.
func (w *word) started() error {
	verb, number := w.next()
	switch verb {
	case "started":
		w.pid = int(number)
		return nil
	case "failed":
		return syscall.Errno(number)
	}
	return os.ErrProcessDone
}

// ended is how the command ended; unknown where the leader was killed.
func (w *word) ended() (syscall.WaitStatus, bool) {
	verb, number := w.next()
	return syscall.WaitStatus(number), verb == "ended"
}

func (w *word) next() (verb string, number uint32) {
	if !w.lines.Scan() {
		return "", 0
	}
	verb, digits, _ := strings.Cut(w.lines.Text(), " ")
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return "", 0
	}
	return verb, uint32(n)
}
