package store_test

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// After Sync no page of the WAL waits in memory only, those of commits long
// before it included.
func TestSyncBringsEarlierCommitsToTheDisk(t *testing.T) {
	s := openNew(t)
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	// Without pages that wait the check below could not fail. Somebody else on
	// the machine may call sync(2) right now, so it is tried more than once.
	var waiting uint64
	for n := 0; n < 300 && waiting == 0; n++ {
		write(t, s, kill(n))
		if n%30 == 29 {
			waiting = unsyncedPages(t, s.Path()+"-wal")
		}
	}
	if waiting == 0 {
		t.Fatal("commits without Sync left no page unsynced: this file system does not tell")
	}
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	if waiting := unsyncedPages(t, s.Path()+"-wal"); waiting != 0 {
		t.Errorf("pages of the WAL not on the disk after Sync = %d, want 0", waiting)
	}
	// The next commits are cheap again.
	write(t, s, kill(300))
	if got, err := s.QueryText("PRAGMA synchronous"); err != nil || got != "1" {
		t.Errorf("synchronous after Sync = %s, %v, want 1 (NORMAL)", got, err)
	}
}

// unsyncedPages asks cachestat(2) how many pages of a file are not written.
func unsyncedPages(t *testing.T, path string) uint64 {
	t.Helper()
	file, err := os.Open(path) // SQLite's locks are on the other two files
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var stat unix.Cachestat_t
	err = unix.Cachestat(uint(file.Fd()), &unix.CachestatRange{}, &stat, 0)
	if errors.Is(err, unix.ENOSYS) {
		t.Skip("cachestat(2) needs Linux 6.5")
	}
	if err != nil {
		t.Fatal(err)
	}
	return stat.Dirty + stat.Writeback
}

func TestSyncMovesTheLogSoThatItStaysSmall(t *testing.T) {
	s := openNew(t)
	records := report(t)
	var largest int64
	for n := range 2000 {
		inc := kill(n)
		inc.Records = records
		write(t, s, inc)
		if n%20 == 0 {
			if err := s.Sync(); err != nil {
				t.Fatal(err)
			}
			largest = max(largest, fileSize(t, s.Path()+"-wal"))
		}
	}
	if limit := int64(5 << 20); largest > limit {
		t.Errorf("largest WAL over 2000 incidents = %d bytes, want at most %d", largest, limit)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// Kept, so that readers without write permission find it, but empty.
	if got := fileSize(t, s.Path()+"-wal"); got != 0 {
		t.Errorf("WAL after Close = %d bytes, want 0", got)
	}
	checkCount(t, openReader(t, s.Path()), 2000)
}
