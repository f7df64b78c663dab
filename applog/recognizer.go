package applog

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// Options bound what a Recognizer holds. Zero fields take the defaults.
type Options struct {
	MaxOpen        int // decisions that are put together at once
	MaxRecords     int // lines of one decision kept for show
	MaxRecordBytes int // of one such line
}

// The default bounds: together some hundreds of KiB.
const (
	defaultMaxOpen        = 32
	defaultMaxRecords     = 64
	defaultMaxRecordBytes = 2048
)

func (o Options) withDefaults() Options {
	for _, bound := range []struct {
		field  *int
		preset int
	}{
		{&o.MaxOpen, defaultMaxOpen},
		{&o.MaxRecords, defaultMaxRecords},
		{&o.MaxRecordBytes, defaultMaxRecordBytes},
	} {
		if *bound.field <= 0 {
			*bound.field = bound.preset
		}
	}
	return o
}

// A Recognizer finds the events of programs in a log, record by record. It keeps
// no reference to a record. It is not safe for concurrent use.
type Recognizer struct {
	desk    *desk
	entries []entry
	index   *literalIndex
	hits    []int
	// programs reads what programs say of themselves; the entries above are of
	// those that kill or tell of a kill.
	programs *programs
}

// An entry is one kind of line. take tells whether the line was what its literal
// promised; the entries after it are asked only where it was not.
type entry struct {
	literal string
	take    func(*line) bool
}

// NewRecognizer makes a Recognizer.
func NewRecognizer(o Options) *Recognizer {
	o = o.withDefaults()
	return newRecognizer(o, newPrograms(o), nil)
}

// Sibling makes another Recognizer, of another log, that shares what does not
// change: the texts that are looked for, which are most of its size.
func (r *Recognizer) Sibling() *Recognizer {
	p := r.programs
	return newRecognizer(p.options, &programs{
		options: p.options, marks: p.marks, index: p.index, kernelMarks: p.kernelMarks, kernelIndex: p.kernelIndex,
	}, r.index)
}

func newRecognizer(o Options, p *programs, index *literalIndex) *Recognizer {
	d := &desk{options: o}
	r := &Recognizer{desk: d, programs: p, index: index}
	for _, engine := range killers() {
		r.entries = append(r.entries, engine(d)...)
	}
	if index != nil {
		return r
	}
	literals := make([]string, len(r.entries))
	for i := range r.entries {
		literals[i] = r.entries[i].literal
	}
	r.index = indexLiterals(literals)
	return r
}

// killers are those who kill or tell of a kill, one file each.
func killers() []func(*desk) []entry {
	return []func(*desk) []entry{systemdOomd, earlyoom, nohang, metaOomd, kubelet, rayMonitor, serviceManager, slurm}
}

// Feed takes the next record of one log. It calls emit for each event that the
// record decides or closes, before it returns. What the kernel itself wrote is
// not a program's: package kmsg reads it. Only what drivers of GPUs say of a
// program that they refused memory is read here too.
func (r *Recognizer) Feed(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	if rec.Facility == oomdoc.FacilityKernel && !rec.Stray && len(r.desk.open) == 0 && len(r.programs.open) == 0 {
		r.programs.feedKernel(rec, emit)
		return
	}
	r.feed(rec, emit)
}

func (r *Recognizer) feed(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	r.desk.pass(rec, emit)
	if isKernels(rec) {
		r.programs.pass(rec, emit)
		r.programs.feedKernel(rec, emit)
		return
	}
	if isKernelLog(rec) { // anybody can write a program's words there, no program does
		r.programs.pass(rec, emit)
	} else {
		r.programs.feed(rec, emit)
	}
	r.hits = r.index.find(rec.Text, r.hits[:0])
	if len(r.hits) == 0 {
		return
	}
	l := newLine(rec)
	for _, hit := range r.hits {
		if r.entries[hit].take(&l) {
			break
		}
	}
	r.desk.tellReady(emit)
}

// Tick tells the time when no record comes: it tells what was waited with for
// long enough and closes what has been quiet.
func (r *Recognizer) Tick(now time.Time, emit func(oomdoc.Event)) {
	r.desk.tick(now, emit)
	r.programs.tick(now, emit)
}

// Flush closes everything: the log has ended.
func (r *Recognizer) Flush(emit func(oomdoc.Event)) {
	for len(r.desk.open) > 0 {
		r.desk.close(r.desk.open[0], emit)
	}
	r.programs.flush(emit)
}

// Open tells whether a decision is still being put together, so that Tick must
// be called.
func (r *Recognizer) Open() bool {
	return len(r.desk.open) > 0 || len(r.programs.open) > 0 || r.programs.waiting()
}

