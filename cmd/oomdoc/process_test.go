package main_test

import (
	"bufio"
	"encoding/hex"
	"errors"
	"io"
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

// A loader is a process that has a model mapped and is to be killed in a box.
type loader struct {
	pid     int
	command *exec.Cmd
	gate    io.Writer
}

// load starts one in the box, and waits until it holds so much.
func (b *box) load(comm string, held int64, model string, environ []string, options ...string) *loader {
	b.t.Helper()
	args := append([]string{strconv.FormatInt(4*b.limit, 10), hex.EncodeToString([]byte(comm)), strconv.FormatInt(held, 10), model}, options...)
	command := exec.Command(built.hog, args...)
	command.Env = append(os.Environ(), environ...)
	gate, err := command.StdinPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.t.Fatal(err)
	}
	l := &loader{command.Process.Pid, command, gate}
	b.t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	if err := os.WriteFile(filepath.Join(b.folder, "cgroup.procs"), []byte(strconv.Itoa(l.pid)), 0); err != nil {
		b.t.Fatal(err)
	}
	if _, err := gate.Write([]byte("x")); err != nil {
		b.t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		b.t.Fatalf("the loader says %q: %v", line, err)
	}
	return l
}

// die lets it take more than the box has.
func (l *loader) die(t *testing.T) {
	t.Helper()
	reports = append(reports, time.Now())
	if _, err := l.gate.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	exit, ok := errors.AsType[*exec.ExitError](l.command.Wait())
	if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the kernel did not kill the loader: %v", exit)
	}
}

// A model load that the kernel kills: what it was is known from while it lived.
func TestAKilledModelLoadIsToldWithItsModelAndSettings(t *testing.T) {
	m := newMachine(t, "own")
	m.start()
	m.waitFor("the first round", func() bool { return !m.state().ProcessesSeen.IsZero() })
	model := filepath.Join(m.folder, "Llama-3-8B.Q4_K_M.gguf")
	if err := os.WriteFile(model, make([]byte, 4<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	const limit = 256 << 20
	box := newBox(t, limit)
	waitForReport()
	l := box.load("llama-server", limit-limit/8, model, []string{"LLAMA_ARG_CACHE_RAM=4096", "MY_API_KEY=secret"},
		"--no-mmap", "-c", "131072", "-m", model, "--api-key", "secret")
	held := time.Now()
	m.waitFor("it to be seen", func() bool { return m.state().ProcessesSeen.After(held) })
	l.die(t)
	m.waitFor("the incident", func() bool { return len(of(m.incidents(), box)) == 1 })

	got := of(m.incidents(), box)[0]
	p := got.Process
	if p == nil || p.PID != l.pid {
		t.Fatalf("process=%+v, want pid %d", p, l.pid)
	}
	if p.Model != "Llama-3-8B.Q4_K_M.gguf" || p.Engine != oomdoc.EngineLlamaCpp || !slices.Contains(p.Cmdline, "--no-mmap") || !slices.Contains(p.Cmdline, model) {
		t.Errorf("process=%+v, want its model, engine and command line", p)
	}
	if !slices.Equal(p.Environment, []string{"LLAMA_ARG_CACHE_RAM=4096"}) {
		t.Errorf("environment=%q, want the one variable that says something of memory", p.Environment)
	}
	if n := len(got.Samples); n > 0 && (got.Samples[n-1].RSSBytes == nil || *got.Samples[n-1].RSSBytes < limit/2) {
		t.Errorf("the last of %d samples is %+v", n, got.Samples[n-1])
	}
	text, _, _ := m.run("show", got.ID)
	for _, want := range []string{"Leave out --no-mmap", "131072 →", "LLAMA_ARG_CACHE_RAM=4096", "Llama-3-8B.Q4_K_M.gguf"} {
		if !strings.Contains(text, want) {
			t.Errorf("show does not tell %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "secret") {
		t.Errorf("show tells a secret:\n%s", text)
	}
}
