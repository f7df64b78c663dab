package proc

import "strings"

// unitNameMax is the longest name of a unit, terminator not counted
// (systemd src/basic/unit-def.h, UNIT_NAME_MAX 256).
const unitNameMax = 255

// unitChars are the characters of unit names besides letters and digits
// (systemd src/basic/unit-name.c, VALID_CHARS_WITH_AT).
const unitChars = "@:-_.\\"

// unitTypes are the types of units that have a cgroup of their own and are not
// slices (systemd src/core/cgroup.c, CGROUP_VTABLE users: service, scope,
// socket, mount, swap).
func unitTypes() []string { return []string{".service", ".scope", ".socket", ".mount", ".swap"} }

const sliceType = ".slice"

// unitOf reads the name of a cgroup as the name of a unit. systemd puts one
// underscore before a name that the kernel could take for its own ("_cgroup.x",
// "_foo" as "__foo"), and takes one away on reading (systemd
// src/basic/cgroup-util.c, cg_escape and cg_unescape).
func unitOf(part string) (string, bool) {
	name := strings.TrimPrefix(part, "_")
	for _, suffix := range unitTypes() {
		if stem, has := strings.CutSuffix(name, suffix); has {
			return name, len(name) <= unitNameMax && isUnitStem(stem)
		}
	}
	return "", false
}

// sliceOf reads the name of a cgroup as the name of a slice, which is never an
// instance of a template.
func sliceOf(part string) (string, bool) {
	name := strings.TrimPrefix(part, "_")
	stem, has := strings.CutSuffix(name, sliceType)
	if !has || len(name) > unitNameMax || strings.Contains(stem, "@") {
		return "", false
	}
	return name, isUnitStem(stem)
}

// isUnitStem tells what may stand before the type of a unit: valid characters,
// no empty prefix and no empty instance (unit_name_is_valid).
func isUnitStem(stem string) bool {
	if stem == "" || stem[0] == '@' {
		return false
	}
	if strings.IndexByte(stem, '@') == len(stem)-1 {
		return false // a template, which never runs
	}
	for i := range len(stem) {
		if c := stem[i]; !isAlnum(c) && strings.IndexByte(unitChars, c) < 0 {
			return false
		}
	}
	return true
}

// instanceOf gives what stands between the @ and the type of an instance.
func instanceOf(unit, prefix, suffix string) (string, bool) {
	return between(unit, prefix+"@", suffix)
}

// between gives what stands between a prefix and a suffix, where that is
// something.
func between(text, prefix, suffix string) (string, bool) {
	rest, has := strings.CutPrefix(text, prefix)
	if !has {
		return "", false
	}
	inner, has := strings.CutSuffix(rest, suffix)
	return inner, has && inner != ""
}

// unescapeUnit takes back what systemd-escape(1) did to a name: "\x2d" is the
// byte 2d. A dash is not made a slash, because the names that are read here are
// no paths. Control characters stay escaped: whoever named the unit could have
// written anything, and names go to terminals.
func unescapeUnit(name string) string {
	var out strings.Builder
	for rest := name; rest != ""; {
		at := strings.Index(rest, `\x`)
		if at < 0 || len(rest) < at+4 {
			out.WriteString(rest)
			break
		}
		high, okHigh := unhex(rest[at+2])
		low, okLow := unhex(rest[at+3])
		if !okHigh || !okLow || isControl(high<<4|low) {
			out.WriteString(rest[:at+2])
			rest = rest[at+2:]
			continue
		}
		out.WriteString(rest[:at])
		out.WriteByte(high<<4 | low)
		rest = rest[at+4:]
	}
	return out.String()
}

func unhex(c byte) (byte, bool) {
	switch {
	case isDigit(c):
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

func isControl(c byte) bool { return c < ' ' || c == 0x7f }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlnum(c byte) bool { return isDigit(c) || isAlpha(c) }

// isHex tells n lower-case hexadecimal digits.
func isHex(text string, n int) bool {
	return len(text) == n && strings.Trim(text, "0123456789abcdef") == ""
}
