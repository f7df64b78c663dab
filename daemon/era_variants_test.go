package daemon_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/record"
)

// explained reads a log as `oomdoc explain` does; amended incidents count once.
func explained(t *testing.T, log []byte) []oomdoc.Incident {
	t.Helper()
	var list []oomdoc.Incident
	at := make(map[string]int)
	d := daemon.NewDiagnoser(daemon.DiagnoserOptions{
		Emit: func(inc oomdoc.Incident) {
			if place, told := at[inc.ID]; told {
				list[place] = inc
				return
			}
			at[inc.ID] = len(list)
			list = append(list, inc)
		},
		Panicked: func(text string, value any) { t.Errorf("panic %v at %q", value, text) },
	})
	decoder := record.NewDecoder(bytes.NewReader(log), record.Options{Nested: true})
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Feed(&rec)
	}
	d.Flush()
	return list
}

func (s *shape) fits(e *era) bool {
	return e.at >= s.since && (s.until == 0 || e.at < s.until) && (!s.bits32 || e.bits32)
}

// Every kind of shortage must be told for what it is in the reports of every
// era that can show it, with every field that the era prints.
func TestEveryCauseIsFoundInEveryEra(t *testing.T) {
	for _, e := range eras() {
		for _, s := range shapes() {
			if !s.fits(&e) {
				continue
			}
			w := newWorld(e)
			s.make(w)
			t.Run(fmt.Sprintf("%s/%d", s.name, e.at)+e.vendor, func(t *testing.T) {
				log := kmsgForm(w.lines())
				w.check(t, &s, explained(t, log))
				if t.Failed() {
					t.Logf("%s\n%s", e.version, strings.ReplaceAll(string(log), `\x0a`, "\n"))
				}
			})
		}
	}
}

// check holds incidents against what is true of the world.
func (w *world) check(t *testing.T, s *shape, got []oomdoc.Incident) {
	t.Helper()
	if len(got) != 1 {
		t.Fatalf("got %d incidents, want 1", len(got))
	}
	inc := &got[0]
	same(t, "class", inc.Class, s.class)
	same(t, "cause", inc.Cause, s.cause)
	w.checkFate(t, inc)
	w.checkRequest(t, inc)
	if inc.Memory == nil {
		inc.Memory = &oomdoc.Memory{}
	}
	if w.group != nil {
		w.checkGroup(t, inc)
	} else if s.cause != oomdoc.CauseRequested && s.cause != oomdoc.CauseNUMABound {
		sameSize(t, "swap_total", inc.Memory.SwapTotalBytes, w.use.swapTotal)
		sameSize(t, "swap_free", inc.Memory.SwapFreeBytes, w.use.swapFree)
	}
	for _, ev := range inc.Evidence {
		if ev.Sentence.Key == "" {
			t.Errorf("evidence without a sentence: %+v", ev)
		}
	}
	if len(inc.Evidence) == 0 {
		t.Error("no evidence")
	}
}

func (w *world) checkFate(t *testing.T, inc *oomdoc.Incident) {
	t.Helper()
	outcome := map[string]oomdoc.Outcome{"": oomdoc.OutcomeKilled, "no-victim": oomdoc.OutcomeDegraded, "panic": oomdoc.OutcomePanic}[w.fate]
	same(t, "outcome", inc.Outcome, outcome)
	if w.fate != "" {
		if inc.Process != nil {
			t.Errorf("got process %d, want none", inc.Process.PID)
		}
		return
	}
	if inc.Process == nil || inc.Process.Name == nil {
		t.Fatal("no process")
	}
	same(t, "pid", inc.Process.PID, w.victim.pid)
	same(t, "name", *inc.Process.Name, w.victim.name)
	e := &w.era
	if e.at > 2024 { // the table or the kill line has it
		if inc.Process.UID == nil {
			t.Error("no uid")
		} else {
			same(t, "uid", *inc.Process.UID, w.victim.uid)
		}
	}
	pids := make([]int, 0, 2)
	for _, v := range inc.Victims {
		pids = append(pids, v.PID)
	}
	want := []int{w.victim.pid}
	for i := range w.together {
		want = append(want, w.together[i].pid)
	}
	if !slices.Equal(pids, want) {
		t.Errorf("victims %v, want %v", pids, want)
	}
	if e.at > 2032 || e.vendor != "" {
		sameSize(t, "rss", inc.Memory.RSSBytes, w.victim.anon+w.victim.file+w.victim.shmem)
	}
}

func (w *world) checkRequest(t *testing.T, inc *oomdoc.Incident) {
	t.Helper()
	k := inc.Kernel
	if k == nil || k.Order == nil || k.Invoker == nil {
		t.Fatalf("kernel context %+v", k)
	}
	same(t, "order", *k.Order, w.order)
	same(t, "invoker", *k.Invoker, w.invoker.name)
	if w.group == nil || w.era.has(6008) {
		same(t, "page size", k.PageSize, w.era.page)
	}
	if w.era.summarised() && w.fate == "" && !w.era.buggy {
		constraint := w.constraint
		if w.group != nil {
			constraint = "CONSTRAINT_MEMCG"
		}
		same(t, "constraint", k.Constraint, constraint)
	}
}

func (w *world) checkGroup(t *testing.T, inc *oomdoc.Incident) {
	t.Helper()
	e, g := &w.era, w.group
	sameSize(t, "limit", inc.Memory.LimitBytes, g.limit)
	sameSize(t, "used", inc.Memory.UsedBytes, g.usage)
	same(t, "oom cgroup", inc.Kernel.OOMCgroup, g.limitPath)
	if w.fate != "" {
		return
	}
	same(t, "task cgroup", inc.Kernel.TaskCgroup, g.taskPath)
	if g.taskPath == unitPath {
		same(t, "unit", inc.Process.Unit, "app.service")
		return
	}
	same(t, "container", inc.Process.Container, ctrID)
	same(t, "pod", inc.Process.Pod, podUID)
	_ = e
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func sameSize(t *testing.T, what string, got *int64, want int64) {
	t.Helper()
	switch {
	case got == nil:
		t.Errorf("%s is absent, want %d", what, want)
	case *got != want:
		t.Errorf("%s: got %d, want %d", what, *got, want)
	}
}
