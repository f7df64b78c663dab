package oomdoc_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

func TestOffenderIsTheSameForEveryFailureOfIt(t *testing.T) {
	const id = "4f1d0a5c8e6b4f1d0a5c8e6b4f1d0a5c8e6b4f1d0a5c8e6b4f1d0a5c8e6b4f1d"
	named := func(p oomdoc.Process) oomdoc.Process { p.Name = new("python3"); return p }
	tests := []struct {
		name    string
		process oomdoc.Process
		want    string
	}{
		{"unit", oomdoc.Process{Unit: "ollama.service"}, "unit:ollama.service"},
		{"instance of a template", oomdoc.Process{Unit: "job@1.service"}, "unit:job@1.service"},
		{"pod with its workload", oomdoc.Process{Pod: "u", PodName: "web-7d9f8b6c5d-x2x4z", Namespace: "prod",
			Container: id, ContainerName: "api", Unit: "cri-containerd-" + id + ".scope"}, "pod:prod/web/api"},
		{"pod of which the uid is known: its container ids differ", oomdoc.Process{Pod: "12-34", Container: id}, "pod:12-34"},
		{"container with a name", oomdoc.Process{Container: id, ContainerName: "llm", Image: "vllm"}, "container:llm"},
		{"container without", oomdoc.Process{Container: id, Unit: "docker-" + id + ".scope"}, "container:4f1d0a5c8e6b"},
		{"a short container id", oomdoc.Process{Container: "abc"}, "container:abc"},
		{"virtual machine", oomdoc.Process{OwnerKind: "vm", Owner: "debian", Unit: "machine-qemu.scope"}, "vm:debian"},
		{"user unit", oomdoc.Process{UserUnit: "train.service", Unit: "user@1000.service"}, "user-unit:train.service"},
		{"user's manager without a unit", named(oomdoc.Process{Unit: "user@1000.service"}), "program:python3"},
		{"login session", named(oomdoc.Process{Unit: "session-12.scope"}), "program:python3"},
		{"transient unit", named(oomdoc.Process{Unit: "run-u12.service"}), "program:python3"},
		{"transient user scope", named(oomdoc.Process{UserUnit: "vte-spawn-123.scope"}), "program:python3"},
		{"program and its model", oomdoc.Process{Name: new("llama-server"), Model: "qwen"}, "program:llama-server qwen"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			incident := oomdoc.Incident{Process: &tt.process}
			if got := incident.Offender(); got != tt.want {
				t.Errorf("Offender() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOffenderWithoutProcessIsTheCgroupOrTheMachine(t *testing.T) {
	incident := oomdoc.Incident{Kernel: &oomdoc.KernelContext{OOMCgroup: "/a/b"}}
	if got, want := incident.Offender(), "cgroup:/a/b"; got != want {
		t.Errorf("Offender() = %q, want %q", got, want)
	}
	incident.Kernel = nil
	if got, want := incident.Offender(), "machine:"; got != want {
		t.Errorf("Offender() = %q, want %q", got, want)
	}
}

func TestWorkloadLosesOnlyWhatKubernetesGenerated(t *testing.T) {
	tests := map[string]string{
		"web-7d9f8b6c5d-x2x4z":  "web", // Deployment
		"agent-x2x4z":           "agent",
		"backup-28012345-x2x4z": "backup",
		"db-0":                  "db",
		"db-12":                 "db",
		"web":                   "web",
		"web-server":            "web-server",
		"my-nginx":              "my-nginx", // 5 letters, but with a vowel
		"-":                     "-",
		"a-":                    "a-",
		"":                      "",
	}
	for pod, want := range tests {
		if got := oomdoc.Workload(pod); got != want {
			t.Errorf("Workload(%q) = %q, want %q", pod, got, want)
		}
	}
}
