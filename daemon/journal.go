package daemon

import (
	"context"
	"fmt"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/systemd"
)

// A journalSource follows the journal and finds in it what programs and the
// killers in user space say. The kernel's own lines are the kernel log's: it has
// them sooner, and all of them. The service's lock guards it.
type journalSource struct {
	service  *service
	source   systemd.JournalSource
	follower *systemd.JournalFollower
	programs *applog.Recognizer
	told     *tellings
	limits   writerLimits
	jobs     chan contextJob

	// cursor is behind the last entry that was read. Entries get numbers of our
	// own, by which the recogniser tells the oldest that it still needs.
	cursor  string
	number  uint64
	entries []journalEntry // from the oldest that is still needed
	// rewinding: entries were dropped while the database refused; what comes is
	// not taken until the follower reads from the stored place.
	rewinding bool
	dueTick   time.Time
}

// A journalEntry is one that was handed to the recogniser.
type journalEntry struct {
	number uint64
	before string // the cursor of the entry before it
	writer systemd.Writer
}

// maxEntries bounds what is remembered of entries that are still needed. Beyond
// it every other one is forgotten: a restart then reads a little more again.
const maxEntries = 1024

func newJournalSource(s *service) (*journalSource, error) {
	c := s.options.Config.Journal
	j := &journalSource{
		service: s, source: s.journalSource(),
		programs: applog.NewRecognizer(applog.Options{}), told: newTellings(), jobs: make(chan contextJob, maxContextJobs),
	}
	position, err := s.loadJournalPosition()
	if err != nil {
		return nil, err
	}
	if position != nil {
		j.cursor = position.Cursor
	}
	j.follower = systemd.NewJournalFollower(systemd.JournalFollowOptions{
		Source: j.source, Anchors: applog.Anchors(), Cursor: j.cursor, MarkEvery: c.MarkEvery.Std(), Log: s.log,
		Record: j.record, Passed: j.passed, Gap: j.gap, Began: j.began,
	})
	return j, nil
}

// run follows until ctx ends. It waits for the kernel log to have caught up, so
// that a manager's word of an old kill comes after the kill.
func (j *journalSource) run(ctx context.Context) {
	for !j.service.kernelLogCaughtUp() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	j.recall()
	done := make(chan struct{})
	go func() {
		defer close(done)
		j.readContexts(ctx)
	}()
	j.follower.Run(ctx)
	<-done
}

// recall tells the joiner of the last incidents that an earlier run has stored.
func (j *journalSource) recall() {
	s := j.service
	s.mu.Lock()
	defer s.mu.Unlock()
	recent, err := s.lastIncidents(maxRecalled)
	if err != nil {
		s.log.Warn("cannot look up the last incidents; what systemd says of them may be told apart", "error", err)
		return
	}
	for i := len(recent) - 1; i >= 0; i-- {
		s.diagnose.Recall(recent[i])
	}
}

const maxRecalled = 32

// record takes an entry of the journal.
func (j *journalSource) record(rec *oomdoc.Record) {
	s := j.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.rewinding {
		return
	}
	j.number++
	rec.Seq, rec.HasSeq = j.number, true
	j.entries = append(j.entries, journalEntry{j.number, j.cursor, systemd.WriterOf(rec)})
	j.recognise(rec, func() { j.programs.Feed(rec, j.event) })
	j.cursor = string(rec.Journal.Cursor)
	j.trim()
	s.writer.moved(time.Now())
	s.nudge()
}

// recognise runs a part of the recogniser. A fault in it costs that entry.
func (j *journalSource) recognise(rec *oomdoc.Record, do func()) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		j.service.panics++
		j.programs = applog.NewRecognizer(applog.Options{})
		text := ""
		if rec != nil {
			text = fmt.Sprintf("%.512s", rec.Raw)
		}
		j.service.log.Error("a journal entry could not be understood and was passed over", "record", text, "panic", value)
	}()
	do()
}

// event takes what the recogniser has found.
func (j *journalSource) event(ev oomdoc.Event) {
	writer := j.writerOf(ev.DecisiveSeq)
	ev.FirstSeq, ev.DecisiveSeq, ev.HasSeq = 0, 0, false // they are ours, not the journal's
	t := j.told.of(&ev)
	if t == nil {
		if !j.limits.allow(writer, time.Now()) {
			j.told.add(&ev, &telling{dropped: true})
			return
		}
		t = &telling{}
		j.told.add(&ev, t)
	}
	if t.dropped {
		return
	}
	if !t.amended {
		j.tell(ev, t)
	}
	if hasContext(&ev) && (ev.Final || !t.amended) {
		j.askContext(contextJob{id: ev.ID, time: ev.Time, writer: writer, final: ev.Final})
	}
}

