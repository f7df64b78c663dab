package record

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// readStamp reads the time at the start of b into rec, and gives the size of
// all that belongs to it, the blank after it included.
func (d *Decoder) readStamp(b []byte, s *stamp, rec *oomdoc.Record) (stampKind, int) {
	if len(b) == 0 {
		return noStamp, 0
	}
	switch c := b[0]; {
	case c == '[':
		return d.readBracket(b, s, rec)
	case isDigit(c):
		if size := s.iso(b); size > 0 && size < len(b) && b[size] == ' ' {
			d.setTime(s, rec)
			return isoStamp, size + 1
		}
		if usec, size := seconds(b); size >= len("1000000000.000000") && size < len(b) && b[size] == ' ' {
			rec.Time = time.UnixMicro(usec)
			return unixStamp, size + 1
		}
	case c < 'A':
		return noStamp, 0
	}
	if size := s.syslog(b); size > 0 {
		d.setTime(s, rec)
		return syslogStamp, size
	}
	if size := d.full(b, s); size > 0 {
		d.setTime(s, rec)
		return fullStamp, size
	}
	return noStamp, 0
}

func (d *Decoder) setTime(s *stamp, rec *oomdoc.Record) {
	rec.Time = d.calendar.time(*s)
	rec.TimeApproximate = s.approximate
}

// maxBracket bounds what a dmesg stamp has between its brackets.
const maxBracket = 64

// readBracket reads the stamps that dmesg and consoles print in brackets. A
// delta to the record before can stand in it too: "[ 12.345678 <  0.000012>]".
func (d *Decoder) readBracket(b []byte, s *stamp, rec *oomdoc.Record) (stampKind, int) {
	if size, usec := uptime(b); size > 0 {
		rec.Usec = usec
		return uptimeStamp, size
	}
	end := bytes.IndexByte(b[:min(len(b), maxBracket)], ']')
	if end < 0 {
		return noStamp, 0
	}
	inner, _, _ := bytes.Cut(b[1:end], []byte("<"))
	inner = bytes.Trim(inner, " ")
	size := afterBracket(b, end)
	switch {
	case len(inner) == 0:
		return noStamp, 0
	case inner[0] == '+':
		usec, used := seconds(inner[1:])
		if used == 0 || used != len(inner)-1 {
			return noStamp, 0
		}
		d.addDelta(usec, rec)
		return deltaStamp, size
	case isDigit(inner[0]):
		usec, used := seconds(inner)
		if used > sixDigits && used == len(inner) && inner[used-sixDigits] == '.' {
			rec.Usec = usec
			return uptimeStamp, size
		}
	}
	if !s.ctime(inner) && !s.minuteOnly(inner) {
		return noStamp, 0
	}
	d.setTime(s, rec)
	return bracketStamp, size
}

// afterBracket is the size of a bracket with the one blank after it.
func afterBracket(b []byte, end int) int {
	if end+1 < len(b) && b[end+1] == ' ' {
		return end + 2
	}
	return end + 1
}

// sixDigits is the size of the fraction that the kernel and dmesg print.
const sixDigits = len(".000000")

// uptime reads "[12345.678901] " (kernel/printk/printk.c, print_time), and gives its size with the
// blank after it, 0 for anything else.
func uptime(b []byte) (size int, usec int64) {
	if len(b) < len("[0.000000]") || b[0] != '[' {
		return 0, 0
	}
	at := 1
	for at < len(b) && b[at] == ' ' {
		at++
	}
	usec, used := seconds(b[at:])
	if used <= sixDigits || b[at+used-sixDigits] != '.' || !separated(b, at+used, ']') {
		return 0, 0
	}
	return afterBracket(b, at+used), usec
}

// addDelta gives a record the time of the one before, plus a delta.
func (d *Decoder) addDelta(usec int64, rec *oomdoc.Record) {
	if d.form != FormDmesg || d.follower.time.IsZero() {
		return
	}
	rec.Time = d.follower.time.Add(time.Duration(usec) * time.Microsecond)
	rec.TimeApproximate = true
}

// minuteOnly reads "Dec  1 01:43", dmesg --reltime's stamp where a new minute
// begins. It must fill b.
func (s *stamp) minuteOnly(b []byte) bool {
	size := s.monthDay(b)
	if size == 0 || len(b) != size+len(" hh:mm") || b[size] != ' ' || b[size+3] != ':' {
		return false
	}
	var okHour, okMinute bool
	s.hour, okHour = pair(b[size+1:], 23)
	s.minute, okMinute = pair(b[size+4:], 59)
	s.approximate = true
	return okHour && okMinute
}

// syslog reads "Dec  1 01:43:39 ", with a fraction where one is printed, and
// gives its size with the blank after it.
func (s *stamp) syslog(b []byte) int {
	at := s.monthDay(b)
	if at == 0 || !separated(b, at, ' ') {
		return 0
	}
	at++
	size := s.clockTime(b[at:])
	if size == 0 {
		return 0
	}
	at += size
	at += s.pointFraction(b[at:])
	if !separated(b, at, ' ') {
		return 0
	}
	return at + 1
}

// full reads "Tue 2026-12-01 03:50:48 UTC ", journalctl -o short-full. A zone
// by its letters can be told only when it is UTC or the one that the calendar
// has at that time; any other is read as local and marked.
func (d *Decoder) full(b []byte, s *stamp) int {
	at := bytes.IndexByte(b[:min(len(b), maxNameBytes)], ' ') + 1
	if at == 0 {
		return 0
	}
	size := s.date(b[at:])
	if at += size; size == 0 || !separated(b, at, ' ') {
		return 0
	}
	at++
	size = s.clockTime(b[at:])
	if at += size; size == 0 {
		return 0
	}
	at += s.pointFraction(b[at:])
	if !separated(b, at, ' ') {
		return 0
	}
	at++
	zone := bytes.IndexByte(b[at:min(len(b), at+maxNameBytes)], ' ')
	if zone <= 0 {
		return 0
	}
	if !isZoneName(b[at : at+zone]) {
		return 0 // a logger's level and text: "INFO 2026-12-01 10:00:00 loaded"
	}
	d.namedZone(b[at:at+zone], s)
	return at + zone + 1
}

// isZoneName tells the abbreviation of a zone: capitals, or an offset.
func isZoneName(name []byte) bool {
	return bytes.IndexFunc(name, func(c rune) bool {
		return (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '+' && c != '-' && c != ':'
	}) < 0
}

func (d *Decoder) namedZone(name []byte, s *stamp) {
	if string(name) == "UTC" || string(name) == "GMT" {
		s.zoned, s.offset = true, 0
		return
	}
	if s.numericZone(name) > 0 { // a zone without letters: "+03"
		return
	}
	local, _ := d.calendar.time(*s).Zone()
	s.approximate = local != string(name)
}
