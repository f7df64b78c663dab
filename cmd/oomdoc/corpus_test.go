package main_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// expected is what a case's json file asks for. A key that is absent is not
// asked. List values are the accepted ones.
type expected struct {
	Incidents  []int    `json:"incidents"`
	Class      []string `json:"class"`
	Cause      []string `json:"cause"`
	Outcome    []string `json:"outcome"`
	Killer     []string `json:"killer"`
	Engine     []string `json:"engine"`
	Requested  *int64   `json:"requested_bytes"`
	Free       *int64   `json:"free_bytes"`
	Allocated  *int64   `json:"allocated_bytes"`
	Total      *int64   `json:"total_bytes"` // of the GPU
	FirstFix   []int    `json:"first_fix"`
	StepsAny   []string `json:"steps_any"` // words of which the first fix has one
	Limit      *int64   `json:"limit_bytes"`
	Used       *int64   `json:"used_bytes"`
	RSS        *int64   `json:"rss_bytes"`
	SwapTotal  *int64   `json:"swap_total_bytes"`
	SwapFree   *int64   `json:"swap_free_bytes"`
	Order      *int     `json:"order"`
	Constraint *string  `json:"constraint"`
	Invoker    *string  `json:"invoker"`
	PageSize   *int64   `json:"page_size"`
	OOMCgroup  *string  `json:"oom_cgroup"`
	TaskCgroup *string  `json:"task_cgroup"`
	PID        *int     `json:"pid"`
	Name       *string  `json:"name"`
	Unit       *string  `json:"unit"`
	Container  *string  `json:"container"`
	Pod        *string  `json:"pod"`
	UID        *int     `json:"uid"`
	Victims    []int    `json:"victims"`
	Pids       []int    `json:"incident_pids"`
}

// The cases are logs as they came, with what a right reading finds: the same
// contract that scripts read.
func TestExplainReadsTheKernelCases(t *testing.T) { checkCases(t, "../../testdata/kernel") }

func TestExplainReadsTheProgramCases(t *testing.T) { checkCases(t, "../../testdata/program") }

func checkCases(t *testing.T, folder string) {
	files, err := filepath.Glob(folder + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := expected{Incidents: []int{1}}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			checkCase(t, explainFile(t, strings.TrimSuffix(file, ".json")+".log"), want)
		})
	}
}

func explainFile(t *testing.T, path string) []oomdoc.Incident {
	t.Helper()
	return explainFiles(t, path)
}

func explainFiles(t *testing.T, paths ...string) []oomdoc.Incident {
	t.Helper()
	stdout, stderr, status := runCommand(t, os.Environ(), nil, append([]string{"explain", "-o", "json"}, paths...)...)
	if status != 0 && status != 3 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	var document oomdoc.Document
	if err := json.Unmarshal([]byte(stdout), &document); err != nil {
		t.Fatalf("output is not the contract's JSON: %v", err)
	}
	return document.Incidents
}

func checkCase(t *testing.T, got []oomdoc.Incident, want expected) {
	t.Helper()
	if !slices.Contains(want.Incidents, len(got)) {
		t.Fatalf("incidents=%d, want one of %v", len(got), want.Incidents)
	}
	seen := make(map[string]bool)
	for i := range got {
		checkSound(t, &got[i])
		if seen[got[i].ID] {
			t.Errorf("id %s stands twice", got[i].ID)
		}
		seen[got[i].ID] = true
	}
	if len(got) == 0 {
		return
	}
	first := &got[0]
	oneOf(t, "class", string(first.Class), want.Class)
	oneOf(t, "cause", string(first.Cause), want.Cause)
	oneOf(t, "outcome", string(first.Outcome), want.Outcome)
	oneOf(t, "killer", first.Killer, want.Killer)
	memory, kernel, process := orEmpty(first.Memory), orEmpty(first.Kernel), orEmpty(first.Process)
	oneOf(t, "engine", process.Engine, want.Engine)
	near(t, "requested_bytes", memory.RequestedBytes, want.Requested)
	near(t, "free_bytes", memory.FreeBytes, want.Free)
	near(t, "allocated_bytes", memory.AllocatedBytes, want.Allocated)
	near(t, "total_bytes", orEmpty(first.GPU).TotalBytes, want.Total)
	near(t, "limit_bytes", memory.LimitBytes, want.Limit)
	near(t, "used_bytes", memory.UsedBytes, want.Used)
	near(t, "rss_bytes", memory.RSSBytes, want.RSS)
	near(t, "swap_total_bytes", memory.SwapTotalBytes, want.SwapTotal)
	near(t, "swap_free_bytes", memory.SwapFreeBytes, want.SwapFree)
	equal(t, "order", kernel.Order, want.Order)
	equal(t, "constraint", &kernel.Constraint, want.Constraint)
	equal(t, "invoker", kernel.Invoker, want.Invoker)
	equal(t, "page_size", &kernel.PageSize, want.PageSize)
	equal(t, "oom_cgroup", &kernel.OOMCgroup, want.OOMCgroup)
	equal(t, "task_cgroup", &kernel.TaskCgroup, want.TaskCgroup)
	equal(t, "pid", &process.PID, want.PID)
	equal(t, "name", process.Name, want.Name)
	equal(t, "unit", &process.Unit, want.Unit)
	equal(t, "container", &process.Container, want.Container)
	equal(t, "pod", &process.Pod, want.Pod)
	equal(t, "uid", process.UID, want.UID)
	checkFix(t, first.Fixes, want)
	if want.Victims != nil {
		var pids []int
		for _, victim := range first.Victims {
			pids = append(pids, victim.PID)
		}
		slices.Sort(pids)
		slices.Sort(want.Victims)
		if !slices.Equal(pids, want.Victims) {
			t.Errorf("victims=%v, want %v", pids, want.Victims)
		}
	}
	if want.Pids != nil {
		var pids []int
		for i := range got {
			pids = append(pids, orEmpty(got[i].Process).PID)
		}
		if !slices.Equal(pids, want.Pids) {
			t.Errorf("incident pids=%v, want %v", pids, want.Pids)
		}
	}
}

