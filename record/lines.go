package record

import (
	"bytes"
	"errors"
	"io"
)

// A lineReader cuts a stream into lines without copying them. Its buffer never
// grows: of a line longer than max the first max bytes are given, the rest is
// read and dropped.
type lineReader struct {
	in  io.Reader
	buf []byte
	max int

	next   int   // where the line after the current one starts in buf
	end    int   // where the read bytes end in buf
	base   int64 // offset in the stream of buf[0]
	err    error // why there is nothing more to read; io.EOF at the end
	rest   bool  // the current line was cut, its rest is still to be dropped
	start  int   // where the current line starts in buf
	length int   // its length, without its end
	cut    bool  // the current line is only the beginning of a longer one
}

// bufferSize is how much is read at once: enough that reading costs little,
// small enough to stay in a processor's second-level cache.
const bufferSize = 256 << 10

func newLineReader(in io.Reader, maxLine int, small bool) *lineReader {
	const lines = 3 // the current one, the next, and room to read on
	size := lines * maxLine
	if !small {
		size = max(bufferSize, size)
	}
	return &lineReader{in: in, max: maxLine, buf: make([]byte, size)}
}

// read goes to the next line. The line is without "\n" or "\r\n", and valid
// until the next call.
func (l *lineReader) read() ([]byte, error) {
	if l.rest {
		if err := l.drop(); err != nil {
			return nil, err
		}
	}
	l.start, l.cut = l.next, false
	searched := 0
	for {
		if at := bytes.IndexByte(l.buf[l.start+searched:l.end], '\n'); at >= 0 {
			l.length = searched + at
			l.next = l.start + l.length + 1
			break
		}
		searched = l.end - l.start
		if searched > l.max || l.err != nil {
			break
		}
		l.fill()
	}
	if l.next == l.start { // no end of line
		if searched == 0 {
			return nil, l.err
		}
		l.length = searched
		l.next = l.start + searched
		l.rest = l.err == nil
	}
	if l.length > l.max {
		l.length, l.cut = l.max, true
	}
	return l.line(), nil
}

// line is the current line.
func (l *lineReader) line() []byte {
	line := l.buf[l.start : l.start+l.length]
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line
}

// moved says that reading on has moved the current line, which was here. It is
// not empty.
func (l *lineReader) moved(line []byte) bool { return &l.buf[l.start] != &line[0] }

// offset is where the current line starts in the stream.
func (l *lineReader) offset() int64 { return l.base + int64(l.start) }

// drop reads up to the end of the line that was cut.
func (l *lineReader) drop() error {
	for {
		if at := bytes.IndexByte(l.buf[l.next:l.end], '\n'); at >= 0 {
			l.next += at + 1
			l.rest = false
			return nil
		}
		l.next = l.end
		l.start = l.end
		if l.err != nil {
			return l.err
		}
		l.fill()
	}
}

// skip passes over the next n bytes of the stream.
func (l *lineReader) skip(n uint64) {
	for n > 0 {
		have := min(n, uint64(l.end-l.next))
		l.next += int(have)
		n -= have
		if n == 0 || l.err != nil {
			return
		}
		l.start = l.next
		l.fill()
	}
}

// take gives the next n bytes of the stream, n at most max; fewer only where
// the stream ends. They are the current line then.
func (l *lineReader) take(n int) []byte {
	l.start = l.next
	for l.end-l.start < n && l.err == nil {
		l.fill()
	}
	l.length = min(n, l.end-l.start)
	l.next = l.start + l.length
	return l.buf[l.start:l.next]
}

// peek gives the line after the current one where it is already in the buffer,
// else nil: it never waits.
func (l *lineReader) peek() []byte {
	rest := l.buf[l.next:l.end]
	at := bytes.IndexByte(rest, '\n')
	if at < 0 && l.err != nil {
		at = len(rest)
	}
	if at < 0 || at > l.max {
		return nil
	}
	return bytes.TrimRight(rest[:at], "\r")
}

// await reads on until peek has an answer. That can move the current line: get
// it again by line.
func (l *lineReader) await() {
	for l.err == nil && !l.cut && l.end-l.next <= l.max && bytes.IndexByte(l.buf[l.next:l.end], '\n') < 0 {
		l.fill()
	}
}

// follows says whether the next line starts with c. It reads on where that is
// not known yet, which can move the current line: get it again by line.
func (l *lineReader) follows(c byte) bool {
	for l.next == l.end {
		if l.err != nil || l.cut {
			return false
		}
		l.fill()
	}
	return l.buf[l.next] == c
}

// extend makes the next line a part of the current one, unless they would be
// longer than max together.
func (l *lineReader) extend() bool {
	searched := 0
	for {
		at := bytes.IndexByte(l.buf[l.next+searched:l.end], '\n')
		if at < 0 {
			searched = l.end - l.next
		} else {
			searched += at
		}
		if l.next+searched-l.start > l.max || l.cut {
			return false
		}
		if at >= 0 || l.err != nil {
			l.length = l.next + searched - l.start
			l.next = min(l.next+searched+1, l.end)
			return true
		}
		l.fill()
	}
}

// fill reads more, after making room in front by moving the current line.
func (l *lineReader) fill() {
	if l.end == len(l.buf) {
		moved := copy(l.buf, l.buf[l.start:l.end])
		l.base += int64(l.start)
		l.next -= l.start
		l.end, l.start = moved, 0
	}
	// A reader may give nothing without an error, but not for ever.
	const patience = 100
	for range patience {
		n, err := l.in.Read(l.buf[l.end:])
		l.end += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// failure is the reading error, nil when the stream ended as it should.
func (l *lineReader) failure() error {
	if errors.Is(l.err, io.EOF) {
		return nil
	}
	return l.err
}

// nextOffset is where the line after the current one starts in the stream.
func (l *lineReader) nextOffset() int64 { return l.base + int64(l.next) }

// wholeLines are the lines after the current one that are in the buffer.
func (l *lineReader) wholeLines() []byte {
	rest := l.buf[l.next:l.end]
	if l.err != nil {
		return rest
	}
	return rest[:bytes.LastIndexByte(rest, '\n')+1]
}

// readAhead reads more behind what is in the buffer. It gives false where that
// leaves no room to.
func (l *lineReader) readAhead() bool {
	l.start = l.next
	if l.end-l.start > len(l.buf)/2 {
		return false
	}
	l.fill()
	return true
}
