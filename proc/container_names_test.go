package proc_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

func fixture(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata/containers", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

const (
	trainID = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d"
	webID   = "0b9c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d9ea"
	listID  = "1c9c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d9eb"
	webUID  = "3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c"
)

func TestEachRuntimesFileTellsTheNames(t *testing.T) {
	web := oomdoc.ContainerFacts{Name: "app", Image: "registry.example.com/web@sha256:2f1e", Pod: webUID, PodName: "web-6d4cf56db6-x2vkq", Namespace: "shop"}
	for file, want := range map[string]oomdoc.ContainerFacts{
		"docker-config.v2.json":      {Name: "ollama", Image: "ollama/ollama:0.13.1"},
		"cri-dockerd-config.v2.json": web,
		"containerd-cri-config.json": {Name: "trainer", Image: "registry.example.com/train:2.11.0",
			Pod: "77aa4d0e-9b6c-4d2f-8e1a-0b3c3f1c9a52", PodName: "train-0", Namespace: "ml"},
		"nerdctl-config.json": {Name: "batch-job"},
	} {
		read := proc.OCINames
		if strings.HasSuffix(file, "config.v2.json") {
			read = proc.DockerNames
		}
		got, err := read(fixture(t, file))
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	got := make(map[string]oomdoc.ContainerFacts)
	if err := proc.StorageNames(fixture(t, "containers.json"), func(id string, facts oomdoc.ContainerFacts) { got[id] = facts }); err != nil {
		t.Fatal(err)
	}
	web.Image = "registry.example.com/web:1"
	if diff := cmp.Diff(map[string]oomdoc.ContainerFacts{
		trainID: {Name: "train", Image: "docker.io/library/python:3.13"}, webID: web, listID: {Name: "only-in-the-list"},
	}, got); diff != "" {
		t.Errorf("containers.json (-want +got):\n%s", diff)
	}
}

func TestNamesOfLogsTellPods(t *testing.T) {
	id, got, ok := proc.LogLinkNames("web-6d4cf56db6-x2vkq_shop_app-" + webID + ".log")
	want := oomdoc.ContainerFacts{Name: "app", PodName: "web-6d4cf56db6-x2vkq", Namespace: "shop"}
	if !ok || id != webID || got != want {
		t.Errorf("link: %s %+v %v, want %s %+v", id, got, ok, webID, want)
	}
	pod, ok := proc.PodFolderNames("shop_web-6d4cf56db6-x2vkq_" + webUID)
	if want := (oomdoc.ContainerFacts{Pod: webUID, PodName: "web-6d4cf56db6-x2vkq", Namespace: "shop"}); !ok || pod != want {
		t.Errorf("folder: %+v %v, want %+v", pod, ok, want)
	}
	for _, name := range []string{"", "a.log", "a_b_c.log", "a_b_c-" + webID, "a_b-" + webID + ".log", "_b_c-" + webID + ".log", "a_b_c_d-" + webID + ".log", webID + ".log", "-" + webID + ".log"} {
		if id, facts, ok := proc.LogLinkNames(name); ok {
			t.Errorf("link %q is read as %s %+v", name, id, facts)
		}
	}
	for _, name := range []string{"", "a_b", "a_b_", "_b_" + webUID, "a_b_c_d", "a_b_../../x"} {
		if facts, ok := proc.PodFolderNames(name); ok {
			t.Errorf("folder %q is read as %+v", name, facts)
		}
	}
}

func TestHostileContainerFilesAreBounded(t *testing.T) {
	long := strings.Repeat("é", 1000)
	got, err := proc.DockerNames(strings.NewReader(`{"Name":"/` + long + `","Config":{"Image":"` + "\xff" + `x"}}`))
	if err != nil || len(got.Name) > 256 || !strings.HasPrefix(long, got.Name) {
		t.Errorf("a long name: %d bytes, %v", len(got.Name), err)
	}
	for _, text := range []string{"", "{", "null", "[]", `{"Name":1}`, `{"Config":[]}`, strings.Repeat("[", 100000), `{"Name":"` + strings.Repeat("x", 2<<20) + `"}`} {
		if got, err := proc.DockerNames(strings.NewReader(text)); err == nil && got != (oomdoc.ContainerFacts{}) {
			t.Errorf("docker file %.20q gives %+v", text, got)
		}
		if got, err := proc.OCINames(strings.NewReader(text)); err == nil && got != (oomdoc.ContainerFacts{}) {
			t.Errorf("bundle %.20q gives %+v", text, got)
		}
		visited := 0
		_ = proc.StorageNames(strings.NewReader(text), func(string, oomdoc.ContainerFacts) { visited++ })
		_ = proc.StorageNames(strings.NewReader(`[{"id":"../../etc/passwd","names":["x"]},`+text), func(string, oomdoc.ContainerFacts) { visited++ })
		if visited > 0 {
			t.Errorf("storage list with %.20q gives %d containers", text, visited)
		}
	}
}
