package proc

import "strings"

// masked stands where a secret was.
const masked = "***"

// MaskSecrets gives a copy of a command line in which the values of secrets read
// "***": those of flags and variables that are named for it, of URLs, of headers,
// and whatever has the form of a known kind of token. The names stay, so that
// the reader sees what was there. It takes any bytes, in linear time.
//
// A flag whose value is an ordinary number or word of a model's vocabulary
// ("--max-tokens 4096", "--eos-token </s>") is left alone.
func MaskSecrets(args []string) []string {
	m := masker{out: make([]string, 0, len(args))}
	for _, arg := range args {
		m.add(arg)
	}
	return m.out
}

// A masker goes through a command line. What an argument means depends on the
// program that it is for and on the argument before.
type masker struct {
	out     []string
	program passwordFlags // of the last program that was named
	pending expectation   // what the next argument is
}

// expectation is what the next argument is.
type expectation int

const (
	expectNothing expectation = iota
	expectSecret              // a secret, whatever it looks like
	expectHeader              // the value of an Authorization header: a scheme, then the secret
	expectLogin               // user:password
	expectMore                // perhaps one more of a flag's secrets: only if it looks like one
)

func (m *masker) add(arg string) {
	expected := m.pending
	m.pending = expectNothing
	isFlag := len(arg) > 1 && arg[0] == '-'
	if expected != expectNothing && !isFlag {
		m.out = append(m.out, m.value(expected, arg))
		return
	}
	if isFlag {
		m.out = append(m.out, m.flag(arg))
		return
	}
	if flags, known := passwordFlagsOf(arg); known {
		m.program = flags
	}
	m.pending = expectAfter(arg)
	m.out = append(m.out, maskText(arg))
}

// value masks an argument of which it is known what it is.
func (m *masker) value(expected expectation, arg string) string {
	switch expected {
	case expectHeader:
		if isScheme(arg) {
			m.pending = expectSecret
			return arg
		}
		return maskHeader(arg)
	case expectLogin:
		return maskLogin(arg)
	case expectMore:
		if looksRandom(arg, randomLength) {
			m.pending = expectMore
			return masked
		}
		return maskText(arg)
	}
	m.pending = expectMore
	if isNoSecret(arg) {
		return arg
	}
	return masked
}

// flag masks what stands in a flag itself and notes what it says of the next
// argument.
func (m *masker) flag(arg string) string {
	if kept, expected, is := m.program.match(arg); is {
		m.pending = expected
		if m.program.login == "" {
			m.program = passwordFlags{} // it takes one, and another program may follow
		}
		return kept
	}
	name := strings.TrimLeft(arg, "-")
	if strings.ContainsAny(name, "=:") || strings.ContainsAny(name, " \t\n") {
		m.pending = expectAfter(arg)
		return maskText(arg)
	}
	if isSecretName(name) {
		m.pending = expectSecret
		return arg
	}
	if isLoginName(name) {
		m.pending = expectLogin
	}
	return maskText(arg)
}

// expectAfter tells an argument that ends in "Authorization:", "Bearer" or
// "password=", whose value was split off.
func expectAfter(arg string) expectation {
	if len(arg) > len(" bearer") && strings.EqualFold(arg[len(arg)-len(" bearer"):], " bearer") {
		return expectSecret
	}
	name, is := strings.CutSuffix(arg, ":")
	if !is {
		name, is = strings.CutSuffix(arg, "=")
	}
	name = name[strings.LastIndexAny(name, " \t\n'\"")+1:]
	switch {
	case !is:
		return expectNothing
	case isHeaderName(name):
		return expectHeader
	case isSecretName(name):
		return expectSecret
	}
	return expectNothing
}

// maskLogin masks the password of "user:password".
func maskLogin(arg string) string {
	user, after, has := strings.Cut(arg, ":")
	if !has || strings.HasPrefix(after, "//") {
		return maskText(arg)
	}
	return user + ":" + masked
}

// isNoSecret tells a value that cannot be one: it says whether something is on.
func isNoSecret(arg string) bool {
	switch strings.ToLower(arg) {
	case "", "true", "false", "none", "null":
		return true
	}
	return len(arg) == 1 && isDigit(arg[0]) || isKeyFile(arg) // "ffmpeg -pass 2"
}

// isKeyFile tells the path of a file with a key, which is no secret.
func isKeyFile(arg string) bool {
	if !strings.HasPrefix(arg, "/") && !strings.HasPrefix(arg, "./") && !strings.HasPrefix(arg, "~/") {
		return false
	}
	for _, suffix := range []string{".pem", ".key", ".crt", ".cer", ".p12", ".pfx", ".pub", "/id_rsa", "/id_ed25519"} {
		if strings.HasSuffix(arg, suffix) {
			return true
		}
	}
	return false
}
