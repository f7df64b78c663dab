package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// A stream of many buffers moves the records that stand across their ends: in
// the middle of a line, in the middle of a dictionary, and, where every line
// takes a power of two, right between two lines.
func TestARecordAcrossTheEndOfABufferIsWhole(t *testing.T) {
	for _, c := range []struct {
		name, end string
		width     func(i int) int // of the line with its end
		dict      func(i int) bool
	}{
		{"lines of many lengths", "\n", func(i int) int { return 30 + i%97 }, func(i int) bool { return i%3 == 0 }},
		{"with returns", "\r\n", func(i int) int { return 30 + i%97 }, func(i int) bool { return i%3 == 0 }},
		{"lines that fill a buffer", "\n", func(int) int { return 64 }, func(int) bool { return false }},
	} {
		t.Run(c.name, func(t *testing.T) {
			wholeRecords(t, c.end, c.width, c.dict)
		})
	}
}

func wholeRecords(t *testing.T, end string, width func(int) int, hasDict func(int) bool) {
	t.Helper()
	const records = 40_000
	var log strings.Builder
	line := func(i int) string {
		head := fmt.Sprintf("6,%d,%d,-;", i, i*10)
		return head + strings.Repeat("x", width(i)-len(head)-len(end))
	}
	dict := func(i int) string { return fmt.Sprintf(" SUBSYSTEM=usb%s DEVICE=c189:%d", end, i) }
	for i := range records {
		log.WriteString(line(i) + end)
		if hasDict(i) {
			log.WriteString(dict(i) + end)
		}
	}
	decoder := record.NewDecoder(strings.NewReader(log.String()), options())
	var rec oomdoc.Record
	for i := range records {
		if err := decoder.Next(&rec); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(line(i), ";")
		want := ""
		if hasDict(i) {
			want = dict(i)
		}
		if rec.Seq != uint64(i) || string(rec.Raw) != line(i) || string(rec.Text) != text || string(rec.Dict) != want {
			t.Fatalf("record %d: got %d %q %q %q, want %q %q %q",
				i, rec.Seq, rec.Raw, rec.Text, rec.Dict, line(i), text, want)
		}
	}
}
