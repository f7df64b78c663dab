package kmsg_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/record"
)

// corpus is the folder of captured logs; each has its origin in its .json.
const corpus = "../testdata/kernel"

func readLog(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(corpus, name+".log"))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// eachRecord decodes a log of any form.
func eachRecord(tb testing.TB, log []byte, do func(*oomdoc.Record)) {
	tb.Helper()
	decoder := record.NewDecoder(bytes.NewReader(log), record.Options{Source: oomdoc.SourceFile, Nested: true})
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			tb.Fatal(err)
		}
		do(&rec)
	}
}

// tell gives every emission of a log, in order.
func tell(tb testing.TB, log []byte, o kmsg.ParserOptions) []oomdoc.Event {
	tb.Helper()
	var told []oomdoc.Event
	parser := kmsg.NewParser(o)
	eachRecord(tb, log, func(rec *oomdoc.Record) {
		parser.Feed(rec, func(e oomdoc.Event) { told = append(told, e) })
	})
	parser.Flush(func(e oomdoc.Event) { told = append(told, e) })
	return told
}

// events gives each event of a log as it was told last, in the order in which
// they were told first.
func events(tb testing.TB, log []byte) []oomdoc.Event {
	tb.Helper()
	return latest(tell(tb, log, kmsg.ParserOptions{}))
}

func latest(told []oomdoc.Event) []oomdoc.Event {
	var list []oomdoc.Event
	at := make(map[string]int)
	for _, e := range told {
		i, seen := at[e.ID]
		if !seen || e.Revision == 0 {
			at[e.ID] = len(list)
			list = append(list, e)
			continue
		}
		list[i] = e
	}
	return list
}

// kills gives the events that have a kill line.
func kills(list []oomdoc.Event) []oomdoc.Event {
	var some []oomdoc.Event
	for _, e := range list {
		if len(e.Kernel.Kills) > 0 {
			some = append(some, e)
		}
	}
	return some
}

// only gives the single event of a log.
func only(tb testing.TB, log []byte) oomdoc.Event {
	tb.Helper()
	list := events(tb, log)
	if len(list) != 1 {
		tb.Fatalf("got %d events, want 1", len(list))
	}
	return list[0]
}
