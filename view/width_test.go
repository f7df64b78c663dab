package view

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestColumnsMeasuresAsATerminalDoes(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "한글": 4, "e\u0301": 1, "日本語": 6, "🔥": 2, "ﾊﾝ": 2, "ＡＢ": 4, "é": 1, "…": 1,
		"\u1112\u1161\u11ab": 2, // 한 in three joining parts
	} {
		if got := columns(text); got != want {
			t.Errorf("columns(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestShortenKeepsBothEnds(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdefg", 6, "abc…fg"},
		{"abcdefg", 3, "a…g"},
		{"abcdefg", 2, "ab"},
		{"한글한글", 7, "한…한글"},
		{"한글한글", 6, "한…글"},
		{"한글", 3, "…글"},
		{"e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301…e\u0301"},
	} {
		if got := shorten(test.text, test.width); got != test.want || columns(got) > test.width {
			t.Errorf("shorten(%q, %d) = %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

func TestWrapBreaksAtSpacesAndKeepsNumbersWithTheirUnits(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"limit of 8.0 GiB", 12, []string{"limit of", "8.0 GiB"}},
		{"a  b", 10, []string{"a  b"}},
		{"abcdefgh ij", 3, []string{"abc", "def", "gh", "ij"}},
		{"한글한글", 5, []string{"한글", "한글"}},
		{"한글", 1, []string{"한", "글"}},
	} {
		if got := Wrap(test.text, test.width); !slices.Equal(got, test.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

func FuzzWrapLosesNothing(f *testing.F) {
	f.Add("one two 8.0 GiB three", 7)
	f.Add("한글한글 e\u0301", 3)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = max(2, min(width, 200))
		text = Escape(text)
		lines := Wrap(text, width)
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := squeeze(strings.Join(lines, "")); got != squeeze(text) {
			t.Errorf("Wrap(%q) lost text: %q", text, lines)
		}
		for _, line := range append(lines, shorten(text, width)) {
			if columns(line) > width {
				t.Errorf("%q takes %d of %d columns", line, columns(line), width)
			}
		}
	})
}

func TestTablesOfRangesAreSorted(t *testing.T) {
	for name, table := range map[string]*unicode.RangeTable{"wide": wide, "invisible": invisible, "joiningJamo": joiningJamo} {
		last := -1
		for _, r := range table.R16 {
			if int(r.Lo) <= last || r.Hi < r.Lo || (r.Hi-r.Lo)%r.Stride != 0 {
				t.Errorf("%s: range %04x to %04x by %d", name, r.Lo, r.Hi, r.Stride)
			}
			last = int(r.Hi)
		}
		for _, r := range table.R32 {
			if int(r.Lo) <= last || r.Hi < r.Lo || (r.Hi-r.Lo)%r.Stride != 0 {
				t.Errorf("%s: range %04x to %04x by %d", name, r.Lo, r.Hi, r.Stride)
			}
			last = int(r.Hi)
		}
	}
}
