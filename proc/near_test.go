package proc_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

// newFile makes a file with a hole of that size.
func newFile(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func TestALargeProcessIsKnownInside(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "llama-server", pages: 1000, start: 100, uid: 5, parent: 3, exe: "/opt/llama-server (deleted)", dir: "/srv",
		cmdline: "llama-server\x00-m\x00/m/x.gguf\x00", swap: 2048,
		environ: "HF_TOKEN=secret\x00LLAMA_ARG_CTX_SIZE=8192\x00PATH=/bin\x00LLAMA_ARG_API_TOKEN=x\x00OMP_NUM_THREADS=4\x00CUDA_VISIBLE_DEVICES=\x00",
		maps:    mapping(0x7f0000000000, gib, 0, "r--s", "/m/x.gguf")})
	table, c := newTable(t, tr, 64)
	refresh(t, table)
	want := oomdoc.ProcessFacts{
		PID: 7, Parent: 3, Comm: "llama-server", Exe: "/opt/llama-server", Dir: "/srv", Cmdline: []string{"llama-server", "-m", "/m/x.gguf"},
		Env: []string{"LLAMA_ARG_CTX_SIZE=8192", "OMP_NUM_THREADS=4", "CUDA_VISIBLE_DEVICES="}, UID: 5, Engine: "llama.cpp",
		Models:   []oomdoc.ModelFile{{Path: "/m/x.gguf", Name: "x.gguf", Bytes: gib, Open: true}},
		RSSBytes: 1000 * int64(os.Getpagesize()), SwapBytes: new(int64(2 << 20)), StartTime: boot.Add(time.Second), Sampled: c.now,
		Trend: []oomdoc.MemoryPoint{{Time: c.now, RSSBytes: 1000 * int64(os.Getpagesize())}},
	}
	if got, _ := table.Lookup(7, ""); !cmp.Equal(want, got) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

func TestOnlyTheLargestTheWatchedAndTheirParentsAreKnownInside(t *testing.T) {
	tr := newTree(t)
	for i := range 40 {
		tr.add(fake{pid: 100 + i, comm: "p", pages: int64(1000 + i), exe: "/bin/p", parent: 1})
	}
	tr.add(fake{pid: 10, comm: "server", pages: 3, exe: "/bin/server", parent: 9})
	tr.add(fake{pid: 9, comm: "shell", pages: 2, exe: "/bin/shell", parent: 1})
	tr.add(fake{pid: 11, comm: "worker", pages: 5, exe: "/bin/worker", parent: 10})
	tr.add(fake{pid: 12, comm: "other", pages: 5, exe: "/bin/other", parent: 1})
	table, _ := newTable(t, tr, 256)
	table.Watch([]int{11, 999999})
	refresh(t, table)
	for pid, want := range map[int]bool{139: true, 120: true, 119: false, 11: true, 10: true, 9: true, 12: false} {
		if got, found := table.Lookup(pid, ""); !found || (got.Exe != "") != want {
			t.Errorf("of process %d the program is %q (found %v), want it known: %v", pid, got.Exe, found, want)
		}
	}
	if !table.IsWatched(11) || table.IsWatched(10) {
		t.Error("the wrong processes are watched")
	}
}

func TestALoopOfParentsEnds(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 10, comm: "a", pages: 3, parent: 11})
	tr.add(fake{pid: 11, comm: "b", pages: 3, parent: 10})
	tr.add(fake{pid: 12, comm: "c", pages: 3, parent: 12})
	table, _ := newTable(t, tr, 16)
	refresh(t, table)
	if got := table.Len(); got != 3 {
		t.Errorf("Len() = %d, want 3", got)
	}
}

