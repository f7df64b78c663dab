package packaging_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What `systemd-analyze security` may find, times ten: lower is safer.
func TestUnitsAreHardened(t *testing.T) {
	for unit, threshold := range map[string]int{"oomdoc.service": 15, "oomdoc-helper.service": 25} {
		output, err := exec.Command("systemd-analyze", "security", "--offline=true", "--no-pager",
			fmt.Sprintf("--threshold=%d", threshold), filepath.Join("systemd", unit)).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v, want at most %d\n%s", unit, err, threshold, output)
		}
		if !strings.Contains(string(output), "Overall exposure level") {
			t.Errorf("%s: systemd-analyze gave no level:\n%s", unit, output)
		}
	}
}

// systemd itself reads the units without a complaint. What they start and
// document is not installed here, so a copy starts something that is.
func TestUnitsAreUnderstood(t *testing.T) {
	folder := t.TempDir()
	paths, err := filepath.Glob("systemd/*")
	if err != nil || len(paths) < 4 {
		t.Fatalf("found %v (%v), want the units", paths, err)
	}
	args := []string{"verify"}
	for _, path := range paths {
		text := strings.ReplaceAll(read(t, path), "/usr/bin/oomdoc", "/bin/true")
		text = regexp.MustCompile(`(?m)^Documentation=.*$`).ReplaceAllString(text, "")
		copied := filepath.Join(folder, filepath.Base(path))
		if err := os.WriteFile(copied, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, copied)
	}
	if output, err := exec.Command("systemd-analyze", args...).CombinedOutput(); err != nil || len(output) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, output)
	}
}

// A directive that breaks a source must not slip in because it looks good.
func TestDaemonUnitLeavesOutWhatBreaksASource(t *testing.T) {
	text := read(t, "systemd/oomdoc.service")
	for _, directive := range []string{"ProtectKernelLogs", "PrivateDevices", "PrivateUsers", "ProtectProc", "ProcSubset", "DynamicUser"} {
		if regexp.MustCompile(`(?m)^` + directive + `=`).MatchString(text) {
			t.Errorf("oomdoc.service sets %s, which takes a source away", directive)
		}
		if !strings.Contains(text, "#   "+directive) {
			t.Errorf("oomdoc.service does not say why it leaves out %s", directive)
		}
	}
}
