package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// eraAt is the first era of that version without a vendor's changes.
func eraAt(t *testing.T, at int) era {
	t.Helper()
	for _, e := range eras() {
		if e.at == at && e.vendor == "" && !e.bits32 {
			return e
		}
	}
	t.Fatalf("no era %d", at)
	return era{}
}

// without drops the lines that begin with one of the words.
func without(lines []string, words ...string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(line, word) })
	})
}

// replaced changes a text in all lines, which must be there.
func replaced(t *testing.T, lines []string, from, to string) []string {
	t.Helper()
	out, found := slices.Clone(lines), false
	for i := range out {
		found = found || strings.Contains(out[i], from)
		out[i] = strings.ReplaceAll(out[i], from, to)
	}
	if !found {
		t.Fatalf("no %q in the report", from)
	}
	return out
}

func formNamed(name string) func([]string) []byte {
	all := forms()
	return all[slices.IndexFunc(all, func(f form) bool { return f.name == name })].write
}

func pidsOf(list []oomdoc.Incident) []int {
	pids := make([]int, 0, len(list))
	for i := range list {
		if list[i].Process == nil {
			pids = append(pids, 0)
			continue
		}
		pids = append(pids, list[i].Process.PID)
	}
	return pids
}

func one(t *testing.T, log []byte) *oomdoc.Incident {
	t.Helper()
	got := explained(t, log)
	if len(got) != 1 {
		t.Fatalf("got %d incidents of %v, want 1\n%s", len(got), pidsOf(got), log)
	}
	return &got[0]
}

// Up to 5.0 the kernel may kill a child of the process that it chose, and the
// line of the choice may name a thread.
func TestTheKilledLineSaysWhoDied(t *testing.T) {
	for _, at := range []int{2032, 3008, 4004, 4015, 4019} {
		w := newWorld(eraAt(t, at))
		w.tasks = append(w.tasks, task{pid: 4800, uid: 33, name: "child", anon: 30 * mib, file: mib})
		lines := replaced(t, w.lines(), "Killed process 4711 (hog worker)", "Killed process 4800 (child)")
		inc := one(t, kmsgForm(lines))
		if inc.Process == nil || inc.Process.PID != 4800 || *inc.Process.Name != "child" {
			t.Errorf("%d: got %+v, want the child", at, inc.Process)
		}
		if inc.Process.UID == nil || *inc.Process.UID != 33 {
			t.Errorf("%d: uid %v, want 33", at, inc.Process.UID)
		}
	}
	e := eraAt(t, 5010)
	w := newWorld(e)
	lines := replaced(t, w.lines(), ",pid=4711,", ",pid=4700,")
	if inc := one(t, kmsgForm(lines)); inc.Process.PID != 4711 {
		t.Errorf("a thread: got %d, want the process of the kill line", inc.Process.PID)
	}
}

// Up to 5.0 the line of the choice is all that is left when the log ends before
// the kill.
func TestTheChoiceIsAllThatIsLeft(t *testing.T) {
	inc := one(t, plain([]string{"Memory cgroup out of memory: Kill process 4711 (a) b) score 912 or sacrifice child"}))
	if inc.Process == nil || inc.Process.PID != 4711 || *inc.Process.Name != "a) b" || inc.Process.UID != nil {
		t.Errorf("got %+v", inc.Process)
	}
	if inc.Cause != oomdoc.CauseCgroupLimit || inc.Confidence == oomdoc.Certain || len(inc.Evidence) == 0 {
		t.Errorf("got %s, %s, %d proofs", inc.Cause, inc.Confidence, len(inc.Evidence))
	}
	for _, at := range []int{2032, 4015} {
		w := newWorld(eraAt(t, at))
		lines := w.lines()
		if inc := one(t, kmsgForm(lines[:len(lines)-1])); inc.Process == nil || inc.Process.PID != 4711 || inc.Cause != oomdoc.CauseHostExhausted {
			t.Errorf("%d: got %+v, %s", at, inc.Process, inc.Cause)
		}
	}
}

func TestTheTaskThatAskedIsKilled(t *testing.T) {
	for _, at := range []int{4015, 6012} {
		w := newWorld(eraAt(t, at))
		lines := replaced(t, w.lines(), "Out of memory:", "Out of memory (oom_kill_allocating_task):")
		inc := one(t, kmsgForm(lines))
		if inc.Process.PID != 4711 || inc.VictimReason.Key != "victim.allocating-task" {
			t.Errorf("%d: got %d, %q", at, inc.Process.PID, inc.VictimReason.Key)
		}
	}
}

