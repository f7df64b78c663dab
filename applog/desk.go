package applog

import (
	"time"

	"github.com/oomdoc/oomdoc"
)

// A desk holds the decisions that are being put together. Every decision that is
// worth an event goes over it; what its lines mean is the engines' business.
type desk struct {
	options Options
	open    []*episode // oldest first
}

// An episode is one decision as far as its lines have come.
type episode struct {
	event oomdoc.Event
	kill  *oomdoc.UserKill
	// holds are how long it must be quiet: before it is told for the first time
	// (what comes right after can take it back, or belongs to another), and before
	// it is closed.
	hold, patience time.Duration
	dropped        bool // it was taken back

	told, dirty bool
	total       int // records, kept or not
	last        moment
	lastRead    time.Time
}

// A moment is when a record was written, as far as its log tells.
type moment struct {
	boot string
	usec int64
	time time.Time
}

func momentOf(rec *oomdoc.Record) moment {
	return moment{boot: rec.BootID, usec: rec.Usec, time: rec.Time}
}

// isKnown tells that the log says when it was.
func (m moment) isKnown() bool { return m.usec >= 0 || !m.time.IsZero() }

// since is the time from m to a later moment. It may not be known.
func (m moment) since(later moment) (time.Duration, bool) {
	switch {
	case m.usec >= 0 && later.usec >= 0:
		return time.Duration(later.usec-m.usec) * time.Microsecond, true
	case !m.time.IsZero() && !later.time.IsZero():
		return later.time.Sub(m.time), true
	}
	return 0, false
}

// within tells that a later moment is of the same boot and, as far as is known,
// at most this much later.
func (m moment) within(later moment, window time.Duration) bool {
	if m.boot != later.boot {
		return false
	}
	distance, known := m.since(later)
	return !known || distance <= window && distance >= -window
}

// begin opens an episode at the line that decides it. The id is made of parts.
func (d *desk) begin(l *line, kill *oomdoc.UserKill, hold, patience time.Duration, parts ...string) *episode {
	e := &episode{kill: kill, hold: hold, patience: patience}
	e.decide(l, parts...)
	e.event.FirstSeq, e.event.Source, e.event.BootID = l.rec.Seq, l.rec.Source, l.rec.BootID
	e.event.HasSeq, e.event.Kind = l.rec.HasSeq, oomdoc.EventUserKill
	d.open = append(d.open, e)
	d.add(e, l)
	return e
}

// decide makes a line the one that the event rests on.
func (e *episode) decide(l *line, parts ...string) {
	rec := l.rec
	e.event.ID = idOf(e.kill.Killer+e.kill.Teller, parts...)
	e.event.DecisiveSeq, e.event.Usec = rec.Seq, rec.Usec
	e.event.Time, e.event.TimeApproximate = rec.Time, rec.TimeApproximate
	e.event.Read, e.event.Replayed = rec.Read, rec.Replayed
	e.event.Trust = rec.Trust()
}

// add notes a line that belongs to an episode.
func (d *desk) add(e *episode, l *line) {
	e.dirty = true
	e.last, e.lastRead = momentOf(l.rec), l.rec.Read
	e.total++
	if len(e.event.Records) >= d.options.MaxRecords {
		e.event.RecordsCut++
		return
	}
	e.event.Records = append(e.event.Records, l.shown(d.options.MaxRecordBytes))
}

// find gives the youngest open episode that is of this boot and fits.
func (d *desk) find(l *line, fits func(*oomdoc.UserKill) bool) *episode {
	for i := len(d.open) - 1; i >= 0; i-- {
		if e := d.open[i]; !e.dropped && e.event.BootID == l.rec.BootID && fits(e.kill) {
			return e
		}
	}
	return nil
}

// pass lets time pass as the record tells it.
func (d *desk) pass(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	if len(d.open) == 0 {
		return
	}
	now := momentOf(rec)
	for i := 0; i < len(d.open); {
		e := d.open[i]
		quiet, known := e.last.since(now)
		switch {
		case rec.BootID != e.event.BootID, known && (quiet > e.patience || quiet < -e.patience):
			d.close(e, emit)
			continue
		case known && quiet > e.hold:
			e.tell(false, emit)
		}
		i++
	}
	for len(d.open) >= d.options.MaxOpen {
		d.close(d.open[0], emit)
	}
}

// tellReady tells what needs no waiting, and what was told already and has more
// in it now.
func (d *desk) tellReady(emit func(oomdoc.Event)) {
	for _, e := range d.open {
		if e.told || e.hold == 0 {
			e.tell(false, emit)
		}
	}
}

func (d *desk) tick(now time.Time, emit func(oomdoc.Event)) {
	for i := 0; i < len(d.open); {
		e := d.open[i]
		if e.lastRead.IsZero() {
			e.lastRead = now
		}
		quiet := now.Sub(e.lastRead)
		if quiet >= e.patience {
			d.close(e, emit)
			continue
		}
		if quiet >= e.hold {
			e.tell(false, emit)
		}
		i++
	}
}

func (d *desk) close(e *episode, emit func(oomdoc.Event)) {
	for i, open := range d.open {
		if open == e {
			d.open = append(d.open[:i], d.open[i+1:]...)
			break
		}
	}
	e.dirty = true
	e.tell(true, emit)
}

// tell gives the episode as it stands. What it points to is not changed later.
func (e *episode) tell(final bool, emit func(oomdoc.Event)) {
	if e.dropped || !e.dirty {
		return
	}
	event, kill := e.event, *e.kill
	event.UserKill, event.Final = &kill, final
	event.Records = append([]string(nil), e.event.Records...)
	e.event.Revision++
	e.told, e.dirty = true, false
	emit(event)
}

// confirm raises how well the decision's writer is known: a trusted line agrees.
func (e *episode) confirm(w oomdoc.Witness) { e.kill.Witness = max(e.kill.Witness, w) }
