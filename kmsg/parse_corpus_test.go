package kmsg_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oomdoc/oomdoc"
)

// expected are the keys of a case that a parser can answer; the others need
// classification.
type expected struct {
	Incidents  []int    `json:"incidents"`
	PID        *int     `json:"pid"`
	Name       *string  `json:"name"`
	UID        *int     `json:"uid"`
	RSS        *int64   `json:"rss_bytes"`
	Limit      *int64   `json:"limit_bytes"`
	Used       *int64   `json:"used_bytes"`
	PageSize   *int64   `json:"page_size"`
	Constraint *string  `json:"constraint"`
	Order      *int     `json:"order"`
	Invoker    *string  `json:"invoker"`
	OOMCgroup  *string  `json:"oom_cgroup"`
	TaskCgroup *string  `json:"task_cgroup"`
	Outcome    []string `json:"outcome"`
	Victims    []int    `json:"victims"`
	PIDs       []int    `json:"incident_pids"`
	Killer     []string `json:"killer"`
}

func readExpected(t *testing.T, path string) expected {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want expected
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

func TestCapturedReportsAreReadFieldByField(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(corpus, "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("find cases in %s: %d found, %v", corpus, len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			want := readExpected(t, path)
			log := readLog(t, name)
			list := events(t, log)
			found := oomEvents(list)
			if want.Killer != nil && !slices.Contains(want.Killer, oomdoc.KillerKernel) {
				if len(found) != 0 {
					t.Errorf("got %d kernel kills in a log of a killer in user space", len(found))
				}
				return
			}
			if wantsFailuresOnly(want) && len(found) == 0 {
				if len(list) == 0 {
					t.Error("got no failed allocation in a log of failed allocations")
				}
				return
			}
			if slices.Equal(want.Incidents, []int{0}) {
				if len(list) != 0 {
					t.Errorf("got %d events in a log that has none", len(list))
				}
				return
			}
			checkNumber(t, found, want)
			if len(found) > 0 {
				checkFirst(t, &found[0], want, hasHeader(log))
			}
		})
	}
}

// wantsFailuresOnly tells a case in which nothing was killed: whether its failed
// allocations are incidents is for classify to say.
func wantsFailuresOnly(want expected) bool {
	return want.Outcome != nil && !slices.Contains(want.Outcome, "killed") && !slices.Contains(want.Outcome, "panic")
}

// oomEvents leaves out failed allocations: they join the kill that they follow.
func oomEvents(list []oomdoc.Event) []oomdoc.Event {
	return slices.DeleteFunc(slices.Clone(list), func(e oomdoc.Event) bool {
		return e.Kind == oomdoc.EventAllocFailure
	})
}

// checkNumber holds the number of events: each kill is an incident; reports
// without a kill line (no victim, or their end is lost) are one together.
func checkNumber(t *testing.T, found []oomdoc.Event, want expected) {
	t.Helper()
	killed := kills(found)
	incidents := len(killed)
	if len(found) > len(killed) {
		incidents++
	}
	if !slices.Contains(want.Incidents, incidents) {
		t.Errorf("got %d kills and %d events in all, want %v incidents", len(killed), len(found), want.Incidents)
	}
	if want.PIDs == nil {
		return
	}
	var pids []int
	for i := range killed {
		pids = append(pids, firstKill(&killed[i]).PID)
	}
	if diff := cmp.Diff(want.PIDs, pids); diff != "" {
		t.Errorf("pids of the kills in order (-want +got):\n%s", diff)
	}
}

// hasHeader tells whether the log has a header before its first kill line.
func hasHeader(log []byte) bool {
	before, _, _ := bytes.Cut(log, []byte("Killed process "))
	return bytes.Contains(before, []byte("invoked oom-killer: gfp_mask"))
}

func firstKill(e *oomdoc.Event) oomdoc.Kill {
	if len(e.Kernel.Kills) == 0 {
		return oomdoc.Kill{}
	}
	return e.Kernel.Kills[0]
}

func checkFirst(t *testing.T, e *oomdoc.Event, want expected, header bool) {
	t.Helper()
	kill := firstKill(e)
	same(t, "pid", want.PID, &kill.PID)
	same(t, "name", want.Name, &kill.Comm)
	same(t, "uid", want.UID, kill.UID)
	same(t, "rss_bytes", want.RSS, kill.RSS())
	same(t, "page_size", want.PageSize, &e.Kernel.PageSize)
	if want.Victims != nil {
		if diff := cmp.Diff(want.Victims, victims(e)); diff != "" {
			t.Errorf("victims (-want +got):\n%s", diff)
		}
	}
	if len(want.Outcome) == 1 && want.Outcome[0] == "panic" && e.Kernel.Panic == "" {
		t.Error("the panic is missing")
	}
	if trigger := e.Kernel.Trigger; trigger != nil {
		same(t, "order", want.Order, &trigger.Order)
		same(t, "invoker", want.Invoker, &trigger.Comm)
	} else if header {
		t.Error("the header is missing")
	}
	if summary := e.Kernel.Summary; summary != nil {
		same(t, "constraint", want.Constraint, &summary.Constraint)
		same(t, "oom_cgroup", want.OOMCgroup, &summary.OOMMemcg)
		same(t, "task_cgroup", want.TaskCgroup, &summary.TaskMemcg)
	} else if want.Constraint != nil {
		t.Error("the summary is missing")
	}
	if group := e.Kernel.Memcg; group != nil {
		same(t, "limit_bytes", want.Limit, group.Limit)
		same(t, "used_bytes", want.Used, group.Usage)
	} else if want.Limit != nil {
		t.Error("the memory cgroup block is missing")
	}
}

func same[T comparable](t *testing.T, key string, want, got *T) {
	t.Helper()
	switch {
	case want == nil:
	case got == nil:
		t.Errorf("%s: got none, want %v", key, *want)
	case *got != *want:
		t.Errorf("%s: got %v, want %v", key, *got, *want)
	}
}

// victims are the distinct pids of the kill lines, sorted as the cases are.
func victims(e *oomdoc.Event) []int {
	var pids []int
	for _, kill := range e.Kernel.Kills {
		pids = append(pids, kill.PID)
	}
	slices.Sort(pids)
	return slices.Compact(pids)
}
