package kmsg

// maxKeptLine is how much of one record is kept for show.
const maxKeptLine = 2048

// A recordKeeper keeps the lines of a report as they came: the first half and
// the last half of what the bounds allow, and the number of those between.
type recordKeeper struct {
	maxLines, maxBytes int

	head, tail lineList
	total      int

	listed   []string // what list gave when total was listedAt
	listedAt int
}

// A lineList is lines in one piece of memory.
type lineList struct {
	bytes []byte
	ends  []int
	begin int // index in ends of the first line that counts
}

func (l *lineList) add(line []byte) {
	l.bytes = append(l.bytes, line...)
	l.ends = append(l.ends, len(l.bytes))
}

// emptied gives the list's memory for other lines.
func (l *lineList) emptied() lineList { return lineList{bytes: l.bytes[:0], ends: l.ends[:0]} }

func (l *lineList) lines() int { return len(l.ends) - l.begin }

func (l *lineList) start() int {
	if l.begin == 0 {
		return 0
	}
	return l.ends[l.begin-1]
}

func (l *lineList) size() int { return len(l.bytes) - l.start() }

// dropFirst forgets the first line, and moves the rest down now and then so
// that memory stays within twice the bound.
func (l *lineList) dropFirst() {
	l.begin++
	if l.begin < len(l.ends)/2+1 {
		return
	}
	from := l.start()
	l.bytes = l.bytes[:copy(l.bytes, l.bytes[from:])]
	n := copy(l.ends, l.ends[l.begin:])
	l.ends = l.ends[:n]
	for i := range l.ends {
		l.ends[i] -= from
	}
	l.begin = 0
}

// add keeps a line, or counts it.
func (k *recordKeeper) add(line []byte) {
	k.total++
	if len(line) > maxKeptLine {
		line = line[:maxKeptLine]
	}
	if k.tail.lines() == 0 && k.head.lines() < k.maxLines/2 && k.head.size()+len(line) <= k.maxBytes/2 {
		k.head.add(line)
		return
	}
	k.tail.add(line)
	for k.tail.lines() > k.maxLines-k.maxLines/2 || k.tail.size() > k.maxBytes/2 && k.tail.lines() > 1 {
		k.tail.dropFirst()
	}
}

// list gives the kept lines, which share two strings, and how many were cut.
// Most reports are told twice with the same lines.
func (k *recordKeeper) list() (lines []string, cut int) {
	if k.listedAt != k.total {
		lines = make([]string, 0, k.head.lines()+k.tail.lines())
		lines = k.head.appendTo(lines)
		k.listed, k.listedAt = k.tail.appendTo(lines), k.total
	}
	return k.listed, k.total - len(k.listed)
}

func (l *lineList) appendTo(lines []string) []string {
	text, from := string(l.bytes), l.start()
	for _, end := range l.ends[l.begin:] {
		lines = append(lines, text[from:end])
		from = end
	}
	return lines
}
