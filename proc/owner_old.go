package proc

import "github.com/oomdoc/oomdoc"

// readOldSystemd reads the tree of systemd before 205, which had no slices. It
// stands in the reports of Ubuntu 14.04 (logind 204), Debian 7 and Fedora 19
// (systemd 204 src/shared/cgroup-util.c, cg_path_get_session,
// cg_path_get_owner_uid and cg_path_get_unit).
//
//	/user/UID.user/ID.session
//	/system/NAME.service
//	/system/NAME@.service/NAME@INSTANCE.service
func readOldSystemd(owner *oomdoc.Owner, parts []string) {
	if len(parts) < 2 {
		return
	}
	switch parts[0] {
	case "user":
		readOldUser(owner, parts[1:])
	case "system":
		readOldUnit(owner, parts[1:])
	}
}

func readOldUser(owner *oomdoc.Owner, parts []string) {
	digits, is := between(parts[0], "", ".user")
	if !is {
		return
	}
	uid, is := parseUID(digits)
	if !is {
		return
	}
	owner.UID = &uid
	if len(parts) < 2 {
		return
	}
	if session, is := between(parts[1], "", ".session"); is && isUnitStem(session) {
		owner.Session = session
	}
}

func readOldUnit(owner *oomdoc.Owner, parts []string) {
	at := 0
	if template, is := between(parts[0], "", "@.service"); is && len(parts) > 1 {
		if _, is := instanceOf(parts[1], template, ".service"); !is {
			return
		}
		at = 1
	}
	if unit, is := unitOf(parts[at]); is {
		owner.Unit = unit
	}
}
