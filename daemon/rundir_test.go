package daemon_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/oomdoc/oomdoc/daemon"
)

func leave(t *testing.T, dir string, r daemon.Running) {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "daemon.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFindRunningBelievesOnlyALivingDaemon(t *testing.T) {
	dir := t.TempDir()
	if _, ok := daemon.FindRunning(dir); ok {
		t.Error("found a daemon in an empty directory")
	}
	leave(t, dir, daemon.Running{PID: os.Getpid(), Database: "/x/oomdoc.db"})
	if got, ok := daemon.FindRunning(dir); !ok || got.Database != "/x/oomdoc.db" {
		t.Errorf("found %+v, %v; want the one that lives", got, ok)
	}
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	leave(t, dir, daemon.Running{PID: dead.Process.Pid, Database: "/x/oomdoc.db"})
	if got, ok := daemon.FindRunning(dir); ok {
		t.Errorf("found %+v, which is dead", got)
	}
}

// The file names a database: another user must not be able to point root's
// command at one of his own.
func TestFindRunningIgnoresAnotherUsersFile(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("this test gives a file to another user: run it as root")
	}
	dir := t.TempDir()
	leave(t, dir, daemon.Running{PID: os.Getpid(), Database: "/x/oomdoc.db"})
	if err := os.Chown(filepath.Join(dir, "daemon.json"), 65534, 65534); err != nil {
		t.Fatal(err)
	}
	if got, ok := daemon.FindRunning(dir); ok {
		t.Errorf("believed %+v, a file of another user", got)
	}
}
