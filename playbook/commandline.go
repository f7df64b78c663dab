package playbook

import (
	"slices"
	"strconv"
	"strings"
)

// A commandLine is the arguments of a process, its program first.
type commandLine []string

// find gives the last of some options with its value, as it was typed: "-c
// 131072", "--ctx-size=8192", "--no-mmap". Of long names - and _ are the same,
// as vLLM, SGLang and Python's parsers take them.
func (c commandLine) find(names ...string) (typed, value string, found bool) {
	for i, argument := range c {
		name, inline, has := strings.Cut(argument, "=")
		if !slices.ContainsFunc(names, func(n string) bool { return sameOption(n, name) }) {
			continue
		}
		typed, value, found = argument, inline, true
		if !has && i+1 < len(c) && isValue(c[i+1]) {
			typed, value = argument+" "+c[i+1], c[i+1]
		}
	}
	return typed, value, found
}

// A known option that ends in a star is one whose value follows at once (-Xmx4g).
func sameOption(known, typed string) bool {
	if joined, is := strings.CutSuffix(known, "*"); is {
		return strings.HasPrefix(typed, joined)
	}
	if strings.HasPrefix(typed, "--") {
		typed = strings.ReplaceAll(typed, "_", "-")
		known = strings.ReplaceAll(known, "_", "-")
	}
	return known == typed
}

// isValue tells an argument that is an option's value: not an option itself,
// unless that is a number below zero.
func isValue(argument string) bool {
	if !strings.HasPrefix(argument, "-") {
		return argument != ""
	}
	_, err := strconv.ParseFloat(argument, 64)
	return err == nil
}

// after is the argument that follows a word, "" when there is none.
func (c commandLine) after(word string) string {
	i := slices.Index(c, word)
	if i < 0 || i+1 >= len(c) || strings.HasPrefix(c[i+1], "-") {
		return ""
	}
	return c[i+1]
}

// assigned gives a variable that is set within the arguments, as by env or by
// docker run -e.
func (c commandLine) assigned(name string) bool {
	return slices.ContainsFunc(c, func(argument string) bool {
		argument = strings.TrimPrefix(argument, "-e")
		argument = strings.TrimPrefix(argument, "--env=")
		return strings.HasPrefix(argument, name+"=")
	})
}
