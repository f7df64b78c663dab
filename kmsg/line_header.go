package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// headerMark stands between the name of the asking thread and the request
// (mm/oom_kill.c, dump_header). Kernels to 2.6.17 do not print the name, and
// the line starts with namelessMark.
const (
	headerMark   = " invoked oom-killer: gfp_mask="
	namelessMark = "oom-killer: gfp_mask="
)

// maxComm is TASK_COMM_LEN (16) without its NUL.
const maxComm = 15

// plausibleComm tells a thread name from other text before a mark: a USB
// device, for one, can put any text of its own into a kernel line, but not
// within the first 15 bytes. A text form may print a byte as \xNN or #NNN.
func plausibleComm(comm []byte) bool {
	if len(comm) <= maxComm {
		return true
	}
	return len(comm) <= 4*maxComm && len(unescape(comm)) <= maxComm
}

// unescape undoes the escapes of text forms: \xNN of dmesg, #NNN (octal) of
// rsyslog. Raw records have none left.
func unescape(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 && bytes.IndexByte(text, '#') < 0 {
		return text
	}
	plain := make([]byte, 0, len(text))
	for at := 0; at < len(text); {
		c, size := unescapeOne(text[at:])
		plain = append(plain, c)
		at += size
	}
	return plain
}

func unescapeOne(text []byte) (c byte, size int) {
	if len(text) < 4 {
		return text[0], 1
	}
	switch {
	case text[0] == '\\' && text[1] == 'x':
		high, ok1 := hexDigit(text[2])
		low, ok2 := hexDigit(text[3])
		if ok1 && ok2 {
			return high<<4 | low, 4
		}
	case text[0] == '#' && text[1] == '0':
		high, low := text[2]-'0', text[3]-'0'
		if high < 8 && low < 8 {
			return high<<3 | low, 4
		}
	}
	return text[0], 1
}

// parseHeader reads "COMM invoked oom-killer: gfp_mask=..." of every era. COMM
// may be any 15 bytes, too few to hold the mark; what follows the mark must be
// the kernel's up to the end of the line, because a cgroup's name can hold the
// mark as well.
func parseHeader(text []byte) (*oomdoc.Trigger, bool) {
	comm, request, found := bytes.Cut(text, []byte(headerMark))
	if !found {
		comm = nil
		request, found = bytes.CutPrefix(text, []byte(namelessMark))
	}
	if !found || !plausibleComm(comm) {
		return nil, false
	}
	mask, rest, ok := hexadecimal(request)
	if !ok {
		return nil, false
	}
	t := &oomdoc.Trigger{Comm: string(comm), GFPMask: mask, Line: keep(text)}
	if len(rest) > 0 && rest[0] == '(' {
		t.GFP = string(flagNames(rest))
		rest = rest[min(len(t.GFP)+2, len(rest)):]
	}
	return t, readRequest(t, rest)
}

// requestKeys are what may follow the mask, with how the value is read.
var requestKeys = []struct {
	key  string
	read func(t *oomdoc.Trigger, value []byte) (rest []byte, ok bool)
}{
	{"order=", func(t *oomdoc.Trigger, value []byte) (rest []byte, ok bool) {
		t.Order, rest, ok = small(value)
		return rest, ok
	}},
	{"nodemask=", func(t *oomdoc.Trigger, value []byte) (rest []byte, ok bool) {
		list, rest := nodeList(value)
		if null, found := bytes.CutPrefix(value, []byte("(null)")); found {
			list, rest = value[:len(value)-len(null)], null
		}
		t.NodeMask = string(list)
		return rest, true
	}},
	{"oom_score_adj=", readAdjustment},
	{"oom_adj=", readAdjustment},
	{"oomkilladj=", readAdjustment},
}

// readAdjustment keeps the last of them: RHEL 6 prints oom_adj before oom_score_adj.
func readAdjustment(t *oomdoc.Trigger, value []byte) (rest []byte, ok bool) {
	t.OOMScoreAdj, rest, ok = small(value)
	return rest, ok
}

// readRequest reads ", key=value" pairs to the end of the line. The line may
// be cut anywhere, but nothing else may be in it.
func readRequest(t *oomdoc.Trigger, text []byte) bool {
	for {
		text = bytes.TrimLeft(text, ", ")
		if len(text) == 0 {
			return true
		}
		rest, ok := readRequestKey(t, text)
		if !ok {
			return isCutKey(text)
		}
		text = rest
	}
}

func readRequestKey(t *oomdoc.Trigger, text []byte) (rest []byte, ok bool) {
	for i := range requestKeys {
		if value, found := bytes.CutPrefix(text, []byte(requestKeys[i].key)); found {
			return requestKeys[i].read(t, value)
		}
	}
	return text, false
}

func isCutKey(text []byte) bool {
	for i := range requestKeys {
		if bytes.HasPrefix([]byte(requestKeys[i].key), text) {
			return true
		}
	}
	return false
}

// flagNames gives what stands in the parentheses right after a gfp mask.
func flagNames(rest []byte) []byte {
	if len(rest) == 0 || rest[0] != '(' {
		return nil
	}
	end := bytes.IndexByte(rest, ')')
	if end < 0 {
		return rest[1:]
	}
	return rest[1:end]
}
