package daemon

import (
	"fmt"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/classify"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/playbook"
)

// A Diagnoser turns records into incidents: recognise, join, classify, attach
// the fixes. The service and `oomdoc explain` run the same one; the service
// adds only time, position and facts. It is not safe for concurrent use.
type Diagnoser struct {
	options     DiagnoserOptions
	recognizers []recognizer
	joiner      *classify.Joiner
	emit        func(oomdoc.Incident)
	onEvent     func(oomdoc.Event)
	feeding     int // the recognizer that has the record
	panics      int
	rec         *oomdoc.Record // that is being read
	attached    attached
}

// attached are the fixes of the last kernel kills, by id: others tell of a kill
// after its report.
type attached struct {
	last [64]struct {
		id    string
		fixes []oomdoc.Fix
	}
	next int
}

func (a *attached) put(id string, fixes []oomdoc.Fix) {
	for i := range a.last {
		if a.last[i].id == id {
			a.last[i].fixes = fixes
			return
		}
	}
	a.last[a.next].id, a.last[a.next].fixes = id, fixes
	a.next = (a.next + 1) % len(a.last)
}

func (a *attached) get(id string) ([]oomdoc.Fix, bool) {
	for i := range a.last {
		if a.last[i].id == id {
			return a.last[i].fixes, true
		}
	}
	return nil, false
}

// A recognizer finds events in records.
type recognizer interface {
	Feed(rec *oomdoc.Record, emit func(oomdoc.Event))
	Tick(now time.Time, emit func(oomdoc.Event))
	Flush(emit func(oomdoc.Event))
	Oldest() (seq uint64, open bool)
	Idle() bool
	Skipped(lines uint64)
}

// makers make the recognizers, in their order.
func makers() []func(*DiagnoserOptions) recognizer {
	return []func(*DiagnoserOptions) recognizer{
		func(o *DiagnoserOptions) recognizer {
			return kmsg.NewParser(kmsg.ParserOptions{HostPageSize: o.PageSize})
		},
		func(*DiagnoserOptions) recognizer { return applog.NewRecognizer(applog.Options{}) },
	}
}

// DiagnoserOptions are what differs between the service and explain.
type DiagnoserOptions struct {
	// Facts finds what was known of an event's processes; nil for a log of
	// another machine.
	Facts func(*oomdoc.Event) oomdoc.Facts
	// PageSize is this machine's page size, 0 when the log may be another's.
	PageSize int64
	// Emit receives each incident, new or amended.
	Emit func(oomdoc.Incident)
	// Panicked is told of a record that made the recogniser panic: that record
	// is lost, the source goes on.
	Panicked func(record string, value any)
}

// NewDiagnoser makes an empty one.
func NewDiagnoser(o DiagnoserOptions) *Diagnoser {
	d := &Diagnoser{options: o, emit: o.Emit, joiner: classify.NewJoiner(classify.Options{})}
	d.onEvent = d.event
	for _, make := range makers() {
		d.recognizers = append(d.recognizers, make(&d.options))
	}
	return d
}

// Feed takes the next record of a source.
func (d *Diagnoser) Feed(rec *oomdoc.Record) {
	d.rec = rec
	for d.feeding = 0; d.feeding < len(d.recognizers); d.feeding++ {
		d.feed(rec)
	}
	d.rec = nil
}

// feed hands the record on until a recognizer panics; the next one goes on.
func (d *Diagnoser) feed(rec *oomdoc.Record) {
	defer func() {
		if value := recover(); value != nil {
			d.mend(d.feeding, value)
		}
	}()
	for ; d.feeding < len(d.recognizers); d.feeding++ {
		d.recognizers[d.feeding].Feed(rec, d.onEvent)
	}
}

// Tick closes reports that have been quiet for long enough.
func (d *Diagnoser) Tick(now time.Time) {
	for i := range d.recognizers {
		d.tick(i, now)
	}
}

func (d *Diagnoser) tick(i int, now time.Time) {
	defer d.survive(i)
	d.recognizers[i].Tick(now, d.onEvent)
}

