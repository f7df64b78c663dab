package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Modes of what the store makes, whatever the umask: command lines and paths
// of other users stand in it.
const (
	dirMode  fs.FileMode = 0o750
	fileMode fs.FileMode = 0o640
	worldAny fs.FileMode = 0o007
)

// makeDir makes the folder of the database. An existing one is left as it is.
func makeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("make folder: %s is not a folder", dir)
		}
		return nil
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if err := os.Chmod(dir, dirMode); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	return nil
}

// createFile makes an empty file with fileMode unless there is one. SQLite
// gives its -wal and -shm files the mode and the owner of the database file.
//
// An existing file is never opened here: closing it would drop the POSIX locks
// that SQLite holds on it elsewhere in this process (fcntl(2), "Record locks").
func createFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	err = errors.Join(own(file), file.Sync(), file.Close())
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// own sets the mode that the umask may have cut, and, for root, gives the file
// to the owner of its folder: a daemon started once by hand as root must not
// leave files that the service cannot open.
func own(file *os.File) error {
	if err := file.Chmod(fileMode); err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(filepath.Dir(file.Name()))
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 {
		return file.Chown(int(stat.Uid), int(stat.Gid))
	}
	return nil
}

// closeToWorld takes every permission of "other" from a file, if it is there.
func closeToWorld(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode()&worldAny == 0 {
		return nil
	}
	return os.Chmod(path, info.Mode().Perm()&^worldAny)
}

// syncDir makes a new name in a folder survive a power cut.
func syncDir(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}
