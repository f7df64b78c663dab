package applog

import "bytes"

// A sentence collects a long text that a terminal wrapped or a shipper cut into
// lines: it is read once it is whole.
type sentence struct {
	direct, spaced []byte // the lines put together without and with a blank
	lines          int
}

// maxSentence is how many lines a sentence may have been cut into.
const maxSentence = 16

func newSentence(text []byte) *sentence {
	return &sentence{direct: bytes.Clone(text), spaced: bytes.Clone(bytes.TrimRight(text, " "))}
}

// add puts the next line to it. It gives false when there are too many.
func (s *sentence) add(text []byte) bool {
	if s.lines++; s.lines > maxSentence || len(s.direct) > maxText {
		return false
	}
	s.direct = append(s.direct, text...)
	s.spaced = append(append(s.spaced, ' '), bytes.TrimSpace(text)...)
	return true
}

// best reads both ways of putting it together and takes the one of which more was
// understood: a terminal cuts words, a shipper cuts between them.
func best[T any](s *sentence, read func([]byte) (T, int)) T {
	direct, n := read(s.direct)
	spaced, m := read(s.spaced)
	if m > n {
		return spaced
	}
	return direct
}
