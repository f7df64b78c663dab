package view

import (
	"time"

	"github.com/oomdoc/oomdoc"
)

// A group is one incident, or those of one burst, in the order that they were
// given in. It is never empty.
type group []*oomdoc.Incident

// apart gives every incident a group of its own.
func apart(incidents []oomdoc.Incident) []group {
	groups := make([]group, len(incidents))
	for i := range incidents {
		groups[i] = group{&incidents[i]}
	}
	return groups
}

// folded puts the incidents of a burst into one group, at the place of the
// first that is met.
func folded(incidents []oomdoc.Incident) []group {
	var groups []group
	place := map[string]int{}
	for i := range incidents {
		inc := &incidents[i]
		at, met := place[inc.Burst]
		if inc.Burst != "" && met {
			groups[at] = append(groups[at], inc)
			continue
		}
		place[inc.Burst] = len(groups)
		groups = append(groups, group{inc})
	}
	return groups
}

func (g group) first() *oomdoc.Incident { return g[0] }

// id is what to ask for: the incident's, or the burst's, which is the id of the
// burst's first.
func (g group) id() string {
	if len(g) > 1 {
		return g[0].Burst
	}
	return g[0].ID
}

// count is how many failures the group holds.
func (g group) count() int {
	sum := 0
	for _, inc := range g {
		sum += max(1, inc.Count)
	}
	return sum
}

// killed tells whether every failure of the group was a kill.
func (g group) killed() bool {
	for _, inc := range g {
		if inc.Outcome != oomdoc.OutcomeKilled {
			return false
		}
	}
	return true
}

// start is the earliest known time of the group; zero when none is known.
func (g group) start() (at time.Time, approximate bool) {
	for _, inc := range g {
		if !inc.Time.IsZero() && (at.IsZero() || inc.Time.Before(at)) {
			at, approximate = inc.Time, inc.TimeApproximate
		}
	}
	return at, approximate
}

// span is the time from the earliest to the latest of the group.
func (g group) span() time.Duration {
	start, _ := g.start()
	latest := start
	for _, inc := range g {
		if inc.Time.After(latest) {
			latest = inc.Time
		}
	}
	return latest.Sub(start)
}
