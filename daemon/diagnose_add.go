package daemon

import "github.com/oomdoc/oomdoc"

// Add takes an event that another recogniser has found, of a source that is read
// beside the one that Feed gets. Incidents of both are joined.
func (d *Diagnoser) Add(ev oomdoc.Event) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		d.panics++
		if d.options.Panicked != nil {
			d.options.Panicked(firstRecord(&ev), value)
		}
	}()
	d.event(ev)
}

// Recall tells of an incident that an earlier run has stored.
func (d *Diagnoser) Recall(incident oomdoc.Incident) { d.joiner.Recall(incident) }

func firstRecord(ev *oomdoc.Event) string {
	if len(ev.Records) == 0 {
		return ""
	}
	return ev.Records[0][:min(len(ev.Records[0]), 512)]
}
