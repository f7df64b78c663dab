package proc

import "strings"

// maskShell masks what the programs in a shell's script take by a short flag:
// `sh -c 'sshpass -p SECRET ssh host'`.
func maskShell(text string) string {
	if !strings.ContainsAny(text, " \t\n") {
		return text
	}
	var out strings.Builder
	var program passwordFlags
	expected := expectNothing
	for rest := text; rest != ""; {
		blank := len(rest) - len(strings.TrimLeft(rest, separators))
		out.WriteString(rest[:blank])
		rest = rest[blank:]
		length := wordLength(rest)
		word := rest[:length]
		rest = rest[length:]
		word, expected, program = maskWord(word, expected, program)
		out.WriteString(word)
	}
	return out.String()
}

// separators stand between the words of a script. Double quotes and back quotes
// are among them, as a script's word is often a script itself.
const separators = " \t\r\n\"`;|&()"

// wordLength is how far the first word of a script reaches. A single quote
// begins a quoted part only where a secret may stand, at the head of the word or
// behind a flag's letter, because elsewhere it may be an apostrophe.
func wordLength(text string) int {
	for _, quote := range []int{0, 2} {
		if len(text) > quote && text[quote] == '\'' && (quote == 0 || text[0] == '-') {
			if end := strings.IndexByte(text[quote+1:], '\''); end >= 0 {
				return quote + 1 + end + 1
			}
		}
	}
	if end := strings.IndexAny(text, separators); end >= 0 {
		return end
	}
	return len(text)
}

// maskWord masks a word of a script and tells what the next one is, and for
// which program.
func maskWord(word string, expected expectation, program passwordFlags) (string, expectation, passwordFlags) {
	if flags, known := passwordFlagsOf(strings.Trim(word, "'")); known {
		return word, expectNothing, flags
	}
	isFlag := strings.HasPrefix(word, "-")
	switch {
	case word == "":
		return word, expected, program
	case expected == expectSecret && !isFlag:
		return masked, expectNothing, passwordFlags{}
	case expected == expectLogin && !isFlag:
		open := userLength(word, program.signOr())
		if open < len(word) {
			word = word[:open] + masked
		}
		return word, expectNothing, program
	}
	if kept, next, is := program.match(word); is {
		return kept, next, program
	}
	if !isFlag {
		return word, program.word(word), program
	}
	return word, expectNothing, program
}
