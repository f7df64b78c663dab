package applog

import (
	"slices"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A failure is one refusal as far as its lines have come.
type failure struct {
	event       oomdoc.Event
	err         oomdoc.ProgramError
	scene       *scene
	told, dirty bool
	gone        bool // it was taken back, or closed
	ended       bool // the program said that it ends of it
	last        moment
	lastRead    time.Time
	lastLine    uint64
	ranks       []int
	hold        time.Duration
	// writer is the process that its first line names in its own words: "(EngineCore
	// pid=207)".
	writer int
	// trial says that the program tried what it could get: what fails after it
	// speaks for both.
	trial bool
}

// takes tells whether an error belongs to this failure: one job that fails of one
// cause is one incident, however many ranks, threads or layers tell of it.
func (f *failure) takes(s *scene, e *oomdoc.ProgramError, writer int, at moment) bool {
	distance, timed := f.last.since(at)
	lines := s.desk.count - f.lastLine
	otherRank := e.Rank != nil && !slices.Contains(f.ranks, *e.Rank) && len(f.ranks) > 0
	otherRank = otherRank || writer != 0 && f.writer != 0 && writer != f.writer
	switch {
	case timed && (distance < -sameMoment || distance > jobPatience), !timed && lines > jobLines:
		return false
	case otherRank:
		return true
	case f.ended && differ(f.err.Requested, e.Requested):
		return false // it was started again
	case differ(f.err.Requested, e.Requested) && s.traces > 0 && s.newTrace():
		return false
	case timed && distance <= sameMoment, !timed && lines <= sameLines:
		return true
	}
	// The same refusal told again, by a layer above or at the end.
	return near1(f.err.Requested, e.Requested) && near1(f.err.Free, e.Free)
}

// newTrace tells that a traceback of its own began since.
func (s *scene) newTrace() bool { return !s.chained }

// differ tells two known sizes that are not the same figure.
func differ(a, b *int64) bool { return a != nil && b != nil && !near1(a, b) }

// near1 tells sizes that are the same within 1 %, as roundings leave them, or
// both unknown.
func near1(a, b *int64) bool {
	if a == nil || b == nil {
		return a == b
	}
	distance := *a - *b
	return max(distance, -distance) <= max(*a, *b)/100
}

// merge fills in what the failure did not know yet.
func (f *failure) merge(e *oomdoc.ProgramError) {
	if e.Rank != nil && !slices.Contains(f.ranks, *e.Rank) {
		f.ranks = append(f.ranks, *e.Rank)
		f.err.Ranks = len(f.ranks)
	}
	if e.Rank != nil && f.err.Rank != nil && *e.Rank != *f.err.Rank {
		return // another rank's figures
	}
	if f.err.Refusal == oomdoc.RefusalKilled && e.Refusal != oomdoc.RefusalKilled {
		// That memory was refused says more than that something was killed.
		f.err.Refusal, f.err.Engine, f.err.Raiser, f.err.Line, f.err.Pool, f.err.Outcome = e.Refusal, e.Engine, e.Raiser, e.Line, e.Pool, e.Outcome
	}
	if f.err.Requested == nil && f.err.Free == nil && e.Requested != nil && !wraps(f.err.Engine, e.Engine) {
		// The one with figures speaks for both.
		f.err.Engine, f.err.Raiser, f.err.Line, f.err.Pool = e.Engine, e.Raiser, e.Line, e.Pool
	}
	if f.trial && e.Requested != nil {
		f.trial, f.err.Requested, f.err.Grain, f.err.Line, f.err.Phase = false, nil, 0, e.Line, e.Phase
	}
	f.complete(e)
	f.settle(e)
	for _, c := range e.Clues {
		f.addClue(c)
	}
}

// complete fills in the figures that are not known yet.
func (f *failure) complete(e *oomdoc.ProgramError) {
	f.dirty = true
	g := &f.err
	for _, size := range []struct{ to, from **int64 }{
		{&g.Requested, &e.Requested}, {&g.Total, &e.Total}, {&g.Free, &e.Free}, {&g.Allocated, &e.Allocated},
		{&g.Unallocated, &e.Unallocated}, {&g.PrivatePools, &e.PrivatePools}, {&g.Allowed, &e.Allowed}, {&g.Own, &e.Own},
		{&g.Limit, &e.Limit}, {&g.InUse, &e.InUse}, {&g.Tokens, &e.Tokens}, {&g.TokensFree, &e.TokensFree}, {&g.TokensFit, &e.TokensFit},
	} {
		if *size.to == nil {
			*size.to = *size.from
		}
	}
	if g.Requested != nil && e.Requested != nil && g.Grain > e.Grain && near1(g.Requested, e.Requested) {
		g.Requested, g.Grain = e.Requested, e.Grain // printed to the byte
	}
	g.Grain = max(g.Grain, e.Grain)
	if len(e.Line) > len(g.Line) && strings.HasPrefix(e.Line, g.Line) {
		g.Line = e.Line // the whole of a sentence that was cut
	}
	if len(g.Holders) < len(e.Holders) {
		g.Holders = e.Holders
	}
	if g.Device == nil {
		g.Device = e.Device
	}
	if g.Utilization == nil {
		g.Utilization = e.Utilization
	}
	for _, text := range []struct{ to, from *string }{
		{&g.DeviceName, &e.DeviceName}, {&g.Operation, &e.Operation}, {&g.Model, &e.Model}, {&g.LimitLine, &e.LimitLine},
	} {
		if *text.to == "" {
			*text.to = *text.from
		}
	}
}

// settle lets the more telling of two errors of one failure say what kind it is:
// an outer layer knows the phase, an inner one the pool.
func (f *failure) settle(e *oomdoc.ProgramError) {
	g := &f.err
	if e.Phase != "" && (g.Phase == "" || e.Phase != oomdoc.PhaseRun && g.Phase == oomdoc.PhaseRun) {
		g.Phase = e.Phase
	}
	if g.Pool == oomdoc.PoolUnknown || isLanguage(g.Raiser) && e.Pool != "" && !isLanguage(e.Engine) {
		g.Pool = e.Pool // a library's error may be an exception of its language: MemoryError, std::bad_alloc
	}
	if isLanguage(g.Raiser) && !isLanguage(e.Engine) {
		g.Raiser, g.Line = e.Engine, e.Line
	}
	if g.Raiser == oomdoc.EngineCUDA && e.Raiser != "" {
		g.Raiser, g.Engine = e.Raiser, e.Raiser
	}
	if e.Engine != g.Engine && wraps(e.Engine, g.Engine) {
		g.Engine = e.Engine
	}
	if g.Outcome == oomdoc.OutcomeDegraded {
		g.Outcome = e.Outcome
	}
}

// isLanguage tells what is no program's own: the runtime of its language.
func isLanguage(engine string) bool {
	switch engine {
	case oomdoc.EnginePython, oomdoc.EngineCpp, oomdoc.EngineRust, oomdoc.EngineJava, oomdoc.EngineNode, oomdoc.EngineGo:
		return true
	}
	return false
}

func (f *failure) addClue(c oomdoc.Clue) {
	f.err.Clues = slices.DeleteFunc(f.err.Clues, func(old oomdoc.Clue) bool { return old.Kind == c.Kind && old.Name == c.Name })
	if len(f.err.Clues) < maxClues {
		f.err.Clues = append(f.err.Clues, c)
	}
	f.dirty = true
}

// add notes a line of the failure.
func (f *failure) add(s *scene, l *line, at moment) {
	f.dirty = true
	if at.isKnown() {
		f.last = at // lines without a time stand among those that have one
	}
	f.lastRead, f.lastLine = l.rec.Read, s.desk.count
	s.traces = 0
	shown := l.shown(s.desk.options.MaxRecordBytes)
	if n := len(f.event.Records); n > 0 && f.event.Records[n-1] == shown {
		return // two marks of one line
	}
	if len(f.event.Records) >= s.desk.options.MaxRecords {
		f.event.RecordsCut++
		return
	}
	f.event.Records = append(f.event.Records, shown)
}

// tell gives the failure as it stands. What it points to is not changed later.
func (f *failure) tell(final bool, emit func(oomdoc.Event)) {
	if !f.dirty {
		return
	}
	event, e := f.event, f.err
	if !f.gone {
		e.Engine = f.scene.outermost(e.Engine)
	}
	e.Holders, e.Clues = slices.Clone(e.Holders), slices.Clone(e.Clues)
	event.Program, event.Final = &e, final
	event.Records = slices.Clone(f.event.Records)
	f.event.Revision++
	f.told, f.dirty = true, false
	emit(event)
}
