package daemon

import "github.com/oomdoc/oomdoc"

// Add takes an event that another recogniser has found, of a source that is read
// beside the one that Feed gets. Incidents of both are joined.
func (d *Diagnoser) Add(ev oomdoc.Event) { d.event(ev) }

// Recall tells of an incident that an earlier run has stored.
func (d *Diagnoser) Recall(incident oomdoc.Incident) { d.joiner.Recall(incident) }