// Up to 3.x two groups' reports can print at one time, and nothing says whose a
// line is.
func TestTwoGroupsReportsMix(t *testing.T) {
	for _, at := range []int{3008, 3010} {
		var both [2][]string
		for i := range both {
			e := eraAt(t, 3008)
			if at == 3010 {
				e = era{version: "3.10.0-1160.el7.x86_64", at: 3010, vendor: "el7", page: 4 << 10, v1: true}
			}
			w := newWorld(e)
			limited(w, fmt.Sprintf("/docker/%c%s", 'a'+i, ctrID[1:]), fmt.Sprintf("/docker/%c%s", 'a'+i, ctrID[1:]))
			w.victim.pid, w.victim.name = 5000+i, fmt.Sprintf("java%d", i)
			w.tasks[1], w.invoker = w.victim, w.victim
			both[i] = w.lines()
		}
		var mixed []string
		for i := range both[0] {
			mixed = append(mixed, both[0][i], both[1][i])
		}
		got := explained(t, plain(mixed))
		if pids := pidsOf(got); !slices.Equal(pids, []int{5000, 5001}) {
			t.Errorf("%d: killed %v, want 5000 and 5001", at, pids)
		}
		for i := range got {
			path := fmt.Sprintf("/docker/%c%s", 'a'+i, ctrID[1:])
			if got[i].Cause != oomdoc.CauseCgroupLimit || got[i].Kernel.TaskCgroup != path {
				t.Errorf("%d: %s of %s, want %s", at, got[i].Cause, got[i].Kernel.TaskCgroup, path)
			}
		}
	}
}

// A failed request for per-CPU memory has no header of the page allocator's.
func TestPercpuFailures(t *testing.T) {
	e := eraAt(t, 6012)
	w := newWorld(e)
	stack := w.stack("systemd")
	first := "percpu: allocation failed, size=8192 align=8 atomic=0, failed to populate"
	inc := one(t, kmsgForm(append([]string{first}, stack...)))
	if inc.Process == nil || *inc.Process.Name != "systemd" || inc.Process.PID != 812 || *inc.Memory.RequestedBytes != 8192 || inc.Outcome != oomdoc.OutcomeDegraded {
		t.Errorf("got %+v, %+v", inc.Process, inc.Memory)
	}
	for _, other := range []string{
		"percpu: allocation failed, size=8192 align=8 atomic=1, atomic alloc failed, no space left",
		"percpu: allocation failed, size=8192 align=8 atomic=0, alloc from reserved chunk failed",
	} {
		if got := explained(t, kmsgForm(append([]string{other}, stack...))); len(got) != 0 {
			t.Errorf("%q: got %d incidents", other, len(got))
		}
	}
}

// From 6.18 failcnt counts in cgroup v2; a path longer than a record goes on in
// fragments.
func TestALongPathGoesOnInFragments(t *testing.T) {
	long := "/kubepods.slice/" + strings.Repeat("a-rather-long-name.slice/", 60) + "app.service"
	w := newWorld(eraAt(t, 6012))
	limited(w, long, long)
	var log strings.Builder
	seq := 1000
	write := func(flag, text string) {
		fmt.Fprintf(&log, "6,%d,%d,%s;%s\n", seq, 7_000_000+seq, flag, text)
		seq++
	}
	for _, line := range w.lines() {
		line = strings.ReplaceAll(line, "\n", `\x0a`)
		flag := "-"
		for len(line) > 900 {
			write(flag, line[:900])
			line, flag = line[900:], "c"
		}
		write(flag, line)
	}
	inc := one(t, []byte(log.String()))
	if inc.Kernel.OOMCgroup != long || inc.Kernel.TaskCgroup != long {
		t.Errorf("got paths of %d and %d bytes, want %d", len(inc.Kernel.OOMCgroup), len(inc.Kernel.TaskCgroup), len(long))
	}
	if inc.Process.PID != 4711 {
		t.Errorf("killed %d", inc.Process.PID)
	}
}