// Idle tells that nothing is open and no line is waited for: the next that matters
// has one of the Anchors.
func (r *Recognizer) Idle() bool { return !r.Open() && r.programs.reading == 0 }

// Skipped tells that lines without Anchors went by.
func (r *Recognizer) Skipped(lines uint64) { r.programs.count += lines }

// Oldest is the sequence of the first record of the oldest decision that is
// still open. A reader that starts anew must not start behind it.
func (r *Recognizer) Oldest() (seq uint64, open bool) {
	for _, e := range r.desk.open {
		if e.event.HasSeq && (!open || e.event.FirstSeq < seq) {
			seq, open = e.event.FirstSeq, true
		}
	}
	for _, f := range r.programs.open {
		if f.event.HasSeq && (!open || f.event.FirstSeq < seq) {
			seq, open = f.event.FirstSeq, true
		}
	}
	return seq, open
}

// A line is one record as an entry sees it.
type line struct {
	rec    *oomdoc.Record
	text   []byte
	writer []byte // as the log names it; nil where it does not
	// inKernelLog says that the line stands in the kernel's log, where user
	// space can write what it likes.
	inKernelLog bool
}

// maxText bounds what is read of a line: everything that is looked for stands
// in the first KiB of real ones.
const maxText = 8 << 10

func newLine(rec *oomdoc.Record) line {
	text := rec.Text[:min(len(rec.Text), maxText)]
	l := line{rec: rec, text: bytes.TrimRight(text, "\r\n"), writer: rec.Writer}
	if rec.Stray && string(rec.Writer) == "kernel" {
		l.writer = nil
	}
	l.inKernelLog = isKernelLog(rec)
	if len(l.writer) == 0 || l.inKernelLog {
		if name, rest, has := cutTag(l.text); has {
			l.writer, l.text = name, rest
		}
	}
	return l
}

// isKernelLog tells a record of the kernel's log: the journal says so, else only
// that log has sequence numbers, or stamps of the boot clock without a tag.
func isKernelLog(rec *oomdoc.Record) bool {
	switch {
	case rec.Stray:
		return false
	case rec.Journal != nil:
		return rec.Journal.Kernel
	case rec.HasSeq, rec.Source == oomdoc.SourceKmsg:
		return true
	}
	return rec.Usec != oomdoc.NoUsec && len(rec.Writer) == 0
}

// isKernels tells a line that is hardly a program's: the kernel's by its facility
// or its tag, and one of the kernel's log that does not begin as programs begin
// theirs there.
func isKernels(rec *oomdoc.Record) bool {
	switch {
	case rec.Stray:
		return false
	case rec.Facility == oomdoc.FacilityKernel, string(rec.Writer) == "kernel":
		return true
	case !isKernelLog(rec), len(rec.Writer) > 0: // the journal takes the tag off
		return false
	}
	_, _, tagged := cutTag(rec.Text)
	return !tagged && !bytes.HasPrefix(rec.Text, []byte("oomd"))
}

// maxTag bounds the tag of a line (RFC 3164 allows 32 characters; some are longer).
const maxTag = 64

// cutTag reads "name[12]: text", as programs put it before their own lines where
// no syslog daemon does.
func cutTag(text []byte) (name, rest []byte, has bool) {
	open := bytes.IndexByte(text[:min(len(text), maxTag)], '[')
	if open <= 0 || bytes.IndexByte(text[:open], ' ') >= 0 {
		return nil, nil, false
	}
	_, after, is := whole(text[open+1:])
	if !is || !bytes.HasPrefix(after, []byte("]: ")) {
		return nil, nil, false
	}
	return text[:open], after[len("]: "):], true
}

// by says how well it is known that one of these programs wrote the line, and
// false when somebody else did. units are the system units that it runs in;
// what runs in them is what the administrator put there.
func (l *line) by(names, units []string) (oomdoc.Witness, bool) {
	if len(l.writer) > 0 && !isOneOf(l.writer, names) {
		return 0, false
	}
	switch j := l.rec.Journal; {
	case l.inKernelLog:
		return oomdoc.WitnessForgeable, true
	case j != nil && isOneOf(j.WriterUnit, units):
		return oomdoc.WitnessProven, true
	case len(l.writer) > 0:
		return oomdoc.WitnessNamed, true
	}
	return oomdoc.WitnessUnnamed, true
}

func isOneOf(name []byte, names []string) bool {
	for _, other := range names {
		if string(name) == other {
			return true
		}
	}
	return false
}
