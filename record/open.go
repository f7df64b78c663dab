package record

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/oomdoc/oomdoc"
)

// An unreadable is a file format that we know but do not read, and the command
// that turns it into text.
type unreadable struct{ magic, name, hint string }

// unreadableFormats are told by their first bytes (file(1), magic(5)).
func unreadableFormats() []unreadable {
	return []unreadable{
		{"\x04\x22\x4d\x18", "compressed by lz4", "lz4cat FILE | oomdoc explain -"},
		{"LZIP", "compressed by lzip", "lzip -dc FILE | oomdoc explain -"},
		{"\x89LZO", "compressed by lzop", "lzop -dc FILE | oomdoc explain -"},
		{"PK\x03\x04", "a zip archive", "unzip -p FILE | oomdoc explain -"},
		{"LPKSHHRH", "a journal file of systemd", "journalctl --file FILE -o json | oomdoc explain -"},
	}
}

// open looks at the first bytes and gives the text in r: decompressed, as UTF-8.
func open(r io.Reader) (io.Reader, error) {
	const layers = 3 // a compressed file in a compressed file, and its encoding
	for range layers {
		buffered := bufio.NewReader(r)
		inner, err := unwrap(buffered)
		if err != nil {
			return nil, err
		}
		if inner == nil {
			return buffered, nil
		}
		r = inner
	}
	return r, nil
}

// unwrap gives the reader of what one layer holds, nil when it is plain text.
func unwrap(r *bufio.Reader) (io.Reader, error) {
	const longest = 10 // of what is told apart here
	head, err := r.Peek(longest)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read log: %w", err)
	}
	for _, format := range unreadableFormats() {
		if bytes.HasPrefix(head, []byte(format.magic)) {
			return nil, &oomdoc.Error{
				Op: "read", Err: errors.New("it is " + format.name + ", which oomdoc does not read"), Hint: format.hint,
			}
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		inner, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("decompress log: %w", err)
		}
		return inner, nil
	case bytes.HasPrefix(head, []byte(zstdMagic)):
		return newZstdReader(r)
	case bytes.HasPrefix(head, []byte(xzMagic)):
		return newXZReader(r)
	case isBzip2(head):
		return bzip2.NewReader(r), nil
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return newUTF16Reader(r, nil), nil
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		if _, err := r.Discard(3); err != nil {
			return nil, fmt.Errorf("read log: %w", err)
		}
		return nil, nil
	}
	if order, is := utf16Order(head); is {
		return newUTF16Reader(r, order), nil
	}
	return nil, nil
}

// isBzip2 tells "BZh", the block size, and the magic of a block or of the end.
func isBzip2(head []byte) bool {
	const size = 10
	if len(head) < size || string(head[:3]) != "BZh" || head[3] < '1' || head[3] > '9' {
		return false
	}
	magic := string(head[4:size])
	return magic == "1AY&SY" || magic == "\x17rE8P\x90"
}
