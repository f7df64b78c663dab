package record

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// ParseKmsg decodes one record as a read of /dev/kmsg gives it
// (Documentation/ABI/testing/dev-kmsg; kernel/printk/printk.c,
// info_print_ext_header and msg_print_ext_body):
//
//	PRIO,SEQ,USEC,FLAG[,caller=T1|C2][,more];TEXT\n[ KEY=VALUE\n...]
//
// rec.Text points into raw, or into scratch when it held escapes; the grown
// scratch is given back. rec.Raw is the first line, rec.Dict the lines after
// it. Fields that the form does not have are reset; Source, BootID, Offset,
// Lost, Time, Read and Replayed are the caller's and stay. A record that is
// not of this form is a *MalformedError, and rec is then undefined.
func ParseKmsg(raw []byte, rec *oomdoc.Record, scratch []byte) ([]byte, error) {
	scratch, fault := parseKmsg(raw, rec, scratch)
	if fault != "" {
		return scratch, malformed(fault, raw)
	}
	return scratch, nil
}

// parseKmsg is ParseKmsg that names the faulty part instead of making an error.
func parseKmsg(raw []byte, rec *oomdoc.Record, scratch []byte) (_ []byte, fault string) {
	line, dict := raw, []byte(nil)
	if end := bytes.IndexByte(raw, '\n'); end >= 0 {
		line, dict = raw[:end], dictAfter(raw, end)
	}
	if scratch, fault = parseKmsgLine(line, rec, scratch); fault != "" {
		return scratch, fault
	}
	rec.Dict = dict
	return scratch, ""
}

// dictAfter gives the dictionary lines of a record whose first line ends at end.
func dictAfter(raw []byte, end int) []byte { return bytes.TrimSuffix(raw[end+1:], []byte("\n")) }

// parseKmsgLine is parseKmsg of a record's first line.
func parseKmsgLine(line []byte, rec *oomdoc.Record, scratch []byte) (_ []byte, fault string) {
	line = bytes.TrimSuffix(line, []byte("\r")) // the kernel writes its own as \x0d
	text, fault := parseKmsgHead(line, rec)
	if fault != "" {
		return scratch, fault
	}
	rec.Raw, rec.Dict = line, nil
	rec.Writer, rec.Continued = nil, false
	rec.Text, scratch = unescape(text, scratch)
	return scratch, ""
}

// maxPriority bounds PRIO: level in the low three bits, above them a facility,
// which is a byte in the kernel (struct printk_info).
const maxPriority = 255<<3 | 7

// parseKmsgHead reads everything before the first ';' and gives what follows.
func parseKmsgHead(line []byte, rec *oomdoc.Record) (text []byte, fault string) {
	priority, at := number(line)
	if at == 0 || priority > maxPriority || !separated(line, at, ',') {
		return nil, "priority"
	}
	at++
	seq, size := number(line[at:])
	at += size
	if size == 0 || !separated(line, at, ',') {
		return nil, "sequence"
	}
	at++
	usec, size := number(line[at:])
	at += size
	if size == 0 || usec > 1<<63-1 || !separated(line, at, ',') {
		return nil, "time"
	}
	at++
	if at+1 >= len(line) || line[at] == ';' || line[at] == ',' {
		return nil, "flag"
	}
	// '-' whole, 'c' fragment; '+' (a further fragment) until 4.9.
	rec.Fragment = line[at] == 'c' || line[at] == '+'
	rec.Caller = oomdoc.Caller{}
	at++
	switch line[at] {
	case ';':
	case ',':
		size := bytes.IndexByte(line[at:], ';')
		if size < 0 {
			return nil, "head"
		}
		rec.Caller = callerField(line[at+1 : at+size])
		at += size
	default:
		return nil, "flag"
	}
	rec.Priority, rec.Facility = int(priority&7), int(priority>>3)
	rec.Seq, rec.HasSeq = seq, true
	rec.Usec = int64(usec)
	return line[at+1:], ""
}

func separated(line []byte, at int, by byte) bool { return at < len(line) && line[at] == by }

// callerField finds "caller=" among the optional fields of a head; fields that
// are not known are passed over, as the kernel's own description asks.
func callerField(fields []byte) oomdoc.Caller {
	for len(fields) > 0 {
		field, rest, _ := bytes.Cut(fields, []byte(","))
		if value, found := bytes.CutPrefix(field, []byte("caller=")); found {
			caller, _ := parseCaller(value)
			return caller
		}
		fields = rest
	}
	return oomdoc.Caller{}
}

// parseCaller reads "T123" or "C3".
func parseCaller(b []byte) (oomdoc.Caller, bool) {
	if len(b) < 2 || b[0] != 'T' && b[0] != 'C' {
		return oomdoc.Caller{}, false
	}
	id, ok := whole(b[1:])
	if !ok || id > 1<<32-1 {
		return oomdoc.Caller{}, false
	}
	return oomdoc.Caller{Kind: b[0], ID: uint32(id)}, true
}
