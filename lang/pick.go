package lang

import "strings"

// Pick chooses the language of a person's environment, given as a map of
// variable names to values. The order is that of gettext (GNU gettext manual,
// "Locale Environment Variables"): LC_ALL, LC_MESSAGES, LANG name the locale;
// unless that is C or POSIX, the list in LANGUAGE goes before it. What names no
// language of ours is English.
func Pick(environment map[string]string) string {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := environment[name]; value != "" {
			locale = value
			break
		}
	}
	if base := languageOf(locale); base == "" || base == "c" || base == "posix" {
		return English
	}
	wanted := append(strings.Split(environment["LANGUAGE"], ":"), locale)
	for _, name := range wanted {
		if base := languageOf(name); base == English || base == Korean {
			return base
		}
	}
	return English
}

// languageOf is the language part of a locale's name: "ko_KR.UTF-8" gives "ko".
func languageOf(locale string) string {
	if end := strings.IndexAny(locale, "_.@-"); end >= 0 {
		locale = locale[:end]
	}
	return strings.ToLower(locale)
}
