package record

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/oomdoc/oomdoc"
)

// DefaultMaxLine is the longest line that is kept whole, in bytes.
const DefaultMaxLine = 64 << 10

// Options of a Decoder; the zero value works.
type Options struct {
	Source   oomdoc.Source    // is set in each record
	MaxLine  int              // in bytes; DefaultMaxLine when 0
	Now      func() time.Time // gives the year to stamps that have none; time.Now when nil
	Location *time.Location   // of stamps that print no zone; time.Local when nil
	// Nested reads lines of a container's log that have a head of their own as
	// what they were copied from, with no more trust than text has. It is for a
	// log that a person names, not for one that is watched.
	Nested bool
	// Skim lets lines be passed over that cannot matter to who reads the records.
	Skim Skimmer
}

// A Decoder reads records from log text of any form of Form, also compressed
// by gzip or bzip2, and as UTF-16. It finds the form by itself, line by line,
// so that a mixture can be read. Its memory does not grow with the input.
//
// Only a form that proves it gives the facility of the kernel: raw kmsg lines,
// dmesg -x, dmesg -x -J and the journal's own fields. Not dmesg -r and plain
// dmesg -J: reading /dev/kmsg they print the level and drop the facility
// (util-linux 2.38, measured). And only as long as the stream holds hardly
// anything else, since a program can print lines of any form into a text log.
type Decoder struct {
	source  oomdoc.Source
	in      io.Reader
	lines   *lineReader // nil until the first Next
	failed  error       // what every further Next gives
	stats   Stats
	scratch []byte // where Text stands when it is not as in the line
	plain   []byte // the line without colours

	calendar calendar
	follower continuation
	headOnly bool // the line before was a head without any text
	journal  entry
	object   []byte // a JSON object of several lines
	objectAt int64  // where it began
	inObject bool
	inExport bool
	exportAt int64 // where its entry began

	inVerbose bool
	verbose   verboseField

	skim   skimmed
	nested bool
	inner  continuation             // of the lines inside a container's
	parts  [containerStreams][]byte // of lines that a runtime has split
	joined []byte                   // the last of those
	ended  bool                     // a docker object ended with a newline
	cri    containerLine            // what the head of the current line said

	form     Form   // of the last record that had a head
	mixed    bool   // records of several forms were seen
	strays   uint64 // lines were seen that the form does not explain
	lastSeq  uint64 // of the last raw record
	lastUsec int64
	hasSeq   bool

	stamped   habit // kernel lines of a syslog begin with the kernel's own stamp
	spaced    habit // "[ 12.345678] [ T1] ": the caller stands apart
	tagged    habit // "[ 12.345678] host kernel: ": journalctl -o short-monotonic
	sawKernel bool  // a syslog line had the tag kernel
}

// NewDecoder makes a Decoder of r. It reads nothing yet.
func NewDecoder(r io.Reader, o Options) *Decoder {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Location == nil {
		o.Location = time.Local
	}
	return &Decoder{
		source:   o.Source,
		in:       r,
		calendar: calendar{now: o.Now, local: o.Location},
		journal:  entry{max: o.MaxLine},
		nested:   o.Nested,
		skim:     skimmed{by: o.Skim},
	}
}

// Stats tells what was seen so far.
func (d *Decoder) Stats() Stats { return d.stats }

// Next decodes the next record into rec, which is valid until the next call.
// At the end it gives io.EOF. What cannot be read at all is an *oomdoc.Error
// with a command to type; a failure of the reader comes after all records that
// were read before it.
func (d *Decoder) Next(rec *oomdoc.Record) error {
	if d.failed != nil {
		return d.failed
	}
	if d.lines == nil {
		in, err := open(d.in)
		if err != nil {
			d.failed = err
			return err
		}
		d.lines = newLineReader(in, d.journal.max)
	}
	for {
		if d.maySkim() {
			d.skimOver()
		}
		line, err := d.lines.read()
		if err != nil {
			return d.finish(rec)
		}
		d.stats.Lines++
		if d.lines.cut {
			d.stats.Cut++
		}
		d.blank(rec)
		if d.decode(line, rec) {
			return nil
		}
	}
}

