package store

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Bounds of one incident's raw records. They hold when storing, so that no
// log fills the disk with one incident, and when reading, so that a damaged or
// forged database does not fill the memory. A report of a large machine has
// some thousand lines of a hundred bytes.
const (
	maxRawBytes = 4 << 20
	maxRawLines = 1 << 16
)

// withinBounds keeps the first records, as many as the bounds allow.
func withinBounds(records []string) []string {
	bytes := 0
	for i, record := range records {
		bytes += len(record) + binary.MaxVarintLen64
		if i == maxRawLines || bytes > maxRawBytes {
			return records[:i]
		}
	}
	return records
}

// keptBuffer is how large a buffer a packer keeps; a rare larger one is let go.
const keptBuffer = 256 << 10

// A packer compresses raw records. It is kept between writes: its tables are
// most of a megabyte, too much to make anew for each kill of a flood.
type packer struct {
	writer *zlib.Writer
	out    bytes.Buffer
	number [binary.MaxVarintLen64]byte
}

// pack gives the records as zlib over (length as a varint, bytes) each. The
// result is valid until the next call.
func (p *packer) pack(records []string) ([]byte, error) {
	if p.out.Cap() > keptBuffer {
		p.out = bytes.Buffer{}
	}
	p.out.Reset()
	if p.writer == nil {
		writer, err := zlib.NewWriterLevel(&p.out, zlib.BestSpeed)
		if err != nil {
			return nil, fmt.Errorf("compress records: %w", err)
		}
		p.writer = writer
	} else {
		p.writer.Reset(&p.out)
	}
	for _, record := range records {
		n := binary.PutUvarint(p.number[:], uint64(len(record)))
		if _, err := p.writer.Write(p.number[:n]); err != nil {
			return nil, fmt.Errorf("compress records: %w", err)
		}
		if _, err := io.WriteString(p.writer, record); err != nil {
			return nil, fmt.Errorf("compress records: %w", err)
		}
	}
	if err := p.writer.Close(); err != nil {
		return nil, fmt.Errorf("compress records: %w", err)
	}
	return p.out.Bytes(), nil
}

// unpack is the reverse of pack. It never returns a part of what was packed.
func unpack(data []byte) ([]string, error) {
	reader, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("expand records: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(reader, maxRawBytes+1))
	if err != nil {
		return nil, fmt.Errorf("expand records: %w", err)
	}
	if len(text) > maxRawBytes {
		return nil, fmt.Errorf("expand records: more than %d bytes", maxRawBytes)
	}
	var records []string
	for len(text) > 0 {
		if len(records) == maxRawLines {
			return nil, fmt.Errorf("expand records: more than %d lines", maxRawLines)
		}
		length, n := binary.Uvarint(text)
		if n <= 0 || length > math.MaxInt || int(length) > len(text)-n {
			return nil, errors.New("expand records: a length is wrong")
		}
		records = append(records, string(text[n:n+int(length)]))
		text = text[n+int(length):]
	}
	return records, nil
}

// rawSize is the number of bytes in the records.
func rawSize(records []string) int {
	total := 0
	for _, record := range records {
		total += len(record)
	}
	return total
}
