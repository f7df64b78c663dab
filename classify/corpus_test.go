package classify_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// A label is what a right reading of a captured log finds; the origin of each
// log stands in its .json too.
type label struct {
	Incidents    []int
	Class        []oomdoc.Class
	Cause        []oomdoc.Cause
	Outcome      []oomdoc.Outcome
	Victims      []int
	IncidentPIDs []int `json:"incident_pids"`

	Limit *int64 `json:"limit_bytes"`
	Used  *int64 `json:"used_bytes"`
	RSS   *int64 `json:"rss_bytes"`
	Free  *int64 `json:"free_bytes"`

	PID       *int
	Name      *string
	UID       *int
	Unit      *string
	Container *string
	Pod       *string

	Constraint *string
	Order      *int
	Invoker    *string
	PageSize   *int64  `json:"page_size"`
	OOMCgroup  *string `json:"oom_cgroup"`
	TaskCgroup *string `json:"task_cgroup"`
}

// decided are the causes that this package has a rule for.
var decided = []oomdoc.Cause{
	oomdoc.CauseCgroupLimit, oomdoc.CauseHostExhausted, oomdoc.CauseNUMABound, oomdoc.CauseRequested,
	oomdoc.CauseZoneExhausted, oomdoc.CauseKernelMemory, oomdoc.CauseSharedMemory, oomdoc.CauseHugepagesReserved,
	oomdoc.CauseBalloon, oomdoc.CauseKernelBuddy,
	oomdoc.CausePressureKill,
}

func TestCapturedLogsGetTheVerdictOfTheirLabels(t *testing.T) {
	paths := append(glob(t, "../testdata/kernel"), glob(t, "testdata/kernel")...)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			var want label
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			log, err := os.ReadFile(strings.TrimSuffix(path, ".json") + ".log")
			if err != nil {
				t.Fatal(err)
			}
			got := diagnoseLog(t, log)
			if !slices.Contains(want.Incidents, len(got)) {
				t.Fatalf("got %d incidents, want one of %v", len(got), want.Incidents)
			}
			for _, inc := range got {
				checkSound(t, inc)
			}
			if len(got) > 0 {
				checkLabel(t, got, want)
			}
		})
	}
}

func glob(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	return paths
}

func checkLabel(t *testing.T, got []oomdoc.Incident, want label) {
	t.Helper()
	first := got[0]
	// A cause that other packages find, in other logs than the kernel's, is not
	// asked here.
	if slices.ContainsFunc(want.Cause, func(c oomdoc.Cause) bool { return slices.Contains(decided, c) }) {
		if !slices.Contains(want.Cause, first.Cause) || !slices.Contains(want.Class, first.Class) {
			t.Errorf("got %s/%s, want %v/%v", first.Class, first.Cause, want.Class, want.Cause)
		}
	}
	if want.Outcome != nil && !slices.Contains(want.Outcome, first.Outcome) {
		t.Errorf("outcome: got %s, want %v", first.Outcome, want.Outcome)
	}
	process, memory, kernel := or(first.Process), or(first.Memory), or(first.Kernel)
	near(t, "limit_bytes", memory.LimitBytes, want.Limit)
	near(t, "used_bytes", memory.UsedBytes, want.Used)
	near(t, "rss_bytes", memory.RSSBytes, want.RSS)
	near(t, "free_bytes", memory.FreeBytes, want.Free)
	same(t, "pid", &process.PID, want.PID)
	same(t, "name", process.Name, want.Name)
	same(t, "uid", process.UID, want.UID)
	same(t, "unit", &process.Unit, want.Unit)
	same(t, "container", &process.Container, want.Container)
	same(t, "pod", &process.Pod, want.Pod)
	same(t, "constraint", &kernel.Constraint, want.Constraint)
	if !lacks(first, "missing.header") && !lacks(first, "missing.all-but-kill-line") { // only the header has them
		same(t, "order", kernel.Order, want.Order)
		same(t, "invoker", kernel.Invoker, want.Invoker)
	}
	same(t, "page_size", &kernel.PageSize, want.PageSize)
	same(t, "oom_cgroup", &kernel.OOMCgroup, want.OOMCgroup)
	same(t, "task_cgroup", &kernel.TaskCgroup, want.TaskCgroup)
	if want.Victims != nil {
		checkVictims(t, first.Victims, want.Victims)
	}
	if want.IncidentPIDs != nil {
		var pids []int
		for _, inc := range got {
			pids = append(pids, or(inc.Process).PID)
		}
		if !slices.Equal(pids, want.IncidentPIDs) {
			t.Errorf("pids: got %v, want %v", pids, want.IncidentPIDs)
		}
	}
}