// tell hands an event on. Its revisions are counted here, because it can be told
// by the journal's tail and by what stands around it.
func (j *journalSource) tell(ev oomdoc.Event, t *telling) {
	ev.Revision = t.revision
	t.revision++
	j.service.diagnose.Add(ev)
}

func (j *journalSource) writerOf(number uint64) systemd.Writer {
	for i := len(j.entries) - 1; i >= 0; i-- {
		if j.entries[i].number <= number {
			return j.entries[i].writer
		}
	}
	return systemd.Writer{}
}

// trim forgets the entries that are not needed any more.
func (j *journalSource) trim() {
	oldest, open := j.programs.Oldest()
	if !open {
		j.entries = j.entries[:0]
		return
	}
	needed := 0
	for needed < len(j.entries) && j.entries[needed].number < oldest {
		needed++
	}
	j.entries = append(j.entries[:0], j.entries[needed:]...)
	if len(j.entries) <= maxEntries {
		return
	}
	for i := range len(j.entries) / 2 {
		j.entries[i+1] = j.entries[2*i+1]
	}
	j.entries = j.entries[:len(j.entries)/2+1]
}

// position is the entry behind which a restart must read on.
func (j *journalSource) position() (store.Position, bool) {
	cursor := j.cursor
	if _, open := j.programs.Oldest(); open && len(j.entries) > 0 {
		cursor = j.entries[0].before
	}
	return store.Position{Source: oomdoc.SourceJournal, BootID: j.service.bootID, Cursor: cursor}, cursor != ""
}

// passed takes the word of the follower that there is nothing up to a cursor.
func (j *journalSource) passed(cursor string) {
	s := j.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.rewinding {
		return
	}
	j.cursor = cursor
	s.writer.moved(time.Now())
	s.nudge()
}

// gap takes the word that entries are missing.
func (j *journalSource) gap(gap systemd.JournalGap) {
	s := j.service
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writer.addGap(store.Gap{
		Source: oomdoc.SourceJournal, BootID: s.bootID, Time: time.Now(),
		FromSeq: gap.From, ToSeq: gap.To, Lost: gap.Lost, Exact: gap.Exact, Reason: gap.Reason,
	})
	s.writer.moved(time.Now())
	s.nudge()
}

func (j *journalSource) began() {
	j.service.mu.Lock()
	defer j.service.mu.Unlock()
	j.rewinding = false
}

// rewind reads again from the stored place: incidents were dropped.
func (j *journalSource) rewind() {
	position, err := j.service.loadJournalPosition()
	if err != nil || position == nil {
		return // nothing was stored yet: there is nowhere to go back to
	}
	j.programs, j.entries, j.cursor = applog.NewRecognizer(applog.Options{}), nil, position.Cursor
	j.told = newTellings()
	j.rewinding = true
	j.follower.GoTo(position.Cursor)
}

// nextDue is when the source must act though no entry comes; zero: never.
func (j *journalSource) nextDue(now time.Time) time.Time {
	due := j.limits.due
	if j.programs.Open() {
		if j.dueTick.IsZero() {
			j.dueTick = now.Add(tickEvery)
		}
		due = earlier(due, j.dueTick)
	}
	return due
}

func (j *journalSource) due(now time.Time) {
	if !j.dueTick.IsZero() && !now.Before(j.dueTick) {
		j.dueTick = time.Time{}
		j.recognise(nil, func() { j.programs.Tick(now, j.event) })
		j.trim()
		j.service.writer.moved(now)
	}
	for _, over := range j.limits.over(now) {
		j.service.log.Warn("a writer of the journal told of more failures than are taken", "writer", over.writer, "dropped", over.dropped)
		j.service.writer.addGap(store.Gap{
			Source: oomdoc.SourceJournal, BootID: j.service.bootID, Time: now, Lost: uint64(over.dropped), Exact: true,
			Reason: "rate limit of " + over.writer,
		})
		j.service.writer.moved(now)
	}
}
