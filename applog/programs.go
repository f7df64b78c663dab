package applog

import (
	"slices"
	"strconv"
	"time"

	"github.com/oomdoc/oomdoc"
)

// programs are the programs whose lines are read, and the failures that are being
// told of them.
type programs struct {
	options Options
	marks   []mark
	index   *literalIndex
	// The same for what the kernel itself writes.
	kernelMarks []mark
	kernelIndex *literalIndex
	besides     []besideClue
	hits        []int // of the record
	found       []int // of one line of it
	width       int   // of the last line
	wrap        wrapping
	seam        []byte
	quotes      quoting
	scenes      []*scene   // by when they were last seen, oldest first
	open        []*failure // oldest first
	closed      []*failure // to be told for the last time
	reading     int        // scenes that read the lines after one
	count       uint64     // lines that went by
}

const maxScenes = 64

func newPrograms(o Options) *programs {
	p := &programs{options: o}
	for _, engine := range dialects() {
		p.marks = append(p.marks, engine()...)
	}
	p.kernelMarks = drivers()
	p.index, p.kernelIndex = indexMarks(p.marks), indexMarks(p.kernelMarks)
	return p
}

func indexMarks(marks []mark) *literalIndex {
	literals := make([]string, len(marks))
	for i := range marks {
		literals[i] = marks[i].literal
	}
	return indexLiterals(literals)
}

// Anchors are the texts by which the lines of programs and of killers are found,
// but for those of Python's frames, which tell something only of an error that
// comes soon after.
func Anchors() []string {
	var anchors []string
	for _, engine := range append(dialects()[1:], drivers) {
		for _, m := range engine() {
			anchors = append(anchors, m.literal)
		}
	}
	for _, engine := range killers() {
		for _, e := range engine(&desk{}) {
			anchors = append(anchors, e.literal)
		}
	}
	slices.Sort(anchors)
	return slices.Compact(anchors)
}

// feed reads the next record of a log: what a terminal has wrapped as one.
func (p *programs) feed(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	p.count++
	width := widthOf(rec)
	if p.wrap.width > 0 && !p.goesOn(rec, width) {
		p.takeWrapped(emit) // before the time of this line passes
	}
	p.pass(rec, emit)
	quoted := p.quotes.pass(rec.Text, p.count)
	if p.wrap.width > 0 {
		p.wrap.add(rec)
		p.wrap.hit = true
		if width < p.wrap.width {
			p.takeWrapped(emit)
		}
		return
	}
	p.hits = p.index.find(rec.Text, p.hits[:0])
	if width > 0 && (len(p.hits) > 0 || width == p.width || isTerminalWidth(width)) {
		p.wrap.hold(rec, width, len(p.hits) > 0, quoted)
		p.width = width
		return
	}
	p.width = width
	if (len(p.hits) > 0 || p.reading > 0) && !quoted {
		p.take(rec, emit)
	}
}

// goesOn tells that a line is the rest of the one that is held, and that it
// matters: something that is looked for stands in what is held, or where they
// meet.
func (p *programs) goesOn(rec *oomdoc.Record, width int) bool {
	w := &p.wrap
	if !w.hit {
		p.seam = w.seam(rec.Text, p.index.longest-1, p.seam)
		w.hit = p.index.crosses(p.seam, min(p.index.longest-1, w.last))
	}
	return w.hit && w.goesOn(rec, width)
}

// takeWrapped reads what was held.
func (p *programs) takeWrapped(emit func(oomdoc.Event)) {
	if p.wrap.width == 0 {
		return
	}
	matters := (p.wrap.hit || p.reading > 0) && !p.wrap.quoted
	rec := p.wrap.take()
	if matters {
		p.take(rec, emit)
	}
}

// take reads a record that has something that is looked for, or that somebody
// reads on in; line by line where it has several.
func (p *programs) take(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	if !isSeveral(rec.Text) {
		p.takeLine(rec, emit)
		return
	}
	piece := *rec
	for i, text := range pieces(rec.Text) {
		if i > 0 {
			p.count++
		}
		piece.Text, piece.Raw = text, text
		p.takeLine(&piece, emit)
	}
}

func (p *programs) takeLine(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	l := newLine(rec)
	if p.reading > 0 {
		p.readOn(&l)
	}
	p.found = p.index.find(rec.Text, p.found[:0])
	if len(p.found) > 0 {
		s := p.scene(&l)
		done := -1
		for _, hit := range p.found {
			if hit == done {
				continue
			}
			done = hit
			if sp, found := l.cut(p.marks[hit].literal); found {
				p.marks[hit].read(s, &sp)
			}
		}
	}
	p.tellClosed(emit)
}

// readOn gives the line to the scene that reads on.
func (p *programs) readOn(l *line) {
	key := sceneKey(l)
	for _, s := range p.scenes {
		if s.follow == nil || s.key != key {
			continue
		}
		if s.follows--; s.follows < 0 || !s.follow(l) {
			s.follow = nil
		}
	}
	p.reading = 0
	for _, s := range p.scenes {
		if s.follow != nil {
			p.reading++
		}
	}
}

// scene finds the program that wrote a line, or meets a new one.
func (p *programs) scene(l *line) *scene {
	s := p.sceneOf(sceneKey(l))
	if s.home == "" {
		s.home = homeOf(l)
	}
	return s
}

