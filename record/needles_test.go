package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/record"
)

// firstOf is the plain way: where the first line begins in which one stands.
func firstOf(text []byte, texts []string) int {
	first := -1
	for _, one := range texts {
		if at := bytes.Index(text, []byte(one)); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return lineOf(text, first)
}

func lineOf(text []byte, at int) int {
	if at < 0 {
		return -1
	}
	return bytes.LastIndexByte(text[:at], '\n') + 1
}

// haystack is lines of a few letters, in which what is looked for often nearly
// stands, and seldom does.
func haystack(random *rand.Rand, size int, texts []string) []byte {
	var text []byte
	for len(text) < size {
		switch one := texts[random.IntN(len(texts))]; random.IntN(400) {
		case 0:
			text = append(text, one...)
		case 1, 2, 3, 4, 5, 6, 7, 8:
			from := random.IntN(len(one))
			text = append(text, one[from:from+random.IntN(len(one)-from)]...)
		case 9, 10, 11, 12:
			text = append(text, '\n')
		default:
			text = append(text, "etaoin outmemr"[random.IntN(14)])
		}
	}
	return text[:size]
}

// What is found is in the first line that has one of the texts, in short pieces
// and in long ones.
func TestNeedlesAreFoundWhereTheyStand(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	texts := []string{"out of memory", "t memory", "Killed process", "cannot allocate", "outmemoutmem", "oom-kill", "\xff\xfe\x00\x01\x02\x03\x04\x05"}
	needles := record.NewNeedles(texts)
	found := 0
	for range 3000 {
		size := random.IntN(300)
		if random.IntN(4) == 0 {
			size = random.IntN(20_000)
		}
		text := haystack(random, size, texts)
		got, want := needles.Find(text), firstOf(text, texts)
		if lineOf(text, got) != want {
			t.Fatalf("found at %d, want the line at %d: %q", got, want, text)
		}
		if want >= 0 {
			found++
		}
	}
	if found < 300 || found > 2700 {
		t.Errorf("%d of 3000 had one: the texts prove too little", found)
	}
}

// A word that is too short for the search is found where it stands alone, and told
// by its own line.
func TestShortWordsAreFoundWhereTheyStandAlone(t *testing.T) {
	needles := record.NewNeedles([]string{"Killed"})
	filler := bytes.Repeat([]byte("nothing of note\n"), 1000)
	for line, found := range map[string]bool{
		"Killed": true, "Killed\r": true, "[1]+  Killed  x": true, "*** [all] Killed": true, `{"log":"Killed\n"}`: true,
		`{"MESSAGE":"a\nKilled"}`: true, "\tKilled": true, "OverKilled": false, "Killedness": false, "killed": false,
	} {
		text := append(append(append(bytes.Clone(filler), line...), '\n'), filler...)
		want := -1
		if found {
			want = len(filler)
		}
		if got := lineOf(text, needles.Find(text)); got != want {
			t.Errorf("%q: found in the line at %d, want %d", line, got, want)
		}
	}
}

func FuzzNeedles(f *testing.F) {
	f.Add([]byte("an out of memory error\nKilled process 1\n"), "out of memory", "Killed process", uint16(5000))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0}, "\x00\x00\x00\x00\x00\x00\x00\x00", "abcdefgh", uint16(0))
	f.Fuzz(func(t *testing.T, text []byte, one, other string, before uint16) {
		texts := []string{one, other}
		for _, each := range texts {
			if len(each) < 8 || strings.IndexByte(each, '\n') >= 0 {
				return
			}
		}
		text = append(bytes.Repeat([]byte("x\n"), int(before)/2), text...) // long enough for lanes
		if got, want := lineOf(text, record.NewNeedles(texts).Find(text)), firstOf(text, append(texts, record.FormTexts()...)); got != want {
			t.Fatalf("found in the line at %d, want %d", got, want)
		}
	})
}

// How long a search takes grows with the text alone, not with how many texts are
// looked for.
func BenchmarkNeedles(b *testing.B) {
	text := haystack(rand.New(rand.NewPCG(3, 4)), 1<<20, []string{"abc"})
	var texts []string
	for i := range 400 {
		texts = append(texts, fmt.Sprintf("what is looked for %d", i))
	}
	needles := record.NewNeedles(texts)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		needles.Find(text)
	}
}
