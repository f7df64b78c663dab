package applog

import (
	"bytes"
	"math"
	"time"
)

// maxKept is how much of a name, a path or a command line is kept.
const maxKept = 4096

// keep copies what is worth keeping: a record's bytes are reused.
func keep(text []byte) string { return string(text[:min(len(text), maxKept)]) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// whole reads a decimal number without sign at the start of text. A number that
// does not fit is the largest one.
func whole(text []byte) (n int64, rest []byte, ok bool) {
	at := 0
	for at < len(text) && isDigit(text[at]) {
		digit := int64(text[at] - '0')
		if n > (math.MaxInt64-digit)/10 {
			n = math.MaxInt64
		} else {
			n = n*10 + digit
		}
		at++
	}
	return n, text[at:], at > 0
}

// small reads a number that fits an int of 32 bits: a pid, a uid, a count.
func small(text []byte) (n int, rest []byte, ok bool) {
	long, rest, ok := whole(text)
	return int(long), rest, ok && long <= math.MaxUint32
}

// decimal reads "51.07" after blanks.
func decimal(text []byte) (n float64, rest []byte, ok bool) {
	text = bytes.TrimLeft(text, " ")
	units, rest, ok := whole(text)
	if !ok {
		return 0, text, false
	}
	n = float64(units)
	if len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
		digits := rest[1:]
		fraction, after, _ := whole(digits)
		if fraction != math.MaxInt64 {
			n += float64(fraction) / math.Pow10(len(digits)-len(after))
		}
		rest = after
	}
	return n, rest, true
}

// after gives what follows the first occurrence of mark.
func after(text []byte, mark string) ([]byte, bool) {
	_, rest, found := bytes.Cut(text, []byte(mark))
	return rest, found
}

func containsAny(text []byte, marks []string) bool {
	for _, mark := range marks {
		if bytes.Contains(text, []byte(mark)) {
			return true
		}
	}
	return false
}

// afterLast gives what follows the last occurrence of mark, and what stands
// before it.
func afterLast(text []byte, mark string) (before, rest []byte, found bool) {
	at := bytes.LastIndex(text, []byte(mark))
	if at < 0 {
		return nil, nil, false
	}
	return text[:at], text[at+len(mark):], true
}

// wholeAfter reads the number that follows mark, nil when there is none.
func wholeAfter(text []byte, mark string) *int64 {
	if rest, found := after(text, mark); found {
		if n, _, ok := whole(bytes.TrimLeft(rest, " ")); ok {
			return &n
		}
	}
	return nil
}

// decimalAfter is wholeAfter for a number with a fraction.
func decimalAfter(text []byte, mark string) *float64 {
	if rest, found := after(text, mark); found {
		if n, _, ok := decimal(rest); ok {
			return &n
		}
	}
	return nil
}

// grouped reads "8,589,934,592": a number whose thousands may be set apart.
func grouped(text []byte) (n int64, rest []byte, ok bool) {
	digits := make([]byte, 0, 20)
	at := 0
	for ; at < len(text) && len(digits) < cap(digits); at++ {
		switch {
		case isDigit(text[at]):
			digits = append(digits, text[at])
		case text[at] == ',' && at > 0 && len(text)-at > 3 && isDigit(text[at+1]) && isDigit(text[at+2]) && isDigit(text[at+3]):
		default:
			n, _, ok = whole(digits)
			return n, text[at:], ok
		}
	}
	n, _, ok = whole(digits)
	return n, text[at:], ok
}

// groupedAfter reads such a number after a mark, nil when there is none.
func groupedAfter(text []byte, mark string) *int64 {
	if rest, found := after(text, mark); found {
		if n, _, ok := grouped(rest); ok {
			return &n
		}
	}
	return nil
}

// times multiplies a size in a unit, nil when it is not known or overflows.
func times(n *int64, unit int64) *int64 {
	if n == nil || *n > math.MaxInt64/unit {
		return nil
	}
	product := *n * unit
	return &product
}

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// scaled turns "24.99" of a unit into bytes, nil when it does not fit.
func scaled(n float64, unit int64) *int64 {
	size := n * float64(unit)
	if size < 0 || size >= math.MaxInt64 {
		return nil
	}
	bytes := int64(size)
	return &bytes
}

// spans are the units of systemd's time spans (systemd.time(7), as
// format_timespan prints them), longest names first.
func spans() []struct {
	name string
	size time.Duration
} {
	return []struct {
		name string
		size time.Duration
	}{
		{"min", time.Minute}, {"ms", time.Millisecond}, {"us", time.Microsecond},
		{"h", time.Hour}, {"d", 24 * time.Hour}, {"w", 7 * 24 * time.Hour}, {"s", time.Second},
	}
}

// maxSpan keeps a sum of spans from overflowing.
const maxSpan = 1000 * 24 * time.Hour

// timespan reads "1min 30s" at the start of text, 0 when there is none.
func timespan(text []byte) (sum time.Duration) {
	for {
		n, rest, ok := decimal(text)
		if !ok {
			return sum
		}
		size, rest, ok := spanUnit(rest)
		if !ok || n*float64(size) > float64(maxSpan) {
			return sum
		}
		sum = min(sum+time.Duration(n*float64(size)), maxSpan)
		text = rest
	}
}

func spanUnit(text []byte) (time.Duration, []byte, bool) {
	for _, unit := range spans() {
		if rest, is := bytes.CutPrefix(text, []byte(unit.name)); is {
			return unit.size, rest, true
		}
	}
	return 0, text, false
}

// seconds reads "2.842" as a duration.
func seconds(text []byte) time.Duration {
	n, _, ok := decimal(text)
	if !ok || n > maxSpan.Seconds() {
		return 0
	}
	return time.Duration(n * float64(time.Second))
}
