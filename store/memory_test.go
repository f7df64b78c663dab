package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// The daemon has 12 MiB of anonymous memory for everything, and here the Go
// runtime and the tests are in it too.
const (
	anonymousCeiling = 12 << 20
	growthCeiling    = 2 << 20
)

func TestMemoryStaysSmallOverManyWrites(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector multiplies memory")
	}
	out, err := child(t, "measure", filepath.Join(t.TempDir(), "oomdoc.db")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var early, late, end int64
	if _, err := fmt.Sscan(string(out), &early, &late, &end); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	t.Logf("anonymous after 1,000 writes %d KiB, after 10,000 %d KiB, after count and prune %d KiB", early>>10, late>>10, end>>10)
	for what, got := range map[string]int64{"10,000 writes": late, "count and prune": end} {
		if got > anonymousCeiling || got-early > growthCeiling {
			t.Errorf("anonymous memory after %s = %d, after 1,000 writes %d, want at most %d and at most %d more",
				what, got, early, anonymousCeiling, growthCeiling)
		}
	}
}

// measureMemory prints the anonymous memory of a writer at three moments.
func measureMemory(path string) error {
	s, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		return err
	}
	records, err := readReport()
	if err != nil {
		return err
	}
	for n := range 10_000 {
		inc := kill(n)
		inc.Records = records
		_, err := s.Write(store.Batch{
			Incidents: []oomdoc.Incident{inc},
			Position:  &store.Position{Source: oomdoc.SourceKmsg, BootID: boot, Seq: inc.Seq},
		})
		if err != nil {
			return err
		}
		switch n {
		case 1000, 9999:
			if err := printAnonymous(); err != nil {
				return err
			}
		}
		if n%50 == 0 {
			if err := s.Sync(); err != nil {
				return err
			}
		}
	}
	if n, err := s.Count(store.Filter{Unit: "train.service"}); err != nil || n != 10_000 {
		return fmt.Errorf("count: %d, %w", n, err)
	}
	_, err = s.Prune(context.Background(), time.Now(), store.Limits{RawBytes: 1 << 20})
	if err != nil {
		return err
	}
	if err := printAnonymous(); err != nil {
		return err
	}
	return s.Close()
}

// printAnonymous prints RssAnon of /proc/self/status in bytes (proc(5)).
func printAnonymous() error {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, after, _ := strings.Cut(string(text), "RssAnon:")
	var kib int64
	if _, err := fmt.Sscan(after, &kib); err != nil {
		return err
	}
	fmt.Println(kib << 10)
	return nil
}
