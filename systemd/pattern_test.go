package systemd_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/systemd"
)

// The library that journalctl matches by finds with it the very lines in which one
// of the texts stands, and none of those in which one only nearly does.
func TestPatternFindsTheLinesThatHaveATextAndNoOther(t *testing.T) {
	texts := applog.Anchors()
	random := rand.New(rand.NewPCG(1, 2))
	var lines, want []string
	for _, text := range texts {
		for range 10 {
			cut := random.IntN(len(text))
			for _, line := range []string{text, "x" + text + "y", text[:cut] + text[cut+1:], text[:cut] + "e" + text[cut:]} {
				line = fmt.Sprintf("%d: %s", len(lines), line)
				lines = append(lines, line)
				if slices.ContainsFunc(texts, func(other string) bool { return strings.Contains(line, other) }) {
					want = append(want, line)
				}
			}
		}
	}
	grep := exec.Command("grep", "-a", "-P", "-e", systemd.Pattern(texts))
	grep.Env = []string{"LC_ALL=C"}
	grep.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	output, err := grep.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("%d lines found, want %d", len(got), len(want))
	}
	if len(want) < len(texts)*20 || len(want) > len(lines)*9/10 {
		t.Errorf("%d of %d lines have one: they prove too little", len(want), len(lines))
	}
}

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
	plain := regexp.MustCompile(`\(\?<=(?:[^()\\]|\\.)*\)|\|\(\*SKIP\)\(\*F\)`).ReplaceAllString(pattern, "")
	if _, err := regexp.Compile(plain); err != nil {
		t.Errorf("pattern %q: %v", pattern, err)
	}
}
