package view

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// columns is how many columns of a terminal a text takes that Escape has made
// safe.
func columns(s string) int {
	sum := 0
	for _, r := range s {
		sum += runeColumns(r)
	}
	return sum
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300: // no wide and no combining character before
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, joiningJamo):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// fitting is the length in bytes of the longest start of a text that takes at
// most width columns.
func fitting(s string, width int) int {
	sum := 0
	for at, r := range s {
		if sum += runeColumns(r); sum > width {
			return at
		}
	}
	return len(s)
}

// split cuts a text so that the head takes at most width columns. Where not
// even one character fits, the head is that character, so that a loop over the
// rest ends.
func split(s string, width int) (head, rest string) {
	at := fitting(s, width)
	if at == 0 {
		_, at = utf8.DecodeRuneInString(s)
	}
	return s[:at], s[at:]
}

// tail is the end of a text that takes at most width columns.
func tail(s string, width int) string {
	drop := columns(s) - width
	for at, r := range s {
		if drop <= 0 && runeColumns(r) > 0 {
			return s[at:]
		}
		drop -= runeColumns(r)
	}
	return ""
}

const ellipsis = "…"

// shorten takes columns out of the middle of a text, where a path or a log
// line has least to say, so that it fits.
func shorten(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	if width < 3 {
		return s[:fitting(s, width)]
	}
	head := s[:fitting(s, width/2)]
	return head + ellipsis + tail(s, width-columns(head)-1)
}

// Wrap breaks a text that Escape has made safe into lines of at most width
// columns, at spaces where it can; a number stays with its unit.
func Wrap(s string, width int) []string {
	var lines []string
	line := ""
	for i, word := range phrases(s) {
		if i > 0 && columns(line)+1+columns(word) <= width {
			line += " " + word
			continue
		}
		if i > 0 {
			lines = append(lines, line)
		}
		head, rest := split(word, width)
		for rest != "" {
			lines = append(lines, head)
			head, rest = split(rest, width)
		}
		line = head
	}
	return append(lines, line)
}

// phrases are the words of a text, a number and its unit as one ("8.0 GiB").
func phrases(s string) []string {
	var all []string
	number := false // the word before is a number that has no unit yet
	for word := range strings.SplitSeq(s, " ") {
		if number {
			all[len(all)-1] += " " + word
			number = false
			continue
		}
		all = append(all, word)
		number = word != "" && strings.Trim(word, "0123456789.,") == ""
	}
	return all
}

// Pad fills a text that Escape has made safe up with spaces to width columns.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-columns(s)))
}

// joiningJamo are the vowels and finals that join the Hangul consonant before
// them.
var joiningJamo = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x1160, Hi: 0x11ff, Stride: 1}, {Lo: 0xd7b0, Hi: 0xd7fb, Stride: 1},
}}

// wide are the characters of two columns: East_Asian_Width W and F of Unicode
// 15 (EastAsianWidth.txt), with the unassigned characters between them.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x2329, 0x232a, 1}, {0x23e9, 0x23ec, 1},
		{0x23f0, 0x23f3, 3}, {0x25fd, 0x25fe, 1}, {0x2614, 0x2615, 1}, {0x2648, 0x2653, 1},
		{0x267f, 0x2693, 20}, {0x26a1, 0x26aa, 9}, {0x26ab, 0x26bd, 18}, {0x26be, 0x26c4, 6},
		{0x26c5, 0x26ce, 9}, {0x26d4, 0x26ea, 22}, {0x26f2, 0x26f3, 1}, {0x26f5, 0x26fa, 5},
		{0x26fd, 0x2705, 8}, {0x270a, 0x270b, 1}, {0x2728, 0x274c, 36}, {0x274e, 0x2753, 5},
		{0x2754, 0x2755, 1}, {0x2757, 0x2757, 1}, {0x2795, 0x2797, 1}, {0x27b0, 0x27bf, 15},
		{0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b55, 5}, {0x2e80, 0x303e, 1}, {0x3041, 0x3247, 1},
		{0x3250, 0x4dbf, 1}, {0x4e00, 0xa4cf, 1}, {0xa960, 0xa97c, 1}, {0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1}, {0xfe10, 0xfe19, 1}, {0xfe30, 0xfe6f, 1}, {0xff01, 0xff60, 1},
		{0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x16ff1, 1}, {0x17000, 0x18d08, 1}, {0x1aff0, 0x1b2fb, 1}, {0x1f004, 0x1f004, 1},
		{0x1f0cf, 0x1f18e, 191}, {0x1f191, 0x1f19a, 1}, {0x1f200, 0x1f320, 1}, {0x1f32d, 0x1f335, 1},
		{0x1f337, 0x1f37c, 1}, {0x1f37e, 0x1f393, 1}, {0x1f3a0, 0x1f3ca, 1}, {0x1f3cf, 0x1f3d3, 1},
		{0x1f3e0, 0x1f3f0, 1}, {0x1f3f4, 0x1f3f4, 1}, {0x1f3f8, 0x1f43e, 1}, {0x1f440, 0x1f440, 1},
		{0x1f442, 0x1f4fc, 1}, {0x1f4ff, 0x1f53d, 1}, {0x1f54b, 0x1f54e, 1}, {0x1f550, 0x1f567, 1},
		{0x1f57a, 0x1f57a, 1}, {0x1f595, 0x1f596, 1}, {0x1f5a4, 0x1f5a4, 1}, {0x1f5fb, 0x1f64f, 1},
		{0x1f680, 0x1f6c5, 1}, {0x1f6cc, 0x1f6cc, 1}, {0x1f6d0, 0x1f6d2, 1}, {0x1f6d5, 0x1f6df, 1},
		{0x1f6eb, 0x1f6ec, 1}, {0x1f6f4, 0x1f6fc, 1}, {0x1f7e0, 0x1f7f0, 1}, {0x1f90c, 0x1f93a, 1},
		{0x1f93c, 0x1f945, 1}, {0x1f947, 0x1f9ff, 1}, {0x1fa70, 0x1faff, 1}, {0x20000, 0x3fffd, 1},
	},
}
