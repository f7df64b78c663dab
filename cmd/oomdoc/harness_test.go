package main_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
)

// The binaries that the tests run, built once.
type binaries struct{ oomdoc, hog string }

var built binaries // set by TestMain before any test runs

const buildTags = "sqlite_omit_load_extension,osusergo,netgo"

func TestMain(m *testing.M) {
	os.Setenv("LC_ALL", "C.UTF-8") // what is said is English, unless a test asks for another language
	folder, err := os.MkdirTemp("", "oomdoc-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built = binaries{filepath.Join(folder, "oomdoc"), filepath.Join(folder, "hog")}
	for _, command := range [][]string{
		{"go", "build", "-tags", buildTags, "-o", built.oomdoc, "."},
		{"gcc", "-O1", "-o", built.hog, "../../testdata/hog/hog.c"},
	} {
		if output, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n%s", strings.Join(command, " "), err, output)
			os.Exit(1)
		}
	}
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// A machine is a daemon under test: its database, its run directory, its
// reader.
type machine struct {
	t        *testing.T
	folder   string
	database string
	reader   string
	command  *exec.Cmd
	output   *lockedBuffer
	service  bool     // started as systemd does
	settings []string // of the configuration, as variables
}

// A lockedBuffer is written by a process and read by the test meanwhile.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func newMachine(t *testing.T, reader string) *machine {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("this test makes memory cgroups and reads /dev/kmsg: run it as root")
	}
	lockKmsg(t)
	folder := t.TempDir()
	m := &machine{t: t, folder: folder, database: filepath.Join(folder, "oomdoc.db"), reader: reader}
	t.Cleanup(m.stop)
	return m
}

// lockKmsg keeps the tests that fill the kernel's ring apart from those that
// need it: packages are tested at the same time, and there is one ring.
func lockKmsg(t *testing.T) {
	t.Helper()
	file, err := os.Open("/dev/kmsg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) environ() []string {
	return append(append(os.Environ(), "OOMDOC_RUN_DIR="+m.folder, "OOMDOC_KMSG_READER="+m.reader,
		"OOMDOC_STORE_PATH="+m.database, "TZ=UTC", "COLUMNS=80", "NO_COLOR=1", "LC_ALL=C.UTF-8"), m.settings...)
}

// start runs the daemon and waits until it watches.
func (m *machine) start() {
	m.t.Helper()
	m.launch()
	pid := m.command.Process.Pid
	m.waitFor("the daemon to watch", func() bool {
		running, ok := daemon.FindRunning(m.folder)
		return ok && running.PID == pid && m.state().PID == pid
	})
}

// launch runs the daemon and does not wait.
func (m *machine) launch() {
	m.t.Helper()
	m.output = &lockedBuffer{}
	m.command = exec.Command(built.oomdoc, "daemon")
	m.command.Env = m.environ()
	if m.service {
		m.command.Env = append(m.command.Env, "INVOCATION_ID=00", "NOTIFY_SOCKET="+filepath.Join(m.folder, "nobody-listens"))
	}
	m.command.Stdout, m.command.Stderr = m.output, m.output
	if err := m.command.Start(); err != nil {
		m.t.Fatal(err)
	}
}

// kill9 ends the daemon as the kernel would.
func (m *machine) kill9() {
	m.t.Helper()
	if err := m.command.Process.Kill(); err != nil {
		m.t.Fatal(err)
	}
	m.command.Wait()
	m.command = nil
}

// stop ends the daemon as systemd would, and checks that it obeys.
func (m *machine) stop() {
	if m.command == nil {
		return
	}
	m.command.Process.Signal(syscall.SIGCONT)
	m.command.Process.Signal(syscall.SIGTERM)
	done := make(chan error, 1)
	go func() { done <- m.command.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			m.t.Errorf("daemon: %v\n%s", err, m.output)
		}
	case <-time.After(20 * time.Second):
		m.command.Process.Kill()
		m.t.Errorf("the daemon did not stop on SIGTERM\n%s", m.output)
	}
	m.command = nil
	if m.t.Failed() {
		m.t.Logf("daemon said:\n%s", m.output)
	}
}

