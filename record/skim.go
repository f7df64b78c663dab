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
		if at, whole := d.findIn(region, from); at >= 0 {
			s.resume = l.nextOffset() + int64(lineEnd(region, at))
			if whole {
				s.resume = l.nextOffset() + int64(len(region))
			}
			d.pass(region[:linesBefore(region[:at], skimBefore)])
			return
		}
		if l.err != nil { // what has no end is read: words are found by what follows them
			s.resume = l.nextOffset() + int64(len(region))
			d.pass(region[:linesBefore(region, skimBefore)])
			return
		}
		s.clean = l.nextOffset() + int64(len(region))
		d.pass(region[:lineEnd(region, max(0, len(region)-skimKept)-1)])
		if !l.readAhead() {
			return
		}
	}
}

// findIn looks for what matters in whole lines, from one of them on: to the reader,
// to this package, behind colours, and across the end of a line that a terminal has
// cut. whole says that it can be anywhere behind that place.
func (d *Decoder) findIn(all []byte, from int) (at int, whole bool) {
	region := all[from:]
	at = d.skim.by.Find(region)
	if fence := bytes.Index(region, []byte("```")); fence >= 0 && (at < 0 || fence < at) {
		at = fence // what is quoted is told apart by every one of them
	}
	if at >= 0 {
		return from + at, false
	}
	if bytes.IndexByte(region, escape) >= 0 {
		d.skim.plain = appendPlain(d.skim.plain[:0], region)
		if d.skim.by.Find(d.skim.plain) >= 0 {
			return from, true
		}
	}
	const before = 3 // the line that the first may go on from, and those that show its width
	seam := linesBefore(all[:from], before)
	if at = d.findSeam(all[seam:]); at >= 0 {
		at += seam
	}
	return at, true
}

// formTexts stand in lines after which, or in which, the log has a form of which
// every line is read.
func formTexts() []string {
	return []string{"__CURSOR=", `"MESSAGE"`, `"__REALTIME_TIMESTAMP"`, "    _TRANSPORT=", "    _BOOT_ID="}
}

// maxSeam is as much of two lines as a text that stands across their ends can take.
const maxSeam = 96

// findSeam goes over the lines for those that may have been cut at a terminal's
// width (a common one, or that of the lines beside it) and for long ones. What may
// go on is searched together: hardly ever there is anything in it.
func (d *Decoder) findSeam(region []byte) int {
	s := &d.skim
	s.seam = s.seam[:0]
	var line []byte
	width, start := 0, 0 // width is of the line before that
	for start < len(region) {
		size := bytes.IndexByte(region[start:], '\n')
		if size < 0 {
			size = len(region) - start
		}
		if size > skimLongest {
			return start
		}
		next := region[start : start+size]
		if size > 0 && next[size-1] == '\r' {
			next = next[:size-1]
		}
		if isCut(len(line), width, len(next)) && mayGoOn(line, next) {
			s.seam = append(append(append(s.seam, line[max(0, len(line)-maxSeam):]...), next[:min(len(next), maxSeam)]...), '\n')
		}
		line, width = next, len(line)
		start += size + 1
	}
	if s.by.Find(s.seam) >= 0 {
		return 0
	}
	return -1
}

// isCut tells by its width, and that of the lines before and behind it, that a line
// may have been cut.
func isCut(width, before, behind int) bool {
	const narrowest = 60
	return width >= narrowest && behind <= width && (isTerminalWidth(width) || before == width && behind == width)
}

// mayGoOn tells a line that can be the rest of the one before. One that begins as
// that one does, or as lines begin, is of its own.
func mayGoOn(line, next []byte) bool {
	const same = 6
	if len(next) == 0 || bytes.IndexByte([]byte("[({<\t\n"), next[0]) >= 0 || bytes.HasPrefix(next, []byte("  ")) {
		return false
	}
	return len(next) < same || !bytes.HasPrefix(line, next[:same])
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
