package record

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// opensObject starts to collect an object that stands on several lines, as
// dmesg -J and journalctl -o json-pretty print it.
func (d *Decoder) opensObject(line []byte) bool {
	if d.form == FormDmesgJSON || d.form == FormJournalJSON {
		switch string(bytes.TrimSpace(line)) {
		case "]", "}", "],", "},": // the end of what dmesg -J puts around its records
			return true
		}
	}
	if !isBrace(line) || !d.isRecordField(d.lines.peek()) {
		return false
	}
	d.inObject = true
	d.object = append(d.object[:0], '{')
	d.objectAt = d.lines.offset()
	return true
}

// isBrace tells a line that is an opening brace and nothing else.
func isBrace(line []byte) bool {
	return bytes.IndexByte([]byte("{ \t"), line[0]) >= 0 && string(bytes.TrimSpace(line)) == "{"
}

// isRecordField tells the first line in an object that is a record: a field of
// ours, or one that journald names (capitals, digits and underscores).
func (d *Decoder) isRecordField(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) < 3 || line[0] != '"' {
		return false
	}
	name, _, found := bytes.Cut(line[1:], []byte(`"`))
	return found && (string(name) == "dmesg" || fieldNamed(name) != otherField || isJournalField(name))
}

// isJournalField tells a name that journald accepts (systemd.journal-fields(7)).
func isJournalField(name []byte) bool {
	const longest = 64
	if len(name) == 0 || len(name) > longest {
		return false
	}
	for _, c := range name {
		if c != '_' && !isDigit(c) && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// objectLine takes a further line of an object, and makes a record of it at
// its end.
func (d *Decoder) objectLine(line []byte, rec *oomdoc.Record) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return false
	}
	opens := line[len(line)-1] == '{'
	if line[0] == '}' {
		d.inObject = opens // "},{" opens the next one
		done := d.objectEnd(rec)
		d.object = append(d.object[:0], '{')
		d.objectAt = d.lines.offset()
		return done
	}
	if opens { // what was around it is no record
		d.object = append(d.object[:0], '{')
		d.objectAt = d.lines.offset()
		return false
	}
	if !isInObject(line) {
		d.inObject = false
		d.stats.Invalid++
		rec.Raw = line
		return d.decode(line, rec)
	}
	if len(d.object)+len(line) < maxObject*d.journal.max {
		d.object = append(d.object, line...)
	}
	return false
}

// isInObject tells a line that can stand in an object: a field, or a part of an
// array of strings or numbers.
func isInObject(line []byte) bool {
	if line[0] == '"' {
		return true
	}
	return len(bytes.Trim(line, "[], \t0123456789")) == 0
}

// maxObject is how many times longer than the longest line an object may be:
// a message as an array of bytes takes about five characters a byte.
const maxObject = 6

func (d *Decoder) objectEnd(rec *oomdoc.Record) bool {
	rec.Offset = d.objectAt
	form := d.decodeJSON(append(d.object, '}'), rec)
	if form == FormBare {
		d.stats.Invalid++
		return false
	}
	return d.deliver(form, rec)
}
