package proc

import "strings"

// text masks the secrets inside one text: an argument, a URL, a script given to a
// shell, a JSON document.
func (m *masker) text(text string) string {
	if len(text) < minSecretText {
		return text
	}
	text = maskPEM(text)
	text = maskShell(text)
	text = maskURLs(text)
	text = maskAddresses(text)
	text = maskTokens(text, m.tokens)
	text = maskBotTokens(text)
	return maskFields(text)
}

// minSecretText is the shortest text that can hold a name, a sign and a secret.
const minSecretText = 4

// rewrite goes through a text and replaces what find finds: from position at,
// the bytes after keep and before end are masked. End 0 is nothing found.
func rewrite(text string, find func(at int) (keep, end int)) string {
	var out strings.Builder
	copied := 0
	for at := 0; at < len(text); at++ {
		keep, end := find(at)
		if end == 0 {
			continue
		}
		out.WriteString(text[copied : at+keep])
		if keep < end {
			out.WriteString(masked)
		}
		copied = at + end
		at = copied - 1
	}
	if copied == 0 {
		return text
	}
	out.WriteString(text[copied:])
	return out.String()
}

// maskURLs masks the password of "scheme://user:password@host", also where it
// has characters that should have been escaped.
func maskURLs(text string) string {
	const sign = "://"
	var out strings.Builder
	rest := text
	for {
		at := strings.Index(rest, sign)
		if at < 0 {
			break
		}
		out.WriteString(rest[:at+len(sign)])
		rest = rest[at+len(sign):]
		url := rest[:urlLength(rest)]
		user, after, has := cutUserinfo(url)
		if has {
			out.WriteString(user)
			rest = rest[after:]
		}
	}
	out.WriteString(rest)
	return out.String()
}

// urlLength is how far a URL reaches in a text: to blank space, a quote, or the
// next URL.
func urlLength(text string) int {
	if next := strings.Index(text, "://"); next >= 0 {
		text = text[:next]
	}
	if end := strings.IndexAny(text, " \t\r\n'\"`<>|\\"); end >= 0 {
		return end
	}
	return len(text)
}

// cutUserinfo gives the masked user part of what follows "://", and where the
// rest of it begins.
func cutUserinfo(url string) (user string, after int, has bool) {
	authority := len(url)
	if end := strings.IndexAny(url, "/?#"); end >= 0 {
		authority = end
	}
	at := strings.LastIndexByte(url[:authority], '@')
	if at < 0 && !isHostPort(url[:authority]) {
		at = strings.LastIndexByte(url, '@') // the password has a slash
	}
	if at < 0 {
		return "", 0, false
	}
	name, _, hasPassword := strings.Cut(url[:at], ":")
	switch {
	case hasPassword:
		return name + ":" + masked, at, true
	case looksRandom(name, randomLength):
		return masked, at, true
	}
	return "", 0, false
}

// isHostPort tells an authority without a user: no colon, or a port behind it.
func isHostPort(authority string) bool {
	at := strings.LastIndexByte(authority, ':')
	return at < 0 || strings.Trim(authority[at+1:], "0123456789") == ""
}

// maskFields masks the value behind every name of a secret in a text: after "="
// or ":", or after blank space where the name is that of a flag.
func maskFields(text string) string {
	return rewrite(text, func(at int) (keep, end int) {
		if !isNameByte(text[at]) || at > 0 && isNameByte(text[at-1]) {
			return 0, 0
		}
		nameEnd := at
		for nameEnd < len(text) && isNameByte(text[nameEnd]) {
			nameEnd++
		}
		kind := kindOfField(text, at, nameEnd)
		if kind == fieldOpen {
			return 0, 0
		}
		value, is := valueAt(text, at, nameEnd)
		if !is {
			return 0, 0
		}
		end = value + valueLength(text, at, value, kind)
		value += openLength(text[value:end], kind)
		if isNoSecret(text[value:end]) || strings.HasPrefix(text[value:], masked) ||
			kind == fieldMaybe && !looksRandom(text[value:end], randomLength) {
			return end - at, end - at
		}
		return value - at, end - at
	})
}

