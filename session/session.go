package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// Options say what to run.
type Options struct {
	Args         []string // the command and its arguments
	Environ      []string
	In, Out, Err *os.File
	// Leader is the command line by which our own binary runs Lead; the command
	// follows it.
	Leader []string
	// Out and Err are told of what was printed on them, after it was. A copy must
	// not wait, and must not keep the text.
	CopyOut, CopyErr func(text []byte)
	// Started is called once the command runs.
	Started func(pid int)
}

// A Result is how the command ended.
type Result struct {
	PID    int
	Status syscall.WaitStatus
}

// Code is the exit status that a shell gives: the command's own, or 128 and the
// signal that ended it.
func (r Result) Code() int {
	if r.Status.Signaled() {
		return 128 + int(r.Status.Signal())
	}
	return r.Status.ExitStatus()
}

// The exit statuses of a command that could not be run (POSIX, "Exit Status for
// Commands").
const (
	CodeCannotRun oomdoc.Code = 126
	CodeNoCommand oomdoc.Code = 127
)

// Run runs the command to its end. An error means that it did not run.
func Run(o Options) (Result, error) {
	path, err := find(o.Args[0])
	if err != nil {
		return Result{}, err
	}
	r := &run{Options: o, path: path}
	if isTerminal(o.In) && isTerminal(o.Out) {
		return r.onTerminal()
	}
	return r.beside()
}

// find looks a command up as a shell does.
func find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		return path, nil
	}
	code := CodeCannotRun
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		code = CodeNoCommand
	}
	return "", &oomdoc.Error{Code: code, Op: "run", Err: err, Hint: "oomdoc run --help"}
}

// A run is one command that runs.
type run struct {
	Options
	path  string
	pumps pumps
}

// cannotRun says why the kernel did not start the command.
func (r *run) cannotRun(err error) error {
	return &oomdoc.Error{Code: CodeCannotRun, Op: "run", Path: r.Args[0], Err: err}
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// isSame tells two descriptors of one file: what is printed on both must keep
// its order.
func isSame(a, b *os.File) bool {
	one, err := a.Stat()
	two, also := b.Stat()
	return err == nil && also == nil && os.SameFile(one, two)
}

// closeAll closes files of ours whose end nobody needs to hear of.
func closeAll(files ...io.Closer) {
	for _, f := range files {
		_ = f.Close()
	}
}

// wait waits for a process to end or to stop.
func wait(pid int) (syscall.WaitStatus, error) {
	for {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil)
		if err == nil {
			return status, nil
		}
		if err != syscall.EINTR {
			return 0, fmt.Errorf("wait for command: %w", err)
		}
	}
}
