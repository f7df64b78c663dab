package systemd_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/systemd"
)

// Go's expressions have no look-behind, so this pattern is taken apart; that
// journalctl reads it so is shown on a real journal (follow_real_test.go).
func TestPatternHasOneAlternativeForEachTextThatNoOtherCovers(t *testing.T) {
	texts := []string{"out of memory", "CUDA out of memory. Tried", "Killed /", "bad_alloc", "a.b", "", "a\x00b", "bad_alloc"}
	pattern := systemd.Pattern(texts)
	for _, text := range []string{"out of memory", "Killed /", "bad_alloc", `a\.b`} {
		found := false
		for at := range len(text) {
			found = found || strings.Contains(pattern, text[at:])
		}
		if !found {
			t.Errorf("pattern %q has nothing of %q", pattern, text)
		}
	}
	if strings.Contains(pattern, "Tried") || strings.Contains(pattern, "\x00") {
		t.Errorf("pattern %q has a text that another covers, or one that no argument can hold", pattern)
	}
	plain := regexp.MustCompile(`\(\?<=(?:[^()\\]|\\.)*\)`).ReplaceAllString(pattern, "")
	if _, err := regexp.Compile(plain); err != nil {
		t.Errorf("pattern %q: %v", pattern, err)
	}
}
