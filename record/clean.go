package record

import "bytes"

const (
	escape          = 0x1b
	recordSeparator = 0x1e // RFC 7464; journalctl -o json-seq
)

// clean takes from a line what a terminal, a serial console or a stream format
// has put around it: colours (dmesg --color=always), carriage returns at its
// start, the record separator of json-seq and the "data: " of json-sse.
func (d *Decoder) clean(line []byte) []byte {
	if bytes.IndexByte(line, escape) >= 0 {
		d.plain = appendPlain(d.plain[:0], line)
		line = d.plain
	}
	for len(line) > 0 && (line[0] == '\r' || line[0] == recordSeparator) {
		line = line[1:]
	}
	if bytes.HasPrefix(line, []byte(`data: {`)) {
		line = line[len("data: "):]
	}
	if d.nested {
		line = d.withoutWideBlanks(withoutQuotes(line))
	}
	return line
}

// wideBlank is the blank that web pages put in place of a plain one.
const wideBlank = "\u00a0"

func (d *Decoder) withoutWideBlanks(line []byte) []byte {
	if !bytes.Contains(line, []byte(wideBlank)) {
		return line
	}
	d.plain = bytes.ReplaceAll(line, []byte(wideBlank), []byte(" "))
	return d.plain
}

// appendPlain appends line without its control sequences for colour and for
// erasing (ECMA-48 CSI ... m and CSI ... K). Other escapes stay: they are text.
func appendPlain(to, line []byte) []byte {
	for {
		at := bytes.IndexByte(line, escape)
		if at < 0 {
			return append(to, line...)
		}
		to = append(to, line[:at]...)
		line = line[at:]
		size := colourSequence(line)
		if size == 0 {
			to = append(to, escape)
			size = 1
		}
		line = line[size:]
	}
}

// colourSequence gives the size of a sequence at the start of b, 0 for none.
func colourSequence(b []byte) int {
	if len(b) < 3 || b[1] != '[' {
		return 0
	}
	at := 2
	for at < len(b) && (isDigit(b[at]) || b[at] == ';' || b[at] == ':') {
		at++
	}
	if at < len(b) && (b[at] == 'm' || b[at] == 'K') {
		return at + 1
	}
	return 0
}
