package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// mountSmall mounts a tmpfs of a few MiB.
func mountSmall(t *testing.T, options string) string {
	t.Helper()
	needRoot(t)
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDiskIsRetriedAndLosesNothing(t *testing.T) {
	dir := mountSmall(t, "size=6m,mode=0750")
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, bytes.Repeat([]byte{1}, 4<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, filepath.Join(dir, "oomdoc.db"))
	acknowledged := 0
	var full error
	for full == nil && acknowledged < 10_000 {
		inc := kill(acknowledged)
		inc.Records = report(t)
		_, full = s.Write(store.Batch{
			Incidents: []oomdoc.Incident{inc},
			Position:  &store.Position{Source: oomdoc.SourceKmsg, BootID: boot, Seq: inc.Seq},
		})
		if full == nil {
			acknowledged++
		}
	}
	if !store.IsRetryable(full) {
		t.Fatalf("on a full disk: %v, want a retryable error", full)
	}
	if oomdoc.ErrorHint(full) == "" {
		t.Errorf("%v has no hint", full)
	}
	checkCount(t, &s.Reader, acknowledged)
	for range 3 { // it stays so, and stays whole
		if _, err := s.Write(store.Batch{Incidents: []oomdoc.Incident{big(t, acknowledged)}}); !store.IsRetryable(err) {
			t.Fatalf("again on a full disk: %v, want a retryable error", err)
		}
	}
	checkCount(t, openReader(t, s.Path()), acknowledged)

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for n := acknowledged; n < acknowledged+20; n++ {
		write(t, s, kill(n))
	}
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	checkCount(t, &s.Reader, acknowledged+20)
	checkWhole(t, &s.Reader)
	position, err := s.LoadPosition(oomdoc.SourceKmsg)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := position.Seq, kill(acknowledged-1).Seq; got != want {
		t.Errorf("position = %d, want %d: that of the last that was stored with one", got, want)
	}
}

// big is a kill whose records do not fit where nothing fits.
func big(t *testing.T, n int) oomdoc.Incident {
	inc := kill(n)
	for range 40 {
		inc.Records = append(inc.Records, report(t)...)
	}
	return inc
}

func TestOpenOnAFullDiskIsRetried(t *testing.T) {
	dir := mountSmall(t, "size=1m,mode=0750")
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, bytes.Repeat([]byte{1}, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "oomdoc.db")
	if _, err := store.Open(t.Context(), path, store.Options{}); !store.IsRetryable(err) {
		t.Fatalf("open on a full disk: %v, want a retryable error", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	write(t, open(t, path), kill(0))
}

func TestReadOnlyFileSystemIsRetried(t *testing.T) {
	dir := mountSmall(t, "size=6m,mode=0750")
	path := filepath.Join(dir, "oomdoc.db")
	s := open(t, path)
	write(t, s, kill(0))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	remount := func(flags uintptr) {
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|flags, "size=6m"); err != nil {
			t.Fatal(err)
		}
	}
	remount(unix.MS_RDONLY)
	if _, err := store.Open(t.Context(), path, store.Options{}); !store.IsRetryable(err) {
		t.Errorf("open read-only: %v, want a retryable error", err)
	}
	r, err := store.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	checkCount(t, r, 1)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	remount(0)
	write(t, open(t, path), kill(1))
	checkCount(t, openReader(t, path), 2)
}

// The daemon cannot start, but what it stored can be read.
func TestReaderWorksOnAFullDisk(t *testing.T) {
	dir := mountSmall(t, "size=2m,mode=0750")
	path := filepath.Join(dir, "oomdoc.db")
	live := openNew(t)
	write(t, live, kill(0))
	for _, suffix := range []string{"", "-wal", "-shm"} { // as after kill -9
		data, err := os.ReadFile(live.Path() + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+suffix, data, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	ballast, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer ballast.Close()
	for err == nil {
		_, err = ballast.Write(make([]byte, 4096))
	}
	checkCount(t, openReader(t, path), 1)
}
