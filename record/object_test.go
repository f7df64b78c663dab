package record_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc/record"
)

func TestObjectsOfSeveralLines(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
		invalid    uint64
	}{
		{"cut out of dmesg -J", "{\n \"pri\": 4,\n \"time\": 1.5,\n \"msg\": \"a\"\n},\n{\n \"pri\": 4,\n \"time\": 2,\n \"msg\": \"b\"\n}\n]\n}\n", []string{"a", "b"}, 0},
		{"arrays over lines", "{\n\t\"MESSAGE\" : [\n\t\t104,\n\t\t105\n\t],\n\t\"_BOOT_ID\" : \"1\"\n}\n", []string{"hi"}, 0},
		{"an object without a message", "{\n\t\"_BOOT_ID\" : \"1\"\n}\n{\n\t\"_BOOT_ID\" : \"1\",\n\t\"MESSAGE\" : \"a\"\n}\n", []string{"a"}, 1},
		{"text in the middle", "{\n\t\"_BOOT_ID\" : \"1\",\n[    1.000000] a\nKilled\n", []string{"a", "Killed"}, 1},
		{"no end", "{\n\t\"_BOOT_ID\" : \"1\",\n\t\"MESSAGE\" : \"a\"\n", []string{"a"}, 0},
		{"a program's own", "{\n  \"error\": \"CUDA out of memory\"\n}\n", []string{"{", "  \"error\": \"CUDA out of memory\"", "}"}, 0},
		{"a brace at the end", "a\n{", []string{"a", "{"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			decoder := record.NewDecoder(strings.NewReader(tt.text), options())
			records := decodeAll(t, decoder)
			var got []string
			if len(records) > 0 {
				got = texts(records)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
			if got := decoder.Stats().Invalid; got != tt.invalid {
				t.Errorf("%d invalid, want %d", got, tt.invalid)
			}
		})
	}
}

// An object that never ends must not grow for ever.
func TestObjectOfManyLinesIsBounded(t *testing.T) {
	o := options()
	o.MaxLine = 1 << 10
	text := "{\n\"_BOOT_ID\" : \"1\",\n\"MESSAGE\" : \"a\",\n" + strings.Repeat("\"X\" : \"xxxxxxxxxxxxxxxx\",\n", 10_000) + "\"Y\" : \"y\"\n}\n"
	records := decodeAll(t, record.NewDecoder(strings.NewReader(text), o))
	if len(records) != 1 || string(records[0].Text) != "a" {
		t.Errorf("records %q, want the message a", texts(records))
	}
}

func TestDictionaryIsBounded(t *testing.T) {
	o := options()
	o.MaxLine = 200
	text := "6,1,2,-;a\n" + strings.Repeat(" KEY=0123456789\n", 100) + "6,2,3,-;b\n"
	records := decodeAll(t, record.NewDecoder(strings.NewReader(text), o))
	if first, last := records[0], records[len(records)-1]; string(first.Text) != "a" || len(first.Dict) > o.MaxLine || string(last.Text) != "b" {
		t.Errorf("first %q with %d bytes of dictionary, last %q", first.Text, len(first.Dict), last.Text)
	}
}
