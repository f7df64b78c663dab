package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/oomdoc/oomdoc"
)

// A Reader reads the database while the daemon writes it or when it does not
// run. It changes no data. In one process, open the Store first: SQLite shares
// the -shm file between a process's connections, and one that could only be
// opened read-only makes the Store fail until that Reader is closed.
type Reader struct {
	db   *sql.DB
	path string
}

// OpenReader opens the database for reading. Errors are *oomdoc.Error:
// CodeNotFound when there is none yet, CodeNotPermitted when this user may not.
func OpenReader(path string) (*Reader, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if err := mayRead(path); err != nil {
		return nil, err
	}
	ways, err := readWays(path)
	if err != nil {
		return nil, fail("open", path, err)
	}
	var first error
	for _, way := range ways {
		reader := &Reader{db: connect(path, readerParams(way), prepareReader), path: path}
		err := reader.checkSchema()
		if err == nil {
			return reader, nil
		}
		err = errors.Join(err, reader.db.Close())
		if first == nil {
			first = err
		}
	}
	return nil, explainUnreadable(path, first)
}

// Close ends the reading.
func (r *Reader) Close() error { return fail("close", r.path, r.db.Close()) }

// mayRead tells why the file cannot be read, in words for a person. It asks
// without opening it (see createFile).
func mayRead(path string) error {
	if err := refuseNoFile(path); err != nil {
		return err
	}
	_, err := os.Stat(path)
	if err == nil {
		err = access(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &oomdoc.Error{Code: oomdoc.CodeNotFound, Op: "open", Path: path, Err: errors.New("no incidents are stored here: the daemon has not run yet"),
			Hint: "sudo systemctl start oomdoc, or in the foreground: sudo oomdoc daemon"}
	case errors.Is(err, fs.ErrPermission):
		return &oomdoc.Error{Code: oomdoc.CodeNotPermitted, Op: "open", Path: path, Err: errors.New("this user may not read it"),
			Hint: "sudo oomdoc last"}
	}
	return fail("open", path, err)
}

// refuseNoFile refuses what is there but no regular file.
func refuseNoFile(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		return nil // whoever opens it says what is wrong
	}
	return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "open", Path: path, Err: errors.New("is not a file"),
		Hint: "name the database file: --db " + shellWord(filepath.Join(path, "oomdoc.db"))}
}

// readWays lists the ways to open the file, best first.
//
// With a WAL, mode=ro sees every commit. It needs the -shm file too, or has to
// make one, which a read-only folder refuses.
//
// Without a WAL (made by nobody yet, moved here alone), mode=ro fails ("attempt
// to write a readonly database"); immutable works, and is true as long as
// nobody writes, so it is no way where a WAL holds something.
// (https://www.sqlite.org/wal.html, "Read-Only Databases".)
func readWays(path string) ([]url.Values, error) {
	wal, err := os.Stat(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ways []url.Values
	if wal != nil {
		ways = append(ways, url.Values{"mode": {"ro"}})
	}
	if wal == nil || wal.Size() == 0 {
		ways = append(ways, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	}
	return ways, nil
}

// checkSchema refuses a database that this version cannot read.
func (r *Reader) checkSchema() error {
	applied, err := appliedMigrations(r.db, r.path)
	if err != nil {
		return err
	}
	names, err := migrations(migrationFiles)
	if err != nil {
		return err
	}
	if err := refuseUnknown(r.path, applied, names); err != nil {
		return err
	}
	switch len(applied) {
	case len(names):
		return nil
	case 0:
		return &oomdoc.Error{Code: oomdoc.CodeNotFound, Op: "open", Path: r.path, Err: errors.New("no incidents are stored here: the daemon has not finished its first start"),
			Hint: "sudo systemctl restart oomdoc"}
	}
	return &oomdoc.Error{Code: oomdoc.CodeFailed, Op: "open", Path: r.path, Err: ErrOlder,
		Hint: "the daemon brings it up to date when it starts: sudo systemctl restart oomdoc"}
}

// explainUnreadable adds what to type to a failure of every way to read.
func explainUnreadable(path string, err error) error {
	if _, ok := errors.AsType[*oomdoc.Error](err); ok || IsCorrupt(err) {
		return fail("open", path, err)
	}
	folder := filepath.Dir(path)
	return &oomdoc.Error{Code: oomdoc.CodeFailed, Op: "open", Path: path, Err: err,
		Hint: fmt.Sprintf("as root, or on a copy of its folder: cp -r %s /tmp/oomdoc-copy", shellWord(folder))}
}
