package applog

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every literal is found where it stands, whichever pair of its bytes it is
// looked for by, in the order in which they stand there.
func TestLiteralsAreFoundInTheirOrder(t *testing.T) {
	literals := Anchors()
	x := indexLiterals(literals)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text []byte
		for range random.IntN(5) {
			text = append(text, literals[random.IntN(len(literals))]...)
			text = append(text, "ratx[ =/_"[:random.IntN(9)]...)
		}
		type hit struct{ literal, at int }
		var want []hit
		for i, literal := range literals {
			for at := 0; ; at++ {
				next := bytes.Index(text[at:], []byte(literal))
				if next < 0 {
					break
				}
				at += next
				want = append(want, hit{i, at})
			}
		}
		if len(want) > maxHits {
			continue // cut
		}
		slices.SortFunc(want, func(a, b hit) int { return cmp.Or(a.at-b.at, a.literal-b.literal) })
		got := x.find(text, nil)
		if len(got) != len(want) {
			t.Fatalf("%d found, want %d: %q", len(got), len(want), text)
		}
		for i := range want {
			same := func(h hit) bool { return h.at == want[i].at && h.literal == got[i] }
			if !slices.ContainsFunc(want, same) {
				t.Fatalf("hit %d is %q, want %q: %q", i, literals[got[i]], literals[want[i].literal], text)
			}
		}
	}
}