func (m *machine) waitFor(what string, ready func() bool) {
	m.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !ready() {
		if time.Now().After(deadline) {
			m.t.Fatalf("waited in vain for %s\n%s", what, m.output)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// run runs a subcommand and gives its output and exit status.
func (m *machine) run(args ...string) (stdout, stderr string, status int) {
	m.t.Helper()
	return runCommand(m.t, m.environ(), nil, args...)
}

func runCommand(t *testing.T, environ []string, stdin io.Reader, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, complaints bytes.Buffer
	command := exec.Command(built.oomdoc, args...)
	command.Env, command.Stdin, command.Stdout, command.Stderr = environ, stdin, &out, &complaints
	err := command.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), complaints.String(), exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), complaints.String(), 0
}

// incidents lists what is stored, oldest first.
func (m *machine) incidents(args ...string) []oomdoc.Incident {
	m.t.Helper()
	stdout, stderr, status := m.run(append([]string{"list", "-n", "100000", "-o", "json"}, args...)...)
	if status != 0 && status != 3 {
		m.t.Fatalf("list: status %d: %s", status, stderr)
	}
	var document oomdoc.Document
	if err := json.Unmarshal([]byte(stdout), &document); err != nil {
		m.t.Fatalf("list: %v\n%s", err, stdout)
	}
	if document.Schema != oomdoc.Schema {
		m.t.Fatalf("schema=%q, want %q", document.Schema, oomdoc.Schema)
	}
	for i, j := 0, len(document.Incidents)-1; i < j; i, j = i+1, j-1 {
		document.Incidents[i], document.Incidents[j] = document.Incidents[j], document.Incidents[i]
	}
	return document.Incidents
}

// of keeps the incidents of one cgroup.
func of(incidents []oomdoc.Incident, box *box) []oomdoc.Incident {
	var own []oomdoc.Incident
	for _, incident := range incidents {
		if incident.Kernel != nil && incident.Kernel.OOMCgroup == box.path {
			own = append(own, incident)
		}
	}
	return own
}

// state is what the daemon says of itself.
func (m *machine) state() daemon.State {
	stdout, _, _ := m.run("status", "-o", "json")
	var status struct{ Daemon daemon.State }
	if json.Unmarshal([]byte(stdout), &status) != nil {
		return daemon.State{}
	}
	return status.Daemon
}

// A box is a memory cgroup with a small limit.
type box struct {
	t      *testing.T
	folder string
	path   string // as the kernel names it
	limit  int64
	v2     bool
}

var boxes int // numbers the boxes of this process; tests here do not run in parallel

func newBox(t *testing.T, limit int64) *box {
	t.Helper()
	boxes++
	return newBoxNamed(t, fmt.Sprintf("oomdoc-test-%d-%d", os.Getpid(), boxes), limit)
}

func newBoxNamed(t *testing.T, name string, limit int64) *box {
	t.Helper()
	b := &box{t: t, path: "/" + name, limit: limit, folder: filepath.Join("/sys/fs/cgroup/memory", name)}
	limitFile := "memory.limit_in_bytes"
	if _, err := os.Stat("/sys/fs/cgroup/memory"); err != nil {
		b.v2, b.folder, limitFile = true, filepath.Join("/sys/fs/cgroup", name), "memory.max"
	}
	if err := os.Mkdir(b.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.remove)
	if err := os.WriteFile(filepath.Join(b.folder, limitFile), []byte(strconv.FormatInt(limit, 10)), 0); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *box) remove() {
	for range 100 {
		if err := os.Remove(b.folder); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.t.Errorf("cannot remove %s", b.folder)
}

// reports are the times of the kills whose report was waited for.
var reports []time.Time

// The kernel prints at most 10 reports per 5 s (mm/oom_kill.c, oom_rs); beyond
// it only the kill line.
const (
	reportsPerWindow = 8
	reportWindow     = 6 * time.Second
)

// reported is hog for a test that needs the whole report: it waits until the
// kernel will print one.
func (b *box) reported(comm string) int {
	b.t.Helper()
	waitForReport()
	return b.hog(comm)
}

// waitForReport waits until the kernel will print the report of one more kill.
func waitForReport() {
	if n := len(reports) - reportsPerWindow; n >= 0 {
		time.Sleep(time.Until(reports[n].Add(reportWindow)))
	}
}

// hog lets one process of that name be killed in the box and gives its pid.
func (b *box) hog(comm string) int {
	b.t.Helper()
	reports = append(reports, time.Now())
	command := exec.Command(built.hog, strconv.FormatInt(4*b.limit, 10), hex.EncodeToString([]byte(comm)))
	gate, err := command.StdinPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.t.Fatal(err)
	}
	pid := command.Process.Pid
	if err := os.WriteFile(filepath.Join(b.folder, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0); err != nil {
		command.Process.Kill()
		command.Wait()
		b.t.Fatal(err)
	}
	if _, err := gate.Write([]byte("x")); err != nil {
		b.t.Fatal(err)
	}
	exit, ok := errors.AsType[*exec.ExitError](command.Wait())
	if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		b.t.Fatalf("the kernel did not kill the hog: %v", exit)
	}
	return pid
}

// kernelKills is the cgroup's own count of kills.
func (b *box) kernelKills() int {
	b.t.Helper()
	file := "memory.oom_control"
	if b.v2 {
		file = "memory.events"
	}
	data, err := os.ReadFile(filepath.Join(b.folder, file))
	if err != nil {
		b.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if number, found := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); found {
			n, err := strconv.Atoi(number)
			if err != nil {
				b.t.Fatal(err)
			}
			return n
		}
	}
	b.t.Fatalf("%s has no oom_kill", file)
	return 0
}

// writeKmsg writes one line as user space; a new descriptor for each escapes
// the rate limit of 10 lines per 5 s (kernel/printk/printk.c, devkmsg_write).
func writeKmsg(t *testing.T, line string) {
	t.Helper()
	file, err := os.OpenFile("/dev/kmsg", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(line); err != nil {
		t.Fatal(err)
	}
}
