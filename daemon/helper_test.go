package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/helper"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/systemd"
)

// Every alert that package systemd can make must fit the helper's tables.
func TestHelperTakesEveryAlert(t *testing.T) {
	language, err := lang.New(lang.English)
	if err != nil {
		t.Fatal(err)
	}
	names, ids := make(map[string]bool), make(map[string]bool)
	for _, name := range helper.FieldNames() {
		names[name] = true
	}
	for _, id := range helper.MessageIDs() {
		ids[id] = true
	}
	sent := &recorder{}
	alerter := systemd.NewAlerter(systemd.AlerterOptions{Language: language, Journal: true, Sender: sent})
	one, name := int64(1), "job"
	full := oomdoc.Incident{Burst: "b", Class: oomdoc.ClassHostRAM, Confidence: oomdoc.Certain, Killer: "kernel", Time: time.Now(),
		Process: &oomdoc.Process{PID: 1, Name: &name, UID: new(int), Unit: "a.service", UserUnit: "b.service", Cgroup: "/a", Container: "c", Pod: "p"},
		Memory:  &oomdoc.Memory{RSSBytes: &one, LimitBytes: &one, UsedBytes: &one},
		Fixes:   []oomdoc.Fix{{Slug: "host", Steps: []oomdoc.Sentence{oomdoc.Command("true")}}}}
	for i, kind := range []struct {
		outcome oomdoc.Outcome
		cause   oomdoc.Cause
	}{
		{oomdoc.OutcomeKilled, oomdoc.CauseCgroupLimit}, {oomdoc.OutcomeKilled, oomdoc.CauseHostExhausted},
		{oomdoc.OutcomeKilled, oomdoc.CauseNUMABound}, {oomdoc.OutcomeFailed, oomdoc.CauseUndecided},
		{oomdoc.OutcomeDegraded, oomdoc.CauseUndecided}, {oomdoc.OutcomePanic, oomdoc.CauseUndecided},
		{oomdoc.OutcomeKilled, oomdoc.CauseCgroupLimit}, // a second of the same offender: the summary of a storm
	} {
		incident := full
		process := *full.Process
		incident.Process, process.ContainerName = &process, string(kind.outcome)+string(kind.cause)
		incident.ID, incident.Outcome, incident.Cause = strings.Repeat("x", i+1), kind.outcome, kind.cause
		alerter.Alert(incident)
	}
	if err := alerter.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, message := range sent.messages {
		entry := entryOf(message)
		seen[entry.MessageID] = true
		if !ids[entry.MessageID] {
			t.Errorf("MESSAGE_ID %s is not in the helper's table", entry.MessageID)
		}
		if entry.Priority < 2 || entry.Priority > 6 {
			t.Errorf("priority %d is refused by the helper", entry.Priority)
		}
		for _, field := range entry.Fields {
			if !names[field.Name] {
				t.Errorf("field %s is not in the helper's table", field.Name)
			}
		}
	}
	if want := len(helper.MessageIDs()) - 1; len(seen) != want { // all but "dropped", which needs a journal that hangs
		t.Errorf("%d kinds of alert were made, want %d", len(seen), want)
	}
	// These the helper says by itself, and must say the same.
	if helper.Identifier != systemd.Identifier || helper.Documentation != systemd.Documentation {
		t.Errorf("the helper says %q and %q, alerts %q and %q", helper.Identifier, helper.Documentation, systemd.Identifier, systemd.Documentation)
	}
	if !ids[systemd.MessageDropped] {
		t.Error("the helper's table lacks MessageDropped")
	}
}

type recorder struct{ messages []systemd.Message }

func (r *recorder) Ready() error { return nil }
func (r *recorder) Send(m systemd.Message, _ time.Duration) error {
	r.messages = append(r.messages, m)
	return nil
}

const (
	dockerID = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d"
	podmanID = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0e"
	podID    = "77aa4d0e-9b6c-4d2f-8e1a-0b3c3f1c9a52"
	criID    = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0f"
)

