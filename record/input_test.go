package record_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

func compressed(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func utf16Text(text string, mark string, put func(uint16) []byte) string {
	var out strings.Builder
	out.WriteString(mark)
	for _, unit := range utf16.Encode([]rune(text)) {
		out.Write(put(unit))
	}
	return out.String()
}

func little(u uint16) []byte { return []byte{byte(u), byte(u >> 8)} }
func big(u uint16) []byte    { return []byte{byte(u >> 8), byte(u)} }

func TestInputIsReadThroughItsWrappings(t *testing.T) {
	plain := readFile(t, "testdata", "capture", "dmesg-x")
	want := texts(decodeText(t, plain))
	tests := map[string]string{
		"gzip":                                compressed(t, plain),
		"gzip, two members":                   compressed(t, plain[:500]) + compressed(t, plain[500:]),
		"gzip in gzip":                        compressed(t, compressed(t, plain)),
		"xz":                                  compressedXZ(t, plain),
		"xz, two streams":                     compressedXZ(t, plain[:500]) + compressedXZ(t, plain[500:]),
		"zstd":                                compressedZstd(t, plain),
		"zstd, two frames":                    compressedZstd(t, plain[:500]) + compressedZstd(t, plain[500:]),
		"zstd in xz":                          compressedXZ(t, compressedZstd(t, plain)),
		"bzip2":                               readFile(t, "testdata", "dmesg-x.bz2"),
		"UTF-8 with a mark":                   "\xef\xbb\xbf" + plain,
		"UTF-16, low first":                   utf16Text(plain, "\xff\xfe", little),
		"UTF-16, high first":                  utf16Text(plain, "\xfe\xff", big),
		"UTF-16 without its mark":             utf16Text(plain, "", little),
		"UTF-16 without its mark, high first": utf16Text(plain, "", big),
		"UTF-16 in gzip":                      compressed(t, utf16Text(plain, "\xff\xfe", little)),
		"carriage returns":                    strings.ReplaceAll(plain, "\n", "\r\n"),
		"no newline at end":                   strings.TrimSuffix(plain, "\n"),
	}
	for name, input := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, texts(decodeText(t, input))); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInputInSmallPiecesIsTheSame(t *testing.T) {
	for _, c := range captures() {
		plain := readFile(t, "testdata", "capture", c.name)
		pieces := record.NewDecoder(iotest.OneByteReader(strings.NewReader(plain)), options())
		if diff := cmp.Diff(texts(decodeText(t, plain)), texts(decodeAll(t, pieces))); diff != "" {
			t.Errorf("%s: texts (-at once +byte by byte):\n%s", c.name, diff)
		}
	}
}

func TestPairsOutsideTheFirstPlaneSurviveUTF16(t *testing.T) {
	rec := decodeOne(t, utf16Text("[    1.000000] a\U0001F600b", "\xff\xfe", little)+"\x3d\xd8") // half a pair at the end
	if got, want := string(rec.Text), "a\U0001F600b\uFFFD"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}

func TestFormatsThatAreNotReadNameTheCommand(t *testing.T) {
	tests := []struct{ input, hint string }{
		{xzOfDictionary(t, 30), "xzcat FILE | oomdoc explain -"},             // 128 MiB
		{zstdOfWindow(28), "zstdcat --memory=512MB FILE | oomdoc explain -"}, // 256 MiB
		{"\x04\x22\x4d\x18aaaa", "lz4cat FILE | oomdoc explain -"},
		{"PK\x03\x04\x14\x00", "unzip -p FILE | oomdoc explain -"},
		{"LPKSHHRH\x00\x00\x00", "journalctl --file FILE -o json | oomdoc explain -"},
	}
	for _, tt := range tests {
		decoder := record.NewDecoder(strings.NewReader(tt.input), options())
		var rec oomdoc.Record
		err := decoder.Next(&rec)
		if got := oomdoc.ErrorHint(err); got != tt.hint {
			t.Errorf("%q: error %v has the hint %q, want %q", tt.input, err, got, tt.hint)
		}
		if again := decoder.Next(&rec); !errors.Is(again, err) {
			t.Errorf("%q: second Next = %v, want %v again", tt.input, again, err)
		}
	}
}

func TestEmptyInputEndsAtOnce(t *testing.T) {
	for name, input := range map[string]string{"nothing": "", "newlines": "\n\n\r\n", "mark": "\xef\xbb\xbf", "empty gzip": compressed(t, "")} {
		decoder := record.NewDecoder(strings.NewReader(input), options())
		var rec oomdoc.Record
		if err := decoder.Next(&rec); !errors.Is(err, io.EOF) {
			t.Errorf("%s: Next = %v, want io.EOF", name, err)
		}
		if err := decoder.NotALog(); err != nil {
			t.Errorf("%s: NotALog = %v, want nil", name, err)
		}
	}
}

func TestReadFailureComesAfterTheRecordsBeforeIt(t *testing.T) {
	broken := errors.New("disk on fire")
	in := io.MultiReader(strings.NewReader("[    1.000000] one\n[    2.000000] tw"), iotest.ErrReader(broken))
	decoder := record.NewDecoder(in, options())
	var rec oomdoc.Record
	var got []string
	var err error
	for err = decoder.Next(&rec); err == nil; err = decoder.Next(&rec) {
		got = append(got, string(rec.Text))
	}
	if want := []string{"one", "tw"}; !slices.Equal(got, want) {
		t.Errorf("texts = %q, want %q", got, want)
	}
	if !errors.Is(err, broken) {
		t.Errorf("error = %v, want %v", err, broken)
	}
}

func TestTruncatedGzipFailsAfterItsRecords(t *testing.T) {
	whole := compressed(t, string(rawLines(t, 2000)))
	decoder := record.NewDecoder(strings.NewReader(whole[:len(whole)/2]), options())
	var rec oomdoc.Record
	records := 0
	var err error
	for err = decoder.Next(&rec); err == nil; err = decoder.Next(&rec) {
		records++
	}
	if records == 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d records, then %v; want some, then %v", records, err, io.ErrUnexpectedEOF)
	}
}

