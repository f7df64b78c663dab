package view

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes text from outside safe for a terminal: control characters of
// either set (C0, C1, DEL), bytes that are not UTF-8, direction controls, line
// separators and characters that nobody can see become visible escapes (\x1b,
// \x9b, \u202e, \n). Spaces other than U+0020 are among them. Backslashes stay
// as they are, so that a unit name (dev\x2dsda.device) can still be copied.
//
// Its output is UTF-8 without a control character; escaping it again changes
// nothing.
func Escape(s string) string {
	if isPlain(s) {
		return s
	}
	var text strings.Builder
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&text, `\x%02x`, s[at])
		case isShown(r):
			text.WriteRune(r)
		default:
			text.WriteString(escaped(r))
		}
		at += size
	}
	return text.String()
}

// isPlain tells text of printable ASCII, the usual case.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// escaped writes a character that must not reach the terminal.
func escaped(r rune) string {
	switch {
	case r == '\t':
		return `\t`
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r < utf8.RuneSelf:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// isShown tells a character that a terminal shows and does nothing else with.
// unicode.IsPrint leaves out the categories C (control, format, private,
// unassigned) and Z but for U+0020.
func isShown(r rune) bool {
	return unicode.IsPrint(r) && !unicode.Is(invisible, r)
}

// invisible are the letters, marks and symbols that show nothing: the
// Default_Ignorable_Code_Point characters outside category Cf (Unicode 15,
// DerivedCoreProperties.txt) and blank symbols. Names that look alike could be
// made with them.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180b, Hi: 0x180f, Stride: 1}, // Mongolian variation selectors
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // Braille blank
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1}, // variation selectors
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // halfwidth Hangul filler
	},
	R32: []unicode.Range32{
		{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}, // musical null notehead
		{Lo: 0xe0100, Hi: 0xe01ef, Stride: 1}, // variation selectors
	},
}
