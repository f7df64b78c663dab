package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// closed makes a database with two incidents and closes it.
func closed(t *testing.T) string {
	t.Helper()
	s := openNew(t)
	write(t, s, kill(0), kill(1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.Path()
}

// halfMoved is an open database whose second incident stands in the WAL only:
// whoever reads without the WAL sees half of the truth.
func halfMoved(t *testing.T) *store.Store {
	t.Helper()
	s := openNew(t)
	write(t, s, kill(0))
	if err := s.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	write(t, s, kill(1))
	return s
}

// copyOf copies files of a database to a folder of their own.
func copyOf(t *testing.T, path string, suffixes ...string) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "oomdoc.db")
	for _, suffix := range suffixes {
		data, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+suffix, data, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return copied
}

func TestReaderInAnotherProcessSeesEachCommit(t *testing.T) {
	s := openNew(t)
	command := child(t, "read-growing", s.Path())
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out := lines(t, command)
	for n := range 200 {
		write(t, s, kill(n))
		if n == 100 { // the WAL is moved, and begun anew, under the reader
			if err := s.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintln(in, "?")
		if !out.Scan() {
			t.Fatal("the reader ended")
		}
		if got, want := out.Text(), fmt.Sprintf("%d %s", n+1, newID(n)); got != want {
			t.Fatalf("the other process reads %q, want %q", got, want)
		}
	}
	if err := errors.Join(in.Close(), command.Wait()); err != nil {
		t.Fatal(err)
	}
}

// readGrowing answers each line with the number of incidents and the last id.
func readGrowing(path string) error {
	r, err := store.OpenReader(path)
	if err != nil {
		return err
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		n, err := r.Count(store.Filter{})
		if err != nil {
			return err
		}
		last, err := r.Last(1, store.Filter{})
		if err != nil {
			return err
		}
		fmt.Println(n, last[0].ID)
	}
	return r.Close()
}

// A reader that writes nothing still works whatever of the three files is
// there, as long as what is missing holds nothing.
func TestReaderFindsAWayWithTheFilesThatAreThere(t *testing.T) {
	shut, live := closed(t), halfMoved(t)
	for _, test := range []struct {
		name  string
		path  string
		files []string
	}{
		{"closed, all files", shut, []string{"", "-wal", "-shm"}},
		{"closed, the database alone", shut, []string{""}},
		{"closed, without -shm", shut, []string{"", "-wal"}},
		{"not closed, all files", live.Path(), []string{"", "-wal", "-shm"}},
		{"not closed, without -shm", live.Path(), []string{"", "-wal"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := copyOf(t, test.path, test.files...)
			checkCount(t, openReader(t, path), 2)
		})
	}
}

// On a read-only file system nothing can be made beside the database.
func TestReaderWorksOnAReadOnlyFileSystem(t *testing.T) {
	shut, live := closed(t), halfMoved(t)
	for _, test := range []struct {
		name     string
		path     string
		files    []string
		readable bool
	}{
		{"closed, all files", shut, []string{"", "-wal", "-shm"}, true},
		{"closed, the database alone", shut, []string{""}, true},
		{"closed, without -shm", shut, []string{"", "-wal"}, true},
		{"not closed, all files", live.Path(), []string{"", "-wal", "-shm"}, true},
		// What the WAL holds cannot be read without a -shm: no half-truth.
		{"not closed, without -shm", live.Path(), []string{"", "-wal"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := copyOf(t, test.path, test.files...)
			mountReadOnly(t, filepath.Dir(path))
			r, err := store.OpenReader(path)
			if !test.readable {
				if err == nil {
					r.Close()
					t.Fatal("opened, want an error")
				}
				if oomdoc.ErrorHint(err) == "" {
					t.Errorf("%v has no hint", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			checkCount(t, r, 2)
		})
	}
}

// mountReadOnly makes a folder read-only, for root too, while the test runs.
func mountReadOnly(t *testing.T, dir string) {
	t.Helper()
	needRoot(t)
	if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
}

// Members of the group read while the daemon runs and when it does not; others
// are told what to type.
func TestUsersReadByGroup(t *testing.T) {
	needRoot(t)
	shut, live := closed(t), halfMoved(t)
	const group, stranger = 65533, 65532
	for _, path := range []string{shut, live.Path()} {
		dir := filepath.Dir(path)
		if err := errors.Join(os.Chown(dir, 0, group), os.Chmod(dir, 0o750)); err != nil {
			t.Fatal(err)
		}
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if err := os.Chown(path+suffix, 0, group); err != nil {
				t.Fatal(err)
			}
		}
		// The folders above are the test's own.
		for dir = filepath.Dir(dir); dir != "/"; dir = filepath.Dir(dir) {
			if strings.Contains(dir, t.Name()) {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, test := range []struct {
			gid  int
			want string
		}{
			{group, "2 incidents"},
			{stranger, "code 4: sudo oomdoc last"},
		} {
			command := child(t, "read-as-user", path)
			command.Env = append(command.Env, fmt.Sprintf("OOMDOC_STORE_TEST_GID=%d", test.gid))
			out, err := command.Output()
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(string(out)); got != test.want {
				t.Errorf("group %d reads %q, want %q", test.gid, got, test.want)
			}
		}
	}
}

// readAsUser becomes a user who is nobody but a member of one group, and says
// what that user can read.
func readAsUser(path string) error {
	var gid int
	if _, err := fmt.Sscan(os.Getenv("OOMDOC_STORE_TEST_GID"), &gid); err != nil {
		return err
	}
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(gid), syscall.Setuid(65531)); err != nil {
		return err
	}
	r, err := store.OpenReader(path)
	if err != nil {
		fmt.Printf("code %d: %s\n", oomdoc.ErrorCode(err), oomdoc.ErrorHint(err))
		return nil
	}
	n, err := r.Count(store.Filter{})
	if err != nil {
		return err
	}
	fmt.Println(n, "incidents")
	return r.Close()
}

// A daemon that was killed in its very first moment leaves an empty file.
func TestReaderOfAnEmptyFileFindsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "oomdoc.db")
	if err := os.WriteFile(path, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := store.OpenReader(path); oomdoc.ErrorCode(err) != oomdoc.CodeNotFound {
		t.Errorf("read an empty file: %v, want CodeNotFound", err)
	}
}

func TestReaderChangesNothingOnTheDisk(t *testing.T) {
	s := openNew(t)
	write(t, s, kill(0))
	before := folder(t, s.Path())
	r, err := store.OpenReader(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	checkCount(t, r, 1)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if after := folder(t, s.Path()); after != before {
		t.Errorf("folder after reading:\n%s\nwant\n%s", after, before)
	}
	// The reader's close must not have dropped the writer's locks or files.
	write(t, s, kill(1))
	checkCount(t, openReader(t, s.Path()), 2)
}

// folder tells the names, sizes and times of the files beside a database.
func folder(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&text, info.Name(), info.Size(), info.ModTime().Format(time.RFC3339Nano))
	}
	return text.String()
}
