package helper

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What runs as root must stay so short that a person reads all of it.
func TestTheRootPartStaysShort(t *testing.T) {
	const most = 500
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range append(files, "../cmd/oomdoc/helper.go") {
		if strings.HasSuffix(name, "_test.go") || name == "client.go" || name == "local.go" {
			continue // these run in the daemon
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines++
			}
		}
	}
	if lines < 100 || lines >= most {
		t.Errorf("the helper has %d lines of code, want fewer than %d", lines, most)
	}
}
