package applog

import "bytes"

// A literalIndex finds many literals in one pass: at each place it asks a table
// whether the two bytes there begin a literal. How long that takes does not
// depend on how many literals there are, as long as they begin differently from
// most text.
type literalIndex struct {
	literals [][]byte
	pairs    [1 << 10]uint64 // a bit for each pair of bytes
	byPair   map[uint16][]int
	longest  int
}

func indexLiterals(literals []string) *literalIndex {
	x := &literalIndex{byPair: map[uint16][]int{}}
	for i, literal := range literals {
		x.literals = append(x.literals, []byte(literal))
		x.longest = max(x.longest, len(literal))
		pair := uint16(literal[0]) | uint16(literal[1])<<8
		x.pairs[pair>>6] |= 1 << (pair & 63)
		x.byPair[pair] = append(x.byPair[pair], i)
	}
	return x
}

// maxHits bounds how many literals of one line are looked at: a real line has
// one or two.
const maxHits = 16

// maxSearched bounds what is searched of a record. A message of the journal or of
// JSON can be a whole traceback, whose error stands at its end.
const maxSearched = 64 << 10

// crosses tells a literal that begins before a place in text and ends behind it.
func (x *literalIndex) crosses(text []byte, place int) bool {
	for at := 0; at < min(place, len(text)-1); at++ {
		pair := uint16(text[at]) | uint16(text[at+1])<<8
		if x.pairs[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		for _, i := range x.byPair[pair] {
			if at+len(x.literals[i]) > place && bytes.HasPrefix(text[at:], x.literals[i]) {
				return true
			}
		}
	}
	return false
}

// find appends the numbers of the literals in text to hits, in the order in
// which they stand there.
func (x *literalIndex) find(text []byte, hits []int) []int {
	text = text[:min(len(text), maxSearched)]
	if len(text) < 2 {
		return hits
	}
	pair := uint16(text[0]) << 8
	for at := 1; at < len(text); at++ {
		pair = pair>>8 | uint16(text[at])<<8
		if x.pairs[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		for _, i := range x.byPair[pair] {
			if bytes.HasPrefix(text[at-1:], x.literals[i]) {
				if hits = append(hits, i); len(hits) == maxHits {
					return hits
				}
			}
		}
	}
	return hits
}
