package kmsg

import "bytes"

// killTexts are what the lines that decide an incident contain: the header, the
// summary, the kill itself, its rate limit's confession and the group kill
// (mm/oom_kill.c: dump_header, oom_kill_process, __oom_kill_process;
// mm/memcontrol.c: mem_cgroup_print_oom_group).
var killTexts = [...][]byte{
	[]byte("Killed process"),
	[]byte("oom-kill:"),
	[]byte("invoked oom-killer"),
	[]byte("Out of memory"),
	[]byte("oom_kill_process"),
	[]byte("Tasks in"),
}

// tellsOfKill says whether a raw record may use the queue's reserve. Only the
// kernel's own may: who can write to /dev/kmsg could fill it otherwise.
func tellsOfKill(raw []byte) bool {
	head, ok := parseHead(raw)
	if !ok || head.facility() != 0 {
		return false
	}
	for _, text := range killTexts {
		if bytes.Contains(raw, text) {
			return true
		}
	}
	return false
}
