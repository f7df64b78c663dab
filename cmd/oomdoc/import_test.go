package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
)

type imported struct {
	Schema  string
	Records uint64
	New     int
	Known   int
}

func (m *machine) importLogs(environ []string, args ...string) imported {
	m.t.Helper()
	stdout, stderr, status := runCommand(m.t, append(m.environ(), environ...), nil, append([]string{"import", "-o", "json"}, args...)...)
	var result imported
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || status != 0 || result.Schema != "oomdoc.import/1" {
		m.t.Fatalf("import: status %d, %v, %q: %s", status, err, stdout, stderr)
	}
	return result
}

// A file is read once, and the same kill in a rotated and compressed copy is the
// same incident.
func TestImportReadsFilesOnceAndEachKillOnce(t *testing.T) {
	m := newMachine(t, "own")
	text, err := os.ReadFile("../../testdata/kernel/b05-rhel7-docker-memcg-syslog.log")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	plain := filepath.Join(folder, "messages")
	files := []string{plain}
	if err := os.WriteFile(plain, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for program, ext := range map[string]string{"gzip": ".gz", "xz": ".xz", "zstd": ".zst"} {
		packed, err := exec.Command(program, "-c", plain).Output()
		if err != nil {
			t.Fatalf("%s (packaging/install-deps): %v", program, err)
		}
		file := plain + "-20240101" + ext
		if err := os.WriteFile(file, packed, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	first := m.importLogs(nil, files[0])
	if first.New == 0 || first.Known != 0 || first.Records == 0 {
		t.Fatalf("%+v, want new incidents", first)
	}
	for _, file := range files[1:] {
		if again := m.importLogs(nil, file); again.New != 0 || again.Known != first.New || again.Records != first.Records {
			t.Errorf("%s: %+v, want the same %d as known", filepath.Base(file), again, first.New)
		}
	}
	if again := m.importLogs(nil, files...); again.Records != 0 {
		t.Errorf("%+v: unchanged files were read again", again)
	}
	if got := len(m.incidents()); got != first.New {
		t.Errorf("%d incidents, want %d", got, first.New)
	}
	// The rotated file has another name, the new one has more.
	if err := os.Rename(plain, plain+".1"); err != nil {
		t.Fatal(err)
	}
	if again := m.importLogs(nil, plain+".1"); again.Records != 0 {
		t.Errorf("%+v: a file that was renamed was read again", again)
	}
}

// oldJournal makes a command that answers as journalctl does: with a kernel kill
// of an earlier boot, two hours ago, and what earlyoom said a minute later.
func oldJournal(t *testing.T) (environ []string) {
	t.Helper()
	folder := t.TempDir()
	at := time.Now().Add(-2 * time.Hour).UnixMicro()
	number := 0
	entry := func(usec int64, fields ...string) string {
		number++
		return fmt.Sprintf("__CURSOR=s=1;i=%x;b=2;m=3;t=%x;x=4\n__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=5000000\n"+
			"_BOOT_ID=0123456789abcdef0123456789abcdef\n%s\n\n", number, usec, usec, strings.Join(fields, "\n"))
	}
	kernel := []string{"_TRANSPORT=kernel", "SYSLOG_FACILITY=0", "SYSLOG_IDENTIFIER=kernel", "PRIORITY=3"}
	kill := entry(at, append(kernel, "_SOURCE_MONOTONIC_TIMESTAMP=5000000",
		"MESSAGE=oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/old,task_memcg=/old,task=hog-of-old,pid=4711,uid=1000")...) +
		entry(at+20, append(kernel, "_SOURCE_MONOTONIC_TIMESTAMP=5000020",
			"MESSAGE=Memory cgroup out of memory: Killed process 4711 (hog-of-old) total-vm:9000kB, anon-rss:8000kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:56kB oom_score_adj:0")...)
	said := entry(at+60e6, "_TRANSPORT=stdout", "_UID=0", "_PID=700", "_SYSTEMD_UNIT=earlyoom.service", "SYSLOG_IDENTIFIER=earlyoom",
		`MESSAGE=sending SIGTERM to process 4712 uid 1000 "said-of-old": badness 812, VmRSS 3121 MiB`)
	for name, text := range map[string]string{"kernel": kill, "said": said, "system.journal": ""} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	script := "#!/bin/sh\ncase \"$*\" in *--follow*) exec sleep 600;; *_TRANSPORT=kernel*) cat " + folder +
		"/kernel;; *--grep=*) cat " + folder + "/said;; esac\n"
	command := filepath.Join(folder, "journalctl")
	if err := os.WriteFile(command, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{"OOMDOC_JOURNAL_DIRECTORY=" + folder, "OOMDOC_JOURNAL_COMMAND=" + command}
}

func named(incidents []oomdoc.Incident, name string) (found []oomdoc.Incident) {
	for _, incident := range incidents {
		if incident.Process != nil && incident.Process.Name != nil && *incident.Process.Name == name {
			found = append(found, incident)
		}
	}
	return found
}

func TestImportReadsTheJournalOfAllBoots(t *testing.T) {
	environ := oldJournal(t)
	m := newMachine(t, "own")
	first := m.importLogs(environ)
	check := func() {
		t.Helper()
		incidents := m.incidents()
		kills, said := named(incidents, "hog-of-old"), named(incidents, "said-of-old")
		if len(kills) != 1 || len(said) != 1 {
			t.Fatalf("%d kills of the kernel and %d of earlyoom, want one of each", len(kills), len(said))
		}
		if kills[0].Source != oomdoc.SourceJournal || kills[0].BootID != "0123456789abcdef0123456789abcdef" || said[0].Killer != "earlyoom" {
			t.Errorf("%+v and %+v: want them of the journal and its boot", kills[0], said[0])
		}
	}
	check()
	if first.New < 2 {
		t.Errorf("%+v, want two new ones", first)
	}
	if again := m.importLogs(environ); again.Known < 2 {
		t.Errorf("%+v: the second time they are known", again)
	}
	m.importLogs(environ, "--since", "3h")
	check()
	m.start() // beside a daemon, which does not tell what is history
	m.importLogs(environ, "--since", "3h")
	check()
	m.stop()
	if strings.Contains(m.output.String(), "of-old") {
		t.Errorf("the daemon told what was imported:\n%s", m.output)
	}
}

// The first start finds the kernel's kills of the time before, and tells nobody.
func TestFirstStartReadsTheHistory(t *testing.T) {
	environ := oldJournal(t)
	m := newMachine(t, "own")
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	m.start()
	m.waitFor("the kill of the earlier boot", func() bool { return len(named(m.incidents(), "hog-of-old")) == 1 })
	if len(named(m.incidents(), "said-of-old")) != 0 {
		t.Error("the first start read more than the kernel's part")
	}
	m.stop()
	if strings.Contains(m.output.String(), "of-old") {
		t.Errorf("it was told as news:\n%s", m.output)
	}
	if again := m.importLogs(nil); again.Known < 1 || len(named(m.incidents(), "hog-of-old")) != 1 || len(named(m.incidents(), "said-of-old")) != 1 {
		t.Errorf("%+v: an import adds the rest, and the kill stays one", again)
	}
}
