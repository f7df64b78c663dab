package record

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A utf16Reader turns UTF-16 into UTF-8, as Windows shells write it when a log is
// redirected to a file.
type utf16Reader struct {
	in    *bufio.Reader
	order binary.ByteOrder
	spare rune   // a unit that was read but belongs to the next character; -1 for none
	left  []byte // written characters that did not fit
	store [2 * utf8.UTFMax]byte
}

// newUTF16Reader reads in from its byte order mark on, or in a known order.
func newUTF16Reader(in *bufio.Reader, order binary.ByteOrder) *utf16Reader {
	return &utf16Reader{in: in, order: order, spare: -1}
}

// utf16Order tells text in UTF-16 whose mark was lost, as a part of a file has
// lost it: of the first characters every second byte is zero, and no other.
func utf16Order(head []byte) (order binary.ByteOrder, is bool) {
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch half := len(head) / 2; {
	case half < 4:
		return nil, false
	case zeros[0] == 0 && zeros[1] == half:
		return binary.LittleEndian, true
	case zeros[0] == half && zeros[1] == 0:
		return binary.BigEndian, true
	}
	return nil, false
}

// Read gives whole characters; what is not valid becomes U+FFFD.
func (u *utf16Reader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(u.left) > 0 {
			moved := copy(p[n:], u.left)
			n += moved
			u.left = u.left[moved:]
			continue
		}
		if n > 0 && u.in.Buffered() < 4 {
			return n, nil // do not wait for more than there is
		}
		char, err := u.char()
		if err != nil {
			if n > 0 && errors.Is(err, io.EOF) {
				return n, nil
			}
			return n, err
		}
		u.left = utf8.AppendRune(u.store[:0], char)
	}
	return n, nil
}

// char reads one character.
func (u *utf16Reader) char() (rune, error) {
	first, err := u.unit()
	if err != nil {
		return 0, err
	}
	if !utf16.IsSurrogate(first) {
		return first, nil
	}
	second, err := u.unit()
	if errors.Is(err, io.EOF) {
		return utf8.RuneError, nil
	}
	if err != nil {
		return 0, err
	}
	char := utf16.DecodeRune(first, second)
	if char == utf8.RuneError {
		u.spare = second
	}
	return char, nil
}

// unit reads 16 bits. Half a unit at the end is dropped.
func (u *utf16Reader) unit() (rune, error) {
	if u.spare >= 0 {
		unit := u.spare
		u.spare = -1
		return unit, nil
	}
	var pair [2]byte
	if _, err := io.ReadFull(u.in, pair[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, io.EOF
		}
		return 0, err
	}
	if u.order == nil {
		u.order = binary.ByteOrder(binary.LittleEndian)
		if pair[0] == 0xfe {
			u.order = binary.BigEndian
		}
		return u.unit()
	}
	return rune(u.order.Uint16(pair[:])), nil
}
