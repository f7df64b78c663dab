package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/journal"
	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// journaldConfig keeps the real journald of a test from everything but its private
// socket: as root it would read /dev/kmsg and take over the audit.
const journaldConfig = `[Journal]
Storage=volatile
RuntimeMaxUse=%s
RateLimitBurst=0
ReadKMsg=no
Audit=no
ForwardToSyslog=no
ForwardToKMsg=no
ForwardToConsole=no
ForwardToWall=no
`

// inPrivateJournal runs the calling test again in a process with a /run of its own
// and this machine's journald in there, and is true in it.
func inPrivateJournal(t *testing.T, size string) bool {
	t.Helper()
	const mark = "OOMDOC_TEST_PRIVATE_RUN"
	if os.Getenv(mark) == "" {
		if os.Geteuid() != 0 {
			t.Fatal("this test makes a mount namespace: run it as root")
		}
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=5m")
		child.Env = append(os.Environ(), mark+"=1")
		child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS, Pdeathsig: unix.SIGKILL}
		output, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("in its own /run: %v\n%s", err, output)
		}
		t.Logf("%s", output)
		return false
	}
	err := errors.Join(
		unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
		unix.Mount("tmpfs", "/run", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=1g"),
		os.MkdirAll("/run/systemd/journald.conf.d", 0o755),
		os.MkdirAll("/run/systemd/journal", 0o755),
		os.MkdirAll("/run/log/journal", 0o755),
		os.WriteFile("/run/systemd/journald.conf.d/test.conf", fmt.Appendf(nil, journaldConfig, size), 0o644),
	)
	if err != nil {
		t.Fatal(err)
	}
	startJournald(t)
	return true
}

func startJournald(t *testing.T) {
	t.Helper()
	var output bytes.Buffer
	journald := exec.Command("/usr/lib/systemd/systemd-journald")
	journald.Env = append(os.Environ(), "SYSTEMD_LOG_TARGET=console")
	journald.Stdout, journald.Stderr = &output, &output
	if err := journald.Start(); err != nil {
		t.Fatalf("start journald (package systemd): %v", err)
	}
	t.Cleanup(func() {
		journald.Process.Kill()
		journald.Wait()
	})
	for deadline := time.Now().Add(30 * time.Second); !journal.Enabled(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("journald does not listen\n%s", output.String())
		}
	}
	log(t, "the journal begins", nil)
	journalctl(t, "--sync")
}

func journalctl(t *testing.T, args ...string) string {
	t.Helper()
	output, err := exec.Command("journalctl", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("journalctl %q: %v: %s", args, err, output)
	}
	return string(output)
}

// log writes an entry with fields that any program can set.
func log(t *testing.T, text string, fields map[string]string) {
	t.Helper()
	if err := journal.Send(text, journal.PriInfo, fields); err != nil {
		t.Fatal(err)
	}
}

// earlyoom writes what earlyoom 1.6 does when it ends a process.
func earlyoom(t *testing.T, pid int) {
	t.Helper()
	fields := map[string]string{"SYSLOG_IDENTIFIER": "earlyoom"}
	log(t, "mem avail:   621 of 15903 MiB ( 3.91%), swap free:  101 of 2047 MiB ( 4.95%)", fields)
	log(t, "low memory! at or below SIGTERM limits: mem  4.00%, swap 10.00%", fields)
	log(t, fmt.Sprintf("sending SIGTERM to process %d uid 1000 \"hog\": badness 812, VmRSS 3121 MiB", pid), fields)
}

func byEarlyoom(incidents []oomdoc.Incident) (pids []int) {
	for _, incident := range incidents {
		if incident.Killer == "earlyoom" {
			pids = append(pids, incident.Process.PID)
		}
	}
	return pids
}

func (m *machine) waitForJournal() {
	m.t.Helper()
	m.waitFor("the journal to be followed", func() bool { return m.state().Journal.Watching })
}

