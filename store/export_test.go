package store

import (
	"io/fs"

	"github.com/oomdoc/oomdoc"
)

// WithMigrations gives options with other migrations than the embedded ones.
func (o Options) WithMigrations(files fs.FS) Options {
	o.migrations = files
	return o
}

// MigrationFiles are the embedded migrations.
func MigrationFiles() fs.FS { return migrationFiles }

// SameKill tells whether two incidents with one id are the same kill.
func SameKill(a, b oomdoc.Incident) bool { return placeOf(&a).compare(placeOf(&b)) != different }

// Exec runs a statement on the writer's connection.
func (s *Store) Exec(query string, args ...any) error {
	_, err := s.db.Exec(query, args...)
	return err
}

// QueryText reads one value of a query on the connection.
func (r *Reader) QueryText(query string, args ...any) (string, error) {
	var text string
	err := r.db.QueryRow(query, args...).Scan(&text)
	return text, err
}

// Unpack reads packed records; Pack makes them.
func Unpack(data []byte) ([]string, error) { return unpack(data) }

// Pack compresses records as Write does.
func Pack(records []string) ([]byte, error) {
	var p packer
	data, err := p.pack(records)
	return append([]byte(nil), data...), err
}

// Path is the database file.
func (r *Reader) Path() string { return r.path }