// fieldKind says how the value of a field is to be read.
type fieldKind int

const (
	fieldOpen   fieldKind = iota // no secret
	fieldSecret                  // the value is one
	fieldHeader                  // it is one behind its scheme
	fieldLogin                   // it is one behind its user
	fieldMaybe                   // it is one if it looks like one
)

func kindOfField(text string, name, nameEnd int) fieldKind {
	switch field := text[name:nameEnd]; {
	case isHeaderName(field):
		return fieldHeader
	case isSecretName(field), isQuery(text, name) && isQueryName(field):
		return fieldSecret
	case isLoginName(field):
		return fieldLogin
	case isBareKeyName(field):
		return fieldMaybe
	}
	return fieldOpen
}

// openLength is how much of a field's value is no secret.
func openLength(value string, kind fieldKind) int {
	switch kind {
	case fieldHeader:
		return schemeLength(value)
	case fieldLogin:
		return userLength(value, ":")
	}
	return 0
}

func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

// isQuery tells a name that stands in the query of a URL.
func isQuery(text string, at int) bool { return at > 0 && (text[at-1] == '?' || text[at-1] == '&') }

// valueAt finds where the value of a name begins.
func valueAt(text string, name, nameEnd int) (value int, is bool) {
	at := skipQuote(text, nameEnd) // "password": …
	if at > nameEnd && at < len(text) && text[at] == ']' {
		at++ // os.environ["PASSWORD"] = …
	}
	blank := at
	for blank < len(text) && isBlank(text[blank]) {
		blank++
	}
	if blank < len(text) && (text[blank] == '=' || text[blank] == ':') {
		blank++
		for blank < len(text) && isBlank(text[blank]) {
			blank++
		}
		return skipQuote(text, blank), blank < len(text)
	}
	isFlag := text[name] == '-' || strings.EqualFold(text[name:nameEnd], "bearer")
	if isFlag && blank > nameEnd && blank < len(text) && text[blank] != '-' {
		return skipQuote(text, blank), true
	}
	return 0, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skipQuote goes behind a quote, which may itself be quoted: {\"password\": …}
func skipQuote(text string, at int) int {
	if at+1 < len(text) && text[at] == '\\' && isQuote(text[at+1]) {
		return at + 2
	}
	if at < len(text) && isQuote(text[at]) {
		return at + 1
	}
	return at
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// valueLength is how far a value reaches: to its closing quote, to the end of an
// argument that is nothing but NAME=VALUE, or else to the next sign that ends a
// word.
func valueLength(text string, name, value int, kind fieldKind) int {
	rest := text[value:]
	end := -1
	switch {
	case value > 1 && isQuote(text[value-1]) && text[value-2] == '\\':
		end = strings.Index(rest, text[value-2:value])
	case value > 0 && isQuote(text[value-1]):
		end = strings.IndexByte(rest, text[value-1])
	case name == 0:
	case kind == fieldHeader:
		end = strings.IndexAny(rest, "'\"`\r\n")
	default:
		end = strings.IndexAny(rest, " \t\r\n'\"`&;,|)}>")
	}
	if end < 0 {
		return len(rest)
	}
	return end
}

// schemeLength is that of the scheme of an Authorization header and the blank
// behind it.
func schemeLength(value string) int {
	scheme, _, _ := strings.Cut(value, " ")
	if !isScheme(scheme) {
		return 0
	}
	return min(len(scheme)+1, len(value))
}

// userLength is that of the user of "user:password" and the sign behind it;
// without a sign, or in a URL, nothing is a password.
func userLength(value, sign string) int {
	user, after, has := strings.Cut(value, sign)
	if !has || strings.HasPrefix(after, "//") {
		return len(value)
	}
	return len(user) + len(sign)
}
