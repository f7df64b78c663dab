package main_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
)

// runPlace is where a command is run: a database, a home and a run folder of the
// test's own.
type runPlace struct {
	t      *testing.T
	folder string
}

func newRunPlace(t *testing.T) *runPlace { t.Helper(); return &runPlace{t, t.TempDir()} }

func (p *runPlace) environ() []string {
	return append(os.Environ(), "OOMDOC_RUN_DIR="+p.folder, "OOMDOC_STORE_PATH="+filepath.Join(p.folder, "oomdoc.db"),
		"HOME="+p.folder, "XDG_STATE_HOME="+filepath.Join(p.folder, "state"), "TZ=UTC", "COLUMNS=80", "NO_COLOR=1", "LC_ALL=C.UTF-8")
}

// run runs a command and gives what it died of, by --report.
func (p *runPlace) run(command ...string) (stdout, stderr string, status int, found []oomdoc.Incident) {
	p.t.Helper()
	report := filepath.Join(p.folder, "report.json")
	stdout, stderr, status = runCommand(p.t, p.environ(), strings.NewReader("typed\n"),
		append([]string{"run", "-o", "json", "--report", report, "--"}, command...)...)
	text, err := os.ReadFile(report)
	if err != nil {
		p.t.Fatal(err)
	}
	var document oomdoc.Document
	if status < 126 || status > 127 {
		if err := json.Unmarshal(text, &document); err != nil || document.Schema != oomdoc.Schema {
			p.t.Fatalf("report: %v\n%s", err, text)
		}
	}
	return stdout, stderr, status, document.Incidents
}

const cudaText = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 7.79 GiB of which 5.00 MiB is free. " +
	"Including non-PyTorch memory, this process has 7.77 GiB memory in use. Of the allocated memory 7.60 GiB is allocated by PyTorch, and 30.00 MiB is reserved by PyTorch but unallocated."

// What a command prints, reads and ends with is as without us, and nothing is
// said where nothing died of memory.
func TestRunChangesNothing(t *testing.T) {
	for _, row := range []struct {
		script         string
		stdout, stderr string
		status         int
	}{
		{"exit 0", "", "", 0},
		{"echo out; echo err >&2; exit 7", "out\n", "err\n", 7},
		{"cat", "typed\n", "", 0},
		{`printf '\r10%%\r20%%\000\377 no end'`, "\r10%\r20%\x00\xff no end", "", 0},
		{"kill -TERM $$", "", "", 143},
		{"kill -KILL $$", "", "", 137}, // nobody's memory ran out
		{"echo '[1.0] Out of memory: Killed process 1 (init) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB'; exit 137", "[1.0] Out of memory: Killed process 1 (init) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB\n", "", 137},
	} {
		t.Run(row.script, func(t *testing.T) {
			lockKmsg(t)
			place := newRunPlace(t)
			stdout, stderr, status, found := place.run("sh", "-c", row.script)
			if stdout != row.stdout || stderr != row.stderr || status != row.status || len(found) > 0 {
				t.Errorf("printed %q and %q, status %d, %d incidents\nwant %q and %q, status %d, none", stdout, stderr, status, len(found), row.stdout, row.stderr, row.status)
			}
		})
	}
	place := newRunPlace(t)
	if _, stderr, status, _ := place.run("no-such-command-here"); status != 127 || !strings.Contains(stderr, "not found") {
		t.Errorf("an absent command: status %d, %q", status, stderr)
	}
	if _, _, status, _ := place.run(place.folder); status != 126 {
		t.Errorf("a folder as a command: status %d, want 126", status)
	}
}

