package kmsg

import "strings"

// textsRoom is how many bytes of small texts share one piece of memory: the
// counters of a cgroup and a call trace are about as much. A text that is kept
// keeps no more than such a piece.
const textsRoom = 2 << 10

// texts copies the many small texts of a report, which would be an allocation
// each, into few pieces of memory. It must not be copied itself.
type texts struct {
	piece strings.Builder
}

// add copies a text.
func (t *texts) add(text []byte) string {
	if t.piece.Cap()-t.piece.Len() < len(text) {
		t.piece = strings.Builder{} // the texts in it stay as they are
		t.piece.Grow(max(textsRoom, len(text)))
	}
	from := t.piece.Len()
	t.piece.Write(text)
	return t.piece.String()[from:]
}