func (p *programs) sceneOf(key string) *scene {
	for i, s := range p.scenes {
		if s.key == key {
			p.scenes = append(slices.Delete(p.scenes, i, i+1), s)
			s.seen = p.count
			return s
		}
	}
	if len(p.scenes) == maxScenes {
		p.scenes[0].closeFailure()
		p.scenes = slices.Delete(p.scenes, 0, 1)
	}
	s := &scene{key: key, desk: p, seen: p.count}
	p.scenes = append(p.scenes, s)
	return s
}

// sceneKey tells the writers apart: a unit or a container of the journal, else
// the process; in a text, the tag of its lines or the container that they are of.
func sceneKey(l *line) string {
	if j := l.rec.Journal; j != nil {
		unit := string(j.WriterUnit)
		if isService(unit) {
			return l.rec.BootID + " unit " + unit
		}
		return l.rec.BootID + " pid " + string(j.WriterPID)
	}
	if len(l.writer) == 0 {
		return string(containerIn(l.rec))
	}
	return string(l.writer)
}

func isService(unit string) bool {
	const suffix = ".service"
	if len(unit) <= len(suffix) || unit[len(unit)-len(suffix):] != suffix {
		return false
	}
	switch unit { // these carry the output of others
	case "docker.service", "containerd.service", "crio.service", "kubelet.service":
		return false
	}
	return len(unit) < 5 || unit[:5] != "user@"
}

func (p *programs) momentOf(l *line) moment {
	m := momentOf(l.rec)
	if m.usec < 0 && m.time.IsZero() {
		m.time, _ = stampIn(l.text)
	}
	return m
}

// begin opens a failure at the line that tells of it first.
func (p *programs) begin(s *scene, sp *span, e oomdoc.ProgramError, at moment) *failure {
	rec := sp.rec
	f := &failure{err: e, scene: s, hold: programHold, writer: pidOf(sp.head)}
	f.err.Ranks = 1
	if e.Rank != nil {
		f.ranks = append(f.ranks, *e.Rank)
	}
	place := strconv.FormatInt(rec.Offset, 10)
	if !at.time.IsZero() {
		place = strconv.FormatInt(at.time.Unix(), 10)
	}
	f.event = oomdoc.Event{
		ID: idOf(string(oomdoc.EventProgramError), place, string(sp.body[:min(len(sp.body), maxKept)])), Kind: oomdoc.EventProgramError,
		Source: rec.Source, BootID: rec.BootID, FirstSeq: rec.Seq, DecisiveSeq: rec.Seq, HasSeq: rec.HasSeq,
		Usec: rec.Usec, Time: at.time, TimeApproximate: rec.TimeApproximate || rec.Time.IsZero() && !at.time.IsZero(),
		Read: rec.Read, Replayed: rec.Replayed, Trust: rec.Trust(),
	}
	for len(p.open) >= p.options.MaxOpen {
		p.open[0].scene.closeFailure()
	}
	p.open = append(p.open, f)
	f.add(s, sp.line, at)
	for _, b := range p.besides {
		if b.belongsTo(f) {
			f.addClue(b.clue)
		}
	}
	return f
}

// close ends a failure; it is told for the last time when the line has been read.
func (p *programs) close(f *failure) {
	p.drop(f)
	f.err.Engine = f.scene.outermost(f.err.Engine) // the scene may forget
	f.dirty = true
	p.closed = append(p.closed, f)
}

// drop forgets a failure.
func (p *programs) drop(f *failure) {
	if i := slices.Index(p.open, f); i >= 0 {
		p.open = slices.Delete(p.open, i, i+1)
	}
	f.gone = true
}

func (p *programs) tellClosed(emit func(oomdoc.Event)) {
	for _, f := range p.closed {
		f.tell(true, emit)
	}
	p.closed = p.closed[:0]
}

// pass lets time pass as the record tells it.
func (p *programs) pass(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	if len(p.open) == 0 {
		return
	}
	now := momentOf(rec)
	for _, f := range slices.Clone(p.open) {
		quiet, known := f.last.since(now)
		switch {
		case rec.BootID != f.event.BootID, known && quiet > jobPatience, !known && p.count-f.lastLine > jobLines:
			f.scene.closeFailure()
		case known && quiet > f.hold:
			f.tell(false, emit)
		}
	}
	p.tellClosed(emit)
}

// tick lets time pass while no record comes.
func (p *programs) tick(now time.Time, emit func(oomdoc.Event)) {
	p.takeWrapped(emit)
	for _, f := range slices.Clone(p.open) {
		if f.lastRead.IsZero() {
			f.lastRead = now
		}
		switch quiet := now.Sub(f.lastRead); {
		case quiet >= jobPatience:
			f.scene.closeFailure()
		case quiet >= f.hold:
			f.tell(false, emit)
		}
	}
	p.tellClosed(emit)
}

func (p *programs) flush(emit func(oomdoc.Event)) {
	p.takeWrapped(emit)
	for len(p.open) > 0 {
		p.open[0].scene.closeFailure()
	}
	p.tellClosed(emit)
	p.scenes, p.reading = nil, 0
}

// waiting tells that something is still to be told.
func (p *programs) waiting() bool {
	return p.wrap.width > 0 && p.wrap.hit || slices.ContainsFunc(p.open, func(f *failure) bool { return f.dirty })
}
