package lang

import "github.com/oomdoc/oomdoc"

// The keys of lang's own words: units and ages.
const (
	keyBytes        oomdoc.Key = "unit.bytes"
	keySize         oomdoc.Key = "unit.size"
	keyMicroseconds oomdoc.Key = "unit.microseconds"
	keyMilliseconds oomdoc.Key = "unit.milliseconds"
	keySeconds      oomdoc.Key = "unit.seconds"
	keyMinutes      oomdoc.Key = "unit.minutes"
	keyHours        oomdoc.Key = "unit.hours"
	keyHoursMinutes oomdoc.Key = "unit.hours-minutes"
	keyDays         oomdoc.Key = "unit.days"
	keyUnderPercent oomdoc.Key = "unit.under-percent"
	keyJustNow      oomdoc.Key = "age.just-now"
	keyAgo          oomdoc.Key = "age.ago"
	keyAhead        oomdoc.Key = "age.ahead"
	keyUnknown      oomdoc.Key = "word.unknown"
)

// englishCommon holds the words that every part uses.
func englishCommon() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		oomdoc.KeyCommand: "{command}",

		keyBytes:        "{n|byte|bytes}",
		keySize:         "{n} {unit}",
		keyMicroseconds: "{n} µs",
		keyMilliseconds: "{n} ms",
		keySeconds:      "{n} s",
		keyMinutes:      "{n} min",
		keyHours:        "{n} h",
		keyHoursMinutes: "{hours} h {minutes} min",
		keyDays:         "{n|day|days}",
		keyUnderPercent: "under {limit}",

		keyJustNow: "just now",
		keyAgo:     "{duration} ago",
		keyAhead:   "{duration} ahead of this machine's clock",
		keyUnknown: "unknown",
	}
}
