package classify_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

func TestOwnerHasTheNameThatItsRuntimeGaveIt(t *testing.T) {
	const id, pod = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d", "77aa4d0e-9b6c-4d2f-8e1a-0b3c3f1c9a52"
	facts := oomdoc.Facts{Containers: map[string]oomdoc.ContainerFacts{
		id: {Name: "trainer", Image: "train:2"}, pod: {PodName: "train-0", Namespace: "ml"},
	}}
	for path, want := range map[string]string{
		"/system.slice/docker-" + id + ".scope":    "trainer",
		"/kubepods/burstable/pod" + pod + "/" + id: "ml/train-0/trainer",
		"/kubepods/burstable/pod" + pod:            "ml/train-0",
		"/system.slice/ssh.service":                "ssh.service",
		"/docker/9" + id[1:]:                       "9f0c2d4e6a1b", // not known: its id
	} {
		if got := classify.OwnerOf(path, facts); got.Name != want {
			t.Errorf("owner of %s is %q, want %q", path, got.Name, want)
		}
	}
	if got := classify.OwnerOf("/docker/"+id, facts); got.Container != id {
		t.Errorf("container is %q, want its id", got.Container)
	}

	event := oomdoc.Event{Kind: oomdoc.EventKernelKill, ID: "x", Kernel: &oomdoc.KernelReport{
		Summary: &oomdoc.OOMSummary{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: "/docker/" + id, TaskMemcg: "/docker/" + id},
		Kills:   []oomdoc.Kill{{PID: 7, Comm: "python3", Memcg: true}},
	}}
	incident := classify.Diagnose(event, facts)
	p := incident.Process
	if p == nil || p.ContainerName != "trainer" || p.Image != "train:2" || p.Owner != "trainer" || p.Container != id {
		t.Errorf("process is %+v, want the container's name, image and id", p)
	}
	if got := incident.Summary.Args["owner"].S; got != "trainer" {
		t.Errorf("the summary names %q, want trainer", got)
	}
	if got := incident.Offender(); got != "container:trainer" {
		t.Errorf("the offender is %q, want container:trainer", got)
	}
}
