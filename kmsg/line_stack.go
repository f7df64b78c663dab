package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// maxStack is how many functions of a call trace are kept.
const maxStack = 64

// cpuLine is what the first line of dump_stack says.
type cpuLine struct {
	tid     int
	uid     *int
	version string
	comm    string // as far as it can be told from what follows
}

// parseCPU reads "CPU: 4 [UID: 1000 ]PID: 29481 Comm: NAME [Kdump: loaded
// ]Not tainted VERSION #BUILD" (lib/dump_stack.c, 3.9 and newer) and
// "Pid: 4917, comm: NAME Not tainted VERSION #1". NAME can hold anything; the
// header gave it already.
func parseCPU(text []byte, comm string) (cpuLine, bool) {
	var c cpuLine
	pid, ok := after(text, "PID: ")
	nameMark := " Comm: "
	if bytes.HasPrefix(text, []byte("Pid: ")) {
		pid, nameMark, ok = text[len("Pid: "):], ", comm: ", true
	}
	if !ok {
		return c, false
	}
	tid, rest, ok := small(pid)
	if !ok || !bytes.HasPrefix(rest, []byte(nameMark)) {
		return c, false
	}
	c.tid = tid
	if value, found := after(until(text, nameMark), "UID: "); found {
		if uid, _, ok := small(value); ok && bytes.HasPrefix(text, []byte("CPU: ")) {
			c.uid = new(uid)
		}
	}
	name := rest[len(nameMark):]
	state := afterName(name, comm)
	c.version = kernelVersion(state)
	c.comm = string(cutComm(bytes.TrimSuffix(name[:len(name)-len(state)], []byte(" Kdump: loaded"))))
	return c, true
}

// taintMarks stand between the name and the version.
var taintMarks = []string{" Not tainted ", " Tainted: "}

// afterName skips the name and gives the text from the taint state on.
func afterName(text []byte, comm string) []byte {
	if rest, found := bytes.CutPrefix(text, []byte(comm)); found {
		state := bytes.TrimPrefix(rest, []byte(" Kdump: loaded"))
		for _, mark := range taintMarks {
			if bytes.HasPrefix(state, []byte(mark)) {
				return state
			}
		}
	}
	last := 0
	for _, mark := range taintMarks {
		last = max(last, bytes.LastIndex(text, []byte(mark)))
	}
	return text[last:]
}

// kernelVersion gives the word that looks like a version, "6.12.9-amd64":
// taint letters and words stand before it.
func kernelVersion(text []byte) string {
	for range maxColumns {
		word, rest := field(text)
		if len(word) == 0 || word[0] == '#' {
			return ""
		}
		if isDigit(word[0]) && bytes.IndexByte(word, '.') > 0 {
			return keepWord(word)
		}
		text = rest
	}
	return ""
}

// parseFrame reads one line of a call trace, "[<address>] [? ]function+0x1/0x2".
// A frame with a question mark is one that the unwinder does not vouch for.
func parseFrame(text []byte) (function []byte, reliable, ok bool) {
	text = trimBlanks(text)
	for len(text) > 0 && text[0] == '[' {
		_, rest, found := bytes.Cut(text, []byte("]"))
		if !found {
			return nil, false, false
		}
		text = trimBlanks(rest)
	}
	reliable = true
	if rest, found := bytes.CutPrefix(text, []byte("? ")); found {
		text, reliable = rest, false
	}
	function, offset, found := bytes.Cut(text, []byte("+0x"))
	if !found || len(function) == 0 || bytes.IndexByte(function, ' ') >= 0 || bytes.IndexByte(offset, '/') < 0 {
		return nil, false, false
	}
	return bytes.TrimPrefix(function, []byte(".")), reliable, true
}

// takeFrame adds a line of the call trace.
func takeFrame(k *oomdoc.KernelReport, text []byte, kept *texts) bool {
	function, reliable, ok := parseFrame(text)
	if !ok {
		return false
	}
	if reliable && len(k.Stack) < maxStack {
		k.Stack = append(k.Stack, kept.add(function[:min(len(function), maxWord)]))
	}
	return true
}
