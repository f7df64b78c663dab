package record

import (
	"time"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc"
)

// A continuation is what the further lines of a record take over from its
// first: dmesg and journalctl print a newline inside a record as a new line
// without a head, mostly with blanks as wide as the head was.
type continuation struct {
	usec        int64
	time        time.Time
	approximate bool
	priority    int
	facility    int
	caller      oomdoc.Caller
	boot        string
	writer      []byte
	width       int // of the head, in characters
}

// remember keeps what a further line would need.
func (c *continuation) remember(rec *oomdoc.Record, head []byte) {
	c.usec, c.time, c.approximate = rec.Usec, rec.Time, rec.TimeApproximate
	c.priority, c.facility, c.caller = rec.Priority, rec.Facility, rec.Caller
	c.boot = rec.BootID
	c.writer = append(c.writer[:0], rec.Writer...)
	c.width = utf8.RuneCount(head)
}

// fill makes rec a further line of the record that was remembered. It says
// whether the line had the blanks of one.
func (c *continuation) fill(rec *oomdoc.Record, line []byte) (padded bool) {
	rec.Usec, rec.Time, rec.TimeApproximate = c.usec, c.time, c.approximate
	rec.Priority, rec.Facility, rec.Caller = c.priority, c.facility, c.caller
	rec.BootID = c.boot
	if len(c.writer) > 0 {
		rec.Writer = c.writer
	}
	rec.Continued = true
	blanks := len(line) - len(skipSpaces(line))
	if padded = c.width > 0 && blanks >= c.width; padded {
		line = line[c.width:]
	}
	rec.Text = line
	return padded
}
