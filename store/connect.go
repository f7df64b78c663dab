package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"

	"github.com/mattn/go-sqlite3"
)

// Settings of every connection. The daemon has 12 MiB of anonymous memory for
// everything, so the page cache is half a megabyte and nothing is mapped.
const (
	cacheKiB      = 512
	busyTimeoutMS = 5000
	// keptStatements holds every statement of this package, prepared.
	keptStatements = 40

	// A commit that finds this many pages in the WAL (16 MiB) moves them to the
	// database itself. It is a safety net: Sync does it earlier, outside Write.
	autoCheckpointPages = 4000
	// What the WAL shrinks to once it has been moved.
	walBytesKept = 4 << 20
)

// writerParams open the database for the one writer (knowledge of go-sqlite3:
// WAL, a busy timeout and immediate transactions are what avoids "database is
// locked"). auto_vacuum counts only in a fresh file, and is set in no other: it writes
// to the header each time, and a file that is refused must stay as it is. WAL
// itself is set when the file is known to be ours (startWAL): it changes the
// file.
func writerParams(fresh bool) url.Values {
	params := url.Values{
		"mode":             {"rw"},
		"_synchronous":     {"NORMAL"},
		"_txlock":          {"immediate"},
		"_foreign_keys":    {"on"},
		"_busy_timeout":    {fmt.Sprint(busyTimeoutMS)},
		"_cache_size":      {fmt.Sprint(-cacheKiB)},
		"_stmt_cache_size": {fmt.Sprint(keptStatements)},
	}
	if fresh {
		params.Set("_auto_vacuum", "incremental")
	}
	return params
}

// readerParams open the database for reading, in the given way (reader.go).
func readerParams(way url.Values) url.Values {
	params := url.Values{
		"_query_only":      {"on"},
		"_busy_timeout":    {fmt.Sprint(busyTimeoutMS)},
		"_cache_size":      {fmt.Sprint(-cacheKiB)},
		"_stmt_cache_size": {fmt.Sprint(keptStatements)},
	}
	for key, values := range way {
		params[key] = values
	}
	return params
}

// Statements that every new connection runs. A database file may come from
// anybody (--db), so its schema is not trusted to call functions.
const (
	setEvery  = "PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON"
	setWriter = "PRAGMA journal_size_limit = %d; PRAGMA wal_autocheckpoint = %d"
)

// prepareReader is the connect hook of a reader.
func prepareReader(conn *sqlite3.SQLiteConn) error {
	_, err := conn.Exec(setEvery, nil)
	return err
}

// prepareWriter is the connect hook of the writer. The WAL stays when the last
// connection closes: only then can somebody without write permission always
// open the database read-only (https://www.sqlite.org/wal.html, "Read-Only
// Databases").
func prepareWriter(conn *sqlite3.SQLiteConn) error {
	if err := conn.SetFileControlInt("main", sqlite3.SQLITE_FCNTL_PERSIST_WAL, 1); err != nil {
		return err
	}
	if _, err := conn.Exec(setEvery, nil); err != nil {
		return err
	}
	_, err := conn.Exec(fmt.Sprintf(setWriter, walBytesKept, autoCheckpointPages), nil)
	return err
}

// startWAL puts the database in WAL mode, which stays with the file.
func startWAL(db *sql.DB) error {
	var mode string
	if err := db.QueryRow("PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return fmt.Errorf("start write-ahead log: %w", err)
	}
	if mode != "wal" {
		return fmt.Errorf("start write-ahead log: the file system allows only journal mode %q", mode)
	}
	return nil
}

// A connector opens connections to one file; it saves registering a driver
// under a global name.
type connector struct {
	driver *sqlite3.SQLiteDriver
	dsn    string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return c.driver }

// connect opens the file with a single connection, so that settings hold for
// every statement and memory stays small.
func connect(path string, params url.Values, hook func(*sqlite3.SQLiteConn) error) *sql.DB {
	// A path is escaped: "?" and "#" in it are not the start of parameters.
	dsn := (&url.URL{Scheme: "file", Path: path, RawQuery: params.Encode()}).String()
	db := sql.OpenDB(connector{&sqlite3.SQLiteDriver{ConnectHook: hook}, dsn})
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	return db
}