// runtimes lays out the files of a machine with docker, podman and a pod.
func runtimes(t *testing.T) (helper.Roots, func(path, text string)) {
	t.Helper()
	folder := t.TempDir()
	put := func(path, text string) {
		t.Helper()
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("docker/containers/"+dockerID+"/config.v2.json", `{"Name":"/ollama","Config":{"Image":"ollama/ollama"}}`)
	put("storage/overlay-containers/containers.json", `[{"id":"`+podmanID+`","names":["train"],"metadata":"{\"image-name\":\"python\"}"}]`)
	put("log/containers/train-0_ml_trainer-"+criID+".log", "")
	put("log/pods/ml_train-0_"+podID+"/trainer/0.log", "")
	return helper.Roots{
		Proc: "/proc", Docker: filepath.Join(folder, "docker"), Containerd: filepath.Join(folder, "containerd"),
		Containers: filepath.Join(folder, "storage"), Logs: filepath.Join(folder, "log"),
	}, put
}

const (
	dockerPath = "/system.slice/docker-" + dockerID + ".scope"
	podmanPath = "/machine.slice/libpod-" + podmanID + ".scope"
	podPath    = "/kubepods/burstable/pod" + podID
)

func TestNamesComeFromTheRuntimesFiles(t *testing.T) {
	roots, put := runtimes(t)
	n := newNames(helper.Local{Roots: roots})
	n.learn([]string{dockerPath, podmanPath, podPath + "/" + criID, "/system.slice/ssh.service"})
	got := n.of([]string{dockerPath, podmanPath, podPath + "/" + criID})
	for key, want := range map[string]oomdoc.ContainerFacts{
		dockerID: {Name: "ollama", Image: "ollama/ollama"},
		podmanID: {Name: "train", Image: "python"},
		criID:    {Name: "trainer", PodName: "train-0", Namespace: "ml"},
		podID:    {Pod: podID, PodName: "train-0", Namespace: "ml"},
	} {
		if got[key] != want {
			t.Errorf("%s is %+v, want %+v", key, got[key], want)
		}
	}
	// The container is removed: what was known stays known.
	if err := os.RemoveAll(filepath.Join(roots.Docker, "containers")); err != nil {
		t.Fatal(err)
	}
	if got := n.of([]string{dockerPath})[dockerID]; got.Name != "ollama" {
		t.Errorf("after its end the container is %+v, want ollama", got)
	}
	// One without a name is not looked for at every kill.
	other := strings.Replace(dockerPath, "8f0c", "9f0c", 1)
	n.learn([]string{other})
	put("docker/containers/"+strings.Replace(dockerID, "8f0c", "9f0c", 1)+"/config.v2.json", `{"Name":"/late"}`)
	if n.lacks([]string{other}, time.Now()) {
		t.Error("a name that was just not found is looked for again at once")
	}
	if !n.lacks([]string{other}, time.Now().Add(2*missAgain)) {
		t.Error("a name that was not found is never looked for again")
	}
}

func TestWhatIsRememberedOfNamesIsBounded(t *testing.T) {
	n := newNames(helper.Local{Roots: helper.Roots{Proc: "/x", Docker: "/x", Containerd: "/x", Containers: "/x", Logs: "/x"}})
	paths := make([]string, 1)
	for i := range 3 * maxNames {
		id := []byte(dockerID)
		for at := range 4 {
			id[at] = "0123456789abcdef"[i>>(4*at)&15]
		}
		paths[0] = "/docker/" + string(id)
		n.learn(paths)
		if size := len(n.known) + len(n.missed); size > maxNames+2 {
			t.Fatalf("%d containers are remembered, want at most %d", size, maxNames)
		}
	}
}

func TestIncidentHasTheNamesOfItsContainer(t *testing.T) {
	roots, _ := runtimes(t)
	m := &memory{looking: make(chan struct{}, 1), names: newNames(helper.Local{Roots: roots})}
	ev := &oomdoc.Event{Kind: oomdoc.EventKernelKill, Kernel: &oomdoc.KernelReport{
		Summary: &oomdoc.OOMSummary{OOMMemcg: podPath, TaskMemcg: podPath + "/" + criID},
	}}
	if facts := m.facts(ev); facts.Containers[criID].Name != "trainer" || facts.Containers[podID].PodName != "train-0" {
		t.Errorf("facts have %+v, want the names of the pod and its container", facts.Containers)
	}
	ev.Replayed = true
	if facts := m.facts(ev); len(facts.Containers) > 0 {
		t.Errorf("a kill of long ago has %+v", facts.Containers)
	}
}
