package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// OpenBeside opens the database for writing also where a daemon has it open, as
// long as it is of this version: each write waits for its turn. What is written
// so must be of the kind that comes to the same whoever writes first.
func OpenBeside(ctx context.Context, path string, options Options) (*Store, error) {
	store, err := Open(ctx, path, options)
	if !errors.Is(err, ErrLocked) {
		return store, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	file, err := os.Stat(path)
	if err != nil {
		return nil, fail("open", path, err)
	}
	options = withDefaults(options)
	store = &Store{
		Reader: Reader{db: connect(path, writerParams(false), prepareWriter), path: path},
		now:    options.Now, log: options.Log, file: file,
	}
	if err = store.checkSchema(); err == nil {
		err = store.numberOpening()
	}
	if err != nil {
		return nil, fail("open", path, errors.Join(err, store.db.Close()))
	}
	return store, nil
}
