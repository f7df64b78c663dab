package record

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
)

// Needles finds the first of many texts in a large piece of a log. It looks at
// every fourth or fifth byte only (S. Wu and U. Manber, "A fast algorithm for
// multi-pattern searching", 1994, with blocks of four): a table tells from four
// bytes how far ahead a text can begin at the earliest.
type Needles struct {
	ahead  [1 << needleBits]uint8
	leads  [1 << needleBits / 8]uint8 // a bit for each block that a window begins with
	place  [1 << needleBits]uint16    // the first needle of a block, from 1
	needle []needle
}

// A needle is a text and where in it the window stands that it is found by.
type needle struct {
	text   []byte
	at     int
	word   int // where in it begins what was asked for
	window uint64
	next   uint16 // another with the same last block, from 1
}

const (
	needleBits = 15
	// needleWindow is the length of the shortest text that can be found.
	needleWindow = 8
	needleBlock  = 4
)

// NewNeedles makes the tables for some texts. One of six or seven bytes is a word,
// and found where it stands between others or alone; shorter ones are left out: they
// would be found at every turn.
func NewNeedles(texts []string) *Needles {
	n, r := &Needles{}, newRarity()
	for i := range n.ahead {
		n.ahead[i] = needleWindow - needleBlock + 1
	}
	for _, text := range append(formTexts(), texts...) {
		for _, long := range lengthened(text) {
			if len(n.needle) < math.MaxUint16 {
				n.add([]byte(long), strings.Index(long, text), r)
			}
		}
	}
	return n
}

// lengthened gives a text, or for a word the texts in which it can stand: at the
// beginning or the end of a line or beside a blank, as it is or inside of JSON.
func lengthened(text string) (long []string) {
	const shortest = needleWindow - 2
	switch {
	case len(text) >= needleWindow:
		return []string{text}
	case len(text) < shortest:
		return nil
	}
	for _, before := range []string{"\n", "\r", " ", "\t", `"`} {
		for _, after := range []string{"\n", "\r", " ", "\t", `"`, `\`, "\x1b"} {
			long = append(long, before+text+after)
		}
	}
	for _, before := range []string{`\n`, `\r`, `\t`} {
		long = append(long, before+text)
	}
	return long
}

func (n *Needles) add(text []byte, word int, r *rarity) {
	at := r.rarest(text)
	window := text[at : at+needleWindow]
	for end := needleBlock; end <= needleWindow; end++ {
		block := needleHash(window[end-needleBlock : end])
		n.ahead[block] = min(n.ahead[block], uint8(needleWindow-end))
		if end == needleBlock {
			n.leads[block>>3] |= 1 << (block & 7)
		}
		if end == needleWindow {
			n.needle = append(n.needle, needle{text, at, word, windowOf(window), n.place[block]})
			n.place[block] = uint16(len(n.needle))
		}
	}
}

// windowOf packs the bytes of a window.
func windowOf(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func needleHash(block []byte) uint32 {
	return binary.LittleEndian.Uint32(block) * 0x9e3779b1 >> (32 - needleBits)
}

// A rarity knows how often blocks stand in logs, roughly.
type rarity struct {
	common [256]int
	usual  map[string]bool
}

func newRarity() *rarity {
	// Some words are in every log.
	const usual = ` started stopped failed connected requested updated loaded cache memory process service server container version available
		enabled device module block index name type state status result message number total error warning information function
		system kernel level request response session user client host address open close read write node pod image model token `
	r := &rarity{usual: make(map[string]bool)}
	for at := needleBlock; at <= len(usual); at++ {
		r.usual[usual[at-needleBlock:at]] = true
	}
	for c := range r.common {
		switch {
		case bytes.IndexByte([]byte(" etaonirs"), byte(c)) >= 0:
			r.common[c] = 6
		case c >= 'a' && c <= 'z':
			r.common[c] = 3
		case isDigit(byte(c)), bytes.IndexByte([]byte(`"=:/.-[]`), byte(c)) >= 0:
			r.common[c] = 2
		}
	}
	return r
}

// of is how common a block is. Blanks and dashes fill the tables in logs.
func (r *rarity) of(block []byte) int {
	product := r.common[block[0]] * r.common[block[1]] * r.common[block[2]] * r.common[block[3]]
	if block[0] == block[1] && block[1] == block[2] && block[2] == block[3] || r.usual[string(block[:needleBlock])] {
		return 10 * product
	}
	return product
}

