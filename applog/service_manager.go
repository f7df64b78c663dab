package applog

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// The message ids of the service manager (src/systemd/sd-messages.h of systemd).
const (
	messageUnitOOM    = "fe6faa94e7774663a0da52717891d8ef"
	messageUnitFailed = "d9b373ed55a64feb8242e02dbe79a49c"
)

// serviceManager reads the word of systemd that a process of a unit was killed:
// from memory.events, so that the kernel did it (243 and later), or as the result
// of the unit, which systemd-oomd's kills have too. Neither is a kill of its own.
func serviceManager(d *desk) []entry {
	m := &manager{desk: d}
	return []entry{
		{" has been killed by the OOM killer.", m.takeKilled},
		{"ailed with result 'oom-kill'.", m.takeFailed},
	}
}

type manager struct{ desk *desk }

const (
	tellerSystemd = "systemd"
	// toldHold: the kernel's own lines, which say more, come to the journal by
	// another way and may be late. toldPatience: the unit ends soon after.
	toldHold     = 3 * time.Second
	toldPatience = 5 * time.Second
)

// takeKilled reads "UNIT: A process of this unit has been killed by the OOM killer."
func (m *manager) takeKilled(l *line) bool {
	unit, rest, found := cutUnit(l.text)
	if !found || string(rest) != "A process of this unit has been killed by the OOM killer." {
		return false
	}
	return m.tell(l, unit, messageUnitOOM, oomdoc.KillerKernel)
}

// takeFailed reads "UNIT: Failed with result 'oom-kill'."
func (m *manager) takeFailed(l *line) bool {
	unit, rest, found := cutUnit(l.text)
	if !found || string(rest) != "Failed with result 'oom-kill'." {
		return false
	}
	return m.tell(l, unit, messageUnitFailed, "")
}

// tell opens an episode, or adds to the one of the unit. A line in the kernel's
// log that user space wrote is never evidence of a kernel kill (DESIGN, "Trust").
func (m *manager) tell(l *line, unit, id, killer string) bool {
	witness, is := byManager(l)
	if !is || l.inKernelLog || !hasMessageID(l, id) {
		return false
	}
	kill := oomdoc.UserKill{
		Killer: killer, Witness: witness, Told: true, Teller: tellerSystemd, UnitLine: l.proof(), Line: l.proof(),
	}
	setUnit(&kill, l, unit)
	sameUnit := func(k *oomdoc.UserKill) bool {
		return k.Unit+k.UserUnit == unit && (k.Told || k.Killer == oomdoc.KillerSystemdOomd)
	}
	if e := m.desk.find(l, sameUnit); e != nil {
		if e.kill.Told && e.kill.Killer == "" {
			e.kill.Killer = killer
		}
		e.confirm(witness)
		m.desk.add(e, l)
		return true
	}
	m.desk.begin(l, &kill, toldHold, toldPatience, "unit", unit, invocation(l), killer)
	return true
}

// byManager tells a line of the system's or a user's service manager. A user's
// is only as good as that user: its other processes run in the same unit.
func byManager(l *line) (oomdoc.Witness, bool) {
	witness, is := l.by([]string{"systemd"}, []string{"init.scope"})
	if j := l.rec.Journal; is && j != nil && !l.inKernelLog && string(j.WriterPID) == "1" {
		return oomdoc.WitnessProven, true
	}
	return witness, is
}

// hasMessageID holds where the log prints no ids, too.
func hasMessageID(l *line, id string) bool {
	j := l.rec.Journal
	return j == nil || len(j.MessageID) == 0 || string(j.MessageID) == id
}

// cutUnit reads "UNIT: " at the start of a line. A unit's name has no blanks.
func cutUnit(text []byte) (unit string, rest []byte, found bool) {
	const longest = 256 // UNIT_NAME_MAX
	name, rest, found := bytes.Cut(text, []byte(": "))
	if !found || len(name) == 0 || len(name) > longest || bytes.ContainsAny(name, " \t/") || bytes.IndexByte(name, '.') < 0 {
		return "", nil, false
	}
	return string(name), rest, true
}

// setUnit says whose unit it is: the journal's fields tell, else the manager's
// pid in front of the line, which only the system's is 1, where the log has it;
// a log without either leaves it to the cgroup's path.
func setUnit(kill *oomdoc.UserKill, l *line, unit string) {
	if j := l.rec.Journal; j != nil && len(j.UserUnit) > 0 || j != nil && bytes.HasPrefix(j.WriterUnit, []byte("user@")) {
		kill.UserUnit = unit
		return
	}
	if managerPID(l) > 1 {
		kill.UserUnit = unit
		return
	}
	kill.Unit = unit
}

// managerPID finds the pid in "systemd[1837]: " before the text, 0 when the log
// has none.
func managerPID(l *line) int {
	raw := l.rec.Raw
	at := bytes.Index(raw, []byte("systemd["))
	if at < 0 || at > len(raw)-len(l.text) {
		return 0
	}
	pid, _, _ := small(raw[at+len("systemd["):])
	return pid
}

// invocation is the id of one run of a unit, "" where the log has none.
func invocation(l *line) string {
	if l.rec.Journal == nil {
		return ""
	}
	return keep(l.rec.Journal.InvocationID)
}
