package main_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// Users and groups of the test; none needs to exist.
const (
	serviceUser = 61001
	ann         = 61002
	bob         = 61003
	readers     = 61099 // the configured group
	admGroup    = 4     // adm of Debian (base-passwd)
)

// A service is the daemon and its helper as systemd runs them: the daemon under
// its own user with CAP_SYSLOG alone, the helper as root behind its socket.
type service struct {
	*machine
	helper   *exec.Cmd
	socket   string
	ann, bob string // the names of what dies, new in each run: the kernel's ring may have those of others
}

func newService(t *testing.T) *service {
	t.Helper()
	m := newMachine(t, "own")
	folder, err := os.MkdirTemp("", "oomdoc-users-") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(folder, 0o755))
	must(os.Chmod(filepath.Dir(built.oomdoc), 0o755))
	m.folder, m.database = filepath.Join(folder, "run"), filepath.Join(folder, "state", "oomdoc.db")
	for path, mode := range map[string]os.FileMode{m.folder: 0o755, filepath.Dir(m.database): 0o750} {
		must(os.Mkdir(path, mode))
		must(os.Chown(path, serviceUser, serviceUser))
	}
	s := &service{machine: m, socket: filepath.Join(folder, "helper.sock"),
		ann: fmt.Sprintf("ann-%d", os.Getpid()), bob: fmt.Sprintf("bob-%d", os.Getpid())}
	t.Cleanup(s.stopHelper)
	return s
}

func (s *service) environ() []string {
	return append(s.machine.environ(), "OOMDOC_HELPER_SOCKET="+s.socket, "OOMDOC_ACCESS_GROUP="+strconv.Itoa(readers),
		"OOMDOC_METRICS_TEXTFILE="+filepath.Join(s.folder, "oomdoc.prom"))
}

// start runs the daemon under its user, and gives it one capability.
func (s *service) start() {
	s.t.Helper()
	s.output = &lockedBuffer{}
	s.command = exec.Command(built.oomdoc, "daemon")
	s.command.Env = s.environ()
	s.command.Stdout, s.command.Stderr = s.output, s.output
	s.command.SysProcAttr = &syscall.SysProcAttr{
		Credential:  &syscall.Credential{Uid: serviceUser, Gid: serviceUser},
		AmbientCaps: []uintptr{unix.CAP_SYSLOG}, Pdeathsig: syscall.SIGKILL,
	}
	if err := s.command.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.waitFor("the daemon to watch", func() bool {
		stdout, _, status := s.as(ann, nil, "status", "-o", "json")
		return status == 0 && strings.Contains(stdout, `"running": true`)
	})
}

// startHelper does what oomdoc-helper.socket does.
func (s *service) startHelper() {
	s.t.Helper()
	listener, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: s.socket, Net: "unixpacket"})
	if err != nil {
		s.t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	defer listener.Close()
	file, err := listener.File()
	if err != nil {
		s.t.Fatal(err)
	}
	defer file.Close()
	if err := errors.Join(os.Chown(s.socket, serviceUser, serviceUser), os.Chmod(s.socket, 0o600)); err != nil {
		s.t.Fatal(err)
	}
	s.helper = exec.Command("/bin/sh", "-c", `LISTEN_PID=$$ exec "$0" helper`, built.oomdoc)
	s.helper.Env = append(os.Environ(), "LISTEN_FDS=1")
	s.helper.ExtraFiles = []*os.File{file}
	s.helper.Stderr = os.Stderr
	s.helper.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.helper.Start(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *service) stopHelper() {
	if s.helper == nil {
		return
	}
	s.helper.Process.Signal(syscall.SIGTERM)
	if err := s.helper.Wait(); err != nil {
		s.t.Errorf("helper: %v", err)
	}
	s.helper = nil
	os.Remove(s.socket)
}

// as runs a command as a user who is in those groups too. It is given only
// where the daemon runs, as an installed command is.
func (s *service) as(uid uint32, groups []uint32, args ...string) (stdout, stderr string, status int) {
	s.t.Helper()
	var out, complaints bytes.Buffer
	command := exec.Command(built.oomdoc, args...)
	command.Env = append(os.Environ(), "OOMDOC_RUN_DIR="+s.folder, "OOMDOC_STORE_PATH="+s.database, "TZ=UTC", "COLUMNS=80", "NO_COLOR=1", "LC_ALL=C.UTF-8")
	command.Dir = "/"
	command.Stdout, command.Stderr = &out, &complaints
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid, Groups: groups}}
	err := command.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), complaints.String(), exit.ExitCode()
	} else if err != nil {
		s.t.Fatal(err)
	}
	return out.String(), complaints.String(), 0
}

