package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// killMark stands before the pid in every era.
const killMark = "Killed process "

// killPrefixes are the texts that may stand before killMark, with the kernel's
// reason (mm/oom_kill.c, __oom_kill_process and its callers). Nothing else may:
// a process name can hold "Killed process".
var killPrefixes = []struct {
	text       string
	memcg      bool
	allocating bool // vm.oom_kill_allocating_task chose the process that asked
}{
	{text: "Memory cgroup out of memory: ", memcg: true},
	{text: "Out of memory: "},
	{text: "Out of memory (oom_kill_allocating_task): ", allocating: true},
	{text: "Out of Memory: "}, // to 2.6.17
	{text: ""},
}

// A killLine is a "Killed process" line as far as it was read.
type killLine struct {
	kill oomdoc.Kill
	// pageTables is the number as printed, whatever its unit.
	pageTables *int64
	// complete says that the line has its numbers, so that nothing of the name
	// can follow in a further line.
	complete bool
}

// parseKill reads one "Killed process" line. The name is what stands between
// the first parenthesis after the pid and the numbers, which are found from
// the right: 15 bytes of name cannot hold all three of total-vm, anon-rss and
// file-rss.
func parseKill(text []byte) (killLine, bool) {
	var k killLine
	rest, ok := cutKillPrefix(text, &k)
	if !ok {
		return k, false
	}
	pid, rest, ok := small(rest)
	if !ok || pid < 0 {
		return k, false
	}
	k.kill.PID, k.kill.Line = pid, keep(text)
	// 2.6.32 of RHEL 6 prints ", UID U," before the name.
	if value, found := bytes.CutPrefix(rest, []byte(", UID ")); found {
		uid, after, _ := small(value)
		k.kill.UID = new(uid)
		rest = bytes.TrimPrefix(after, []byte(","))
	}
	name, found := bytes.CutPrefix(rest, []byte(" ("))
	if !found {
		return k, false
	}
	k.readTail(name)
	return k, true
}

func cutKillPrefix(text []byte, k *killLine) ([]byte, bool) {
	for i := range killPrefixes {
		prefix := &killPrefixes[i]
		rest, found := bytes.CutPrefix(text, []byte(prefix.text))
		if !found {
			continue
		}
		if rest, found = bytes.CutPrefix(rest, []byte(killMark)); found {
			k.kill.Memcg, k.kill.AllocatingTask = prefix.memcg, prefix.allocating
			return rest, true
		}
	}
	return nil, false
}

// readTail takes "NAME) total-vm:1kB, ..." apart.
func (k *killLine) readTail(text []byte) {
	numbers := bytes.LastIndex(text, []byte("total-vm:"))
	if numbers < 0 { // 2.6.33 to 2.6.35
		numbers = bytes.LastIndex(text, []byte("vsz:"))
	}
	if numbers < 0 {
		k.kill.Comm = string(cutComm(nameBefore(text)))
		return
	}
	name := text[:numbers]
	// Late RHEL 7 prints ", UID U, " between the name and the numbers.
	if at := bytes.LastIndex(name, []byte("), UID ")); at >= 0 {
		if uid, rest, ok := small(name[at+len("), UID "):]); ok && string(rest) == ", " {
			k.kill.UID = new(uid)
			name = name[:at+1]
		}
	}
	k.kill.Comm = string(cutComm(nameBefore(bytes.TrimRight(name, " \n"))))
	k.readNumbers(text[numbers:])
}

// nameBefore drops the parenthesis that ends a name. RHEL 5, and kernels to
// 2.6.17, print a full stop after it.
func nameBefore(text []byte) []byte {
	if name, found := bytes.CutSuffix(text, []byte(").")); found {
		return name
	}
	return bytes.TrimSuffix(text, []byte(")"))
}

// cutComm bounds a name that runs on because the line was damaged.
func cutComm(comm []byte) []byte {
	if len(comm) > 4*maxComm {
		return comm[:4*maxComm]
	}
	return comm
}

func (k *killLine) readNumbers(text []byte) {
	for {
		p, rest, ok := nextPair(text)
		if !ok {
			break
		}
		text = rest
		k.readNumber(p.name, bytes.TrimSuffix(p.value, []byte(",")))
	}
	k.complete = k.kill.TotalVM != nil && k.kill.AnonRSS != nil && k.kill.FileRSS != nil
}

func (k *killLine) readNumber(name, value []byte) {
	size, isSize := sized(value)
	n, isNumber := whole(value)
	switch string(name) {
	case "total-vm", "vsz":
		k.kill.TotalVM = known(size, isSize)
	case "anon-rss":
		k.kill.AnonRSS = known(size, isSize)
	case "file-rss":
		k.kill.FileRSS = known(size, isSize)
	case "shmem-rss":
		k.kill.ShmemRSS = known(size, isSize)
	case "pgtables":
		k.kill.PageTables = known(size, isSize)
		k.pageTables = k.kill.PageTables
	case "UID":
		k.kill.UID = known(int(n), isNumber)
	case "oom_score_adj":
		k.kill.OOMScoreAdj = known(int(n), isNumber)
	}
}

func known[T any](value T, ok bool) *T {
	if !ok {
		return nil
	}
	return &value
}

// reapedPID gives the pid of an oom_reaper line.
func reapedPID(text []byte) (int, bool) {
	for _, mark := range []string{"reaped process ", "unable to reap pid:"} {
		if value, ok := after(text, mark); ok {
			pid, _, ok := small(value)
			return pid, ok
		}
	}
	return 0, false
}
