package proc

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// OOMKills is how many processes of a cgroup the kernel has killed for want of
// memory: oom_kill in memory.events.local or memory.events (cgroup v2), or in
// memory.oom_control (v1, Linux 4.13). Every user may read it. false: it cannot
// be known, for the path may be another namespace's.
func OOMKills(cgroup string) (int64, bool) {
	if !strings.HasPrefix(cgroup, "/") || strings.Contains(cgroup, "..") {
		return 0, false
	}
	for _, file := range []string{
		filepath.Join("/sys/fs/cgroup/memory", cgroup, "memory.oom_control"),
		filepath.Join("/sys/fs/cgroup", cgroup, "memory.events.local"), // Linux 5.2
		filepath.Join("/sys/fs/cgroup", cgroup, "memory.events"),
	} {
		if n, ok := readKills(file); ok {
			return n, true
		}
	}
	return 0, false
}

func readKills(path string) (int64, bool) {
	file, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer func() { _ = file.Close() }() // it was only read
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if digits, is := strings.CutPrefix(lines.Text(), "oom_kill "); is {
			n, err := strconv.ParseInt(digits, 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
