package proc_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/oomdoc/oomdoc/proc"
)

// A grower takes memory when it is told to.
type grower struct {
	pid  int
	gate io.WriteCloser
	out  *bufio.Reader
}

func newGrower(t *testing.T) *grower {
	t.Helper()
	command := exec.Command("python3", "-c", "import sys\nkept=[]\nfor line in sys.stdin:\n kept.append(bytearray(int(line)))\n print('taken',flush=True)\n")
	gate, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gate.Close(); command.Wait() })
	g := &grower{command.Process.Pid, gate, bufio.NewReader(out)}
	g.take(t, 1)
	return g
}

func (g *grower) take(t *testing.T, size int) {
	t.Helper()
	if _, err := io.WriteString(g.gate, strconv.Itoa(size)+"\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := g.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
}

func glance(t *testing.T, table *proc.Table) {
	t.Helper()
	if err := table.Glance(); err != nil {
		t.Fatalf("Glance: %v", err)
	}
}

// Between two rounds a process may start, load a model and be killed.
func TestAGlanceFindsWhatIsNewAndGrows(t *testing.T) {
	table := proc.NewTable(proc.TableOptions{MaxEntries: 4096})
	defer table.Close()
	refresh(t, table)
	before := table.Len()
	g := newGrower(t)
	glance(t, table)
	if _, found := table.Lookup(g.pid, ""); !found {
		t.Fatalf("a new process of some MiB is not known after a glance; %d were before", before)
	}
	// Faster than the largest processes of this machine are large.
	g.take(t, 200<<20)
	glance(t, table)
	got, found := table.Lookup(g.pid, "")
	if !found || got.RSSBytes < 200<<20 || got.Exe == "" || len(got.Trend) == 0 {
		t.Fatalf("after it grew it is known as %+v, %v", got, found)
	}
	g.take(t, 100<<20)
	glance(t, table)
	if again, _ := table.Lookup(g.pid, ""); again.RSSBytes < 300<<20 || len(again.Trend) != len(got.Trend)+1 {
		t.Errorf("after it grew again it is known with %d bytes and %d points", again.RSSBytes, len(again.Trend))
	}
	refresh(t, table)
	if _, found := table.Lookup(g.pid, ""); !found {
		t.Error("a round forgets what the glances found")
	}
}

func TestAGlanceKeepsTheTableBounded(t *testing.T) {
	const entries = 16
	table := proc.NewTable(proc.TableOptions{MaxEntries: entries})
	defer table.Close()
	refresh(t, table)
	for range 6 {
		g := newGrower(t)
		g.take(t, 64<<20)
		glance(t, table)
		g.take(t, 64<<20)
		glance(t, table)
		if got := table.Len(); got > entries {
			t.Fatalf("Len() = %d, want at most %d", got, entries)
		}
	}
}

func TestAGlanceWithoutARoundAndOnABrokenTreeIsHarmless(t *testing.T) {
	table := proc.NewTable(proc.TableOptions{})
	defer table.Close()
	glance(t, table)
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "x", pages: 5000})
	for _, text := range []string{"", "x", "0.1 0.2 0.3 1/2 99999999999999999999", "0.1 0.2 0.3 1/2 ", "0 0 0 0 -5"} {
		tr.write("loadavg", text)
		broken, _ := newTable(t, tr, 16)
		refresh(t, broken)
		glance(t, broken)
	}
	if err := os.RemoveAll(tr.root); err != nil {
		t.Fatal(err)
	}
}
