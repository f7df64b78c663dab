package classify_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// cutLogs are captured reports of each kind: a group's limit (v1, v2 with a
// group kill), the whole machine, a bound request, a manual kill, nobody to kill,
// a panic, memory in pieces, a failed request, a balloon.
var cutLogs = []string{
	"../testdata/kernel/r14-k8s-pod-limit-two-containers.log",
	"../testdata/kernel/v24-v2-oom-group-7.2.log",
	"../testdata/kernel/v04-global-anon-7.2.log",
	"../testdata/kernel/b21-arch-6.1-global.log",
	"testdata/kernel/v06-mempolicy-6.1.log",
	"testdata/kernel/v20-sysrq-f-6.1.log",
	"testdata/kernel/v28-v2-no-killable-flood-6.12.log",
	"testdata/kernel/v31-i386-lowmem-6.1.log",
	"testdata/kernel/v35-panic-on-oom-console-6.1.log",
	"../testdata/kernel/v10-fragmentation-order3-6.1.log",
	"../testdata/kernel/v11-page-alloc-failure-order8-6.12.log",
	"../testdata/kernel/v32-balloon-7.2.log",
}

// maxCutLines holds a whole report of each log.
const maxCutLines = 150

// TestAReportWithAnyPartMissingIsDiagnosedSoundly takes lines out of captured
// reports: each one alone, everything before it, everything after it. Whatever
// is left, an incident must be whole, claim no more than it shows, and name what
// it lacks when it is not certain.
func TestAReportWithAnyPartMissingIsDiagnosedSoundly(t *testing.T) {
	for _, path := range cutLogs {
		t.Run(filepath.Base(path), func(t *testing.T) {
			log, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.SplitAfter(log, []byte("\n"))
			lines = lines[:min(len(lines), maxCutLines)]
			for i := range lines {
				without := append(bytes.Join(lines[:i], nil), bytes.Join(lines[i+1:], nil)...)
				checkCut(t, without)
				checkCut(t, bytes.Join(lines[i:], nil))
				checkCut(t, bytes.Join(lines[:i], nil))
			}
		})
	}
}

func checkCut(t *testing.T, log []byte) {
	t.Helper()
	for _, inc := range diagnoseLog(t, log) {
		checkSound(t, inc)
		if t.Failed() {
			t.Fatalf("of this log:\n%s", log)
		}
	}
}

// FuzzLogToIncident holds the same for bytes of any kind.
func FuzzLogToIncident(f *testing.F) {
	for _, path := range cutLogs {
		log, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(log)
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		for _, inc := range diagnoseLog(t, log) {
			checkSound(t, inc)
		}
	})
}
