package record_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

func FuzzParseKmsg(f *testing.F) {
	for _, seed := range []string{
		"3,918,2123163500,-;Memory cgroup out of memory: Killed process 25817 (hogger)\n",
		"4,9000,77000000,c,caller=T100;big-hog invoked oom-killer\n SUBSYSTEM=acpi\n",
		`4,2997,2189812949,-;x\x0aOut of memory \x5cx2d \xd0`, "4,1,2", ";", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var first, second oomdoc.Record
		scratch, err := record.ParseKmsg(raw, &first, nil)
		if err != nil {
			if _, ok := errors.AsType[*record.MalformedError](err); !ok {
				t.Fatalf("error %v is no MalformedError", err)
			}
			return
		}
		line, _, _ := bytes.Cut(raw, []byte("\n"))
		if len(first.Text) > len(line) || !bytes.HasPrefix(raw, first.Raw) || len(first.Raw)+len(first.Dict) > len(raw) {
			t.Fatalf("%q gave the text %q, line %q, dictionary %q", raw, first.Text, first.Raw, first.Dict)
		}
		if first.Usec < 0 || first.Facility < 0 || first.Priority < 0 || first.Priority > 7 {
			t.Fatalf("%q gave stamp %d, facility %d, priority %d", raw, first.Usec, first.Facility, first.Priority)
		}
		kept := clone(&first)
		if _, err := record.ParseKmsg(raw, &second, scratch); err != nil {
			t.Fatalf("with a scratch: %v", err)
		}
		if diff := cmp.Diff(kept, clone(&second)); diff != "" {
			t.Fatalf("with a scratch (-without +with):\n%s", diff)
		}
	})
}

// fuzzMaxLine is short, so that lines are cut.
const fuzzMaxLine = 300

func FuzzDecoder(f *testing.F) {
	seeds, err := filepath.Glob(filepath.Join("testdata", "capture", "*"))
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no captures: %v", err)
	}
	for _, name := range seeds {
		seed, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	for _, seed := range []string{
		"4,1,2,-;a\n4,18446744073709551615,3,-;b\n4,0,4,-;c\n", "__CURSOR=1\nMESSAGE\n\x02\x00\x00\x00\x00\x00\x00\x00ab\n\n",
		"{\n\"dmesg\": [\n{\n\"pri\": 4,\n\"time\": 1.5,\n\"msg\": \"a\"\n}\n]\n}\n", "\xff\xfea\x00\n\x00", "\x1f\x8b", "BZh91AY&SY",
		"[    1.000000][    T1] a\n[    1.000000] [    T1] b\n", "[    1.000000] h kernel: a\n\x1b[1mb\x1b[0m\n\x1e{\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := fuzzDecode(t, bytes.NewReader(data), len(data))
		pieces := fuzzDecode(t, iotest.OneByteReader(bytes.NewReader(data)), len(data))
		if !reflect.DeepEqual(whole, pieces) { // fast; cmp only to show
			t.Fatalf("records (-at once +byte by byte):\n%s", cmp.Diff(whole, pieces))
		}
	})
}

// fuzzDecode reads everything and holds what is true of any input.
func fuzzDecode(t *testing.T, in io.Reader, size int) []oomdoc.Record {
	o := options()
	o.MaxLine = fuzzMaxLine
	decoder := record.NewDecoder(in, o)
	var rec oomdoc.Record
	var all []oomdoc.Record
	var previous uint64
	var hasPrevious bool
	for {
		if err := decoder.Next(&rec); err != nil {
			break
		}
		if len(rec.Text) > fuzzMaxLine {
			t.Fatalf("text of %d bytes, want at most %d", len(rec.Text), fuzzMaxLine)
		}
		if rec.Lost > 0 && (!rec.HasSeq || !hasPrevious || rec.Seq <= previous || rec.Lost != rec.Seq-previous-1) {
			t.Fatalf("lost %d at sequence %d after %d", rec.Lost, rec.Seq, previous)
		}
		if rec.HasSeq {
			previous, hasPrevious = rec.Seq, true
		}
		if rec.Offset < 0 || rec.Usec < oomdoc.NoUsec || rec.Facility < oomdoc.FacilityUnknown || rec.Priority > 7 {
			t.Fatalf("record %+v", rec)
		}
		all = append(all, clone(&rec))
	}
	stats := decoder.Stats()
	counted := uint64(0)
	for _, n := range stats.Forms {
		counted += n
	}
	if counted != stats.Records || stats.Records != uint64(len(all)) || stats.Cut > stats.Lines {
		t.Fatalf("%d records and the counts %+v", len(all), stats)
	}
	return all
}
