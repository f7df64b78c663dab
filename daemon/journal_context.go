package daemon

import (
	"context"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/systemd"
)

// What a hit tells is stored at once; then the lines around it are read, because
// the journal is searched for a few texts only and what a program said before
// (its plan, its model, what it was doing) has none of them.
const (
	contextBefore  = 10 * time.Minute
	contextAfter   = 10 * time.Second
	contextLines   = 400
	maxContextJobs = 64
)

// A contextJob asks for what stands around an event that was told.
type contextJob struct {
	id     string
	time   time.Time
	writer systemd.Writer
	final  bool
}

// hasContext tells an event whose lines are all of one writer. A manager's word
// and systemd-oomd's decisions have the lines of two, and say all by themselves.
func hasContext(ev *oomdoc.Event) bool {
	return ev.UserKill == nil || !ev.UserKill.Told && ev.UserKill.Killer != oomdoc.KillerSystemdOomd
}

// askContext never waits: what does not fit stays as the hits alone told it.
func (j *journalSource) askContext(job contextJob) {
	if job.time.IsZero() || job.writer.PID == "" && job.writer.Unit == "" {
		return
	}
	select {
	case j.jobs <- job:
	default:
	}
}

func (j *journalSource) readContexts(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case job := <-j.jobs:
			ev, err := readContext(ctx, j.source, job)
			if err != nil && ctx.Err() == nil {
				j.service.log.Warn("cannot read the lines around a failure; it stays without them", "id", job.id, "error", err)
			}
			if ev != nil {
				j.amend(*ev)
			}
		}
	}
}

// readContext reads all lines of the writer around an event with a recogniser of
// their own, which finds the same event with more in it; nil when it does not.
func readContext(ctx context.Context, source systemd.JournalSource, job contextJob) (found *oomdoc.Event, err error) {
	programs := applog.NewRecognizer(applog.Options{})
	keep := func(ev oomdoc.Event) {
		if ev.ID == job.id {
			found = &ev
		}
	}
	defer func() {
		if recover() != nil { // of hostile lines; the hits alone were understood
			found = nil
		}
	}()
	now := time.Now()
	err = source.Around(ctx, job.writer, job.time.Add(-contextBefore), job.time.Add(contextAfter), contextLines, func(rec *oomdoc.Record) {
		rec.Read = now
		programs.Feed(rec, keep)
	})
	programs.Flush(keep)
	if found != nil {
		found.Final = job.final
	}
	return found, err
}

// amend tells an event again with what stands around it.
func (j *journalSource) amend(ev oomdoc.Event) {
	s := j.service
	s.mu.Lock()
	defer s.mu.Unlock()
	t := j.told.of(&ev)
	if t == nil || t.dropped || j.rewinding {
		return
	}
	t.amended = true
	ev.Replayed = t.replayed
	j.tell(ev, t)
	s.nudge()
}
