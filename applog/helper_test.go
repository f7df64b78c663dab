package applog_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/record"
)

// tellings gives every event of a log, in the order in which they were told.
func tellings(tb testing.TB, log string) []oomdoc.Event {
	tb.Helper()
	decoder := record.NewDecoder(bytes.NewReader([]byte(log)), record.Options{
		Source: oomdoc.SourceFile, Location: time.UTC,
		Now: func() time.Time { return time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) },
	})
	recognizer := applog.NewRecognizer(applog.Options{})
	var events []oomdoc.Event
	take := func(ev oomdoc.Event) { events = append(events, ev) }
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		recognizer.Feed(&rec, take)
	}
	recognizer.Flush(take)
	if _, open := recognizer.Oldest(); open || recognizer.Open() {
		tb.Error("something is open after Flush")
	}
	return events
}

// events gives each event of a log as it was told last.
func events(tb testing.TB, log string) []oomdoc.Event {
	tb.Helper()
	var last []oomdoc.Event
	place := map[string]int{}
	for _, ev := range tellings(tb, log) {
		at, known := place[ev.ID]
		if !known {
			at = len(last)
			place[ev.ID] = at
			last = append(last, ev)
		}
		last[at] = ev
	}
	return last
}

// decision gives the only event of a log.
func decision(tb testing.TB, log string) oomdoc.UserKill {
	tb.Helper()
	list := events(tb, log)
	if len(list) != 1 {
		tb.Fatalf("got %d events, want 1: %+v", len(list), list)
	}
	return *list[0].UserKill
}