func (s *service) list(uid uint32, groups []uint32) map[string]oomdoc.Incident {
	s.t.Helper()
	stdout, stderr, status := s.as(uid, groups, "list", "-o", "json")
	var document oomdoc.Document
	if status != 0 || json.Unmarshal([]byte(stdout), &document) != nil {
		s.t.Fatalf("list of user %d: status %d\n%s%s", uid, status, stdout, stderr)
	}
	found := make(map[string]oomdoc.Incident)
	for _, incident := range document.Incidents {
		if incident.Process != nil && incident.Process.Name != nil {
			found[*incident.Process.Name] = incident
		}
	}
	return found
}

// killedAs lets the kernel kill a process of that user in the box.
func (s *service) killedAs(b *box, uid uint32, comm string) {
	s.t.Helper()
	waitForReport()
	reports = append(reports, time.Now())
	command := exec.Command(built.hog, strconv.FormatInt(4*b.limit, 10), hex.EncodeToString([]byte(comm)))
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	gate, err := command.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.folder, "cgroup.procs"), []byte(strconv.Itoa(command.Process.Pid)), 0); err != nil {
		command.Process.Kill()
		command.Wait()
		s.t.Fatal(err)
	}
	if _, err := gate.Write([]byte("x")); err != nil {
		s.t.Fatal(err)
	}
	exit, ok := errors.AsType[*exec.ExitError](command.Wait())
	if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		s.t.Fatalf("the kernel did not kill the hog: %v", exit)
	}
}

// The daemon without root watches; each user sees his own incidents whole, of
// others' what is nobody's secret, and who may read the journal sees all.
func TestEachUserSeesWhatIsHis(t *testing.T) {
	s := newService(t)
	s.startHelper()
	s.start()
	s.killedAs(newBox(t, 16<<20), ann, s.ann)
	s.killedAs(newBox(t, 16<<20), bob, s.bob)
	s.waitFor("both kills", func() bool {
		stdout, _, _ := s.as(0, nil, "list", "-o", "json")
		return strings.Contains(stdout, s.ann) && strings.Contains(stdout, s.bob)
	})
	whole := func(inc oomdoc.Incident) bool {
		return inc.Kernel != nil && inc.Kernel.OOMCgroup != "" && len(inc.Evidence) > 0 && inc.Evidence[0].Record != "" &&
			inc.Process.Cgroup != ""
	}
	for _, reader := range []struct {
		name     string
		uid      uint32
		groups   []uint32
		ann, bob bool // sees that one whole
	}{
		{"root", 0, nil, true, true},
		{"ann", ann, nil, true, false},
		{"bob", bob, nil, false, true},
		{"a stranger", nobody, nil, false, false},
		{"a member of adm", nobody, []uint32{admGroup}, true, true},
		{"a member of the configured group", nobody, []uint32{1, 2, readers}, true, true},
		{"the service's user", serviceUser, nil, true, true},
	} {
		seen := s.list(reader.uid, reader.groups)
		for name, want := range map[string]bool{s.ann: reader.ann, s.bob: reader.bob} {
			inc, is := seen[name]
			switch {
			case !is:
				t.Errorf("%s does not see %s at all", reader.name, name)
			case whole(inc) != want:
				t.Errorf("%s sees %s whole: %v, want %v", reader.name, name, !want, want)
			case inc.Summary.Text == "" || len(inc.Fixes) == 0 || inc.Cause != oomdoc.CauseCgroupLimit:
				t.Errorf("%s does not see the diagnosis of %s", reader.name, name)
			}
			data, err := json.Marshal(inc)
			if err != nil {
				t.Fatal(err)
			}
			if !want && strings.Contains(string(data), "oomdoc-test-") {
				t.Errorf("%s sees the cgroup of %s: %s", reader.name, name, data)
			}
		}
	}
	s.showAsAnn(s.list(0, nil))
	s.statusAsAnn()
	s.purgeAnn()

	s.stop()
	if _, stderr, status := s.as(ann, nil, "last"); status != int(oomdoc.CodeNotPermitted) || !strings.Contains(stderr, "Try: ") {
		t.Errorf("without a daemon last of ann ends with %d and says %q", status, stderr)
	}
	if _, stderr, status := s.as(0, nil, "list"); status != 0 {
		t.Errorf("without a daemon list of root ends with %d: %s", status, stderr)
	}
}

