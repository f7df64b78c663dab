package kmsg_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/record"
)

// ordinary are the records of a boot (with their device lines) before its only
// report begins.
func ordinary(tb testing.TB) []byte {
	tb.Helper()
	log := readLog(tb, "v37-whole-boot-6.1")
	before, _, found := bytes.Cut(log, []byte("big-hog invoked oom-killer"))
	if !found {
		tb.Fatal("the boot has no report")
	}
	return before[:bytes.LastIndexByte(before, '\n')+1]
}

// recordsOf keeps copies of a log's records.
func recordsOf(tb testing.TB, log []byte) []oomdoc.Record {
	tb.Helper()
	var list []oomdoc.Record
	eachRecord(tb, log, func(rec *oomdoc.Record) {
		kept := *rec
		kept.Text, kept.Raw = bytes.Clone(rec.Text), bytes.Clone(rec.Raw)
		list = append(list, kept)
	})
	return list
}

func TestOrdinaryLinesAreNotAllocatedFor(t *testing.T) {
	records := recordsOf(t, ordinary(t))
	if len(records) < 300 {
		t.Fatalf("only %d records", len(records))
	}
	parser := kmsg.NewParser(kmsg.ParserOptions{})
	emit := func(oomdoc.Event) { t.Error("an ordinary line became an event") }
	perRun := testing.AllocsPerRun(100, func() {
		for i := range records {
			parser.Feed(&records[i], emit)
		}
	})
	if perRun > 0 {
		t.Errorf("%v allocations for %d ordinary records, want none", perRun, len(records))
	}
}

// mixture is 100,000 raw lines of a boot with 200 full reports among them.
func mixture(tb testing.TB) []byte {
	const lines, reports = 100_000, 200
	filler := bytes.SplitAfter(bytes.TrimSuffix(ordinary(tb), []byte("\n")), []byte("\n"))
	var log bytes.Buffer
	at, seq := 0, 1
	for i := range reports {
		c := composed{comm: "hog", cgroup: "/system.slice/app.service", pid: 2000 + i}
		texts := append(c.lines()[:2:2], readTexts(tb)...)
		texts = append(texts, c.lines()[6:]...)
		for range lines/reports - len(texts) {
			log.Write(filler[at%len(filler)])
			if line := filler[at%len(filler)]; line[len(line)-1] != '\n' {
				log.WriteByte('\n')
			}
			at++
		}
		log.Write(rawFrom(seq, texts))
		seq += 1_000_000
	}
	return log.Bytes()
}

// readTexts are the texts of the captured Mem-Info block and call trace.
func readTexts(tb testing.TB) []string {
	var texts []string
	eachRecord(tb, readLog(tb, "v02-global-anon-6.1"), func(rec *oomdoc.Record) {
		texts = append(texts, string(rec.Text))
	})
	return texts[2 : len(texts)-9]
}

func TestTheMixtureOfTheBenchmarkHasItsReports(t *testing.T) {
	log := mixture(t)
	if lines := bytes.Count(log, []byte("\n")); lines != 100_000 {
		t.Errorf("got %d lines, want 100000", lines)
	}
	if found := kills(events(t, log)); len(found) != 200 {
		t.Errorf("found %d reports, want 200", len(found))
	}
}

func BenchmarkParserOnMixture(b *testing.B) {
	log := mixture(b)
	records := recordsOf(b, log)
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			parser := kmsg.NewParser(kmsg.ParserOptions{})
			for i := range records {
				parser.Feed(&records[i], func(oomdoc.Event) {})
			}
			parser.Flush(func(oomdoc.Event) {})
		}
		b.ReportMetric(float64(len(records))*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
	b.Run("decode+parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			decodeAndParse(b, log)
		}
		b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
	})
}

func decodeAndParse(tb testing.TB, log []byte) {
	parser := kmsg.NewParser(kmsg.ParserOptions{})
	decoder := record.NewDecoder(bytes.NewReader(log), record.Options{})
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		parser.Feed(&rec, func(oomdoc.Event) {})
	}
	parser.Flush(func(oomdoc.Event) {})
}

func BenchmarkParserOnOrdinaryRecords(b *testing.B) {
	records := recordsOf(b, ordinary(b))
	parser := kmsg.NewParser(kmsg.ParserOptions{})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		parser.Feed(&records[i%len(records)], func(oomdoc.Event) {})
		i++
	}
}