func checkVictims(t *testing.T, got []oomdoc.Victim, want []int) {
	t.Helper()
	var pids []int
	for _, victim := range got {
		pids = append(pids, victim.PID)
	}
	slices.Sort(pids)
	if !slices.Equal(pids, slices.Sorted(slices.Values(want))) {
		t.Errorf("victims: got %v, want %v", pids, want)
	}
}

// checkSound holds what every incident must have, whatever the log.
func checkSound(t *testing.T, inc oomdoc.Incident) {
	t.Helper()
	if inc.ID == "" || inc.Class == "" || inc.Cause == "" || inc.Confidence == "" || inc.Outcome == "" || inc.Burst == "" {
		t.Errorf("a field that every incident has is empty: %+v", inc)
	}
	said := rendered(t, inc)
	proven := false
	for _, e := range said.Evidence {
		proven = proven || hasDigit(e.Sentence.Text)
	}
	if len(said.Evidence) == 0 || !proven && inc.Confidence != oomdoc.Possible {
		t.Errorf("%s %s has no evidence with a number", inc.ID, inc.Confidence)
	}
	for _, s := range append([]oomdoc.Sentence{said.Summary, said.VictimReason}, said.Missing...) {
		checkWords(t, s.Text)
	}
	for _, e := range said.Evidence {
		checkWords(t, e.Sentence.Text)
	}
	if said.Summary.Text == "" || !strings.HasSuffix(said.Summary.Text, ".") {
		t.Errorf("the summary is no sentence: %q", said.Summary.Text)
	}
	m := or(inc.Memory)
	for name, size := range map[string]*int64{
		"limit": m.LimitBytes, "used": m.UsedBytes, "free": m.FreeBytes, "rss": m.RSSBytes,
		"requested": m.RequestedBytes, "swap total": m.SwapTotalBytes, "swap free": m.SwapFreeBytes,
	} {
		if size != nil && *size < 0 {
			t.Errorf("%s is %d", name, *size)
		}
	}
}

// unrendered is what lang leaves of a fact that its sentence was not given, or of
// a key without a template.
var unrendered = regexp.MustCompile(`\{[a-z_-]+\?\}|\[[a-z]\?\]|^\[(summary|evidence|missing|victim|word)\.[a-z.-]+`)

// checkWords finds a sentence that lacks a fact or a template.
func checkWords(t *testing.T, text string) {
	t.Helper()
	if unrendered.MatchString(text) {
		t.Errorf("a sentence is not whole: %s", text)
	}
}

func near(t *testing.T, what string, got, want *int64) {
	t.Helper()
	if want == nil {
		return
	}
	if got == nil || math.Abs(float64(*got-*want)) > 0.01*float64(*want) {
		t.Errorf("%s: got %v, want %d", what, deref(got), *want)
	}
}

func same[T comparable](t *testing.T, what string, got, want *T) {
	t.Helper()
	if want != nil && (got == nil || *got != *want) {
		t.Errorf("%s: got %v, want %v", what, deref(got), *want)
	}
}

func deref[T any](p *T) any {
	if p == nil {
		return "nothing"
	}
	return *p
}

func or[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