// blank makes rec a record of which nothing is known but its place.
func (d *Decoder) blank(rec *oomdoc.Record) {
	*rec = oomdoc.Record{} // apart from what follows, so that it is cleared in place
	rec.Source, rec.Offset = d.source, d.lines.offset()
	rec.Usec, rec.Priority, rec.Facility = oomdoc.NoUsec, oomdoc.PriorityUnknown, oomdoc.FacilityUnknown
}

// finish gives the record that only the end of the input completes, and then
// the end.
func (d *Decoder) finish(rec *oomdoc.Record) error {
	d.failed = io.EOF
	if err := d.lines.failure(); err != nil {
		d.failed = fmt.Errorf("read log: %w", err)
	}
	d.blank(rec)
	if d.inExport && d.exportEnd(rec) || d.inObject && d.objectEnd(rec) || d.lastPart(rec) {
		return nil
	}
	return d.failed
}

// decode makes a record of a line, or of the object or entry that it ends;
// false when there is none yet.
func (d *Decoder) decode(line []byte, rec *oomdoc.Record) bool {
	if len(line) > 0 && isDigit(line[0]) && !d.inExport && !d.inVerbose && d.decodeKmsg(line, rec) {
		return d.deliver(FormKmsg, rec)
	}
	switch {
	case d.inExport:
		return d.exportLine(line, rec)
	case d.inObject:
		return d.objectLine(line, rec)
	case d.inVerbose:
		return d.verboseLine(line, rec)
	case len(line) == 0:
		return false
	}
	if line = d.clean(line); len(line) == 0 {
		return false
	}
	if d.needsNext(line) {
		d.lines.await()
		line = d.clean(d.lines.line())
	}
	rec.Raw = d.lines.line()
	switch {
	case d.opensObject(line):
		return false
	case d.opensExport(line):
		return d.exportLine(line, rec)
	case d.opensVerbose(line):
		return false
	}
	switch form := d.decodeJSON(line, rec); form {
	case FormBare:
	case FormDockerJSON:
		return d.container(form, d.dockerLine(), rec)
	default:
		return d.deliver(form, rec)
	}
	switch form, size := d.decodeHead(line, rec); form {
	case FormBare:
	case FormContainer:
		return d.container(form, d.cri, rec)
	default:
		d.follower.remember(rec, line[:size])
		d.headOnly = d.nested && len(rec.Text) == 0
		return d.deliver(form, rec)
	}
	if d.nested && (d.withoutName(line, rec) || d.withoutMargin(line, rec)) {
		return d.deliver(FormContainer, rec)
	}
	return d.decodeBare(line, rec)
}

// needsNext says that only the next line tells how to read this one: what a
// brace opens, or whether the stream has a habit.
func (d *Decoder) needsNext(line []byte) bool {
	if isBrace(line) {
		return true
	}
	const levelWidth = 6 // "kern  :"
	mayBeDmesg := line[0] == '[' || line[0] == '<' || separated(line, levelWidth, ':')
	return mayBeDmesg && (d.tagged.fresh() || d.spaced.fresh())
}

// deliver counts a record that has a head.
func (d *Decoder) deliver(form Form, rec *oomdoc.Record) bool {
	if form != d.form {
		if d.form != FormBare {
			d.mixed = true
		}
		d.form = form
	}
	d.count(form, rec)
	return true
}

// fewStrays is how many records it takes to outweigh a line that the form does
// not explain, a remark of the person who saved the log for example.
const fewStrays = 8

func (d *Decoder) count(form Form, rec *oomdoc.Record) {
	d.stats.Records++
	if rec.Facility == oomdoc.FacilityKernel && (d.mixed || d.strays*fewStrays > d.stats.Records) {
		rec.Facility = oomdoc.FacilityUnknown
	}
	d.stats.Forms[form]++
}

