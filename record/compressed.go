package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/oomdoc/oomdoc"
)

// The first bytes of a zstd frame (RFC 8878, section 3.1.1) and of an xz stream
// (xz-file-format, section 2.1.1.1).
const (
	zstdMagic = "\x28\xb5\x2f\xfd"
	xzMagic   = "\xfd7zXZ\x00"
)

// maxWindow is how much of what was decompressed must be kept at hand at most:
// what `zstd --ultra -22` needs with its default settings is 128 MiB, `-19` 8 MiB,
// `xz -9` 64 MiB. A file that asks for more would decide over our memory.
const maxWindow = 64 << 20

// newZstdReader decompresses zstd. It reads in the caller's goroutine, so that
// nothing is left to close.
func newZstdReader(r io.Reader) (io.Reader, error) {
	inner, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, fmt.Errorf("decompress log: %w", err)
	}
	return &hinted{in: inner, too: zstd.ErrWindowSizeExceeded, hint: "zstdcat --memory=512MB FILE | oomdoc explain -"}, nil
}

// newXZReader decompresses xz.
func newXZReader(r *bufio.Reader) (io.Reader, error) {
	if size, known := xzDictionary(r); known && size > maxWindow {
		return nil, tooLarge("xzcat FILE | oomdoc explain -")
	}
	inner, err := xz.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("decompress log: %w", err)
	}
	return inner, nil
}

func tooLarge(hint string) error {
	return &oomdoc.Error{Op: "read", Err: errors.New("it was compressed so that reading it needs more than 64 MiB of memory"), Hint: hint}
}

// hinted says of one error of a reader what a person can do.
type hinted struct {
	in   io.Reader
	too  error
	hint string
}

func (h *hinted) Read(p []byte) (int, error) {
	n, err := h.in.Read(p)
	if errors.Is(err, h.too) {
		return n, tooLarge(h.hint)
	}
	return n, err
}

// xzDictionary finds the size of the dictionary in the header of the first block
// (xz-file-format, sections 2.1.1, 3.1 and 5.3.1).
func xzDictionary(r *bufio.Reader) (size uint64, known bool) {
	const streamHeader, longest, lzma2 = 12, 1024, 0x21
	head, err := r.Peek(streamHeader + 1)
	if err != nil {
		return 0, false
	}
	head, err = r.Peek(streamHeader + min(4*(int(head[streamHeader])+1), longest))
	if err != nil {
		return 0, false
	}
	block := head[streamHeader:]
	if len(block) < 8 || block[0] == 0 { // the index: there is no block
		return 0, false
	}
	at := 2
	for _, has := range []byte{0x40, 0x80} { // the sizes, numbers of several bytes
		if block[1]&has == 0 {
			continue
		}
		for at < len(block) && block[at]&0x80 != 0 {
			at++
		}
		at++
	}
	if at+2 >= len(block) || block[at] != lzma2 || block[at+1] != 1 {
		return 0, false
	}
	bits := block[at+2]
	return (2 | uint64(bits&1)) << (bits/2 + 11), bits <= 40
}
