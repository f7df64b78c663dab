package applog

import (
	"bytes"
	"path"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// systemd-oomd (src/oom/oomd-manager.c of systemd). 248 to 258 say "Killed PATH
// due to ...", 259 and later "Marked PATH for killing due to ..."; 247 says only
// why, and leaves it to the service manager's line about the unit to tell that
// somebody died. "Considered ..." and its table, and "Would have tried", are no
// kills.
func systemdOomd(d *desk) []entry {
	o := &oomd{desk: d}
	return []entry{
		{"Killed /", o.takeKilled},
		{"Marked /", o.takeMarked},
		{"emory pressure for ", o.takePressure},
		{"wap used (", o.takeSwap},
		{"emory used (", o.takeSwap},
		{"' conditions met for cgroup ", o.takeRule},
		{"systemd-oomd killed ", o.takeUnit},
	}
}

type oomd struct {
	desk *desk
	why  oomdoc.UserKill // the last reason that was said without a kill
	at   moment
	told bool // there is one
}

const (
	// oomdPatience: the line of the manager about the unit comes once its cgroup
	// is empty; pre-kill hooks of 259 may take some seconds before the kill.
	oomdPatience = 10 * time.Second
	// unitHold: the manager may be faster to write than systemd-oomd itself.
	unitHold = 3 * time.Second
	// whyWindow: a reason is said right before its kill.
	whyWindow = 5 * time.Second
)

func oomdNames() []string { return []string{"systemd-oomd"} }
func oomdUnits() []string { return []string{"systemd-oomd.service"} }

// takeKilled reads "Killed PATH due to REASON".
func (o *oomd) takeKilled(l *line) bool {
	rest, is := bytes.CutPrefix(l.text, []byte("Killed "))
	return is && o.decide(l, rest, " due to ")
}

func (o *oomd) takeMarked(l *line) bool {
	rest, is := bytes.CutPrefix(l.text, []byte("Marked "))
	return is && o.decide(l, rest, " for killing due to ")
}

func (o *oomd) decide(l *line, rest []byte, mark string) bool {
	witness, is := l.by(oomdNames(), oomdUnits())
	cgroup, tail, found := cutReason(rest, mark)
	if !is || !found || len(cgroup) < 2 || cgroup[0] != '/' {
		return false
	}
	kill := oomdoc.UserKill{Killer: oomdoc.KillerSystemdOomd, Witness: witness, Cgroup: keep(cgroup), Line: l.proof()}
	if !readPressure(&kill, tail) && !readUse(&kill, tail) && !o.readRule(&kill, l) {
		return false
	}
	parts := []string{kill.Cgroup, string(tail[:min(len(tail), maxKept)])}
	if e := o.desk.find(l, func(k *oomdoc.UserKill) bool { return k.Killer == kill.Killer && k.Cgroup == kill.Cgroup }); e != nil {
		o.desk.add(e, l) // marked, and now killed
		e.confirm(witness)
		return true
	}
	unitFirst := func(k *oomdoc.UserKill) bool {
		return k.Killer == kill.Killer && k.Cgroup == "" && inUnit(kill.Cgroup, k)
	}
	if e := o.desk.find(l, unitFirst); e != nil && !e.told {
		kill.Unit, kill.UserUnit, kill.Processes, kill.UnitLine = e.kill.Unit, e.kill.UserUnit, e.kill.Processes, e.kill.UnitLine
		kill.Witness = max(witness, e.kill.Witness)
		*e.kill = kill
		e.decide(l, parts...)
		o.desk.add(e, l)
		e.hold = 0
		return true
	}
	o.desk.begin(l, &kill, 0, oomdPatience, parts...)
	return true
}

// cutReason splits "PATH due to memory ..." where the reason begins; a path may
// hold the mark itself. Without the word it is a rule's.
func cutReason(text []byte, mark string) (cgroup, reason []byte, found bool) {
	if at := bytes.Index(text, []byte(mark+"memory ")); at >= 0 {
		return text[:at], text[at+len(mark):], true
	}
	return bytes.Cut(text, []byte(mark))
}

// takePressure reads the reason that stands alone before a kill:
//
//	247: Memory pressure for PATH is greater than 60 for more than 30 seconds and there was reclaim activity
//	248: Memory pressure for PATH is 85.03% > 80.00% for > 2s with reclaim activity
func (o *oomd) takePressure(l *line) bool {
	if !bytes.HasPrefix(l.text, []byte("Memory pressure for /")) {
		return false
	}
	kill := oomdoc.UserKill{LimitLine: l.proof()}
	rest := l.text[len("Memory pressure for "):]
	if before, tail, found := afterLast(rest, " is greater than "); found {
		limit, after, ok := decimal(tail)
		if !ok {
			return false
		}
		kill.Reason, kill.Monitored, kill.PressureLimit = oomdoc.ReasonPressure, keep(before), &limit
		if n := wholeAfter(after, " for more than "); n != nil {
			kill.PressureFor = time.Duration(min(*n, int64(maxSpan/time.Second))) * time.Second
		}
		return o.remember(l, kill)
	}
	before, tail, found := afterLast(rest, " is ")
	if !found || !readShares(&kill, tail) {
		return false
	}
	kill.Monitored = keep(before)
	return o.remember(l, kill)
}

// takeSwap reads "Swap used (N) / total (N) is more than P%" and, of later
// versions, "Memory used (N) / total (N) and swap used (N) / total (N) is more
// than P%".
func (o *oomd) takeSwap(l *line) bool {
	kill := oomdoc.UserKill{LimitLine: l.proof()}
	if !bytes.HasPrefix(l.text, []byte("Swap used (")) && !bytes.HasPrefix(l.text, []byte("Memory used (")) {
		return false
	}
	return readUse(&kill, l.text) && o.remember(l, kill)
}

// takeRule reads "Rule 'NAME' conditions met for cgroup PATH for 10s, taking
// action A".
func (o *oomd) takeRule(l *line) bool {
	name, rest, found := bytes.Cut(l.text, []byte("' conditions met for cgroup "))
	name, is := bytes.CutPrefix(name, []byte("Rule '"))
	before, action, acts := afterLast(rest, ", taking action ")
	if !found || !is || !acts {
		return false
	}
	kill := oomdoc.UserKill{
		Reason: oomdoc.ReasonRule, Rule: keep(name), Action: keep(bytes.TrimRight(action, ".")), LimitLine: l.proof(),
	}
	kill.Monitored = keep(before)
	if cgroup, span, timed := afterLast(before, " for "); timed {
		kill.Monitored, kill.PressureFor = keep(cgroup), timespan(span)
	}
	return o.remember(l, kill)
}

func (o *oomd) remember(l *line, kill oomdoc.UserKill) bool {
	if _, is := l.by(oomdNames(), oomdUnits()); !is {
		return false
	}
	o.why, o.at, o.told = kill, momentOf(l.rec), true
	return true
}

// recent gives the reason that was said right before a line.
func (o *oomd) recent(l *line) *oomdoc.UserKill {
	if o.told && o.at.within(momentOf(l.rec), whyWindow) {
		return &o.why
	}
	return nil
}

// readRule is for a kill by a rule, whose own line names only the rule, if that.
func (o *oomd) readRule(kill *oomdoc.UserKill, l *line) bool {
	why := o.recent(l)
	if why == nil || why.Reason != oomdoc.ReasonRule {
		return false
	}
	copyWhy(kill, why)
	return true
}

func copyWhy(kill, why *oomdoc.UserKill) {
	kill.Reason, kill.Monitored, kill.LimitLine = why.Reason, why.Monitored, why.LimitLine
	kill.Pressure, kill.PressureLimit, kill.PressureFor = why.Pressure, why.PressureLimit, why.PressureFor
	kill.MemUsed, kill.MemTotal, kill.MemLimit = why.MemUsed, why.MemTotal, why.MemLimit
	kill.SwapUsed, kill.SwapTotal, kill.SwapLimit = why.SwapUsed, why.SwapTotal, why.SwapLimit
	kill.Rule, kill.Action = why.Rule, why.Action
}

// readPressure reads "memory pressure for PATH being 51.07% > 50.00% for > 20s
// with reclaim activity", from the right: a path may hold anything.
func readPressure(kill *oomdoc.UserKill, tail []byte) bool {
	rest, is := bytes.CutPrefix(tail, []byte("memory pressure for "))
	if !is {
		return false
	}
	monitored, shares, found := afterLast(rest, " being ")
	if !found || !readShares(kill, shares) {
		return false
	}
	kill.Monitored = keep(monitored)
	return true
}

// readShares reads "85.03% > 80.00% for > 2s".
func readShares(kill *oomdoc.UserKill, text []byte) bool {
	pressure, rest, ok := decimal(text)
	limit := decimalAfter(rest, "% > ")
	if !ok || limit == nil {
		return false
	}
	kill.Reason, kill.Pressure, kill.PressureLimit = oomdoc.ReasonPressure, &pressure, limit
	if span, found := after(rest, " for > "); found {
		kill.PressureFor = timespan(span)
	}
	return true
}

// readUse reads "memory used (N) / total (N) and swap used (N) / total (N) being
// more than 90.00%", or swap alone. The numbers are bytes.
func readUse(kill *oomdoc.UserKill, text []byte) bool {
	swap := max(bytes.LastIndex(text, []byte("swap used (")), bytes.LastIndex(text, []byte("Swap used (")))
	if swap < 0 {
		return false
	}
	kill.SwapUsed, kill.SwapTotal = wholeAfter(text[swap:], "used ("), wholeAfter(text[swap:], "total (")
	kill.SwapLimit = decimalAfter(text[swap:], " more than ")
	if kill.SwapUsed == nil || kill.SwapTotal == nil {
		return false
	}
	if memory := text[:swap]; bytes.Contains(memory, []byte("emory used (")) {
		kill.MemUsed, kill.MemTotal = wholeAfter(memory, "used ("), wholeAfter(memory, "total (")
		kill.MemLimit = kill.SwapLimit
	}
	kill.Reason = oomdoc.ReasonSwap
	return true
}

// takeUnit reads the service manager's "UNIT: systemd-oomd killed 12 process(es)
// in this unit." (src/core/unit.c).
func (o *oomd) takeUnit(l *line) bool {
	unit, rest, found := cutUnit(l.text)
	rest, is := bytes.CutPrefix(rest, []byte("systemd-oomd killed "))
	witness, bySystemd := byManager(l)
	if !found || !is || !bySystemd || !bytes.HasSuffix(rest, []byte(" in this unit.")) {
		return false
	}
	kill := oomdoc.UserKill{Killer: oomdoc.KillerSystemdOomd, Witness: witness, UnitLine: l.proof()}
	setUnit(&kill, l, unit)
	if n, _, ok := small(rest); ok { // else "some process(es)"
		kill.Processes = &n
	}
	known := func(k *oomdoc.UserKill) bool {
		return k.Killer == kill.Killer && k.UnitLine == "" && k.Cgroup != "" && inUnit(k.Cgroup, &kill)
	}
	if e := o.desk.find(l, known); e != nil {
		e.kill.Unit, e.kill.UserUnit = kill.Unit, kill.UserUnit
		e.kill.Processes, e.kill.UnitLine = kill.Processes, kill.UnitLine
		e.confirm(witness)
		o.desk.add(e, l)
		return true
	}
	if why := o.recent(l); why != nil {
		copyWhy(&kill, why)
	}
	o.desk.begin(l, &kill, unitHold, oomdPatience, "unit", unit, invocation(l), kill.UnitLine)
	return true
}

// inUnit tells a cgroup that is the unit's or below it.
func inUnit(cgroup string, kill *oomdoc.UserKill) bool {
	unit := kill.Unit + kill.UserUnit
	return unit != "" && (path.Base(cgroup) == unit || strings.Contains(cgroup, "/"+unit+"/"))
}
