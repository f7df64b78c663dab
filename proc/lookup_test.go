package proc_test

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
)

func TestLookupRefusesAnotherProcessOfThatPid(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "fifteen-bytes-x", pages: 10, start: 5})
	table, _ := newTable(t, tr, 16)
	refresh(t, table)
	tests := []struct {
		pid  int
		comm string
		want bool
	}{
		{7, "fifteen-bytes-x", true},
		{7, "fifteen-bytes-xyz", true}, // only 15 bytes are ever known
		{7, "", true},                  // the pid alone is asked for
		{7, "other", false},
		{7, "fifteen-bytes-", false},
		{8, "fifteen-bytes-x", false},
		{0, "", false},
		{-1, "", false},
	}
	for _, tt := range tests {
		if _, got := table.Lookup(tt.pid, tt.comm); got != tt.want {
			t.Errorf("Lookup(%d, %q) = %v, want %v", tt.pid, tt.comm, got, tt.want)
		}
	}
}

func TestALookupDoesNotWaitForARoundThatIsHeldUp(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "hog", cmdline: "hog\x00", pages: 10, start: 5})
	table, _ := newTable(t, tr, 16)
	refresh(t, table)
	tr.add(fake{pid: 8, comm: "stuck", pages: 10, start: 6})
	stuck := filepath.Join(tr.root, "8", "cmdline")
	if err := os.Remove(stuck); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(stuck, 0o600); err != nil {
		t.Fatal(err)
	}
	round := make(chan error)
	go func() { round <- table.Refresh() }()
	writer, err := os.OpenFile(stuck, os.O_WRONLY, 0) // returns when the round is at it
	if err != nil {
		t.Fatal(err)
	}
	if _, found := table.Lookup(7, "hog"); !found {
		t.Error("Lookup(7) found nothing during a round")
	}
	if _, found := table.LookupNow(7, "hog"); !found {
		t.Error("LookupNow(7) found nothing during a round")
	}
	if got := table.Len(); got != 1 {
		t.Errorf("Len() = %d during a round, want 1", got)
	}
	table.NextInterval()
	if _, err := writer.WriteString("stuck\x00"); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-round; err != nil {
		t.Fatal(err)
	}
	if got, found := table.Lookup(8, "stuck"); !found || !slices.Equal(got.Cmdline, []string{"stuck"}) {
		t.Errorf("Lookup(8) after the round = %q, %v, want stuck", got.Cmdline, found)
	}
}

func TestLookupNowReadsAVictimThatNoRoundSaw(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 9, comm: "young", cmdline: "", uid: 7, cgroup: "0::/x\n", start: 100}) // dying: no memory, no command line
	table, c := newTable(t, tr, 16)
	want := oomdoc.ProcessFacts{PID: 9, Parent: 4, Comm: "young", UID: 7, Cgroup: "/x", StartTime: boot.Add(time.Second), Sampled: c.now}
	got, found := table.LookupNow(9, "young")
	if diff := cmp.Diff(want, got); !found || diff != "" {
		t.Errorf("LookupNow(9) found %v (-want +got):\n%s", found, diff)
	}
	for _, tt := range []struct {
		pid  int
		comm string
	}{{9, "other"}, {10, "young"}, {0, ""}, {-9, ""}} {
		if got, found := table.LookupNow(tt.pid, tt.comm); found {
			t.Errorf("LookupNow(%d, %q) = %+v, want nothing", tt.pid, tt.comm, got)
		}
	}
}
