package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
)

// Purge forgets incidents, with their raw records: those of the ids, which must
// be whole, or without ids those that the filter chooses; its limit and offset
// do not count. It works beside a daemon that writes: in small steps, between
// which that one has its turn. Nothing of what was removed
// stays in the file.
func Purge(ctx context.Context, path string, ids []string, filter Filter) (removed int, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return 0, fmt.Errorf("purge %s: %w", path, err)
	}
	if err := mayRead(path); err != nil {
		return 0, err
	}
	params := writerParams(false)
	params.Set("_secure_delete", "on")
	reader := &Reader{db: connect(path, params, prepareWriter), path: path}
	defer func() { err = errors.Join(err, reader.Close()) }()
	if err := reader.checkSchema(); err != nil {
		return 0, fail("purge", path, err)
	}
	if len(ids) == 0 {
		where, args := filter.where()
		err = purgeWhere(ctx, reader.db, where, args, &removed)
	}
	for _, id := range ids {
		err = errors.Join(err, purgeWhere(ctx, reader.db, "id = ?", []any{id}, &removed))
	}
	return removed, fail("purge", path, errors.Join(err, tidy(reader.db)))
}

// purgeWhere repeats a step of removing until there is nothing left to remove.
func purgeWhere(ctx context.Context, db *sql.DB, where string, args []any, removed *int) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		result, err := db.Exec("DELETE FROM incident WHERE key IN (SELECT key FROM incident WHERE "+where+" LIMIT ?)",
			append(args[:len(args):len(args)], rowsPerStep)...)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		*removed += int(n)
		if n < rowsPerStep {
			return nil
		}
	}
}

// tidy writes the database anew and empties the write-ahead log. Removing rows
// overwrites them (secure_delete), but not the copies that stay in a page when
// its rows are moved to another; only VACUUM leaves none (sqlite.org,
// lang_vacuum). The file stays the same one. A daemon that finds the database
// busy for that long keeps its incidents and tries again.
func tidy(db *sql.DB) error {
	if _, err := db.Exec("VACUUM"); err != nil {
		return err
	}
	return each(db, func(scan) error { return nil }, "PRAGMA wal_checkpoint(TRUNCATE)")
}
