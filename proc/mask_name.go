package proc

import "strings"

// isSecretName tells the name of a flag, variable or field whose value is a
// secret. It is decided by the last word: "--token-file" and "--max-token-length"
// are none.
func isSecretName(name string) bool {
	if len(name) > maxNameLength {
		return false
	}
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	if len(before) > 0 && isAskWord(before[0]) {
		return false
	}
	switch last {
	case "token":
		return !anyWord(before, isVocabularyWord)
	case "tokens", "keys":
		return anyWord(before, isAccessWord)
	case "key":
		return anyWord(before, isAccessWord) || anyWord(before, isKeyWord)
	case "pat": // personal access token; alone it is a pattern
		return len(before) > 0
	case "base": // Rails' SECRET_KEY_BASE
		return len(before) > 1 && before[len(before)-2] == "secret" && before[len(before)-1] == "key"
	case "auth": // redis-cli(1): REDISCLI_AUTH
		return len(before) == 1 && before[0] == "rediscli"
	}
	return isSecretWord(last) || hasSecretEnd(last)
}

// hasSecretEnd tells a compound that was written as one word: "dbpassword",
// "clientsecret". "nopassword" is an answer to a question.
func hasSecretEnd(word string) bool {
	for _, end := range []string{"password", "passwd", "passphrase", "passcode", "secret", "apikey"} {
		if before, has := strings.CutSuffix(word, end); has {
			return before != "no"
		}
	}
	return false
}

// maxNameLength bounds the name of a flag or variable; a longer text is none.
const maxNameLength = 128

func isSecretWord(word string) bool {
	switch word {
	case "password", "passwords", "passwd", "passphrase", "passcode", "pass", "pwd", "pw", "psk", "otp",
		"userpass", "sshpass", "storepass", "keypass", "dbpass", "rootpass", "adminpass", "smtppass", "mailpass",
		"ftppass", "ldappass", "vncpass", "rpcpass", "proxypass", "requirepass", "masterauth", "passin", "passout",
		"secret", "secrets", "credential", "credentials", "creds",
		"apikey", "apikeys", "accesskey", "secretkey", "authkey", "accountkey", "privatekey",
		"apitoken", "authtoken", "accesstoken", "refreshtoken", "sessiontoken", "bottoken", "hftoken",
		"bearer", "authorization", "cookie", "jwt":
		return true
	}
	return false
}

// isAccessWord makes a secret of "keys" and "tokens".
func isAccessWord(word string) bool {
	switch word {
	case "api", "access", "auth", "authentication", "secret", "bearer", "refresh":
		return true
	}
	return false
}

// isKeyWord makes a secret of "key", beyond the words of isAccessWord.
func isKeyWord(word string) bool {
	switch word {
	case "private", "signing", "encryption", "decryption", "account", "master", "shared", "service", "storage",
		"license", "consumer", "app", "application", "deploy", "session", "server", "admin",
		"openai", "anthropic", "openrouter", "groq", "mistral", "gemini", "cohere", "deepseek", "together", "xai",
		"hf", "huggingface", "replicate", "ngc", "nvidia", "azure", "wandb", "comet", "langsmith", "pinecone",
		"tavily", "serper", "serpapi", "stripe", "datadog":
		return true
	}
	return false
}

// isVocabularyWord tells a word before "token" by which it is one of a model's
// vocabulary, or a count, and no secret.
func isVocabularyWord(word string) bool {
	switch word {
	case "pad", "padding", "eos", "bos", "eot", "eom", "eog", "unk", "unknown", "sep", "cls", "mask", "image", "img",
		"audio", "video", "speech", "vision", "stop", "special", "think", "thinking", "reasoning", "start", "end",
		"begin", "per", "each", "next", "first", "last", "input", "output", "prompt", "draft", "decode", "decoder",
		"encoder", "prefix", "suffix", "middle", "fim", "placeholder", "initializer", "trigger", "tool",
		"max", "min", "num", "n", "vocab", "newline", "nl", "space", "banned", "allowed", "forced", "suppress", "blank":
		return true
	}
	return false
}

// isAskWord tells a flag that takes no secret but says how to get it:
// "--no-password", "--ask-become-pass", "--skip-auth".
func isAskWord(word string) bool {
	switch word {
	case "no", "ask", "prompt", "skip", "without", "disable", "show", "hide", "print", "mask":
		return true
	}
	return false
}

func anyWord(words []string, is func(string) bool) bool {
	for _, word := range words {
		if is(word) {
			return true
		}
	}
	return false
}

// isHeaderName tells a header whose value reaches to its end and may begin with
// a scheme (RFC 9110, section 11.6.2).
func isHeaderName(name string) bool {
	switch strings.ToLower(strings.TrimLeft(name, "-")) {
	case "authorization", "proxy-authorization":
		return true
	}
	return false
}

// isLoginName tells the name of a flag whose value is user:password:
// "--gradio-auth", "--basic-auth".
func isLoginName(name string) bool {
	if len(name) > maxNameLength {
		return false
	}
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return last == "auth" || last == "userpwd" || last == "user" && len(words) > 1 && words[len(words)-2] == "proxy"
}

// isBareKeyName tells a flag or variable that is a secret only if its value looks
// like one: "--key" also sorts, and names a file.
func isBareKeyName(name string) bool { return strings.EqualFold(strings.TrimLeft(name, "-"), "key") }

// isScheme tells the scheme of an Authorization header.
func isScheme(word string) bool {
	switch strings.ToLower(word) {
	case "bearer", "basic", "token", "digest", "negotiate", "apikey", "key":
		return true
	}
	return false
}

// isQueryName tells names that mean a secret in the query of a URL, beyond
// those that always do: signatures (AWS, Google, Azure) and keys of APIs.
func isQueryName(name string) bool {
	switch strings.ToLower(name) {
	case "key", "sig", "signature", "code", "auth", "x-amz-signature", "x-amz-credential", "x-amz-security-token",
		"x-goog-signature", "x-goog-credential", "awsaccesskeyid", "sharedaccesssignature":
		return true
	}
	return false
}

// wordsOf splits a name into lower-case words: at dashes, underscores, dots,
// and where a small letter meets a capital.
func wordsOf(name string) []string {
	var words []string
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		switch c := name[i]; {
		case !isAlnum(c):
			cut(i)
			start = i + 1
		case i > start && isUpper(c) && !isUpper(name[i-1]):
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return words
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
