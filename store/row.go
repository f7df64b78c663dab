package store

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A column of table incident that repeats a fact of the incident, so that it
// can be searched.
type column struct {
	name  string
	value func(*oomdoc.Incident) any // nil is NULL
}

// columns are all columns that an amendment may change; the store's own (key,
// id, content_id, at_ns, reading, stations) are named where they are set.
var columns = []column{
	{"time_ns", func(i *oomdoc.Incident) any { return orNull(nanos(i.Time)) }},
	{"time_approximate", func(i *oomdoc.Incident) any { return i.TimeApproximate }},
	{"source", func(i *oomdoc.Incident) any { return string(i.Source) }},
	{"boot_id", func(i *oomdoc.Incident) any { return orNull(bootKey(i.BootID)) }},
	{"seq", func(i *oomdoc.Incident) any { return when(i.HasSeq, int64(i.Seq)) }},
	{"usec", func(i *oomdoc.Incident) any { return when(i.Usec > 0, i.Usec) }},
	{"replayed", func(i *oomdoc.Incident) any { return i.Replayed }},
	{"class", func(i *oomdoc.Incident) any { return string(i.Class) }},
	{"cause", func(i *oomdoc.Incident) any { return string(i.Cause) }},
	{"outcome", func(i *oomdoc.Incident) any { return string(i.Outcome) }},
	{"killer", func(i *oomdoc.Incident) any { return orNull(i.Killer) }},
	{"burst", func(i *oomdoc.Incident) any { return orNull(i.Burst) }},
	{"count", func(i *oomdoc.Incident) any { return i.Count }},
	{"selftest", func(i *oomdoc.Incident) any { return i.Selftest }},
	{"pid", ofProcess(func(p *oomdoc.Process) any { return when(p.PID > 0, p.PID) })},
	{"name", ofProcess(func(p *oomdoc.Process) any { return pointed(p.Name) })},
	{"uid", ofProcess(func(p *oomdoc.Process) any { return pointed(p.UID) })},
	{"unit", ofProcess(func(p *oomdoc.Process) any { return orNull(p.Unit) })},
	{"user_unit", ofProcess(func(p *oomdoc.Process) any { return orNull(p.UserUnit) })},
	{"container", ofProcess(func(p *oomdoc.Process) any { return orNull(p.Container) })},
	{"pod", ofProcess(func(p *oomdoc.Process) any { return orNull(p.Pod) })},
	{"engine", ofProcess(func(p *oomdoc.Process) any { return orNull(p.Engine) })},
	{"offender", func(i *oomdoc.Incident) any { return orNull(offender(i)) }},
	{"revision", func(i *oomdoc.Incident) any { return i.Revision }},
	{"final", func(i *oomdoc.Incident) any { return i.Final }},
	{"seen_ns", func(i *oomdoc.Incident) any { return orNull(nanos(i.Read)) }},
}

// columnNames and columnValues are columns in their order.
func columnNames() []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

func columnValues(inc *oomdoc.Incident) []any {
	values := make([]any, len(columns))
	for i, c := range columns {
		values[i] = c.value(inc)
	}
	return values
}

func ofProcess(value func(*oomdoc.Process) any) func(*oomdoc.Incident) any {
	return func(inc *oomdoc.Incident) any {
		if inc.Process == nil {
			return nil
		}
		return value(inc.Process)
	}
}

// orNull is NULL for the zero value, which means unknown.
func orNull[T comparable](value T) any {
	var zero T
	return when(value != zero, value)
}

func when[T any](known bool, value T) any {
	if !known {
		return nil
	}
	return value
}

func pointed[T any](value *T) any {
	if value == nil {
		return nil
	}
	return *value
}

// offender is what keeps failing; a selftest is nobody's failure.
func offender(inc *oomdoc.Incident) string {
	if inc.Selftest {
		return ""
	}
	return inc.Offender()
}

// nanos is a time as nanoseconds since 1970, 0 for the zero time; what an int64
// cannot hold (before 1678, after 2261) is cut to its ends.
func nanos(t time.Time) int64 {
	switch {
	case t.IsZero():
		return 0
	case t.Year() < 1678:
		return math.MinInt64
	case t.Year() > 2261:
		return math.MaxInt64
	}
	return t.UnixNano()
}

// instant is the reverse of nanos.
func instant(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns)
}

// encode writes the incident as JSON.
func encode(inc *oomdoc.Incident) ([]byte, error) {
	data, err := json.Marshal(inc)
	if err != nil {
		return nil, fmt.Errorf("encode incident %s: %w", inc.ID, err)
	}
	return data, nil
}

// storable makes a copy that encode cannot fail on and that has no language: a
// time that JSON cannot write becomes unknown (a log can claim any year), a
// number that is none is left out, and rendered text gives way to its key.
func storable(inc oomdoc.Incident) oomdoc.Incident {
	inc.Time = storableTime(inc.Time)
	inc.TimeApproximate = inc.TimeApproximate && !inc.Time.IsZero()
	inc.Read = storableTime(inc.Read)
	inc.Samples = slices.Clone(inc.Samples)
	for i := range inc.Samples {
		inc.Samples[i].Time = storableTime(inc.Samples[i].Time)
	}
	inc.Summary = storableSentence(inc.Summary)
	inc.VictimReason = storableSentence(inc.VictimReason)
	inc.Missing = storableSentences(inc.Missing)
	inc.Evidence = slices.Clone(inc.Evidence)
	for i := range inc.Evidence {
		inc.Evidence[i].Sentence = storableSentence(inc.Evidence[i].Sentence)
	}
	inc.Fixes = slices.Clone(inc.Fixes)
	for i := range inc.Fixes {
		fix := &inc.Fixes[i]
		fix.Title, fix.Why = storableSentence(fix.Title), storableSentence(fix.Why)
		fix.Steps = storableSentences(fix.Steps)
	}
	return inc
}

// storableTime drops what RFC 3339 has no form for, and the monotonic reading.
func storableTime(t time.Time) time.Time {
	if _, err := t.MarshalJSON(); err != nil {
		return time.Time{}
	}
	return t.Round(0)
}

func storableSentences(sentences []oomdoc.Sentence) []oomdoc.Sentence {
	sentences = slices.Clone(sentences)
	for i := range sentences {
		sentences[i] = storableSentence(sentences[i])
	}
	return sentences
}

func storableSentence(s oomdoc.Sentence) oomdoc.Sentence {
	if s.Key == "" {
		return s
	}
	kept := make(oomdoc.Args, len(s.Args))
	for name, value := range s.Args {
		if !math.IsNaN(value.P) && !math.IsInf(value.P, 0) {
			kept[name] = value
		}
	}
	return oomdoc.Sentence{Key: s.Key, Args: kept}
}
