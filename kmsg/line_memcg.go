package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// maxStats is how many counters of a cgroup are kept: memory.stat of 7.2 has
// about 75.
const maxStats = 256

// usageLines are the lines "NAME: usage NkB, limit NkB, failcnt N"
// (mm/memcontrol.c, mem_cgroup_print_oom_meminfo).
var usageLines = []struct {
	prefix string
	read   func(m *oomdoc.MemcgOOM, u usage, line string)
}{
	{"memory: usage ", func(m *oomdoc.MemcgOOM, u usage, line string) {
		m.Usage, m.Limit, m.Failcnt, m.Line = u.used, u.limit, u.failcnt, line
	}},
	{"swap: usage ", func(m *oomdoc.MemcgOOM, u usage, line string) {
		m.SwapUsage, m.SwapLimit, m.SwapLine = u.used, u.limit, line
	}},
	{"memory+swap: usage ", func(m *oomdoc.MemcgOOM, u usage, line string) {
		m.MemswUsage, m.MemswLimit, m.SwapLine = u.used, u.limit, line
	}},
	{"kmem: usage ", func(m *oomdoc.MemcgOOM, u usage, _ string) {
		m.KmemUsage, m.KmemLimit = u.used, u.limit
	}},
}

type usage struct {
	used, limit, failcnt *int64
}

// readUsage reads one of the usage lines.
func readUsage(m *oomdoc.MemcgOOM, text []byte) bool {
	for i := range usageLines {
		rest, found := bytes.CutPrefix(text, []byte(usageLines[i].prefix))
		if !found {
			continue
		}
		usageLines[i].read(m, parseUsage(rest), keep(text))
		return true
	}
	return false
}

func parseUsage(text []byte) usage {
	var u usage
	word, _ := field(text)
	size, ok := sized(bytes.TrimSuffix(word, []byte(",")))
	u.used = known(size, ok)
	if value, found := after(text, "limit "); found {
		word, _ := field(value)
		size, ok := sized(bytes.TrimSuffix(word, []byte(",")))
		u.limit = known(size, ok)
	}
	if value, found := after(text, "failcnt "); found {
		n, _, ok := number(value)
		u.failcnt = known(n, ok)
	}
	return u
}

// statsMark starts the counters of a cgroup.
const statsMark = "Memory cgroup stats for "

// readStatsHead reads "Memory cgroup stats for PATH:", with the counters
// behind it in kernels up to 5.2 ("cache:0KB rss:49484KB ..."). A path may
// hold what looks like counters, so they are taken from the right.
func readStatsHead(m *oomdoc.MemcgOOM, text []byte) {
	path, counters := splitStatsHead(text)
	if m.StatsOf != "" && m.StatsOf != keepPath(path) {
		// Up to 5.2 the groups below follow; the first is the one at its limit.
		return
	}
	m.StatsOf = keepPath(path)
	if len(counters) == 0 {
		return
	}
	for name, size := range readSizes(counters, nil) {
		putStat(m, name, size, keep(text))
	}
}

// keepPath keeps a cgroup path, of at most PATH_MAX.
func keepPath(path []byte) string { return string(path[:min(len(path), 4096)]) }

func splitStatsHead(text []byte) (path, counters []byte) {
	rest := bytes.TrimRight(text[len(statsMark):], " ")
	path = rest
	if at := bytes.LastIndexByte(path, ' '); at >= 0 && isCutStat(path[at+1:]) {
		path, rest = path[:at], rest[:at]
	}
	for {
		at := bytes.LastIndexByte(path, ' ')
		if at < 0 || !isInlineStat(path[at+1:]) {
			break
		}
		path = bytes.TrimRight(path[:at], " ")
	}
	counters = rest[len(path):]
	return bytes.TrimSuffix(path, []byte(":")), counters
}

func isInlineStat(word []byte) bool {
	name, value, found := bytes.Cut(word, []byte(":"))
	_, ok := sized(value)
	return found && ok && len(name) > 0 && len(name) <= maxWord
}

// isCutStat tells an inline counter that lost its end: the line was cut there.
func isCutStat(word []byte) bool {
	name, value, found := bytes.Cut(word, []byte(":"))
	value = bytes.TrimSuffix(value, []byte("K"))
	_, ok := whole(value)
	return found && ok && isStatName(name)
}

// readStats reads "name value" counters, one or (5.3 to 6.3) all of them with
// newlines between. It tells whether all lines were such.
func readStats(m *oomdoc.MemcgOOM, text []byte, kept *texts) bool {
	text = bytes.TrimRight(text, "\n ")
	some := false
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		name, rest := field(line)
		value, rest := field(rest)
		n, ok := whole(value)
		if !ok || !isStatName(name) || len(bytes.TrimRight(rest, " ")) > 0 {
			return some && len(text) == 0 // the record may be cut in its last line
		}
		some = true
		line = trimBlanks(line)
		stored := kept.add(line[:min(len(line), maxLine)])
		putStat(m, stored[:len(name)], n, stored)
	}
	return some
}

func isStatName(name []byte) bool {
	for _, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && !isDigit(c) {
			return false
		}
	}
	return len(name) > 0 && len(name) <= maxWord && !isDigit(name[0])
}

func putStat(m *oomdoc.MemcgOOM, name string, n int64, line string) {
	if m.Stats == nil {
		m.Stats = make(map[string]int64, 80)
		m.StatLines = make(map[string]string, 80)
	}
	if len(m.Stats) >= maxStats {
		return
	}
	m.Stats[name] = n
	m.StatLines[name] = line
}
