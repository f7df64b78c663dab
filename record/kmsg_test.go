package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

func TestParseKmsgReadsEveryPartOfARecord(t *testing.T) {
	tests := []struct {
		name, raw string
		want      oomdoc.Record
	}{
		{
			"killed line (r01, kernel 6.18)",
			"3,918,2123163500,-;Memory cgroup out of memory: Killed process 25817 (hogger)\n",
			oomdoc.Record{Priority: 3, Seq: 918, Usec: 2123163500, Text: []byte("Memory cgroup out of memory: Killed process 25817 (hogger)")},
		},
		{
			"caller (b36)",
			"4,9000,77000000,-,caller=T100;big-hog invoked oom-killer",
			oomdoc.Record{Priority: 4, Seq: 9000, Usec: 77000000, Caller: oomdoc.Caller{Kind: 'T', ID: 100}, Text: []byte("big-hog invoked oom-killer")},
		},
		{
			"processor as caller, unknown fields around it",
			"6,1,2,c,new=1,caller=C3,more;x",
			oomdoc.Record{Priority: 6, Seq: 1, Usec: 2, Fragment: true, Caller: oomdoc.Caller{Kind: 'C', ID: 3}, Text: []byte("x")},
		},
		{
			"further fragment of 4.9 and older",
			"6,1,2,+;rest",
			oomdoc.Record{Priority: 6, Seq: 1, Usec: 2, Fragment: true, Text: []byte("rest")},
		},
		{
			"dictionary (Documentation/ABI/testing/dev-kmsg)",
			"6,416,1234,-;ACPI: EC: GPE storm; detected\n SUBSYSTEM=acpi\n DEVICE=+acpi:PNP0C0A:00\n",
			oomdoc.Record{
				Priority: 6, Seq: 416, Usec: 1234, Text: []byte("ACPI: EC: GPE storm; detected"),
				Dict: []byte(" SUBSYSTEM=acpi\n DEVICE=+acpi:PNP0C0A:00"),
			},
		},
		{
			"written by a program (r29)",
			"11,4636,2221165871,-;Out of memory: Killed process 4242 (forged)",
			oomdoc.Record{Priority: 3, Facility: 1, Seq: 4636, Usec: 2221165871, Text: []byte("Out of memory: Killed process 4242 (forged)")},
		},
		{
			"escapes are undone once (r17: the cgroup has the name my\\x2dapp)",
			`6,7,8,-;task_memcg=/my\x5cx2dapp.service,task=\xd0\xbf\x0a`,
			oomdoc.Record{Priority: 6, Seq: 7, Usec: 8, Text: []byte("task_memcg=/my\\x2dapp.service,task=п\n")},
		},
		{
			"an escape that was cut off, and one that is none",
			`6,7,8,-;a\xzzb\x0`,
			oomdoc.Record{Priority: 6, Seq: 7, Usec: 8, Text: []byte(`a\xzzb\x0`)},
		},
		{
			"no text",
			"6,7,8,-;\n",
			oomdoc.Record{Priority: 6, Seq: 7, Usec: 8, Text: []byte{}},
		},
		{
			"largest numbers",
			"2047,18446744073709551615,9223372036854775807,-;x",
			oomdoc.Record{Priority: 7, Facility: 255, Seq: 18446744073709551615, Usec: 9223372036854775807, Text: []byte("x")},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// What is not the form's own must stay, everything else be reset.
			got := oomdoc.Record{
				BootID: "boot", Lost: 5, Replayed: true,
				Priority: 1, Facility: 9, Fragment: true, Continued: true, Caller: oomdoc.Caller{Kind: 'T', ID: 9},
				Writer: []byte("w"), Dict: []byte("d"), Text: []byte("t"),
			}
			if _, err := record.ParseKmsg([]byte(tt.raw), &got, nil); err != nil {
				t.Fatal(err)
			}
			want := tt.want
			want.BootID, want.Lost, want.Replayed, want.HasSeq = "boot", 5, true, true
			line, _, _ := strings.Cut(tt.raw, "\n")
			want.Raw = []byte(line)
			if len(got.Dict) == 0 {
				got.Dict = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseKmsgNamesTheMalformedPart(t *testing.T) {
	tests := []struct{ raw, part string }{
		{"", "priority"},
		{"x", "priority"},
		{"99999,1,2,-;x", "priority"},
		{"4;x", "priority"},
		{"4,", "sequence"},
		{"4,99999999999999999999,2,-;x", "sequence"},
		{"4,1;x", "sequence"},
		{"4,1,9223372036854775808,-;x", "time"},
		{"4,1,2;x", "time"},
		{"4,1,2,;x", "flag"},
		{"4,1,2,--;x", "flag"},
		{"4,1,2,-", "flag"},
		{"4,1,2,-,caller=T1", "head"},
		{strings.Repeat("4", 10_000), "priority"},
	}
	for _, tt := range tests {
		var rec oomdoc.Record
		_, err := record.ParseKmsg([]byte(tt.raw), &rec, nil)
		malformed, ok := errors.AsType[*record.MalformedError](err)
		if !ok {
			t.Errorf("ParseKmsg(%.40q) = %v, want a MalformedError", tt.raw, err)
			continue
		}
		if malformed.Part != tt.part {
			t.Errorf("ParseKmsg(%.40q): bad %s, want bad %s", tt.raw, malformed.Part, tt.part)
		}
		if len(malformed.Error()) > 400 {
			t.Errorf("ParseKmsg(%.40q): a message of %d bytes, want a short one", tt.raw, len(malformed.Error()))
		}
	}
}

func TestParseKmsgPointsIntoTheRecordWithoutEscapes(t *testing.T) {
	raw := []byte("4,1,2,-;plain text\n")
	var rec oomdoc.Record
	scratch := make([]byte, 0, 8)
	if _, err := record.ParseKmsg(raw, &rec, scratch); err != nil {
		t.Fatal(err)
	}
	raw[8] = 'P'
	if got, want := string(rec.Text), "Plain text"; got != want {
		t.Errorf("Text = %q after the record was changed, want %q: it was copied", got, want)
	}
}

func TestParseKmsgAllocatesNothing(t *testing.T) {
	raws := [][]byte{
		[]byte("4,841,2123163282,-;hogger invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"),
		[]byte("4,9000,77000000,-,caller=T100;big-hog\n SUBSYSTEM=acpi\n"),
		[]byte(`4,2997,2189812949,-;x\x0aOut of memory invoked oom-killer` + "\n"),
	}
	var rec oomdoc.Record
	scratch := make([]byte, 0, 256)
	allocs := testing.AllocsPerRun(1000, func() {
		for _, raw := range raws {
			var err error
			if scratch, err = record.ParseKmsg(raw, &rec, scratch); err != nil {
				t.Fatal(err)
			}
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations for %d records, want 0", allocs, len(raws))
	}
}
