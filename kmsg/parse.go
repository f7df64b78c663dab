package kmsg

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// ParserOptions bound what a Parser holds. Zero fields take the defaults.
type ParserOptions struct {
	MaxOpen        int // reports that are put together at once
	MaxTasks       int // rows of one task table
	MaxKills       int // kill lines of one report
	MaxRecords     int // lines of one report kept for show
	MaxRecordBytes int // and their bytes
	// HostPageSize is this machine's page size in bytes when the log is its
	// own, else 0.
	HostPageSize int64
}

// The default bounds. A report of them takes about 1 MiB.
const (
	defaultMaxOpen        = 16
	defaultMaxTasks       = 512
	defaultMaxKills       = 2048
	defaultMaxRecords     = 400
	defaultMaxRecordBytes = 64 << 10
)

func (o ParserOptions) withDefaults() ParserOptions {
	for _, bound := range []struct {
		field  *int
		preset int
	}{
		{&o.MaxOpen, defaultMaxOpen},
		{&o.MaxTasks, defaultMaxTasks},
		{&o.MaxKills, defaultMaxKills},
		{&o.MaxRecords, defaultMaxRecords},
		{&o.MaxRecordBytes, defaultMaxRecordBytes},
	} {
		if *bound.field <= 0 {
			*bound.field = bound.preset
		}
	}
	return o
}

// A Parser puts the kernel's memory reports together, record by record. It
// keeps no reference to a record. It is not safe for concurrent use.
type Parser struct {
	options ParserOptions
	formats *formatIndex
	open    []*report // oldest first
	waiting []*report // those of open that are not decided, in the same order

	calm calm
	// holding says that an open report may hold a line for what follows it. It
	// is set with every line that is taken, and cleared by a look at all of them.
	holding bool

	spare  buffers // of a report that was closed
	last   *report // the report that took the record before this one
	name   nameStart
	cut    cutLine
	manual manualKey
	rate   reportRate
}

// NewParser makes a Parser.
func NewParser(o ParserOptions) *Parser {
	return &Parser{options: o.withDefaults(), formats: indexFormats()}
}

// Feed takes the next record of one log. It calls emit for each event that the
// record decides or closes, before it returns.
func (p *Parser) Feed(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	if rec.Trust() == oomdoc.TrustUser {
		return
	}
	if len(p.open) > 0 && !p.calm.covers(rec) {
		p.pass(rec, emit)
	}
	text := rec.Text
	if !rec.HasSeq {
		text = trimReturn(text)
	}
	switch {
	case rec.Continued:
		p.takeContinued(rec, text, emit)
	case rec.Fragment && p.takeFragment(rec, text, emit):
	default:
		p.takeLine(rec, text, emit)
	}
}

// Tick tells the time when no record comes: it closes what has been quiet for
// long enough.
func (p *Parser) Tick(now time.Time, emit func(oomdoc.Event)) {
	for i := 0; i < len(p.open); {
		r := p.open[i]
		if r.lastRead.IsZero() {
			r.lastRead = now
		}
		quiet := now.Sub(r.lastRead)
		if quiet >= r.patience() {
			p.close(r, emit)
			continue
		}
		p.settleHeld(r, emit)
		if r.decided && r.dirty {
			emit(r.event(false))
		}
		i++
	}
}

// Flush closes everything: the log has ended.
func (p *Parser) Flush(emit func(oomdoc.Event)) {
	for len(p.open) > 0 {
		p.close(p.open[0], emit)
	}
	p.last = nil
	p.name.forget()
	p.cut.text = p.cut.text[:0]
}

// Idle tells that no report is open: the next line that matters has one of the
// Anchors.
func (p *Parser) Idle() bool { return len(p.open) == 0 && !p.holding }

// Skipped tells that lines without Anchors went by.
func (p *Parser) Skipped(uint64) { p.last = nil }

// Oldest is the sequence of the first record of the oldest report that is
// still open. A reader that starts anew must not start behind it.
func (p *Parser) Oldest() (seq uint64, open bool) {
	for _, r := range p.open {
		if r.first.hasSeq && (!open || r.first.seq < seq) {
			seq, open = r.first.seq, true
		}
	}
	return seq, open
}

