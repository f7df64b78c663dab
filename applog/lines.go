package applog

import (
	"bytes"
	"html"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc"
)

// maxPieces bounds how many lines of one record are read.
const maxPieces = 2000

// isSeveral tells a record that has more than one line, or text that was escaped
// on its way: a traceback in one message of the journal, in a string of JSON or
// of Python, in a page.
func isSeveral(text []byte) bool {
	return bytes.IndexByte(text, '\n') >= 0 || isEscaped(text) || isHTML(text)
}

// isEscaped tells a line that is, or has in it, a quoted string with escapes.
func isEscaped(text []byte) bool {
	if bytes.IndexByte(text, '\\') < 0 || bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, '\'') < 0 {
		return false
	}
	if bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte(`File "`)) {
		return false // "torch\nn\modules": a path of Windows
	}
	return bytes.Contains(text, []byte(`\n`)) || bytes.Contains(text, []byte(`\"`)) || bytes.Contains(text, []byte(`\u00`))
}

func isHTML(text []byte) bool {
	if bytes.IndexByte(text, '&') < 0 {
		return false
	}
	for _, entity := range []string{"&#39;", "&#x27;", "&quot;", "&lt;", "&gt;", "&amp;", "&#34;", "&nbsp;"} {
		if bytes.Contains(text, []byte(entity)) {
			return true
		}
	}
	return false
}

// pieces gives the lines of a record, their escapes undone.
func pieces(text []byte) [][]byte {
	if isHTML(text) {
		text = []byte(html.UnescapeString(string(text)))
		for _, end := range []string{"<br>", "<br/>", "<br />"} {
			text = bytes.ReplaceAll(text, []byte(end), []byte("\n"))
		}
	}
	for range 2 { // a message of JSON inside a message of JSON
		if !isEscaped(text) {
			break
		}
		text = unescaped(text)
	}
	return bytes.SplitN(text, []byte("\n"), maxPieces)
}

// unescaped undoes the escapes of JSON (RFC 8259, section 7), which are nearly
// those of Python, Go and slog as well; what is none stays.
func unescaped(text []byte) []byte {
	plain := make([]byte, 0, len(text))
	for {
		at := bytes.IndexByte(text, '\\')
		if at < 0 || at+1 >= len(text) {
			return append(plain, text...)
		}
		plain = append(plain, text[:at]...)
		size := 2
		switch c := text[at+1]; c {
		case 'n':
			plain = append(plain, '\n')
		case 'r':
		case 't':
			plain = append(plain, '\t')
		case '"', '\'', '/', '\\':
			plain = append(plain, c)
		case 'u':
			char, ok := unicodeEscape(text[at:])
			if !ok {
				plain = append(plain, '\\', 'u')
				break
			}
			plain, size = utf8.AppendRune(plain, char), len(`\u001b`)
		default:
			plain = append(plain, '\\', c)
		}
		text = text[at+size:]
	}
}

func unicodeEscape(text []byte) (char rune, ok bool) {
	if len(text) < len(`\u001b`) {
		return 0, false
	}
	for _, c := range text[2:6] {
		switch {
		case isDigit(c):
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		char = char<<4 | rune(c)
	}
	return char, true
}

// A wrapping puts the lines together again that a terminal cut at its width: a
// copy from its window, of script(1) with a pager, of a chat. It knows them by
// their equal width and by the next that begins in the middle.
type wrapping struct {
	rec    oomdoc.Record
	text   []byte // what is held, joined
	first  int    // the length of the first line in it
	width  int    // in characters; 0 when nothing is held
	last   int    // the length of the last line in it
	lines  int
	hit    bool // something that is looked for stands in it
	quoted bool // it stands in a document's block
}

// The widths of terminals that a single line is believed: two equal lines tell
// any other.
func isTerminalWidth(width int) bool {
	switch width {
	case 80, 100, 120, 132, 160:
		return true
	}
	return false
}

const (
	minWidth = 60
	maxWidth = 512
)

// widthOf is how wide a line stood in its log, head and all; 0 where that tells
// nothing.
func widthOf(rec *oomdoc.Record) int {
	raw := rec.Raw
	if len(raw) == 0 {
		raw = rec.Text
	}
	if rec.Journal != nil || len(raw) < minWidth || len(raw) > maxWidth*utf8.UTFMax {
		return 0
	}
	if width := utf8.RuneCount(raw); width >= minWidth && width <= maxWidth {
		return width
	}
	return 0
}

// hold keeps a line that may go on in the next.
func (w *wrapping) hold(rec *oomdoc.Record, width int, hit, quoted bool) {
	w.text = append(w.text[:0], rec.Text...)
	w.rec = *rec
	w.rec.Writer = bytes.Clone(rec.Writer)
	w.first, w.last, w.width, w.lines = len(rec.Text), len(rec.Text), width, 1
	w.hit, w.quoted = hit, quoted
}

// goesOn tells that a line is the rest of the one that is held.
func (w *wrapping) goesOn(rec *oomdoc.Record, width int) bool {
	text := rec.Text
	switch {
	case rec.Journal != nil, len(text) == 0, w.lines > maxSentence, len(w.text) > maxText:
		return false
	case !rec.Continued && (len(rec.Writer) > 0 || !rec.Time.IsZero() || rec.Usec != oomdoc.NoUsec):
		return false // it has a head of its own
	case width > w.width, width != w.width && w.lines == 1 && !isTerminalWidth(w.width):
		return false
	case bytes.IndexByte([]byte("[({<"), text[0]) >= 0, bytes.HasPrefix(text, []byte("  ")), text[0] == '\t':
		return false
	}
	if _, stamped := stampIn(text[:min(len(text), 24)]); stamped || beginsRecord(text) {
		return false
	}
	return commonPrefix(w.text[:w.first], text) < 6
}

// beginsRecord tells words that lines of programs begin with.
func beginsRecord(text []byte) bool {
	for _, start := range []string{"Traceback", "INFO", "ERROR", "WARN", "DEBUG", "CRITICAL", "FATAL", "Exception", "During handling", "    "} {
		if bytes.HasPrefix(text, []byte(start)) {
			return true
		}
	}
	return beginsWithName(text)
}

// beginsWithName tells "alloc_tensor_range: " and "RuntimeError: ": the name of
// who speaks, which stands at the beginning of a line.
func beginsWithName(text []byte) bool {
	at := 0
	for at < len(text) && (text[at] == '_' || text[at] == '.' || startsWord(text[at:]) || at > 0 && isDigit(text[at])) {
		at++
	}
	return at > 2 && bytes.HasPrefix(text[at:], []byte(": "))
}

func commonPrefix(a, b []byte) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// seam is the text around the place where a line would go on in the next.
func (w *wrapping) seam(next []byte, reach int, buffer []byte) []byte {
	tail := w.text[max(0, len(w.text)-min(reach, w.last)):]
	return append(append(buffer[:0], tail...), next[:min(len(next), reach)]...)
}

// add joins the next line.
func (w *wrapping) add(rec *oomdoc.Record) {
	w.text = append(w.text, rec.Text...)
	w.last = len(rec.Text)
	w.lines++
}

// take gives the whole as one record.
func (w *wrapping) take() *oomdoc.Record {
	w.width = 0
	w.rec.Text, w.rec.Raw = w.text, w.text
	return &w.rec
}
