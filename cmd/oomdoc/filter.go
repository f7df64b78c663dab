package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// filterFlags are the flags that choose incidents.
type filterFlags struct {
	since, until string
	class, cause string
	unit, engine string
	all          bool
}

func (f *filterFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.since, "since", "", "")
	flags.StringVar(&f.until, "until", "", "")
	flags.StringVar(&f.class, "class", "", "")
	flags.StringVar(&f.cause, "cause", "", "")
	flags.StringVar(&f.unit, "unit", "", "")
	flags.StringVar(&f.engine, "engine", "", "")
	flags.BoolVar(&f.all, "all", false, "")
}

// filter reads the flags.
func (f *filterFlags) filter(c *cobra.Command, now time.Time) (store.Filter, error) {
	filter := store.Filter{
		Class: oomdoc.Class(f.class), Cause: oomdoc.Cause(f.cause), Unit: f.unit, Engine: f.engine,
		IncludeSelftest: f.all,
	}
	switch filter.Class {
	case "", oomdoc.ClassVRAM, oomdoc.ClassHostRAM, oomdoc.ClassFragmentation:
	default:
		return filter, usage(c, fmt.Errorf("unknown class %q: want vram, host-ram or fragmentation", f.class))
	}
	var err error
	if filter.Since, err = parseTime(f.since, now); err != nil {
		return filter, usage(c, err)
	}
	if filter.Until, err = parseTime(f.until, now); err != nil {
		return filter, usage(c, err)
	}
	return filter, nil
}

// parseTime reads a moment as a person writes it: an age (7d, 2h30m), a day, a
// day and time, today, yesterday. Empty is the zero time.
func parseTime(text string, now time.Time) (time.Time, error) {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch word := strings.TrimSpace(text); word {
	case "":
		return time.Time{}, nil
	case "now":
		return now, nil
	case "today":
		return midnight, nil
	case "yesterday":
		return midnight.AddDate(0, 0, -1), nil
	}
	if age, err := parseAge(strings.TrimPrefix(text, "-")); err == nil {
		return now.Add(-age), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("cannot read the time %q: want 7d, 2h, 2026-11-30, \"2026-11-30 14:00\", today or yesterday", text)
}

// parseAge reads a length of time with days and weeks too.
func parseAge(text string) (time.Duration, error) {
	for suffix, unit := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if number, found := strings.CutSuffix(text, suffix); found {
			n, err := strconv.ParseFloat(number, 64)
			if err != nil || n < 0 || n > 100*365 {
				return 0, fmt.Errorf("parse age %q: want a number of days or weeks", text)
			}
			return time.Duration(n * float64(unit)), nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("parse age %q: %w", text, err)
	}
	return d, nil
}
