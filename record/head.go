package record

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A stampKind is where in a line a time stands, and how it is written.
type stampKind uint8

const (
	noStamp      stampKind = iota
	uptimeStamp            // "[ 2104.979828] ", dmesg and consoles
	bracketStamp           // "[Tue Dec  1 03:51:19 2026] ", "[Dec 1 01:43] "
	deltaStamp             // "[  +0.002367] ", since the record before
	isoStamp               // "2026-12-01T01:43:39+00:00 "
	syslogStamp            // "Dec  1 01:43:39 "
	fullStamp              // "Tue 2026-12-01 03:50:48 UTC ", journalctl -o short-full
	unixStamp              // "1796097048.109213 ", journalctl -o short-unix
)

// decodeHead reads the head of a line of text, sets Text to what follows and
// gives the form and the size of the head; FormBare when there is no head.
func (d *Decoder) decodeHead(line []byte, rec *oomdoc.Record) (Form, int) {
	rest, levelled := levelPrefix(line, rec)
	var s stamp
	kind, size := d.readStamp(rest, &s, rec)
	if kind == noStamp {
		return d.withoutStamp(line, rest, levelled, rec)
	}
	form, text := d.afterStamp(kind, rest, size, &s, rec)
	if form == FormBare {
		rec.Time = time.Time{}
		return FormBare, 0
	}
	head := len(line) - len(text)
	if rec.Text == nil {
		rec.Text = text
	}
	return form, head
}

// withoutStamp reads the heads that do not begin with a time: RFC 5424, dmesg
// --notime with a level, and a journal line of which only the tag was copied.
func (d *Decoder) withoutStamp(line, rest []byte, levelled bool, rec *oomdoc.Record) (Form, int) {
	form := FormSyslog
	switch {
	case levelled && line[0] == '<' && d.protocol(rest, rec):
		size := len(line) - len(rec.Text)
		d.unescaped(rec.Text, rec)
		return form, size
	case levelled:
		form, rec.Text = FormDmesg, rest
	case d.onlyTag(line, rec):
	default:
		return FormBare, 0
	}
	return form, len(line) - len(rec.Text)
}

// onlyTag reads "kernel: [12345.678901] ", which is longer than a process can
// name itself, and "kernel: ", what people leave of a journal's line.
func (d *Decoder) onlyTag(line []byte, rec *oomdoc.Record) bool {
	text, found := bytes.CutPrefix(line, []byte("kernel: "))
	if !found {
		return false
	}
	size, usec := uptime(text)
	if size == 0 {
		rec.Writer, rec.Text = line[:len("kernel")], text
		return len(text) > 0
	}
	rec.Usec, rec.Writer = usec, line[:len("kernel")]
	rec.Text = d.caller(text, size, rec)
	return true
}

// afterStamp reads what stands between the stamp, which is the first size bytes
// of b, and the text. It gives the form and the text as it stands in the line,
// and sets rec.Text only where that differs.
func (d *Decoder) afterStamp(kind stampKind, b []byte, size int, s *stamp, rec *oomdoc.Record) (Form, []byte) {
	rest := b[size:]
	switch kind {
	case uptimeStamp:
		return d.afterUptime(d.caller(b, size, rec), rec)
	case bracketStamp:
		return FormDmesg, d.kernelStamp(d.caller(b, size, rec), rec)
	case deltaStamp:
		return FormDmesg, d.caller(b, size, rec)
	case isoStamp:
		if s.comma { // dmesg --time-format iso
			return FormDmesg, d.caller(b, size, rec)
		}
		return d.afterISO(rest, s, rec)
	case unixStamp:
		if t := parseTag(rest); t.found {
			return FormSyslog, d.applyTag(t, rec)
		}
		return FormBare, nil
	case fullStamp:
		return FormSyslog, d.applyTag(parseTag(rest), rec)
	}
	return FormSyslog, d.unescaped(d.applyTag(parseTag(rest), rec), rec)
}

