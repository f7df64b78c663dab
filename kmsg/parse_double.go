package kmsg

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A doubled log has each line twice: two rules of a syslog daemon that write to
// one file, or two daemons. The kernel prints no line of a report twice in a row
// that says anything the second time.
type doubled struct {
	line []byte
	usec int64
	time time.Time
	boot string
	seq  uint64
}

// maxDoubled is how much of a line is compared at most.
const maxDoubled = 4096

// is tells a line that is the one before once more, its head and all. A record of
// the kernel's own numbering is no line of a syslog daemon.
func (d *doubled) is(rec *oomdoc.Record) bool {
	if rec.HasSeq || rec.Continued || len(rec.Raw) == 0 || len(rec.Raw) > maxDoubled {
		d.line = d.line[:0]
		return false
	}
	same := d.usec == rec.Usec && d.seq == rec.Seq && d.boot == rec.BootID && d.time.Equal(rec.Time) && bytes.Equal(d.line, rec.Raw)
	d.usec, d.seq, d.boot, d.time = rec.Usec, rec.Seq, rec.BootID, rec.Time
	d.line = append(d.line[:0], rec.Raw...)
	return same
}
