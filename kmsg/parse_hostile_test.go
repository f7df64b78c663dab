package kmsg_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oomdoc/oomdoc"
)

// hostileNames are process names (at most 15 bytes) that imitate parts of a
// report or break the ways in which one could be taken apart.
var hostileNames = []string{
	"", " ", "a (b) c) x", ")", "(", "x) total-vm:1kB", ") total-vm:1kB\n", "x\nOut of memory", "\n\nx",
	",pid=1,uid=0", ",pid=1,uid=0\nx", "a,task=b", ",task=", ",task_memcg=/a", ",global_oom",
	" invoked oom-ki", "Killed process ", "\nKilled process", "Killed process\n", "oom-kill:constr", "Mem-Info:", "Mem-Info:\nx",
	"Tasks in /a", "Call Trace:", "memory: usage 1", "[    1] 0 1 1 1", "Node 0 DMA: ", "[ pid ]", "anon 1\nfile 2",
	"Not tainted 9.9", " Not tainted 9.", "Tainted: G 9.9", "CPU: 1 PID: 1 C", "Comm: x", "Out of memory: ", "SLUB: Unable to",
	"mode:0x1", "order:9", "%s%n", "UID:0 pgtables:", "), UID 5, total", "oom_reaper: x",
	strings.Repeat("z", 15),
}

// facts are what no name may change.
type facts struct {
	Events, Kills, PID, UID, TID, TriggerUID, Order int
	Comm, Invoker, Row, Task, Version               string
	OOMMemcg, TaskMemcg, StatsOf, Mems, Cpuset      string
	RSS, Limit, Anon                                int64
	Rows                                            int
}

