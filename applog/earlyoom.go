package applog

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// earlyoom (kill.c and main.c of earlyoom), 0.x to 1.9. Every version says the
// limits first, then whom it signals; 1.3 and later send SIGTERM before SIGKILL
// and say how it ended. With -k, versions before 1.3 only ask the kernel by
// SysRq-f to choose.
func earlyoom(d *desk) []entry {
	k := &earlyKiller{desk: d}
	return []entry{
		{"sending SIG", k.takeSending},
		{"Killing process", k.takeOld},
		{"Invoking oom killer", k.takeAsked},
		{"Invoking OOM killer", k.takeAsked},
		{"ow memory! ", k.takeLimits},
		{"Out of memory! avail: ", k.takeLimits},
		{"mem avail: ", k.takeState},
		{"escalating to SIGKILL after ", k.takeEscalating},
		{" exited after ", k.takeExited},
		{"dryrun, not actually ", k.takeBack},
		{"kill failed: ", k.takeBack},
		{"Could not kill process: ", k.takeBack},
	}
}

type earlyKiller struct {
	desk   *desk
	limits *note
	state  *note
}

// A note is a line that says why, before one that says what.
type note struct {
	kill oomdoc.UserKill
	at   moment
}

const (
	// signalHold: what takes a decision back ("dryrun, ...", "kill failed") comes
	// right after it.
	signalHold = time.Second
	// signalPatience: earlyoom waits 10 s for the victim (MAX_KILL_WAIT), then
	// begins again with the same one.
	signalPatience = 15 * time.Second
	noteWindow     = 5 * time.Second
)

func (k *earlyKiller) by(l *line) (oomdoc.Witness, bool) {
	return l.by([]string{"earlyoom"}, []string{"earlyoom.service"})
}

// takeLimits reads what the limits were:
//
//	1.3: low memory! at or below SIGTERM limits: mem  4.00%, swap 10.00%
//	0.x: Out of memory! avail: 120 MiB < min: 150 MiB
func (k *earlyKiller) takeLimits(l *line) bool {
	if _, is := k.by(l); !is {
		return false
	}
	kill := oomdoc.UserKill{LimitLine: l.proof(), Reason: oomdoc.ReasonAvailable}
	switch {
	case bytes.HasPrefix(l.text, []byte("Out of memory! avail: ")):
		kill.MemAvailable = times(wholeAfter(l.text, "avail:"), mib)
		kill.MemLimitBytes = times(wholeAfter(l.text, "min:"), mib)
	case bytes.HasPrefix(l.text, []byte("low memory! ")), bytes.HasPrefix(l.text, []byte("Low memory! ")):
		kill.MemLimit, kill.SwapLimit = decimalAfter(l.text, " mem "), decimalAfter(l.text, ", swap ")
	default:
		return false
	}
	k.limits = &note{kill, momentOf(l.rec)}
	return true
}

// takeState reads "mem avail:   621 of 15903 MiB ( 3.91%), swap free:  101 of
// 2047 MiB ( 4.95%)", which it also prints from time to time.
func (k *earlyKiller) takeState(l *line) bool {
	memory, swap, found := bytes.Cut(l.text, []byte("swap free:"))
	if _, is := k.by(l); !is || !bytes.HasPrefix(memory, []byte("mem avail:")) || !found {
		return false
	}
	k.state = &note{oomdoc.UserKill{
		StateLine:    l.proof(),
		MemAvailable: times(wholeAfter(memory, "avail:"), mib), MemTotal: times(wholeAfter(memory, " of "), mib),
		SwapFree: times(wholeAfter(append([]byte(":"), swap...), ":"), mib), SwapTotal: times(wholeAfter(swap, " of "), mib),
	}, momentOf(l.rec)}
	return true
}

// takeSending reads
//
//	1.3: sending SIGTERM to process 123 "ninja": badness 12, VmRSS 2 MiB
//	1.4: sending SIGTERM to process 123 uid 1000 "ninja": badness 12, VmRSS 2 MiB
//	1.8: sending SIGTERM to process 123 uid 1000 "ninja": oom_score 812, VmRSS 2 MiB, cmdline "..."
//	1.9: ... oom_score 812, oom_score_adj 100, VmRSS 2 MiB, cmdline "..."
func (k *earlyKiller) takeSending(l *line) bool {
	rest, is := bytes.CutPrefix(l.text, []byte("sending "))
	signal, rest, named := bytes.Cut(rest, []byte(" to process "))
	pid, rest, ok := small(rest)
	if !is || !named || !ok || len(signal) > len("SIGKILL") {
		return false
	}
	kill := oomdoc.UserKill{PID: pid, Signal: string(signal)}
	if after, has := bytes.CutPrefix(rest, []byte(" uid ")); has {
		uid, after, _ := small(after)
		kill.UID, rest = &uid, after
	}
	name, rest, ok := quotedName(rest)
	if !ok {
		return false
	}
	kill.Comm, kill.RSS = &name, times(wholeAfter(rest, "VmRSS "), mib)
	if cmdline, has := after(rest, `, cmdline "`); has {
		kill.Cmdline = keep(bytes.TrimSuffix(cmdline, []byte(`"`)))
	}
	return k.decide(l, kill)
}

// quotedName reads ` "NAME": badness` or ` "NAME": oom_score`. The name may hold
// quotes; it is at most 15 characters long, of up to four bytes as earlyoom
// writes them.
func quotedName(text []byte) (name string, rest []byte, ok bool) {
	const longest = 64
	text, ok = bytes.CutPrefix(text, []byte(` "`))
	if !ok {
		return "", nil, false
	}
	head := text[:min(len(text), longest+len(`": oom_score `))]
	at := max(bytes.LastIndex(head, []byte(`": badness `)), bytes.LastIndex(head, []byte(`": oom_score `)))
	if at < 0 {
		return "", nil, false
	}
	return string(text[:at]), text[at:], true
}

