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
	options  DiagnoserOptions
	parser   *kmsg.Parser
	programs *applog.Recognizer
	joiner   *classify.Joiner
	emit     func(oomdoc.Incident)
	onEvent  func(oomdoc.Event)
	panics   int
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
	d := &Diagnoser{options: o, emit: o.Emit}
	d.onEvent = d.event
	d.reset()
	return d
}

func (d *Diagnoser) reset() {
	d.parser = kmsg.NewParser(kmsg.ParserOptions{HostPageSize: d.options.PageSize})
	d.programs = applog.NewRecognizer(applog.Options{})
	d.joiner = classify.NewJoiner(classify.Options{})
}

// Feed takes the next record of a source.
func (d *Diagnoser) Feed(rec *oomdoc.Record) {
	defer d.survive(rec)
	d.parser.Feed(rec, d.onEvent)
	d.programs.Feed(rec, d.onEvent)
}

// Tick closes reports that have been quiet for long enough.
func (d *Diagnoser) Tick(now time.Time) {
	defer d.survive(nil)
	d.parser.Tick(now, d.onEvent)
	d.programs.Tick(now, d.onEvent)
}

// Flush ends the input: everything that is still open is told.
func (d *Diagnoser) Flush() {
	defer d.survive(nil)
	d.parser.Flush(d.onEvent)
	d.programs.Flush(d.onEvent)
	for _, incident := range d.joiner.Flush() {
		d.tell(incident, &oomdoc.Event{}, oomdoc.Facts{})
	}
}

// Oldest is the first sequence number of the oldest report or decision that is
// still open: a reader that starts again must start there.
func (d *Diagnoser) Oldest() (seq uint64, open bool) {
	seq, open = d.parser.Oldest()
	if other, also := d.programs.Oldest(); also && (!open || other < seq) {
		seq, open = other, true
	}
	return seq, open
}

// Panics counts the records that were lost to a fault of ours.
func (d *Diagnoser) Panics() int { return d.panics }

func (d *Diagnoser) event(ev oomdoc.Event) {
	var facts oomdoc.Facts
	if d.options.Facts != nil {
		facts = d.options.Facts(&ev)
	}
	for _, incident := range d.joiner.Add(ev, facts) {
		d.tell(incident, &ev, facts)
	}
}

func (d *Diagnoser) tell(incident oomdoc.Incident, ev *oomdoc.Event, facts oomdoc.Facts) {
	switch {
	case incident.Cause == oomdoc.CausePressureKill:
		playbook.AttachUserKill(&incident, ev.UserKill, facts)
	case ev.Kernel != nil, ev.UserKill != nil:
		playbook.Attach(&incident, ev.Kernel, facts)
	}
	d.emit(incident)
}

// survive keeps a fault in the recognisers from ending the service: hostile
// text must cost one record, not the machine's watch. State that a panic may
// have left half-made is thrown away.
func (d *Diagnoser) survive(rec *oomdoc.Record) {
	value := recover()
	if value == nil {
		return
	}
	d.panics++
	d.reset()
	if d.options.Panicked == nil {
		return
	}
	text := ""
	if rec != nil {
		text = fmt.Sprintf("%.512s", rec.Raw)
	}
	d.options.Panicked(text, value)
}