func TestAModelThatWasClosedAfterLoadingStaysKnown(t *testing.T) {
	tr := newTree(t)
	p := fake{pid: 7, comm: "python3", pages: 1000, start: 100, exe: "/bin/python3",
		maps: mapping(0x7f0000000000, gib, 0, "r--p", "/hub/models--org--name/blobs/"+digest)}
	tr.add(p)
	table, c := newTable(t, tr, 64)
	refresh(t, table)
	p.maps, p.pages = mapping(0x1000, 4096, 0, "r-xp", "/lib/libtorch_cpu.so"), 5000
	tr.add(p)
	c.now = c.now.Add(time.Minute)
	refresh(t, table)
	got, _ := table.Lookup(7, "")
	want := []oomdoc.ModelFile{{Path: "/hub/models--org--name/blobs/" + digest, Name: "org/name", Bytes: gib}}
	if !cmp.Equal(want, got.Models) || got.Engine != "pytorch" {
		t.Errorf("models %+v of %s, want %+v of pytorch", got.Models, got.Engine, want)
	}
	// Another program in the same process has none of that.
	p.comm, p.exe, p.maps, p.pages = "sh", "/bin/sh", "", 10
	tr.add(p)
	refresh(t, table)
	if got, _ := table.Lookup(7, "sh"); len(got.Models) != 0 || got.Engine != "" {
		t.Errorf("after exec of a shell: models %+v of %q", got.Models, got.Engine)
	}
}

// A process that is old and does not grow is not read again; one that climbs is.
func TestAnOldProcessIsReadAgainOnlyWhileItClimbs(t *testing.T) {
	tr := newTree(t)
	p := fake{pid: 7, comm: "x", pages: 100_000, start: 100, exe: "/bin/x"}
	tr.add(p)
	table, c := newTable(t, tr, 64)
	refresh(t, table)
	step := func(pages int64, maps string) []oomdoc.ModelFile {
		p.pages, p.maps = pages, maps
		tr.add(p)
		c.now = c.now.Add(10 * time.Second)
		refresh(t, table)
		got, _ := table.Lookup(7, "")
		return got.Models
	}
	if got := step(100_500, mapping(1, gib, 0, "r--s", "/m/a.gguf")); len(got) != 0 {
		t.Errorf("read again without growth: %+v", got)
	}
	if got := step(103_000, mapping(1, gib, 0, "r--s", "/m/a.gguf")); len(got) != 1 {
		t.Errorf("not read again after growth: %+v", got)
	}
}

func TestTheTrendReachesBackAndStaysSmall(t *testing.T) {
	tr := newTree(t)
	table, c := newTable(t, tr, 64)
	begin := c.now
	const rounds = 1000
	for i := range rounds {
		tr.write("7/statm", fmt.Sprintf("9 %d 1 1 0 1 0\n", 1000+i*10))
		if i == 0 {
			tr.add(fake{pid: 7, comm: "x", pages: 1000, start: 100})
		}
		refresh(t, table)
		c.now = c.now.Add(10 * time.Second)
	}
	got, _ := table.Lookup(7, "")
	if n := len(got.Trend); n < 24 || n > 48 {
		t.Fatalf("%d points are kept", n)
	}
	first, last := got.Trend[0], got.Trend[len(got.Trend)-1]
	if !first.Time.Equal(begin) || last.RSSBytes != (1000+(rounds-1)*10)*int64(os.Getpagesize()) {
		t.Errorf("the trend goes from %v to %v", first, last)
	}
	if !slices.IsSortedFunc(got.Trend, func(a, b oomdoc.MemoryPoint) int { return a.Time.Compare(b.Time) }) {
		t.Error("the points are not in order")
	}
	gap := func(i int) time.Duration { return got.Trend[i+1].Time.Sub(got.Trend[i].Time) }
	if newest, oldest := gap(len(got.Trend)-2), gap(0); newest != 10*time.Second || oldest < 5*newest {
		t.Errorf("the newest points are %v apart, the oldest %v", newest, oldest)
	}
}

func TestAFlatTrendIsTwoPoints(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "x", pages: 1000, start: 100})
	table, c := newTable(t, tr, 64)
	for range 50 {
		refresh(t, table)
		c.now = c.now.Add(10 * time.Second)
	}
	got, _ := table.Lookup(7, "")
	if len(got.Trend) != 2 || got.Trend[1].Time.Sub(got.Trend[0].Time) != 490*time.Second {
		t.Errorf("the trend is %v", got.Trend)
	}
}

