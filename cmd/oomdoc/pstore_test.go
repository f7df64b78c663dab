package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// panicDump writes the captured console of a panic as the persistent store
// keeps it: in parts, the newest lines in the first.
func panicDump(t *testing.T, folder string) []string {
	t.Helper()
	log, err := os.ReadFile("../../testdata/kernel/v35-panic-on-oom-console-6.1.log")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(log)) {
		if line = strings.TrimRight(line, "\r\n"); strings.HasPrefix(line, "[") {
			lines = append(lines, "<4>"+line)
		}
	}
	if len(lines) < 30 {
		t.Fatalf("the capture has only %d lines with a stamp", len(lines))
	}
	var paths []string
	half := len(lines) / 2
	for part, text := range [][]string{lines[half:], lines[:half]} {
		path := filepath.Join(folder, "dmesg-efi-17960970480"+string(rune('1'+part))+"001")
		content := "Panic#1 Part" + string(rune('1'+part)) + "\n" + strings.Join(text, "\n") + "\n"
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func panicsAmong(incidents []oomdoc.Incident) []oomdoc.Incident {
	return slices.DeleteFunc(slices.Clone(incidents), func(inc oomdoc.Incident) bool { return inc.Outcome != oomdoc.OutcomePanic })
}

// What the persistent store kept of a boot that panicked is found at the next
// start, stored and alerted once.
func TestAPanicOfTheBootBeforeIsFoundAtTheStart(t *testing.T) {
	m := newMachine(t, "own")
	folder := t.TempDir()
	t.Setenv("OOMDOC_PSTORE_FOLDERS", folder)
	m.start()
	m.stop()
	if got := panicsAmong(m.incidents("--all")); len(got) != 0 {
		t.Fatalf("without a dump: %d panics", len(got))
	}
	paths := panicDump(t, folder)
	told := 0
	for start := range 3 {
		m.start()
		m.waitFor("the panic", func() bool { return len(panicsAmong(m.incidents("--all"))) > 0 })
		m.stop()
		// Other incidents of this machine may be told too.
		if id := panicsAmong(m.incidents("--all"))[0].ID; strings.Contains(m.output.String(), id) {
			told++
		}
		if got := panicsAmong(m.incidents("--all")); len(got) != 1 {
			t.Fatalf("after start %d: %d panics, want 1", start, len(got))
		}
		if start == 1 { // systemd-pstore moves the files, and puts the parts together
			move(t, folder, paths)
		}
	}
	got := panicsAmong(m.incidents("--all"))[0]
	if got.Class != "host-ram" || got.Cause != "host-exhausted" || got.Source != oomdoc.SourceFile || got.Process != nil {
		t.Errorf("got %s/%s from %s, process %v", got.Class, got.Cause, got.Source, got.Process)
	}
	if got.Time.Unix() < 1796097048-60 || got.Time.Unix() > 1796097048 || !got.TimeApproximate {
		t.Errorf("time %s, want just before the dump's", got.Time)
	}
	if told != 1 {
		t.Errorf("told at %d starts, want once\n%s", told, m.output)
	}
}

func move(t *testing.T, folder string, paths []string) {
	t.Helper()
	var whole []byte
	for _, path := range slices.Backward(paths) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole = append(whole, text...)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	moved := filepath.Join(folder, "1796097048", "001")
	if err := os.MkdirAll(moved, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(moved, "dmesg.txt"), whole, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The parts may be named in any order.
func TestExplainReadsADumpInParts(t *testing.T) {
	paths := panicDump(t, t.TempDir())
	for _, args := range [][]string{{paths[0], paths[1]}, {paths[1], paths[0]}} {
		got := explainFiles(t, args...)
		if len(got) != 1 || got[0].Outcome != oomdoc.OutcomePanic || got[0].Cause != "host-exhausted" || got[0].Kernel == nil || got[0].Kernel.Invoker == nil {
			t.Errorf("%v: got %+v", args, got)
		}
	}
	if got := explainFiles(t, paths[0]); len(got) != 1 || got[0].Outcome != oomdoc.OutcomePanic {
		t.Errorf("the newest part alone: got %+v", got)
	}
}
