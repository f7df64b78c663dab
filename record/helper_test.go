package record_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// now is the day on which the captures were made.
func now() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

func options() record.Options { return record.Options{Now: now, Location: time.UTC} }

// clone copies what the decoder reuses.
func clone(rec *oomdoc.Record) oomdoc.Record {
	kept := *rec
	for _, b := range []*[]byte{&kept.Text, &kept.Raw, &kept.Dict, &kept.Writer} {
		if *b != nil {
			*b = append([]byte{}, *b...)
		}
	}
	return kept
}

// decodeAll reads everything, and fails the test on any error but the end.
func decodeAll(t testing.TB, d *record.Decoder) []oomdoc.Record {
	t.Helper()
	var all []oomdoc.Record
	var rec oomdoc.Record
	for {
		err := d.Next(&rec)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("Next after %d records: %v", len(all), err)
		}
		all = append(all, clone(&rec))
	}
}

func decodeText(t testing.TB, text string) []oomdoc.Record {
	t.Helper()
	return decodeAll(t, record.NewDecoder(strings.NewReader(text), options()))
}

// decodeOne decodes a text that is one record.
func decodeOne(t testing.TB, text string) oomdoc.Record {
	t.Helper()
	all := decodeText(t, text)
	if len(all) != 1 {
		t.Fatalf("%q gave %d records, want 1", text, len(all))
	}
	return all[0]
}

// joined gives the texts with the further lines of a record behind its first.
func joined(records []oomdoc.Record) []string {
	var texts []string
	for _, rec := range records {
		if rec.Continued {
			texts[len(texts)-1] += "\n" + string(rec.Text)
			continue
		}
		texts = append(texts, string(rec.Text))
	}
	return texts
}

func texts(records []oomdoc.Record) []string {
	all := make([]string, len(records))
	for i, rec := range records {
		all[i] = string(rec.Text)
	}
	return all
}

func readFile(t testing.TB, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// kernelLog reads a log of the module's testdata/kernel.
func kernelLog(t testing.TB, name string) string {
	t.Helper()
	return readFile(t, "..", "testdata", "kernel", name)
}

func stringReader(text string) io.Reader { return strings.NewReader(text) }
