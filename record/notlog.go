package record

import (
	"errors"

	"github.com/oomdoc/oomdoc"
)

// NotALog says, after reading, that the input was no log: no line had a head
// and most held bytes that no text has. It is an *oomdoc.Error, or nil.
func (d *Decoder) NotALog() error {
	if d.stats.Headed() > 0 || d.stats.Binary == 0 || d.stats.Binary*2 < d.stats.Records {
		return nil
	}
	return &oomdoc.Error{
		Op:   "read",
		Err:  errors.New("this is not a log: it is not text"),
		Hint: "sudo dmesg | oomdoc explain -",
	}
}

// isBinary tells a line with control characters that no text log has.
func isBinary(line []byte) bool {
	const sample = 1024 // a line of noise shows itself early
	for _, c := range line[:min(len(line), sample)] {
		if c < ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v' && c != '\b' && c != escape {
			return true
		}
	}
	return false
}
