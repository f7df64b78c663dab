package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// A daemon that is killed loses nothing that Write has returned for, and its
// position never runs ahead of its incidents.
func TestKilledWriterLosesNothingItHasAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "oomdoc.db")
	acknowledged := 0
	for round := range 5 {
		command := child(t, "write-forever", path)
		command.Env = append(command.Env, "OOMDOC_STORE_TEST_FROM="+strconv.Itoa(acknowledged))
		out := lines(t, command)
		for range 30 + 17*round {
			if !out.Scan() {
				t.Fatal("the writer ended by itself")
			}
			acknowledged++
		}
		if err := command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for out.Scan() { // acknowledged before the kill came
			acknowledged++
		}
		if err := command.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("the writer ended with %v, want killed", err)
		}

		s, err := store.Open(t.Context(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkWhole(t, &s.Reader)
		stored, err := s.Count(store.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		// The one that was on its way may be there.
		if stored != acknowledged && stored != acknowledged+1 {
			t.Fatalf("round %d: stored = %d, acknowledged = %d", round, stored, acknowledged)
		}
		for n := range stored {
			if _, err := s.Get(newID(n)); err != nil {
				t.Fatalf("incident %d of %d: %v", n, stored, err)
			}
		}
		position, err := s.LoadPosition(oomdoc.SourceKmsg)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := position.Seq, kill(stored-1).Seq; got != want {
			t.Fatalf("position = %d, want %d, that of the last incident", got, want)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		acknowledged = stored
	}
}

// writeForever writes kills from a number on and says each after it is stored.
func writeForever(path string) error {
	s, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		return err
	}
	from, err := strconv.Atoi(os.Getenv("OOMDOC_STORE_TEST_FROM"))
	if err != nil {
		return err
	}
	records, err := readReport()
	if err != nil {
		return err
	}
	for n := from; ; n++ {
		inc := kill(n)
		inc.Records = records
		_, err := s.Write(store.Batch{
			Incidents: []oomdoc.Incident{inc},
			Position:  &store.Position{Source: oomdoc.SourceKmsg, BootID: boot, Seq: inc.Seq},
		})
		if err != nil {
			return err
		}
		fmt.Println(n)
		if n%10 == 0 {
			if err := s.Sync(); err != nil {
				return err
			}
		}
	}
}
