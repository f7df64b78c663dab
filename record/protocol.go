package record

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// protocol reads what follows the priority of an RFC 5424 line:
//
//	1 2026-12-01T01:43:39.123456+00:00 HOST APP PROCID MSGID [DATA] TEXT
//
// A program can send any facility to a syslog socket, so that the priority in
// front does not make it the kernel's; levelPrefix has not taken it as that.
func (d *Decoder) protocol(b []byte, rec *oomdoc.Record) bool {
	b, found := bytes.CutPrefix(b, []byte("1 "))
	if !found {
		return false
	}
	var s stamp
	size := s.iso(b)
	if size == 0 || !separated(b, size, ' ') {
		return false
	}
	b = b[size+1:]
	var words [4][]byte // host, program, process id, message id
	for i := range words {
		blank := bytes.IndexByte(b[:min(len(b), maxTag)], ' ')
		if blank <= 0 {
			return false
		}
		words[i], b = b[:blank], b[blank+1:]
	}
	text, ok := afterData(b)
	if !ok {
		return false
	}
	d.setTime(&s, rec)
	program, pid := words[1], words[2]
	t := tag{found: true, name: program, pid: string(pid) != "-", level: oomdoc.PriorityUnknown, text: text}
	rec.Text = d.applyTag(t, rec)
	return true
}

// afterData passes over the structured data, "-" or "[id name="value"]...", and
// the byte order mark that a text may have.
func afterData(b []byte) ([]byte, bool) {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	} else {
		for len(b) > 0 && b[0] == '[' {
			end := dataEnd(b)
			if end == 0 {
				return nil, false
			}
			b = b[end:]
		}
	}
	if len(b) == 0 || b[0] != ' ' {
		return b, len(b) == 0
	}
	return bytes.TrimPrefix(b[1:], []byte("\xef\xbb\xbf")), true
}

// dataEnd is the size of one element of structured data, 0 when it has no end.
func dataEnd(b []byte) int {
	quoted := false
	for at := 0; at < len(b); at++ {
		switch c := b[at]; {
		case quoted && c == '\\':
			at++
		case c == '"':
			quoted = !quoted
		case c == ']' && !quoted:
			return at + 1
		}
	}
	return 0
}
