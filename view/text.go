package view

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

// TextOptions say how incidents are laid out. The zero value is right for a
// pipe: 80 columns, no colour, no age, the language's own zone.
type TextOptions struct {
	Width     int // columns; 0 is DefaultWidth
	Color     bool
	Now       time.Time      // for ages; zero writes none
	Location  *time.Location // of times; nil is the language's own
	Full      bool           // shorten nothing
	Records   bool           // print the incident's raw records at the end, whole
	All       bool           // in a table, a row for each incident, also of a burst
	NotStored bool           // the incident cannot be asked for again with `oomdoc show`
}

// in gives the language with the zone of the options.
func (o TextOptions) in(language *lang.Language) words {
	if o.Location != nil {
		language = language.In(o.Location)
	}
	return words{language}
}

// Text writes the explanation of a rendered incident (lang.Render): the one
// sentence, when and which memory and who, the evidence, what is missing, what
// to do. No line is wider than o.Width but for commands, which are never broken
// or shortened, and raw records where o.Full or o.Records asks for them whole.
func Text(w io.Writer, language *lang.Language, inc oomdoc.Incident, o TextOptions) error {
	e := explanation{page: newPage(o.Width, o.Color), words: o.in(language), o: o, inc: inc}
	e.paragraph(0, "", boldStyle, inc.Summary.Text)
	e.blank()
	e.rows()
	e.picture()
	e.evidence()
	e.missing()
	e.fixes()
	e.records()
	e.closing()
	return e.writeTo(w)
}

// An explanation is the text of one incident being written.
type explanation struct {
	*page
	words
	o   TextOptions
	inc oomdoc.Incident
}

func (e *explanation) heading(key oomdoc.Key) {
	e.blank()
	e.put(0, boldStyle, Escape(e.say(key, nil)))
}

// rows writes the labelled facts.
func (e *explanation) rows() {
	rows := e.facts()
	width := 0
	for _, r := range rows {
		width = max(width, columns(r.label))
	}
	for _, r := range rows {
		e.paragraph(0, Pad(r.label, width)+"  ", plainStyle, r.text)
	}
}

// evidence writes each sentence of proof with the log line that it came from. A
// line that proves two things in a row is written once, below the second.
func (e *explanation) evidence() {
	if len(e.inc.Evidence) == 0 {
		return
	}
	e.heading(keyEvidence)
	for i, proof := range e.inc.Evidence {
		e.paragraph(2, "- ", plainStyle, proof.Sentence.Text)
		again := i+1 < len(e.inc.Evidence) && e.inc.Evidence[i+1].Record == proof.Record
		if proof.Record == "" || again {
			continue
		}
		if e.o.Full {
			e.whole(6, dimStyle, proof.Record)
		} else {
			e.short(6, dimStyle, proof.Record)
		}
	}
}

func (e *explanation) missing() {
	if len(e.inc.Missing) == 0 {
		return
	}
	e.heading(keyMissing)
	for _, sentence := range e.inc.Missing {
		e.paragraph(2, "- ", plainStyle, sentence.Text)
	}
}

func (e *explanation) fixes() {
	if len(e.inc.Fixes) == 0 {
		return
	}
	e.heading(keyFixes)
	for i, fix := range e.inc.Fixes {
		e.fix(i+1, fix)
	}
}

// fix writes one fix. A command stands alone on its line, so that selecting the
// line copies it.
func (e *explanation) fix(number int, fix oomdoc.Fix) {
	mark := strconv.Itoa(number) + ". "
	inner := 2 + len(mark)
	e.paragraph(2, mark, boldStyle, fix.Title.Text)
	if why := fix.Why.Text; why != "" {
		e.paragraph(inner, "", plainStyle, why)
	}
	if saving := e.saving(fix); saving != "" {
		e.paragraph(inner, "", plainStyle, saving)
	}
	for _, step := range fix.Steps {
		if step.IsCommand() {
			e.command(inner+2, step.Text)
			continue
		}
		e.paragraph(inner, "- ", plainStyle, step.Text)
	}
}

// command writes a command line whole. Where making it safe changed it, it can
// not be copied, and that is said.
func (e *explanation) command(indent int, line string) {
	e.whole(indent, cyanStyle, line)
	if Escape(line) != line {
		e.paragraph(indent, "", plainStyle, e.say(keyNotToCopy, nil))
	}
}

// saving says what a fix is reckoned to save.
func (e *explanation) saving(fix oomdoc.Fix) string {
	if fix.SavesBytes == nil {
		return ""
	}
	key := keySaves
	if fix.Enough != nil && *fix.Enough {
		key = keySavesEnough
	} else if fix.Enough != nil {
		key = keySavesShort
	}
	return e.say(key, oomdoc.Args{"bytes": oomdoc.Bytes(*fix.SavesBytes)})
}

func (e *explanation) records() {
	if !e.o.Records || len(e.inc.Records) == 0 {
		return
	}
	e.heading(keyRecords)
	for _, record := range e.inc.Records {
		e.whole(2, dimStyle, strings.TrimRight(record, "\n"))
	}
}

// closing names the incident and how to see all of it.
func (e *explanation) closing() {
	key := keyShow
	if e.o.NotStored || e.o.Full {
		key = keyIncident
	}
	e.blank()
	e.paragraph(0, "", dimStyle, e.say(key, oomdoc.Args{"id": oomdoc.Text(e.inc.ID)}))
}
