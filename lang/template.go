package lang

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A piece is one part of a template: words as they stand, or a fact.
type piece struct {
	words string
	name  string   // of the fact; "" when the piece is words
	forms []string // the words that go with the number: one, other
}

// pieces takes a template apart, piece by piece. A brace that is not closed is
// words: a template may be wrong, but it never stops a report.
func pieces(template string) func(yield func(piece) bool) {
	return func(yield func(piece) bool) {
		for template != "" {
			var next piece
			next, template = cutPiece(template)
			if !yield(next) {
				return
			}
		}
	}
}

// cutPiece takes the first piece off a template that is not empty.
func cutPiece(template string) (piece, string) {
	open := strings.IndexByte(template, '{')
	switch {
	case open < 0:
		return piece{words: template}, ""
	case open > 0:
		return piece{words: template[:open]}, template[open:]
	case strings.HasPrefix(template, "{{"):
		return piece{words: "{"}, template[2:]
	}
	body, rest, closed := strings.Cut(template[1:], "}")
	if !closed {
		return piece{words: template}, ""
	}
	parts := strings.Split(body, "|")
	return piece{name: parts[0], forms: parts[1:]}, rest
}

// fill writes a template with its facts.
func (l *Language) fill(template string, args oomdoc.Args) string {
	var text strings.Builder
	for p := range pieces(template) {
		if p.name == "" {
			text.WriteString(p.words)
			continue
		}
		value, has := args[p.name]
		if !has {
			text.WriteString("{" + p.name + "?}")
			continue
		}
		if len(p.forms) == 0 {
			text.WriteString(l.value(value))
			continue
		}
		text.WriteString(l.counted(value, p.forms))
	}
	return text.String()
}

// counted writes a number with its word: "1 record", "12,000 records"; Korean has
// one form, and no space before it. A value that is no count stands with the last
// form.
func (l *Language) counted(value oomdoc.Value, forms []string) string {
	gap := " "
	if l.tag == Korean {
		gap = ""
	}
	if value.Kind != oomdoc.KindCount {
		return l.value(value) + gap + forms[len(forms)-1]
	}
	form := forms[len(forms)-1]
	if value.N == 1 {
		form = forms[0]
	}
	return Grouped(value.N) + gap + form
}

// value writes one fact by its kind.
func (l *Language) value(v oomdoc.Value) string {
	switch v.Kind {
	case oomdoc.KindBytes:
		return l.Bytes(v.N)
	case oomdoc.KindCount:
		return plain(v.N)
	case oomdoc.KindPercent:
		return l.Percent(v.P)
	case oomdoc.KindDuration:
		return l.duration(v.N)
	case oomdoc.KindTime:
		return l.instant(v.N)
	case oomdoc.KindText:
		return v.S
	case oomdoc.KindSentence:
		// A word has no facts of its own, so words cannot call each other
		// without end.
		return l.Text(oomdoc.Say(oomdoc.Key(v.S), nil))
	}
	return "[" + string(v.Kind) + "?]"
}
