package systemd

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Pattern makes a regular expression for journalctl --grep that finds the lines
// in which one of the texts stands. journalctl matches by PCRE2's interpreter
// (systemd 252, src/shared/pcre2-util.c), which tries each alternative at each
// place of a line where one could begin: for the plain alternation of a hundred
// texts that is 138 us a line. So every alternative begins at a byte that is rare
// in logs, goes on by the byte that comes next, and looks back only where all of
// that fits; where nothing does, no other alternative is tried at that byte. 450
// texts take 2 us a line.
func Pattern(texts []string) string {
	texts = withoutCovered(texts)
	pivots := choosePivots(texts)
	groups := make(map[byte][]pivoted)
	for _, text := range texts {
		at := pivotOf(text, pivots)
		groups[text[at]] = append(groups[text[at]], pivoted{text, at})
	}
	var alternatives []string
	for _, pivot := range slices.SortedFunc(maps.Keys(groups), func(a, b byte) int {
		return cmp.Or(frequency(b)-frequency(a), int(a)-int(b))
	}) {
		alternatives = append(alternatives, quoteByte(pivot)+"(?:"+strings.Join(branches(groups[pivot]), "|")+noOther+")")
	}
	return strings.Join(alternatives, "|")
}

// noOther goes on behind a pivot at which nothing fitted: the other alternatives
// begin with other bytes (pcre2pattern(3), "Verbs that act after backtracking").
const noOther = "|(*SKIP)(*F)"

// A pivoted text is looked for by the byte at a place in it.
type pivoted struct {
	text string
	at   int
}

// branches are the alternatives of the texts behind their pivot, one for each byte
// that comes next: that is the cheapest question, and looking back the dearest.
func branches(texts []pivoted) (list []string) {
	next := make(map[byte][]string)
	for _, p := range texts {
		after := p.text[p.at+1:]
		switch {
		case after == "":
			list = append(list, lookBack(p.text[max(0, p.at-2):])+lookBack(p.text))
		case p.at == 0:
			next[after[0]] = append(next[after[0]], quote(after[1:]))
		default:
			next[after[0]] = append(next[after[0]], quote(after[1:])+lookBack(p.text))
		}
	}
	for _, c := range slices.Sorted(maps.Keys(next)) {
		branch := strings.Join(next[c], "|")
		if len(next[c]) > 1 {
			branch = "(?:" + branch + ")"
		}
		list = append(list, quoteByte(c)+branch)
	}
	return list
}

// lookBack asks for the text that ends here.
func lookBack(text string) string { return "(?<=" + quote(text) + ")" }

// withoutCovered drops texts that hold another one, which finds their lines too,
// and what PCRE2 or an argument cannot take.
func withoutCovered(texts []string) []string {
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool {
		return text == "" || strings.IndexByte(text, 0) >= 0 || slices.ContainsFunc(texts, func(other string) bool {
			return other != text && other != "" && strings.Contains(text, other)
		})
	})
}

// choosePivots finds bytes of which every text has one and which are rare
// together: one at a time, the one that costs the least for the texts that it
// adds, and then without those that the others make superfluous.
func choosePivots(texts []string) []byte {
	var chosen []byte
	left := slices.Clone(texts)
	for len(left) > 0 {
		best, least := byte(0), 0.0
		for c := range 256 {
			n := 0
			for _, text := range left {
				if strings.IndexByte(text, byte(c)) >= 0 {
					n++
				}
			}
			if cost := float64(frequency(byte(c))) / float64(max(n, 1)); n > 0 && (least == 0 || cost < least) {
				best, least = byte(c), cost
			}
		}
		chosen = append(chosen, best)
		left = slices.DeleteFunc(left, func(text string) bool { return strings.IndexByte(text, best) >= 0 })
	}
	slices.SortStableFunc(chosen, func(a, b byte) int {
		return cmp.Or(frequency(b)-frequency(a), int(a)-int(b))
	})
	for i := 0; i < len(chosen); {
		rest := string(slices.Delete(slices.Clone(chosen), i, i+1))
		if slices.ContainsFunc(texts, func(text string) bool { return !strings.ContainsAny(text, rest) }) {
			i++
		} else {
			chosen = []byte(rest)
		}
	}
	return chosen
}

// pivotOf is where a text's alternative begins: at its rarest pivot, of several
// the one before the rarest byte.
func pivotOf(text string, pivots []byte) int {
	best, least := -1, 0
	for at := range len(text) {
		if !slices.Contains(pivots, text[at]) {
			continue
		}
		cost := 1000 * frequency(text[at])
		if at+1 < len(text) {
			cost += frequency(text[at+1])
		} else {
			cost += frequency(' ')
		}
		if best < 0 || cost < least {
			best, least = at, cost
		}
	}
	return best
}

// frequency is how often a byte stands in log text, in a unit of its own: by the
// ranks of bytes in the logs of services, package managers and kernels, each some
// tenth rarer than the one before. Bytes that are not listed are rare.
func frequency(c byte) int {
	const common = " etaoinsrdlcumpgh.0123456789-/:_fbvw=kyxjqz,()[]\"'"
	at := strings.IndexByte(common, c)
	if at < 0 {
		return 1
	}
	n := 1000
	for range at {
		n = n * 9 / 10
	}
	return max(n, 4)
}

// quote makes a text match itself.
func quote(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(quoteByte(text[i]))
	}
	return b.String()
}

func quoteByte(c byte) string {
	if strings.IndexByte(`\^$.|?*+()[]{}#`, c) >= 0 {
		return `\` + string(rune(c))
	}
	return string([]byte{c})
}
