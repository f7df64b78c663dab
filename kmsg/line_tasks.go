package kmsg

import (
	"bytes"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// taskColumns says how each column of the task table is stored, by the name in
// its header (mm/oom_kill.c, dump_tasks); they differ from kernel to kernel, and
// one that is not here is skipped. pid is in brackets, name is the rest of the row.
var taskColumns = map[string]func(t *oomdoc.Task, n int64){
	"uid":            func(t *oomdoc.Task, n int64) { t.UID = n },
	"tgid":           func(t *oomdoc.Task, n int64) { t.TGID = int(n) },
	"total_vm":       func(t *oomdoc.Task, n int64) { t.TotalVM = n },
	"rss":            func(t *oomdoc.Task, n int64) { t.RSS = n },
	"rss_anon":       func(t *oomdoc.Task, n int64) { t.RSSAnon = new(n) },
	"rss_file":       func(t *oomdoc.Task, n int64) { t.RSSFile = new(n) },
	"rss_shmem":      func(t *oomdoc.Task, n int64) { t.RSSShmem = new(n) },
	"pgtables_bytes": func(t *oomdoc.Task, n int64) { t.PageTables = new(n) },
	"swapents":       func(t *oomdoc.Task, n int64) { t.SwapEnts = new(n) },
	"oom_score_adj":  func(t *oomdoc.Task, n int64) { t.OOMScoreAdj = new(int(n)) },
}

// maxColumns bounds what a damaged header line can ask for.
const maxColumns = 24

// parseTaskHeader learns the columns between "[ pid ]" and "name".
func parseTaskHeader(text []byte) ([]func(*oomdoc.Task, int64), bool) {
	end := bytes.IndexByte(text, ']')
	if end < 0 || len(text) == 0 || text[0] != '[' || string(bytes.TrimSpace(text[1:end])) != "pid" {
		return nil, false
	}
	names := strings.Fields(string(text[end+1:]))
	if len(names) < 4 || len(names) > maxColumns || names[len(names)-1] != "name" {
		return nil, false
	}
	columns := make([]func(*oomdoc.Task, int64), 0, len(names)-1)
	for _, name := range names[:len(names)-1] {
		columns = append(columns, taskColumns[name])
	}
	return columns, true
}

// parseTask reads one row. Numbers may push columns out of line, so they are
// counted; after the last one comes a single blank, and then the name, which
// may be empty and may start with blanks.
func parseTask(columns []func(*oomdoc.Task, int64), text []byte) (oomdoc.Task, bool) {
	var t oomdoc.Task
	if len(text) == 0 || text[0] != '[' {
		return t, false
	}
	pid, rest, ok := small(trimBlanks(text[1:]))
	if !ok || len(rest) == 0 || rest[0] != ']' {
		return t, false
	}
	t.PID = pid
	rest = rest[1:]
	for _, column := range columns {
		word, tail := field(rest)
		n, ok := whole(word)
		if !ok {
			return t, false
		}
		rest = tail
		if column != nil {
			column(&t, n)
		}
	}
	t.Line = keep(text)
	if len(rest) > 0 {
		t.Name = nameAtEnd(t.Line, text, cutComm(rest[1:]))
	}
	return t, true
}

// nameAtEnd shares the line's memory for the name at its end, unless either
// was cut.
func nameAtEnd(line string, text, name []byte) string {
	if len(line) == len(text) && len(name) <= 4*maxComm && bytes.HasSuffix(text, name) {
		return line[len(line)-len(name):]
	}
	return string(name)
}
