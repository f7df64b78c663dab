package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// A lock is held by the one daemon that may write. It is on a file beside the
// database, for the life of the process: SQLite's own locks last no longer than
// a transaction.
type lock struct{ file *os.File }

// takeLock takes the lock or says who has it.
func takeLock(path string) (*lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := claim(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &lock{file}, nil
}

// claim locks the open file for this process and notes its pid in it.
func claim(file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return lockedError(file.Name(), readPID(file))
	}
	if err == nil {
		err = errors.Join(own(file), writePID(file))
	}
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return nil
}

func lockedError(path string, holder int) error {
	err := ErrLocked
	if holder > 0 {
		err = fmt.Errorf("%w (pid %d)", ErrLocked, holder)
	}
	return &oomdoc.Error{
		Code: oomdoc.CodeFailed, Op: "lock", Path: path, Err: err,
		Hint: "stop it first (sudo systemctl stop oomdoc), or use another database: --db PATH",
	}
}

// release gives the lock back. The file stays: removing it would let two
// daemons lock two files of one name.
func (l *lock) release() error {
	if l == nil { // OpenBeside: it is another's
		return nil
	}
	return l.file.Close()
}

// writePID leaves the holder's pid in the file, for whoever finds it locked.
func writePID(file *os.File) error {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if _, err := file.WriteAt([]byte(text), 0); err != nil {
		return err
	}
	return file.Truncate(int64(len(text)))
}

// readPID reads the holder's pid, 0 when the file does not tell.
func readPID(file *os.File) int {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 32))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}
