package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

const day = 24 * time.Hour

// aged fills a database with n incidents, one stored each day from start on.
func aged(t *testing.T, n int) *store.Store {
	t.Helper()
	now := start
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "oomdoc.db"), store.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	records := report(t)
	for i := range n {
		now = start.Add(time.Duration(i) * day)
		inc := kill(i)
		inc.Time = start // it is the storing that counts
		inc.Records = records
		_, err := s.Write(store.Batch{Incidents: []oomdoc.Incident{inc},
			Gaps: []store.Gap{{Source: oomdoc.SourceKmsg, Lost: 1, Time: now}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// withRecords counts the incidents that still have their raw records.
func withRecords(t *testing.T, s *store.Store, n int) (count, oldest int) {
	t.Helper()
	oldest = -1
	for i := range n {
		records, err := s.Records(newID(i))
		if oomdoc.ErrorCode(err) == oomdoc.CodeNotFound && err != nil {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if records != nil {
			count++
			if oldest < 0 {
				oldest = i
			}
		}
	}
	return count, oldest
}

func TestPruneByAge(t *testing.T) {
	s := aged(t, 400)
	limits := store.Limits{RawAge: 100 * day, IncidentAge: 300 * day}
	got, err := s.Prune(t.Context(), start.Add(399*day), limits)
	if err != nil {
		t.Fatal(err)
	}
	got.Bytes = 0
	// Stored on day 0 to 98: older than 300 days. Day 99 to 298: than 100.
	if want := (store.Pruned{Incidents: 99, Gaps: 99, Records: 200}); got != want {
		t.Errorf("pruned %+v, want %+v", got, want)
	}
	checkCount(t, &s.Reader, 301)
	if n, oldest := withRecords(t, s, 400); n != 101 || oldest != 299 {
		t.Errorf("with records: %d from %d on, want 101 from 299 on", n, oldest)
	}
	if _, err := s.Get(newID(99)); err != nil {
		t.Errorf("the oldest within the limit: %v", err)
	}
	again, err := s.Prune(t.Context(), start.Add(399*day), limits)
	if err != nil || again != (store.Pruned{}) {
		t.Errorf("pruned again %+v, %v, want nothing", again, err)
	}
	checkWhole(t, &s.Reader)
}

func TestPruneBySizeTakesTheOldest(t *testing.T) {
	s := aged(t, 200)
	size, err := s.QueryText("SELECT max(size) FROM record")
	if err != nil {
		t.Fatal(err)
	}
	var one int64
	if _, err := fmt.Sscan(size, &one); err != nil {
		t.Fatal(err)
	}
	got, err := s.Prune(t.Context(), start.Add(200*day), store.Limits{RawBytes: 70 * one})
	if err != nil {
		t.Fatal(err)
	}
	if got.Records != 130 || got.Incidents != 0 {
		t.Errorf("pruned %+v, want the records of 130 incidents", got)
	}
	if n, oldest := withRecords(t, s, 200); n != 70 || oldest != 130 {
		t.Errorf("with records: %d from %d on, want 70 from 130 on", n, oldest)
	}
	checkCount(t, &s.Reader, 200)
}

func TestPrunedFileShrinks(t *testing.T) {
	s := aged(t, 500)
	if err := s.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	before := fileSize(t, s.Path())
	got, err := s.Prune(t.Context(), start.Add(10000*day), store.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	after := fileSize(t, s.Path())
	if got.Incidents != 500 || after > before/4 || before-after != got.Bytes {
		t.Errorf("pruned %+v, file %d to %d bytes, want a quarter at most, and the difference told", got, before, after)
	}
	checkWhole(t, &s.Reader)
	write(t, s, kill(0))
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestPruneStopsBetweenStepsAndTellsWhatItDid(t *testing.T) {
	s := aged(t, 10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := s.Prune(ctx, start.Add(10000*day), store.DefaultLimits())
	if !errors.Is(err, context.Canceled) || got != (store.Pruned{}) {
		t.Errorf("pruned %+v, %v, want nothing and Canceled", got, err)
	}
	checkCount(t, &s.Reader, 10)
}

// A kill that comes while much is pruned is stored between two steps.
func TestWritesGoOnWhilePruning(t *testing.T) {
	s := aged(t, 1000)
	done := make(chan error)
	go func() {
		_, err := s.Prune(t.Context(), start.Add(10000*day), store.DefaultLimits())
		done <- err
	}()
	written := 0
	for pruning := true; pruning; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			pruning = false
		default:
			write(t, s, kill(5000+written))
			written++
		}
	}
	if written < 2 {
		t.Errorf("writes while pruning = %d, want several", written)
	}
	checkWhole(t, &s.Reader)
}

func TestDefaultLimits(t *testing.T) {
	want := store.Limits{RawAge: 180 * day, RawBytes: 256 << 20, IncidentAge: 730 * day}
	if diff := cmp.Diff(want, store.DefaultLimits()); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}
