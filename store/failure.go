package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mattn/go-sqlite3"

	"github.com/oomdoc/oomdoc"
)

// Failures that a caller tells apart with errors.Is.
var (
	// ErrLocked says that another daemon has the database.
	ErrLocked = errors.New("another oomdoc daemon has this database")
	// ErrNewer says that the database was made by a newer oomdoc.
	ErrNewer = errors.New("made by a newer oomdoc")
	// ErrOlder says that a reader found the schema of an older oomdoc.
	ErrOlder = errors.New("made by an older oomdoc")
	// ErrMoved says that the file was removed or replaced while it was open.
	ErrMoved = errors.New("was removed or replaced while it was open")
	// ErrForeign says that the file is a database of another program.
	ErrForeign = errors.New("is the database of another program")
)

// retryableCodes are SQLite's results that may be gone at the next try
// (https://www.sqlite.org/rescode.html).
var retryableCodes = map[sqlite3.ErrNo]bool{
	sqlite3.ErrFull:     true, // no space left
	sqlite3.ErrIoErr:    true,
	sqlite3.ErrReadonly: true, // remounted read-only
	sqlite3.ErrCantOpen: true,
	sqlite3.ErrBusy:     true,
	sqlite3.ErrLocked:   true,
	sqlite3.ErrProtocol: true,
	sqlite3.ErrNomem:    true,
}

// sqliteResult is the same for failures before SQLite was asked.
var sqliteResult = map[syscall.Errno]sqlite3.ErrNo{
	syscall.ENOSPC: sqlite3.ErrFull,
	syscall.EDQUOT: sqlite3.ErrFull,
	syscall.EROFS:  sqlite3.ErrReadonly,
	syscall.EIO:    sqlite3.ErrIoErr,
	syscall.ENOMEM: sqlite3.ErrNomem,
	syscall.EAGAIN: sqlite3.ErrBusy,
	syscall.EINTR:  sqlite3.ErrBusy,
}

// IsRetryable tells whether the same call may succeed later: the disk is full,
// the file system read-only, an I/O error, memory short. Nothing of the failed
// call was stored.
func IsRetryable(err error) bool {
	result, _ := reasons(err)
	return retryableCodes[result]
}

// IsCorrupt tells whether the file is damaged, or no database at all.
func IsCorrupt(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB)
}

// advice is what to type after a failure, by SQLite's result. %[1]s is the
// path, %[2]s its folder, both quoted for a shell.
var advice = map[sqlite3.ErrNo]string{
	sqlite3.ErrFull:     "make room, then it goes on by itself; what uses the space: df -h %[2]s",
	sqlite3.ErrReadonly: "see whether the file system is mounted read-only: findmnt -T %[2]s",
	sqlite3.ErrIoErr:    "see what the kernel says of the disk: sudo dmesg | tail",
	sqlite3.ErrNotADB:   "nothing was changed; if the file is not needed, move it away: mv %[1]s %[1]s.old",
	sqlite3.ErrCorrupt:  "nothing was removed; move it away, with its -wal, and oomdoc starts anew: mkdir %[2]s/broken && mv %[1]s* %[2]s/broken/",
}

// fail makes an error that a person can act on out of a failure of SQLite or
// the operating system. An error that has advice already stays as it is.
func fail(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*oomdoc.Error](err); ok {
		return e
	}
	out := &oomdoc.Error{Code: oomdoc.CodeFailed, Op: op, Path: path, Err: err}
	result, errno := reasons(err)
	if errno.Is(fs.ErrPermission) {
		out.Code = oomdoc.CodeNotPermitted
		out.Hint = "run it as root or as the user of the oomdoc service"
	} else if text := advice[result]; text != "" {
		out.Hint = fmt.Sprintf(text, shellWord(path), shellWord(filepath.Dir(path)))
	}
	return out
}

// reasons finds what SQLite and what the operating system said, 0 for neither.
func reasons(err error) (sqlite3.ErrNo, syscall.Errno) {
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		return e.Code, e.SystemErrno
	}
	errno, _ := errors.AsType[syscall.Errno](err)
	return sqliteResult[errno], errno
}

// shellWord quotes a path for a shell unless it is plain.
func shellWord(path string) string {
	plain := strings.IndexFunc(path, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@.:/-+", r)
	}) < 0
	if plain && path != "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
