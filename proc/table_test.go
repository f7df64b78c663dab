package proc_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

func newTable(t testing.TB, tr tree, entries int) (*proc.Table, *clock) {
	c := &clock{boot.Add(time.Hour)}
	table := proc.NewTable(proc.TableOptions{ProcRoot: tr.root, MaxEntries: entries, Now: c.Now})
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return table, c
}

func refresh(t testing.TB, table *proc.Table) {
	t.Helper()
	if err := table.Refresh(); err != nil {
		t.Fatalf("Refresh: %v", err)
	}
}

func TestTableKnowsWhatAProcessWas(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 42, comm: "a b) (c", cmdline: "python3\x00serve.py\x00--api-key\x00abc\x00\x00", uid: 1000, pages: 256, start: 12345,
		cgroup: "4:memory:/user.slice/x\n1:name=systemd:/y\n0::/z\n"})
	table, c := newTable(t, tr, 16)
	refresh(t, table)
	got, found := table.Lookup(42, "a b) (c")
	if !found {
		t.Fatal("Lookup(42) found nothing")
	}
	want := oomdoc.ProcessFacts{
		PID: 42, Parent: 4, Comm: "a b) (c", Engine: "python", Cmdline: []string{"python3", "serve.py", "--api-key", "***"}, UID: 1000,
		Cgroup: "/user.slice/x", RSSBytes: 256 * int64(os.Getpagesize()),
		StartTime: boot.Add(123450 * time.Millisecond), Sampled: c.now,
	}
	want.Trend = []oomdoc.MemoryPoint{{Time: c.now, RSSBytes: want.RSSBytes}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Lookup(42) (-want +got):\n%s", diff)
	}
}

func TestTheDeadAreRememberedForAWhile(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "hog", cmdline: "hog\x00--big\x00", pages: 10, start: 5})
	tr.add(fake{pid: 8, comm: "init", pages: 5, start: 1})
	table, c := newTable(t, tr, 16)
	refresh(t, table)
	tr.remove(7)
	for _, step := range []struct {
		after time.Duration
		want  bool
	}{{30 * time.Second, true}, {9 * time.Minute, true}, {10 * time.Minute, false}} {
		c.now = c.now.Add(step.after)
		refresh(t, table)
		if got, found := table.Lookup(7, "hog"); found != step.want || found && !slices.Equal(got.Cmdline, []string{"hog", "--big"}) {
			t.Errorf("Lookup(7) another %v later = %q, %v, want found %v", step.after, got.Cmdline, found, step.want)
		}
	}
}

func TestAReusedPidIsANewProcessAndTheOldOneStaysKnown(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "hog", cmdline: "hog\x00", pages: 1000, start: 5})
	table, _ := newTable(t, tr, 16)
	refresh(t, table)
	tr.add(fake{pid: 7, comm: "sh", cmdline: "sh\x00-c\x00", pages: 10, start: 900})
	refresh(t, table)
	for comm, want := range map[string]string{"hog": "hog", "sh": "sh -c"} {
		got, found := table.Lookup(7, comm)
		if line := strings.Join(got.Cmdline, " "); !found || line != want {
			t.Errorf("Lookup(7, %q) = %q, %v, want %q", comm, line, found, want)
		}
	}
}

func TestANewProgramInTheSameProcessIsReadAnew(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "bash", cmdline: "bash\x00run.sh\x00", pages: 1000, start: 5})
	table, _ := newTable(t, tr, 16)
	refresh(t, table)
	tr.add(fake{pid: 7, comm: "python3", cmdline: "python3\x00train.py\x00", pages: 2500, start: 5})
	refresh(t, table)
	got, found := table.Lookup(7, "python3")
	if want := []string{"python3", "train.py"}; !found || !slices.Equal(got.Cmdline, want) {
		t.Errorf("Lookup(7, python3) = %q, %v, want %q", got.Cmdline, found, want)
	}
}

func TestANewProgramOfTheSameSizeIsSeenAfterSomeRounds(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "bash", cmdline: "bash\x00", pages: 1000, start: 5})
	table, _ := newTable(t, tr, 16)
	refresh(t, table)
	tr.add(fake{pid: 7, comm: "dash", cmdline: "dash\x00", pages: 1100, start: 5})
	for range 10 {
		refresh(t, table)
	}
	if got, found := table.Lookup(7, "dash"); !found || !slices.Equal(got.Cmdline, []string{"dash"}) {
		t.Errorf("after ten rounds Lookup(7, dash) = %q, %v, want dash", got.Cmdline, found)
	}
}

