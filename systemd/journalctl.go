package systemd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// A JournalSource says which journal is read, and by what. The zero value is this
// machine's, with its namespaces, read by journalctl of the path.
type JournalSource struct {
	Command   string // empty: journalctl
	Directory string // of journal files; empty: the machine's own
}

// journalFields are what is asked of each entry (--output-fields, systemd 236);
// cursor, times and boot come in any case.
func journalFields() string {
	return strings.Join([]string{
		"MESSAGE", "PRIORITY", "SYSLOG_FACILITY", "SYSLOG_IDENTIFIER", "_TRANSPORT", "_SOURCE_MONOTONIC_TIMESTAMP",
		"_PID", "_UID", "_COMM", "_SYSTEMD_UNIT", "_SYSTEMD_USER_UNIT", "_SYSTEMD_CGROUP",
		"CONTAINER_ID", "CONTAINER_ID_FULL", "CONTAINER_NAME",
		"MESSAGE_ID", "UNIT", "USER_UNIT", "INVOCATION_ID", "USER_INVOCATION_ID", "N_PROCESSES",
	}, ",")
}

// arguments are those of every call.
func (j JournalSource) arguments() []string {
	args := []string{"--quiet", "--no-pager", "--all", "--output=export", "--output-fields=" + journalFields()}
	if j.Directory != "" {
		return append(args, "--directory="+j.Directory)
	}
	return append(args, "--namespace=*") // systemd 245; units may log to a namespace of their own
}

// Files tells whether there is a journal at all: without one a reader has nothing
// to do.
func (j JournalSource) Files() bool {
	folders := []string{j.Directory}
	if j.Directory == "" {
		folders = []string{"/run/log/journal", "/var/log/journal"}
	}
	for _, folder := range folders {
		if hasJournal(folder, 1) {
			return true
		}
	}
	return false
}

func hasJournal(folder string, depth int) bool {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".journal") || entry.IsDir() && depth > 0 && hasJournal(folder+"/"+entry.Name(), depth-1) {
			return true
		}
	}
	return false
}

// ErrNoPatterns says that this journalctl was built without --grep: all entries
// must be read.
var ErrNoPatterns = errors.New("journalctl was built without pattern matching")

// A reading is one journalctl that runs.
type reading struct {
	command *exec.Cmd
	pipe    io.ReadCloser
	stderr  *tail
	decoder *record.Decoder
}

// read starts a journalctl with these arguments beside those of every call. It is
// ended when ctx ends, and by the kernel when this process does. gentle lets it
// have only what nobody else wants of the machine.
func (j JournalSource) read(ctx context.Context, gentle bool, args ...string) (*reading, error) {
	command := exec.CommandContext(ctx, cmp.Or(j.Command, "journalctl"), append(j.arguments(), args...)...)
	// Its messages are read by us: not in the user's language.
	command.Env = append(os.Environ(), "LC_ALL=C", "SYSTEMD_COLORS=0", "SYSTEMD_LOG_TARGET=console", "SYSTEMD_LOG_LEVEL=warning")
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: unix.SIGKILL}
	r := &reading{command: command, stderr: &tail{}}
	command.Stderr = r.stderr
	var err error
	if r.pipe, err = command.StdoutPipe(); err != nil {
		return nil, fmt.Errorf("start journalctl: %w", err)
	}
	if err := command.Start(); err != nil {
		return nil, &oomdoc.Error{Op: "start journalctl", Err: err, Hint: "install systemd's journalctl, or set enabled = false under [journal]"}
	}
	if gentle {
		makeGentle(command.Process.Pid)
	}
	r.decoder = record.NewDecoder(r.pipe, record.Options{Source: oomdoc.SourceJournal})
	return r, nil
}

// makeGentle gives a process the lowest priority for the processor and the disk.
// A sandbox may forbid it; then it only is less gentle.
func makeGentle(pid int) {
	const ( // include/uapi/linux/ioprio.h
		whoProcess = 1
		classIdle  = 3 << 13
	)
	_ = unix.Setpriority(unix.PRIO_PROCESS, pid, 19)
	_, _, _ = unix.Syscall(unix.SYS_IOPRIO_SET, whoProcess, uintptr(pid), classIdle)
}

// next gives the next entry; io.EOF at the end. What is no entry is passed over.
func (r *reading) next(rec *oomdoc.Record) error {
	for {
		if err := r.decoder.Next(rec); err != nil {
			return err
		}
		if rec.Journal != nil && len(rec.Journal.Cursor) > 0 {
			rec.BootID = bootID(rec.BootID)
			return nil
		}
	}
}

// end waits for the journalctl that has closed its output, or ends it.
func (r *reading) end() error {
	_ = r.pipe.Close() // it was only read
	_ = r.command.Process.Signal(unix.SIGTERM)
	err := r.command.Wait()
	said := r.stderr.String()
	switch {
	case strings.Contains(said, "pattern matching support"):
		return ErrNoPatterns
	case said != "":
		return fmt.Errorf("journalctl: %s", said)
	case err != nil:
		return fmt.Errorf("journalctl: %w", err)
	}
	return nil
}

// unlessQuiet drops the error of a journalctl that has found nothing (--grep gives
// status 1 for that) or that we have ended.
func unlessQuiet(err error) error {
	exit, is := errors.AsType[*exec.ExitError](err)
	if !is {
		return err
	}
	status, is := exit.Sys().(syscall.WaitStatus)
	if is && (status.ExitStatus() == 1 || status.Signaled() && status.Signal() == syscall.SIGTERM) {
		return nil
	}
	return err
}

// bootID is a boot's id as the kernel writes it: the journal leaves the dashes out.
func bootID(id string) string {
	if len(id) != 32 {
		return id
	}
	return strings.Join([]string{id[:8], id[8:12], id[12:16], id[16:20], id[20:]}, "-")
}

// A tail keeps the end of what a child complains about.
type tail struct{ text []byte }

const maxTail = 512

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	if n := len(t.text) - maxTail; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	return len(b), nil
}

func (t *tail) String() string { return clean(string(bytes.TrimSpace(t.text)), maxTail) }
