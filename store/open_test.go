package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

func TestFilesAreClosedToTheWorldWhateverTheUmask(t *testing.T) {
	for _, umask := range []int{0, 0o077} {
		t.Run(fmt.Sprintf("%03o", umask), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new")
			old := syscall.Umask(umask)
			s, err := store.Open(t.Context(), filepath.Join(dir, "oomdoc.db"), store.Options{})
			if err == nil {
				_, err = s.Write(store.Batch{Incidents: []oomdoc.Incident{kill(0)}})
			}
			syscall.Umask(old)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			checkMode(t, dir, 0o750)
			for _, name := range []string{"oomdoc.db", "oomdoc.db-wal", "oomdoc.db-shm", "oomdoc.db.lock"} {
				checkMode(t, filepath.Join(dir, name), 0o640)
			}
		})
	}
}

func TestAnExistingFileIsClosedToTheWorld(t *testing.T) {
	s := openNew(t)
	path := s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	open(t, path)
	checkMode(t, path, 0o660)
}

func checkMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want {
		t.Errorf("mode of %s = %o, want %o", filepath.Base(path), got, want)
	}
}

// A daemon started once as root in the service's folder must leave files that
// the service can open.
func TestRootGivesNewFilesToTheOwnerOfTheFolder(t *testing.T) {
	needRoot(t)
	dir := t.TempDir()
	const uid, gid = 65534, 65533
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	s := open(t, filepath.Join(dir, "oomdoc.db"))
	write(t, s, kill(0))
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		info, err := os.Stat(s.Path() + suffix)
		if err != nil {
			t.Fatal(err)
		}
		stat := info.Sys().(*syscall.Stat_t)
		if stat.Uid != uid || stat.Gid != gid {
			t.Errorf("owner of %s = %d:%d, want %d:%d", info.Name(), stat.Uid, stat.Gid, uid, gid)
		}
	}
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("this test mounts and changes owners: run it as root")
	}
}

func TestSecondDaemonIsRefusedAndToldByWhom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "oomdoc.db")
	command := child(t, "hold-lock", path)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out := lines(t, command)
	if !out.Scan() {
		t.Fatal("the first daemon did not start")
	}
	_, err = store.Open(t.Context(), path, store.Options{})
	if !errors.Is(err, store.ErrLocked) {
		t.Fatalf("second open: %v, want ErrLocked", err)
	}
	if want := fmt.Sprintf("(pid %d)", command.Process.Pid); !strings.Contains(err.Error(), want) {
		t.Errorf("error %q does not name %s", err, want)
	}
	if oomdoc.ErrorHint(err) == "" {
		t.Error("no hint")
	}
	if err := errors.Join(in.Close(), command.Wait()); err != nil {
		t.Fatal(err)
	}
	open(t, path) // it ended, so the lock is free
}

// holdLock opens the database and holds it until its standard input ends.
func holdLock(path string) error {
	s, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		return err
	}
	fmt.Println("open")
	_, err = os.Stdin.Read(make([]byte, 1))
	if err != nil && err.Error() != "EOF" {
		return err
	}
	return s.Close()
}

func TestWhatIsNoDatabaseOfOursIsRefusedAndLeftAsItIs(t *testing.T) {
	valid := func(t *testing.T) []byte {
		s := openNew(t)
		for n := range 50 {
			write(t, s, kill(n))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(s.Path())
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, test := range []struct {
		name string
		file func(t *testing.T) []byte
		want func(error) bool
	}{
		{"a text", func(*testing.T) []byte { return []byte(strings.Repeat("not a database\n", 400)) }, store.IsCorrupt},
		{"a short text", func(*testing.T) []byte { return []byte("hello") }, store.IsCorrupt},
		{"a damaged first page", func(t *testing.T) []byte {
			data := valid(t)
			for i := 100; i < 4096; i++ {
				data[i] = byte(i)
			}
			return data
		}, store.IsCorrupt},
		{"cut in the middle", func(t *testing.T) []byte { return valid(t)[:3*4096] }, store.IsCorrupt},
		{"another program's database", otherProgram("bookmark"), func(err error) bool { return errors.Is(err, store.ErrForeign) }},
		{"another program's database with our table's name", otherProgram("migration"), func(err error) bool { return errors.Is(err, store.ErrForeign) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "oomdoc.db")
			content := test.file(t)
			if err := os.WriteFile(path, content, 0o640); err != nil {
				t.Fatal(err)
			}
			_, err := store.Open(t.Context(), path, store.Options{})
			checkRefused(t, "open", err, test.want)
			_, err = store.OpenReader(path)
			checkRefused(t, "open for reading", err, test.want)
			after, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(after) != string(content) {
				t.Error("the file was changed")
			}
		})
	}
}

func checkRefused(t *testing.T, what string, err error, want func(error) bool) {
	t.Helper()
	if err == nil || !want(err) {
		t.Fatalf("%s: %v, not the failure that was expected", what, err)
	}
	if store.IsRetryable(err) {
		t.Errorf("%s: %v is retryable, want not", what, err)
	}
	if oomdoc.ErrorHint(err) == "" {
		t.Errorf("%s: %v has no hint", what, err)
	}
}

// otherProgram is a database that has one table.
func otherProgram(table string) func(*testing.T) []byte {
	return func(t *testing.T) []byte {
		path := filepath.Join(t.TempDir(), "other.db")
		runSQL(t, path, "CREATE TABLE "+table+" (name TEXT)")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
}

// runSQL runs statements on a file with nothing but the driver.
func runSQL(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

func TestPathThatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := store.Open(t.Context(), dir, store.Options{}); oomdoc.ErrorCode(err) != oomdoc.CodeUsage {
		t.Errorf("open a folder: %v, want CodeUsage", err)
	}
	if _, err := store.OpenReader(dir); oomdoc.ErrorCode(err) != oomdoc.CodeUsage {
		t.Errorf("read a folder: %v, want CodeUsage", err)
	}
	if _, err := store.OpenReader(filepath.Join(dir, "absent", "oomdoc.db")); oomdoc.ErrorCode(err) != oomdoc.CodeNotFound {
		t.Errorf("read what is absent: %v, want CodeNotFound", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), filepath.Join(file, "oomdoc.db"), store.Options{}); err == nil {
		t.Error("open below a file succeeded")
	}
}

func TestPathWithCharactersOfAnURI(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?mode=memory#c%20", "ö.db")
	s := open(t, path)
	write(t, s, kill(0))
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	checkCount(t, openReader(t, path), 1)
}
