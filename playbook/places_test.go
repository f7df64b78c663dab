package playbook_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// TestStepsAreForWhereTheProcessRuns holds, for each place that a program runs in
// and each kind of setting, what a person types there.
func TestStepsAreForWhereTheProcessRuns(t *testing.T) {
	container := strings.Repeat("ab", 32)
	unit, user := oomdoc.Process{Unit: "llm.service"}, oomdoc.Process{UserUnit: "llm.service"}
	box, pod := oomdoc.Process{Container: container}, oomdoc.Process{Container: container, Pod: "0f5a3c1e-1111-2222-3333-444455556666"}
	carried := oomdoc.Process{Container: container, Unit: "docker.service"}

	flag := llamaKV(llamaFree, "65536", "24000.00", "25165824000")
	variable := torch("4.00 GiB", "23.60 GiB", "1.00 GiB", "22.50 GiB", "15.00 GiB", "7.00 GiB")
	shm := "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\n"
	ram := "Error: model requires more system memory (45.2 GiB) than is available (28.1 GiB)\n"
	others := "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.60 GiB of which 1.00 GiB is free. Process 4100 has 18.50 GiB memory in use. Including non-PyTorch memory, this process has 4.10 GiB memory in use. Of the allocated memory 3.50 GiB is allocated by PyTorch, and 20.00 MiB is reserved by PyTorch but unallocated.\n"
	ollama := `llama runner process has terminated: cudaMalloc failed: out of memory` + "\n" + flag

	for name, c := range map[string]struct {
		where oomdoc.Process
		log   string
		says  []string
		never []string
	}{
		"a flag of a unit":        {unit, flag, []string{"ExecStart=", "sudo systemctl edit --full llm.service", "sudo systemctl restart llm.service"}, nil},
		"a flag of a user's unit": {user, flag, []string{"ExecStart=", "systemctl --user edit --full llm.service", "systemctl --user restart llm.service"}, []string{"sudo systemctl"}},
		"a flag of a container":   {box, flag, []string{"command:"}, []string{"systemctl"}},
		"a flag of a pod":         {pod, flag, []string{"args"}, []string{"compose", "systemctl"}},
		"a flag of a terminal":    {oomdoc.Process{}, flag, []string{"-c "}, []string{"systemctl", "compose", "Kubernetes"}},

		"a variable of a unit":                        {unit, variable, []string{`Environment="PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"`, "sudo systemctl edit llm.service", "sudo systemctl restart llm.service"}, []string{"export"}},
		"a variable of a user's unit":                 {user, variable, []string{`Environment="PYTORCH_CUDA_ALLOC_CONF`, "systemctl --user restart llm.service"}, []string{"export", "sudo"}},
		"a variable of a container":                   {box, variable, []string{"-e PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", "environment:"}, []string{"export", "systemctl"}},
		"a variable of a pod":                         {pod, variable, []string{"name PYTORCH_CUDA_ALLOC_CONF, value expandable_segments:True"}, []string{"export", "-e PYTORCH"}},
		"a container's log in the journal is no unit": {carried, variable, []string{"-e PYTORCH_CUDA_ALLOC_CONF"}, []string{"docker.service"}},
		"ollama as it is installed":                   {oomdoc.Process{}, ollama, []string{"OLLAMA_CONTEXT_LENGTH=", "sudo systemctl edit ollama.service"}, nil},
		"ollama in a container":                       {box, ollama, []string{"-e OLLAMA_CONTEXT_LENGTH="}, []string{"systemctl"}},

		"shared memory of a container":  {box, shm, []string{"--shm-size=8g", "shm_size: 8g"}, []string{"Kubernetes", "sudo mount"}},
		"shared memory of a pod":        {pod, shm, []string{"emptyDir: {medium: Memory, sizeLimit: 8Gi}"}, []string{"--shm-size"}},
		"shared memory of who knows":    {oomdoc.Process{}, shm, []string{"--shm-size=8g", "emptyDir", "sudo mount -o remount"}, nil},
		"RAM of a container":            {box, ram, []string{"--memory", "resources.limits.memory"}, []string{"swapon"}},
		"RAM of a machine":              {oomdoc.Process{}, ram, []string{"swapon"}, []string{"resources.limits"}},
		"a holder, seen by a container": {box, others, []string{"Process 4100 held 18.5 GiB", "on the host"}, []string{"sudo kill"}},
		"a holder, seen by the machine": {oomdoc.Process{}, others, []string{"sudo kill 4100"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inc := prescribedFor(t, c.where, c.log)
			text := steps(inc)
			for _, says := range c.says {
				if !strings.Contains(text, says) {
					t.Errorf("no %q in\n%s", says, text)
				}
			}
			for _, never := range c.never {
				if strings.Contains(text, never) {
					t.Errorf("%q in\n%s", never, text)
				}
			}
		})
	}
}
