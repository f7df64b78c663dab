package record

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// A tag is what stands between the time and the text of a syslog line:
// "node1 kernel: ", "node1 systemd[1]: ", "kernel: ", "node1 kernel:[12.3] ".
type tag struct {
	found   bool
	name    []byte
	pid     bool   // a process id stood behind the name
	level   int    // of busybox's "kern.warn", or unknown
	text    []byte // what follows
	tagless []byte // what follows the host when there is no tag
}

// sure tells a tag that kernel text hardly ever looks like.
func (t *tag) sure() bool { return t.pid || string(t.name) == "kernel" }

// maxTag bounds host and tag. RFC 3164 allows 32 characters for the tag,
// unit names are longer.
const maxTag = 256

// parseTag reads host and tag.
func parseTag(b []byte) tag {
	t := tag{level: oomdoc.PriorityUnknown, tagless: b}
	if t.read(b) { // no host was printed
		return t
	}
	blank := bytes.IndexByte(b[:min(len(b), maxTag)], ' ')
	if blank < 0 || isLevel(b[:blank]) {
		return t // a logger's own line: "2026-01-08T15:02:49Z ERROR target: text"
	}
	t.tagless = b[blank+1:]
	if level, size := busyboxLevel(t.tagless); size > 0 {
		t.level, t.tagless = level, t.tagless[size:]
	}
	t.read(t.tagless)
	return t
}

// isLevel tells a logger's level, which no machine is named.
func isLevel(word []byte) bool {
	switch string(word) {
	case "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL":
		return true
	}
	return false
}

// read reads "name: ", "name[12]: " or "name:" at the start of b.
func (t *tag) read(b []byte) bool {
	if text, found := bytes.CutPrefix(b, []byte("[kernel] ")); found { // metalog
		t.found, t.name, t.text = true, b[1:len("[kernel")], text
		return true
	}
	at := 0
	for at < len(b) && at < maxTag && b[at] != ':' && b[at] != '[' && b[at] > ' ' {
		at++
	}
	name := at
	if separated(b, at, '[') {
		_, size := number(b[at+1:])
		if size == 0 || !separated(b, at+1+size, ']') {
			return false
		}
		t.pid = true
		at += 1 + size + 1
	}
	if name == 0 || !separated(b, at, ':') {
		t.pid = false
		return false
	}
	text := b[at+1:]
	switch {
	case len(text) > 0 && text[0] == ' ':
		text = text[1:]
	case len(text) > 0 && string(b[:name]) != "kernel": // "a::b" is no tag
		t.pid = false
		return false
	}
	t.found, t.name, t.text = true, b[:name], text
	return true
}

// busyboxLevel reads the "kern.warn " that busybox's syslogd prints behind the
// host. A program can send any facility there, so only the level is taken.
func busyboxLevel(b []byte) (level, size int) {
	blank := bytes.IndexByte(b[:min(len(b), maxNameBytes)], ' ')
	if blank < 0 {
		return 0, 0
	}
	facility, levelName, found := bytes.Cut(b[:blank], []byte("."))
	if !found {
		return 0, 0
	}
	if _, ok := facilityNamed(facility); !ok {
		return 0, 0
	}
	level, ok := levelNamed(levelName)
	if !ok {
		return 0, 0
	}
	return level, blank + 1
}

// applyTag sets who wrote a line, and gives its text. Any tag but the
// kernel's, and a kernel with a process id, is a program.
func (d *Decoder) applyTag(t tag, rec *oomdoc.Record) []byte {
	if t.level != oomdoc.PriorityUnknown {
		rec.Priority = t.level
	}
	switch {
	case !t.found:
		// Where the kernel's lines have its tag, one without is not the kernel's.
		if d.sawKernel {
			rec.Facility = facilityUser
		}
		return t.tagless
	case t.pid || string(t.name) != "kernel":
		rec.Writer, rec.Facility = t.name, facilityUser
		return t.text
	}
	d.sawKernel = true
	rec.Writer = t.name
	return d.kernelStamp(t.text, rec)
}

// kernelStamp takes the kernel's own stamp from the start of a syslog text:
// rsyslog and syslog-ng leave it in, journald does not.
func (d *Decoder) kernelStamp(text []byte, rec *oomdoc.Record) []byte {
	size, usec := uptime(text)
	if !d.stamped.has(size > 0) {
		return text
	}
	rec.Usec = usec
	return d.caller(text, size, rec)
}

// unescaped undoes rsyslog's escapes into rec.Text, and gives text back.
func (d *Decoder) unescaped(text []byte, rec *oomdoc.Record) []byte {
	rec.Text, d.scratch = unescapeOctal(text, d.scratch)
	return text
}
