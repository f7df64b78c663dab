package classify

import (
	"cmp"
	"time"

	"github.com/oomdoc/oomdoc"
)

// burstWindow: incidents of the same pool within this time share a burst, and
// reports without a victim are one incident until this much quiet (DESIGN, "What
// counts as one").
const burstWindow = 5 * time.Second

// What a Joiner remembers when its options do not say: some hundreds of KiB.
const (
	defaultEvents = 1024
	maxFloods     = 64 // incidents without a victim that are open at one time
	maxSizes      = 512
)

// Options are the bounds of a Joiner; the zero value is right for most.
type Options struct {
	// Events is how many events, and how many pools, are remembered; 0 means
	// 1024.
	Events int
}

// A Joiner turns events into incidents and finds which belong together: events
// told again, bursts, reports without a victim that repeat. Nothing is held
// back: what an event says comes out of Add at once. It is not safe for
// concurrent use.
type Joiner struct {
	told    recent[string, telling] // by event id
	pools   recent[string, pool]    // by poolOf
	last    neighbours
	floods  recent[string, *flood] // by poolOf
	heard   recent[string, moment] // events without a victim, by id
	killers sightings
	sizes   recent[string, sighted] // of what can grow, by quantity.name
}

// A telling is what must stay the same when an event is told again.
type telling struct {
	moment   moment
	revision int
	final    bool
	burst    string
	guessed  string
	host     bool
	earlier  *hostKill
	growths  []growth
}

// A pool is memory that can run out by itself: a cgroup's, or the machine's.
type pool struct {
	burst string // id of the first incident of the burst
	last  moment
}

// NewJoiner makes an empty Joiner.
func NewJoiner(o Options) *Joiner {
	size := cmp.Or(max(o.Events, 0), defaultEvents)
	return &Joiner{
		told:   newRecent[string, telling](size),
		pools:  newRecent[string, pool](size),
		floods: newRecent[string, *flood](min(size, maxFloods)),
		heard:  newRecent[string, moment](size),
		sizes:  newRecent[string, sighted](min(size, maxSizes)),
	}
}

// Add takes an event and gives its incident, new or amended (same ID, higher
// Revision). It gives none for an event that was told already, and none for a
// failed allocation that names no shortage or follows a kill.
func (j *Joiner) Add(event oomdoc.Event, facts oomdoc.Facts) []oomdoc.Incident {
	switch {
	case event.UserKill != nil:
		return j.addUserKill(&event, facts)
	case event.Program != nil:
		return j.addProgramError(&event, facts)
	}
	r := newReading(&event, facts)
	switch {
	case r.isFailure():
		return j.addFailure(r)
	case fateOf(r) == fateNobody:
		return j.addNoVictim(r)
	case fateOf(r) == fateUnseen && j.isOfFlood(r):
		return nil
	}
	return j.addKill(r)
}

// Flush ends the input. It gives nothing, because nothing is held back.
func (j *Joiner) Flush() []oomdoc.Incident { return nil }

func (j *Joiner) addKill(r *reading) []oomdoc.Incident {
	at := momentOf(r.event)
	before, known := j.told.get(r.event.ID)
	// The same line at another time is another kill.
	known = known && before.moment.compatible(at)
	if known && before.covers(r.event) {
		return nil
	}
	if !known {
		before = telling{guessed: j.last.guess(r, at), host: j.last.hostNear(r, at), earlier: j.last.earlier(at)}
		before.growths = j.grown(r, at)
	}
	r.guessed, r.hostNearby, r.earlier, r.growths = before.guessed, before.host, before.earlier, before.growths
	if !known {
		before.burst = j.join(r, at)
	}
	inc := r.incident()
	inc.Burst = before.burst
	j.last.learn(r, &inc, at)
	j.killers.meet(r, &inc, at)
	before.moment, before.revision, before.final = at, r.event.Revision, r.event.Final
	j.told.put(r.event.ID, before)
	return []oomdoc.Incident{inc}
}

// covers tells an event that says nothing new.
func (t *telling) covers(event *oomdoc.Event) bool {
	return event.Revision < t.revision || event.Revision == t.revision && (t.final || !event.Final)
}

// poolOf names the memory that ran out, in its boot: a log can hold several.
func poolOf(r *reading) string {
	if r.isMemcg() {
		return r.event.BootID + " cgroup " + r.anyLimitCgroup()
	}
	return r.event.BootID + " host"
}

// join finds the burst of a new incident, or begins one.
func (j *Joiner) join(r *reading, at moment) string {
	return j.joinPool(poolOf(r), r.event.ID, at)
}

func (j *Joiner) joinPool(key, id string, at moment) string {
	p, known := j.pools.get(key)
	if !known || !p.last.near(at, burstWindow) {
		p = pool{burst: id}
	}
	p.last = at
	j.pools.put(key, p)
	return p.burst
}
