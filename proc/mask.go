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
	m := masker{out: make([]string, 0, len(args)), tokens: tokenForms()}
	for _, arg := range args {
		m.add(arg)
	}
	return m.out
}

// A masker goes through a command line. What an argument means depends on the
// program that it is for and on the argument before.
type masker struct {
	out     []string
	tokens  []tokenForm
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
	expectPair                // name=secret
	expectMore                // perhaps one more of a flag's secrets: only if it looks like one
)

func (m *masker) add(arg string) {
	expected := m.pending
	m.pending = expectNothing
	isFlag := len(arg) > 1 && arg[0] == '-'
	switch {
	case expected == expectSecret && isDashedSecret(arg):
		m.out = append(m.out, masked)
	case expected != expectNothing && !isFlag:
		m.out = append(m.out, m.value(expected, arg))
	case isFlag:
		m.out = append(m.out, m.flag(arg))
	default:
		m.out = append(m.out, m.word(arg))
	}
}

// isDashedSecret tells a secret that begins with a dash, as random ones do, from
// the next flag.
func isDashedSecret(arg string) bool {
	const length = 10
	return len(arg) >= length && arg[0] == '-' && arg[1] != '-' && strings.ContainsAny(arg, "0123456789") &&
		!strings.ContainsAny(arg, "=:")
}

// word masks an argument of which nothing is known, and notes what it says of
// the next one.
func (m *masker) word(arg string) string {
	if flags, known := passwordFlagsOf(arg); known {
		m.program = flags
		return m.text(arg)
	}
	if m.program.connect {
		m.program.connect = false
		arg = maskConnect(arg, m.program.signOr())
	}
	if slash := m.program.slash; slash != "" && strings.HasPrefix(arg, slash) {
		return slash + masked
	}
	m.pending = m.program.word(arg)
	if m.pending == expectNothing {
		m.pending = expectAfter(arg)
	}
	return m.text(arg)
}

// maskConnect masks the password of "user/password@database".
func maskConnect(arg, sign string) string {
	open := userLength(arg, sign)
	if open == 0 || open == len(arg) {
		return arg
	}
	if at := strings.LastIndexByte(arg, '@'); at > open {
		return arg[:open] + masked + arg[at:]
	}
	return arg[:open] + masked
}

// value masks an argument of which it is known what it is.
func (m *masker) value(expected expectation, arg string) string {
	switch expected {
	case expectHeader:
		if isScheme(arg) {
			m.pending = expectSecret
			return arg
		}
		return arg[:schemeLength(arg)] + masked
	case expectLogin:
		return m.login(arg)
	case expectPair:
		if name, _, is := strings.Cut(arg, "="); is {
			return name + "=" + masked
		}
		return m.text(arg)
	case expectMore:
		if looksRandom(arg, randomLength) {
			m.pending = expectMore
			return masked
		}
		return m.text(arg)
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
		if m.program.takesOne() {
			m.program = passwordFlags{}
		}
		return kept
	}
	name := strings.TrimLeft(arg, "-")
	if strings.ContainsAny(name, "=:") || strings.ContainsAny(name, " \t\n") {
		m.pending = expectAfter(arg)
		return m.text(arg)
	}
	if isSecretName(name) {
		m.pending = expectSecret
		return arg
	}
	switch {
	case isLoginName(name):
		m.pending = expectLogin
	case isBareKeyName(name):
		m.pending = expectMore
	}
	return m.text(arg)
}

// expectAfter tells an argument that ends in "Authorization:", "Bearer" or
// "X-Api-Key:", whose value was split off. "KEY=" is none: its value is empty.
func expectAfter(arg string) expectation {
	if len(arg) > len(" bearer") && strings.EqualFold(arg[len(arg)-len(" bearer"):], " bearer") {
		return expectSecret
	}
	name, is := strings.CutSuffix(arg, ":")
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

// login masks the password of "user:password".
func (m *masker) login(arg string) string {
	open := userLength(arg, m.program.signOr())
	switch {
	case open == len(arg) && looksRandom(arg, randomLength):
		return masked
	case open == len(arg):
		return m.text(arg)
	}
	return arg[:open] + masked
}

// isNoSecret tells a value that cannot be one: it says whether something is on.
func isNoSecret(arg string) bool {
	switch strings.ToLower(arg) {
	case "", "true", "false", "none", "null":
		return true
	}
	return len(arg) == 1 && isDigit(arg[0]) || isKeyFile(arg) // "ffmpeg -pass 2"
}

// isKeyFile tells the path of a file with a secret, which is no secret.
func isKeyFile(arg string) bool {
	if !strings.HasPrefix(arg, "/") && !strings.HasPrefix(arg, "./") && !strings.HasPrefix(arg, "~/") {
		return false
	}
	for _, folder := range []string{"/run/secrets/", "/var/run/secrets/", "/etc/", "/proc/"} {
		if strings.HasPrefix(arg, folder) {
			return true
		}
	}
	for _, suffix := range []string{
		".pem", ".key", ".crt", ".cer", ".p12", ".pfx", ".jks", ".pub", ".json", ".yaml", ".yml", ".conf", ".txt",
		"/id_rsa", "/id_ed25519",
	} {
		if strings.HasSuffix(arg, suffix) {
			return true
		}
	}
	return false
}
