package store_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// withLater adds a migration to the embedded ones.
func withLater(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(store.MigrationFiles(), "migration/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(store.MigrationFiles(), name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	files["migration/9999_mood.sql"] = &fstest.MapFile{
		Data: []byte("ALTER TABLE incident ADD COLUMN mood TEXT; UPDATE incident SET mood = 'sad';")}
	return files
}

func TestLaterMigrationRunsOnceAndKeepsWhatIsThere(t *testing.T) {
	s := openNew(t)
	write(t, s, kill(0))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		later, err := store.Open(t.Context(), s.Path(), store.Options{}.WithMigrations(withLater(t)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := later.QueryText("SELECT mood FROM incident"); err != nil || got != "sad" {
			t.Errorf("after the migration: %q, %v, want sad", got, err)
		}
		checkCount(t, &later.Reader, 1)
		if err := later.Close(); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Open(t.Context(), s.Path(), store.Options{})
	checkRefused(t, "open a newer schema", err, func(err error) bool { return errors.Is(err, store.ErrNewer) })
	if after, err := os.ReadFile(s.Path()); err != nil || !bytes.Equal(before, after) {
		t.Errorf("opening a newer schema changed the file (%v)", err)
	}
	_, err = store.OpenReader(s.Path())
	checkRefused(t, "read a newer schema", err, func(err error) bool { return errors.Is(err, store.ErrNewer) })
}

func TestFailedMigrationLeavesTheOldSchema(t *testing.T) {
	s := openNew(t)
	write(t, s, kill(0))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files := withLater(t)
	files["migration/9999_mood.sql"].Data = []byte("ALTER TABLE incident ADD COLUMN mood TEXT; INSERT INTO nowhere VALUES (1);")
	if _, err := store.Open(t.Context(), s.Path(), store.Options{}.WithMigrations(files)); err == nil {
		t.Fatal("a broken migration succeeded")
	}
	checkCount(t, &open(t, s.Path()).Reader, 1)
}

// Every schema that was released is kept as a dump in testdata/schema.
func TestOlderSchemasAreBroughtUpToDate(t *testing.T) {
	dumps, err := filepath.Glob("testdata/schema/*.sql")
	if err != nil || len(dumps) == 0 {
		t.Fatalf("no schema in testdata: %v", err)
	}
	fresh := openNew(t)
	for _, dump := range dumps {
		t.Run(filepath.Base(dump), func(t *testing.T) {
			text, err := os.ReadFile(dump)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "oomdoc.db")
			// A dump does not tell the header's application id.
			runSQL(t, path, string(text)+"; PRAGMA application_id = 0x6f6f6d64;")
			s := open(t, path)
			const schema = "SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name)"
			want, err := fresh.QueryText(schema)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.QueryText(schema); err != nil || got != want {
				t.Errorf("schema: %v\n%s\nwant:\n%s", err, got, want)
			}
			last, err := s.Last(1, store.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			if len(last) != 1 || last[0].Class != oomdoc.ClassHostRAM || last[0].Process == nil {
				t.Fatalf("last = %+v, want the kill that the dump holds", last)
			}
			records, err := s.Records(last[0].ID)
			if err != nil || len(records) != len(report(t)) {
				t.Errorf("raw records = %d, %v, want %d", len(records), err, len(report(t)))
			}
		})
	}
}
