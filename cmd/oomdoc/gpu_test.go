package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
)

// standIn builds NVIDIA's library as the tests have it, which plays a script.
func standIn(t *testing.T, script string) (library string) {
	t.Helper()
	folder := t.TempDir()
	library = filepath.Join(folder, "libnvidia-ml.so.1")
	headers, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/NVIDIA/go-nvml").Output()
	if err != nil {
		t.Fatalf("find nvml.h: %v", err)
	}
	output, err := exec.Command("gcc", "-O1", "-fPIC", "-shared", "-Wl,-soname,libnvidia-ml.so.1",
		"-I"+strings.TrimSpace(string(headers))+"/pkg/nvml", "../../testdata/fakenvml/fakenvml.c", "-o", library, "-lpthread", "-ldl").CombinedOutput()
	if err != nil {
		t.Fatalf("build stand-in: %v\n%s", err, output)
	}
	if err := os.WriteFile(filepath.Join(folder, "script"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	return library
}

// sleeper is a process that does nothing, for a GPU to be held by. It is nobody's
// child.
func sleeper(t *testing.T) int {
	t.Helper()
	output, err := exec.Command("sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $!").Output()
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(output)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	return pid
}

// A llama-server loads a model with too large a context while another process
// holds 6 GiB of the card: the log names the size, the samples name the rest.
func TestARefusalIsJoinedToWhatWasSampledOfItsGPU(t *testing.T) {
	if !inPrivateJournal(t, "64M") {
		return
	}
	holder, self := sleeper(t), os.Getpid()
	library := standIn(t, fmt.Sprintf(`
gpu 0 name="NVIDIA GeForce RTX 4090" uuid=GPU-0a bdf=00000000:01:00.0 total=24564 reserved=0
gpu 1 name="NVIDIA GeForce RTX 3060" uuid=GPU-1b bdf=00000000:02:00.0 total=12288 reserved=0
mem 0 0 used=17700
mem 0 1 used=300
proc 0 pid=%d used=6144 from=0 to=-1 type=C
proc 0 pid=%d used=11541 from=0 to=-1 type=C
`, holder, self))
	t.Setenv("OOMDOC_GPU_LIBRARY", library)
	m := newMachine(t, "own")
	m.start()
	m.waitForJournal()
	m.waitFor("the GPUs to be sampled", func() bool {
		devices := m.state().GPU.Devices
		return len(devices) == 2 && time.Since(devices[0].Last) < 2*time.Second && !devices[1].Last.IsZero()
	})
	time.Sleep(3 * time.Second) // a course of samples

	for _, line := range []string{
		"load_tensors: offloaded 49/49 layers to GPU",
		"load_tensors:        CUDA0 model buffer size = 11541.20 MiB",
		"llama_context: n_ctx         = 262144",
		"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 13312.00 MiB on device 0: cudaMalloc failed: out of memory",
		"alloc_tensor_range: failed to allocate CUDA0 buffer of size 13958643712",
		"llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache",
	} {
		log(t, line, nil)
	}
	var found []oomdoc.Incident
	m.waitFor("the incident with all that belongs to it", func() bool {
		found = slices.DeleteFunc(m.incidents(), func(inc oomdoc.Incident) bool { return inc.Source != oomdoc.SourceJournal })
		return len(found) == 1 && found[0].Memory != nil && found[0].Memory.RequestedBytes != nil
	})
	inc := found[0]
	if inc.Class != oomdoc.ClassVRAM || inc.Cause != oomdoc.CauseKVCache {
		t.Errorf("%s, %s, want vram, kv-cache", inc.Class, inc.Cause)
	}
	if g := inc.GPU; g == nil || g.UUID != "GPU-0a" || g.Name != "NVIDIA GeForce RTX 4090" || g.Index == nil || *g.Index != 0 || g.TotalBytes == nil || *g.TotalBytes != 24564<<20 {
		t.Errorf("GPU %+v", inc.GPU)
	}
	if len(inc.Holders) != 1 || inc.Holders[0].PID != holder || inc.Holders[0].Bytes != 6144<<20 || !strings.Contains(inc.Holders[0].Name, "sleep") {
		t.Errorf("holders %+v, want the one that held 6 GiB", inc.Holders)
	}
	if free := inc.Memory.FreeBytes; free == nil || *free != (24564-17700)<<20 {
		t.Errorf("free %v, want what was sampled", free)
	}
	checkCourse(t, &inc, 11541<<20)
	text, _, status := runCommand(t, m.environ(), nil, "show", inc.ID)
	if status != 0 || !strings.Contains(text, "█") && !strings.Contains(text, "▆") || !strings.Contains(text, "6.0 GiB") {
		t.Errorf("show has no picture or no holder:\n%s", text)
	}
	t.Logf("%s", text)
}

// checkCourse holds the samples of the minutes before: in order, none of them
// after the failure, and the last at most a second old.
func checkCourse(t *testing.T, inc *oomdoc.Incident, own int64) {
	t.Helper()
	if len(inc.Samples) < 3 {
		t.Fatalf("samples %+v", inc.Samples)
	}
	for i := 1; i < len(inc.Samples); i++ {
		if inc.Samples[i].Time.Before(inc.Samples[i-1].Time) {
			t.Errorf("sample %d is out of order", i)
		}
	}
	last := inc.Samples[len(inc.Samples)-1]
	if age := inc.Time.Sub(last.Time); age < 0 || age > 1200*time.Millisecond {
		t.Errorf("the last sample is %v old", age)
	}
	if last.GPUUsedBytes == nil || last.ProcessGPUBytes == nil || *last.ProcessGPUBytes != own {
		t.Errorf("the last sample is %+v", last)
	}
}
