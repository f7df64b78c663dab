package playbook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// filledReport is the machine of hostReport with other things in its RAM.
func filledReport(change func(*oomdoc.MemInfo)) *oomdoc.KernelReport {
	report := hostReport()
	report.Memory.Counters = map[string]int64{"active_anon": pages(gib), "free": pages(40 * mib), "active_file": pages(9 * gib)}
	change(report.Memory)
	return report
}

// TestEachCauseHasItsOwnFixFirst holds the first fix of each cause, its number
// and a command or words with this incident's own numbers.
func TestEachCauseHasItsOwnFixFirst(t *testing.T) {
	cases := []struct {
		name   string
		report *oomdoc.KernelReport
		title  oomdoc.Key
		number int
		says   string
	}{
		{"shared memory", filledReport(func(m *oomdoc.MemInfo) {
			m.Counters["inactive_anon"], m.Counters["shmem"], m.Counters["active_file"] = pages(12*gib), pages(12*gib), 0
		}), "fix.free-shared", 0, "sudo find /dev/shm"},
		{"huge pages, a third of them used", filledReport(func(m *oomdoc.MemInfo) {
			m.Hugepages = []oomdoc.Hugepages{{Node: 0, Total: 3000, Free: 2000, Size: 2 * mib}, {Node: 1, Total: 1500, Free: 1000, Size: 2 * mib}}
		}), "fix.free-hugepages", 0, "echo 1500 | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"},
		{"slab", filledReport(func(m *oomdoc.MemInfo) {
			m.Counters["slab_unreclaimable"] = pages(8 * gib)
			m.UnreclaimableSlab = []oomdoc.SlabCache{{Name: "filp", Total: 5 * gib}}
		}), "fix.kernel-caches", 8, "filp held 5.0 GiB"},
		{"page tables", filledReport(func(m *oomdoc.MemInfo) {
			m.Counters["pagetables"] = pages(6 * gib)
		}), "fix.page-tables", 8, "grep -s VmPTE"},
		{"threads", filledReport(func(m *oomdoc.MemInfo) {
			m.Nodes = []oomdoc.MemNode{{Bytes: map[string]int64{"kernel_stack": 6 * gib}}}
		}), "fix.threads", 8, "ps -eo nlwp"},
		{"no counter", filledReport(func(m *oomdoc.MemInfo) {
			m.Counters["active_file"] = pages(gib)
			// Only a whole report proves it.
			m.Counters["unevictable"], m.Counters["slab_unreclaimable"], m.Counters["pagetables"] = 0, 0, 0
			m.Hugepages = []oomdoc.Hugepages{{Size: 2 * mib}}
		}), "fix.driver-memory", 8, "/proc/allocinfo"},
		{"balloon", filledReport(func(m *oomdoc.MemInfo) {
			m.Nodes = []oomdoc.MemNode{{Bytes: map[string]int64{"Balloon": 16 * gib}}}
			m.RAMPages, m.ReservedPages = new(pages(34*gib)), new(pages(18*gib))
		}), "fix.guest-memory", 8, "32G"},
		{"pieces", piecesReport(), "fix.compact", 8, "vm.min_free_kbytes = 167772"},
		{"devices", cmaReport(), "fix.smaller-cma", 8, "grep -i cma /proc/meminfo"},
		{"32 bits", lowReport(), "fix.64-bit", 8, "grep -m1 -ow lm /proc/cpuinfo"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := fixes(t, c.report, oomdoc.Facts{})
			if len(found) == 0 {
				t.Fatal("there is no fix")
			}
			if found[0].Title.Key != c.title || found[0].Number != c.number {
				t.Errorf("the first fix is %s (%d), want %s (%d)", found[0].Title.Key, found[0].Number, c.title, c.number)
			}
			all, _ := texts(found[0])
			if !strings.Contains(strings.Join(all, "\n"), c.says) {
				t.Errorf("the steps do not say %q:\n%s", c.says, strings.Join(all, "\n"))
			}
			checkCommands(t, found)
		})
	}
}

// checkCommands holds that no command has a name to be filled in.
func checkCommands(t *testing.T, found []oomdoc.Fix) {
	t.Helper()
	for _, fix := range found {
		_, commands := texts(fix)
		for _, command := range commands {
			if strings.Contains(command, "NAME") || strings.ContainsAny(command, "<") {
				t.Errorf("not to be typed as it is: %s", command)
			}
		}
	}
}

func TestAHiddenPolicyIsToldWithBothWaysOut(t *testing.T) {
	report := hostReport()
	report.KernelVersion, report.Summary = "4.4.0", nil
	report.Memory.Counters["free"] = pages(4 * gib)
	fix := titled(fixes(t, report, oomdoc.Facts{}), "fix.allow-nodes")
	if fix == nil || fix.Why.Key != "fix.allow-nodes.why-probably" || len(fix.Steps) != 2 {
		t.Errorf("got %+v", fix)
	}
}

