package applog

import "bytes"

// A quoting follows whether the lines that go by are the block of a document:
// between the fences of Markdown, or indented below a sentence that ends in a
// colon or in which somebody speaks. What stands there was said of a program, not
// by it.
type quoting struct {
	fence uint64 // line number where the fence was opened, 0 when none is
	named uint64 // line number of the sentence
	above []byte // the beginning of the line before
}

// longestFence bounds a block whose end is missing: what comes later is a log.
const longestFence = 120

// pass takes the next line, and tells that it is quoted. It is short: it sees
// every line of every log.
func (q *quoting) pass(text []byte, count uint64) bool {
	if len(text) < 3 {
		return false
	}
	if bytes.HasPrefix(text, []byte("    ")) && isSpeech(q.above) {
		q.named = count
	}
	q.above = append(q.above[:0], text[:min(len(text), maxSpeech)]...)
	switch {
	case text[0] == '`' && text[1] == '`' && text[2] == '`', text[0] == '~' && text[1] == '~' && text[2] == '~':
		q.toggle(count)
		return true
	case text[0] == ' ':
		if bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("```")) {
			q.toggle(count)
			return true
		}
	case text[len(text)-1] == ':' && isSentence(text):
		q.named = count
	}
	return q.fence > 0 && q.isOpen(count) || q.named > 0 && q.isBelow(text, count)
}

func (q *quoting) toggle(count uint64) {
	if q.isOpen(count) {
		q.fence = 0
		return
	}
	q.fence = count
}

func (q *quoting) isOpen(count uint64) bool { return q.fence > 0 && count-q.fence < longestFence }

// isBelow tells a line that is indented below the sentence.
func (q *quoting) isBelow(text []byte, count uint64) bool {
	const below = 24
	return count-q.named <= below && (bytes.HasPrefix(text, []byte("    ")) || text[0] == '\t')
}

// maxSpeech is how much of a line is looked at to tell that somebody speaks.
const maxSpeech = 160

// isSpeech tells a sentence in which somebody speaks to somebody.
func isSpeech(text []byte) bool {
	if len(text) == 0 || text[0] == ' ' || text[0] == '\t' || !isSentence(text) {
		return false
	}
	speaks := false
	for word := range bytes.FieldsSeq(text) {
		switch wordKind(bytes.TrimRight(word, ".,:;")) {
		case wordPerson:
			speaks = true
		case wordFailure: // so does a program that introduces its error
			return false
		}
	}
	return speaks
}

// isSentence tells words of a language that introduce something: at least four,
// and nothing that a logger writes.
func isSentence(text []byte) bool {
	if bytes.HasPrefix(text, []byte("Traceback")) || len(text) > 200 {
		return false
	}
	plain := 0
	for word := range bytes.FieldsSeq(text) {
		switch wordKind(bytes.TrimRight(word, ".,:;")) {
		case wordPlain, wordPerson:
			plain++
		case wordOther:
			if bytes.IndexByte(word, '[') >= 0 || bytes.IndexByte(word, '=') >= 0 {
				return false
			}
		}
	}
	return plain >= 4
}
