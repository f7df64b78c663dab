package record_test

import (
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

func TestTimesAreReadAsTheyArePrinted(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	at := func(year, month, day, hour, minute, second, micros int) time.Time {
		return time.Date(year, time.Month(month), day, hour, minute, second, micros*1000, berlin)
	}
	tests := []struct {
		line        string
		want        time.Time
		approximate bool
	}{
		// dmesg -T, in the language of who ran it (b03 is German).
		{"[So Jun  9 01:03:02 2013] x", at(2013, 6, 9, 1, 3, 2, 0), true},
		{"[Tue Dec  1 01:43:39 2026] x", at(2026, 12, 1, 1, 43, 39, 0), true},
		{"[Di Mär 12 08:00:00 2024] x", at(2024, 3, 12, 8, 0, 0, 0), true},
		{"[mar. déc.  1 01:43:39 2026] x", at(2026, 12, 1, 1, 43, 39, 0), true},
		{"[вт дек  1 01:43:39 2026] x", at(2026, 12, 1, 1, 43, 39, 0), true},
		{"[화 12월  1 01:43:39 2026] x", at(2026, 12, 1, 1, 43, 39, 0), true},
		{"[火 12月  1 01:43:39 2026] x", at(2026, 12, 1, 1, 43, 39, 0), true},
		{"[Tue Dec  1 01:43:39 2026 <    0.000012>] x", at(2026, 12, 1, 1, 43, 39, 0), true},
		{"[Dec 1 01:43] x", at(2026, 12, 1, 1, 43, 0, 0), true},
		// Zones and fractions.
		{"2026-12-01T01:43:39,123456+02:00 x", at(2026, 12, 1, 0, 43, 39, 123456), false},
		{"2026-12-01T01:43:39.123456Z host kernel: x", at(2026, 12, 1, 2, 43, 39, 123456), false},
		{"2026-12-01T01:43:39-0530 host kernel: x", at(2026, 12, 1, 8, 13, 39, 0), false},
		{"2026-12-01T01:43:39 host kernel: x", at(2026, 12, 1, 1, 43, 39, 0), false},
		{"Tue 2026-12-01 01:43:39 UTC host kernel: x", at(2026, 12, 1, 2, 43, 39, 0), false},
		{"Tue 2026-12-01 01:43:39 CET host kernel: x", at(2026, 12, 1, 1, 43, 39, 0), false},
		{"Tue 2026-12-01 01:43:39 +03 host kernel: x", at(2026, 11, 30, 23, 43, 39, 0), false},
		{"Tue 2026-12-01 01:43:39 PST host kernel: x", at(2026, 12, 1, 1, 43, 39, 0), true}, // which one is unknown
		{"1796097048.109213 host kernel: x", at(2026, 12, 1, 4, 50, 48, 109213), false},
		// Syslog prints no year.
		{"Nov 24 19:52:22 node1 kernel: x", at(2026, 11, 24, 19, 52, 22, 0), false},
		{"Dec  1 13:30:00 node1 kernel: x", at(2026, 12, 1, 13, 30, 0, 0), false}, // a zone ahead of ours
		{"Dec  3 01:00:00 node1 kernel: x", at(2025, 12, 3, 1, 0, 0, 0), false},
		{"Feb 29 01:00:00 node1 kernel: x", at(2024, 2, 29, 1, 0, 0, 0), false},
		{"Dez  1 01:43:39.123456 node1 kernel: x", at(2026, 12, 1, 1, 43, 39, 123456), false},
		{"Dec 01 01:43:60 node1 kernel: x", at(2026, 12, 1, 1, 44, 0, 0), false}, // leap second
		{`{"__REALTIME_TIMESTAMP":"1796097048109213","MESSAGE":"x"}`, at(2026, 12, 1, 4, 50, 48, 109213), false},
		// journald got the record two seconds after the kernel stamped it.
		{`{"__REALTIME_TIMESTAMP":"1796097048109213","__MONOTONIC_TIMESTAMP":"7000000","_SOURCE_MONOTONIC_TIMESTAMP":"5000000",` +
			`"_TRANSPORT":"kernel","MESSAGE":"x"}`, at(2026, 12, 1, 4, 50, 46, 109213), false},
		{`{"log":"x\n","stream":"stdout","time":"2026-12-01T01:43:39.5Z"}`, at(2026, 12, 1, 2, 43, 39, 500000), false},
	}
	o := record.Options{Now: now, Location: berlin}
	for _, tt := range tests {
		records := decodeAll(t, record.NewDecoder(stringReader(tt.line+"\n"), o))
		if len(records) != 1 {
			t.Errorf("%s: %d records, want 1", tt.line, len(records))
			continue
		}
		rec := records[0]
		if !rec.Time.Equal(tt.want) || rec.TimeApproximate != tt.approximate {
			t.Errorf("%s\n got %v, approximate %v\nwant %v, approximate %v", tt.line, rec.Time, rec.TimeApproximate, tt.want, tt.approximate)
		}
		if got := string(rec.Text); got != "x" {
			t.Errorf("%s: text %q, want %q", tt.line, got, "x")
		}
	}
}

func TestTextThatOnlyLooksLikeAStampIsText(t *testing.T) {
	for _, line := range []string{
		"[    101]     0   101   307379     1123    94208        0             0 web-master", // b38, task table
		"[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name",
		"[<ffffffff8117>] ? foo+0x1/0x2",
		"[1.5] x", "[1.000000", "[] x", "[Tue] x", "[Dec 1] x", "[Dec 1 25:00] x", "[+1] x", "[  +0.x] x",
		"2026-13-01T01:43:39Z x", "2026-12-01 01:43:39,123 INFO x", "2026-12-01", "2026-12-01T", "20261201 x",
		"Foo 1 01:43:39 host kernel: x", "Dec 32 01:43:39 host kernel: x", "Dec 1 24:43:39 host kernel: x", "Dec 1 01:43:39",
		"Tue 2026-12-01 x", "Tue 2026-12-01 01:43:39", "1796097048.109213 no tag here", "1,2,3 x", "1,2,3,-", "4,5", "0",
		"<", "<3", "<3>", "<123", "<1234", "<9999>[    1.000000] x", "<html> x", "kern: x", "kern  :foo   : x", "foo   :warn  : x", "kern  :warn  :x",
		"{", "{}", `{"a":1}`, `{"msg":"x","time":5}`, `{"level":30,"time":1531171074631,"msg":"hello"}`, `{"log":"x"}`, `{"MESSAGE":"x"}`,
		"-- x", "a: b", "kernel", "__CURSOR", "data: x",
	} {
		rec := decodeOne(t, line+"\n")
		if got := string(rec.Text); got != line {
			t.Errorf("text of %q is %q, want the whole line", line, got)
		}
		rec.Text, rec.Raw = nil, nil
		if rec.Usec != oomdoc.NoUsec || !rec.Time.IsZero() || rec.HasSeq || rec.Priority != oomdoc.PriorityUnknown || rec.Facility != unknown {
			t.Errorf("%q gave the head %+v, want none", line, rec)
		}
	}
}

func TestDeltasAddUpFromTheLastMinute(t *testing.T) {
	records := decodeText(t, readFile(t, "testdata", "capture", "dmesg-reltime"))
	first, last := records[0].Time, records[len(records)-1].Time
	// The sum of the deltas in the capture.
	if got, want := last.Sub(first), 309019*time.Microsecond; got != want {
		t.Errorf("%v from first to last, want %v", got, want)
	}
	if rec := decodeOne(t, "[  +0.002367] x\n"); !rec.Time.IsZero() {
		t.Errorf("a delta from nothing has the time %v", rec.Time)
	}
}
