package kmsg

import (
	"bytes"
	"math"
)

// How much is kept as a string of one line (the kernel prints at most 1024
// bytes of text per record) and of one word of its own: a counter's or a
// function's name, a version.
const (
	maxLine = 2048
	maxWord = 128
)

// keep copies what is worth keeping of a line: a Record's bytes are reused.
func keep(text []byte) string { return string(text[:min(len(text), maxLine)]) }

func keepWord(text []byte) string { return string(text[:min(len(text), maxWord)]) }

// trimReturn drops the carriage return of a text file with such line ends.
func trimReturn(text []byte) []byte {
	if len(text) > 0 && text[len(text)-1] == '\r' {
		return text[:len(text)-1]
	}
	return text
}

func trimBlanks(text []byte) []byte {
	for len(text) > 0 && isBlank(text[0]) {
		text = text[1:]
	}
	return text
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// field splits off the first run of bytes that are not white space.
func field(text []byte) (first, rest []byte) {
	start := 0
	for start < len(text) && (isBlank(text[start]) || text[start] == '\n') {
		start++
	}
	end := start
	for end < len(text) && !isBlank(text[end]) && text[end] != '\n' {
		end++
	}
	return text[start:end], text[end:]
}

// number reads a decimal number with an optional sign at the start of text. A
// number that does not fit becomes the largest one: the kernel prints "no
// limit" in several ways.
func number(text []byte) (n int64, rest []byte, ok bool) {
	at, negative := 0, false
	if len(text) > 0 && text[0] == '-' {
		at, negative = 1, true
	}
	start := at
	for at < len(text) && isDigit(text[at]) {
		digit := int64(text[at] - '0')
		if n > (math.MaxInt64-digit)/10 {
			n = math.MaxInt64
		} else {
			n = n*10 + digit
		}
		at++
	}
	if at == start {
		return 0, text, false
	}
	if negative {
		n = -n
	}
	return n, text[at:], true
}

// whole reads text that is a number and nothing else.
func whole(text []byte) (int64, bool) {
	n, rest, ok := number(text)
	return n, ok && len(rest) == 0
}

// small reads a number that must fit an int32: a pid, an order, a uid.
func small(text []byte) (n int, rest []byte, ok bool) {
	wide, rest, ok := number(text)
	if wide > math.MaxUint32 || wide < math.MinInt32 {
		return 0, rest, false
	}
	return int(wide), rest, ok
}

// hexadecimal reads 0x... at the start of text.
func hexadecimal(text []byte) (n uint64, rest []byte, ok bool) {
	digits, found := bytes.CutPrefix(text, []byte("0x"))
	if !found {
		return 0, text, false
	}
	at := 0
	for at < len(digits) && at < 16 {
		digit, good := hexDigit(digits[at])
		if !good {
			break
		}
		n = n<<4 | uint64(digit)
		at++
	}
	return n, digits[at:], at > 0
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case isDigit(c):
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// kibibytes turns a kB value of the kernel (1024 bytes) into bytes.
func kibibytes(n int64) int64 {
	if n > math.MaxInt64/1024 {
		return math.MaxInt64
	}
	return n * 1024
}

// sized reads "123kB" or "123KB" and nothing else, in bytes.
func sized(text []byte) (int64, bool) {
	n, rest, ok := number(text)
	if !ok || len(rest) != 2 || rest[0]|0x20 != 'k' || rest[1] != 'B' {
		return 0, false
	}
	return kibibytes(n), true
}

// pair is one "name:value" of the kernel's lists.
type pair struct {
	name, value []byte
}

// nextPair reads the next "name:value" of a list that is separated by white
// space. Some kernels print a blank after the colon. A word without a colon
// has no name.
func nextPair(text []byte) (p pair, rest []byte, ok bool) {
	word, rest := field(text)
	if len(word) == 0 {
		return pair{}, nil, false
	}
	colon := bytes.LastIndexByte(word, ':')
	switch {
	case colon < 0:
		return pair{value: word}, rest, true
	case colon == len(word)-1:
		value, after := field(rest)
		return pair{word[:colon], value}, after, true
	}
	return pair{word[:colon], word[colon+1:]}, rest, true
}

// after gives what follows the first mark in text.
func after(text []byte, mark string) ([]byte, bool) {
	at := bytes.Index(text, []byte(mark))
	if at < 0 {
		return nil, false
	}
	return text[at+len(mark):], true
}

// until gives what stands before the first mark in text, or all of it.
func until(text []byte, mark string) []byte {
	if at := bytes.Index(text, []byte(mark)); at >= 0 {
		return text[:at]
	}
	return text
}
