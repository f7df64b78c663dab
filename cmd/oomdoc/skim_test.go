package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is passed over in a long log is only what has nothing in it: a failure is
// found wherever it stands, and however its line was cut or coloured.
func TestAFailureInALongLogIsFound(t *testing.T) {
	// Cut so that nothing that is looked for stands whole in one of the lines.
	cut := func(width int) string {
		const tail = ` java.lang.OutOfMemoryErro`
		head := `Exception in thread "`
		head += strings.Repeat("w", width-len(head)-len(tail)-1) + `"` + tail
		return head + "\nr: Java heap space\n"
	}
	for name, failure := range map[string]string{
		"whole":                       "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n",
		"cut at a terminal's width":   cut(80),
		"cut at another's, with CRLF": strings.ReplaceAll(cut(132), "\n", "\r\n"),
		"coloured":                    "Exception in thread \"main\" java.lang.Out\x1b[31mOfMemoryError\x1b[0m: Java heap space\n",
		"a word alone":                "Killed\n",
		"a shell's job":               "./train.sh: line 12: 15929 Killed                  python3 train.py\n",
		"zsh's job":                   "[1]  + 12345 killed     python3 train.py\n",
	} {
		for _, place := range []int{70, 3000, 9999} {
			t.Run(fmt.Sprintf("%s, line %d", name, place), func(t *testing.T) {
				var log bytes.Buffer
				for i := range 10_000 {
					if i == place {
						log.WriteString(failure)
					}
					fmt.Fprintf(&log, "%d: %s\n", i, strings.Repeat("nothing of note ", 1+i%7))
				}
				checkOne(t, log.Bytes())
			})
		}
		t.Run(name+", at the end", func(t *testing.T) {
			text := strings.Repeat("nothing of note happened here\n", 10_000) + strings.TrimRight(failure, "\r\n")
			checkOne(t, []byte(text))
		})
	}
}

func checkOne(t *testing.T, log []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "long.log")
	if err := os.WriteFile(path, log, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := explainFile(t, path); len(got) != 1 {
		t.Errorf("%d incidents, want 1", len(got))
	}
}
