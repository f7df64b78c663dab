package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/systemd"
)

// Of the journal the service sees only the lines that journalctl --grep finds. So
// what decides each failure must be among them: it is found by these lines alone,
// matched by the library that journalctl matches by.
func TestTheLinesThatTheJournalFindsDecideEachFailure(t *testing.T) {
	pattern := systemd.Pattern(applog.Anchors())
	files, err := filepath.Glob("../../testdata/program/*.log")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	told := 0
	for _, file := range files {
		full := explainFile(t, file)
		if !isAlerted(full) {
			continue
		}
		told++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".log"), func(t *testing.T) {
			found := filepath.Join(t.TempDir(), "found.log")
			grep := exec.Command("grep", "-a", "-P", "-e", pattern, file)
			grep.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
			lines, err := grep.Output()
			if err != nil {
				t.Fatalf("no line of it is found: %v", err)
			}
			if err := os.WriteFile(found, lines, 0o600); err != nil {
				t.Fatal(err)
			}
			got := explainFile(t, found)
			if !isAlerted(got) {
				t.Fatalf("%d incidents of %d lines, none that is told:\n%s", len(got), bytes.Count(lines, []byte("\n")), lines)
			}
			if got[0].Class != full[0].Class && !decidedByFrames(full) {
				t.Errorf("class=%s of these lines, %s of all:\n%s", got[0].Class, full[0].Class, lines)
			}
		})
	}
	if told < 40 {
		t.Errorf("only %d cases have a failure that is told", told)
	}
}

// isAlerted tells that somebody is told of one of them: not of one that the program
// survived, and not of a kill that its own log only suggests.
func isAlerted(incidents []oomdoc.Incident) bool {
	for i := range incidents {
		if incidents[i].Outcome != oomdoc.OutcomeDegraded && (incidents[i].Confidence != oomdoc.Possible || incidents[i].Outcome != oomdoc.OutcomeKilled) {
			return true
		}
	}
	return false
}

// decidedByFrames tells a failure whose class stands in the traceback above it:
// the service fetches those lines after it has stored what was found.
func decidedByFrames(incidents []oomdoc.Incident) bool {
	return slices.ContainsFunc(incidents[0].Evidence, func(evidence oomdoc.Evidence) bool {
		return strings.HasPrefix(evidence.Record, "  ")
	})
}