func TestTheLargestAreKeptAndTheFastGrowing(t *testing.T) {
	tr := newTree(t)
	const entries, all = 16, 100 // 12 living
	for i := range all {
		tr.add(fake{pid: 1000 + i, comm: "p", pages: int64(1000 + i), start: 1})
	}
	tr.add(fake{pid: 2000, comm: "grower", pages: 10, start: 1})
	tr.add(fake{pid: 3000, comm: "kthread", pages: 0, start: 1})
	table, _ := newTable(t, tr, entries)
	refresh(t, table)
	for pid, want := range map[int]bool{1000 + all - 1: true, 1000 + all - 12: true, 1000 + all - 13: false, 2000: false, 3000: false} {
		if _, got := table.Lookup(pid, ""); got != want {
			t.Errorf("Lookup(%d) = %v, want %v", pid, got, want)
		}
	}
	tr.add(fake{pid: 2000, comm: "grower", pages: 400, start: 1})
	refresh(t, table)
	if _, found := table.Lookup(2000, "grower"); !found {
		t.Error("a process that grew from 10 to 400 pages is not kept among those of 1000")
	}
	if got := table.Len(); got > entries {
		t.Errorf("Len() = %d, want at most %d", got, entries)
	}
}

func TestTableStaysBoundedOnAMachineThatForksAllTheTime(t *testing.T) {
	tr := newTree(t)
	const entries = 8
	table, _ := newTable(t, tr, entries)
	for round := range 6 {
		for i := range 12 {
			tr.remove((round-1)*100 + i + 1)
			tr.add(fake{pid: round*100 + i + 1, comm: "p", cmdline: "p\x00", pages: 50, start: uint64(round)})
		}
		refresh(t, table)
		if got := table.Len(); got > entries {
			t.Fatalf("round %d: Len() = %d, want at most %d", round, got, entries)
		}
	}
}

func TestAMissingProcessListIsAnErrorThatSaysWhatToDo(t *testing.T) {
	table := proc.NewTable(proc.TableOptions{ProcRoot: t.TempDir()})
	err := table.Refresh()
	if err == nil || oomdoc.ErrorHint(err) == "" {
		t.Errorf("Refresh() = %v with hint %q, want an error with a hint", err, oomdoc.ErrorHint(err))
	}
}

func TestIntervalStretchesSoThatRoundsStayCheap(t *testing.T) {
	tests := []struct{ cost, want time.Duration }{
		{0, 10 * time.Second},
		{3 * time.Millisecond, 10 * time.Second},
		{6 * time.Millisecond, 20 * time.Second}, // 0.03 % of one processor
		{30 * time.Millisecond, 100 * time.Second},
		{time.Second, 5 * time.Minute},
	}
	for _, tt := range tests {
		spent := time.Duration(0)
		cpu := func() time.Duration { spent += tt.cost; return spent }
		table := proc.NewTable(proc.TableOptions{ProcRoot: newTree(t).root, CPU: cpu})
		refresh(t, table)
		if got := table.NextInterval(); got != tt.want {
			t.Errorf("a round of %v gives an interval of %v, want %v", tt.cost, got, tt.want)
		}
	}
}

func TestARoundMakesNoGarbageForProcessesThatAreNotKept(t *testing.T) {
	tr := newTree(t)
	const all, kept = 200, 12
	for i := range all {
		tr.add(fake{pid: 1 + i, comm: "p", cmdline: "p\x00", pages: int64(1 + i)})
	}
	table, _ := newTable(t, tr, 16)
	refresh(t, table)
	allocations := testing.AllocsPerRun(5, func() { refresh(t, table) })
	if allocations > kept {
		t.Errorf("a round over %d processes makes %.0f allocations, want at most %d", all, allocations, kept)
	}
}

func TestTableReadsThisMachine(t *testing.T) {
	command := exec.Command("sleep", "300")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { command.Process.Kill(); command.Wait() }()
	table := proc.NewTable(proc.TableOptions{MaxEntries: 4096})
	defer table.Close()
	for pid, look := range map[int]func(int, string) (oomdoc.ProcessFacts, bool){
		os.Getpid(): table.Lookup, command.Process.Pid: table.LookupNow,
	} {
		refresh(t, table)
		got, found := look(pid, "")
		if !found || got.UID != os.Getuid() || len(got.Cmdline) == 0 || got.Cgroup == "" || got.RSSBytes <= 0 {
			t.Errorf("process %d is known as %+v, %v", pid, got, found)
		}
		if age := time.Since(got.StartTime); age < -5*time.Second || age > time.Hour {
			t.Errorf("process %d started %v ago, want a moment ago", pid, age)
		}
	}
}
