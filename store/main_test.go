package store_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// children are the other processes that tests start: this binary again, with
// the name of its part and the database in childEnv.
var children = map[string]func(path string) error{
	"write-forever": writeForever,
	"read-as-user":  readAsUser,
	"read-growing":  readGrowing,
	"measure":       measureMemory,
	"hold-lock":     holdLock,
}

const childEnv = "OOMDOC_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	name, path, isChild := strings.Cut(os.Getenv(childEnv), ":")
	if !isChild {
		os.Exit(m.Run())
	}
	if err := children[name](path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child prepares this binary as another process.
func child(t testing.TB, name, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), childEnv+"="+name+":"+path)
	command.Stderr = os.Stderr
	return command
}

// start is the moment of the first kill of a test.
var start = time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC)

const boot = "0f7c2b7e-94f4-4d6f-9b53-2f7d3c5d1a01"

// newID gives ids in the form that they have, by number.
func newID(n int) string { return fmt.Sprintf("k%09d", n) }

// kill is the n-th kill of a boot, as rich as a full report makes it.
func kill(n int) oomdoc.Incident {
	usec := int64(1_000_000 * (n + 1))
	return oomdoc.Incident{
		ID: newID(n), Time: start.Add(time.Duration(n) * time.Second), BootID: boot,
		Source: oomdoc.SourceKmsg, Class: oomdoc.ClassHostRAM, Cause: oomdoc.CauseCgroupLimit,
		Confidence: oomdoc.Certain, Outcome: oomdoc.OutcomeKilled, Killer: oomdoc.KillerKernel,
		Count: 1,
		Summary: oomdoc.Say("summary.test", oomdoc.Args{
			"name": oomdoc.Text("python3"), "limit": oomdoc.Bytes(8 << 30)}),
		Process: &oomdoc.Process{
			PID: 4000 + n, Name: new("python3"), UID: new(1000), Unit: "train.service",
			Cgroup: "/system.slice/train.service", Cmdline: []string{"python3", "train.py"},
		},
		Victims: []oomdoc.Victim{{PID: 4000 + n, Name: "python3", RSSBytes: new(int64(7 << 30))}},
		Memory:  &oomdoc.Memory{LimitBytes: new(int64(8 << 30)), UsedBytes: new(int64(8 << 30))},
		Kernel:  &oomdoc.KernelContext{Constraint: "CONSTRAINT_MEMCG", Order: new(0), OOMCgroup: "/system.slice/train.service"},
		Evidence: []oomdoc.Evidence{
			{Sentence: oomdoc.Say("evidence.limit", oomdoc.Args{"limit": oomdoc.Bytes(8 << 30)}), Record: "memory: usage 8388608kB, limit 8388608kB, failcnt 21"},
			{Sentence: oomdoc.Say("evidence.kill", oomdoc.Args{"pid": oomdoc.Count(4000 + n)}), Record: "Memory cgroup out of memory: Killed process 4242 (python3)"},
		},
		Fixes: []oomdoc.Fix{{Number: 8, Slug: "host", Title: oomdoc.Say("fix.host", nil)}},
		Seq:   uint64(1000 + 100*n), HasSeq: true, Usec: usec,
		Read: start.Add(time.Duration(n)*time.Second + time.Millisecond), Final: true,
	}
}

// report reads the lines of a real kernel report.
func report(t testing.TB) []string {
	t.Helper()
	lines, err := readReport()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func readReport() ([]string, error) {
	text, err := os.ReadFile("testdata/report.log")
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), err
}

// open opens a database for writing and closes it with the test.
func open(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatalf("open %s: %v (hint: %s)", path, err, oomdoc.ErrorHint(err))
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// openNew opens a new database in a folder of its own.
func openNew(t testing.TB) *store.Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "oomdoc.db"))
}

// openReader opens a database for reading and closes it with the test.
func openReader(t testing.TB, path string) *store.Reader {
	t.Helper()
	r, err := store.OpenReader(path)
	if err != nil {
		t.Fatalf("open %s for reading: %v (hint: %s)", path, err, oomdoc.ErrorHint(err))
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// write stores incidents as one batch.
func write(t testing.TB, s *store.Store, incidents ...oomdoc.Incident) []store.Written {
	t.Helper()
	written, err := s.Write(store.Batch{Incidents: incidents})
	if err != nil {
		t.Fatalf("write: %v", err)
	}
	return written
}

// get reads one incident.
func get(t testing.TB, r *store.Reader, id string) oomdoc.Incident {
	t.Helper()
	inc, err := r.Get(id)
	if err != nil {
		t.Fatalf("get %s: %v", id, err)
	}
	return inc
}

// checkCount holds the number of stored incidents, selftests included.
func checkCount(t testing.TB, r *store.Reader, want int) {
	t.Helper()
	got, err := r.Count(store.Filter{IncludeSelftest: true})
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Fatalf("incidents stored = %d, want %d", got, want)
	}
}

// checkWhole holds that SQLite finds nothing wrong in the file.
func checkWhole(t testing.TB, r *store.Reader) {
	t.Helper()
	got, err := r.QueryText("PRAGMA integrity_check")
	if err != nil {
		t.Fatal(err)
	}
	if got != "ok" {
		t.Fatalf("integrity_check = %q, want ok", got)
	}
}

// lines reads the lines that a child writes.
func lines(t testing.TB, command *exec.Cmd) *bufio.Scanner {
	t.Helper()
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return bufio.NewScanner(out)
}