// decodeKmsg reads a raw record with the dictionary lines after it, and counts
// what is missing between it and the one before.
func (d *Decoder) decodeKmsg(line []byte, rec *oomdoc.Record) bool {
	if len(line) < len("0,0,0,-;") {
		return false
	}
	if comma := line[1]; comma != ',' && !isDigit(comma) {
		return false
	}
	var fault string
	if d.scratch, fault = parseKmsgLine(line, rec, d.scratch); fault != "" {
		d.blank(rec) // what the attempt has set is not true of another form
		return false
	}
	if d.lines.follows(' ') || d.lines.moved(line) {
		d.takeDict(line, rec)
	}
	d.countLost(rec)
	return true
}

// takeDict adds the dictionary lines that follow a record's line.
func (d *Decoder) takeDict(line []byte, rec *oomdoc.Record) {
	for d.lines.follows(' ') && d.lines.extend() {
		d.stats.Lines++
	}
	region := d.lines.line()
	switch {
	case d.lines.moved(line):
		d.scratch, _ = parseKmsg(region, rec, d.scratch)
	case len(region) == len(line):
	case region[len(line)] == '\n':
		rec.Dict = dictAfter(region, len(line))
	default: // the line has lost its returns
		d.scratch, _ = parseKmsg(region, rec, d.scratch)
	}
}

// slack is how far the kernel's stamps of one boot may run backwards: its
// processors' clocks differ a little. In microseconds.
const slack = 1_000_000

// countLost sets Lost from a jump of the sequence. A sequence or a stamp that
// goes back is another boot or another file, where nothing is known to be lost.
func (d *Decoder) countLost(rec *oomdoc.Record) {
	if d.hasSeq && rec.Seq > d.lastSeq && rec.Usec >= d.lastUsec-slack {
		rec.Lost = rec.Seq - d.lastSeq - 1
	}
	d.lastSeq, d.lastUsec, d.hasSeq = rec.Seq, rec.Usec, true
}

// decodeBare takes a line without a head: a further line of the record before,
// or a record of its own.
func (d *Decoder) decodeBare(line []byte, rec *oomdoc.Record) bool {
	if isNotice(line) && (d.form == FormSyslog || d.form == FormVerbose || d.stats.Records == 0) || isDumpPart(line) {
		return false
	}
	if isBinary(line) {
		d.stats.Binary++
	}
	if d.form.continues() {
		padded := d.follower.fill(rec, line)
		if rec.Stray = !padded; rec.Stray {
			d.strays++
		}
		if d.headOnly && rec.Stray { // a mailer moves a word that is too long to the next line
			d.headOnly, rec.Stray, rec.Continued = false, false, false
		}
		d.count(d.form, rec)
		return true
	}
	if d.stats.Records > 0 { // the first may be the rest of a line that was cut off
		d.strays++
	}
	rec.Text = line
	d.count(FormBare, rec)
	return true
}

// isNotice tells a line of journalctl's own, "-- Boot 7283aa4a... --".
func isNotice(line []byte) bool {
	return bytes.HasPrefix(line, []byte("-- ")) && bytes.HasSuffix(line, []byte(" --"))
}

// isDumpPart tells the first line of a dump in the persistent store,
// "Panic#2 Part1" (fs/pstore/platform.c, pstore_dump and kmsg_dump_reason_str).
func isDumpPart(line []byte) bool {
	reason, rest, found := bytes.Cut(line, []byte("#"))
	if !found || len(line) > maxNameBytes {
		return false
	}
	switch string(reason) {
	case "Panic", "Oops", "Emergency", "Emerg", "Restart", "Halt", "Poweroff", "Shutdown", "Unknown":
	default:
		return false
	}
	count, part, found := bytes.Cut(rest, []byte(" Part"))
	_, isCount := whole(count)
	_, isPart := whole(part)
	return found && isCount && isPart
}
