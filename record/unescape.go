package record

import "bytes"

// unescape undoes the \xNN of a kernel record (kernel/printk/printk.c,
// append_char: bytes below 0x20, from 0x7f on, and the backslash itself), once.
// Text without an escape is given back as it is; other text is written to
// scratch. An escape that was cut off at the end of a record stays as it is.
func unescape(text, scratch []byte) (plain, _ []byte) {
	at := bytes.IndexByte(text, '\\')
	if at < 0 {
		return text, scratch
	}
	scratch = scratch[:0]
	for at >= 0 {
		scratch = append(scratch, text[:at]...)
		if value, ok := hexEscape(text[at:]); ok {
			scratch = append(scratch, value)
			text = text[at+4:]
		} else {
			scratch = append(scratch, '\\')
			text = text[at+1:]
		}
		at = bytes.IndexByte(text, '\\')
	}
	scratch = append(scratch, text...)
	return scratch, scratch
}

// hexEscape reads \xNN at the start of b.
func hexEscape(b []byte) (byte, bool) {
	if len(b) < 4 || b[1] != 'x' {
		return 0, false
	}
	high, low := hexDigit(b[2]), hexDigit(b[3])
	return high<<4 | low, high|low < 16
}

// hexDigit gives the value of a hexadecimal digit, 0xff for anything else.
func hexDigit(c byte) byte {
	switch {
	case isDigit(c):
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xff
}

// unescapeOctal undoes rsyslog's #ooo for control characters
// ($EscapeControlCharactersOnReceive, on by default). rsyslog does not escape
// '#' itself, so only #001 to #037 are undone: what else looks like an escape
// is far more likely text, "#177-Ubuntu" in a kernel's version for example.
func unescapeOctal(text, scratch []byte) (plain, _ []byte) {
	at := octalEscape(text)
	if at < 0 {
		return text, scratch
	}
	scratch = scratch[:0]
	for at >= 0 {
		scratch = append(scratch, text[:at]...)
		scratch = append(scratch, (text[at+2]-'0')<<3|(text[at+3]-'0'))
		text = text[at+4:]
		at = octalEscape(text)
	}
	scratch = append(scratch, text...)
	return scratch, scratch
}

// octalEscape finds the first #0oo of a control character, -1 for none.
func octalEscape(text []byte) int {
	for from := 0; ; {
		at := bytes.IndexByte(text[from:], '#')
		if at < 0 {
			return -1
		}
		at += from
		if isOctalEscape(text[at:]) {
			return at
		}
		from = at + 1
	}
}

func isOctalEscape(b []byte) bool {
	return len(b) >= 4 && b[1] == '0' && b[2]-'0' <= 3 && b[3]-'0' <= 7 && (b[2] != '0' || b[3] != '0')
}
