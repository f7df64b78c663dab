package classify

import "github.com/oomdoc/oomdoc"

// Recall tells the Joiner of a kernel kill that an earlier run stored: what a
// manager says of it later is then no incident of its own. Oldest first.
func (j *Joiner) Recall(inc oomdoc.Incident) {
	if inc.Killer != oomdoc.KillerKernel || inc.Outcome != oomdoc.OutcomeKilled {
		return
	}
	at := moment{boot: inc.BootID, usec: inc.Usec, time: inc.Time}
	if at.usec <= 0 { // the store does not tell it from unknown
		at.usec = oomdoc.NoUsec
	}
	// Only what a manager's word is matched by is worth remembering.
	j.killers.see(oomdoc.Incident{
		ID: inc.ID, BootID: inc.BootID, Time: inc.Time, Usec: inc.Usec, Cause: inc.Cause, Outcome: inc.Outcome,
		Process: inc.Process, Victims: inc.Victims,
	}, at, false)
}
