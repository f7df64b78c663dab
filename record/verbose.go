package record

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// verboseIndent is how far journalctl -o verbose indents its fields (systemd,
// src/shared/logs-show.c, output_verbose).
const verboseIndent = 4

// A verboseField is the last field of an entry: its value may go on in lines
// that are indented as far as the value began.
type verboseField struct {
	field field
	width int
}

// opensVerbose tells the first line of an entry of journalctl -o verbose: the
// time, and the cursor in brackets.
func (d *Decoder) opensVerbose(line []byte) bool {
	if line[len(line)-1] != ']' {
		return false
	}
	at := bytes.LastIndex(line, []byte(" [s=")) + 1
	if at == 0 {
		return false
	}
	var s stamp
	if size := d.full(line[:at], &s); size != at {
		return false
	}
	d.journal.reset()
	d.exportAt = d.lines.offset()
	d.journal.realtime = d.calendar.time(s).UnixMicro()
	d.journal.approximate = s.approximate
	d.journal.fields |= 1 << fieldRealtime
	for part := range bytes.SplitSeq(line[at+1:len(line)-1], []byte(";")) {
		if value, found := bytes.CutPrefix(part, []byte("m=")); found {
			d.journal.monotonic = hexMicros(value)
		}
	}
	d.verbose = verboseField{}
	d.inVerbose = d.lines.follows(' ')
	return true
}

// hexMicros reads a time of a cursor.
func hexMicros(digits []byte) int64 {
	const most = 15 // of 63 bits
	var usec int64
	for _, c := range digits {
		digit := hexDigit(c)
		if digit > 15 || len(digits) > most {
			return oomdoc.NoUsec
		}
		usec = usec<<4 | int64(digit)
	}
	return usec
}

// verboseLine takes a further line of an entry. A line that is not indented
// ends it.
func (d *Decoder) verboseLine(line []byte, rec *oomdoc.Record) bool {
	blanks := len(line) - len(skipSpaces(line))
	name, value, plain := bytes.Cut(line[min(blanks, len(line)):], []byte("="))
	switch last := &d.verbose; {
	case blanks == verboseIndent && plain && isJournalField(name):
		*last = verboseField{fieldNamed(name), verboseIndent + len(name) + 1}
		d.setExport(last.field, value)
	case last.field == fieldMessage && blanks >= last.width:
		d.journal.extendMessage(line[last.width:])
	}
	if d.lines.follows(' ') {
		return false
	}
	d.inVerbose = false
	return d.verboseEnd(rec)
}

// extendMessage adds a further line, within the bound.
func (e *entry) extendMessage(line []byte) {
	room := e.max - len(e.message) - 1
	if room < 0 {
		return
	}
	e.message = append(e.message, '\n')
	e.message = append(e.message, line[:min(room, len(line))]...)
}

func (d *Decoder) verboseEnd(rec *oomdoc.Record) bool {
	rec.Offset = d.exportAt
	if d.journal.fill(rec) == FormBare {
		d.stats.Invalid++
		return false
	}
	rec.TimeApproximate = d.journal.approximate
	return d.deliver(FormVerbose, rec)
}
