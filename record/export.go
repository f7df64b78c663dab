package record

import (
	"bytes"
	"encoding/binary"

	"github.com/oomdoc/oomdoc"
)

// opensExport tells the first line of a journal export: journalctl begins each
// entry with its cursor.
func (d *Decoder) opensExport(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("__CURSOR=")) {
		return false
	}
	d.inExport = true
	d.exportBegin()
	return true
}

func (d *Decoder) exportBegin() {
	d.journal.reset()
	d.exportAt = d.lines.offset()
}

// exportLine takes a line of an entry (systemd, "Journal Export Formats"):
// "NAME=value", or "NAME" and then the size and the bytes of a value that is
// not plain text. An empty line ends the entry.
func (d *Decoder) exportLine(line []byte, rec *oomdoc.Record) bool {
	if len(line) == 0 {
		done := d.exportEnd(rec)
		d.journal.fields = 0
		return done
	}
	if d.journal.fields == 0 {
		d.exportBegin()
	}
	name, value, plain := bytes.Cut(line, []byte("="))
	switch f := fieldNamed(name); {
	case !isJournalField(name) || !plain && d.lines.cut:
		return d.exportBroken(line, rec)
	case plain:
		d.setExport(f, value)
	default:
		return d.exportBinary(f, rec)
	}
	return false
}

// setExport takes a field of the journal; those of dmesg and docker are none.
func (d *Decoder) setExport(f field, value []byte) {
	d.journal.fields |= 1 << otherField // something was there
	if f < fieldDmesgMessage {
		d.journal.set(f, value)
	}
}

// largestData is how much one field can hold (systemd, DATA_SIZE_MAX).
const largestData = 768 << 20

// exportBinary reads a value with its size, 64 bits with the lowest byte first.
func (d *Decoder) exportBinary(f field, rec *oomdoc.Record) bool {
	size := d.lines.take(8)
	if len(size) < 8 {
		return d.exportBroken(size, rec)
	}
	n := binary.LittleEndian.Uint64(size)
	if n > largestData {
		return d.exportBroken(size, rec)
	}
	kept := min(n, uint64(d.journal.max))
	d.setExport(f, d.lines.take(int(kept)))
	d.lines.skip(n - kept + 1) // and the newline after it
	return false
}

// exportBroken leaves the export: what comes is something else.
func (d *Decoder) exportBroken(line []byte, rec *oomdoc.Record) bool {
	d.inExport = false
	d.journal.fields = 0
	d.stats.Invalid++
	return d.decode(line, rec)
}

// exportEnd makes a record of the entry.
func (d *Decoder) exportEnd(rec *oomdoc.Record) bool {
	if d.journal.fields == 0 {
		return false
	}
	rec.Offset = d.exportAt
	if d.journal.fill(rec) == FormBare {
		d.stats.Invalid++
		return false
	}
	return d.deliver(FormExport, rec)
}