// What a command leaves behind keeps nobody waiting.
func TestRunEndsWithItsCommand(t *testing.T) {
	place := newRunPlace(t)
	began := time.Now()
	stdout, _, status, _ := place.run("sh", "-c", "sleep 100 & echo $!; exit 3")
	took := time.Since(began)
	pid, err := strconv.Atoi(strings.TrimSpace(stdout))
	if err != nil || syscall.Kill(pid, 0) != nil || status != 3 {
		t.Fatalf("status %d, %q: %v; the process that was left behind must live", status, stdout, err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	if took > 50*time.Second { // half of what it leaves behind takes
		t.Errorf("it took %s", took)
	}
}

// A lot of output arrives whole, however little of it can be looked at.
func TestRunPassesEveryByte(t *testing.T) {
	place := newRunPlace(t)
	script := "seq 3000000; " + "head -c 4000000 /dev/zero"
	want, err := exec.Command("sh", "-c", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	stdout, _, status, _ := place.run("sh", "-c", script)
	if status != 0 || sha256.Sum256([]byte(stdout)) != sha256.Sum256(want) {
		t.Errorf("status %d, %d bytes arrived of %d, or others", status, len(stdout), len(want))
	}
}

func TestRunExplainsWhatTheProgramSaid(t *testing.T) {
	lockKmsg(t)
	place := newRunPlace(t)
	_, stderr, status, found := place.run("sh", "-c", "echo '"+cudaText+"' >&2; exit 1")
	if status != 1 || len(found) != 1 || found[0].Class != oomdoc.ClassVRAM || found[0].Source != oomdoc.SourceRun || found[0].Time.IsZero() {
		t.Fatalf("status %d, found %+v", status, found)
	}
	if !strings.Contains(stderr, "Stored in ") {
		t.Errorf("it does not say where the incident is: %q", stderr)
	}
	stdout, _, _ := runCommand(t, place.environ(), nil, "last", "-o", "json")
	if !strings.Contains(stdout, found[0].ID) {
		t.Errorf("last does not know %s: %s", found[0].ID, stdout)
	}
	// As text, on standard error, after what the program printed.
	_, stderr, status = runCommand(t, place.environ(), nil, "run", "sh", "-c", "echo '"+cudaText+"'; exit 1")
	if status != 1 || !strings.Contains(stderr, "PyTorch ran out of GPU memory") || !strings.Contains(stderr, "Evidence") {
		t.Errorf("status %d: %s", status, stderr)
	}
	// A command that coped with it did not die.
	_, stderr, status, found = place.run("sh", "-c", "echo '"+cudaText+"' >&2; exit 0")
	if status != 0 || len(found) != 0 || strings.Contains(stderr, "Evidence") {
		t.Errorf("a command that went on: status %d, found %+v", status, found)
	}
}

// The kernel's kill of a process of the command, with what its shell says of it,
// is one incident.
func TestRunExplainsAKernelKill(t *testing.T) {
	lockKmsg(t)
	for name, script := range map[string]string{
		"the command":      `echo $$ >%[1]s/cgroup.procs; exec %[2]s %[3]d 6162 <<E` + "\nx\nE\n",
		"a grandchild":     `(sleep 0.3; echo $BASHPID >%[1]s/cgroup.procs; exec %[2]s %[3]d 6162 <<E` + "\nx\nE\n)\n" + `exit $?`,
		"a shell tells it": `(echo $BASHPID >%[1]s/cgroup.procs; echo x | %[2]s %[3]d 6162); s=$?; exit $s`,
	} {
		t.Run(name, func(t *testing.T) {
			box := newBox(t, 16<<20)
			waitForReport()
			reports = append(reports, time.Now())
			place := newRunPlace(t)
			_, stderr, status, found := place.run("bash", "-c", fmt.Sprintf(script, box.folder, built.hog, 4*box.limit))
			if status != 137 || box.kernelKills() != 1 {
				t.Fatalf("status %d, %d kills: %s", status, box.kernelKills(), stderr)
			}
			if len(found) != 1 {
				t.Fatalf("%d incidents, want 1: %+v", len(found), found)
			}
			inc := found[0]
			if inc.Cause != oomdoc.CauseCgroupLimit || inc.Killer != oomdoc.KillerKernel || inc.Source != oomdoc.SourceRun ||
				inc.Process == nil || inc.Process.Name == nil || *inc.Process.Name != "ab" {
				t.Errorf("found %+v", inc)
			}
		})
	}
}

// A user who may not write the system's database has one of his own, and last
// says from where it tells.
func TestRunKeepsInTheUsersOwnDatabase(t *testing.T) {
	folder := shared(t)
	home := filepath.Join(folder, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(home, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	as := func(args ...string) (string, int) {
		command := exec.Command(filepath.Join(folder, "oomdoc"), args...)
		command.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME=", "OOMDOC_RUN_DIR="+folder+"/none", "OOMDOC_STORE_PATH="+folder+"/system/oomdoc.db", "LC_ALL=C.UTF-8")
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		command.Dir = "/"
		text, _ := command.CombinedOutput()
		return string(text), command.ProcessState.ExitCode()
	}
	own := home + "/.local/state/oomdoc/oomdoc.db"
	text, status := as("run", "--", "sh", "-c", "echo '"+cudaText+"' >&2; exit 1")
	if status != 1 || !strings.Contains(text, "Stored in "+own) {
		t.Fatalf("status %d: %s", status, text)
	}
	text, status = as("last")
	if status != 0 || !strings.Contains(text, "From your own database, "+own) || !strings.Contains(text, "PyTorch ran out") {
		t.Errorf("last: status %d: %s", status, text)
	}
}

// shared is a folder in which every user finds a copy of the binary.
func shared(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "oomdoc-run-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(built.oomdoc)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "oomdoc"), binary, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// A screen is a real terminal, which tmux keeps.
type screen struct {
	t      *testing.T
	socket string
}

func newScreen(t *testing.T, environ []string) *screen {
	t.Helper()
	s := &screen{t, filepath.Join(t.TempDir(), "tmux")}
	command := exec.Command("tmux", "-S", s.socket, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "bash --norc")
	command.Env = append(environ, "PS1=> ", "TERM=screen")
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, text)
	}
	shell := strings.TrimSpace(s.tmux("list-panes", "-F", "#{pane_pid}"))
	t.Cleanup(func() {
		exec.Command("tmux", "-S", s.socket, "kill-server").Run()
		// The shell may write for a moment yet, into folders that are removed next.
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if _, err := os.Stat("/proc/" + shell); err != nil {
				return
			}
		}
		t.Errorf("the shell in tmux, %s, did not end", shell)
	})
	s.keys("PS1='> '; clear")
	return s
}

func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	text, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %v: %v\n%s", args, err, text)
	}
	return string(text)
}

func (s *screen) keys(line string) { s.tmux("send-keys", line, "Enter") }

// await waits until the screen shows a text.
func (s *screen) await(text string) {
	s.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !strings.Contains(s.tmux("capture-pane", "-p", "-J"), text) {
		if time.Now().After(deadline) {
			s.t.Fatalf("the screen never showed %q:\n%s", text, s.tmux("capture-pane", "-p", "-J"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestRunKeepsTheTerminal(t *testing.T) {
	place := newRunPlace(t)
	s := newScreen(t, place.environ())
	script := write(t, place.folder, "script", `
[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo "all three are terminals of $(stty size)"
for i in 1 2 3 4; do printf '\rprogress %d/4' $i; sleep 0.05; done; echo
read -p 'name? ' name; echo "hello $name"
trap 'echo "now $(stty size)"' WINCH
trap 'echo interrupted; exit 9' INT
i=0; while [ $((i += 1)) -lt 1000 ]; do echo "tick $i" >ticks; sleep 0.05; done
`)
	s.keys("cd " + place.folder + "; stty -g >before; " + built.oomdoc + " run -- bash " + script)
	s.await("all three are terminals of 24 80")
	s.await("progress 4/4\nname?")
	s.keys("Ann")
	s.await("hello Ann")
	s.tmux("resize-window", "-x", "70", "-y", "20")
	s.await("now 20 70")

	s.tmux("send-keys", "C-z")
	s.await("Stopped")
	ticks := func() string { text, _ := os.ReadFile(filepath.Join(place.folder, "ticks")); return string(text) }
	at := ticks()
	s.keys("echo the shell is $((40 + 2))")
	s.await("the shell is 42")
	if ticks() != at {
		t.Error("the command went on while it was stopped")
	}
	s.keys("fg")
	for deadline := time.Now().Add(20 * time.Second); ticks() == at; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the command did not go on in the foreground")
		}
	}
	s.tmux("send-keys", "C-c")
	s.await("interrupted")
	s.keys("echo status $?; stty -g >after; cmp before after && echo the same, $((40 + 3)) times")
	s.await("status 9")
	s.await("the same, 43 times")
	if n := strings.Count(s.tmux("capture-pane", "-p", "-J"), "progress"); n != 1 {
		t.Errorf("the progress bar stands in %d lines, want 1", n)
	}
}

// A signal that is sent to us is the command's.
func TestRunPassesSignals(t *testing.T) {
	place := newRunPlace(t)
	ready := filepath.Join(place.folder, "ready")
	command := exec.Command(built.oomdoc, "run", "--", "bash", "-c", "trap 'exit 11' TERM; trap 'exit 12' USR1; trap 'exit 13' INT; touch "+ready+"; while :; do sleep 0.02; done")
	for i, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGINT} {
		os.Remove(ready)
		c := exec.Command(command.Path, command.Args[1:]...)
		c.Env = place.environ()
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if _, err := os.Stat(ready); err == nil {
				break
			}
		}
		c.Process.Signal(sig)
		c.Wait()
		if got := c.ProcessState.ExitCode(); got != 11+i {
			t.Errorf("%s: status %s, want %d", sig, strconv.Itoa(got), 11+i)
		}
	}
}
