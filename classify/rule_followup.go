package classify

import (
	"time"

	"github.com/oomdoc/oomdoc"
)

// followWindow is how soon after a kill another one, with plenty free, belongs to
// the same shortage: the memory of the first victim is just being given back
// (knowledge kernel-oom.md section 4 point 8). A victim that is still listed
// extends it to burstWindow.
const followWindow = time.Second

const (
	keyFollows     oomdoc.Key = "evidence.follows"
	keyStillListed oomdoc.Key = "evidence.victim-still-listed"
)

// A hostKill is a kill for the machine's memory, as the next one may need it.
type hostKill struct {
	at    moment
	class oomdoc.Class
	cause oomdoc.Cause
	name  string
	pid   int
}

// decideFollowUp holds for a kill with plenty free right after another one. It
// tells the cause of the first; the numbers of this report only show that the
// shortage was over. A request for several pages is not told so: for it, plenty
// free may be no use.
func decideFollowUp(r *reading) (verdict, bool) {
	earlier := r.earlier
	zones, complete := r.usableZones()
	if earlier == nil || !complete || r.order() > 0 || r.shortageFor(zones) != plenty {
		return verdict{}, false
	}
	gap, _ := momentOf(r.event).distance(earlier.at)
	listed := r.taskOf(earlier.pid) != nil
	if gap > followWindow && !listed {
		return verdict{}, false
	}
	v := verdict{of: earlier, reason: reasonFollowUp, ceiling: oomdoc.Likely}
	args := oomdoc.Args{"gap": oomdoc.Duration(gap), "first": processName(earlier.name), "first_pid": oomdoc.Count(earlier.pid)}
	v.held = args
	v.prove("", keyFollows, args)
	if listed {
		v.prove(r.taskOf(earlier.pid).Line, keyStillListed, args)
	}
	v.addZones(r)
	v.addSwap(r)
	v.addShares(r)
	v.proveLargest(r)
	v.proveVictim(r)
	return v, true
}
