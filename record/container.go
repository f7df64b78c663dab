package record

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A containerLine is what the head of a container's log line says of it.
type containerLine struct {
	stream  int // stdout or stderr, an index of Decoder.parts
	partial bool
}

const containerStreams = 2

// streamOf gives the index of a stream by its name.
func streamOf(name []byte) int {
	if string(name) == "stderr" {
		return 1
	}
	return 0
}

// container makes a record of a container's line: of the last of its parts,
// where the runtime has split it. In a log that a person names, the line may
// itself have been copied from a kernel log, with a head of its own.
func (d *Decoder) container(form Form, line containerLine, rec *oomdoc.Record) bool {
	part := &d.parts[line.stream]
	if line.partial || len(*part) > 0 {
		room := max(0, d.journal.max-len(*part))
		*part = append(*part, rec.Text[:min(room, len(rec.Text))]...)
		if line.partial {
			return false
		}
		d.joined = append(d.joined[:0], *part...)
		*part = (*part)[:0]
		rec.Text = d.joined
		rec.Raw = d.joined // the line that the program wrote
	}
	if d.nested && !d.unwrap(rec) && len(rec.Text) > 0 {
		d.withoutMargin(rec.Text, rec)
	}
	return d.deliver(form, rec)
}

// lastPart gives a line of which the end never came.
func (d *Decoder) lastPart(rec *oomdoc.Record) bool {
	for stream := range d.parts {
		if len(d.parts[stream]) > 0 {
			rec.Facility = facilityUser
			return d.container(FormContainer, containerLine{stream: stream}, rec)
		}
	}
	return false
}

// dockerChunk is how much of a line docker writes into one object at most
// (moby, daemon/logger/copier.go, defaultBufSize).
const dockerChunk = 16 << 10

// dockerLine tells whether an object has only a part of a line. The text of a
// whole one ends with a newline, but a log that was rewritten may have none.
func (d *Decoder) dockerLine() containerLine {
	e := &d.journal
	line := containerLine{stream: streamOf(e.stream)}
	if bytes.HasSuffix(e.message, []byte("\n")) {
		d.ended = true
		return line
	}
	if !d.ended && len(e.message) < dockerChunk {
		d.lines.await()
		line.partial = bytes.Contains(d.lines.peek(), []byte(`\n"`))
		return line
	}
	line.partial = true
	return line
}

// unwrap reads the head that a line of a container's output has of its own, as
// when a pod prints the node's kernel log. What it says of the facility is the
// container's word, so nothing in it is proven to be the kernel's.
func (d *Decoder) unwrap(rec *oomdoc.Record) bool {
	outer := *rec
	text := outer.Text
	if len(text) == 0 {
		return false
	}
	rec.Text, rec.Time = nil, time.Time{}
	rec.Facility, rec.Priority = oomdoc.FacilityUnknown, oomdoc.PriorityUnknown
	head := d.innerHead(text, rec)
	if head == 0 {
		*rec = outer
		further := d.inner.width > 0 && len(text)-len(skipSpaces(text)) >= d.inner.width
		if further {
			d.inner.fill(rec, text)
		}
		return further
	}
	if rec.Time.IsZero() {
		rec.Time, rec.TimeApproximate = outer.Time, outer.TimeApproximate
	}
	if rec.Facility == oomdoc.FacilityKernel {
		rec.Facility = oomdoc.FacilityUnknown
	}
	d.inner.remember(rec, text[:head])
	return true
}

// innerHead reads the head of a raw record or of a line of text, and gives its
// size, 0 when there is none.
func (d *Decoder) innerHead(text []byte, rec *oomdoc.Record) int {
	if isDigit(text[0]) {
		raw := rec.Raw
		scratch, fault := parseKmsgLine(text, rec, d.scratch)
		d.scratch = scratch
		rec.Raw = raw
		if fault == "" {
			return len(text) - len(rec.Text)
		}
	}
	form, size := d.decodeHead(text, rec)
	if form == FormBare || form == FormContainer {
		return 0
	}
	return size
}

// withoutName takes the name that kubectl logs --prefix and docker compose
// logs put before a container's line, where a head follows it.
func (d *Decoder) withoutName(line []byte, rec *oomdoc.Record) bool {
	rest, found := cutName(line)
	if !found {
		return false
	}
	place := *rec
	rec.Text = rest
	if !d.unwrap(rec) {
		*rec = place
		return false
	}
	return true
}

// maxName is how long a name before a line may be: two names of Kubernetes.
const maxName = 2*253 + 8

// cutName splits off "[pod/NAME/CONTAINER] " or "NAME  | ".
func cutName(line []byte) ([]byte, bool) {
	start := line[:min(len(line), maxName)]
	if bytes.HasPrefix(start, []byte("[pod/")) {
		end := bytes.Index(start, []byte("] "))
		return line[max(0, end+2):], end > 0
	}
	bar := bytes.Index(start, []byte("| "))
	if bar < 2 || start[bar-1] != ' ' || bytes.IndexByte(bytes.TrimRight(start[:bar], " "), ' ') >= 0 {
		return line, false
	}
	return line[bar+2:], true
}
