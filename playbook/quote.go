package playbook

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// plainCharacters need no quotes in any shell.
const plainCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@.:/-"

// quote writes one argument of a shell command. What is not plain stands in
// single quotes, within which a POSIX shell takes everything as it is.
func quote(argument string) string {
	if argument != "" && strings.Trim(argument, plainCharacters) == "" {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// operand is quote for a name that stands where an option could: one that
// begins with a dash follows "--".
func operand(name string) string {
	if strings.HasPrefix(name, "-") {
		return "-- " + quote(name)
	}
	return quote(name)
}

// isExact tells a name that can stand in a command: not one whose bytes were
// lost when it was decoded, nor a path that climbs.
func isExact(name string) bool {
	return name != "" && utf8.ValidString(name) && !strings.ContainsRune(name, utf8.RuneError) &&
		!slices.Contains(strings.Split(name, "/"), "..")
}
