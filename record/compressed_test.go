package record_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

func compressedXZ(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	w, err := xz.NewWriter(&out)
	return closed(t, w, err, text, &out)
}

func compressedZstd(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	return closed(t, w, err, text, &out)
}

func closed(t testing.TB, w io.WriteCloser, err error, text string, out *bytes.Buffer) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// xzOfDictionary is a stream whose first block asks for the dictionary that the
// format writes as size.
func xzOfDictionary(t testing.TB, size byte) string {
	t.Helper()
	stream := []byte(compressedXZ(t, "[    1.000000] text\n"))
	const block = 12
	end := block + 4*(int(stream[block])+1)
	at := bytes.Index(stream[block:end], []byte{0x21, 1})
	if at < 0 {
		t.Fatal("no filter in the block's header")
	}
	stream[block+at+2] = size
	binary.LittleEndian.PutUint32(stream[end-4:], crc32.ChecksumIEEE(stream[block:end-4]))
	return string(stream)
}

// zstdOfWindow is a frame that asks for a window of 1<<log bytes.
func zstdOfWindow(log int) string {
	return "\x28\xb5\x2f\xfd\x00" + string([]byte{byte(log-10) << 3}) + "\x09\x00\x00x" // one raw block of one byte
}

func TestDamagedCompressionFailsAfterItsRecords(t *testing.T) {
	var text strings.Builder
	noise := rand.New(rand.NewPCG(1, 2))
	for range 1 << 15 {
		fmt.Fprintf(&text, "[    1.000000] %x\n", []uint64{noise.Uint64(), noise.Uint64(), noise.Uint64()})
	}
	for name, whole := range map[string]string{"xz": compressedXZ(t, text.String()), "zstd": compressedZstd(t, text.String())} {
		decoder := record.NewDecoder(strings.NewReader(whole[:len(whole)*3/4]), options())
		var rec oomdoc.Record
		records := 0
		var err error
		for err = decoder.Next(&rec); err == nil; err = decoder.Next(&rec) {
			records++
		}
		if records == 0 || errors.Is(err, io.EOF) {
			t.Errorf("%s: %d records, then %v; want some, then a failure", name, records, err)
		}
	}
}

// A small file that grows a thousand times is read piece by piece.
func TestCompressedTextIsNotHeldInMemory(t *testing.T) {
	text := strings.Repeat("[    1.000000] the same line again and again\n", 1<<20)
	for name, input := range map[string]string{"zstd": compressedZstd(t, text), "xz": compressedXZ(t, text)} {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		decoder := record.NewDecoder(strings.NewReader(input), options())
		var rec oomdoc.Record
		lines := 0
		for decoder.Next(&rec) == nil {
			lines++
		}
		runtime.ReadMemStats(&after)
		if grown := after.Sys - before.Sys; lines != 1<<20 || grown > 40<<20 {
			t.Errorf("%s: %d lines, %d MiB more memory", name, lines, grown>>20)
		}
	}
}
