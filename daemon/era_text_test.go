package daemon_test

import (
	"fmt"
	"strings"
)

// lines are the texts of the report's records, in order.
func (w *world) lines() []string {
	lines := w.head()
	if w.group != nil {
		lines = append(lines, w.groupBlock()...)
	} else {
		lines = append(lines, w.memoryBlock()...)
	}
	lines = append(lines, w.table()...)
	return append(lines, w.end()...)
}

// head is the header and the call trace.
func (w *world) head() []string {
	e, c := &w.era, w.invoker.name
	lines := []string{c + " invoked oom-killer: " + w.request()}
	if e.has(2032) && e.at < 5000 {
		lines = append(lines, fmt.Sprintf("%s cpuset=/ mems_allowed=0", c))
	}
	return append(lines, w.stack(c)...)
}

func (w *world) request() string {
	e, mask := &w.era, w.era.mask(w.ask)
	switch {
	case e.at == 2024:
		return fmt.Sprintf("gfp_mask=%#x, order=%d, oomkilladj=%d", mask, w.order, 0)
	case e.vendor == "el6", e.at > 2035 && e.at < 3007:
		return fmt.Sprintf("gfp_mask=%#x, order=%d, oom_adj=0, oom_score_adj=0", mask, w.order)
	case e.at == 2032:
		return fmt.Sprintf("gfp_mask=%#x, order=%d, oom_adj=0", mask, w.order)
	case e.at < 4006:
		return fmt.Sprintf("gfp_mask=%#x, order=%d, oom_score_adj=0", mask, w.order)
	case e.at < 4009, e.at >= 5000:
		return fmt.Sprintf("gfp_mask=%#x(%s), order=%d, oom_score_adj=0", mask, w.ask.names, w.order)
	}
	gap := " "
	if e.at >= 4010 && e.at <= 4014 {
		gap = "  "
	}
	return fmt.Sprintf("gfp_mask=%#x(%s), nodemask=%s,%sorder=%d, oom_score_adj=0", mask, w.ask.names, w.nodemask(), gap, w.order)
}

func (w *world) nodemask() string {
	if w.nodes == "" {
		return "(null)"
	}
	return w.nodes
}

func (w *world) stack(comm string) []string {
	e := &w.era
	pid := w.invoker.pid
	cpu := fmt.Sprintf("CPU: 3 PID: %d Comm: %s Not tainted %s #1", pid, comm, e.version)
	switch {
	case e.at < 3009:
		cpu = fmt.Sprintf("Pid: %d, comm: %s Not tainted %s #1", pid, comm, e.version)
	case e.has(6011):
		cpu = fmt.Sprintf("CPU: 3 UID: %d PID: %d Comm: %s Not tainted %s #1 PREEMPT(lazy)", w.invoker.uid, pid, comm, e.version)
	}
	lines := []string{cpu}
	if e.has(3010) {
		lines = append(lines, "Hardware name: Example Board/X1, BIOS 1.0 01/01/2020")
	}
	lines = append(lines, "Call Trace:")
	for _, function := range []string{"dump_stack+0x63/0x8b", "out_of_memory+0x1a4/0x4f0", "__alloc_pages_slowpath+0xb6f/0xc80"} {
		if e.has(4010) {
			lines = append(lines, " "+function)
		} else {
			lines = append(lines, " [<ffffffff8109e1a8>] "+function)
		}
	}
	return lines
}

// table is the task table.
func (w *world) table() []string {
	e := &w.era
	if e.at == 2024 {
		return nil
	}
	var lines []string
	if e.has(4019) {
		lines = append(lines, "Tasks state (memory values in pages):")
	}
	lines = append(lines, w.columns())
	for i := range w.tasks {
		lines = append(lines, w.row(&w.tasks[i]))
	}
	return lines
}

func (w *world) columns() string {
	e := &w.era
	switch {
	case e.at == 2032 && e.vendor == "":
		return "[ pid ]   uid  tgid total_vm      rss cpu oom_adj name"
	case e.at < 3007:
		return "[ pid ]   uid  tgid total_vm      rss cpu oom_adj oom_score_adj name"
	case e.at < 4001:
		return "[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name"
	case e.at < 4015:
		return "[ pid ]   uid  tgid total_vm      rss nr_ptes nr_pmds swapents oom_score_adj name"
	case e.at < 4019:
		return "[ pid ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name"
	case e.at < 6008:
		return "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name"
	}
	return "[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name"
}

