package lang

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// binaryUnits are the units of IEC 80000-13, each 1024 times the one before.
// They are the same in every language that we write.
func binaryUnits() []string { return []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"} }

// Bytes writes a size: "17 bytes", "40 KiB", "512 MiB", "8.0 GiB", "128 GiB".
// One decimal stands below 10, and below 100 from GiB on; it is rounded to the
// nearest.
func (l *Language) Bytes(n int64) string {
	sign, size := "", uint64(n)
	if n < 0 {
		sign, size = "-", -uint64(n)
	}
	if size < 1024 {
		return sign + l.say(keyBytes, oomdoc.Args{"n": oomdoc.Count(size)})
	}
	units := binaryUnits()
	unit, shift := 0, 10
	for unit < len(units)-1 && tenths(size, shift) >= 10240-5 {
		unit, shift = unit+1, shift+10
	}
	return l.say(keySize, oomdoc.Args{
		"n":    oomdoc.Text(sign + inTenths(tenths(size, shift), unit >= 2)),
		"unit": oomdoc.Text(units[unit]),
	})
}

// tenths is size in tenths of 2^shift bytes, rounded. It cannot overflow: the
// rest is below 2^60.
func tenths(size uint64, shift int) uint64 {
	whole, rest := size>>shift, size&(1<<shift-1)
	return whole*10 + (rest*10+1<<(shift-1))>>shift
}

// inTenths writes tenths with one decimal when the number is small.
func inTenths(n uint64, large bool) string {
	if n < 100 || large && n < 1000 {
		return strconv.FormatUint(n/10, 10) + "." + strconv.FormatUint(n%10, 10)
	}
	return strconv.FormatUint((n+5)/10, 10)
}

// Percent writes a share of a hundred: "42%", "3.5%", "99.8%". What is not
// nothing is never written as 0%, and what is not all never as 100%.
func (l *Language) Percent(p float64) string {
	switch {
	case math.IsNaN(p) || math.IsInf(p, 0):
		return l.say(keyUnknown, nil)
	case p > 0 && p < 0.1:
		return l.say(keyUnderPercent, oomdoc.Args{"limit": oomdoc.Text("0.1%")})
	case p > 99.9 && p < 100:
		return "99.9%"
	case p == math.Trunc(p):
		return strconv.FormatFloat(p, 'f', 0, 64) + "%"
	case p < 9.95 || p > 99:
		return strconv.FormatFloat(p, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + "%"
}

// Grouped writes a number with its thousands apart: "1234", "12,000". Below
// 10,000 it is plain.
func Grouped(n int64) string {
	digits := plain(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	if len(digits) < 5 {
		return sign + digits
	}
	var text strings.Builder
	text.WriteString(sign)
	for at, digit := range []byte(digits) {
		if at > 0 && (len(digits)-at)%3 == 0 {
			text.WriteByte(',')
		}
		text.WriteByte(digit)
	}
	return text.String()
}

func plain(n int64) string { return strconv.FormatInt(n, 10) }

// Time writes an instant in the language's zone with its offset:
// "2026-12-01 12:04:05 +09:00". A machine's log is often read elsewhere, so the
// offset is always there.
func (l *Language) Time(t time.Time) string {
	return t.In(l.location).Format("2006-01-02 15:04:05 -07:00")
}

func (l *Language) instant(nanoseconds int64) string { return l.Time(time.Unix(0, nanoseconds)) }
