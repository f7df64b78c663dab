package applog

import (
	"bytes"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// A literalIndex finds many literals in one pass: at each place it asks a table
// whether the two bytes there are the rarest pair of a literal. How long that
// takes does not depend on how many literals there are, as long as each has a
// pair that most text has not.
type literalIndex struct {
	literals [][]byte
	rare     []int           // where in each literal its pair stands
	pairs    [1 << 10]uint64 // a bit for each pair of bytes
	before   [1 << 10]uint16 // how many bits are set in the words before one
	byPair   [][]int         // the literals of each pair that has some, in their order
	longest  int
	common   byte // stands in every literal; 0: none does that is rare in logs
}

func indexLiterals(literals []string) *literalIndex {
	x := &literalIndex{}
	byPair := map[uint16][]int{}
	for i, literal := range literals {
		x.literals = append(x.literals, []byte(literal))
		x.longest = max(x.longest, len(literal))
		rare := rarestPair(literal)
		x.rare = append(x.rare, rare)
		pair := uint16(literal[rare]) | uint16(literal[rare+1])<<8
		x.pairs[pair>>6] |= 1 << (pair & 63)
		byPair[pair] = append(byPair[pair], i)
	}
	x.common = commonByte(x.literals)
	for _, pair := range slices.Sorted(maps.Keys(byPair)) {
		x.byPair = append(x.byPair, byPair[pair])
	}
	for word := 1; word < len(x.pairs); word++ {
		x.before[word] = x.before[word-1] + uint16(bits.OnesCount64(x.pairs[word-1]))
	}
	return x
}

// commonByte is the rarest byte that stands in every literal: a text without it,
// which a search for one byte tells in wide steps, has none of them. It is 0 where
// the only such bytes stand in most lines.
func commonByte(literals [][]byte) (rarest byte) {
	if len(literals) == 0 {
		return 0
	}
	const seldom = 10
	best := seldom + 1
	for _, c := range literals[0] {
		in := func(literal []byte) bool { return bytes.IndexByte(literal, c) >= 0 }
		if common := commonness(c); common < best && !slices.ContainsFunc(literals, func(l []byte) bool { return !in(l) }) {
			rarest, best = c, common
		}
	}
	return rarest
}

// of gives the literals whose rarest pair this is.
func (x *literalIndex) of(pair uint16) []int {
	word, bit := x.pairs[pair>>6], uint64(1)<<(pair&63)
	if word&bit == 0 {
		return nil
	}
	return x.byPair[int(x.before[pair>>6])+bits.OnesCount64(word&(bit-1))]
}

// rarestPair is where the two bytes of a literal stand that are the rarest in
// logs, as far as can be said of them one by one.
func rarestPair(literal string) (place int) {
	rarest := math.MaxInt
	for at := range len(literal) - 1 {
		if common := commonness(literal[at]) * commonness(literal[at+1]); common < rarest {
			rarest, place = common, at
		}
	}
	return place
}

// commonness is how often a byte stands in a thousand of a log, roughly: English
// letters, fewer capitals, and the signs that loggers use.
func commonness(c byte) int {
	const letters = "etaoinsrhldcumfpgwybvkxjqz"
	if at := strings.IndexByte(letters, c); at >= 0 {
		return 80 - 3*at
	}
	switch {
	case c == ' ':
		return 130
	case isDigit(c), c == ':', c == '.', c == '-', c == '/':
		return 30
	case c >= 'A' && c <= 'Z', c == '[', c == ']', c == '=', c == '_', c == '"', c == ',':
		return 10
	}
	return 3
}

// at gives where a literal begins whose pair stands at a place, if it does.
func (x *literalIndex) at(text []byte, literal, pair int) (start int, is bool) {
	start = pair - x.rare[literal]
	return start, start >= 0 && bytes.HasPrefix(text[start:], x.literals[literal])
}

// maxHits bounds how many literals of one line are looked at: a real line has
// one or two.
const maxHits = 16

// maxSearched bounds what is searched of a record. A message of the journal or of
// JSON can be a whole traceback, whose error stands at its end.
const maxSearched = 64 << 10

// crosses tells a literal that begins before a place in text and ends behind it.
func (x *literalIndex) crosses(text []byte, place int) bool {
	for pairAt := 0; pairAt < min(place+x.longest, len(text)-1); pairAt++ {
		pair := uint16(text[pairAt]) | uint16(text[pairAt+1])<<8
		for _, i := range x.of(pair) {
			if start, is := x.at(text, i, pairAt); is && start < place && start+len(x.literals[i]) > place {
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
	if len(text) < 2 || x.common != 0 && bytes.IndexByte(text, x.common) < 0 {
		return hits
	}
	var starts [maxHits]int
	pair := uint16(text[0]) << 8
	for at := 1; at < len(text); at++ {
		pair = pair>>8 | uint16(text[at])<<8
		if x.pairs[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		for _, i := range x.of(pair) {
			start, is := x.at(text, i, at-1)
			if !is {
				continue
			}
			hits = append(hits, i)
			last := len(hits) - 1
			for ; last > 0 && starts[last-1] > start; last-- { // found by a pair inside of it
				hits[last], starts[last] = hits[last-1], starts[last-1]
			}
			if hits[last], starts[last] = i, start; len(hits) == maxHits {
				return hits
			}
		}
	}
	return hits
}
