package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// later writes a report that begins so many seconds after the boot.
func later(second int, texts []string) []byte {
	return perRecord(func(i int) string { return fmt.Sprintf("[%5d.%06d] ", second, 40*i) }, blanks)(texts)
}

func grew(inc *oomdoc.Incident) []string {
	var keys []string
	for _, e := range inc.Evidence {
		if word, found := strings.CutPrefix(string(e.Sentence.Key), "evidence.grew-"); found {
			keys = append(keys, word)
		}
	}
	return keys
}

// A leak is claimed only where two reports show it.
func TestALeakIsToldFromTwoReports(t *testing.T) {
	slab := func(w *world, percent int64) {
		held(w, &w.use.slab, percent)
	}
	daemonOf := func(w *world, size int64) {
		w.invoker.anon = size
		w.tasks[2] = w.invoker
	}
	for _, c := range []struct {
		name   string
		apart  int
		first  func(*world)
		second func(*world)
		want   []string
	}{
		{"a process that lives on", 4000, func(w *world) { daemonOf(w, 100*mib) }, func(w *world) { daemonOf(w, 900*mib) }, []string{"process"}},
		{"the same within seconds", 20, func(w *world) { daemonOf(w, 100*mib) }, func(w *world) { daemonOf(w, 900*mib) }, nil},
		{"a little more", 4000, func(w *world) { daemonOf(w, 800*mib) }, func(w *world) { daemonOf(w, 850*mib) }, nil},
		{"less", 4000, func(w *world) { daemonOf(w, 900*mib) }, func(w *world) { daemonOf(w, 100*mib) }, nil},
		{"another process of that name", 4000, func(w *world) { daemonOf(w, 100*mib) }, func(w *world) { w.invoker.pid = 990; daemonOf(w, 900*mib) }, nil},
		{"slab", 4000, func(w *world) { slab(w, 20) }, func(w *world) { slab(w, 60) }, []string{"slab"}},
		{"slab that stays", 4000, func(w *world) { slab(w, 60) }, func(w *world) { slab(w, 60) }, nil},
		{"shared memory", 4000, func(w *world) { held(w, &w.use.shmem, 20) }, func(w *world) { held(w, &w.use.shmem, 60) }, []string{"shmem"}},
	} {
		for _, at := range []int{3010, 4015, 6012} {
			e := era{version: "3.10.0-1160.el7.x86_64", at: 3010, vendor: "el7", page: 4 << 10, v1: true}
			if at != 3010 {
				e = eraAt(t, at)
			}
			first, second := newWorld(e), newWorld(e)
			second.victim.pid = 5900
			second.tasks[3] = second.victim
			c.first(first)
			c.second(second)
			got := explained(t, append(later(1000, first.lines()), later(1000+c.apart, second.lines())...))
			if len(got) != 2 {
				t.Fatalf("%s, %d: got %d incidents", c.name, at, len(got))
			}
			if keys := grew(&got[0]); len(keys) > 0 {
				t.Errorf("%s, %d: one report tells of growth: %v", c.name, at, keys)
			}
			if keys := grew(&got[1]); !slices.Equal(keys, c.want) {
				t.Errorf("%s, %d: grew %v, want %v", c.name, at, keys, c.want)
			}
		}
	}
}

// A log of two boots has the same pids twice.
func TestALeakIsNotToldAcrossBoots(t *testing.T) {
	first, second := newWorld(eraAt(t, 6012)), newWorld(eraAt(t, 6012))
	first.invoker.anon, second.invoker.anon = 100*mib, 900*mib
	first.tasks[2], second.tasks[2] = first.invoker, second.invoker
	second.victim.pid = 5900
	second.tasks[3] = second.victim
	got := explained(t, append(later(9000, first.lines()), later(500, second.lines())...))
	if len(got) != 2 || len(grew(&got[1])) > 0 {
		t.Errorf("got %d incidents, the second grew %v", len(got), grew(&got[len(got)-1]))
	}
}

// The kernel memory of a group, in the group's own reports.
func TestALeakInAGroup(t *testing.T) {
	var log []byte
	for i, kernel := range []int64{20 * mib, 120 * mib} {
		w := newWorld(eraAt(t, 6012))
		limited(w, unitPath, unitPath)
		w.group.kernel = kernel
		w.victim.pid += i
		w.invoker, w.tasks[1] = w.victim, w.victim
		log = append(log, later(1000+4000*i, w.lines())...)
	}
	got := explained(t, log)
	if len(got) != 2 || !slices.Equal(grew(&got[1]), []string{"group-kernel"}) {
		t.Errorf("got %d incidents, the second grew %v", len(got), grew(&got[len(got)-1]))
	}
}
