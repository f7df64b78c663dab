package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// selftestPrefix names the cgroup; classify knows it, and only at a place
// where nobody but root can make it.
const selftestPrefix = "oomdoc-selftest-"

func hasNonce(cgroup, nonce string) bool {
	return strings.Contains(path.Base(cgroup), selftestPrefix+nonce)
}

// A smallCgroup is a memory cgroup with a small limit for one process.
type smallCgroup interface {
	name() string
	// runHog starts our own binary inside and waits until it is dead.
	runHog(ctx context.Context, binary string) error
	remove() error
}

// newSmallCgroup makes the cgroup in the way that fits the machine. Where
// systemd runs, it owns the tree and makes a transient unit; else the tree is
// written directly, cgroup v2 before v1.
func newSmallCgroup(nonce string, limit int64) (smallCgroup, error) {
	if _, err := os.Stat("/run/systemd/system"); err == nil {
		if run, err := exec.LookPath("systemd-run"); err == nil {
			return &transientUnit{run: run, unit: selftestPrefix + nonce + ".service", limit: limit}, nil
		}
	}
	var failed error
	for _, kind := range []cgroupTree{
		{root: "/sys/fs/cgroup", magic: unix.CGROUP2_SUPER_MAGIC, settings: [][2]string{{"memory.max", "%d"}, {"memory.swap.max", "0"}}},
		{root: "/sys/fs/cgroup/unified", magic: unix.CGROUP2_SUPER_MAGIC, settings: [][2]string{{"memory.max", "%d"}, {"memory.swap.max", "0"}}},
		{root: "/sys/fs/cgroup/memory", magic: unix.CGROUP_SUPER_MAGIC, settings: [][2]string{{"memory.limit_in_bytes", "%d"}, {"memory.swappiness", "0"}}},
	} {
		folder, err := kind.make(selftestPrefix+nonce, limit)
		if err == nil {
			return &plainCgroup{folder: folder}, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, &oomdoc.Error{Op: "make a memory cgroup", Err: failed,
		Hint: "check that the memory controller is there: cat /proc/cgroups"}
}

// A cgroupTree is one mounted hierarchy. The first setting is the limit and
// must be there; the others may be missing (no swap accounting).
type cgroupTree struct {
	root     string
	magic    int64 // of its file system: the tree of v1 has a tmpfs where v2 has its root
	settings [][2]string
}

func (t cgroupTree) make(name string, limit int64) (string, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(t.root, &fs); err != nil {
		return "", fmt.Errorf("look at %s: %w", t.root, err)
	}
	if int64(fs.Type) != t.magic { //nolint:unconvert // Type has another size on 32-bit machines
		return "", fmt.Errorf("look at %s: not that kind of cgroup tree", t.root)
	}
	folder := filepath.Join(t.root, name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", fmt.Errorf("make cgroup: %w", err)
	}
	for i, setting := range t.settings {
		value := strings.ReplaceAll(setting[1], "%d", strconv.FormatInt(limit, 10))
		err := writeSetting(filepath.Join(folder, setting[0]), value)
		if err != nil && i == 0 {
			_ = os.Remove(folder) // it is empty
			return "", fmt.Errorf("limit cgroup: %w", err)
		}
	}
	return folder, nil
}

// writeSetting writes to a file that is there; it never makes one.
func writeSetting(path, value string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(value)
	return errors.Join(err, file.Close())
}

type plainCgroup struct{ folder string }

func (c *plainCgroup) name() string { return c.folder }

// remove waits for the kernel to let go of the dead process.
func (c *plainCgroup) remove() error {
	var err error
	for range 50 {
		if err = os.Remove(c.folder); err == nil || errors.Is(err, os.ErrNotExist) {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return fmt.Errorf("remove cgroup: %w", err)
}

func (c *plainCgroup) runHog(ctx context.Context, binary string) error {
	command := exec.CommandContext(ctx, binary, hogName)
	command.Env = []string{}
	gate, err := command.StdinPipe()
	if err != nil {
		return fmt.Errorf("start hog: %w", err)
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start hog: %w", err)
	}
	// The hog waits at the gate until it is inside.
	procs := filepath.Join(c.folder, "cgroup.procs")
	if err := writeSetting(procs, strconv.Itoa(command.Process.Pid)); err != nil {
		_ = command.Process.Kill() // it has done nothing yet
		_ = command.Wait()
		return fmt.Errorf("move hog into cgroup: %w", err)
	}
	if _, err := io.WriteString(gate, hogGo); err != nil {
		_ = command.Process.Kill()
		_ = command.Wait()
		return fmt.Errorf("start hog: %w", err)
	}
	err = command.Wait()
	return judgeHog(err)
}

var errOwnEnd = errors.New("it ended by itself")

// judgeHog tells whether the hog ended as it should: killed.
func judgeHog(err error) error {
	if err == nil {
		err = errOwnEnd
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
			return nil
		}
	}
	return &oomdoc.Error{Op: "run hog", Err: fmt.Errorf("the kernel did not kill it: %w", err),
		Hint: "the memory limit of a cgroup does not hold here; inside a container, run the self-test on the host"}
}

type transientUnit struct {
	run, unit string
	limit     int64
}

func (u *transientUnit) name() string  { return u.unit }
func (u *transientUnit) remove() error { return nil } // --collect: systemd does

func (u *transientUnit) runHog(ctx context.Context, binary string) error {
	command := exec.CommandContext(ctx, u.run, "--quiet", "--collect", "--wait", "--pipe", "--unit="+u.unit,
		"--property=MemoryMax="+strconv.FormatInt(u.limit, 10), "--property=MemorySwapMax=0", binary, hogName)
	command.Stdin = strings.NewReader(hogGo)
	output, err := command.CombinedOutput()
	if err == nil {
		return judgeHog(errOwnEnd)
	}
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		return fmt.Errorf("run systemd-run: %w", err)
	}
	// systemd-run's exit status is the unit's: whether the kernel killed it
	// shows in the incident that arrives. A unit that was never started is
	// told by its output.
	if text := strings.TrimSpace(string(output)); strings.HasPrefix(text, "Failed to") {
		return fmt.Errorf("run systemd-run: %s", text)
	}
	return nil
}
