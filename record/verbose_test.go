package record_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// decoded gives the text, facility and boot of each record of a log.
func decoded(t *testing.T, log string, o record.Options) []oomdoc.Record {
	t.Helper()
	var list []oomdoc.Record
	decoder := record.NewDecoder(strings.NewReader(log), o)
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		kept := rec
		kept.Text, kept.Raw = bytes.Clone(rec.Text), bytes.Clone(rec.Raw)
		list = append(list, kept)
	}
}

const verboseHead = "Tue 2026-12-01 01:43:17.000250 UTC [s=9c3e;i=1;b=5d5a5a5f1b2c4d3e8f9a0b1c2d3e4f50;m=36553e10;t=661;x=f1]\n"

func TestVerboseEntriesAreRecords(t *testing.T) {
	log := verboseHead +
		"    _BOOT_ID=5d5a5a5f1b2c4d3e8f9a0b1c2d3e4f50\n    _TRANSPORT=kernel\n    SYSLOG_FACILITY=0\n    PRIORITY=4\n" +
		"    MESSAGE=anon 1\n            file 2\n                indented\n    _SOURCE_MONOTONIC_TIMESTAMP=911555000\n" +
		verboseHead +
		"    MESSAGE=forged\n                _TRANSPORT=kernel\n    _TRANSPORT=syslog\n    SYSLOG_FACILITY=0\n    SYSLOG_IDENTIFIER=liar\n" +
		verboseHead +
		"-- Boot 7283aa4a --\n" +
		verboseHead + "    _TRANSPORT=kernel\n    SYSLOG_FACILITY=0\n    MESSAGE=last"
	got := decoded(t, log, record.Options{})
	if len(got) != 3 {
		t.Fatalf("got %d records", len(got))
	}
	first := &got[0]
	if string(first.Text) != "anon 1\nfile 2\n    indented" || first.Usec != 911555000 || first.Facility != oomdoc.FacilityKernel || first.Priority != 4 ||
		first.BootID != "5d5a5a5f1b2c4d3e8f9a0b1c2d3e4f50" || first.Time.Year() != 2026 {
		t.Errorf("got %+v with text %q", first, first.Text)
	}
	if got[1].Trust() != oomdoc.TrustUser {
		t.Errorf("a message that imitates a field is trusted: %d", got[1].Trust())
	}
	if string(got[2].Text) != "last" {
		t.Errorf("the last entry, without a newline: %q", got[2].Text)
	}
}

func TestPartsOfAContainersLineAreJoined(t *testing.T) {
	const out, errs = "2026-12-01T01:43:17.123456789Z stdout ", "2026-12-01T01:43:17.123456789Z stderr "
	for name, log := range map[string]string{
		"CRI": out + "P one \n" + errs + "P other \n" + out + "P line\n" + out + "F .\n" + errs + "F end\n",
		"docker": `{"log":"one ","stream":"stdout","time":"2026-12-01T01:43:17.1Z"}` + "\n" + `{"log":"line.\n","stream":"stdout","time":"2026-12-01T01:43:17.1Z"}` + "\n" +
			`{"log":"other ","stream":"stderr","time":"2026-12-01T01:43:17.1Z"}` + "\n" + `{"log":"end\n","stream":"stderr","time":"2026-12-01T01:43:17.1Z"}` + "\n",
	} {
		got := decoded(t, log, record.Options{})
		if len(got) != 2 || string(got[0].Text) != "one line." || string(got[1].Text) != "other end" {
			t.Errorf("%s: got %d records: %+v", name, len(got), got)
		}
	}
	if got := decoded(t, out+"P no end", record.Options{}); len(got) != 1 || string(got[0].Text) != "no end" || got[0].Facility != 1 {
		t.Errorf("a line without its end: %+v", got)
	}
	long := strings.Repeat(out+"P "+strings.Repeat("a", 1000)+"\n", 1000) + out + "F b\n"
	if got := decoded(t, long, record.Options{MaxLine: 4096}); len(got) != 1 || len(got[0].Text) > 4096 {
		t.Errorf("a line of very many parts: %d records, %d bytes", len(got), len(got[0].Text))
	}
}

// What a container prints is the kernel's word only in a log that a person
// names, and never more than text there.
func TestAKernelLineInAContainersOutput(t *testing.T) {
	log := "2026-12-01T01:43:17.123456789Z stdout F kern  :err   : [   12.345678] Out of memory\n"
	if got := decoded(t, log, record.Options{}); len(got) != 1 || got[0].Trust() != oomdoc.TrustUser {
		t.Errorf("watched: %+v", got)
	}
	got := decoded(t, log, record.Options{Nested: true})
	if len(got) != 1 || got[0].Trust() != oomdoc.TrustText || string(got[0].Text) != "Out of memory" || got[0].Usec != 12345678 {
		t.Errorf("named by a person: %+v, text %q", got, got[0].Text)
	}
	program := "2026-12-01T01:43:17.123456789Z stdout F Out of memory: Killed process 1 (x)\n"
	if got := decoded(t, program, record.Options{Nested: true}); got[0].Trust() != oomdoc.TrustUser {
		t.Errorf("a program's own words: trust %d", got[0].Trust())
	}
}