func TestAContainersProcessIsFoundByTheNumberThatItHasInThere(t *testing.T) {
	tr := newTree(t)
	const box = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d"
	tr.add(fake{pid: 5001, comm: "VLLM::EngineCor", pages: 900, inner: 45, cgroup: "0::/system.slice/docker-" + box + ".scope\n"})
	tr.add(fake{pid: 5000, comm: "vllm", pages: 800, inner: 1, cgroup: "0::/system.slice/docker-" + box + ".scope\n"})
	tr.add(fake{pid: 6000, comm: "llama-server", pages: 700, inner: 1, cgroup: "0::/docker/" + strings.Repeat("a", 64) + "\n"})
	tr.add(fake{pid: 45, comm: "kworker", pages: 600})
	table, _ := newTable(t, tr, 64)
	refresh(t, table)
	tests := []struct {
		container string
		pid       int
		engine    string
		want      int
	}{
		{box, 45, "vllm", 5001}, {box[:12], 1, "", 5000}, {box, 46, "vllm", 0}, {box, 0, "vllm", 0}, {box, 46, "llama.cpp", 0},
		{strings.Repeat("a", 64), 0, "llama.cpp", 6000}, {strings.Repeat("a", 64), 77, "llama.cpp", 6000}, {"", 45, "vllm", 0}, {"8f", 45, "vllm", 0},
	}
	for _, tt := range tests {
		if got, _ := table.LookupContained(tt.container, tt.pid, tt.engine); got.PID != tt.want {
			t.Errorf("LookupContained(%.12s, %d, %q) = %d, want %d", tt.container, tt.pid, tt.engine, got.PID, tt.want)
		}
	}
}

func TestVariablesAreNamedForTheirReason(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range proc.Variables() {
		if v.Name == "" || v.Why == "" || v.Source == "" || seen[v.Name] {
			t.Errorf("variable %+v", v)
		}
		seen[v.Name] = true
	}
}

func TestAnEnvironmentIsBoundedAndKeepsNoSecret(t *testing.T) {
	hostile := "LLAMA_ARG_A=" + strings.Repeat("x", 5000) + "\x00GGML_\xff=\x1b[31m\x00LLAMA_ARG_HF_TOKEN=hf_secret\x00SGLANG_API_KEY=secret\x00" +
		"OLLAMA_MODELS=https://me:secret@host/x\x00XLA_FLAGS=\x00NOTHING\x00=\x00" + strings.Repeat("GGML_X=1234567890\x00", 500)
	got := proc.Environment([]byte(hostile))
	text := strings.Join(got, "\n")
	if strings.Contains(text, "secret") || len(text) > 2<<10 || strings.ToValidUTF8(text, "") != text {
		t.Errorf("kept is %q", text)
	}
	if !slices.Contains(got, "GGML_X=1234567890") {
		t.Errorf("of a long environment %q is kept", got)
	}
}

// This machine's own kernel: a process that maps a model and has another open.
func TestARealProcessIsKnownInside(t *testing.T) {
	folder := t.TempDir()
	newFile(t, folder+"/mapped.gguf", 3<<20)
	newFile(t, folder+"/read.gguf", 2<<20)
	script := "import mmap,os,sys\na=open('mapped.gguf','rb')\nm=mmap.mmap(a.fileno(),0,prot=mmap.PROT_READ)\na.close()\nb=open('read.gguf','rb')\nprint('ready',flush=True)\nsys.stdin.read()\n"
	command := exec.Command("python3", "-c", script, "--ctx-size", "8192")
	command.Dir = folder
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "OMP_NUM_THREADS=3", "MY_SECRET=x"}
	gate, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { gate.Close(); command.Wait() }()
	if _, err := out.Read(make([]byte, 6)); err != nil {
		t.Fatal(err)
	}
	table := proc.NewTable(proc.TableOptions{})
	defer table.Close()
	table.Watch([]int{command.Process.Pid})
	refresh(t, table)
	got, found := table.Lookup(command.Process.Pid, "")
	want := []oomdoc.ModelFile{
		{Path: folder + "/mapped.gguf", Name: "mapped.gguf", Bytes: 3 << 20, Open: true},
		{Path: folder + "/read.gguf", Name: "read.gguf", Bytes: 2 << 20, Open: true},
	}
	if !found || !cmp.Equal(want, got.Models) || got.Dir != folder || !strings.Contains(got.Exe, "python3") || got.Engine != "python" ||
		!cmp.Equal([]string{"OMP_NUM_THREADS=3"}, got.Env) || got.Parent != os.Getpid() || got.SwapBytes == nil {
		t.Errorf("it is known as %+v, want the models %+v", got, want)
	}
	if _, known := table.Lookup(os.Getpid(), ""); !known {
		t.Error("the process that started it is not known")
	}
}