func (s *service) showAsAnn(all map[string]oomdoc.Incident) {
	s.t.Helper()
	const heading = "Log records"
	stdout, stderr, status := s.as(ann, nil, "show", all[s.ann].ID)
	if status != 0 || !strings.Contains(stdout, heading) || strings.Contains(stderr, "another user") {
		s.t.Errorf("show of ann's own: status %d\n%s%s", status, stdout, stderr)
	}
	stdout, stderr, status = s.as(ann, nil, "show", all[s.bob].ID[:6])
	if status != 0 || strings.Contains(stdout, heading) || !strings.Contains(stderr, "another user") {
		s.t.Errorf("show of bob's to ann: status %d\n%s%s", status, stdout, stderr)
	}
	stdout, _, status = s.as(ann, nil, "show", "--redact", all[s.ann].ID)
	if status != 0 || !strings.Contains(stdout, heading) || strings.Contains(stdout, s.ann) || strings.Contains(stdout, "oomdoc-test-") {
		s.t.Errorf("show --redact: status %d\n%s", status, stdout)
	}
	if _, _, status = s.as(ann, nil, "show", "zzzzzz"); status != int(oomdoc.CodeNotFound) {
		s.t.Errorf("show of an unknown id ends with %d, want %d", status, oomdoc.CodeNotFound)
	}
}

// statusAsAnn looks at the status with the helper and without.
func (s *service) statusAsAnn() {
	s.t.Helper()
	read := func() (report struct {
		Healthy bool
		Written string `json:"database_written"`
		Size    int64  `json:"database_bytes"`
		Daemon  struct {
			Helper  struct{ Needed, Reachable bool }
			Sources []struct {
				Name    string
				Watched bool
				Since   string
				Last    string
			}
		}
		Limits []struct{ What, Command string }
	}) {
		stdout, stderr, status := s.as(ann, nil, "status", "-o", "json")
		if err := json.Unmarshal([]byte(stdout), &report); err != nil || status != 0 {
			s.t.Fatalf("status of ann: %d, %v\n%s%s", status, err, stdout, stderr)
		}
		return report
	}
	report := read()
	if !report.Healthy || report.Written == "" || report.Size == 0 || !report.Daemon.Helper.Needed || !report.Daemon.Helper.Reachable || len(report.Limits) != 0 {
		s.t.Errorf("status with the helper: %+v", report)
	}
	if sources := report.Daemon.Sources; len(sources) == 0 || sources[0].Name != "kmsg" || !sources[0].Watched || sources[0].Since == "" || sources[0].Last == "" {
		s.t.Errorf("sources: %+v", report.Daemon.Sources)
	}
	s.stopHelper()
	report = read()
	if !report.Healthy || report.Daemon.Helper.Reachable || len(report.Limits) != 1 || report.Limits[0].Command != "sudo systemctl enable --now oomdoc-helper.socket" {
		s.t.Errorf("status without the helper: %+v", report)
	}
	text, _, _ := s.as(ann, nil, "status")
	if !strings.Contains(text, "sudo systemctl enable --now oomdoc-helper.socket") {
		s.t.Errorf("status does not say what to type:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if len([]rune(line)) > 81 {
			s.t.Errorf("status is wider than 80 columns: %s", line)
		}
	}
	s.startHelper()
	if report = read(); !report.Daemon.Helper.Reachable {
		s.t.Error("the daemon does not find the helper again")
	}
	s.waitFor("the counters", func() bool {
		data, err := os.ReadFile(filepath.Join(s.folder, "oomdoc.prom"))
		found := counter.FindSubmatch(data)
		if err != nil || found == nil {
			return false
		}
		n, err := strconv.Atoi(string(found[1])) // other tests may kill meanwhile
		return err == nil && n >= 2
	})
}

var counter = regexp.MustCompile(`(?m)^oomdoc_incidents_total\{class="host-ram",cause="cgroup-limit",outcome="killed"\} (\d+)$`)

// purgeAnn forgets one user's incidents while the daemon runs.
func (s *service) purgeAnn() {
	s.t.Helper()
	user := strconv.Itoa(ann)
	if _, _, status := s.as(ann, nil, "purge", "--user", user, "--yes"); status != int(oomdoc.CodeNotPermitted) {
		s.t.Errorf("purge of an ordinary user ends with %d, want %d", status, oomdoc.CodeNotPermitted)
	}
	if _, stderr, status := s.as(0, nil, "purge", "--user", user); status != int(oomdoc.CodeUsage) || !strings.Contains(stderr, "--yes") {
		s.t.Errorf("purge without an answer ends with %d: %s", status, stderr)
	}
	if stdout, stderr, status := s.as(0, nil, "purge", "--user", user, "--yes"); status != 0 || !strings.Contains(stdout, " forgotten.") {
		s.t.Errorf("purge ends with %d: %s%s", status, stdout, stderr)
	}
	seen := s.list(0, nil)
	_, annLeft := seen[s.ann]
	_, bobLeft := seen[s.bob]
	if annLeft || !bobLeft {
		s.t.Errorf("after the purge ann's is left: %v, bob's: %v; want bob's alone", annLeft, bobLeft)
	}
	s.killedAs(newBox(s.t, 16<<20), ann, s.ann+"-b")
	s.waitFor("a kill after the purge", func() bool {
		_, is := s.list(bob, nil)[s.ann+"-b"]
		return is
	})
}
