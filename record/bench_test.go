package record_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// rawLines builds n raw kmsg lines from a whole boot and reports of all kinds.
func rawLines(tb testing.TB, n int) []byte {
	tb.Helper()
	var lines []string
	for _, name := range []string{
		"v37-whole-boot-6.1.log", "r01-memcg-v1-anon.log", "r05-comm-parens-space.log", "r07-comm-newline.log",
		"r16-docker.log", "r17-systemd-escaped-unit.log", "r27-kernel-memory-slab.log", "r30-thp.log",
	} {
		lines = slices.AppendSeq(lines, strings.Lines(strings.TrimRight(kernelLog(tb, name), "\n")+"\n"))
	}
	var out bytes.Buffer
	for i := range n {
		out.WriteString(lines[i%len(lines)])
	}
	return out.Bytes()
}

func BenchmarkDecodeRawLines(b *testing.B) {
	const lines = 100_000
	data := rawLines(b, lines)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		decodeCounting(b, record.NewDecoder(bytes.NewReader(data), options()))
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mlines/s")
}

func BenchmarkDecodeForms(b *testing.B) {
	for _, name := range []string{"dmesg-x", "dmesg-T", "dmesg-d", "journalctl-short", "journalctl-json", "journalctl-export"} {
		b.Run(name, func(b *testing.B) {
			data := []byte(strings.Repeat(readFile(b, "testdata", "capture", name), 2000))
			records := decodeCounting(b, record.NewDecoder(bytes.NewReader(data), options()))
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				decodeCounting(b, record.NewDecoder(bytes.NewReader(data), options()))
			}
			b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
		})
	}
}

func decodeCounting(tb testing.TB, d *record.Decoder) (records int) {
	var rec oomdoc.Record
	for {
		err := d.Next(&rec)
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			tb.Fatal(err)
		}
		records++
	}
}
