package systemd

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ellipsis ends text that was cut.
const ellipsis = "..."

// clean makes text from outside safe for a journal entry of one line: what is
// not printable (control characters, newlines, direction controls, bytes that
// are not UTF-8) becomes a visible escape. journalctl would print a message
// with such bytes as "[27B blob data]". At most limit bytes come out, and at
// most that many are looked at.
//
// Backslashes stay as they are, so that a unit name can be copied.
func clean(s string, limit int) string {
	cut := len(s) > limit
	if cut {
		s = wholeCharacters(s[:limit])
	} else if isPlain(s) {
		return s
	}
	var text strings.Builder
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		piece := visible(r, s[at:at+size])
		if text.Len()+len(piece) > limit {
			cut = true
			break
		}
		text.WriteString(piece)
		at += size
	}
	if cut {
		return shorten(text.String(), limit)
	}
	return text.String()
}

// visible is how one character is written; raw are its bytes.
func visible(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case strconv.IsPrint(r):
		return raw
	}
	quoted := strconv.QuoteRune(r)
	return quoted[1 : len(quoted)-1]
}

// wholeCharacters drops the last character of s when the end of s cut it.
func wholeCharacters(s string) string {
	for at := len(s) - 1; at >= 0 && at > len(s)-utf8.UTFMax; at-- {
		if utf8.RuneStart(s[at]) {
			if !utf8.FullRuneInString(s[at:]) {
				return s[:at]
			}
			break
		}
	}
	return s
}

// shorten ends text with an ellipsis, within limit bytes and between characters.
func shorten(s string, limit int) string {
	end := min(len(s), max(0, limit-len(ellipsis)))
	for end > 0 && end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + ellipsis
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
