package record

import (
	"bytes"
	"time"
)

// A stamp is a time as a log line prints it.
type stamp struct {
	year        int // 0: not printed
	month       time.Month
	day         int
	hour        int
	minute      int
	second      int
	nanos       int
	digits      int // how many digits of fraction were printed
	comma       bool
	zoned       bool // offset is known
	offset      int  // seconds east of UTC
	approximate bool
}

// clockTime reads "hh:mm:ss" and gives its size, 0 when it is not one. A
// second of 60 is a leap second.
func (s *stamp) clockTime(b []byte) int {
	const size = len("hh:mm:ss")
	if len(b) < size || b[2] != ':' || b[5] != ':' {
		return 0
	}
	var okHour, okMinute, okSecond bool
	s.hour, okHour = pair(b, 23)
	s.minute, okMinute = pair(b[3:], 59)
	s.second, okSecond = pair(b[6:], 60)
	if !okHour || !okMinute || !okSecond {
		return 0
	}
	return size
}

// pointFraction reads an optional ".123456" or ",123456".
func (s *stamp) pointFraction(b []byte) int {
	if len(b) < 2 || b[0] != '.' && b[0] != ',' || !isDigit(b[1]) {
		return 0
	}
	nanos, size := fraction(b[1:])
	s.nanos, s.digits, s.comma = nanos, size, b[0] == ','
	return 1 + size
}

// date reads "YYYY-MM-DD".
func (s *stamp) date(b []byte) int {
	const size = len("YYYY-MM-DD")
	if len(b) < size || b[4] != '-' || b[7] != '-' {
		return 0
	}
	century, ok1 := pair(b, 99)
	year, ok2 := pair(b[2:], 99)
	month, ok3 := pair(b[5:], 12)
	day, ok4 := pair(b[8:], 31)
	if !ok1 || !ok2 || !ok3 || !ok4 || month == 0 || day == 0 {
		return 0
	}
	s.year, s.month, s.day = century*100+year, time.Month(month), day
	return size
}

// iso reads an RFC 3339 or ISO 8601 stamp: "2026-12-01T01:43:39", a fraction
// after "." or ",", and "Z", "+00:00", "+0000" or no zone.
func (s *stamp) iso(b []byte) int {
	at := s.date(b)
	if at == 0 || at >= len(b) || b[at] != 'T' && b[at] != 't' {
		return 0
	}
	at++
	size := s.clockTime(b[at:])
	if size == 0 {
		return 0
	}
	at += size
	at += s.pointFraction(b[at:])
	return at + s.numericZone(b[at:])
}

// numericZone reads "Z", "+hh:mm", "+hhmm" or "+hh".
func (s *stamp) numericZone(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	if b[0] == 'Z' || b[0] == 'z' {
		s.zoned, s.offset = true, 0
		return 1
	}
	if b[0] != '+' && b[0] != '-' {
		return 0
	}
	hour, ok := pair(b[1:], 23)
	if !ok {
		return 0
	}
	size := len("+hh")
	colon := 0
	if len(b) > size && b[size] == ':' {
		colon = 1
	}
	minute, ok := pair(b[size+colon:], 59)
	if ok {
		size += colon + len("mm")
	}
	s.zoned, s.offset = true, (hour*60+minute)*60
	if b[0] == '-' {
		s.offset = -s.offset
	}
	return size
}

// monthDay reads "Dec  1", the month in any language.
func (s *stamp) monthDay(b []byte) int {
	end := bytes.IndexByte(b, ' ')
	if end <= 0 || end > maxNameBytes {
		return 0
	}
	rest := skipSpaces(b[end:])
	day, size := number(rest)
	if size == 0 || size > 2 || day == 0 || day > 31 {
		return 0
	}
	month, ok := monthOf(b[:end])
	if !ok {
		return 0
	}
	s.month, s.day = month, int(day)
	return len(b) - len(rest) + size
}

// ctime reads "Tue Dec  1 01:43:39 2026", the names in any language, as
// dmesg -T prints it. It must fill b.
func (s *stamp) ctime(b []byte) bool {
	weekday := bytes.IndexByte(b, ' ')
	if weekday <= 0 || weekday > maxNameBytes {
		return false
	}
	b = skipSpaces(b[weekday:])
	size := s.monthDay(b)
	if size == 0 {
		return false
	}
	b = skipSpaces(b[size:])
	if size = s.clockTime(b); size == 0 {
		return false
	}
	b = skipSpaces(b[size:])
	if year, ok := whole(b); ok && len(b) == 4 {
		s.year = int(year)
	} else if len(b) > 0 { // people leave the year away
		return false
	}
	// dmesg adds the kernel's stamp to the time of boot as it is reckoned
	// now, which time in suspend and corrections of the clock make wrong.
	s.approximate = true
	return true
}

// A calendar turns stamps into times, with what they do not print: the zone and
// the year.
type calendar struct {
	now   func() time.Time
	local *time.Location
	zone  *time.Location // of the last numeric offset
	last  stamp          // the last stamp, without its fraction
	at    time.Time      // the time of it
}

// ahead is how far in the future a stamp without a year may lie: a log can come
// from a zone that is ahead of ours.
const ahead = 24 * time.Hour

// time gives the time of s.
func (c *calendar) time(s stamp) time.Time {
	nanos := s.nanos
	s.nanos, s.digits = 0, 0
	if s != c.last || c.at.IsZero() {
		c.last, c.at = s, c.whole(s)
	}
	return c.at.Add(time.Duration(nanos))
}

// whole gives the time of a stamp without fraction.
func (c *calendar) whole(s stamp) time.Time {
	zone := c.local
	if s.zoned {
		zone = c.fixed(s.offset)
	}
	in := func(year int) time.Time {
		return time.Date(year, s.month, s.day, s.hour, s.minute, s.second, 0, zone)
	}
	if s.year != 0 {
		return in(s.year)
	}
	now := c.now()
	year := now.In(zone).Year()
	for in(year).After(now.Add(ahead)) || in(year).Day() != s.day {
		if year--; year < now.Year()-8 { // two leap years lie at most eight years apart
			break
		}
	}
	return in(year)
}

// fixed gives the zone with an offset, again the same one for the same offset.
func (c *calendar) fixed(offset int) *time.Location {
	if offset == 0 {
		return time.UTC
	}
	if c.zone != nil {
		if _, is := time.Unix(0, 0).In(c.zone).Zone(); is == offset {
			return c.zone
		}
	}
	c.zone = time.FixedZone("", offset)
	return c.zone
}
