package record

import "math"

// isDigit tells an ASCII digit.
func isDigit(c byte) bool { return c-'0' <= 9 }

// number reads the decimal digits at the start of b. It gives how many there
// were, 0 when there is none or the number does not fit.
func number(b []byte) (n uint64, size int) {
	for size < len(b) && isDigit(b[size]) {
		n = n*10 + uint64(b[size]-'0')
		size++
	}
	if size > surelyFits {
		return longNumber(b[:size])
	}
	return n, size
}

// surelyFits is how many digits fit in 64 bits whatever they are. Nearly every
// number has no more of them, so only of others each digit is checked.
const surelyFits = 19

func longNumber(digits []byte) (n uint64, size int) {
	for _, c := range digits {
		digit := uint64(c - '0')
		if n > (math.MaxUint64-digit)/10 {
			return 0, 0
		}
		n = n*10 + digit
	}
	return n, len(digits)
}

// whole reads b as a decimal number and nothing else.
func whole(b []byte) (uint64, bool) {
	n, size := number(b)
	return n, size > 0 && size == len(b)
}

// micros reads a number that counts microseconds.
func micros(b []byte) (int64, bool) {
	n, ok := whole(b)
	return int64(n), ok && n <= math.MaxInt64
}

// pair reads two digits at the start of b as a number not above limit.
func pair(b []byte, limit int) (int, bool) {
	if len(b) < 2 || !isDigit(b[0]) || !isDigit(b[1]) {
		return 0, false
	}
	n := int(b[0]-'0')*10 + int(b[1]-'0')
	return n, n <= limit
}

// fraction reads up to nine digits after a decimal point as nanoseconds, and
// gives how many digits stood there, further ones included.
func fraction(b []byte) (nanos, size int) {
	const most = 9
	scale := 1_000_000_000
	for size < len(b) && isDigit(b[size]) {
		if size < most {
			scale /= 10
			nanos += int(b[size]-'0') * scale
		}
		size++
	}
	return nanos, size
}

// seconds reads "SECONDS.FRACTION" as microseconds. The kernel and dmesg print
// six digits of fraction; dmesg -J drops zeros at the end.
func seconds(b []byte) (usec int64, size int) {
	whole, size := number(b)
	const most = math.MaxInt64/1_000_000 - 1
	if size == 0 || whole > most || size >= len(b) || b[size] != '.' {
		return 0, 0
	}
	nanos, digits := fraction(b[size+1:])
	if digits == 0 {
		return 0, 0
	}
	return int64(whole)*1_000_000 + int64(nanos)/1_000, size + 1 + digits
}

// skipSpaces gives b without the blanks at its start.
func skipSpaces(b []byte) []byte {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	return b
}
