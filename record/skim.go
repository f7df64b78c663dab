package record

import "bytes"

// A Skimmer is who reads the records, as far as it lets the Decoder pass over
// what cannot matter to it. Most of most logs does not: telling so for whole
// blocks is much faster than making records of their lines.
type Skimmer interface {
	// Find gives where in text something begins that matters, -1 where nothing does.
	Find(text []byte) int
	// Idle tells that nothing is open: the next lines matter only by what Find finds.
	Idle() bool
	// Skipped tells that lines were passed over.
	Skipped(lines uint64)
}

const (
	// skimAfter is how many records are read before: they show the form.
	skimAfter = 64
	// skimBefore is how many lines before one that matters are read too, for what
	// they tell of it.
	skimBefore = 200
	// skimKept is how much of a block is kept for that while the next is looked at.
	skimKept = 32 << 10
	// skimLongest is the longest line that is passed over: longer ones may be a
	// part of one that a runtime has split.
	skimLongest = 8 << 10
)

// skimmed is how far the Decoder has looked ahead, in offsets of the stream.
type skimmed struct {
	by     Skimmer
	clean  int64 // up to here nothing matters
	resume int64 // up to here every line is read
	plain  []byte
	seam   []byte
}

// maySkim tells that lines may be passed over. Of forms in which text is written
// otherwise than it is, or whose lines prove who wrote them, every line is read.
func (d *Decoder) maySkim() bool {
	switch d.form {
	case FormBare, FormSyslog, FormContainer, FormDockerJSON:
	default:
		return false
	}
	return d.skim.by != nil && d.stats.Records >= skimAfter && !d.inObject && !d.inExport && !d.inVerbose && !d.lines.rest &&
		len(d.parts[0])+len(d.parts[1]) == 0 && d.lines.nextOffset() >= d.skim.resume && d.skim.by.Idle()
}

// skimOver passes over the lines that cannot matter, up to what stands some lines
// before one that can.
func (d *Decoder) skimOver() {
	l, s := d.lines, &d.skim
	for {
		region := l.wholeLines()
		from := int(max(0, s.clean-l.nextOffset()))
		if len(region) == 0 || from > len(region) {
			return
		}
		if at := d.findIn(region[from:]); at >= 0 {
			at += from
			s.resume = l.nextOffset() + int64(lineEnd(region, at))
			d.pass(region[:linesBefore(region[:at], skimBefore)])
			return
		}
		s.clean = l.nextOffset() + int64(len(region))
		if l.err != nil {
			d.pass(region)
			return
		}
		d.pass(region[:lineEnd(region, max(0, len(region)-skimKept)-1)])
		if !l.readAhead() {
			return
		}
	}
}

// findIn looks for what matters in whole lines: to the reader, to this package,
// behind colours, and across the end of a line that a terminal has cut.
func (d *Decoder) findIn(region []byte) int {
	at := d.skim.by.Find(region)
	for _, other := range []int{bytes.Index(region, []byte("```")), findForm(region)} {
		if other >= 0 && (at < 0 || other < at) {
			at = other
		}
	}
	if at >= 0 {
		return at
	}
	if bytes.IndexByte(region, escape) >= 0 {
		d.skim.plain = appendPlain(d.skim.plain[:0], region)
		if d.skim.by.Find(d.skim.plain) >= 0 {
			return 0
		}
	}
	return d.findSeam(region)
}

// findForm finds lines after which the log has another form.
func findForm(region []byte) int {
	for _, begins := range []string{"__CURSOR=", `"MESSAGE"`, `"__REALTIME`, " [s="} {
		if at := bytes.Index(region, []byte(begins)); at >= 0 {
			return at
		}
	}
	return -1
}

// maxSeam is as much of two lines as a text that stands across their ends can take.
const maxSeam = 96

// findSeam goes over the lines for those that may have been cut at a terminal's
// width (a common one, or that of the line before) and for long ones.
func (d *Decoder) findSeam(region []byte) int {
	width, start := 0, 0
	for start < len(region) {
		size := bytes.IndexByte(region[start:], '\n')
		if size < 0 {
			size = len(region) - start
		}
		if size > skimLongest {
			return start
		}
		if size >= 60 && (size == width || isTerminalWidth(size)) && start+size < len(region) {
			next := region[start+size+1:]
			tail := region[start+size-min(size, maxSeam) : start+size]
			d.skim.seam = append(append(d.skim.seam[:0], tail...), next[:min(len(next), maxSeam)]...)
			if at := d.skim.by.Find(d.skim.seam); at >= 0 && at < len(tail) {
				return start
			}
		}
		width = size
		start += size + 1
	}
	return -1
}

func isTerminalWidth(size int) bool {
	switch size {
	case 80, 100, 120, 132, 160:
		return true
	}
	return false
}

// lineEnd is where the line after that of a place begins.
func lineEnd(text []byte, at int) int {
	if at < 0 {
		return 0
	}
	if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end + 1
	}
	return len(text)
}

// linesBefore is where the line begins that is so many before the end of text.
func linesBefore(text []byte, lines int) int {
	end := len(text)
	for ; lines >= 0; lines-- {
		at := bytes.LastIndexByte(text[:end], '\n')
		if at < 0 {
			return 0
		}
		if end = at; lines == 0 {
			return at + 1
		}
	}
	return 0
}

// pass goes over lines. That they proved nothing counts against what later lines
// claim to be.
func (d *Decoder) pass(region []byte) {
	if len(region) == 0 {
		return
	}
	lines := uint64(bytes.Count(region, []byte("\n")))
	d.lines.next += len(region)
	d.lines.start = d.lines.next
	d.stats.Lines += lines
	d.strays += lines
	d.skim.by.Skipped(lines)
}
