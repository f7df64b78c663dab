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
	kill    *hostKill // the last kill for the machine's memory
}

// learn remembers what an incident is sure of.
func (n *neighbours) learn(r *reading, inc *oomdoc.Incident, at moment) {
	if limit := r.limitCgroup(); limit != "" {
		n.cgroup, n.limited = limit, at
	}
	if isExhaustion(inc.Cause) && inc.Confidence != oomdoc.Possible {
		n.host, n.hasHost = at, true
	}
	if !r.isMemcg() && !r.isRequested() && r.victimPID() != 0 {
		n.kill = &hostKill{at: at, class: inc.Class, cause: inc.Cause, pid: r.victimPID()}
		n.kill.name, _ = r.victimName()
	}
}

// isExhaustion tells the causes in which the machine as a whole was out of RAM.
func isExhaustion(cause oomdoc.Cause) bool {
	switch cause {
	case oomdoc.CauseHostExhausted, oomdoc.CauseKernelMemory, oomdoc.CauseSharedMemory,
		oomdoc.CauseHugepagesReserved, oomdoc.CauseBalloon:
		return true
	}
	return false
}

// earlier gives the kill right before that this one can be a follow-up of.
func (n *neighbours) earlier(at moment) *hostKill {
	if !n.killedNear(at) || n.kill.cause == oomdoc.CauseUndecided {
		return nil
	}
	return n.kill
}

// killedNear tells a kill for the machine's memory within the window of a burst.
func (n *neighbours) killedNear(at moment) bool {
	return n.kill != nil && n.kill.at.boot == at.boot && n.kill.at.near(at, burstWindow)
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

// hostNear tells a kill without any numbers, for no cgroup and not for several
// pages, soon after the machine was found out of RAM.
func (n *neighbours) hostNear(r *reading, at moment) bool {
	bare := r.report.Summary == nil && r.report.Memory == nil && r.order() == 0
	return n.hasHost && bare && !r.isMemcg() &&
		n.host.boot == at.boot && n.host.near(at, burstWindow)
}
