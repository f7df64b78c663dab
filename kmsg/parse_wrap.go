package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// Mailers and terminals cut long lines, and what people paste shows it: the rest
// then stands on a line of its own, without a head. A kernel's line that was
// taken is therefore held, and taken again with its rest.

// lengths are how many of each a report has that a line of the body can add.
type lengths struct {
	zones, nodes, hugepages int
}

func (r *report) lengths() lengths {
	m := r.kernel.Memory
	if m == nil {
		return lengths{}
	}
	return lengths{len(m.Zones), len(m.Nodes), len(m.Hugepages)}
}

// goBack undoes what the held line has added.
func (r *report) goBack(to lengths) {
	if m := r.kernel.Memory; m != nil {
		m.Zones = m.Zones[:min(len(m.Zones), to.zones)]
		m.Nodes = m.Nodes[:min(len(m.Nodes), to.nodes)]
		m.Hugepages = m.Hugepages[:min(len(m.Hugepages), to.hugepages)]
	}
}

// rewrap takes the held line with its rest. It tells whether they are one line.
func (p *Parser) rewrap(r *report, separator string, rest []byte) bool {
	if r.decided || findNamed(rest) != nil {
		return false
	}
	joined := r.extend(separator, rest)
	if r.held == jointHeader {
		return r.retakeHeader(joined)
	}
	r.goBack(r.heldBack)
	return r.takeFormat(r.heldAs, joined)
}

// moreNumbers reads the last kill line again that goes on, for the numbers that
// its first part lacked.
func (r *report) moreNumbers(text []byte) bool {
	k, ok := parseKill(text)
	if !ok || len(r.kernel.Kills) == 0 {
		return false
	}
	last := &r.kernel.Kills[len(r.kernel.Kills)-1]
	if last.PID != k.kill.PID {
		return false
	}
	last.AnonRSS, last.FileRSS, last.ShmemRSS = k.kill.AnonRSS, k.kill.FileRSS, k.kill.ShmemRSS
	last.UID, last.PageTables, last.OOMScoreAdj = k.kill.UID, k.kill.PageTables, k.kill.OOMScoreAdj
	mendPageTables(last, r.kernel.KernelVersion)
	r.dirty = true
	return true
}

// retakeHeader reads a header again that goes on.
func (r *report) retakeHeader(text []byte) bool {
	if r.failure {
		failure, ok := parseFailure(text)
		if ok {
			r.kernel.AllocFailure = failure
		}
		return ok
	}
	t, ok := parseHeader(text)
	if ok {
		r.kernel.Trigger = t
	}
	return ok
}

// wrapSeparator is what stood between the held line and its rest: nothing where
// a terminal cut it, else what a mailer takes for a place to cut.
func (r *report) wrapSeparator(usual string) string {
	if r.heldWide || endsWith(r.heldText, " ") {
		return ""
	}
	return usual
}

// A cutLine is the last line when it ends where a mailer cuts the lines that open
// or end a report: before what shows that it is one.
type cutLine struct {
	text []byte
}

// start looks at a line that has a head.
func (c *cutLine) start(rec *oomdoc.Record, text []byte) {
	c.text = c.text[:0]
	if rec.HasSeq || len(text) > maxCutLine {
		return
	}
	text = bytes.TrimRight(text, " ")
	if isCutHeader(text) || isCutKill(text) {
		c.text = append(append(c.text, text...), ' ')
	}
}

// isCutHeader tells the first line of a report without its request.
func isCutHeader(text []byte) bool {
	if endsWith(text, "invoked oom-killer:") || endsWith(text, "invoked") {
		return true
	}
	return bytes.Contains(text, []byte(": page allocation")) && !bytes.Contains(text, []byte("mode:0x"))
}

// isCutKill tells a kill line that has no name yet.
func isCutKill(text []byte) bool {
	_, pid, found := bytes.Cut(text, []byte("Killed"))
	if !found {
		return false
	}
	pid = bytes.TrimPrefix(pid, []byte(" process"))
	_, number := whole(bytes.TrimPrefix(pid, []byte(" ")))
	return len(pid) == 0 || number
}

// maxCutLine is how long such a line can be.
const maxCutLine = 160

// join gives the whole line, nil when there is none.
func (c *cutLine) join(rest []byte) []byte {
	if len(c.text) == 0 {
		return nil
	}
	joined := append(c.text, rest...)
	c.text = c.text[:0]
	return joined
}

// fillsLine tells a record whose line is as long as a terminal is wide.
func fillsLine(rec *oomdoc.Record) bool {
	switch len(rec.Raw) {
	case 80, 100, 120, 132, 160:
		return !rec.HasSeq
	}
	return false
}