func TestTheMachineStops(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    int
		lines func(*world) []string
	}{
		{"deadlocked", 6012, func(w *world) []string {
			w.fate = "no-victim"
			return append(w.lines(), "Kernel panic - not syncing: System is deadlocked on memory")
		}},
		{"nobody, before 4.18", 4015, func(w *world) []string {
			w.fate = "panic"
			return replaced(t, w.lines(), "Out of memory: system-wide panic_on_oom is enabled", "Out of memory and no killable processes...")
		}},
		{"compulsory", 6012, func(w *world) []string {
			w.fate = "panic"
			return replaced(t, w.lines(), "system-wide", "compulsory")
		}},
		{"2.6.32", 2032, func(w *world) []string {
			w.fate = "panic"
			return replaced(t, w.lines(), "Out of memory: system-wide panic_on_oom is enabled", "out of memory. panic_on_oom is selected")
		}},
		{"page fault", 2032, func(w *world) []string {
			w.fate = "panic"
			return replaced(t, w.lines(), "Out of memory: system-wide panic_on_oom is enabled", "out of memory from page fault. panic_on_oom is selected.")
		}},
		{"init of the group", 6012, func(w *world) []string {
			limited(w, unitPath, unitPath)
			return append(w.lines(), "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000009")
		}},
	} {
		w := newWorld(eraAt(t, c.at))
		lines := append(c.lines(w), "CPU: 3 PID: 812 Comm: postgres Not tainted "+w.era.version+" #1", "Call Trace:", " panic+0x101/0x2e3", "Kernel Offset: 0x2000000 from 0xffffffff81000000", "---[ end Kernel panic - not syncing: Out of memory ]---")
		for _, write := range []func([]string) []byte{kmsgForm, plain, pstoreDump} {
			if inc := one(t, write(lines)); inc.Outcome != oomdoc.OutcomePanic {
				t.Errorf("%s: outcome %s, want panic", c.name, inc.Outcome)
			}
		}
	}
}

// Before 4.3 a worker of the kernel asks for the kill that SysRq queued.
func TestSysRqOfOldKernels(t *testing.T) {
	for at, key := range map[int]string{2032: "SysRq : Manual OOM execution", 3008: "SysRq : Manual OOM execution", 4009: "sysrq: SysRq : Manual OOM execution", 6012: "sysrq: Manual OOM execution"} {
		w := newWorld(eraAt(t, at))
		w.ask, w.invoker.name = gfpKernel, "kworker/0:1"
		if at == 2032 {
			w.invoker.name = "events/0"
		}
		if at >= 4003 {
			w.order = -1
		}
		z := w.largest()
		z.free, z.whole = gib, gib/2
		w.fill()
		inc := one(t, kmsgForm(append([]string{key}, w.lines()...)))
		if inc.Cause != oomdoc.CauseRequested {
			t.Errorf("%d: %s, want requested", at, inc.Cause)
		}
	}
}

func TestWhatIsNoKill(t *testing.T) {
	for _, lines := range [][]string{
		{"sysrq: Manual OOM execution", "OOM request ignored. No task eligible"},
		{"sysrq: Manual OOM execution", "OOM request ignored because killer is disabled"},
		{"OOM killer disabled.", "OOM killer enabled."},
		{"__vm_enough_memory: pid: 77, comm: java, no enough memory for the allocation"},
		{"__vm_enough_memory: pid: 77, comm: java, bytes: 4294967296 not enough memory for the allocation"},
		{"TCP: out of memory -- consider tuning tcp_mem"},
		{"Huh VM_FAULT_OOM leaked out to the #PF handler. Retrying PF"},
		{"oom_kill_process: 6 callbacks suppressed", "__ratelimit: 8552 callbacks suppressed"},
		{"postgres: page allocation stalls for 10079ms, order:0, mode:0x14200ca(GFP_HIGHUSER_MOVABLE), nodemask=(null)"},
		{"Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)"},
		{"Out of memory", "tried to kill init!"},
		{"oom_reaper: reaped process 77 (java), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB"},
		{"virtio_balloon virtio0: Out of puff! Can't get 1 pages"},
	} {
		for name, write := range map[string]func([]string) []byte{"kmsg": kmsgForm, "dmesg": plain, "syslog": formNamed("rsyslog")} {
			if got := explained(t, write(lines)); len(got) != 0 {
				t.Errorf("%s %q: got %d incidents: %s", name, lines, len(got), got[0].Summary.Text)
			}
		}
	}
}

