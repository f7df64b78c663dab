package store

import (
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/oomdoc/oomdoc"
)

//go:embed migration/*.sql
var migrationFiles embed.FS

// applicationID stands in the file's header (migration/0001_incidents.sql).
const applicationID = 0x6f6f6d64

// migrationTable records which migrations a database has seen.
const migrationTable = `CREATE TABLE IF NOT EXISTS migration (
	name       TEXT PRIMARY KEY,
	applied_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID`

// migrations lists the migration files of a folder in the order of their names.
func migrations(files fs.FS) ([]string, error) {
	names, err := fs.Glob(files, "migration/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	return names, nil // Glob sorts within a folder
}

// migrate brings the database to the schema of files, each file in one
// transaction, and refuses one that it does not know.
func migrate(db *sql.DB, path string, files fs.FS, now time.Time) error {
	names, err := migrations(files)
	if err != nil {
		return err
	}
	applied, err := appliedMigrations(db, path)
	if err != nil {
		return err
	}
	if err := refuseUnknown(path, applied, names); err != nil {
		return err
	}
	if err := startWAL(db); err != nil {
		return err
	}
	for _, name := range names {
		if applied[name] {
			continue
		}
		if err := applyMigration(db, files, name, now); err != nil {
			return fmt.Errorf("migrate %s: %w", name, err)
		}
	}
	return nil
}

func applyMigration(db *sql.DB, files fs.FS, name string, now time.Time) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer rollback(tx)
	if _, err := tx.Exec(migrationTable); err != nil {
		return err
	}
	if _, err := tx.Exec(string(text)); err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO migration (name, applied_ns) VALUES (?, ?)", name, now.UnixNano()); err != nil {
		return err
	}
	return tx.Commit()
}

// appliedMigrations reads which migrations the database has seen: none when it
// is empty. A database that has tables, but not ours, is another program's.
func appliedMigrations(db *sql.DB, path string) (map[string]bool, error) {
	var tables, ours, application int
	row := db.QueryRow(`SELECT count(*), coalesce(sum(name = 'migration'), 0), (SELECT application_id FROM pragma_application_id)
		FROM sqlite_master WHERE type = 'table'`)
	if err := row.Scan(&tables, &ours, &application); err != nil {
		return nil, err
	}
	if tables == 0 {
		return nil, nil
	}
	if ours == 0 || application != applicationID {
		return nil, &oomdoc.Error{Code: oomdoc.CodeFailed, Op: "open", Path: path, Err: ErrForeign,
			Hint: "use another path: --db PATH"}
	}
	applied := make(map[string]bool)
	err := each(db, func(read scan) error {
		var name string
		err := read(&name)
		applied[name] = true
		return err
	}, "SELECT name FROM migration")
	return applied, err
}

// refuseUnknown refuses a database that has seen a migration we do not have.
func refuseUnknown(path string, applied map[string]bool, names []string) error {
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	for name := range applied {
		if !known[name] {
			return &oomdoc.Error{Code: oomdoc.CodeFailed, Op: "open", Path: path, Err: ErrNewer,
				Hint: "install the newest oomdoc, or use another database: --db PATH"}
		}
	}
	return nil
}

// rollback ends a transaction that was not committed. SQLite has ended it
// already after a full disk or an I/O error, and database/sql after a commit,
// so an error here tells nothing new.
func rollback(tx *sql.Tx) { _ = tx.Rollback() }
