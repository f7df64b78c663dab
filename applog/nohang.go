package applog

import (
	"bytes"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// nohang (src/nohang of nohang 0.2). One decision is a block of lines: the state
// of memory that asks for an action, a table about the victim, "Sending SIGTERM
// to the victim", what became of it. journald makes a record of each line. A
// command that was configured in place of a signal is no kill of nohang's.
func nohang(d *desk) []entry {
	n := &nohangKiller{desk: d}
	return []entry{
		{"Memory status that requires corrective actions", n.takeState},
		{"MemAvailable [", n.takeAvailable},
		{"SwapFree [", n.takeSwap},
		{"PSI avg value (", n.takePressure},
		{"  PID:       ", n.takeVictim},
		{"  badness:   ", n.takeVictim},
		{"Vm, MiB:   ", n.takeSize},
		{"cgroup_v1: ", n.takeCgroup},
		{"cgroup_v2: ", n.takeCgroup},
		{"  total=", n.takeTotal},
		{"  swap_total=", n.takeTotal},
		{"Sending SIG", n.takeSending},
		{"The victim died in ", n.takeDied},
		{"The victim became a zombie in ", n.takeDied},
		{"Cannot send a signal: ", n.takeBack},
	}
}

type nohangKiller struct {
	desk  *desk
	block oomdoc.UserKill // as far as its lines have come
	at    moment          // of its last line
	lines int
}

// blockWindow is how long a block may take: the search for a victim takes up to
// seconds on a machine that thrashes.
const blockWindow = 30 * time.Second

func (n *nohangKiller) by(l *line) (oomdoc.Witness, bool) {
	return l.by([]string{"nohang", "nohang-desktop"}, []string{"nohang.service", "nohang-desktop.service"})
}

// block gives the block that a line belongs to, a new one when the last is old.
func (n *nohangKiller) part(l *line) *oomdoc.UserKill {
	now := momentOf(l.rec)
	if n.lines > 0 && !n.at.within(now, blockWindow) {
		n.forget()
	}
	n.at = now
	n.lines++
	return &n.block
}

func (n *nohangKiller) forget() { n.block, n.lines = oomdoc.UserKill{}, 0 }

// starts tells a line of nohang's that begins with a text, blanks aside.
func (n *nohangKiller) starts(l *line, text string) ([]byte, bool) {
	if _, is := n.by(l); !is {
		return nil, false
	}
	return bytes.CutPrefix(bytes.TrimLeft(l.text, " "), []byte(text))
}

func (n *nohangKiller) takeState(l *line) bool {
	_, is := n.starts(l, "Memory status that requires corrective actions:")
	if !is {
		return false
	}
	n.forget()
	n.part(l)
	return true
}

// takeAvailable reads "MemAvailable [310 MiB, 3.9 %] <= soft_threshold_min_mem
// [640 MiB, 8.0 %]".
func (n *nohangKiller) takeAvailable(l *line) bool {
	rest, is := n.starts(l, "MemAvailable [")
	size, limit, ok := sizeAndLimit(rest)
	if !is || !ok || n.lines == 0 {
		return false
	}
	b := n.part(l)
	b.Reason, b.MemAvailable, b.MemLimitBytes, b.LimitLine = oomdoc.ReasonAvailable, size, limit, l.proof()
	b.MemLimit = lastPercent(rest)
	return true
}

func (n *nohangKiller) takeSwap(l *line) bool {
	rest, is := n.starts(l, "SwapFree [")
	size, _, ok := sizeAndLimit(rest)
	if !is || !ok || n.lines == 0 {
		return false
	}
	b := n.part(l)
	b.SwapFree, b.SwapLimit = size, lastPercent(rest)
	return true
}

// sizeAndLimit reads "310 MiB, 3.9 %] <= NAME [640 MiB, 8.0 %]".
func sizeAndLimit(text []byte) (size, limit *int64, ok bool) {
	n, rest, ok := decimal(text)
	after, found := after(rest, "= ")
	m := decimalAfter(after, " [")
	if !ok || !found || m == nil || !bytes.HasPrefix(rest, []byte(" MiB")) {
		return nil, nil, false
	}
	return scaled(n, mib), scaled(*m, mib), true
}

// lastPercent reads the percentage of the limit, which is "-" where swap is
// smaller than the limit.
func lastPercent(text []byte) *float64 {
	_, limit, found := afterLast(text, "[")
	if !found {
		return nil
	}
	return decimalAfter(limit, ", ")
}

// takePressure reads "PSI avg value (85.2) >= soft_threshold_max_psi (60.0)".
func (n *nohangKiller) takePressure(l *line) bool {
	rest, is := n.starts(l, "PSI avg value (")
	pressure, rest, ok := decimal(rest)
	limit := decimalAfter(rest, "_threshold_max_psi (")
	if !is || !ok || limit == nil || n.lines == 0 {
		return false
	}
	b := n.part(l)
	b.Reason, b.Pressure, b.PressureLimit, b.StateLine = oomdoc.ReasonPressure, &pressure, limit, l.proof()
	return true
}

// takeVictim reads "  PID:       1234, name: NAME, state: S (sleeping), EUID:
// 1000, SID: ...".
func (n *nohangKiller) takeVictim(l *line) bool {
	rest, is := n.starts(l, "PID:")
	pid, rest, ok := small(bytes.TrimLeft(rest, " "))
	name, named := bytes.CutPrefix(rest, []byte(", name: "))
	name, rest, ends := bytes.Cut(name, []byte(", state: "))
	if !is || !ok || !named || !ends || len(name) > maxTag {
		return false
	}
	b := n.part(l)
	b.PID, b.Comm, b.Line = pid, new(string(name)), l.proof()
	if uid := wholeAfter(rest, ", EUID: "); uid != nil && *uid < 1<<32 {
		b.UID = new(int(*uid))
	}
	return true
}

// takeSize reads "  Vm, MiB:   Size: 5000, RSS: 3121 (Anon: ...), Swap: 0".
func (n *nohangKiller) takeSize(l *line) bool {
	rest, is := n.starts(l, "Vm, MiB:")
	if !is {
		return false
	}
	n.part(l).RSS = times(wholeAfter(rest, "RSS:"), mib)
	return true
}

func (n *nohangKiller) takeCgroup(l *line) bool {
	for _, mark := range []string{"cgroup_v1: ", "cgroup_v2: "} {
		if rest, is := n.starts(l, mark); is {
			if path := strings.TrimSpace(keep(rest)); strings.HasPrefix(path, "/") && len(path) > 1 {
				n.part(l).Cgroup = path
			}
			return true
		}
	}
	return false
}

// takeTotal reads "  total=7900, used=7400, ..." and "  swap_total=0, ...", MiB.
func (n *nohangKiller) takeTotal(l *line) bool {
	if rest, is := n.starts(l, "total="); is && n.lines > 0 {
		if total, _, ok := whole(rest); ok {
			n.part(l).MemTotal = times(&total, mib)
		}
		return true
	}
	rest, is := n.starts(l, "swap_total=")
	if total, _, ok := whole(rest); is && ok && n.lines > 0 {
		n.part(l).SwapTotal = times(&total, mib)
	}
	return is
}

// takeSending reads "  Sending SIGTERM to the victim", which is the decision.
func (n *nohangKiller) takeSending(l *line) bool {
	rest, is := n.starts(l, "Sending ")
	signal, end, found := bytes.Cut(rest, []byte(" to the victim"))
	witness, _ := n.by(l)
	if !is || !found || len(signal) > len("SIGKILL") || len(end) > 0 && end[0] != ';' {
		return false
	}
	if len(l.writer) == 0 && n.lines == 0 {
		return false // such words alone are anybody's
	}
	kill := *n.part(l)
	n.forget()
	kill.Killer, kill.Witness, kill.Signal = oomdoc.KillerNohang, witness, string(signal)
	if kill.Line == "" {
		kill.Line = l.proof()
	}
	same := func(o *oomdoc.UserKill) bool {
		return o.Killer == kill.Killer && o.PID == kill.PID && kill.PID != 0
	}
	if e := n.desk.find(l, same); e != nil {
		e.kill.Signal = kill.Signal
		n.desk.add(e, l)
		return true
	}
	n.desk.begin(l, &kill, signalHold, signalPatience, kill.Line, kill.LimitLine, kill.StateLine)
	return true
}

// takeDied reads "The victim died in 0.123s".
func (n *nohangKiller) takeDied(l *line) bool {
	_, span, found := bytes.Cut(l.text, []byte(" in "))
	e := n.latest(l, "The victim ")
	if e == nil || !found {
		return false
	}
	e.kill.ExitedIn, e.hold = seconds(span), 0
	n.desk.add(e, l)
	return true
}

// takeBack drops a decision that could not be carried out.
func (n *nohangKiller) takeBack(l *line) bool {
	e := n.latest(l, "Cannot send a signal: ")
	if e == nil || e.told {
		return false
	}
	e.dropped, e.patience = true, 0
	return true
}

func (n *nohangKiller) latest(l *line, prefix string) *episode {
	if _, is := n.starts(l, prefix); !is {
		return nil
	}
	return n.desk.find(l, func(o *oomdoc.UserKill) bool { return o.Killer == oomdoc.KillerNohang })
}