// A kill's own follow-ups are part of it.
func TestWhatFollowsAKillIsPartOfIt(t *testing.T) {
	for _, at := range []int{4009, 4019, 5010, 6012} {
		w := newWorld(eraAt(t, at))
		lines := append(w.lines(), w.failureLines("postgres", gfpProgram, 0)...)
		lines = append(lines, "oom_reaper: reaped process 4711 (hog worker), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB")
		for _, write := range []func([]string) []byte{kmsgForm, plain} {
			if inc := one(t, write(lines)); inc.Process.PID != 4711 {
				t.Errorf("%d: killed %d", at, inc.Process.PID)
			}
		}
	}
}

// failureLines is the report of a request that failed, by era.
func (w *world) failureLines(comm string, g gfp, order int) []string {
	e, mask := &w.era, w.era.mask(g)
	var lines []string
	switch {
	case e.at < 3003:
		lines = append(lines, fmt.Sprintf("%s: page allocation failure. order:%d, mode:%#x", comm, order, mask))
	case e.at < 4006:
		lines = append(lines, fmt.Sprintf("%s: page allocation failure: order:%d, mode:%#x", comm, order, mask))
	case e.at < 4012:
		lines = append(lines, fmt.Sprintf("%s: page allocation failure: order:%d, mode:%#x(%s)", comm, order, mask, g.names))
	case e.at < 5000:
		lines = append(lines, fmt.Sprintf("%s: page allocation failure: order:%d, mode:%#x(%s), nodemask=(null)", comm, order, mask, g.names),
			comm+" cpuset=/ mems_allowed=0")
	default:
		lines = append(lines, fmt.Sprintf("%s: page allocation failure: order:%d, mode:%#x(%s), nodemask=(null),cpuset=/,mems_allowed=0", comm, order, mask, g.names))
	}
	w.invoker.name = comm
	lines = append(lines, w.stack(comm)...)
	return append(lines, w.memoryBlock()...)
}

// A request that failed is an incident only where its numbers say what was
// short and it was not allowed to fail.
func TestRequestsThatFailed(t *testing.T) {
	for _, e := range eras() {
		w := newWorld(e)
		w.shatter()
		got := explained(t, kmsgForm(w.failureLines("modprobe", gfpKernel, 4)))
		if len(got) != 1 || got[0].Class != oomdoc.ClassFragmentation || got[0].Cause != oomdoc.CauseKernelBuddy || got[0].Outcome == oomdoc.OutcomeKilled {
			t.Errorf("%s, 16 pages in one piece: got %d: %+v", e.version, len(got), got)
			continue
		}
		if k := got[0].Kernel; *k.Order != 4 || *k.Invoker != "modprobe" || k.PageSize != e.page {
			t.Errorf("%s: order %d, invoker %q, page %d", e.version, *k.Order, *k.Invoker, k.PageSize)
		}
		if p := got[0].Process; p == nil || *p.Name != "modprobe" || p.PID != 812 {
			t.Errorf("%s: process %+v, want modprobe (812)", e.version, p)
		}
		for name, g := range map[string]gfp{"atomic": gfpAtomic, "no wait": gfpNoWait} {
			w := newWorld(e)
			if got := explained(t, kmsgForm(w.failureLines("swapper/3", g, 0))); len(got) != 0 {
				t.Errorf("%s, %s: got %d incidents, want none", e.version, name, len(got))
			}
		}
	}
}

// Kill lines beyond the rate limit stand alone: each is a kill.
func TestKillLinesBeyondTheRateLimit(t *testing.T) {
	for _, at := range []int{4019, 5010, 6012} {
		w := newWorld(eraAt(t, at))
		limited(w, unitPath, unitPath)
		var lines []string
		var want []int
		for i := range 25 {
			w.victim.pid = 6000 + i
			w.victim.anon += 4 * kib
			want = append(want, w.victim.pid)
			w.tasks[1], w.invoker = w.victim, w.victim
			report := w.lines()
			if i >= 10 {
				report = report[len(report)-1:]
				if at < 5001 {
					report = []string{w.chosen(), w.kill(&w.victim)}
				}
			}
			lines = append(lines, report...)
		}
		lines = append(lines, "oom_kill_process: 15 callbacks suppressed")
		got := explained(t, kmsgForm(lines))
		if pids := pidsOf(got); !slices.Equal(pids, want) {
			t.Errorf("%d: killed %v", at, pids)
		}
		for i := range got {
			if got[i].Cause != oomdoc.CauseCgroupLimit {
				t.Errorf("%d: kill %d is %s", at, i, got[i].Cause)
			}
		}
	}
}

