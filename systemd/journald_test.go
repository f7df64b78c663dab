package systemd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc/systemd"
)

// journaldConfig keeps the real journald of a test from everything but its
// private socket: as root it would read /dev/kmsg and take over the audit.
const journaldConfig = `[Journal]
Storage=volatile
RuntimeMaxUse=16M
ReadKMsg=no
Audit=no
ForwardToSyslog=no
ForwardToKMsg=no
ForwardToConsole=no
ForwardToWall=no
`

// startJournald runs this machine's own systemd-journald in the private /run.
func startJournald(t *testing.T) *os.Process {
	t.Helper()
	if err := os.MkdirAll("/run/log/journal", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("/run/systemd/journald.conf.d", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("/run/systemd/journald.conf.d/test.conf", []byte(journaldConfig), 0o644); err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	journald := exec.CommandContext(t.Context(), "/usr/lib/systemd/systemd-journald")
	journald.Env = append(os.Environ(), "SYSTEMD_LOG_TARGET=console")
	journald.Stdout, journald.Stderr = &output, &output
	if err := journald.Start(); err != nil {
		t.Fatalf("start journald (package systemd): %v", err)
	}
	t.Cleanup(func() {
		_ = journald.Process.Kill()
		_ = journald.Wait() // killed on purpose
		if t.Failed() {
			t.Logf("journald said:\n%s", output.String())
		}
	})
	for deadline := time.Now().Add(30 * time.Second); (systemd.LibrarySender{}).Ready() != nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("journald does not listen")
		}
	}
	return journald.Process
}

// entries asks journalctl as a user does.
func entries(t *testing.T, matches ...string) []map[string]any {
	t.Helper()
	if output, err := exec.CommandContext(t.Context(), "journalctl", "--sync").CombinedOutput(); err != nil {
		t.Fatalf("journalctl --sync: %v: %s", err, output)
	}
	output, err := exec.CommandContext(t.Context(), "journalctl", append([]string{"-o", "json", "--no-pager"}, matches...)...).Output()
	if err != nil {
		t.Fatalf("journalctl %q: %v", matches, err)
	}
	var found []map[string]any
	for line := range strings.Lines(string(output)) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("read %q: %v", line, err)
		}
		found = append(found, entry)
	}
	return found
}

func TestRealJournalShowsTheAlertBesideItsUnit(t *testing.T) {
	if !inPrivateRun(t) {
		return
	}
	mountRun(t)
	startJournald(t)
	stderr := &lockedBuffer{}
	alerter := systemd.NewAlerter(systemd.AlerterOptions{Language: english(t), Journal: true, Stderr: stderr})
	i := incident()
	i.Process.Name = new("evil\nMESSAGE_ID=x\x1b[2J\xff")
	alerter.Alert(i)
	if err := alerter.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "stderr", stderr.String(), "")

	for _, matches := range [][]string{{"-u", "job.service"}, {"-t", "oomdoc"}, {"MESSAGE_ID=" + systemd.MessageCgroupKill}, {"OOMDOC_ID=" + i.ID}} {
		found := entries(t, matches...)
		if len(found) != 1 {
			t.Fatalf("journalctl %q shows %d entries, want 1", matches, len(found))
		}
		for name, want := range systemd.Compose(&i, english(t), time.Now()).Fields {
			if got := found[0][name]; got != want {
				t.Errorf("journalctl %q: %s = %v, want %q", matches, name, got, want)
			}
		}
		for name, want := range map[string]string{"_UID": "0", "PRIORITY": "3", "OOMDOC_COMM": `evil\nMESSAGE_ID=x\x1b[2J\xff`} {
			if got := found[0][name]; got != want {
				t.Errorf("journalctl %q: %s = %v, want %q", matches, name, got, want)
			}
		}
	}
	if found := entries(t, "-u", "other.service"); len(found) != 0 {
		t.Errorf("journalctl -u other.service shows %d entries, want none", len(found))
	}
}

func TestRealJournalThatHangsIsReplacedByStderrUntilItComesBack(t *testing.T) {
	if !inPrivateRun(t) {
		return
	}
	mountRun(t)
	journald := startJournald(t)
	told := make(chan string, 16)
	stderr := &lockedBuffer{}
	alerter := systemd.NewAlerter(systemd.AlerterOptions{
		Language: english(t), Journal: true, Stderr: stderr,
		Told: func(ids []string, _ time.Time, how string) { told <- ids[0] + " " + how },
	})
	alert := func(id, unit string) string {
		i := incident()
		i.ID, i.Process.Unit = id, unit
		alerter.Alert(i)
		return <-told
	}
	equal(t, "alive", alert("1", "a.service"), "1 journal")

	if err := journald.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	fill(t, systemd.JournalSocket)
	equal(t, "stopped", alert("2", "b.service"), "2 stderr")
	equal(t, "still stopped", alert("3", "c.service"), "3 stderr")

	if err := journald.Signal(unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
	entries(t) // journalctl --sync: it has read what waited
	equal(t, "alive again", alert("4", "d.service"), "4 journal")
	if err := alerter.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]int{"1": 1, "2": 0, "3": 0, "4": 1} {
		if got := len(entries(t, "OOMDOC_ID="+id)); got != want {
			t.Errorf("the journal has %d entries of incident %s, want %d", got, id, want)
		}
	}
}