func TestLongLineIsCutAndCounted(t *testing.T) {
	const limit = 1 << 10
	for _, size := range []int{limit - 1, limit, limit + 1, 300 << 10, 1 << 20} {
		text := strings.Repeat("x", size)
		o := options()
		o.MaxLine = limit
		decoder := record.NewDecoder(strings.NewReader(text+"\n[    1.000000] after\n"), o)
		records := decodeAll(t, decoder)
		if len(records) != 2 {
			t.Fatalf("a line of %d bytes gave %d records, want 2", size, len(records))
		}
		if got, want := len(records[0].Text), min(size, limit); got != want {
			t.Errorf("a line of %d bytes was kept as %d, want %d", size, got, want)
		}
		if got, want := string(records[1].Text), "after"; got != want {
			t.Errorf("after a line of %d bytes: %q, want %q", size, got, want)
		}
		if got, want := records[1].Offset, int64(size+1); got != want {
			t.Errorf("offset after a line of %d bytes is %d, want %d", size, got, want)
		}
		if got, want := decoder.Stats().Cut, uint64(0); (got > want) != (size > limit) {
			t.Errorf("a line of %d bytes: %d cut", size, got)
		}
	}
}

// endless gives the same byte n times.
type endless struct {
	n    int64
	with byte
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), e.n))
	for i := range p[:n] {
		p[i] = e.with
	}
	e.n -= int64(n)
	return n, nil
}

func TestHugeLineCostsNoMemory(t *testing.T) {
	tests := map[string]struct {
		head string
		with byte
	}{
		"text": {"", 'x'}, "zeros": {"", 0}, "raw record": {"4,1,2,-;", '\\'}, "object": {`{"MESSAGE":"`, '\\'},
		"array": {`{"MESSAGE":[`, '['}, "export": {"__CURSOR=1\nMESSAGE=", 'x'}, "blanks": {"[    1.000000] a\n", ' '},
		"colours": {"\x1b[1m", 0x1b}, "octal": {"Dec  1 01:43:39 h kernel: ", '#'},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := io.MultiReader(strings.NewReader(tt.head), &endless{100 << 20, tt.with})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			decodeCounting(t, record.NewDecoder(in, options()))
			runtime.ReadMemStats(&after)
			const limit = 4 << 20
			if got := after.TotalAlloc - before.TotalAlloc; got > limit {
				t.Errorf("100 MiB in one line took %d bytes of memory, want at most %d", got, limit)
			}
		})
	}
}

func TestNoiseIsNoLogAndTextIsNoNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	tests := []struct {
		name, input string
		isLog       bool
	}{
		{"noise", "\x00" + string(noise), false},
		{"zeros", strings.Repeat("\x00", 1<<20), false},
		{"program", "\x7fELF\x02\x01\x01\x00\x00\n\x00\x01\x02", false},
		{"kernel log with some noise", strings.Repeat("[    1.000000] a\n", 9) + "\x00\x01\n", true},
		{"text", "hello\nworld\n", true},
		{"Latin-1 text", "Gr\xfc\xdfe\n", true},
		{"log with colours", "\x1b[31merror\x1b[0m\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			decoder := record.NewDecoder(strings.NewReader(tt.input), options())
			decodeAll(t, decoder)
			err := decoder.NotALog()
			if isLog := err == nil; isLog != tt.isLog {
				t.Errorf("NotALog = %v; is a log: %v, want %v", err, isLog, tt.isLog)
			}
			if err != nil && oomdoc.ErrorHint(err) == "" {
				t.Errorf("NotALog = %v has no hint", err)
			}
		})
	}
}

// repeated gives the same text for ever.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

func TestOrdinaryLinesAllocateNothing(t *testing.T) {
	inputs := map[string]string{"raw lines": string(rawLines(t, 2000)), "bare": "hello world\n", "rsyslog": kernelLog(t, "b38-rsyslog-escaped-newlines.log")}
	for _, c := range captures() {
		inputs[c.name] = readFile(t, "testdata", "capture", c.name)
	}
	for name, input := range inputs {
		t.Run(name, func(t *testing.T) {
			decoder := record.NewDecoder(&repeated{text: input}, options())
			var rec oomdoc.Record
			next := func() {
				if err := decoder.Next(&rec); err != nil {
					t.Fatal(err)
				}
			}
			for range 5000 { // buffers reach their size
				next()
			}
			if allocs := testing.AllocsPerRun(5000, next); allocs != 0 {
				t.Errorf("%v allocations a record, want 0", allocs)
			}
		})
	}
}