// Nobody can be killed: the kernel tells so every few milliseconds.
func TestAFloodWithoutAVictim(t *testing.T) {
	for _, at := range []int{4015, 5010, 6012} {
		w := newWorld(eraAt(t, at))
		limited(w, unitPath, unitPath)
		w.fate = "no-victim"
		var lines []string
		for i := range 60 {
			w.group.usage = w.group.limit - int64(i%3)*4*kib
			lines = append(lines, w.lines()...)
		}
		inc := one(t, kmsgForm(lines))
		if inc.Count != 60 || inc.Outcome != oomdoc.OutcomeDegraded || inc.Process != nil {
			t.Errorf("%d: count %d, outcome %s, process %v", at, inc.Count, inc.Outcome, inc.Process)
		}
	}
}

func TestLimitsThatAreOdd(t *testing.T) {
	e := era{version: "3.10.0-1160.el7.x86_64", at: 3010, vendor: "el7", page: 4 << 10, v1: true}
	w := newWorld(e)
	limited(w, "/docker/"+ctrID, "/docker/"+ctrID)
	w.group.usage = 100 * mib
	w.group.kernel = 64 * mib
	lines := replaced(t, w.lines(), "kmem: usage 65536kB, limit 18014398509481983kB", "kmem: usage 65536kB, limit 65536kB")
	if inc := one(t, kmsgForm(lines)); inc.Memory.LimitBytes == nil || *inc.Memory.LimitBytes != 64*mib || inc.Process.Container != ctrID {
		t.Errorf("kernel memory: limit %v, container %q", inc.Memory.LimitBytes, inc.Process.Container)
	}
	w.group.usage, w.group.swapUsage = 200*mib, 56*mib
	lines = replaced(t, w.lines(), "memory+swap: usage 262144kB, limit 18014398509481983kB", "memory+swap: usage 262144kB, limit 262144kB")
	if inc := one(t, kmsgForm(lines)); *inc.Memory.LimitBytes != 256*mib {
		t.Errorf("memory and swap: limit %d", *inc.Memory.LimitBytes)
	}
	w = newWorld(eraAt(t, 6012))
	limited(w, unitPath, unitPath)
	w.group.usage, w.group.limit = 4*kib, 4*kib
	if inc := one(t, kmsgForm(w.lines())); *inc.Memory.LimitBytes != 4*kib {
		t.Errorf("one page: limit %d", *inc.Memory.LimitBytes)
	}
	w.group.limit, w.group.usage, w.group.swapLimit, w.group.swapUsage = 64*mib, 64*mib+40*kib, 32*mib, 32*mib
	if inc := one(t, kmsgForm(w.lines())); *inc.Memory.SwapFreeBytes != 0 || *inc.Memory.SwapTotalBytes != 32*mib || *inc.Memory.FreeBytes != 0 {
		t.Errorf("swap of the group: %+v", inc.Memory)
	}
}

// vm.oom_dump_tasks=0 leaves the table out.
func TestAReportWithoutATable(t *testing.T) {
	damaged(func(name string, s *shape, w *world) {
		lines := without(w.lines(), "[", "Tasks state")
		inc := one(t, kmsgForm(lines))
		if inc.Cause != s.cause || inc.Process.PID != w.victim.pid {
			t.Errorf("%s: %s, killed %d", name, inc.Cause, inc.Process.PID)
		}
	})
}

// The manager tells of the same kill in the journal.
func TestTheManagersWordsBelongToTheKill(t *testing.T) {
	w := newWorld(eraAt(t, 6012))
	limited(w, unitPath, unitPath)
	log := perRecord(func(i int) string { return fmt.Sprintf("Dec 01 01:43:17.%06d node1 kernel: ", 40*i) }, blanks)(w.lines())
	log = append(log, "Dec 01 01:43:17.200000 node1 systemd[1]: app.service: A process of this unit has been killed by the OOM killer.\n"+
		"Dec 01 01:43:17.200100 node1 systemd[1]: app.service: Main process exited, code=killed, status=9/KILL\n"+
		"Dec 01 01:43:17.200200 node1 systemd[1]: app.service: Failed with result 'oom-kill'.\n"...)
	if inc := one(t, log); inc.Process.PID != 4711 || inc.Process.Unit != "app.service" || inc.Killer != "kernel" {
		t.Errorf("got %+v", inc.Process)
	}
}