// afterUptime tells dmesg, where the text follows, from journalctl
// -o short-monotonic, where host and tag do.
func (d *Decoder) afterUptime(rest []byte, rec *oomdoc.Record) (Form, []byte) {
	if d.tagged.settledNo() || rec.Priority != oomdoc.PriorityUnknown {
		return FormDmesg, rest
	}
	t := parseTag(rest)
	switch {
	case !t.found:
		d.tagged.has(false)
	case t.sure():
		if d.tagged.fresh() && d.nextIsUntagged() {
			d.tagged.has(false)
		} else {
			d.tagged.has(true)
		}
	}
	if !t.found || !d.tagged.holds() {
		return FormDmesg, rest
	}
	return FormSyslog, d.applyTag(t, rec)
}

// nextIsUntagged says that the next line begins like this one but has no tag.
func (d *Decoder) nextIsUntagged() bool {
	next := d.lines.peek()
	size, _ := uptime(next)
	if size == 0 {
		return false
	}
	t := parseTag(next[size:])
	return !t.found || !t.sure()
}

// afterISO tells container logs from syslog.
func (d *Decoder) afterISO(rest []byte, s *stamp, rec *oomdoc.Record) (Form, []byte) {
	d.cri = containerLine{}
	if text, line, ok := containerStream(rest); ok {
		d.cri = line
		// A container's own output: whatever it says, it is not the kernel.
		rec.Facility = facilityUser
		return FormContainer, text
	}
	// No syslog daemon prints more than microseconds; container runtimes do.
	const syslogDigits = 6
	if s.digits > syslogDigits {
		return FormContainer, rest
	}
	if t := parseTag(rest); t.found {
		return FormSyslog, d.unescaped(d.applyTag(t, rec), rec)
	}
	return FormContainer, rest
}

// facilityUser is syslog's facility of programs (LOG_USER).
const facilityUser = 1

// containerStream reads the "stderr F " of a CRI log line (Kubernetes, "CRI
// logging format"; kubectl logs --timestamps of the file).
func containerStream(b []byte) (text []byte, line containerLine, ok bool) {
	if len(b) < len("stdout F") || !bytes.HasPrefix(b, []byte("stdout ")) && !bytes.HasPrefix(b, []byte("stderr ")) {
		return nil, line, false
	}
	line.stream = streamOf(b[:len("stdout")])
	b = b[len("stdout "):]
	if b[0] != 'F' && b[0] != 'P' || len(b) > 1 && b[1] != ' ' && b[1] != ':' {
		return nil, line, false
	}
	line.partial = b[0] == 'P'
	_, text, _ = bytes.Cut(b, []byte(" "))
	return text, line, true
}

// levelPrefix reads what dmesg puts before the stamp: "<4>" (-r) or
// "kern  :warn  : " (-x).
func levelPrefix(line []byte, rec *oomdoc.Record) (rest []byte, found bool) {
	if len(line) < len("<0>x") {
		return line, false
	}
	if line[0] == '<' {
		priority, size := number(line[1:])
		if size == 0 || priority > maxPriority || !separated(line, 1+size, '>') {
			return line, false
		}
		rec.Priority = int(priority & 7)
		// dmesg -r prints <4> for facility user too when it reads /dev/kmsg: a
		// zero proves nothing.
		if priority > 7 {
			rec.Facility = int(priority >> 3)
		}
		return line[1+size+1:], true
	}
	name, rest, ok := padded(line)
	if !ok {
		return line, false
	}
	facility, ok := facilityNamed(name)
	if !ok {
		return line, false
	}
	name, rest, ok = padded(rest)
	if !ok {
		return line, false
	}
	level, ok := levelNamed(name)
	if !ok || len(rest) == 0 || rest[0] != ' ' {
		return line, false
	}
	rec.Facility, rec.Priority = facility, level
	return rest[1:], true
}

// padded reads a word that dmesg -x fills up with blanks to six characters,
// and the colon after it.
func padded(b []byte) (word, rest []byte, ok bool) {
	const width = 6
	colon := bytes.IndexByte(b[:min(len(b), maxNameBytes)], ':')
	if colon < width {
		return nil, nil, false
	}
	return bytes.TrimRight(b[:colon], " "), b[colon+1:], true
}
