package record

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc"
)

// decodeJSON reads an object that stands on one line.
func (d *Decoder) decodeJSON(line []byte, rec *oomdoc.Record) Form {
	if line[0] != '{' || len(line) < len(`{"a":1}`) {
		return FormBare
	}
	d.journal.reset()
	d.scratch = readObject(line, &d.journal, d.scratch)
	return d.journal.fill(rec)
}

// readObject gives the fields of a flat JSON object to e. It reads as far as
// the object is valid, so that a line that was cut still gives what it has.
func readObject(object []byte, e *entry, scratch []byte) []byte {
	s := jsonScanner{data: object, scratch: scratch}
	if !s.next('{') {
		return s.scratch
	}
	for {
		name, ok := s.text()
		if !ok {
			return s.scratch
		}
		f := fieldNamed(name)
		if !s.next(':') {
			return s.scratch
		}
		value, ok := s.value()
		if ok {
			e.set(f, value)
		}
		if !s.next(',') {
			return s.scratch
		}
	}
}

// A jsonScanner reads JSON in one pass, without recursion.
type jsonScanner struct {
	data    []byte
	at      int
	scratch []byte // where a string with escapes is written
}

// next passes over blanks and c; false when something else is there.
func (s *jsonScanner) next(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

// peek passes over blanks and gives the byte there, 0 at the end.
func (s *jsonScanner) peek() byte {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// text reads a string, its escapes undone. It is valid until the next string.
func (s *jsonScanner) text() ([]byte, bool) {
	if !s.next('"') {
		return nil, false
	}
	start := s.at
	quote := bytes.IndexByte(s.data[start:], '"')
	if quote >= 0 && bytes.IndexByte(s.data[start:start+quote], '\\') < 0 {
		s.at = start + quote + 1
		return s.data[start : start+quote], true
	}
	return s.escapedText()
}

// escapedText reads the rest of a string that has escapes or no end. What
// stands before a missing end counts.
func (s *jsonScanner) escapedText() ([]byte, bool) {
	s.scratch = s.scratch[:0]
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case '"':
			s.at++
			return s.scratch, true
		case '\\':
			s.escape()
		default:
			s.scratch = append(s.scratch, c)
			s.at++
		}
	}
	return s.scratch, len(s.scratch) > 0
}

// escape undoes one escape (RFC 8259, section 7).
func (s *jsonScanner) escape() {
	if s.at+1 >= len(s.data) {
		s.at = len(s.data)
		return
	}
	c := s.data[s.at+1]
	s.at += 2
	switch c {
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'u':
		s.scratch = utf8.AppendRune(s.scratch, s.unicode())
		return
	}
	s.scratch = append(s.scratch, c)
}

// unicode reads the digits of \uXXXX, and a second such escape where the first
// is the half of a pair.
func (s *jsonScanner) unicode() rune {
	first := s.hex4()
	if !utf16.IsSurrogate(first) {
		return first
	}
	if s.at+1 >= len(s.data) || s.data[s.at] != '\\' || s.data[s.at+1] != 'u' {
		return utf8.RuneError
	}
	s.at += 2
	return utf16.DecodeRune(first, s.hex4())
}

func (s *jsonScanner) hex4() rune {
	var r rune
	for range 4 {
		if s.at >= len(s.data) {
			return utf8.RuneError
		}
		digit := hexDigit(s.data[s.at])
		if digit > 15 {
			return utf8.RuneError
		}
		r = r<<4 | rune(digit)
		s.at++
	}
	return r
}

// value reads any value: a string, the first string of an array, an array of
// numbers as bytes (how the journal writes what is not UTF-8), a number or
// literal as it stands, nothing for null. An object inside is passed over.
func (s *jsonScanner) value() ([]byte, bool) {
	switch s.peek() {
	case '"':
		return s.text()
	case '[':
		s.at++
		if s.peek() == '"' {
			return s.firstOf()
		}
		return s.byteArray()
	case '{':
		s.skipFrom(0)
		return nil, false
	}
	start := s.at
	for s.at < len(s.data) && bytes.IndexByte([]byte(",]} \t\r\n"), s.data[s.at]) < 0 {
		s.at++
	}
	literal := s.data[start:s.at]
	if string(literal) == "null" {
		return nil, true
	}
	return literal, len(literal) > 0
}

// firstOf reads an array of strings, whose bracket is read, and keeps the first.
func (s *jsonScanner) firstOf() ([]byte, bool) {
	first, ok := s.text()
	s.skipFrom(1)
	return first, ok
}

// byteArray reads an array of numbers, whose bracket is read.
func (s *jsonScanner) byteArray() ([]byte, bool) {
	s.scratch = s.scratch[:0]
	for {
		s.peek()
		n, size := number(s.data[s.at:])
		if size == 0 {
			break
		}
		s.at += size
		s.scratch = append(s.scratch, byte(n))
		if !s.next(',') {
			break
		}
	}
	bytesOnly := s.peek() == ']'
	s.skipFrom(1)
	return s.scratch, bytesOnly || s.at >= len(s.data)
}

// skipFrom passes over the rest of objects and arrays of which depth are open.
func (s *jsonScanner) skipFrom(depth int) {
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case '"':
			s.skipText()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth <= 0 {
			return
		}
	}
}

// skipText passes over a string.
func (s *jsonScanner) skipText() {
	for s.at++; s.at < len(s.data); s.at++ {
		switch s.data[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return
		}
	}
	s.at = len(s.data)
}
