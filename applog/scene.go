package applog

import (
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A scene is one program (or one job of several processes that write into one
// place) as far as its lines tell: which engine, what it was doing, what it
// planned. It outlives single failures and is forgotten when nothing of it was
// seen for long.
type scene struct {
	key     string
	desk    *programs
	engines []string // that printed lines of their own, youngest last
	phase   phaseClue
	model   string
	clues   []oomdoc.Clue
	clueAt  []uint64 // line numbers of clues
	open    *failure
	follow  func(*line) bool // reads the next lines until it gives false
	follows int              // how many more lines it may read
	seen    uint64           // line number of the last mark
	traces  int              // tracebacks that began since the open failure's last line
	chained bool             // the next traceback belongs to the one before
	// figures are of the pool, printed before the refusal that they belong to.
	figures   oomdoc.ProgramError
	figuresAt uint64
	pool      oomdoc.Pool // that it uses, as its lines told
	// endsItself is where the program said that it kills itself.
	endsItself uint64
	ggml       ggmlState
	ignoring   uint64 // line number of the last exception that nobody could take
	timedOut   int    // pid of the last worker that it gave up waiting for
	home       string // the engine that the writer of its lines is named for
}

type phaseClue struct {
	phase oomdoc.Phase
	at    uint64
}

const (
	maxClues = 24
	// near is how many lines back a frame or a step still tells what the program
	// was doing when it failed.
	near = 120
	// maxFollow bounds how many lines after one are read as a part of it.
	maxFollow = 400
)

// is notes a line that only this engine prints.
func (s *scene) is(engine string) {
	if i := slices.Index(s.engines, engine); i >= 0 {
		s.engines = slices.Delete(s.engines, i, i+1)
	}
	if s.engines = append(s.engines, engine); len(s.engines) > 8 {
		s.engines = slices.Delete(s.engines, 0, 1)
	}
}

// entered notes what the program began to do.
func (s *scene) entered(phase oomdoc.Phase) { s.phase = phaseClue{phase, s.desk.count} }

// inPhase gives what the program was doing last, within the lines that count.
func (s *scene) inPhase(lines uint64) oomdoc.Phase {
	if s.phase.phase != "" && s.desk.count-s.phase.at <= lines {
		return s.phase.phase
	}
	return oomdoc.PhaseUnknown
}

// note keeps a clue: the last of its kind and name.
func (s *scene) note(c oomdoc.Clue) {
	for i := range s.clues {
		if s.clues[i].Kind == c.Kind && s.clues[i].Name == c.Name {
			s.clues, s.clueAt = slices.Delete(s.clues, i, i+1), slices.Delete(s.clueAt, i, i+1)
			break
		}
	}
	if len(s.clues) == maxClues {
		s.clues, s.clueAt = slices.Delete(s.clues, 0, 1), slices.Delete(s.clueAt, 0, 1)
	}
	s.clues, s.clueAt = append(s.clues, c), append(s.clueAt, s.desk.count)
	if f := s.open; f != nil && s.desk.count-f.lastLine <= near {
		f.addClue(c)
	}
}

// has tells a clue of the last lines.
func (s *scene) has(kind oomdoc.ClueKind, lines uint64) bool {
	for i := range s.clues {
		if s.clues[i].Kind == kind && s.desk.count-s.clueAt[i] <= lines {
			return true
		}
	}
	return false
}

// clue gives the last clue of a kind within the lines that count.
func (s *scene) clue(kind oomdoc.ClueKind, lines uint64) *oomdoc.Clue {
	for i := len(s.clues) - 1; i >= 0; i-- {
		if s.clues[i].Kind == kind && s.desk.count-s.clueAt[i] <= lines {
			return &s.clues[i]
		}
	}
	return nil
}

// isFleeting tells clues that hold only near the line that gave them: frames of
// a traceback. What an engine planned or reserved holds until it starts again.
func isFleeting(kind oomdoc.ClueKind) bool {
	switch kind {
	case oomdoc.ClueCode, oomdoc.ClueBackward, oomdoc.ClueOptimizer, oomdoc.CluePinned, oomdoc.ClueLoading, oomdoc.ClueGraphCapture, oomdoc.ClueIndexBug, oomdoc.ClueHeapUse:
		return true
	}
	return false
}

// begins tells that a new run begins: what was known of the one before does not
// hold for it.
func (s *scene) begins() {
	s.closeFailure()
	s.engines, s.clues, s.clueAt, s.model = s.engines[:0], s.clues[:0], s.clueAt[:0], ""
	s.phase, s.follow, s.figuresAt, s.endsItself, s.pool = phaseClue{}, nil, 0, 0, ""
	s.ggml = ggmlState{}
	s.ignoring, s.timedOut = 0, 0
}

// read reads the next lines of this program by what it is given, until that gives
// false.
func (s *scene) read(next func(*line) bool) {
	s.follow, s.follows = next, maxFollow
	s.desk.reading++ // readOn counts anew
}

// fail notes that the program was refused memory: the start of a failure, or more
// of the one that is being told.
func (s *scene) fail(sp *span, e oomdoc.ProgramError) *failure {
	at := s.desk.momentOf(sp.line)
	s.complete(sp, &e)
	if f := s.open; f != nil {
		if f.takes(s, &e, pidOf(sp.head), at) {
			f.merge(&e)
			f.add(s, sp.line, at)
			return f
		}
		s.closeFailure()
	}
	f := s.desk.begin(s, sp, e, at)
	s.open, s.traces, s.chained = f, 0, false
	return f
}

// more adds a line to the failure that is being told; nil where there is none.
func (s *scene) more(sp *span) *failure {
	f := s.open
	if f == nil {
		return nil
	}
	at := s.desk.momentOf(sp.line)
	if gap, known := f.last.since(at); known && gap > jobPatience || !known && s.desk.count-f.lastLine > jobLines {
		return nil
	}
	f.add(s, sp.line, at)
	return f
}

// recovered notes that the program went on: what failed just before was no
// failure for its user. quiet says that it is the program's own way of finding
// out what fits, of which nothing is told at all.
func (s *scene) recovered(sp *span, quiet bool) {
	f := s.open
	if f == nil {
		return
	}
	at := s.desk.momentOf(sp.line)
	if gap, known := f.last.since(at); known && gap > recoverWithin || !known && s.desk.count-f.lastLine > near {
		return
	}
	if quiet && !f.told {
		s.open = nil
		s.desk.drop(f)
		return
	}
	f.err.Outcome = oomdoc.OutcomeDegraded
	f.add(s, sp.line, at)
	s.closeFailure()
}

// told notes figures of the pool that a line gives by itself: they belong to the
// failure that is open, else to the one that comes.
func (s *scene) told(l *line, e oomdoc.ProgramError) {
	if f := s.open; f != nil && s.desk.count-f.lastLine <= maxFollow {
		lend(&f.err, &e)
		f.add(s, l, s.desk.momentOf(l))
		return
	}
	if s.figuresAt == 0 || s.desk.count-s.figuresAt > near {
		s.figures = oomdoc.ProgramError{}
	}
	lend(&s.figures, &e)
	s.figuresAt = s.desk.count
}

// lend fills in what is not known of a pool.
func lend(to, from *oomdoc.ProgramError) {
	if to.Limit == nil {
		to.Limit = from.Limit
	}
	if to.InUse == nil || from.InUse != nil && near1(to.InUse, from.InUse) {
		to.InUse = from.InUse // a second telling is to the byte
	}
	if to.LimitLine == "" {
		to.LimitLine = from.LimitLine
	}
	if to.Total == nil {
		to.Total = from.Total
	}
	if to.Utilization == nil {
		to.Utilization = from.Utilization
	}
}

// failWhole is fail for a text that a terminal may have wrapped: the following
// lines are read to it until it is whole.
func (s *scene) failWhole(sp *span, last []string, read func([]byte) (oomdoc.ProgramError, int)) {
	text := newSentence(sp.body)
	e, _ := read(text.direct)
	f := s.fail(sp, e)
	if f == nil || containsAny(text.direct, last) {
		return
	}
	s.read(func(l *line) bool {
		if !text.add(l.text) {
			return false
		}
		e := best(text, read)
		e.Line = string(text.direct[:min(len(text.direct), defaultMaxRecordBytes)])
		f.complete(&e)
		f.add(s, l, f.last)
		return !containsAny(text.direct, last) && !containsAny(text.spaced, last)
	})
}

func (s *scene) closeFailure() {
	if s.open != nil {
		s.desk.close(s.open)
		s.open = nil
	}
}

// complete fills in what the scene knows.
func (s *scene) complete(sp *span, e *oomdoc.ProgramError) {
	rec := sp.rec
	e.Raiser = e.Engine
	e.Witness = witnessOf(sp.line)
	if e.Outcome == "" {
		e.Outcome = oomdoc.OutcomeFailed
	}
	if e.Line == "" {
		e.Line = sp.shows()
	}
	if e.Rank == nil {
		e.Rank = rankOf(sp.head)
	}
	if e.PID == 0 {
		e.PID = pidOf(sp.head)
	}
	if e.Model == "" {
		e.Model = s.model
	}
	if e.Phase == "" {
		e.Phase = s.inPhase(near)
	}
	if s.figuresAt > 0 && s.desk.count-s.figuresAt <= near {
		lend(e, &s.figures)
		s.figuresAt = 0
	}
	for i, c := range s.clues {
		if !isFleeting(c.Kind) || s.desk.count-s.clueAt[i] <= near {
			e.Clues = append(e.Clues, c)
		}
	}
	if j := rec.Journal; j != nil {
		completeFromJournal(e, j)
	}
}

// The times by which lines are told to belong together.
const (
	programHold   = 3 * time.Second  // it may go on: knowledge gpu-oom.md section 4
	sameMoment    = 10 * time.Second // what one failure makes its process print
	jobPatience   = 10 * time.Minute // the other ranks time out
	recoverWithin = time.Minute
)

const (
	sameLines = 12  // the same where a log has no times
	jobLines  = 400 // the same for other ranks, and for what tells the same sizes
)
