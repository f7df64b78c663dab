package packaging_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ownMounts runs a script in mounts of its own, as root of them at least.
func ownMounts(t *testing.T, script string, args ...string) (string, error) {
	t.Helper()
	args = append([]string{"--user", "--map-root-user", "--mount", "--propagation", "private", "sh", "-euc", script, "sh"}, args...)
	if os.Geteuid() == 0 {
		args = args[2:]
	}
	output, err := exec.Command("unshare", args...).CombinedOutput()
	return string(output), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// What is mounted below a folder that is removed stays as it is: of another
// file system, of the same one, within another mount, and while it is in use.
func TestRemoveTreeStopsAtMounts(t *testing.T) {
	folder, kept := filepath.Join(t.TempDir(), "root with a space"), t.TempDir()
	treasure := filepath.Join(kept, "treasure")
	for _, dir := range []string{"bind", "memory/inner", "proc"} {
		if err := os.MkdirAll(filepath.Join(folder, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(treasure, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	output, err := ownMounts(t, `
		mount --bind "$2" "$1/bind"
		mount -t tmpfs memory "$1/memory"
		mkdir "$1/memory/inner"
		mount --bind "$2" "$1/memory/inner"
		mount --rbind /proc "$1/proc"
		exec 9< "$1/memory/inner/treasure"
		"$3" "$1"
		! findmnt --list --noheadings --output TARGET | grep -F "$1"`,
		folder, kept, absolute(t, "remove-tree"))
	if err != nil {
		t.Errorf("remove-tree: %v\n%s", err, output)
	}
	if exists(folder) {
		t.Error("the folder is still there")
	}
	if !exists(treasure) {
		t.Error("what was mounted in it is gone")
	}
}

// Where something cannot be unmounted nothing is removed.
func TestRemoveTreeLeavesWhatStaysMounted(t *testing.T) {
	folder, kept := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(folder, "ours"), filepath.Join(kept, "treasure")} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "bind"), 0o755); err != nil {
		t.Fatal(err)
	}
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "umount"), []byte("#!/bin/sh\nexit 32\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	output, err := ownMounts(t, `mount --bind "$2" "$1/bind"; PATH=$4:$PATH exec "$3" "$1"`, folder, kept, absolute(t, "remove-tree"), tools)
	if err == nil || !strings.Contains(output, "is not removed") {
		t.Errorf("remove-tree: %v, said %q; want a refusal", err, output)
	}
	if !exists(filepath.Join(folder, "ours")) || !exists(filepath.Join(kept, "treasure")) {
		t.Error("something was removed all the same")
	}
}

func TestRemoveTreeRefusesTheRoot(t *testing.T) {
	inside := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("/", inside); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/proc/..", "/tmp", inside, ""} {
		command := exec.Command("./remove-tree", path)
		command.Env = []string{"PATH=" + toolsWithoutRemoval(t)}
		output, err := command.CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 {
			t.Errorf("remove-tree %q: %v, want status 2\n%s", path, err, output)
		}
	}
}

// toolsWithoutRemoval is a PATH on which remove-tree could remove nothing.
func toolsWithoutRemoval(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, tool := range []string{"rm", "umount", "mount"} {
		if err := os.Symlink("/bin/false", filepath.Join(folder, tool)); err != nil {
			t.Fatal(err)
		}
	}
	return folder + ":/usr/bin:/bin"
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
