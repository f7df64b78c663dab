package daemon

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Size is a number of bytes that a person writes: "4MiB", "256 MiB", "65536".
type Size int64

// sizeUnits are the suffixes of a Size. All are binary: a limit that a person
// writes for memory is never meant in powers of ten.
func sizeUnits() map[string]int64 {
	return map[string]int64{
		"": 1, "b": 1,
		"k": 1 << 10, "kib": 1 << 10, "kb": 1 << 10,
		"m": 1 << 20, "mib": 1 << 20, "mb": 1 << 20,
		"g": 1 << 30, "gib": 1 << 30, "gb": 1 << 30,
	}
}

// UnmarshalText reads a Size.
func (s *Size) UnmarshalText(text []byte) error {
	word := strings.ToLower(strings.TrimSpace(string(text)))
	digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz ")
	unit, known := sizeUnits()[strings.TrimSpace(word[len(digits):])]
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || number < 0 || number > (1<<62)/unit {
		return fmt.Errorf("parse size %q: want a number with B, KiB, MiB or GiB", text)
	}
	*s = Size(number * unit)
	return nil
}

// A Span is a length of time that a person writes: "10s", "5m".
type Span time.Duration

// UnmarshalText reads a Span.
func (s *Span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil {
		return fmt.Errorf("parse duration %q: want a number with s, m or h", text)
	}
	*s = Span(d)
	return nil
}

// Std is the span as Go's own type.
func (s Span) Std() time.Duration { return time.Duration(s) }

func parseInt(text string, into *int) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("parse number %q: want a whole number", text)
	}
	*into = n
	return nil
}

func parseBool(text string, into *bool) error {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		*into = true
	case "false", "no", "off", "0":
		*into = false
	default:
		return fmt.Errorf("parse switch %q: want true or false", text)
	}
	return nil
}
