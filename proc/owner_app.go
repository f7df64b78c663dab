package proc

import "strings"

// applicationOf gives the id of the desktop application that a unit of a user's
// manager runs, empty where the name does not tell.
//
// By the XDG convention (systemd.io/DESKTOP_ENVIRONMENTS) a scope is
// "app[-LAUNCHER]-ID-RANDOM.scope" and a service "app[-LAUNCHER]-ID[@RANDOM].service",
// where dashes in the parts are escaped. Snaps (snapd
// sandbox/cgroup/tracking.go) are "snap.NAME.APP-UUID.scope", before 2.58
// "snap.NAME.APP.UUID.scope"; old flatpaks "flatpak-ID-PID.scope".
func applicationOf(unit string) string {
	if name, is := between(unit, "snap.", ".scope"); is {
		return snapOf(name)
	}
	if name, is := between(unit, "flatpak-", ".scope"); is {
		return unescapeUnit(cutLast(name, "-"))
	}
	if name, is := between(unit, "app-", ".scope"); is {
		return unescapeUnit(withoutLauncher(cutLast(name, "-")))
	}
	if name, is := between(unit, "app-", ".service"); is {
		name, _, _ = strings.Cut(name, "@")
		return unescapeUnit(withoutLauncher(name))
	}
	return ""
}

func withoutLauncher(name string) string {
	if _, id, has := strings.Cut(name, "-"); has && id != "" {
		return id
	}
	return name
}

// snapOf gives "NAME" for a snap's main program and "NAME.APP" for another.
func snapOf(name string) string {
	fields := strings.SplitN(name, ".", 3)
	if len(fields) < 2 {
		return unescapeUnit(cutUUID(name))
	}
	app := unescapeUnit(cutUUID(fields[1]))
	if app == fields[0] || app == "" {
		return fields[0]
	}
	return fields[0] + "." + app
}

// uuidLength is that of a UUID in its usual form, with four dashes.
const uuidLength = 36

// cutUUID takes a UUID and the dash before it from the end of a name.
func cutUUID(name string) string {
	if at := len(name) - uuidLength - 1; at > 0 && name[at] == '-' {
		return name[:at]
	}
	return name
}

// cutLast takes the last field from a name of at least two.
func cutLast(name, separator string) string {
	if at := strings.LastIndex(name, separator); at > 0 {
		return name[:at]
	}
	return name
}
