package record

import "bytes"

// Needles finds the first of many texts in a large piece of a log. It looks at
// every third or fourth byte only (S. Wu and U. Manber, "A fast algorithm for
// multi-pattern searching", 1994, with blocks of three): a table tells from three
// bytes how far ahead a text can begin at the earliest.
type Needles struct {
	ahead  [1 << needleBits]uint8
	places map[uint32][]needle
}

// A needle is a text and where in it the window stands that it is found by.
type needle struct {
	text []byte
	at   int
}

const (
	needleBits = 16
	// needleWindow is the length of the shortest text that can be found.
	needleWindow = 6
	needleBlock  = 3
)

// NewNeedles makes the tables for some texts. Those shorter than six bytes are
// left out: they would be found at every turn.
func NewNeedles(texts []string) *Needles {
	n := &Needles{places: map[uint32][]needle{}}
	for i := range n.ahead {
		n.ahead[i] = needleWindow - needleBlock + 1
	}
	for _, text := range texts {
		if len(text) >= needleWindow {
			n.add([]byte(text))
		}
	}
	return n
}

func (n *Needles) add(text []byte) {
	at := rarest(text)
	window := text[at : at+needleWindow]
	for end := needleBlock; end <= needleWindow; end++ {
		block := needleHash(window[end-needleBlock], window[end-needleBlock+1], window[end-1])
		n.ahead[block] = min(n.ahead[block], uint8(needleWindow-end))
		if end == needleWindow {
			n.places[block] = append(n.places[block], needle{text, at})
		}
	}
}

func needleHash(a, b, c byte) uint32 {
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9e3779b1 >> (32 - needleBits)
}

// rarest finds the window of a text that ordinary text has least often.
func rarest(text []byte) (best int) {
	lowest := 0
	for at := 0; at+needleWindow <= len(text); at++ {
		sum := 0
		for _, c := range text[at : at+needleWindow] {
			sum += commonness(c)
		}
		if at == 0 || sum < lowest {
			best, lowest = at, sum
		}
	}
	return best
}

// commonness is how often a character stands in logs, roughly.
func commonness(c byte) int {
	switch {
	case bytes.IndexByte([]byte(" etaonirs"), c) >= 0:
		return 6
	case c >= 'a' && c <= 'z':
		return 3
	case isDigit(c), bytes.IndexByte([]byte(`"=:/.-[]`), c) >= 0:
		return 2
	}
	return 0
}

// Find gives where the first of the texts begins, -1 where there is none. First
// is by where their windows stand: it is in the same line.
func (n *Needles) Find(text []byte) int {
	for end := needleWindow - 1; end < len(text); {
		block := needleHash(text[end-2], text[end-1], text[end])
		if step := n.ahead[block]; step > 0 {
			end += int(step)
			continue
		}
		for _, needle := range n.places[block] {
			start := end - (needleWindow - 1) - needle.at
			if start >= 0 && bytes.HasPrefix(text[start:], needle.text) {
				return start
			}
		}
		end++
	}
	return -1
}
