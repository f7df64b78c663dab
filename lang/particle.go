package lang

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An ending is how the sound of a word ends, by which Korean chooses the
// particle that follows it.
type ending uint8

const (
	open   ending = iota // a vowel: 커피 (커피는, 커피로)
	closed               // a consonant (받침): 램 (램은, 램으로)
	liquid               // the consonant ㄹ: 커널 (커널은, but 커널로)
)

// particle chooses from a pair, "은/는" or "으로/로", the one that follows the
// text: the first after a consonant, the second after a vowel. 으로 is for
// consonants other than ㄹ.
func particle(text, pair string) string {
	afterConsonant, afterVowel, _ := strings.Cut(pair, "/")
	switch ends := endingOf(text); {
	case ends == open, ends == liquid && strings.HasPrefix(afterConsonant, "으로"):
		return afterVowel
	}
	return afterConsonant
}

// endingOf tells how a text ends when it is read aloud. A note in brackets at
// its end does not count ("python(PID 2)" is read as "python"), nor what nobody
// reads, such as quotes; of writing that we cannot read it says a vowel.
func endingOf(text string) ending {
	if at := strings.LastIndexByte(text, '('); at > 0 && strings.HasSuffix(text, ")") {
		text = text[:at]
	}
	text = strings.TrimRightFunc(text, isSilent)
	last, size := utf8.DecodeLastRuneInString(text)
	switch {
	case last >= '가' && last <= '힣':
		return endingOfSyllable(last)
	case last >= '0' && last <= '9':
		return endingOfDigit(last)
	case size == 1 && unicode.IsLetter(last):
		return endingOfLatin(lastWord(text))
	}
	return open
}

func isSilent(r rune) bool {
	return r != '%' && r != '+' && (unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r))
}

// endingOfSyllable takes the final consonant out of a syllable: each vowel has
// 28 finals in a row, the first of them none (Unicode, section 3.12).
func endingOfSyllable(r rune) ending {
	const finals, rieul = 28, 8
	switch (r - '가') % finals {
	case 0:
		return open
	case rieul:
		return liquid
	}
	return closed
}

// endingOfDigit goes by the Sino-Korean reading: 영 일 이 삼 사 오 육 칠 팔 구. A
// number that ends in 0 ends in 십, 백, 천, 만 or 억, which are consonants too.
func endingOfDigit(r rune) ending {
	switch r {
	case '1', '7', '8':
		return liquid
	case '0', '3', '6':
		return closed
	}
	return open
}

// lastWord is the Latin word at the end of a text. Where small letters turn to
// capitals, or a capital begins a word, a new one begins: "vLLM" ends in "LLM",
// "PyTorch" in "Torch".
func lastWord(text string) string {
	at := len(text)
	for at > 0 && isLatin(text[at-1]) {
		if at < len(text) && isSmall(text[at-1]) != isSmall(text[at]) {
			if isSmall(text[at]) { // the capital before belongs to it
				at--
			}
			break
		}
		at--
	}
	return text[at:]
}

func isLatin(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

func isSmall(b byte) bool { return b >= 'a' && b <= 'z' }

// endingOfLatin guesses how a Latin word is read in Korean. It is a rule of
// thumb: most names of programs and units are English words or initials.
func endingOfLatin(word string) ending {
	small := strings.ToLower(word)
	if word != small && word[1:] != small[1:] || !strings.ContainsAny(small, vowels+"y") || len(word) == 1 {
		return endingOfInitial(small[len(small)-1])
	}
	if stem, cut := strings.CutSuffix(small, "e"); cut && strings.ContainsAny(stem, vowels+"y") {
		return endingOfSilentE(stem)
	}
	return endingOfWord(small)
}

const vowels = "aeiou"

func endsInAny(word string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
}

// endingOfInitial is that of a letter's name: 엘, 엠, 엔, 알.
func endingOfInitial(letter byte) ending {
	switch letter {
	case 'l', 'r':
		return liquid
	case 'm', 'n':
		return closed
	}
	return open
}

// endingOfSilentE is that of a word without the e at its end: "engine" (엔진),
// "module" (모듈), but "service" (서비스).
func endingOfSilentE(stem string) ending {
	switch stem[len(stem)-1] {
	case 'l':
		return liquid
	case 'm', 'n':
		return closed
	}
	return open
}

// endingOfWord goes by the last letters: l, m, n and ng always close; k, p, t
// and b do after one short vowel ("swap" 스왑, but "root" 루트, "disk" 디스크).
func endingOfWord(small string) ending {
	switch last := small[len(small)-1]; {
	case last == 'l':
		return liquid
	case last == 'm', last == 'n', endsInAny(small, "ng", "ook", "out", "group"):
		return closed
	case !slices.Contains([]byte("kptbc"), last):
		return open
	}
	before := strings.TrimSuffix(small[:len(small)-1], "c") // "stack" 스택
	before = strings.TrimSuffix(before, "p")                // "app" 앱
	short := len(before) > 0 && strings.IndexByte(vowels, before[len(before)-1]) >= 0
	long := len(before) > 1 && strings.IndexByte(vowels, before[len(before)-2]) >= 0
	if short && !long {
		return closed
	}
	return open
}
