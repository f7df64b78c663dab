package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// A mark is a text that a program prints, and what is read of the line that has
// it. Every mark of a line is read, in the order in which they stand there.
type mark struct {
	literal string
	read    func(*scene, *span)
}

// A dialect are the marks of one engine: one file each.
type dialect func() []mark

// A span is the part of a line that a mark was found in.
type span struct {
	*line
	// head is what stands before the literal, body begins with it. A progress bar
	// that was drawn over (carriage returns) is in neither.
	head, body []byte
	literal    string
}

// cut finds a mark's literal in a line.
func (l *line) cut(literal string) (span, bool) {
	at := bytes.Index(l.text, []byte(literal))
	if at < 0 {
		return span{}, false
	}
	head, body := l.text[:at], l.text[at:]
	if drawn := bytes.LastIndexByte(head, '\r'); drawn >= 0 {
		head = head[drawn+1:]
	}
	if drawn := bytes.IndexByte(body, '\r'); drawn >= 0 {
		body = body[:drawn]
	}
	return span{line: l, head: head, body: body, literal: literal}, true
}

// rest is what follows the literal.
func (sp *span) rest() []byte { return sp.body[len(sp.literal):] }

// shows is the line as evidence, without what was drawn over.
func (sp *span) shows() string {
	text := make([]byte, 0, len(sp.head)+len(sp.body))
	return withoutSecrets(append(append(text, sp.head...), sp.body...), defaultMaxRecordBytes)
}

// clue is one of this line.
func (sp *span) clue(kind oomdoc.ClueKind) oomdoc.Clue {
	return oomdoc.Clue{Kind: kind, Line: sp.shows()}
}
