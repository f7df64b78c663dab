package daemon_test

import (
	"fmt"
	"strings"
)

// unlimited is how the kernel prints a limit that is none.
func (w *world) unlimited() int64 {
	switch {
	case w.era.at < 3019:
		return 18014398509481983
	case w.era.page == 64*kib:
		return 36028797018963952
	}
	return 9007199254740988
}

// groupBlock is the memory cgroup's part, by era.
func (w *world) groupBlock() []string {
	e, g := &w.era, w.group
	var lines []string
	if e.at < 5000 {
		if w.fate == "no-victim" {
			lines = append(lines, "Memory limit reached of cgroup "+g.limitPath)
		} else {
			lines = append(lines, "Task in "+g.taskPath+" killed as a result of limit of "+g.limitPath)
		}
	}
	lines = append(lines, fmt.Sprintf("memory: usage %dkB, limit %dkB, failcnt 214", g.usage>>10, g.limit>>10))
	if e.v1 {
		lines = append(lines, fmt.Sprintf("memory+swap: usage %dkB, limit %dkB, failcnt 0", (g.usage+g.swapUsage)>>10, w.unlimited()))
		if e.has(3009) {
			lines = append(lines, fmt.Sprintf("kmem: usage %dkB, limit %dkB, failcnt 0", g.kernel>>10, w.unlimited()))
		}
	} else {
		limit := w.unlimited()
		if g.swapLimit >= 0 {
			limit = g.swapLimit >> 10
		}
		lines = append(lines, fmt.Sprintf("swap: usage %dkB, limit %dkB, failcnt 0", g.swapUsage>>10, limit))
	}
	return append(lines, w.groupStats()...)
}

func (w *world) groupStats() []string {
	e, g := &w.era, w.group
	switch {
	case e.at < 3009:
		return nil
	case e.at < 5003:
		return []string{fmt.Sprintf("Memory cgroup stats for %s: cache:%dKB rss:%dKB rss_huge:0KB shmem:%dKB mapped_file:0KB dirty:0KB writeback:0KB inactive_anon:%dKB active_anon:%dKB inactive_file:%dKB active_file:0KB unevictable:0KB",
			g.limitPath, (g.file+g.shmem)>>10, g.anon>>10, g.shmem>>10, g.shmem>>10, g.anon>>10, g.file>>10)}
	}
	names := []struct {
		name  string
		value int64
	}{
		{"anon", g.anon}, {"file", g.file + g.shmem}, {"kernel", g.kernel}, {"kernel_stack", 0}, {"pagetables", 0}, {"percpu", 0}, {"sock", 0},
		{"shmem", g.shmem}, {"file_mapped", 0}, {"file_dirty", 0}, {"file_writeback", 0}, {"inactive_anon", g.shmem}, {"active_anon", g.anon},
		{"inactive_file", g.file}, {"active_file", 0}, {"unevictable", 0}, {"slab_unreclaimable", g.kernel}, {"slab", g.kernel}, {"pgfault", 99},
	}
	if e.v1 && e.has(6004) {
		names = names[:0]
		for name, value := range map[string]int64{"cache": g.file + g.shmem, "rss": g.anon, "shmem": g.shmem} {
			names = append(names, struct {
				name  string
				value int64
			}{name, value}, struct {
				name  string
				value int64
			}{"total_" + name, value})
		}
	}
	var rows []string
	for _, n := range names {
		if e.at < 5018 && n.name == "kernel" {
			continue
		}
		rows = append(rows, fmt.Sprintf("%s %d", n.name, n.value))
	}
	head := "Memory cgroup stats for " + g.limitPath + ":"
	if e.has(6004) {
		return append([]string{head}, rows...)
	}
	return []string{head, strings.Join(rows, "\n")}
}
