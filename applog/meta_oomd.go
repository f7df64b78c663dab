package applog

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// metaOomd reads the kills of Meta's oomd (BaseKillPlugin of oomd), which writes
// them to /dev/kmsg, where they have facility user. "(dry)" before the plugin's
// name is a kill that was not done.
func metaOomd(d *desk) []entry {
	m := &metaKiller{desk: d}
	return []entry{{"oomd kill: ", m.take}}
}

type metaKiller struct{ desk *desk }

const metaPatience = 2 * time.Second

// take reads, sizes in bytes, pressure in percent over 10 s, 60 s and 300 s:
//
//	v2: oomd kill: 81.2 80.0 42.7 workload.slice/x.service 123456 ruleset:[r] detectorgroup:[d] killer:kill_by_memory_size_or_growth v2
//	v1: oomd kill: 10.00 60.00 600.00 workload.slice 1999 detector:swap,12345MB killer:...
func (m *metaKiller) take(l *line) bool {
	witness, is := l.by([]string{"oomd"}, []string{"oomd.service"})
	text := bytes.TrimPrefix(l.text, []byte("oomd: "))
	rest, starts := bytes.CutPrefix(text, []byte("oomd kill: "))
	if !is || !starts {
		return false
	}
	kill := oomdoc.UserKill{
		Killer: oomdoc.KillerOomd, Witness: witness, Reason: oomdoc.ReasonRule, Line: l.proof(),
	}
	for i := range 3 {
		pressure, after, ok := decimal(rest)
		if !ok {
			return false
		}
		if rest = after; i == 0 {
			kill.Pressure = &pressure
		}
	}
	_, killer, named := afterLast(rest, " killer:")
	if !named || bytes.HasPrefix(killer, []byte("(dry)")) {
		return false
	}
	kill.Action = keepWord(killer)
	before, rules, found := afterLast(rest, " ruleset:[")
	if found {
		rule, _, _ := bytes.Cut(rules, []byte("]"))
		kill.Rule = keep(rule)
	} else if before, rules, found = afterLast(rest, " detector:"); found {
		kill.Rule = keepWord(rules)
	} else {
		return false
	}
	path, size, sized := afterLast(before, " ")
	used, _, ok := whole(size)
	path = bytes.TrimSpace(path)
	if !sized || !ok || len(path) == 0 {
		return false
	}
	kill.RSS = &used
	kill.Cgroup = "/" + keep(bytes.TrimPrefix(path, []byte("/")))
	m.desk.begin(l, &kill, 0, metaPatience, keep(text))
	return true
}

// keepWord copies what stands before the next blank.
func keepWord(text []byte) string {
	word, _, _ := bytes.Cut(text, []byte(" "))
	return keep(word)
}
