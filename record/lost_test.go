package record_test

import (
	"slices"
	"testing"
)

func TestLostRecordsAreCountedExactlyFromTheSequence(t *testing.T) {
	tests := []struct {
		name, text string
		want       []uint64
	}{
		{"first record of a file", "6,500,1000000,-;a\n", []uint64{0}},
		{"no gap", "6,1,1,-;a\n6,2,2,-;b\n", []uint64{0, 0}},
		{"gap", "6,1,1,-;a\n6,5,2,-;b\n6,6,3,-;c\n", []uint64{0, 3, 0}},
		{"another boot: the sequence starts again", "6,900,90000000,-;a\n6,0,0,-;b\n6,1,0,-;c\n", []uint64{0, 0, 0}},
		{"another boot: higher sequence, earlier stamp", "6,9,90000000,-;a\n6,500,5000000,-;b\n", []uint64{0, 0}},
		{"stamps of two processors", "6,1,1000010,-;a\n6,3,1000000,-;b\n", []uint64{0, 1}},
		{"the same record twice", "6,7,1,-;a\n6,7,1,-;a\n6,8,1,-;b\n", []uint64{0, 0, 0}},
		{"last sequence of all", "6,18446744073709551615,1,-;a\n6,0,1,-;b\n", []uint64{0, 0}},
		{"after the last sequence of all", "6,18446744073709551615,1,-;a\n6,5,1,-;b\n6,8,1,-;c\n", []uint64{0, 0, 2}},
		{"other lines between", "6,1,1,-;a\nnoise\n6,3,2,-;b\n", []uint64{0, 0, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []uint64
			for _, rec := range decodeText(t, tt.text) {
				got = append(got, rec.Lost)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Lost = %v, want %v", got, tt.want)
			}
		})
	}
}

// b34: the reader was stopped in the middle of a report until the ring overran.
func TestGapOfACapturedOverrunIsCounted(t *testing.T) {
	records := decodeText(t, kernelLog(t, "b34-epipe-gap-in-the-middle.log"))
	lost, read := uint64(0), uint64(0)
	for _, rec := range records {
		lost += rec.Lost
		if rec.HasSeq { // one line is the reader's own remark
			read++
		}
		if rec.HasSeq && rec.Facility != kernel {
			t.Errorf("record %d has facility %d, want %d", rec.Seq, rec.Facility, kernel)
		}
	}
	first, last := records[0].Seq, records[len(records)-1].Seq
	if want := last - first + 1 - read; lost != want || lost == 0 {
		t.Errorf("lost %d of sequences %d to %d with %d read, want %d", lost, first, last, read, want)
	}
}

// v37: the log of a whole boot, with dictionaries of devices.
func TestDictionariesBelongToTheirRecord(t *testing.T) {
	withDict := 0
	for _, rec := range decodeText(t, kernelLog(t, "v37-whole-boot-6.1.log")) {
		if !rec.HasSeq || rec.Continued {
			t.Fatalf("%.60q is no record of its own", rec.Raw)
		}
		if len(rec.Dict) > 0 {
			withDict++
			if rec.Dict[0] != ' ' || !slices.Contains(rec.Dict, '=') {
				t.Errorf("dictionary of %d is %q", rec.Seq, rec.Dict)
			}
		}
	}
	if withDict == 0 {
		t.Error("no record with a dictionary")
	}
}
