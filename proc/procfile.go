package proc

import (
	"bytes"
	"strings"
)

// residentPages reads the second field of statm, the resident set in pages
// (proc_pid_statm(5)). A kernel thread has none.
func residentPages(statm []byte) (int64, bool) {
	_, rest, has := bytes.Cut(statm, []byte{' '})
	if !has {
		return 0, false
	}
	pages, rest := leadingInt(rest)
	return pages, len(rest) > 0 && rest[0] == ' '
}

// A procStat is what stat says of a process (proc_pid_stat(5)).
type procStat struct {
	comm   []byte // raw, at most 15 bytes
	parent int    // field 4: its pid
	start  uint64 // field 22: ticks since boot
}

// The numbers of fields, counted from the one behind comm, which is the third.
const (
	parentField = 4 - 3
	startField  = 22 - 3
)

// parseStat reads stat. The name may hold spaces and parentheses, so that it
// ends at the last one.
func parseStat(stat []byte) (procStat, bool) {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open || end+2 > len(stat) {
		return procStat{}, false
	}
	parsed := procStat{comm: stat[open+1 : end]}
	rest := stat[end+2:]
	for field := range startField {
		if field == parentField {
			parent, _ := leadingInt(rest)
			parsed.parent = int(parent)
		}
		at := bytes.IndexByte(rest, ' ')
		if at < 0 {
			return procStat{}, false
		}
		rest = rest[at+1:]
	}
	start, after := leadingInt(rest)
	parsed.start = uint64(start)
	return parsed, len(after) < len(rest)
}

// leadingInt reads the digits at the head of a text, as far as they fit.
func leadingInt(text []byte) (int64, []byte) {
	var n int64
	i := 0
	for ; i < len(text) && i < 18 && isDigit(text[i]); i++ {
		n = n*10 + int64(text[i]-'0')
	}
	return n, text[i:]
}

// realUID reads the real user id from status (proc_pid_status(5)), -1 when it
// does not tell.
func realUID(status []byte) int {
	_, rest, has := bytes.Cut(status, []byte("\nUid:\t"))
	if !has {
		return -1
	}
	uid, after := leadingInt(rest)
	if len(after) == len(rest) {
		return -1
	}
	return int(uid)
}

// swapBytes reads what a process has in swap from status, nil when it does not
// tell.
func swapBytes(status []byte) *int64 {
	_, rest, has := bytes.Cut(status, []byte("\nVmSwap:"))
	if !has {
		return nil
	}
	rest = bytes.TrimLeft(rest, " \t")
	size, after := leadingInt(rest)
	if len(after) == len(rest) || !bytes.HasPrefix(after, []byte(" kB")) || size > 1<<50 {
		return nil
	}
	size <<= 10
	return &size
}

// memoryCgroup reads the path in the hierarchy of the memory controller from
// /proc/PID/cgroup (cgroups(7)): in a mixed setup that of cgroup v1, else that
// of v2. It is the one that the kernel's report names.
//
// A line without its end was cut, and the path in it may be that of a parent.
func memoryCgroup(text []byte) string {
	unified := ""
	for line := range bytes.Lines(text) {
		line, whole := bytes.CutSuffix(line, []byte{'\n'})
		fields := bytes.SplitN(line, []byte{':'}, 3)
		if !whole || len(fields) < 3 {
			continue
		}
		for controller := range bytes.SplitSeq(fields[1], []byte{','}) {
			if string(controller) == "memory" {
				return string(fields[2])
			}
		}
		if string(fields[0]) == "0" {
			unified = string(fields[2])
		}
	}
	return unified
}

// cutMark stands as the last argument of a command line that was cut.
const cutMark = "…"

// commandLine reads cmdline (proc_pid_cmdline(5)) into arguments with secrets
// masked, of at most limit bytes altogether. Cut says that text is not all of
// it: then its last argument may be the beginning of a secret that nothing
// shows any more, and is left out.
func commandLine(text []byte, cut bool, limit int) []string {
	args := strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
	if cut {
		args = args[:len(args)-1]
	}
	args = MaskSecrets(args)
	for i, arg := range args {
		if len(arg) > limit {
			args = args[:i]
			if piece := cutText(arg, limit); piece != "" {
				args = append(args, piece)
			}
			cut = true
			break
		}
		limit -= len(arg) + 1
	}
	if cut {
		args = append(args, cutMark)
	}
	if len(args) == 1 && args[0] == "" {
		return nil // a kernel thread, a zombie, a process on its way out
	}
	return cloneArgs(args)
}

// cutText cuts a text to at most limit bytes, not inside of a character.
func cutText(text string, limit int) string {
	limit = max(limit, 0)
	for limit > 0 && limit < len(text) && text[limit]&0xC0 == 0x80 {
		limit--
	}
	return text[:limit]
}

// cloneArgs puts what is kept into one piece of memory of its own size: the
// arguments are parts of a larger one.
func cloneArgs(args []string) []string {
	joined := strings.Join(args, "")
	kept := make([]string, len(args))
	for i, arg := range args {
		kept[i], joined = joined[:len(arg)], joined[len(arg):]
	}
	return kept
}
