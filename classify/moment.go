package classify

import (
	"time"

	"github.com/oomdoc/oomdoc"
)

const (
	// usecSlack, in microseconds: stamps this near are one record's, printed in
	// full or to the millisecond.
	usecSlack = 1000 * time.Microsecond
	// timeSlack: wall-clock times this near may be one record's; the forms of
	// dmesg and syslog differ by their rounding and by how they were made.
	timeSlack = 2 * time.Minute
)

// A moment is when an event was decided, as far as its log tells: the kernel's
// stamp of one boot, the time of day, or neither.
type moment struct {
	boot string
	usec int64 // below 0 is unknown
	time time.Time
}

func momentOf(event *oomdoc.Event) moment {
	return moment{boot: event.BootID, usec: event.Usec, time: event.Time}
}

// stamped tells two moments whose kernel stamps can be compared: those of one
// boot, as far as that is known.
func (m moment) stamped(other moment) bool {
	oneBoot := m.boot == other.boot || m.boot == "" || other.boot == ""
	return oneBoot && m.usec >= 0 && other.usec >= 0
}

// distance is the time between two moments. The stamps of a known boot go
// first; where no boot id is known the time of day does, as a file can hold
// several boots. It may not be known.
func (m moment) distance(other moment) (time.Duration, bool) {
	timed := !m.time.IsZero() && !other.time.IsZero()
	switch {
	case m.stamped(other) && (m.boot+other.boot != "" || !timed):
		return (time.Duration(m.usec-other.usec) * time.Microsecond).Abs(), true
	case timed:
		return m.time.Sub(other.time).Abs(), true
	}
	return 0, false
}

// near tells moments that are known to be at most this far apart.
func (m moment) near(other moment, window time.Duration) bool {
	distance, known := m.distance(other)
	return known && distance <= window
}

// far tells moments that are known to be further apart.
func (m moment) far(other moment, window time.Duration) bool {
	distance, known := m.distance(other)
	return known && distance > window
}

// compatible tells moments that may be those of one record.
func (m moment) compatible(other moment) bool {
	if m.boot != "" && other.boot != "" && m.boot != other.boot {
		return false
	}
	if m.stamped(other) && (time.Duration(m.usec-other.usec)*time.Microsecond).Abs() > usecSlack {
		return false
	}
	return m.time.IsZero() || other.time.IsZero() || m.time.Sub(other.time).Abs() <= timeSlack
}