// rarest finds the window of a text that ordinary text has least often.
func (r *rarity) rarest(text []byte) (best int) {
	lowest := 0
	for at := 0; at+needleWindow <= len(text); at++ {
		// At the last block the texts are compared.
		sum := needleWindow * r.of(text[at+needleWindow-needleBlock:])
		for block := at; block+needleBlock <= at+needleWindow; block++ {
			sum += r.of(text[block:])
		}
		if at == 0 || sum < lowest {
			best, lowest = at, sum
		}
	}
	return best
}

// needleLanes is in how many places a text is searched at once: each step waits
// for the table, and those of one place can't overtake each other.
const needleLanes = 4

// Find gives where the first of the texts begins, -1 where there is none. First
// is by where their windows stand: it is in the same line.
func (n *Needles) Find(text []byte) int {
	const worthLanes = 4 << 10
	if len(text) < worthLanes {
		return n.findFrom(text, needleWindow-1, len(text))
	}
	var end, limit [needleLanes]int
	for lane := range end {
		end[lane] = max(needleWindow-1, lane*len(text)/needleLanes)
		limit[lane] = (lane + 1) * len(text) / needleLanes
	}
	at, lane := n.findInLanes(text, &end, &limit)
	for before := range lane {
		if first := n.findFrom(text, end[before], limit[before]); first >= 0 {
			return first
		}
	}
	if at >= 0 {
		return at
	}
	for ; lane < needleLanes; lane++ {
		if first := n.findFrom(text, end[lane], limit[lane]); first >= 0 {
			return first
		}
	}
	return -1
}

// findInLanes searches until a text is found, whose place and lane it gives, or a
// lane is at its end.
func (n *Needles) findInLanes(text []byte, end, limit *[needleLanes]int) (at, lane int) {
	a, b, c, d := end[0], end[1], end[2], end[3]
	endA, endB, endC, endD := limit[0], limit[1], limit[2], limit[3]
	at = -1
	for a < endA && b < endB && c < endC && d < endD {
		if step := n.ahead[blockAt(text, a)]; step > 0 {
			a += int(step)
		} else if !n.mayEnd(text, a) {
			a++
		} else if at = n.compare(text, a); at >= 0 {
			lane = 0
			break
		} else {
			a++
		}
		if step := n.ahead[blockAt(text, b)]; step > 0 {
			b += int(step)
		} else if !n.mayEnd(text, b) {
			b++
		} else if at = n.compare(text, b); at >= 0 {
			lane = 1
			break
		} else {
			b++
		}
		if step := n.ahead[blockAt(text, c)]; step > 0 {
			c += int(step)
		} else if !n.mayEnd(text, c) {
			c++
		} else if at = n.compare(text, c); at >= 0 {
			lane = 2
			break
		} else {
			c++
		}
		if step := n.ahead[blockAt(text, d)]; step > 0 {
			d += int(step)
		} else if !n.mayEnd(text, d) {
			d++
		} else if at = n.compare(text, d); at >= 0 {
			lane = 3
			break
		} else {
			d++
		}
	}
	*end = [...]int{a, b, c, d}
	if at < 0 {
		lane = 0
	}
	return at, lane
}

// findFrom searches the texts whose windows end between two places.
func (n *Needles) findFrom(text []byte, end, limit int) int {
	for end < limit {
		if step := n.ahead[blockAt(text, end)]; step > 0 {
			end += int(step)
			continue
		}
		if n.mayEnd(text, end) {
			if at := n.compare(text, end); at >= 0 {
				return at
			}
		}
		end++
	}
	return -1
}

// blockAt is the block that ends at a place.
func blockAt(text []byte, end int) uint32 {
	return needleHash(text[end-3 : end+1])
}

// leadAt is the block that a window begins with which ends at a place.
func leadAt(text []byte, end int) uint32 {
	return needleHash(text[end-7 : end-3])
}

// mayEnd tells that a window can end at a place: one begins as what stands there.
func (n *Needles) mayEnd(text []byte, end int) bool {
	lead := leadAt(text, end)
	return n.leads[lead>>3]&(1<<(lead&7)) != 0
}

// compare gives where a text begins whose window ends at a place, -1 for none.
func (n *Needles) compare(text []byte, end int) int {
	window := windowOf(text[end-(needleWindow-1) : end+1])
	for i := n.place[blockAt(text, end)]; i > 0; i = n.needle[i-1].next {
		needle := &n.needle[i-1]
		start := end - (needleWindow - 1) - needle.at
		if needle.window == window && start >= 0 && bytes.HasPrefix(text[start:], needle.text) {
			return start + needle.word
		}
	}
	return -1
}