func (w *world) row(t *task) string {
	e, page := &w.era, w.era.page
	vm, rss := (t.anon+t.file+t.shmem+64*mib)/page, (t.anon+t.file+t.shmem)/page
	tables, swap := t.anon/512+64*kib, t.swap/page
	switch {
	case e.at == 2032 && e.vendor == "":
		return fmt.Sprintf("[%5d] %5d %5d %8d %8d %3d     %3d %s", t.pid, t.uid, t.pid, vm, rss, 1, t.adj/64, t.name)
	case e.at < 3007:
		return fmt.Sprintf("[%5d] %5d %5d %8d %8d %3d     %3d         %5d %s", t.pid, t.uid, t.pid, vm, rss, 1, t.adj/64, t.adj, t.name)
	case e.at < 4001:
		return fmt.Sprintf("[%5d] %5d %5d %8d %8d %7d %8d         %5d %s", t.pid, t.uid, t.pid, vm, rss, tables/page, swap, t.adj, t.name)
	case e.at < 4015:
		return fmt.Sprintf("[%5d] %5d %5d %8d %8d %7d %7d %8d         %5d %s", t.pid, t.uid, t.pid, vm, rss, tables/page, 2, swap, t.adj, t.name)
	case e.at < 4019:
		return fmt.Sprintf("[%5d] %5d %5d %8d %8d %8d %8d         %5d %s", t.pid, t.uid, t.pid, vm, rss, tables, swap, t.adj, t.name)
	case e.at < 6008:
		return fmt.Sprintf("[%7d] %5d %5d %8d %8d %8d %8d         %5d %s", t.pid, t.uid, t.pid, vm, rss, tables, swap, t.adj, t.name)
	}
	return fmt.Sprintf("[%7d] %5d %5d %8d %8d %8d %8d %9d %8d %8d         %5d %s",
		t.pid, t.uid, t.pid, vm, rss, t.anon/page, t.file/page, t.shmem/page, tables, swap, t.adj, t.name)
}

// end is the summary and what became of the processes.
func (w *world) end() []string {
	switch w.fate {
	case "no-victim":
		return []string{"Out of memory and no killable processes..."}
	case "panic":
		return []string{w.panicLine()}
	}
	var lines []string
	if w.era.summarised() {
		lines = append(lines, w.summary())
	}
	if e := &w.era; e.at < 5001 && e.vendor != "el8" {
		lines = append(lines, w.chosen())
	}
	lines = append(lines, w.kill(&w.victim))
	if len(w.together) > 0 {
		lines = append(lines, "Tasks in "+w.group.limitPath+" are going to be killed due to memory.oom.group set", w.kill(&w.victim))
		for i := range w.together {
			lines = append(lines, w.kill(&w.together[i]))
		}
	}
	return lines
}

func (w *world) panicLine() string {
	if w.era.at < 2030 {
		return "Kernel panic - not syncing: out of memory. panic_on_oom is selected"
	}
	return "Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled"
}

func (w *world) summary() string {
	constraint, nodes, path := w.constraint, "0", "/system.slice/app.service"
	if w.nodes != "" {
		nodes = w.nodes
	}
	where := ",global_oom"
	if w.group != nil {
		where, path, constraint = ",oom_memcg="+w.group.limitPath, w.group.taskPath, "CONSTRAINT_MEMCG"
	}
	mask := "(null)"
	if w.constraint == "CONSTRAINT_MEMORY_POLICY" {
		mask = nodes
	}
	if w.era.buggy {
		constraint = "CONSTRAINT_NONE"
	}
	return fmt.Sprintf("oom-kill:constraint=%s,nodemask=%s,cpuset=/,mems_allowed=%s%s,task_memcg=%s,task=%s,pid=%d,uid=%d",
		constraint, mask, nodes, where, path, w.victim.name, w.victim.pid, w.victim.uid)
}

func (w *world) prefix() string {
	if w.group != nil {
		return "Memory cgroup out of memory"
	}
	return "Out of memory"
}

// chosen is the line of the choice: until 5.0.
func (w *world) chosen() string {
	if w.era.vendor == "" && w.era.at <= 2032 {
		return fmt.Sprintf("%s: kill process %d (%s) score 3012 or a child", w.prefix(), w.victim.pid, w.victim.name)
	}
	return fmt.Sprintf("%s: Kill process %d (%s) score 912 or sacrifice child", w.prefix(), w.victim.pid, w.victim.name)
}

func (w *world) kill(t *task) string {
	e := &w.era
	numbers := fmt.Sprintf("total-vm:%dkB, anon-rss:%dkB, file-rss:%dkB", (t.anon+t.file+t.shmem+64*mib)>>10, t.anon>>10, t.file>>10)
	if !e.has(4005) && e.vendor != "el7" {
		numbers = strings.Replace(numbers, fmt.Sprintf("file-rss:%dkB", t.file>>10), fmt.Sprintf("file-rss:%dkB", (t.file+t.shmem)>>10), 1)
	} else {
		numbers += fmt.Sprintf(", shmem-rss:%dkB", t.shmem>>10)
	}
	switch {
	case e.vendor == "el6":
		return fmt.Sprintf("Killed process %d, UID %d, (%s) %s", t.pid, t.uid, t.name, numbers)
	case e.at <= 2032:
		return fmt.Sprintf("Killed process %d (%s)", t.pid, t.name)
	case e.vendor == "el7":
		return fmt.Sprintf("Killed process %d (%s), UID %d, %s", t.pid, t.name, t.uid, numbers)
	case e.at < 5001 && e.vendor != "el8":
		return fmt.Sprintf("Killed process %d (%s) %s", t.pid, t.name, numbers)
	case e.at < 5004:
		return fmt.Sprintf("%s: Killed process %d (%s) %s", w.prefix(), t.pid, t.name, numbers)
	}
	return fmt.Sprintf("%s: Killed process %d (%s) %s, UID:%d pgtables:%dkB oom_score_adj:%d", w.prefix(), t.pid, t.name, numbers, t.uid, (t.anon/512+64*kib)>>10, t.adj)
}
