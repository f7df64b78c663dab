package view

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A row is a fact with its label.
type row struct {
	label string
	text  string
}

// facts lists what is known beside the summary, in reading order. A fact that
// is not known has no row.
func (e *explanation) facts() []row {
	candidates := []struct {
		label oomdoc.Key
		text  string
	}{
		{keyWhen, e.time(&e.inc, e.o.Now)},
		{keyMemory, e.verdict()},
		{keyGPU, e.gpu()},
		{keyOutcome, e.outcome()},
		{keyKiller, e.killer()},
		{keyCount, e.count()},
		{keyProcess, e.process()},
		{keyCommand, e.commandLine()},
		{keyStarter, e.starter()},
		{keySettings, e.settings()},
		{keyOwner, e.ownerRow()},
		{keyPod, e.pod()},
		{keyCgroup, e.cgroup()},
		{keyReason, e.inc.VictimReason.Text},
		{keyVictims, e.victims()},
		{keyRequest, e.request()},
		{keyLimited, e.limited()},
		{keySource, e.source()},
		{keyNote, e.note()},
	}
	var rows []row
	for _, c := range candidates {
		if c.text != "" {
			rows = append(rows, row{e.say(c.label, nil), c.text})
		}
	}
	return rows
}

// verdict says which memory failed, why, and how sure that is.
func (e *explanation) verdict() string {
	return e.say(keyVerdict, oomdoc.Args{
		"class":      oomdoc.Text(named(e.words, classWords(), e.inc.Class)),
		"cause":      oomdoc.Text(named(e.words, causeWords(), e.inc.Cause)),
		"confidence": oomdoc.Text(named(e.words, confidenceWords(), e.inc.Confidence)),
	})
}

// gpu is the card, as far as it is known.
func (e *explanation) gpu() string {
	g := e.inc.GPU
	if g == nil {
		return ""
	}
	var list parts
	list.add(g.Name)
	switch {
	case g.Index != nil && g.UUID != "":
		list.add(e.say(keyGPUNumber, oomdoc.Args{"n": oomdoc.Count(*g.Index)}))
	case g.Index != nil:
		list.add(e.say(keyGPUIndex, oomdoc.Args{"n": oomdoc.Count(*g.Index)}))
	}
	if g.TotalBytes != nil {
		list.add(e.say(keyGPUTotal, oomdoc.Args{"total": oomdoc.Bytes(*g.TotalBytes)}))
	}
	if g.FreeBytes != nil {
		list.add(e.say(keyGPUFree, oomdoc.Args{"free": oomdoc.Bytes(*g.FreeBytes)}))
	}
	return list.joined()
}

func (e *explanation) outcome() string {
	if e.inc.Outcome == oomdoc.OutcomeKilled {
		return ""
	}
	return named(e.words, outcomeWords(), e.inc.Outcome)
}

// killer names who killed when it was not the kernel.
func (e *explanation) killer() string {
	if e.inc.Killer == oomdoc.KillerKernel {
		return ""
	}
	return e.inc.Killer
}

func (e *explanation) count() string {
	if e.inc.Count < 2 {
		return ""
	}
	return e.say(keyTimes, oomdoc.Args{"n": oomdoc.Count(e.inc.Count)})
}

// request says what the kernel was asked for when it found no memory, and by
// whom; only where all is asked for, because the asker is seldom the culprit.
func (e *explanation) request() string {
	k := e.inc.Kernel
	if k == nil || !e.o.Full {
		return ""
	}
	var list parts
	if k.Invoker != nil {
		list.add(e.say(keyInvoker, oomdoc.Args{"name": oomdoc.Text(e.comm(k.Invoker))}))
	}
	if k.Order != nil {
		list.add(e.say(keyOrder, oomdoc.Args{"order": oomdoc.Count(*k.Order)}))
	}
	list.add(k.GFP)
	return list.joined()
}

// limited is the cgroup whose limit was reached, where it is not the process's
// own or all is asked for.
func (e *explanation) limited() string {
	k := e.inc.Kernel
	if k == nil || k.OOMCgroup == k.TaskCgroup && !e.o.Full {
		return ""
	}
	return k.OOMCgroup
}

// source says where the incident was read and in which boot, where all is asked
// for.
func (e *explanation) source() string {
	if !e.o.Full {
		return ""
	}
	var list parts
	list.add(string(e.inc.Source))
	list.addNamed(e.words, keyBoot, "id", bootID(e.inc.BootID))
	return list.joined()
}

// note says what a reader must know to judge the incident.
func (e *explanation) note() string {
	switch {
	case e.inc.Selftest:
		return e.say(keySelftest, nil)
	case e.inc.Burst != "" && e.inc.Burst != e.inc.ID:
		return e.say(keyBurst, oomdoc.Args{"id": oomdoc.Text(e.inc.Burst)})
	}
	return ""
}

// parts is a list of what is known, to be written in a row.
type parts []string

func (p *parts) add(text string) {
	if text != "" {
		*p = append(*p, text)
	}
}

// addNamed adds a sentence about a name, if there is one.
func (p *parts) addNamed(w words, key oomdoc.Key, fact, name string) {
	if name != "" {
		p.add(w.say(key, oomdoc.Args{fact: oomdoc.Text(name)}))
	}
}

func (p *parts) joined() string { return strings.Join(*p, ", ") }
