package kmsg

import (
	"github.com/oomdoc/oomdoc"
)

// A nameStart is the last line when it is so short that it can be the start of
// a process name with a newline in it: in text forms the header of a report
// then stands on two lines or more.
type nameStart struct {
	text  [maxComm]byte
	n     int
	valid bool
}

func (s *nameStart) forget() { s.valid = false }

func (s *nameStart) start(text []byte) {
	s.valid = len(text) <= maxComm
	if s.valid {
		s.n = copy(s.text[:], text)
	}
}

// join gives the name so far, a newline, and the text.
func (s *nameStart) join(text []byte) []byte {
	joined := make([]byte, 0, s.n+1+len(text))
	joined = append(joined, s.text[:s.n]...)
	joined = append(joined, '\n')
	return append(joined, text...)
}

// takeContinued takes a line without a head of its own: the rest of a line
// with a newline in a name, or the next line of a record that has many. It
// never starts anything: a name can imitate every start.
func (p *Parser) takeContinued(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) {
	bare := withoutPad(rec, text)
	if p.name.valid {
		joined := p.name.join(bare)
		switch f := findNamed(joined); {
		case f != nil:
			p.name.forget()
			p.dispatch(f, rec, joined, emit)
			return
		case len(joined) <= maxComm:
			p.name.start(joined)
		}
	}
	if rec.Stray {
		if joined := p.cut.join(bare); joined != nil {
			if f := p.formats.find(joined); f != nil {
				p.dispatch(f, rec, joined, emit)
				return
			}
		}
	}
	r := p.last
	if r == nil {
		return
	}
	if r.heldWide && rec.Stray {
		bare = text // a blank at the cut is the line's own
	}
	if r.held == jointNone || !p.takeRest(r, rec, "\n", bare, emit) {
		p.takeContinuedBody(r, rec, text)
	}
}

// withoutPad drops the blanks that a form puts before a further line, unless
// the decoder did so: a name can have blanks of its own there.
func withoutPad(rec *oomdoc.Record, text []byte) []byte {
	if len(rec.Raw) > len(text) {
		return text
	}
	return trimBlanks(text)
}

// takeContinuedBody takes a further line of a record that has many.
func (p *Parser) takeContinuedBody(r *report, rec *oomdoc.Record, text []byte) {
	if r.decided {
		return
	}
	if r.takeRow(text) || r.takeRow(trimBlanks(text)) {
		p.took(r, rec)
	}
}

// takeFragment joins a record that the kernel flags as part of a longer line
// to the unfinished line of the same caller. It tells whether there was one:
// the flag can be wrong, because a process name can set it.
func (p *Parser) takeFragment(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) bool {
	r := p.unfinishedOf(rec.Caller)
	if r == nil || findNamed(text) != nil && text[0] != '/' {
		return false
	}
	return p.takeRest(r, rec, "", text, emit)
}

// takeUnmarkedRest joins the parts of a split line in the forms that do not
// show the flag. A path or a key can only be one of those parts; and the rest
// of a name only when it completes the kill line.
func (p *Parser) takeUnmarkedRest(rec *oomdoc.Record, text []byte, emit func(oomdoc.Event)) bool {
	r := p.unfinishedOf(rec.Caller)
	if r == nil || len(text) == 0 {
		return false
	}
	if r.held == jointKill {
		if completesKill(r.heldText, text) {
			return p.takeRest(r, rec, "\n", text, emit)
		}
		if r == p.last {
			p.settleHeld(r, emit)
		}
		return false
	}
	if rec.HasSeq || text[0] != '/' && text[0] != ',' && text[0] != ':' {
		return false
	}
	return p.takeRest(r, rec, "", text, emit)
}

func completesKill(held, text []byte) bool {
	joined := make([]byte, 0, len(held)+1+len(text))
	joined = append(append(append(joined, held...), '\n'), text...)
	k, ok := parseKill(joined)
	return ok && k.complete && plausibleComm([]byte(k.kill.Comm))
}

// unfinishedOf finds the report whose last line lacks its end.
func (p *Parser) unfinishedOf(caller oomdoc.Caller) *report {
	if !p.holding {
		return nil
	}
	holding := false
	for i := len(p.open) - 1; i >= 0; i-- {
		r := p.open[i]
		if r.held == jointNone {
			continue
		}
		if r.caller == caller && r.unfinished() {
			return r
		}
		holding = true
	}
	p.holding = holding
	return nil
}

// takeRest joins text to the held line of the report and reads that again. It
// tells whether the line could go on.
func (p *Parser) takeRest(r *report, rec *oomdoc.Record, separator string, text []byte, emit func(oomdoc.Event)) bool {
	held := r.held
	if r.joins++; r.joins > maxJoins {
		return false
	}
	if rec.Stray {
		separator = r.wrapSeparator(separator)
	}
	wide := fillsLine(rec)
	defer func() { r.heldWide = wide }()
	switch held {
	case jointRow:
		r.tasks.extendLast(text)
	case jointCPU:
		r.takeCPU(r.extend(separator, text))
	case jointSummary:
		if r.decided {
			return false
		}
		r.setSummary(r.extend(separator, text))
	case jointStats:
		if separator != "" {
			return false
		}
		r.forgetStatsOf()
		r.takeStatsHead(r.extend(separator, text))
	case jointGroup:
		r.setGroup(r.extend(separator, text))
	case jointNumbers:
		if !rec.Stray || !r.moreNumbers(r.extend(separator, text)) {
			return false
		}
	case jointHeader, jointWrapped:
		if !rec.Stray || !p.rewrap(r, r.wrapSeparator(" "), text) {
			return false
		}
	case jointKill:
		joined := r.extend(separator, text)
		p.took(r, rec)
		k, ok := parseKill(joined)
		if !ok || !k.complete {
			r.held = jointKill
			return true
		}
		p.addKill(r, k, r.heldFrom, emit)
		return true
	default:
		return false
	}
	p.took(r, rec)
	r.held = held
	return true
}
