package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
)

// Options of a Store.
type Options struct {
	Now func() time.Time // the wall clock; time.Now when nil
	Log *slog.Logger     // what goes wrong beside the work; nowhere when nil

	migrations fs.FS // the embedded ones when nil
}

// A Store is the database, open for its one writer. It can be read like a
// Reader. Its methods may be called from several goroutines.
type Store struct {
	Reader
	now     func() time.Time
	log     *slog.Logger
	lock    *lock
	file    fs.FileInfo // of the database when it was opened
	opening int64       // the number of this opening, which tells its tellings from earlier ones

	mu      sync.Mutex // one write at a time; guards what follows
	packer  packer
	unsaved bool // something was committed since the last Sync
	commits int  // since the WAL was last moved to the database
}

// Open opens the database for writing, and makes it and its folder when they
// are not there. It takes a lock for the life of the Store (ErrLocked when
// another daemon has it) and brings an older schema up to date. ctx is looked
// at between steps only: none is interrupted in the middle.
//
// Errors are *oomdoc.Error with what to type; IsRetryable tells a full disk
// and its like. A file that is no database, damaged, of another program or of
// a newer oomdoc is refused and left as it is.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	options = withDefaults(options)
	if err := makeDir(filepath.Dir(path)); err != nil {
		return nil, fail("open", path, err)
	}
	held, err := takeLock(path + ".lock")
	if err != nil {
		return nil, fail("open", path, err)
	}
	store, err := openLocked(ctx, path, options, held)
	if err != nil {
		return nil, fail("open", path, errors.Join(err, held.release()))
	}
	return store, nil
}

func withDefaults(options Options) Options {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	if options.migrations == nil {
		options.migrations = migrationFiles
	}
	return options
}

func openLocked(ctx context.Context, path string, options Options, held *lock) (*Store, error) {
	if err := prepareFiles(path); err != nil {
		return nil, err
	}
	file, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	db := connect(path, writerParams(file.Size() == 0), prepareWriter)
	store := &Store{
		Reader: Reader{db: db, path: path},
		now:    options.Now, log: options.Log, lock: held, file: file,
	}
	err = ctx.Err()
	if err == nil {
		err = migrate(db, path, options.migrations, options.Now())
	}
	if err == nil {
		err = store.numberOpening()
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return store, nil
}

// prepareFiles makes the database file and closes what is there to the world.
func prepareFiles(path string) error {
	if err := refuseNoFile(path); err != nil {
		return err
	}
	if err := createFile(path); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		if err := closeToWorld(path + suffix); err != nil {
			return fmt.Errorf("set mode: %w", err)
		}
	}
	return nil
}

// numberOpening counts the openings of the database.
func (s *Store) numberOpening() error {
	return s.inTx("open", func(tx *sql.Tx) (err error) {
		s.opening, err = countUp(tx, stateOpening, s.now())
		return err
	})
}

// Close moves what is in the WAL to the database, durably, and gives up the
// lock.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(fail("close", s.path, s.db.Close()), s.lock.release())
}

// inTx runs do in one immediate transaction, all of it or nothing. There is no
// context: a cancelled one can interrupt the next statement as well
// (mattn/go-sqlite3 issues 488 and 745).
func (s *Store) inTx(op string, do func(tx *sql.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkInPlace(); err != nil {
		return err
	}
	tx, err := s.db.Begin()
	if err != nil {
		return fail(op, s.path, err)
	}
	defer rollback(tx)
	if err := do(tx); err != nil {
		return fail(op, s.path, err)
	}
	if err := tx.Commit(); err != nil {
		return fail(op, s.path, err)
	}
	s.unsaved = true
	s.commits++
	return nil
}

// checkInPlace refuses to write into a file that nobody will find: one that was
// removed or replaced under us stays writable, and what is written is lost.
func (s *Store) checkInPlace() error {
	now, err := os.Stat(s.path)
	if err == nil && os.SameFile(now, s.file) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail("find", s.path, err)
	}
	return &oomdoc.Error{Code: oomdoc.CodeFailed, Op: "find", Path: s.path, Err: ErrMoved,
		Hint: "a restart makes a new one and reads the kernel log again: sudo systemctl restart oomdoc"}
}
