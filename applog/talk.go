package applog

import "bytes"

// isTalk tells a line that speaks of an error rather than being one: of a
// manual, a chat, a question. What stands before an error's own text in a real
// log is written by loggers (stamps, levels, names in brackets, the class of an
// exception), hardly by people.
func (sp *span) isTalk() bool {
	head := bytes.TrimSpace(sp.head)
	if len(head) == 0 {
		return false
	}
	if sp.isSpoken() {
		return true
	}
	plain, failure := 0, false
	for word := range bytes.FieldsSeq(head) {
		switch wordKind(word) {
		case wordPlain:
			plain++
		case wordFailure:
			failure = true
		}
	}
	return plain > 1 && !failure || plain > maxPlain
}

// isSpoken tells a line that quotes or in which somebody speaks. It is the
// question for errors that stand behind a long sentence of the program's own.
func (sp *span) isSpoken() bool {
	head := bytes.TrimSpace(sp.head)
	if len(head) == 0 {
		return false
	}
	if isQuotation(head) || isTests(head) || isSource(head) {
		return true
	}
	for word := range bytes.FieldsSeq(head) {
		if wordKind(word) == wordPerson || isNick(word) {
			return true
		}
	}
	return false
}

// isNick tells "<alice>", as the logs of chats name who speaks. Loggers have
// levels and Python has places there.
func isNick(word []byte) bool {
	if len(word) < 3 || word[0] != '<' || word[len(word)-1] != '>' {
		return false
	}
	name := bytes.TrimLeft(word[1:len(word)-1], "@+%&~")
	if len(name) == 0 || !startsWord(name) || isLevel(name) {
		return false
	}
	switch string(name) {
	case "module", "string", "stdin", "unknown", "lambda", "none", "null":
		return false
	}
	return true
}

// startsError tells that an error's own name can begin here: at the start of a
// line, or behind the stamp, level or name that a logger puts there. In code and
// in sentences a word stands before it.
func startsError(head []byte) bool {
	head = bytes.TrimRight(head, " ")
	if len(head) == 0 {
		return true
	}
	last := head[len(head)-1]
	if isDigit(last) || bytes.IndexByte([]byte(`:])|>"'-`), last) >= 0 {
		return true
	}
	word := head[bytes.LastIndexByte(head, ' ')+1:]
	return last != '.' && last != '_' && wordKind(word) == wordOther && !startsWord(head[len(head)-1:]) || isLevel(word)
}

func isLevel(word []byte) bool {
	word = bytes.ToLower(word)
	for _, level := range levels() {
		if string(word) == level {
			return true
		}
	}
	return string(word) == "error" || string(word) == "fatal"
}

// maxPlain is how many words a logger's own message may have before the error
// that it passes on ("Error while running the node: CUDA out of memory...").
const maxPlain = 8

// isQuotation tells text that quotes: of Markdown, a comment, a speaker.
func isQuotation(head []byte) bool {
	for _, start := range []string{"> ", "# ", "## ", "- ", "* ", "// ", "| ", "`", "Q:", "A:"} {
		if bytes.HasPrefix(head, []byte(start)) && !isBarred(head) || string(head) == start[:len(start)-1] {
			return true
		}
	}
	// The head ends with an opening quotation mark of prose; a logger's field
	// (msg=", "error":") ends with a sign before it.
	last := head[len(head)-1]
	if last == '`' {
		return true
	}
	if last != '"' && last != '\'' || len(head) < 2 {
		return false
	}
	before := bytes.TrimRight(head[:len(head)-1], " \\")
	return len(before) > 0 && bytes.IndexByte([]byte(":=([{,"), before[len(before)-1]) < 0
}

// isBarred tells fairseq's lines, which begin with a bar and a level: "| WARNING: ".
func isBarred(head []byte) bool {
	level, is := bytes.CutPrefix(head, []byte("| "))
	level, _, colon := bytes.Cut(level, []byte(":"))
	return is && colon && isLevel(level)
}

// isTests tells the place in a test that go test and pytest put before a line.
func isTests(head []byte) bool {
	if bytes.Contains(head, []byte("_test.go:")) || bytes.Contains(head, []byte(".py::")) {
		return true
	}
	word := head[bytes.LastIndexByte(head, ' ')+1:]
	return bytes.Contains(word, []byte("test")) && bytes.Contains(word, []byte(".py:")) && word[len(word)-1] == ':'
}

// isSource tells a line of a program's source, as a traceback shows it: the error's
// text stands in the call that makes the error.
func isSource(head []byte) bool {
	for _, word := range []string{"raise ", "throw ", "panic("} {
		if at := bytes.Index(head, []byte(word)); at >= 0 && containsAny(head[at:], []string{`("`, `('`, `(f"`, `(f'`}) {
			return true
		}
	}
	return false
}

type wordClass int

const (
	wordOther   wordClass = iota // of a logger: a stamp, a level, a name, a number
	wordPlain                    // of a language
	wordFailure                  // of a language, and says that something failed
	wordPerson                   // of somebody who speaks
)

// wordKind tells what a word before an error is.
func wordKind(word []byte) wordClass {
	word = bytes.TrimSuffix(word, []byte(","))
	colon := bytes.HasSuffix(word, []byte(":"))
	word = bytes.ToLower(bytes.TrimRight(word, ":"))
	for _, person := range persons() {
		if string(word) == person {
			return wordPerson
		}
	}
	if colon && isSpeaker(word) {
		return wordPerson
	}
	for _, failure := range failures() {
		if string(word) == failure {
			return wordFailure
		}
	}
	for _, level := range levels() {
		if string(word) == level {
			return wordOther
		}
	}
	if bytes.HasSuffix(word, []byte("error")) || bytes.HasSuffix(word, []byte("exception")) {
		return wordFailure
	}
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return wordOther
		}
	}
	if len(word) < 2 {
		return wordOther
	}
	return wordPlain
}

func persons() []string {
	return []string{
		"i", "i'm", "my", "you", "your", "we", "our", "says", "said", "saying", "getting", "got", "if", "when", "like", "see", "seeing",
		"such", "called", "example", "e.g.", "means", "avoid", "the:", "how", "why", "what",
	}
}

func isSpeaker(word []byte) bool {
	for _, speaker := range []string{"user", "assistant", "human", "system", "ai", "bot", "me", "question", "answer", "prompt"} {
		if string(word) == speaker {
			return true
		}
	}
	return false
}

func failures() []string {
	return []string{
		"error", "failed", "failure", "exception", "caught", "crashed", "died", "unable", "cannot", "terminated", "fatal", "raised",
		"failing", "fails", "aborted", "aborting", "uncaught", "unhandled", "errored",
	}
}

func levels() []string {
	return []string{
		"trace", "debug", "info", "notice", "warn", "warning", "err", "crit", "critical", "severe", "panic", "stderr", "stdout",
		"cuda", "hip", "xpu", "mlu", "gcu", "root", "kernel", "main", "worker", "server", "python", "pm", "am", "utc",
	}
}
