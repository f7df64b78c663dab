package view_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/view"
)

func TestEscapeShowsWhatATerminalWouldAct(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"plain text", "python3 train.py", "python3 train.py"},
		{"backslashes stay, so that a unit can be copied", `dev\x2dsda.device`, `dev\x2dsda.device`},
		{"escape sequence", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"window title and bell", "\x1b]0;own\x07", `\x1b]0;own\x07`},
		{"tab, newline, return", "a\tb\nc\rd", `a\tb\nc\rd`},
		{"NUL, backspace, DEL", "\x00\x08\x7f", `\x00\x08\x7f`},
		{"C1 control as UTF-8", "\u009b2J\u0085", `\u009b2J\u0085`},
		{"C1 control as a raw byte", "\x9b2J\x90", `\x9b2J\x90`},
		{"bytes that are not UTF-8", "a\xff\xc3(\xed\xa0\x80", `a\xff\xc3(\xed\xa0\x80`},
		{"the replacement character itself", "\ufffd", "\ufffd"},
		{"direction controls", "\u202eevil\u2066\u2069\u200f\u061c", `\u202eevil\u2066\u2069\u200f\u061c`},
		{"line separators", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"spaces that look like one or none", "a\u00a0b\u200bc\u3000\ufeff", `a\u00a0b\u200bc\u3000\ufeff`},
		{"joiners and what hides in them", "a\u200db\u034f\u2060\ufe0f", `a\u200db\u034f\u2060\ufe0f`},
		{"blank letters", "\u3164\uffa0\u115f\u2800", `\u3164\uffa0\u115f\u2800`},
		{"tags and private use", "\U000e0041\U0010fffd\ue000", `\U000e0041\U0010fffd\ue000`},
		{"Korean, Chinese, an emoji, a mark", "한글 中文 🔥 e\u0301", "한글 中文 🔥 e\u0301"},
	} {
		if got := view.Escape(test.in); got != test.want {
			t.Errorf("%s: Escape(%q) = %q, want %q", test.name, test.in, got, test.want)
		}
	}
}

// harmful tells a character that must never reach a terminal. It is said in
// other words than Escape's own rule.
func harmful(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func FuzzEscapeNeverLetsAControlCharacterOut(f *testing.F) {
	for _, seed := range []string{"", "plain", "\x1b[2J", "\u009b", "\x9b", "\xc2", "\u202e", "a\nb", "\U000e0001", "한글🔥"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := view.Escape(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Escape(%q) = %q is not UTF-8", s, got)
		}
		if at := strings.IndexFunc(got, harmful); at >= 0 {
			t.Errorf("Escape(%q) lets %q out", s, got[at:])
		}
		if again := view.Escape(got); again != got {
			t.Errorf("Escape is not idempotent: %q, then %q", got, again)
		}
	})
}
