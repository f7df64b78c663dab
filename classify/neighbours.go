package classify

import "github.com/oomdoc/oomdoc"

// neighbours are the last kills whose reports told what ran out. They stand in,
// as a guess, for a report of which only the kill line is there: the kernel's rate
// limit kept the rest back.
type neighbours struct {
	cgroup  string // the path of the limit
	limited moment
	host    moment // when the machine was last found out of RAM
	hasHost bool
}

// learn remembers what an incident is sure of.
func (n *neighbours) learn(r *reading, inc *oomdoc.Incident, at moment) {
	if limit := r.limitCgroup(); limit != "" {
		n.cgroup, n.limited = limit, at
	}
	if inc.Cause == oomdoc.CauseHostExhausted && inc.Confidence != oomdoc.Possible {
		n.host, n.hasHost = at, true
	}
}

// guess gives the cgroup of the last kill that named one, for a kill for a
// cgroup's limit of which nothing else tells the cgroup.
func (n *neighbours) guess(r *reading, at moment) string {
	if n.cgroup == "" || !r.isMemcg() || r.limitCgroup() != "" || r.sampledCgroup() != "" {
		return ""
	}
	if n.limited.boot != at.boot || !n.limited.near(at, burstWindow) {
		return ""
	}
	return n.cgroup
}

// hostNear tells a kill line alone, for no cgroup, soon after the machine was
// found out of RAM.
func (n *neighbours) hostNear(r *reading, at moment) bool {
	return n.hasHost && r.onlyKillLine() && !r.isMemcg() &&
		n.host.boot == at.boot && n.host.near(at, burstWindow)
}