// Flush ends the input: everything that is still open is told.
func (d *Diagnoser) Flush() {
	for i := range d.recognizers {
		d.flush(i)
	}
	for _, incident := range d.joiner.Flush() {
		d.tell(incident, &oomdoc.Event{}, oomdoc.Facts{})
	}
}

func (d *Diagnoser) flush(i int) {
	defer d.survive(i)
	d.recognizers[i].Flush(d.onEvent)
}

// Oldest is the first sequence number of the oldest report or decision that is
// still open: a reader that starts again must start there.
func (d *Diagnoser) Oldest() (seq uint64, open bool) {
	for _, r := range d.recognizers {
		if other, also := r.Oldest(); also && (!open || other < seq) {
			seq, open = other, true
		}
	}
	return seq, open
}

// Anchors are the texts by which the recognizers find their lines.
func Anchors() []string { return append(kmsg.Anchors(), applog.Anchors()...) }

// Idle tells that nothing is open: the next line that matters has one of the
// Anchors.
func (d *Diagnoser) Idle() bool {
	for _, r := range d.recognizers {
		if !r.Idle() {
			return false
		}
	}
	return true
}

// Skipped tells that lines without Anchors went by.
func (d *Diagnoser) Skipped(lines uint64) {
	for _, r := range d.recognizers {
		r.Skipped(lines)
	}
}

// Panics counts the records that were lost to a fault of ours.
func (d *Diagnoser) Panics() int { return d.panics }

// event makes incidents of an event. A fault in that costs the event: what the
// recognizer holds is sound.
func (d *Diagnoser) event(ev oomdoc.Event) {
	defer d.surviveEvent()
	var facts oomdoc.Facts
	if d.options.Facts != nil {
		facts = d.options.Facts(&ev)
		classify.Complete(&ev, &facts)
	}
	for _, incident := range d.joiner.Add(ev, facts) {
		d.tell(incident, &ev, facts)
	}
}

func (d *Diagnoser) tell(incident oomdoc.Incident, ev *oomdoc.Event, facts oomdoc.Facts) {
	switch {
	case incident.Cause == oomdoc.CausePressureKill:
		playbook.AttachUserKill(&incident, ev.UserKill, facts)
	case ev.Program != nil && incident.ID == ev.ID:
		playbook.AttachProgram(&incident, ev.Program, facts)
	case ev.Kernel != nil:
		playbook.Attach(&incident, ev.Kernel, facts)
		d.attached.put(incident.ID, incident.Fixes)
	case ev.UserKill != nil, ev.Program != nil:
		playbook.Attach(&incident, nil, facts)
		if fixes, known := d.attached.get(incident.ID); known && len(incident.Fixes) < len(fixes) {
			incident.Fixes = fixes // what is told of a kill later knows nothing of its report
		}
	}
	d.emit(incident)
}

// survive keeps a fault in a recognizer from ending the service: hostile text
// must cost one record, not the machine's watch. What it had open is told as far
// as that goes, then the state that the panic may have left half-made is thrown
// away.
func (d *Diagnoser) survive(i int) {
	if value := recover(); value != nil {
		d.mend(i, value)
	}
}

// mend puts a new recognizer in the place of one that panicked.
func (d *Diagnoser) mend(i int, value any) {
	d.panicked(value)
	broken := d.recognizers[i]
	d.recognizers[i] = makers()[i](&d.options)
	defer func() { _ = recover() }() // it has been reported
	broken.Flush(d.onEvent)
}

func (d *Diagnoser) surviveEvent() {
	if value := recover(); value != nil {
		d.panicked(value)
		d.joiner = classify.NewJoiner(classify.Options{})
	}
}

// panicked reports a fault with the record at which it came.
func (d *Diagnoser) panicked(value any) {
	d.panics++
	if d.options.Panicked == nil {
		return
	}
	text := ""
	if d.rec != nil {
		text = fmt.Sprintf("%.512s", d.rec.Raw)
	}
	d.options.Panicked(text, value)
}
