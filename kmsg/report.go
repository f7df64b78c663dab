package kmsg

import (
	"time"

	"github.com/oomdoc/oomdoc"
)

// A section is the part of a report in which lines have no fixed start.
type section uint8

const (
	sectionNone section = iota
	sectionStack
	sectionCounters
	sectionStats
	sectionTasks
	sectionSlab
	sectionAllocations
)

// A joint is a line that can go on in further records: in the fragments that
// the kernel itself makes of a long line, or, in text forms, after a newline
// in a name.
type joint uint8

const (
	jointNone joint = iota
	jointCPU
	jointSummary
	jointKill
	jointStats
	jointGroup
	jointRow
	jointHeader  // of a kill or of a failed request
	jointWrapped // a line of the body, which only a mailer cuts
	jointNumbers // a kill line that has the numbers it must have
)

// How long a joined line may become and of how many records: the summary has
// two paths of at most 4096 bytes, and each is one record.
const (
	maxJoined = 2*4096 + 512
	maxJoins  = 64
)

// A report is one memory report that is being put together.
type report struct {
	kernel  *oomdoc.KernelReport
	failure bool // of a failed allocation, not of the OOM killer
	// begun says that a header or a summary was seen: it becomes an event even
	// when its end was lost.
	begun bool
	// decided says that a kill line, a no-victim line or a panic was seen. From
	// then on only victims, reaped lines and a panic are added.
	decided bool
	// What its "Kill process" line (to 5.0) said of the reason: the "Killed
	// process" line after it does not.
	chosenMemcg, chosenAllocating bool
	cpuSeen                       bool
	// repeated says that the first victim of a group stood a second time.
	repeated bool
	id       string

	section section
	memory  int // how many Mem-Info blocks began
	tasks   taskTable
	records recordKeeper
	texts   texts // counters and functions

	held     joint // the last line, when a further record may go on with it
	heldText []byte
	heldWide bool    // it fills a terminal's line
	heldAs   *format // what it is, where it is of the body
	heldBack lengths // what was there before it
	joins    int     // how many records were joined to it
	heldFrom origin  // where the held line began

	caller  oomdoc.Caller
	first   origin
	decider origin
	trust   oomdoc.Trust

	revision int // of the next emission
	dirty    bool

	// When its last line came, by the record's clocks and by ours.
	lastUsec int64
	lastTime time.Time
	lastRead time.Time
}

// An origin is what an event says of one of its records.
type origin struct {
	source          oomdoc.Source
	bootID          string
	seq             uint64
	hasSeq          bool
	usec            int64
	time            time.Time
	timeApproximate bool
	read            time.Time
	replayed        bool
}

func originOf(rec *oomdoc.Record) origin {
	return origin{
		source: rec.Source, bootID: rec.BootID, seq: rec.Seq, hasSeq: rec.HasSeq,
		usec: rec.Usec, time: rec.Time, timeApproximate: rec.TimeApproximate,
		read: rec.Read, replayed: rec.Replayed,
	}
}

// newReport makes a report, in the memory that a closed one has left.
func (p *Parser) newReport(rec *oomdoc.Record) *report {
	from := originOf(rec)
	r := &report{
		kernel: new(oomdoc.KernelReport),
		caller: rec.Caller, first: from, decider: from, trust: rec.Trust(),
		tasks: taskTable{limit: p.options.MaxTasks},
		records: recordKeeper{
			maxLines: p.options.MaxRecords, maxBytes: p.options.MaxRecordBytes,
			head: p.spare.head, tail: p.spare.tail,
		},
		heldText: p.spare.heldText,
	}
	p.spare = buffers{}
	return r
}

// buffers are what of a report's memory no event points to.
type buffers struct {
	head, tail lineList
	heldText   []byte
}

// leave gives the memory of a report that is told for the last time to the
// next one.
func (r *report) leave() buffers {
	return buffers{r.records.head.emptied(), r.records.tail.emptied(), r.heldText[:0]}
}

// touch notes that a record belongs to the report.
func (r *report) touch(rec *oomdoc.Record) {
	r.trust = min(r.trust, rec.Trust())
	r.lastUsec, r.lastTime, r.lastRead = rec.Usec, rec.Time, rec.Read
	line := rec.Raw
	if len(line) == 0 {
		line = rec.Text
	}
	r.records.add(line)
}

// hold remembers a line that a further record may go on with.
func (r *report) hold(what joint, rec *oomdoc.Record, text []byte) {
	r.held = what
	if what == jointNone {
		return
	}
	if len(text) > maxJoined {
		text = text[:maxJoined]
	}
	r.heldText = append(r.heldText[:0], text...)
	r.heldFrom = originOf(rec)
	r.heldWide = fillsLine(rec)
	r.joins = 0
}

// extend joins more text to the held line.
func (r *report) extend(separator string, text []byte) []byte {
	room := maxJoined - len(r.heldText) - len(separator)
	if room > 0 {
		r.heldText = append(r.heldText, separator...)
		r.heldText = append(r.heldText, text[:min(room, len(text))]...)
	}
	return r.heldText
}

// unfinished tells whether the held line lacks its end for certain.
func (r *report) unfinished() bool {
	switch r.held {
	case jointSummary:
		return !summaryEnds(r.heldText)
	case jointStats:
		return !endsWith(r.heldText, ":")
	case jointGroup:
		return !endsWith(r.heldText, groupTail)
	case jointKill:
		return true
	}
	return false
}

func endsWith(text []byte, end string) bool {
	return len(text) >= len(end) && string(text[len(text)-len(end):]) == end
}

// mem gives the Mem-Info part, made on first use.
func (r *report) mem() *oomdoc.MemInfo {
	if r.kernel.Memory == nil {
		r.kernel.Memory = new(oomdoc.MemInfo)
	}
	return r.kernel.Memory
}

// cgroup gives the memory cgroup part, made on first use.
func (r *report) cgroup() *oomdoc.MemcgOOM {
	if r.kernel.Memcg == nil {
		r.kernel.Memcg = new(oomdoc.MemcgOOM)
	}
	return r.kernel.Memcg
}

// names tells whether the report's summary, choice or table has the process.
func (r *report) names(pid int) bool {
	s := r.kernel.Summary
	return s != nil && s.HasTask && s.PID == pid || r.kernel.Chosen != nil && r.kernel.Chosen.PID == pid || r.tasks.has(pid)
}

// isTask tells whether a process of that pid has that name in the table.
func (r *report) isTask(pid int, comm []byte) bool {
	return r.tasks.named(pid, comm)
}

// killed tells whether the report has a kill line of that process.
func (r *report) killed(pid int) bool {
	for i := range r.kernel.Kills {
		if r.kernel.Kills[i].PID == pid {
			return true
		}
	}
	return false
}

// forgetStatsOf undoes the path of a held line that goes on.
func (r *report) forgetStatsOf() {
	if path, _ := splitStatsHead(r.heldText); r.cgroup().StatsOf == keepPath(path) {
		r.cgroup().StatsOf = ""
	}
}
