package proc

import "strings"

// maskText masks the secrets inside one text: an argument, a URL, a script given
// to a shell, a JSON document.
func maskText(text string) string {
	if len(text) < minSecretText {
		return text
	}
	text = maskPEM(text)
	text = maskURLs(text)
	text = maskTokens(text)
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
		name := text[at:nameEnd]
		header, login := isHeaderName(name), isLoginName(name)
		if !header && !login && !isSecretName(name) && !(isQuery(text, at) && isQueryName(name)) {
			return 0, 0
		}
		value, is := valueAt(text, at, nameEnd)
		if !is {
			return 0, 0
		}
		length := valueLength(text, at, value, header)
		if header {
			value, length = skipScheme(text, value, length)
		}
		if login {
			value, length = skipUser(text, value, length)
		}
		end = value + length - at
		if length == 0 || isNoSecret(text[value:value+length]) || strings.HasPrefix(text[value:], masked) {
			return end, end
		}
		return value - at, end
	})
}

func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

// isQuery tells a name that stands in the query of a URL.
func isQuery(text string, at int) bool { return at > 0 && (text[at-1] == '?' || text[at-1] == '&') }

// valueAt finds where the value of a name begins.
func valueAt(text string, name, nameEnd int) (value int, is bool) {
	at := nameEnd
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		at++ // "password": …
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

func skipQuote(text string, at int) int {
	if at < len(text) && isQuote(text[at]) {
		return at + 1
	}
	return at
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// valueLength is how far a value reaches: to its closing quote, to the end of an
// argument that is nothing but NAME=VALUE, or else to the next sign that ends a
// word.
func valueLength(text string, name, value int, header bool) int {
	rest := text[value:]
	end := -1
	switch {
	case value > 0 && isQuote(text[value-1]):
		end = strings.IndexByte(rest, text[value-1])
	case name == 0:
	case header:
		end = strings.IndexAny(rest, "'\"`\r\n")
	default:
		end = strings.IndexAny(rest, " \t\r\n'\"`&;,|)}>")
	}
	if end < 0 {
		return len(rest)
	}
	return end
}

// skipScheme leaves the scheme of an Authorization header to be read.
func skipScheme(text string, value, length int) (int, int) {
	scheme, _, _ := strings.Cut(text[value:value+length], " ")
	if !isScheme(scheme) {
		return value, length
	}
	skip := min(len(scheme)+1, length)
	return value + skip, length - skip
}

// skipUser leaves the user of "user:password" to be read; without a colon, or in
// a URL, the value is no login.
func skipUser(text string, value, length int) (int, int) {
	user, after, has := strings.Cut(text[value:value+length], ":")
	if !has || strings.HasPrefix(after, "//") {
		return value + length, 0
	}
	skip := len(user) + 1
	return value + skip, length - skip
}

// maskHeader masks the value of an Authorization header, given alone.
func maskHeader(text string) string {
	if value, _ := skipScheme(text, 0, len(text)); value > 0 {
		return text[:value] + masked
	}
	return masked
}
