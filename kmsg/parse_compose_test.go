package kmsg_test

import (
	"fmt"
	"strings"
)

// A composed is a report in the exact texts of 6.12 (cgroup v2), with names
// and paths to choose.
type composed struct {
	comm   string // of the victim, which asked too
	cgroup string
	cpuset string
	pid    int
	global bool
	group  bool // memory.oom.group is set
}

// lines are the texts of the report's records.
func (c composed) lines() []string {
	cpuset, pid := c.cpuset, c.pid
	if cpuset == "" {
		cpuset = "/"
	}
	if pid == 0 {
		pid = 4711
	}
	limit, prefix := ",oom_memcg="+c.cgroup, "Memory cgroup out of memory"
	if c.global {
		limit, prefix = ",global_oom", "Out of memory"
	}
	kill := fmt.Sprintf("%s: Killed process %d (%s) total-vm:84264kB, anon-rss:40832kB, file-rss:1364kB, shmem-rss:0kB, UID:1000 pgtables:116kB oom_score_adj:0", prefix, pid, c.comm)
	lines := []string{
		c.comm + " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
		fmt.Sprintf("CPU: 0 UID: 1000 PID: %d Comm: %s Not tainted 6.12.9-amd64 #1 PREEMPT(none)", pid+1, c.comm),
		"Call Trace:",
		" <TASK>",
		" dump_stack_lvl+0x57/0x80",
		" </TASK>",
		"memory: usage 40960kB, limit 40960kB, failcnt 19",
		"swap: usage 0kB, limit 9007199254740988kB, failcnt 0",
		"Memory cgroup stats for " + c.cgroup + ":",
		"anon 41857024",
		"file 0",
		"Tasks state (memory values in pages):",
		"[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name",
		"[   4000]     0  4000    21066      100      100        0         0   118784        0             0 other",
		fmt.Sprintf("[%7d]  1000 %5d    21066    10549    10208      341         0   118784        0             0 %s", pid, pid, c.comm),
		"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=" + cpuset + ",mems_allowed=0-1,3" + limit +
			",task_memcg=" + c.cgroup + ",task=" + c.comm + fmt.Sprintf(",pid=%d,uid=1000", pid),
		kill,
	}
	if c.group {
		lines = append(lines, "Tasks in "+c.cgroup+" are going to be killed due to memory.oom.group set", kill)
	}
	return lines
}

// raw writes texts as /dev/kmsg gives them (kernel/printk/printk.c,
// msg_add_ext_text: bytes below 0x20, from 0x7f on and the backslash are escaped).
func raw(texts []string) []byte { return rawFrom(1000, texts) }

func rawFrom(seq int, texts []string) []byte {
	var log strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&log, "4,%d,%d,-;", seq+i, 5_000_000+10*(seq+i))
		for _, c := range []byte(text) {
			if c < 0x20 || c >= 0x7f || c == '\\' {
				fmt.Fprintf(&log, `\x%02x`, c)
			} else {
				log.WriteByte(c)
			}
		}
		log.WriteByte('\n')
	}
	return []byte(log.String())
}

// dmesg writes texts as dmesg prints them: a newline inside a record starts a
// line with blanks as wide as the stamp.
func dmesg(texts []string) []byte {
	var log strings.Builder
	for i, text := range texts {
		head := fmt.Sprintf("[%5d.%06d] ", 15, 10*(1000+i))
		log.WriteString(head + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", len(head))) + "\n")
	}
	return []byte(log.String())
}

// journal writes texts as journalctl -o short prints them.
func journal(texts []string) []byte {
	const head = "Dec 01 01:43:17 node1 kernel: "
	var log strings.Builder
	for _, text := range texts {
		log.WriteString(head + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", len(head))) + "\n")
	}
	return []byte(log.String())
}

// syslog writes texts as rsyslog does: control characters as #NNN.
func syslog(texts []string) []byte {
	var log strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&log, "Dec  1 01:43:17 node1 kernel: [%5d.%06d] %s\n", 15, 10*(1000+i), strings.ReplaceAll(text, "\n", "#012"))
	}
	return []byte(log.String())
}
