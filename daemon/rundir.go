package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Running is what a daemon leaves in its run directory, so that the command
// finds the database of a daemon that was started by hand.
type Running struct {
	PID      int    `json:"pid"`
	Database string `json:"database"`
	Version  string `json:"version"`
}

const runFile = "daemon.json"

// announce writes the run file; the returned function removes it. A run
// directory that cannot be written is no failure: the command then needs --db.
func announce(dir string, r Running) (remove func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return func() {}, fmt.Errorf("make run directory: %w", err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		return func() {}, fmt.Errorf("encode run file: %w", err)
	}
	path := filepath.Join(dir, runFile)
	if err := os.WriteFile(path+".new", append(data, '\n'), 0o644); err != nil {
		return func() {}, fmt.Errorf("write run file: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return func() {}, fmt.Errorf("write run file: %w", err)
	}
	return func() {
		if found, ok := FindRunning(dir); ok && found.PID == r.PID {
			_ = os.Remove(path) // a leftover is recognised by its dead pid
		}
	}, nil
}

// FindRunning finds the daemon that announced itself in dir and still lives.
// Only a file that root wrote is believed: it names a database.
func FindRunning(dir string) (Running, bool) {
	path := filepath.Join(dir, runFile)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Running{}, false
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || (stat.Uid != 0 && int(stat.Uid) != os.Getuid()) {
		return Running{}, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Running{}, false
	}
	var r Running
	if json.Unmarshal(data, &r) != nil || !Alive(r.PID) {
		return Running{}, false
	}
	return r, true
}

// Alive tells whether a process of that id exists.
func Alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || !errors.Is(err, syscall.ESRCH) && !errors.Is(err, fs.ErrNotExist)
}
