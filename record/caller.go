package record

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// caller reads the context that CONFIG_PRINTK_CALLER adds, and gives the text
// after it: "[    T1] " right after the stamp on consoles (the stamp is the
// first size bytes of b), after a blank in dmesg of util-linux 2.40 and newer.
// There it could be text too, so all lines of the stream must have it.
func (d *Decoder) caller(b []byte, size int, rec *oomdoc.Record) []byte {
	rest := b[size:]
	glued := b[size-1] == ']'
	if !glued && d.spaced.settledNo() {
		return rest
	}
	used, caller := callerBracket(rest)
	if !glued {
		shows := used > 0 && (!d.spaced.fresh() || !d.nextHasNoCaller())
		if !d.spaced.has(shows) {
			return rest
		}
	}
	if used > 0 {
		rec.Caller = caller
	}
	return rest[used:]
}

// nextHasNoCaller says that the next line has a stamp but no caller behind it.
func (d *Decoder) nextHasNoCaller() bool {
	next := d.lines.peek()
	size, _ := uptime(next)
	if size == 0 {
		return false
	}
	used, _ := callerBracket(next[size:])
	return used == 0
}

// callerBracket reads "[    T1] ", and gives its size with the blank after it.
func callerBracket(b []byte) (int, oomdoc.Caller) {
	if len(b) == 0 || b[0] != '[' {
		return 0, oomdoc.Caller{}
	}
	end := bytes.IndexByte(b[:min(len(b), maxNameBytes)], ']')
	if end < 0 {
		return 0, oomdoc.Caller{}
	}
	caller, ok := parseCaller(skipSpaces(b[1:end]))
	if !ok {
		return 0, oomdoc.Caller{}
	}
	return afterBracket(b, end), caller
}
