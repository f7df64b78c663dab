package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
)

// outOfMemory is what a program prints that asks for so many MiB.
func outOfMemory(mib int) string {
	return fmt.Sprintf("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %d.00 MiB. GPU 0 has a total capacity of 7.79 GiB of which 5.00 MiB is free. "+
		"Including non-PyTorch memory, this process has 7.77 GiB memory in use. Of the allocated memory 7.60 GiB is allocated by PyTorch, and 30.00 MiB is reserved by PyTorch but unallocated.", mib)
}

func appendLine(t *testing.T, path, line string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.WriteString(line + "\n")
		file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// asked are the sizes that the stored incidents of programs were refused, in MiB.
func asked(incidents []oomdoc.Incident) (mib []int64) {
	for _, incident := range incidents {
		if incident.Source == oomdoc.SourceFile && incident.Memory != nil && incident.Memory.RequestedBytes != nil {
			mib = append(mib, *incident.Memory.RequestedBytes>>20)
		}
	}
	slices.Sort(mib)
	return mib
}

func (m *machine) waitForAsked(want ...int64) {
	m.t.Helper()
	m.waitFor(fmt.Sprint("what was refused: ", want), func() bool { return len(asked(m.incidents())) >= len(want) })
	if got := asked(m.incidents()); !slices.Equal(got, want) {
		m.t.Fatalf("refused %v, want %v\n%s", got, want, m.output)
	}
}

func (m *machine) waitForFile(path string) {
	m.t.Helper()
	m.waitFor(path+" to be followed", func() bool { return slices.Contains(m.state().Files.Followed, path) })
}

// A log file is followed by its name: nothing is left out and nothing is told
// twice, however it is rotated, and whether or not somebody watches then.
func TestLogFileIsFollowedThroughRotationAndRestart(t *testing.T) {
	for _, form := range []struct {
		name string
		line func(mib int) string
	}{
		{"with times", func(mib int) string {
			return fmt.Sprintf("%s host trainer%d[%d]: %s", time.Now().Format("Jan _2 15:04:05"), mib, 4000+mib, outOfMemory(mib))
		}},
		{"without times", func(mib int) string { return strings.Repeat("step done\n", 20) + outOfMemory(mib) }},
	} {
		t.Run(form.name, func(t *testing.T) {
			m := newMachine(t, "own")
			path := filepath.Join(m.folder, "logs", "app.log")
			m.settings = []string{"OOMDOC_FILES_PATHS=" + filepath.Join(m.folder, "logs", "*.log"), "OOMDOC_JOURNAL_ENABLED=false", "OOMDOC_ALERT_JOURNAL=false"}
			if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			say := func(mib int) { appendLine(t, path, form.line(mib)) }
			rename := func(to string) {
				t.Helper()
				if err := os.Rename(path, path+to); err != nil {
					t.Fatal(err)
				}
				appendLine(t, path, "the log begins")
			}
			copyTruncate := func(to string) {
				t.Helper()
				text, err := os.ReadFile(path)
				if err == nil {
					err = os.WriteFile(path+to, text, 0o644)
				}
				if err == nil {
					err = os.Truncate(path, 0)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			appendLine(t, path, "what was there before is history, "+form.line(9)+strings.Repeat(" and some more", 20))
			m.start()
			m.waitForFile(path)
			say(10)
			m.waitForAsked(10)
			say(11)
			rename(".1")
			say(12)
			m.waitForAsked(10, 11, 12)
			say(13)
			copyTruncate(".2")
			say(14)
			m.waitForAsked(10, 11, 12, 13, 14)
			m.stop()
			say(15)
			rename(".3")
			say(16)
			m.start()
			m.waitForAsked(10, 11, 12, 13, 14, 15, 16)
			say(17)
			m.waitForAsked(10, 11, 12, 13, 14, 15, 16, 17)
			m.kill9()
			say(18)
			copyTruncate(".4")
			say(19)
			m.start()
			m.waitForAsked(10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
			m.kill9()
			m.start()
			say(20)
			m.waitForAsked(10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
			time.Sleep(5 * time.Second) // an amendment must not become a second row
			m.waitForAsked(10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
		})
	}
}

// What docker keeps of a container is followed without being configured, and the
// incident names the container.
func TestContainerLogIsFollowed(t *testing.T) {
	m := newMachine(t, "own")
	m.settings = []string{"OOMDOC_NAMES_DOCKER_ROOT=" + filepath.Join(m.folder, "docker"), "OOMDOC_JOURNAL_ENABLED=false", "OOMDOC_ALERT_JOURNAL=false"}
	folders := filepath.Join(m.folder, "docker", "containers")
	if err := os.MkdirAll(folders, 0o700); err != nil {
		t.Fatal(err)
	}
	m.start()
	m.waitFor("the folders to be looked at", func() bool { return m.state().Files.Enabled })
	time.Sleep(2 * time.Second)
	id := strings.Repeat("0123456789abcdef", 4)
	if err := os.Mkdir(filepath.Join(folders, id), 0o710); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folders, id, "config.v2.json"), []byte(`{"Name":"/trainer","Config":{"Image":"train:1"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folders, id, id+"-json.log")
	say := func(text string) {
		object, err := json.Marshal(map[string]string{"log": text + "\n", "stream": "stderr", "time": time.Now().UTC().Format(time.RFC3339Nano)})
		if err != nil {
			t.Fatal(err)
		}
		appendLine(t, path, string(object))
	}
	say("the container begins")
	other := func() { // a failure of the same moment would be the same one
		for range 20 {
			say("step done")
		}
		time.Sleep(11 * time.Second)
	}
	say(outOfMemory(30))
	say(`sending SIGTERM to process 4711 uid 1000 "hog": badness 812, VmRSS 3121 MiB`)
	m.waitForAsked(30)
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	other()
	say(outOfMemory(31))
	m.waitForAsked(30, 31)
	for _, incident := range m.incidents() {
		if p := incident.Process; incident.Source == oomdoc.SourceFile && (p == nil || p.Container != id || p.ContainerName != "trainer") {
			t.Errorf("process %+v, want it in the container trainer", p)
		}
		if incident.Killer == "earlyoom" {
			t.Errorf("a container's word of a kill of the machine's is an incident: %+v", incident)
		}
	}
}
