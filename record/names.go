package record

// facilityNamed gives the number of a syslog facility (syslog(3)), by the name
// that dmesg -x prints (util-linux, sys-utils/dmesg.c).
func facilityNamed(name []byte) (int, bool) {
	switch string(name) {
	case "kern":
		return 0, true
	case "user":
		return 1, true
	case "mail":
		return 2, true
	case "daemon":
		return 3, true
	case "auth":
		return 4, true
	case "syslog":
		return 5, true
	case "lpr":
		return 6, true
	case "news":
		return 7, true
	case "uucp":
		return 8, true
	case "cron":
		return 9, true
	case "authpriv":
		return 10, true
	case "ftp":
		return 11, true
	}
	if len(name) == len("local0") && string(name[:5]) == "local" && name[5]-'0' <= 7 {
		return 16 + int(name[5]-'0'), true
	}
	return 0, false
}

// levelNamed gives the number of a syslog level (syslog(3)).
func levelNamed(name []byte) (int, bool) {
	switch string(name) {
	case "emerg", "panic":
		return 0, true
	case "alert":
		return 1, true
	case "crit":
		return 2, true
	case "err", "error":
		return 3, true
	case "warn", "warning":
		return 4, true
	case "notice":
		return 5, true
	case "info":
		return 6, true
	case "debug":
		return 7, true
	}
	return 0, false
}