func factsOf(list []oomdoc.Event, pid int) facts {
	f := facts{Events: len(list)}
	if len(list) != 1 {
		return f
	}
	k := list[0].Kernel
	f.Kills = len(k.Kills)
	if f.Kills > 0 {
		f.PID, f.Comm = k.Kills[0].PID, k.Kills[0].Comm
		f.UID, f.RSS = value(k.Kills[0].UID), value(k.Kills[0].RSS())
	}
	if k.Trigger != nil {
		f.TID, f.TriggerUID, f.Order, f.Invoker = k.Trigger.TID, value(k.Trigger.UID), k.Trigger.Order, k.Trigger.Comm
	}
	if k.Summary != nil {
		f.OOMMemcg, f.TaskMemcg, f.Task = k.Summary.OOMMemcg, k.Summary.TaskMemcg, k.Summary.Task
		f.Mems, f.Cpuset = k.Summary.MemsAllowed, k.Summary.Cpuset
	}
	if k.Memcg != nil {
		f.StatsOf, f.Limit, f.Anon = k.Memcg.StatsOf, value(k.Memcg.Limit), k.Memcg.Stats["anon"]
	}
	f.Version, f.Rows = k.KernelVersion, len(k.Tasks)
	for _, row := range k.Tasks {
		if row.PID == pid {
			f.Row = row.Name
		}
	}
	return f
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func wantFacts(c composed) facts {
	f := facts{
		Events: 1, Kills: 1, PID: 4711, UID: 1000, TID: 4712, TriggerUID: 1000,
		Comm: c.comm, Invoker: c.comm, Row: c.comm, Task: c.comm, Version: "6.12.9-amd64",
		OOMMemcg: c.cgroup, TaskMemcg: c.cgroup, StatsOf: c.cgroup, Mems: "0-1,3", Cpuset: c.cpuset,
		RSS: (40832 + 1364) << 10, Limit: 40960 << 10, Anon: 41857024, Rows: 2,
	}
	if c.group {
		f.Kills = 2
	}
	if c.cpuset == "" {
		f.Cpuset = "/"
	}
	if c.global {
		f.OOMMemcg = ""
	}
	return f
}

func TestAProcessNameChangesNoOtherField(t *testing.T) {
	for _, name := range append(hostileNames, "\x01cx", "\x010evil", "\xd0\xbf\xd1", "\x1b[2J", "\x7f", `\x41`, "a\tb") {
		for _, global := range []bool{false, true} {
			c := composed{comm: name, cgroup: "/app.slice/web.service", global: global}
			if diff := cmp.Diff(wantFacts(c), factsOf(events(t, raw(c.lines())), 4711)); diff != "" {
				t.Errorf("name %q, global %t (-want +got):\n%s", name, global, diff)
			}
		}
	}
}

func TestANewlineInANameIsJoinedInTextForms(t *testing.T) {
	for form, write := range map[string]func([]string) []byte{"dmesg": dmesg, "journalctl": journal, "rsyslog": syslog} {
		for _, name := range hostileNames {
			c := composed{comm: name, cgroup: "/app.slice/web.service"}
			inRaw := events(t, raw(c.lines()))
			inText := events(t, write(c.lines()))
			if diff := cmp.Diff(wantFacts(c), factsOf(inText, 4711)); diff != "" {
				t.Errorf("%s, name %q (-want +got):\n%s", form, name, diff)
				continue
			}
			if inRaw[0].ID != inText[0].ID {
				t.Errorf("%s, name %q: id %s, in raw form %s", form, name, inText[0].ID, inRaw[0].ID)
			}
		}
	}
}

func TestACgroupNameChangesNoOtherField(t *testing.T) {
	for _, path := range []string{
		"/a,task=evil,pid=1,uid=0", "/a,task=evil", "/a,task_memcg=/b", "/a,task_memcg=/b,task=x,pid=1,uid=1",
		"/a,oom_memcg=/b", "/a,global_oom,task_memcg=/b", "/a,mems_allowed=7,global_oom,task_memcg=/b",
		"/a: cache:5KB", "/a: cache:5KB rss:1KB", "/a:", "/a b", "/a are going to be killed due to memory.oom.group set",
		"/a invoked oom-killer: gfp_mask=0x0, order=0, oom_score_adj=0", `/system.slice/my\x2dapp.service`,
		"/a) total-vm:1kB, anon-rss:1kB, file-rss:1kB", "/Killed process 1 (x)", "/",
	} {
		c := composed{comm: "hog,task=1", cgroup: path, group: true}
		got := events(t, raw(c.lines()))
		if diff := cmp.Diff(wantFacts(c), factsOf(got, 4711)); diff != "" {
			t.Errorf("path %q (-want +got):\n%s", path, diff)
			continue
		}
		if got[0].Kernel.GroupPath != path {
			t.Errorf("group path: got %q, want %q", got[0].Kernel.GroupPath, path)
		}
	}
}

func TestACpusetNameChangesNoOtherField(t *testing.T) {
	for _, name := range []string{
		"x,mems_allowed=0", "x,mems_allowed=0,global_oom", "x,mems_allowed=0,oom_memcg=", "x,mems_allowed=0-9,task_memcg=",
		"x,pid=1,uid=0", "x,task=y", "x,cpuset=z",
	} {
		c := composed{comm: "hog", cgroup: "/app.slice/web.service", cpuset: name}
		if diff := cmp.Diff(wantFacts(c), factsOf(events(t, raw(c.lines())), 4711)); diff != "" {
			t.Errorf("cpuset %q (-want +got):\n%s", name, diff)
		}
	}
}

// Only what the kernel itself prints at the start of a line counts. A USB
// device, a mount, a module parameter can put text of their own into one.
func TestTextInsideOtherKernelLinesIsNoReport(t *testing.T) {
	log := raw([]string{
		"usb 1-1: Product: x invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
		"usb 1-1: Product: Out of memory: Killed process 1 (init) total-vm:1kB, anon-rss:1kB, file-rss:1kB, shmem-rss:0kB",
		"usb 1-1: Manufacturer: x: page allocation failure: order:0, mode:0x40cc0(GFP_KERNEL|__GFP_COMP)",
		"EXT4-fs (sda1): mounted oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=a,pid=1,uid=0",
		"audit: type=1400 comm=\"x\" Out of memory and no killable processes...",
	})
	if got := events(t, log); len(got) != 0 {
		t.Errorf("got %d events, want none: %+v", len(got), got[0].Kernel)
	}
}

func TestUserSpaceRecordsAreNoEvidence(t *testing.T) {
	genuine := string(raw(composed{comm: "hog", cgroup: "/a"}.lines()))
	forged := strings.ReplaceAll(string(raw(composed{comm: "forged", cgroup: "/b", pid: 99}.lines())), "4,", "12,")
	var mixed strings.Builder
	other := strings.SplitAfter(forged, "\n")
	for i, line := range strings.SplitAfter(genuine, "\n") {
		mixed.WriteString(line)
		if i < len(other) {
			mixed.WriteString(other[i])
		}
	}
	got := only(t, []byte(mixed.String()))
	if pid := got.Kernel.Kills[0].PID; pid != 4711 || got.Trust != oomdoc.TrustKernel || len(got.Records) != 17 {
		t.Errorf("got pid %d, trust %d, %d records; want 4711, %d, 17", pid, got.Trust, len(got.Records), oomdoc.TrustKernel)
	}
}
