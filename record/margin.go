package record

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// maxMargin is how much may stand before a line that was copied: the name of a
// file with grep's number, a time that only another program prints, a mark.
const maxMargin = 160

// maxUptime, in microseconds, is the longest that a machine runs: ten years. A
// larger number in brackets is a time of day.
const maxUptime = 10 * 366 * 24 * int64(time.Hour/time.Microsecond)

// withoutMargin reads a line of a kernel log that was copied with something
// before it: blanks, a mark, grep's file and number, a time and host of a form
// of their own. What remains must begin as only a log does.
func (d *Decoder) withoutMargin(line []byte, rec *oomdoc.Record) bool {
	if d.inner.width > 0 && blanks(line) >= d.inner.width {
		d.inner.fill(rec, line)
		return true
	}
	start := line[:min(len(line), maxMargin)]
	for _, size := range []int{copyMarks(start), stampIn(line, len(start)), d.tagIn(start)} {
		if size > 0 && !isProgram(line[:size]) && d.afterMargin(line, size, rec) {
			return true
		}
	}
	return false
}

// afterMargin reads what follows a margin.
func (d *Decoder) afterMargin(line []byte, size int, rec *oomdoc.Record) bool {
	place := *rec
	rec.Text = line[size:]
	if !d.unwrap(rec) || rec.Continued {
		*rec = place
		return false
	}
	d.inner.width += size
	if rec.Time.IsZero() {
		d.timeIn(line[:size], rec)
	}
	return true
}

// kernelTag is how syslog marks what the kernel said.
const kernelTag = "kernel:"

// tagIn finds the kernel's tag in the first bytes of a line.
func (d *Decoder) tagIn(start []byte) int {
	at := bytes.Index(start, []byte(kernelTag))
	if at <= 0 || !isSpacing(start[at-1]) {
		return 0
	}
	if !d.goesOn() && !d.wentOn() && len(bytes.Fields(start[:at])) > fewWords {
		return 0
	}
	return at
}

// fewWords are no sentence yet: a host, or marks in place of a time and a host.
const fewWords = 2

// copyMarks is the size of the blanks and marks at the start of a copied line:
// an indent, a list's mark, the number of cat -n, grep's file and number.
func copyMarks(line []byte) int {
	size := blanks(line)
	for _, mark := range []string{"- ", "* ", "+ ", "| ", "# "} {
		if bytes.HasPrefix(line[size:], []byte(mark)) {
			return size + len(mark)
		}
	}
	if _, digits := number(line[size:]); digits > 0 && size+digits < len(line) && isSpacing(line[size+digits]) {
		return size + digits + blanks(line[size+digits:])
	}
	if size > 0 {
		return size
	}
	return grepMark(line)
}

// grepMark is the size of "FILE:", "FILE:123:" and "123:".
func grepMark(line []byte) int {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || bytes.ContainsAny(line[:colon], " \t[") {
		return 0
	}
	size := colon + 1
	if _, digits := number(line[size:]); digits > 0 && separated(line, size+digits, ':') {
		size += digits + 1
	}
	return size
}

func blanks(b []byte) int {
	at := 0
	for at < len(b) && isSpacing(b[at]) {
		at++
	}
	return at
}

func isSpacing(c byte) bool { return c == ' ' || c == '\t' }

// stampIn finds the kernel's own stamp in the first bytes of a line.
func stampIn(line []byte, within int) int {
	for at := 0; at < within; at++ {
		next := bytes.IndexByte(line[at:within], '[')
		if next < 0 {
			return 0
		}
		at += next
		if size, usec := uptime(line[at:]); size > 0 && usec < maxUptime {
			return at
		}
	}
	return 0
}

// goesOn tells whether the line after the current one names the kernel as well:
// a report has many lines, while one line can be anybody's words.
func (d *Decoder) goesOn() bool {
	next := d.lines.peek()
	return bytes.Contains(next[:min(len(next), maxMargin)], []byte(kernelTag))
}

// wentOn tells that the line before was found like this one.
func (d *Decoder) wentOn() bool { return string(d.inner.writer) == kernelTag[:len(kernelTag)-1] }

// isProgram tells a margin with the tag of a program, "app[77]: ": the line is
// its words.
func isProgram(margin []byte) bool {
	end := bytes.LastIndex(margin, []byte("]: "))
	if end < 0 {
		return false
	}
	open := bytes.LastIndexByte(margin[:end], '[')
	if open <= 0 {
		return false
	}
	_, digits := number(margin[open+1 : end])
	return digits > 0 && digits == end-open-1
}

// timeIn takes the time that stands somewhere in a margin.
func (d *Decoder) timeIn(margin []byte, rec *oomdoc.Record) {
	for at := range margin {
		if at > 0 && !isSpacing(margin[at-1]) && margin[at-1] != ':' && margin[at-1] != '[' {
			continue
		}
		var s stamp
		if s.isoApart(margin[at:]) > 0 || s.syslog(margin[at:]) > 0 {
			d.setTime(&s, rec)
			return
		}
	}
}

// isoApart reads an ISO 8601 stamp whose date and time may stand apart,
// "2026-12-01 01:43:39".
func (s *stamp) isoApart(b []byte) int {
	if size := s.iso(b); size > 0 {
		return size
	}
	at := s.date(b)
	if at == 0 || !separated(b, at, ' ') {
		return 0
	}
	size := s.clockTime(b[at+1:])
	if size == 0 {
		return 0
	}
	at += 1 + size
	at += s.pointFraction(b[at:])
	return at + s.numericZone(b[at:])
}

// withoutQuotes drops the marks of a quoted mail or a quoting page, "> > ".
func withoutQuotes(line []byte) []byte {
	for len(line) > 1 && line[0] == '>' && (line[1] == ' ' || line[1] == '>') {
		line = line[1:]
		if line[0] == ' ' {
			line = line[1:]
		}
	}
	return line
}