func piecesReport() *oomdoc.KernelReport {
	report := hostReport()
	report.Trigger.Order, report.Trigger.GFPMask = 3, 0xcc0
	report.Memory.Zones[0].Bytes["free"] = 300 * mib
	report.Memory.Zones[0].Buddy = []oomdoc.BuddyOrder{{Blocks: 76800, Size: 4 * kib, Types: "U"}}
	return report
}

func cmaReport() *oomdoc.KernelReport {
	report := hostReport()
	report.Trigger.GFPMask = 0xcc0
	report.Memory.Zones[0].Bytes["free"], report.Memory.Zones[0].Bytes["free_cma"] = 300*mib, 290*mib
	report.Memory.Counters["free"], report.Memory.Counters["free_cma"] = pages(300*mib), pages(290*mib)
	return report
}

func lowReport() *oomdoc.KernelReport {
	report := hostReport()
	report.Trigger.GFPMask = 0xcc0
	report.Memory.HighMemPages = new(pages(15 * gib))
	report.Memory.Counters["free"] = pages(4 * gib)
	return report
}

func TestRamfsIsTheSizeThatIsToldAndHasNoBound(t *testing.T) {
	report := filledReport(func(m *oomdoc.MemInfo) {
		m.Counters["unevictable"], m.Counters["active_file"] = pages(9*gib), pages(5*gib)
	})
	found := fixes(t, report, oomdoc.Facts{})
	fix := titled(found, "fix.free-shared")
	if fix == nil || !strings.HasPrefix(fix.Why.Text, "9.0 GiB of 16.0 GiB") {
		t.Errorf("got %+v", fix)
	}
	if titled(found, "fix.cap-tmpfs") != nil {
		t.Error("a bound is proposed for ramfs, which takes none")
	}
}

func TestACrowdIsBoundedWhereItsGroupIsKnown(t *testing.T) {
	crowd := func(path string) *oomdoc.KernelReport {
		report := hostReport()
		report.Summary.TaskMemcg = path
		report.Tasks = nil
		for i := range 40 {
			report.Tasks = append(report.Tasks, oomdoc.Task{PID: 100 + i, TGID: 100 + i, RSS: pages(300 * mib), Name: "worker"})
		}
		return report
	}
	for path, want := range map[string]string{
		"/system.slice/job.service": "sudo systemctl set-property job.service TasksMax=20",
		"/docker/" + containerID:    "docker update --pids-limit 20 " + containerID,
		"/":                         "ulimit -u 20",
	} {
		fix := titled(fixes(t, crowd(path), oomdoc.Facts{}), "fix.cap-tasks")
		if fix == nil {
			t.Errorf("%s: no bound is proposed", path)
			continue
		}
		all, _ := texts(*fix)
		if !slices.ContainsFunc(all, func(step string) bool { return strings.Contains(step, want) }) {
			t.Errorf("%s: got %q, want %q", path, all, want)
		}
	}
	if titled(fixes(t, hostReport(), oomdoc.Facts{}), "fix.cap-tasks") != nil {
		t.Error("a bound on processes is proposed for one hog")
	}
}

func TestDroppingCachesIsATestAndNoFix(t *testing.T) {
	report := filledReport(func(m *oomdoc.MemInfo) { m.Counters["slab_reclaimable"] = pages(9 * gib) })
	fix := titled(fixes(t, report, oomdoc.Facts{}), "fix.kernel-caches")
	if fix == nil {
		t.Fatal("there is no fix for the kernel's caches")
	}
	all, _ := texts(*fix)
	at := slices.IndexFunc(all, func(step string) bool { return strings.Contains(step, "drop_caches") })
	if at < 1 || !strings.Contains(all[at-1], "test, not a cure") {
		t.Errorf("drop_caches stands without its warning in %q", all)
	}
}

func TestTheMinimumThatIsKeptFreeIsNeverSetHigh(t *testing.T) {
	report := piecesReport()
	report.Memory.Zones[0].Bytes["min"] = 250 * mib // twice that is over 3 % of 16 GiB
	report.Memory.Zones[0].Bytes["free"] = 600 * mib
	fix := titled(fixes(t, report, oomdoc.Facts{}), "fix.compact")
	if fix == nil {
		t.Fatal("there is no fix for memory in pieces")
	}
	all, _ := texts(*fix)
	if strings.Contains(strings.Join(all, "\n"), "min_free_kbytes") {
		t.Errorf("a minimum is proposed: %q", all)
	}
}