// takeLine takes a record that starts a line of its own.
func (p *Parser) takeLine(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	p.name.start(text)
	p.cut.start(rec, text)
	if p.holding && p.takeUnmarkedRest(rec, text, emit) {
		return
	}
	f := p.formats.find(text)
	if f == nil && len(p.waiting) == 0 {
		p.last = nil
		return
	}
	p.dispatch(f, rec, text, emit)
}

// dispatch does what the format says.
func (p *Parser) dispatch(f *format, rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	if f == nil {
		p.takeRow(rec, text)
		return
	}
	p.last = nil
	switch f.role {
	case roleHeader:
		p.openReport(rec, text, emit)
	case roleFailure:
		p.openFailure(rec, text, emit)
	case roleSummary:
		p.takeSummary(rec, text, emit)
	case roleKill:
		p.takeKill(rec, text, emit)
	case roleNoVictim:
		p.takeNoVictim(rec, text, emit)
	case rolePanic:
		p.takePanic(rec, text, emit)
	case roleManual:
		p.manual = manualKey{line: keep(text), at: originOf(rec)}
	case roleGroup:
		p.takeGroup(rec, text)
	case roleReaped:
		p.takeReaped(rec, text)
	case roleBody, roleHeadLost:
		p.takeBody(f, rec, text, emit)
	}
}

// takeBody gives a line of the body to the report that it belongs to, or opens
// one when the log starts in the middle.
func (p *Parser) takeBody(f *format, rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	r := p.bodyOf(f, rec)
	fresh := r == nil
	if fresh && f.role == roleHeadLost {
		r = p.newReport(rec)
	}
	var before lengths
	if r != nil {
		before = r.lengths()
	}
	switch {
	case r == nil:
		p.takeRow(rec, text)
		return
	case !fresh && !r.takeFormat(f, text):
		if fillsLine(rec) && f.take != nil { // cut within a word
			p.took(r, rec)
			r.hold(jointWrapped, rec, text)
			r.heldAs, r.heldBack = f, before
			return
		}
		p.takeRow(rec, text)
		return
	case fresh && !r.takeFormat(f, text):
		return
	case fresh:
		p.add(r, emit)
	}
	p.took(r, rec)
	switch {
	case f.joint != jointNone:
		r.hold(f.joint, rec, text)
	case f.take != nil && !rec.HasSeq:
		r.hold(jointWrapped, rec, text)
		r.heldAs, r.heldBack = f, before
	}
}

// takeFormat reads a line of the body and tells whether it was what its start
// promised. It ends the section before, even when no other begins.
func (r *report) takeFormat(f *format, text []byte) bool {
	if f.take == nil {
		return true
	}
	before := r.section
	r.section = sectionNone
	if f.take(r, text) {
		return true
	}
	r.section = before
	return false
}

// takeRow gives a line without a fixed start to the report whose section it
// fits.
func (p *Parser) takeRow(rec *oomdoc.Record, text []byte) {
	p.last = nil
	for i := len(p.waiting) - 1; i >= 0; i-- {
		r := p.waiting[i]
		if r.caller != rec.Caller || len(text) == 0 {
			continue
		}
		if r.takeRow(text) || r.takeLoose(text) {
			p.took(r, rec)
			if r.section == sectionTasks {
				r.held = jointRow
			}
			return
		}
	}
}

// takeLoose reads lines that start with a number, or with blanks that hide
// their start.
func (r *report) takeLoose(text []byte) bool {
	text = trimBlanks(text)
	if len(text) == 0 {
		return false
	}
	switch {
	case isDigit(text[0]) && bytes.Contains(text, []byte(" page")):
		return readPages(r.mem(), text)
	case r.kernel.Trigger == nil && r.kernel.AllocFailure != nil && bytes.HasPrefix(text, []byte("cache: ")):
		return r.takeSlubCache(text)
	case r.failure && bytes.HasPrefix(text, []byte("node ")):
		return true // SLUB's own counts of a node
	}
	return false
}

// took notes that the report took the record.
func (p *Parser) took(r *report, rec *oomdoc.Record) {
	r.touch(rec)
	r.held = jointNone
	p.last = r
	p.holding = true
	p.calm.narrow(r)
}
