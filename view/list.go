package view

import (
	"io"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

// List writes incidents as a table, one row each in the order given: when, what
// died, whose it was, why, and the id to ask for. The incidents of a burst share
// the row of the first that is met, under the burst's id, unless o.All. No row is
// wider than o.Width. An empty list writes nothing.
func List(w io.Writer, language *lang.Language, incidents []oomdoc.Incident, o TextOptions) error {
	if len(incidents) == 0 {
		return nil
	}
	groups := apart(incidents)
	if !o.All {
		groups = folded(incidents)
	}
	l := listing{o.in(language)}
	t := table{head: l.head()}
	for _, g := range groups {
		t.rows = append(t.rows, l.row(g))
	}
	p := newPage(o.Width, o.Color)
	t.write(p)
	if len(groups) < len(incidents) {
		p.blank()
		p.paragraph(0, "", dimStyle, l.say(keyListFolded, nil))
	}
	return p.writeTo(w)
}

// A listing writes the cells of the table.
type listing struct{ words }

func (l listing) head() cells {
	return cells{
		l.say(keyListTime, nil),
		l.say(keyListWhat, nil),
		l.say(keyListOwner, nil),
		l.say(keyListWhy, nil),
		l.say(keyListID, nil),
	}
}

func (l listing) row(g group) cells {
	return cells{l.when(g), l.what(g), l.whose(g), l.why(g), g.id()}
}

// when is the time of the first of a group, to the minute; "~" marks a time
// that is only about right.
func (l listing) when(g group) string {
	at, approximate := g.start()
	if at.IsZero() {
		return "-"
	}
	const minutes = len("2006-01-02 15:04")
	text := l.language.Time(at)[:minutes]
	if approximate {
		return "~" + text
	}
	return text
}

// what names the process that died and counts those that died with it, or says
// how many failed within what time.
func (l listing) what(g group) string {
	if n := g.count(); n > 1 {
		return l.several(g, n)
	}
	inc := g.first()
	switch {
	case inc.Process == nil && inc.Outcome == oomdoc.OutcomeKilled:
		return l.say(keyListUnseen, nil)
	case inc.Process == nil:
		return l.say(keyListNobody, nil)
	case inc.Process.Name == nil && inc.Process.Engine != "": // its own words tell of it
		return inc.Process.Engine
	case inc.Process.Name == nil: // a unit or a pod, of which all died
		return ownerName(inc.Process)
	}
	name := l.comm(inc.Process.Name)
	if more := len(inc.Victims) - 1; more > 0 {
		return l.say(keyListMore, oomdoc.Args{"name": oomdoc.Text(name), "n": oomdoc.Count(more)})
	}
	return name
}

func (l listing) several(g group, n int) string {
	key := keyListFails
	if g.killed() {
		key = keyListKills
	}
	text := l.say(key, oomdoc.Args{"n": oomdoc.Count(n)})
	span := g.span()
	if span < time.Second {
		return text
	}
	return l.say(keyListWithin, oomdoc.Args{"what": oomdoc.Text(text), "duration": oomdoc.Duration(span.Round(time.Second))})
}

// whose names the owner, when all of a group have the same.
func (l listing) whose(g group) string {
	name := listOwner(g.first())
	for _, inc := range g {
		if listOwner(inc) != name {
			return l.say(keyListSeveral, nil)
		}
	}
	if name == "" {
		return "-"
	}
	return name
}

func listOwner(inc *oomdoc.Incident) string {
	if inc.Process != nil {
		return ownerName(inc.Process)
	}
	if inc.Kernel != nil {
		return inc.Kernel.OOMCgroup
	}
	return ""
}

// why says the cause in a few words, a limit with its size.
func (l listing) why(g group) string {
	inc := g.first()
	switch {
	case inc.Selftest:
		return l.say(keyListMark, nil)
	case inc.Cause == oomdoc.CauseCgroupLimit && inc.Memory != nil && inc.Memory.LimitBytes != nil:
		return l.say(keyListLimit, oomdoc.Args{"limit": oomdoc.Bytes(*inc.Memory.LimitBytes)})
	}
	return named(l.words, causeTags(), inc.Cause)
}
