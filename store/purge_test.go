package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// Purge works beside the daemon's own connection, takes what it was told to and
// leaves nothing of it in the files.
func TestPurgeForgetsBesideAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "oomdoc.db")
	daemon, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer daemon.Close()
	old, uid := time.Now().Add(-48*time.Hour), 1000
	var batch store.Batch
	for i := range 200 {
		inc := oomdoc.Incident{ID: fmt.Sprintf("id%03d", i), Time: time.Now(), Usec: oomdoc.NoUsec, Class: oomdoc.ClassHostRAM,
			Process: &oomdoc.Process{UID: new(0), Cmdline: []string{fmt.Sprintf("argument-%03d-end", i)}}, Records: []string{"a record"}}
		if i < 120 {
			inc.Time = old
		}
		if i%2 == 0 {
			inc.Process.UID = &uid
		}
		batch.Incidents = append(batch.Incidents, inc)
	}
	if _, err := daemon.Write(batch); err != nil {
		t.Fatal(err)
	}
	purge := func(want, left int, ids []string, filter store.Filter) {
		t.Helper()
		got, err := store.Purge(t.Context(), path, ids, filter)
		if err != nil || got != want {
			t.Errorf("Purge(%v, %+v) = %d, %v; want %d", ids, filter, got, err, want)
		}
		if n, err := daemon.Count(store.Filter{IncludeSelftest: true}); err != nil || n != left {
			t.Errorf("%d incidents are left, %v; want %d", n, err, left)
		}
	}
	purge(2, 198, []string{"id001", "id003", "unknown"}, store.Filter{})
	purge(60, 138, nil, store.Filter{Until: old.Add(time.Hour), UID: &uid})
	purge(0, 138, nil, store.Filter{UID: new(77)})
	for _, name := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, gone := range []string{"argument-001-end", "argument-000-end", "argument-118-end"} {
			if bytes.Contains(data, []byte(gone)) {
				t.Errorf("%s still holds %s", filepath.Base(name), gone)
			}
		}
	}
	if _, err := daemon.Records("id001"); oomdoc.ErrorCode(err) != oomdoc.CodeNotFound {
		t.Errorf("records of what was purged: %v, want that they are gone", err)
	}
	if _, err := daemon.Write(store.Batch{Incidents: batch.Incidents[:1]}); err != nil {
		t.Errorf("after the purge the daemon cannot write: %v", err)
	}
	if _, err := store.Purge(t.Context(), path+"-absent", nil, store.Filter{}); oomdoc.ErrorCode(err) != oomdoc.CodeNotFound {
		t.Errorf("purge without a database: %v", err)
	}
}
