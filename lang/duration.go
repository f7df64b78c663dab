package lang

import (
	"strconv"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

const day = 24 * time.Hour

// Duration writes a length of time: "350 ms", "2.5 s", "12 s", "12 min",
// "1 h 20 min", "26 h", "3 days". It is cut to what a person would say, rounded to the
// nearest.
func (l *Language) Duration(d time.Duration) string {
	if d < 0 {
		return "-" + l.Duration(positive(d))
	}
	for _, step := range durationSteps() {
		if d < step.below {
			return step.write(l, d)
		}
	}
	return l.countOf(keyDays, d, day)
}

func (l *Language) duration(nanoseconds int64) string { return l.Duration(time.Duration(nanoseconds)) }

// positive turns a negative duration round; the smallest has no positive twin.
func positive(d time.Duration) time.Duration {
	if d == -1<<63 {
		return 1<<63 - 1
	}
	return -d
}

// A durationStep is how durations below a bound are written. The bounds stand
// half a unit early, where rounding would reach the next unit.
type durationStep struct {
	below time.Duration
	write func(*Language, time.Duration) string
}

func durationSteps() []durationStep {
	return []durationStep{
		{time.Millisecond - time.Microsecond/2, func(l *Language, d time.Duration) string {
			return l.countOf(keyMicroseconds, d, time.Microsecond)
		}},
		{time.Second - time.Millisecond/2, func(l *Language, d time.Duration) string {
			return l.countOf(keyMilliseconds, d, time.Millisecond)
		}},
		{9950 * time.Millisecond, func(l *Language, d time.Duration) string {
			seconds := strings.TrimSuffix(strconv.FormatFloat(d.Seconds(), 'f', 1, 64), ".0")
			return l.say(keySeconds, oomdoc.Args{"n": oomdoc.Text(seconds)})
		}},
		{time.Minute - time.Second/2, func(l *Language, d time.Duration) string {
			return l.countOf(keySeconds, d, time.Second)
		}},
		{time.Hour - time.Minute/2, func(l *Language, d time.Duration) string {
			return l.countOf(keyMinutes, d, time.Minute)
		}},
		{10*time.Hour - time.Minute/2, (*Language).hours},
		{2*day - time.Hour/2, func(l *Language, d time.Duration) string {
			return l.countOf(keyHours, d, time.Hour)
		}},
	}
}

// countOf writes a duration as a whole number of units.
func (l *Language) countOf(key oomdoc.Key, d, unit time.Duration) string {
	whole := d / unit
	if d%unit >= unit/2 {
		whole++
	}
	return l.say(key, oomdoc.Args{"n": oomdoc.Count(int64(whole))})
}

// hours writes a duration as hours and minutes.
func (l *Language) hours(d time.Duration) string {
	minutes := int64((d + time.Minute/2) / time.Minute)
	if minutes%60 == 0 {
		return l.say(keyHours, oomdoc.Args{"n": oomdoc.Count(minutes / 60)})
	}
	return l.say(keyHoursMinutes, oomdoc.Args{
		"hours":   oomdoc.Count(minutes / 60),
		"minutes": oomdoc.Count(minutes % 60),
	})
}

// Age writes how long ago t was at now: "just now", "3 min ago". A time after
// now (another machine's clock, or a clock that was set back) is said as such.
func (l *Language) Age(t, now time.Time) string {
	age := now.Sub(t)
	switch {
	case age <= -time.Minute:
		return l.say(keyAhead, oomdoc.Args{"duration": oomdoc.Duration(-age)})
	case age < 10*time.Second:
		return l.say(keyJustNow, nil)
	case age < time.Minute:
		return l.say(keyAgo, oomdoc.Args{"duration": oomdoc.Duration(age.Truncate(time.Second))})
	}
	return l.say(keyAgo, oomdoc.Args{"duration": oomdoc.Duration(age)})
}