func TestJournalIsWatchedThroughRestartRotationAndVacuum(t *testing.T) {
	if !inPrivateJournal(t, "64M") {
		return
	}
	m := newMachine(t, "own")
	earlyoom(t, 9000) // before the first start: history, which import reads
	m.start()
	m.waitForJournal()

	stored := func(pids ...int) {
		t.Helper()
		m.waitFor(fmt.Sprint("the kills of ", pids), func() bool { return len(byEarlyoom(m.incidents())) >= len(pids) })
		if got := byEarlyoom(m.incidents()); fmt.Sprint(got) != fmt.Sprint(pids) {
			t.Fatalf("stored kills of %v, want %v\n%s", got, pids, m.output)
		}
	}
	earlyoom(t, 9001)
	stored(9001)
	m.waitFor("the alert", func() bool { return strings.Contains(journalctl(t, "-t", "oomdoc", "-o", "cat"), "9001") })
	journalctl(t, "--rotate")
	earlyoom(t, 9002)
	stored(9001, 9002)
	m.kill9()
	earlyoom(t, 9003) // nobody watches
	m.start()
	m.waitForJournal()
	stored(9001, 9002, 9003)
	journalctl(t, "--rotate", "--vacuum-size=1")
	earlyoom(t, 9004)
	stored(9001, 9002, 9003, 9004)

	// Its alerts quote what was found; nothing of oomdoc's is read as news.
	log(t, `sending SIGTERM to process 9005 uid 1000 "hog": badness 812, VmRSS 3121 MiB`, map[string]string{"SYSLOG_IDENTIFIER": "oomdoc"})
	time.Sleep(4 * time.Second) // an amendment must not become a second row
	stored(9001, 9002, 9003, 9004)
	got := m.incidents()[len(m.incidents())-1]
	if got.Source != oomdoc.SourceJournal || got.Confidence == oomdoc.Certain || len(got.Evidence) < 2 {
		t.Errorf("%+v: want it of the journal, not certain (anybody may call himself earlyoom), with its limits", got)
	}
	m.stop()
	m.start()
	m.waitForJournal()
	earlyoom(t, 9006)
	stored(9001, 9002, 9003, 9004, 9006)
}

// The kernel's own line and what systemd says of it are one incident, whichever
// comes first and whether or not the daemon was started again in between.
func TestJournalsWordOfAKernelKillIsNoSecondIncident(t *testing.T) {
	if !inPrivateJournal(t, "64M") {
		return
	}
	m := newMachine(t, "own")
	m.start()
	m.waitForJournal()
	box := newBox(t, smallLimit)
	unit := strings.TrimPrefix(box.path, "/") + ".service"
	inner := filepath.Join(box.folder, unit)
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(inner) })
	unitBox := &box2{box, inner}
	told := func() {
		log(t, unit+": A process of this unit has been killed by the OOM killer.", map[string]string{
			"SYSLOG_IDENTIFIER": "systemd", "MESSAGE_ID": "fe6faa94e7774663a0da52717891d8ef", "UNIT": unit,
		})
	}
	unitBox.kill()
	told()
	mine := func() (n int) {
		for _, incident := range m.incidents() {
			if strings.Contains(fmt.Sprintf("%+v %+v", incident.Process, incident.Kernel), unit) || incident.Process != nil && incident.Process.Unit == unit {
				n++
			}
		}
		return n
	}
	m.waitFor("the kill", func() bool { return mine() >= 1 })
	time.Sleep(7 * time.Second) // what a manager says is waited with, and closed
	if got := mine(); got != 1 {
		t.Fatalf("%d incidents, want 1: %+v", got, m.incidents())
	}
	unitBox.kill()
	m.waitFor("the second kill", func() bool { return mine() == 2 })
	m.kill9()
	told()
	m.start()
	m.waitForJournal()
	time.Sleep(7 * time.Second)
	if got := mine(); got != 2 {
		t.Errorf("%d incidents after a restart, want 2", got)
	}
}

// A box2 is a cgroup of a unit's name within a box.
type box2 struct {
	*box
	inner string
}

func (b *box2) kill() {
	b.t.Helper()
	outer := b.folder
	b.folder = b.inner
	defer func() { b.folder = outer }()
	b.reported("hog")
}

func TestOneWriterCannotFillTheStore(t *testing.T) {
	if !inPrivateJournal(t, "64M") {
		return
	}
	m := newMachine(t, "own")
	m.start()
	m.waitForJournal()
	// As a user who calls himself earlyoom.
	script := `for i in $(seq 1 300); do echo "sending SIGTERM to process $i uid 1000 \"hog\": badness 812, VmRSS 3121 MiB"; done | systemd-cat -t earlyoom`
	command := exec.Command("sh", "-c", script)
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	m.waitFor("the flood to be read", func() bool { return m.state().Journal.Records >= 300 })
	m.waitFor("the rest to be counted", func() bool { return m.state().Journal.Limited >= 250 })
	if got := len(byEarlyoom(m.incidents())); got < 20 || got > 50 {
		t.Errorf("%d incidents of 300 lines of one user, want some 20", got)
	}
	// Others are heard as before.
	earlyoom(t, 9999)
	m.waitFor("another's", func() bool {
		pids := byEarlyoom(m.incidents())
		return len(pids) > 0 && pids[len(pids)-1] == 9999
	})
}
