// Package packaging_test looks at what is installed beside the binary: units,
// configuration, message catalog, manual pages.
package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary builds oomdoc once for a test.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "oomdoc")
	build := exec.Command("go", "build", "-tags", "sqlite_omit_load_extension,osusergo,netgo", "-o", path, "../cmd/oomdoc")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, output)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