// checkFix holds the fix that stands first and what its steps say.
func checkFix(t *testing.T, fixes []oomdoc.Fix, want expected) {
	t.Helper()
	number, steps := -1, ""
	if len(fixes) > 0 {
		number = fixes[0].Number
		steps = strings.Join(stepTexts(fixes[0]), "\n")
	}
	if want.FirstFix != nil && !slices.Contains(want.FirstFix, number) {
		t.Errorf("first fix %d, want one of %d", number, want.FirstFix)
	}
	if want.StepsAny != nil && !slices.ContainsFunc(want.StepsAny, func(word string) bool { return strings.Contains(steps, word) }) {
		t.Errorf("none of %q in the first fix's steps:\n%s", want.StepsAny, steps)
	}
}

func stepTexts(fix oomdoc.Fix) (texts []string) {
	for _, step := range fix.Steps {
		texts = append(texts, step.Text)
	}
	return texts
}

// checkSound holds what every incident must have, whatever the case.
func checkSound(t *testing.T, incident *oomdoc.Incident) {
	t.Helper()
	if incident.ID == "" || incident.Class == "" || incident.Cause == "" || incident.Confidence == "" || incident.Outcome == "" || incident.Summary.Text == "" {
		t.Errorf("incident lacks a field of every incident: %+v", incident)
	}
	digits := 0
	for _, evidence := range incident.Evidence {
		if strings.ContainsAny(evidence.Sentence.Text, "0123456789") {
			digits++
		}
	}
	if len(incident.Evidence) == 0 || digits == 0 && incident.Confidence != oomdoc.Possible {
		t.Errorf("%s: no evidence with a number", incident.ID)
	}
}

func orEmpty[T any](p *T) T {
	if p == nil {
		var empty T
		return empty
	}
	return *p
}

func oneOf(t *testing.T, name, got string, want []string) {
	t.Helper()
	if want != nil && !slices.Contains(want, got) {
		t.Errorf("%s=%q, want one of %q", name, got, want)
	}
}

func equal[T comparable](t *testing.T, name string, got, want *T) {
	t.Helper()
	switch {
	case want == nil:
	case got == nil:
		t.Errorf("%s is absent, want %v", name, *want)
	case *got != *want:
		t.Errorf("%s=%v, want %v", name, *got, *want)
	}
}

// near allows one per cent, as the contract's check does.
func near(t *testing.T, name string, got, want *int64) {
	t.Helper()
	switch {
	case want == nil:
	case got == nil:
		t.Errorf("%s is absent, want %d", name, *want)
	case math.Abs(float64(*got-*want)) > max(math.Abs(float64(*want))*0.01, 1):
		t.Errorf("%s=%d, want %d", name, *got, *want)
	}
}

// The same kill has the same id in whatever form it is read.
func TestSameKillHasOneIDInEveryForm(t *testing.T) {
	var ids []string
	var forms []string
	for _, file := range []string{"r32a-forms-kmsg", "r32b-forms-dmesg", "r32c-forms-dmesg-x", "r32e-forms-dmesg-J", "r32f-forms-journalctl-short"} {
		got := explainFile(t, "../../testdata/kernel/"+file+".log")
		if len(got) != 1 {
			t.Fatalf("%s: %d incidents, want 1", file, len(got))
		}
		ids, forms = append(ids, got[0].ID), append(forms, file)
	}
	for i := range ids {
		if ids[i] != ids[0] {
			t.Errorf("%s has id %s, %s has %s", forms[i], ids[i], forms[0], ids[0])
		}
	}
}
