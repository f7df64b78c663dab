package systemd_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc/systemd"
)

// inPrivateRun runs the calling test again, in a process that has an empty
// /run of its own, and is true in there. The path of the journal's socket is
// fixed, and the machine's own journal is not to be touched. It needs root.
func inPrivateRun(t *testing.T) bool {
	t.Helper()
	const mark = "OOMDOC_TEST_PRIVATE_RUN"
	if os.Getenv(mark) != "" {
		return true
	}
	if os.Geteuid() != 0 {
		t.Fatal("this test makes a mount namespace: run it as root")
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=2m")
	child.Env = append(os.Environ(), mark+"=1")
	child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS, Pdeathsig: unix.SIGKILL}
	if output, err := child.CombinedOutput(); err != nil {
		t.Fatalf("in its own /run: %v\n%s", err, output)
	}
	return false
}

// mountRun puts the empty /run there. Only for a process of inPrivateRun.
func mountRun(t *testing.T) {
	t.Helper()
	err := errors.Join(
		unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
		unix.Mount("tmpfs", "/run", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=64m"),
		os.MkdirAll(filepath.Dir(systemd.JournalSocket), 0o755),
	)
	if err != nil {
		t.Fatalf("make a private /run: %v", err)
	}
}