// takeOld reads "Killing process 123 NAME" (0.x) and "Killing process: NAME, pid:
// 123, badness: 12, VmRSS: 2 MiB" (1.1). 0.x may send no signal there (-n) but
// says the same.
func (k *earlyKiller) takeOld(l *line) bool {
	rest, is := bytes.CutPrefix(l.text, []byte("Killing process"))
	if !is {
		return false
	}
	kill := oomdoc.UserKill{Signal: "SIGKILL"}
	var name []byte
	if after, has := bytes.CutPrefix(rest, []byte(": ")); has {
		before, numbers, found := afterLast(after, ", pid: ")
		pid, _, ok := small(numbers)
		if !found || !ok {
			return false
		}
		name, kill.PID, kill.RSS = before, pid, times(wholeAfter(numbers, "VmRSS: "), mib)
	} else {
		pid, after, ok := small(bytes.TrimPrefix(rest, []byte(" ")))
		if !ok || len(after) < 2 || after[0] != ' ' {
			return false
		}
		name, kill.PID = after[1:], pid
	}
	if len(name) > maxTag || len(l.writer) == 0 && k.noted(l, k.limits) == nil {
		return false // such words alone are anybody's
	}
	kill.Comm = new(string(name))
	return k.decide(l, kill)
}

// takeAsked reads the line of -k.
func (k *earlyKiller) takeAsked(l *line) bool {
	if !bytes.HasPrefix(l.text, []byte("Invoking ")) || len(l.writer) == 0 && k.noted(l, k.limits) == nil {
		return false
	}
	kill := oomdoc.UserKill{Reason: oomdoc.ReasonAsked}
	if !k.complete(l, &kill) {
		return false
	}
	k.desk.begin(l, &kill, 0, signalPatience, "sysrq", kill.LimitLine, kill.StateLine)
	return true
}

// decide opens the episode of a victim, or adds to it: SIGTERM and then SIGKILL
// for one process are one decision.
func (k *earlyKiller) decide(l *line, kill oomdoc.UserKill) bool {
	if !k.complete(l, &kill) {
		return false
	}
	same := func(o *oomdoc.UserKill) bool { return o.Killer == kill.Killer && o.PID == kill.PID }
	if e := k.desk.find(l, same); e != nil {
		e.kill.Signal = kill.Signal
		e.confirm(kill.Witness)
		k.desk.add(e, l)
		return true
	}
	k.desk.begin(l, &kill, signalHold, signalPatience, *kill.Comm, string(l.text[:min(len(l.text), maxKept)]))
	return true
}

// complete adds to a decision what was said before it.
func (k *earlyKiller) complete(l *line, kill *oomdoc.UserKill) bool {
	witness, is := k.by(l)
	if !is {
		return false
	}
	kill.Killer, kill.Witness, kill.Line = oomdoc.KillerEarlyoom, witness, l.proof()
	if kill.Reason == oomdoc.ReasonUnknown {
		kill.Reason = oomdoc.ReasonAvailable
	}
	if limits := k.noted(l, k.limits); limits != nil {
		kill.LimitLine, kill.MemLimit, kill.SwapLimit = limits.LimitLine, limits.MemLimit, limits.SwapLimit
		kill.MemAvailable, kill.MemLimitBytes = limits.MemAvailable, limits.MemLimitBytes
	}
	if state := k.noted(l, k.state); state != nil {
		kill.StateLine, kill.MemAvailable, kill.MemTotal = state.StateLine, state.MemAvailable, state.MemTotal
		kill.SwapFree, kill.SwapTotal = state.SwapFree, state.SwapTotal
	}
	return true
}

// noted gives a note that was made right before a line.
func (k *earlyKiller) noted(l *line, n *note) *oomdoc.UserKill {
	if n == nil || !n.at.within(momentOf(l.rec), noteWindow) {
		return nil
	}
	return &n.kill
}

func (k *earlyKiller) takeEscalating(l *line) bool {
	e := k.latest(l, "escalating to SIGKILL after ")
	if e == nil {
		return false
	}
	e.kill.Signal, e.hold = "SIGKILL", 0
	k.desk.add(e, l)
	return true
}

// takeExited reads "process 7481 exited after 3.104 seconds".
func (k *earlyKiller) takeExited(l *line) bool {
	rest, is := bytes.CutPrefix(l.text, []byte("process "))
	pid, rest, ok := small(rest)
	span, exited := bytes.CutPrefix(rest, []byte(" exited after "))
	if !is || !ok || !exited {
		return false
	}
	e := k.latest(l, "process ")
	if e == nil || e.kill.PID != pid {
		return false
	}
	e.kill.ExitedIn, e.hold = seconds(span), 0
	k.desk.add(e, l)
	return true
}

// takeBack drops a decision that was not carried out.
func (k *earlyKiller) takeBack(l *line) bool {
	e := k.latest(l, "")
	if e == nil || e.told {
		return false
	}
	e.dropped = true
	e.patience = 0
	return true
}

// latest finds the open decision that a further line of earlyoom's is about.
func (k *earlyKiller) latest(l *line, prefix string) *episode {
	if _, is := k.by(l); !is || !bytes.HasPrefix(l.text, []byte(prefix)) {
		return nil
	}
	return k.desk.find(l, func(o *oomdoc.UserKill) bool { return o.Killer == oomdoc.KillerEarlyoom && !o.Told })
}
