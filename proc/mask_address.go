package proc

import "strings"

// addressMax bounds how many bytes before and behind an @ are looked at, so that
// a text full of them is read in linear time.
const addressMax = 256

// maskAddresses masks the password of "user:password@tcp(host)" (the form of
// Go's database drivers) and "user:password@host:port" (that of proxies), which
// have no scheme. "image:tag@sha256:…" and "npm:name@1.2" are neither.
func maskAddresses(text string) string {
	var out strings.Builder
	copied := 0
	for at := strings.IndexByte(text, '@'); at >= 0; {
		if secret, is := passwordBefore(text, max(copied, at-addressMax), at); is && isTarget(text[at+1:]) {
			out.WriteString(text[copied:secret])
			out.WriteString(masked)
			copied = at
		}
		next := strings.IndexByte(text[at+1:], '@')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	if copied == 0 {
		return text
	}
	out.WriteString(text[copied:])
	return out.String()
}

// passwordBefore finds where the password begins that ends before an @. Its user
// begins a word.
func passwordBefore(text string, from, at int) (secret int, is bool) {
	begin := 1 + strings.LastIndexAny(text[from:at], " \t\r\n'\"`=,;(|<>")
	word := text[from+begin : at]
	user, password, has := strings.Cut(word, ":")
	if !has || user == "" || password == "" || strings.HasPrefix(password, "//") || strings.Contains(user, "/") {
		return 0, false
	}
	return at - len(password), true
}

// isTarget tells what may be behind the @: the address of a driver, or a host
// with its port.
func isTarget(text string) bool {
	for _, network := range []string{"tcp(", "tcp6(", "unix(", "("} {
		if strings.HasPrefix(text, network) {
			return true
		}
	}
	text = text[:min(len(text), addressMax)]
	host := strings.IndexFunc(text, func(c rune) bool { return c > 'z' || !isAlnum(byte(c)) && c != '.' && c != '-' })
	if host <= 0 || text[host] != ':' {
		return false
	}
	port := text[host+1:]
	digits := len(port) - len(strings.TrimLeft(port, "0123456789"))
	return 0 < digits && digits <= 5 && (digits == len(port) || !isAlnum(port[digits]))
}

// maskBotTokens masks the tokens of Telegram's bots: the number of the bot, a
// colon, and 35 random characters.
func maskBotTokens(text string) string {
	const number, random = 8, 30
	return rewrite(text, func(at int) (keep, end int) {
		if text[at] != ':' || at < number || strings.Trim(text[at-number:at], "0123456789") != "" {
			return 0, 0
		}
		for end = at + 1; end < len(text) && (isAlnum(text[end]) || text[end] == '_' || text[end] == '-'); end++ {
		}
		if end-at-1 < random {
			return 0, 0
		}
		return 1, end - at
	})
}
