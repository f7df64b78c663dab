package kmsg

import "bytes"

// A recordHead is the part of a raw record that the reader needs before the
// record is decoded: "PRIO,SEQ,USEC," (Documentation/ABI/testing/dev-kmsg).
type recordHead struct {
	priority uint64 // facility*8 + level
	seq      uint64
	usec     uint64
}

func (h recordHead) facility() uint64 { return h.priority >> 3 }

func parseHead(raw []byte) (head recordHead, ok bool) {
	rest := raw
	for _, field := range [...]*uint64{&head.priority, &head.seq, &head.usec} {
		if *field, rest, ok = leadingNumber(rest); !ok {
			return recordHead{}, false
		}
	}
	return head, true
}

// leadingNumber takes a decimal number and the ',' or ';' behind it.
func leadingNumber(b []byte) (n uint64, rest []byte, ok bool) {
	const most = (1<<63 - 1) / 10 // one more digit still fits an int64
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9' && n < most:
			n = n*10 + uint64(c-'0')
		case i > 0 && (c == ',' || c == ';'):
			return n, b[i+1:], true
		default:
			return 0, nil, false
		}
	}
	return 0, nil, false
}

// rawText is what stands behind the head, escapes still in it.
func rawText(raw []byte) []byte {
	if i := bytes.IndexByte(raw, ';'); i >= 0 {
		return raw[i+1:]
	}
	return nil
}
