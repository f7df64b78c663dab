package playbook_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

func pages(size int64) int64 { return size / (4 * kib) }

// hostReport is a machine of 16 GiB without swap that one process filled.
func hostReport() *oomdoc.KernelReport {
	return &oomdoc.KernelReport{
		KernelVersion: "6.12.9", PageSize: 4 * kib,
		Trigger: &oomdoc.Trigger{Comm: "hog", GFPMask: 0x140dca},
		Summary: &oomdoc.OOMSummary{
			Constraint: "CONSTRAINT_NONE", GlobalOOM: true, TaskMemcg: "/system.slice/hog.service", Task: "hog", PID: 100, HasTask: true,
		},
		Memory: &oomdoc.MemInfo{
			Counters: map[string]int64{"active_anon": pages(15 * gib), "free": pages(40 * mib)},
			Zones: []oomdoc.MemZone{{
				Name: "Normal", Bytes: map[string]int64{"free": 40 * mib, "min": 60 * mib, "high": 90 * mib},
			}},
			SwapFree: new(int64(0)), SwapTotal: new(int64(0)),
			RAMPages: new(pages(18 * gib)), ReservedPages: new(pages(2 * gib)),
		},
		Tasks: []oomdoc.Task{
			{PID: 1, TGID: 1, RSS: pages(8 * mib), Name: "systemd"},
			{PID: 100, TGID: 100, RSS: pages(14 * gib), Name: "hog"},
			{PID: 7, TGID: 7, RSS: pages(400 * mib), Name: "db"},
		},
		Kills: []oomdoc.Kill{{PID: 100, Comm: "hog", AnonRSS: new(14 * gib)}},
	}
}

func TestMissingSwapIsMadeWithExactCommands(t *testing.T) {
	found := fixes(t, hostReport(), oomdoc.Facts{})
	fix := titled(found, "fix.add-swap")
	if fix == nil || fix != &found[0] {
		t.Fatalf("swap is not the first of %d fixes", len(found))
	}
	_, commands := texts(*fix)
	want := []string{
		"sudo fallocate -l 14G /swapfile && sudo chmod 600 /swapfile && sudo mkswap /swapfile && sudo swapon /swapfile",
		"echo '/swapfile none swap sw 0 0' | sudo tee -a /etc/fstab",
	}
	if strings.Join(commands, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", commands, want)
	}
}

func TestSwapIsProposedOnlyWhereItWouldHaveHelped(t *testing.T) {
	cases := []struct {
		name   string
		change func(*oomdoc.KernelReport)
		want   oomdoc.Key
	}{
		{"none", func(*oomdoc.KernelReport) {}, "fix.add-swap"},
		{"full", func(r *oomdoc.KernelReport) {
			r.Memory.SwapTotal, r.Memory.SwapFree = new(4*gib), new(10*mib)
		}, "fix.add-more-swap"},
		{"with room", func(r *oomdoc.KernelReport) {
			r.Memory.SwapTotal, r.Memory.SwapFree = new(4*gib), new(2*gib)
		}, ""},
		{"unknown", func(r *oomdoc.KernelReport) { r.Memory.SwapTotal = nil }, ""},
		{"slab cannot swap", func(r *oomdoc.KernelReport) {
			r.Memory.Counters["active_anon"], r.Memory.Counters["slab_unreclaimable"] = pages(gib), pages(14*gib)
		}, ""},
		{"huge pages that nobody uses", func(r *oomdoc.KernelReport) {
			r.Memory.Hugepages = []oomdoc.Hugepages{{Total: 2048, Free: 2048, Size: 2 * mib}}
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := hostReport()
			c.change(report)
			found := fixes(t, report, oomdoc.Facts{})
			for _, key := range []oomdoc.Key{"fix.add-swap", "fix.add-more-swap"} {
				if got := titled(found, key) != nil; got != (key == c.want) {
					t.Errorf("%s proposed: %t, want only %q", key, got, c.want)
				}
			}
		})
	}
}

func TestTheHogGetsALimitOfItsOwn(t *testing.T) {
	fix := titled(fixes(t, hostReport(), oomdoc.Facts{}), "fix.cap-largest-unit")
	if fix == nil {
		t.Fatal("no limit is proposed")
	}
	_, commands := texts(*fix)
	if want := "sudo systemctl set-property hog.service MemoryMax=12G"; commands[0] != want {
		t.Errorf("got %q, want %q", commands[0], want)
	}
	if fix.Title.Text != "Give hog.service a memory limit of its own, so that it fails alone" {
		t.Errorf("got %q", fix.Title.Text)
	}
}

func TestNoLimitIsProposedForAGroupThatIsNotTheHogsAlone(t *testing.T) {
	cases := map[string]func(*oomdoc.KernelReport){
		"the root group":        func(r *oomdoc.KernelReport) { r.Summary.TaskMemcg = "/" },
		"a bare group":          func(r *oomdoc.KernelReport) { r.Summary.TaskMemcg = "/x" },
		"a login session":       func(r *oomdoc.KernelReport) { r.Summary.TaskMemcg = "/user.slice/user-1000.slice/session-3.scope" },
		"another was larger":    func(r *oomdoc.KernelReport) { r.Tasks[2].RSS = pages(15 * gib) },
		"it held less than all": func(r *oomdoc.KernelReport) { r.TasksCutRSS = pages(100 * gib) },
		"the group is unknown":  func(r *oomdoc.KernelReport) { r.Summary.TaskMemcg = "" },
	}
	for name, change := range cases {
		report := hostReport()
		change(report)
		found := fixes(t, report, oomdoc.Facts{})
		if titled(found, "fix.cap-largest") != nil || titled(found, "fix.cap-largest-unit") != nil {
			t.Errorf("%s: a limit is proposed", name)
		}
	}
}

func TestAVictimOfItsScoreIsTold(t *testing.T) {
	report := hostReport()
	report.Tasks[1].RSS, report.Tasks[1].OOMScoreAdj = pages(gib), new(900)
	report.Tasks[2].RSS, report.Tasks[2].OOMScoreAdj = pages(13*gib), new(0)
	fix := titled(fixes(t, report, oomdoc.Facts{}), "fix.score")
	if fix == nil {
		t.Fatal("not told")
	}
	all, commands := texts(*fix)
	if all[0] != "Set OOMScoreAdjust=0 in its [Service] section, then restart it:" || commands[0] != "sudo systemctl edit hog.service" {
		t.Errorf("got %q", all)
	}
	if titled(fixes(t, hostReport(), oomdoc.Facts{}), "fix.score") != nil {
		t.Error("told of the largest process too")
	}
}

func TestTheLargestProcessesAreListedLargestFirst(t *testing.T) {
	fix := titled(fixes(t, hostReport(), oomdoc.Facts{}), "fix.run-less")
	if fix == nil {
		t.Fatal("not listed")
	}
	all, _ := texts(*fix)
	want := []string{"hog (pid 100) held 14.0 GiB", "db (pid 7) held 400 MiB", "systemd (pid 1) held 8.0 MiB"}
	if strings.Join(all, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", all, want)
	}
	if want := "3 listed processes held 14.4 GiB of 16.0 GiB of RAM together. The largest:"; fix.Why.Text != want {
		t.Errorf("got %q, want %q", fix.Why.Text, want)
	}
}

func TestABoundProcessIsLetUseOtherNodes(t *testing.T) {
	for constraint, want := range map[string]string{
		"CONSTRAINT_CPUSET":        "sudo systemctl set-property hog.service AllowedMemoryNodes=",
		"CONSTRAINT_MEMORY_POLICY": "Start it with numactl --preferred=0 or numactl --interleave=all in place of --membind, so that it may fall back to other nodes.",
	} {
		report := hostReport()
		report.Summary.Constraint = constraint
		found := fixes(t, report, oomdoc.Facts{})
		if len(found) != 1 {
			t.Fatalf("%s: got %d fixes", constraint, len(found))
		}
		if all, _ := texts(found[0]); all[len(all)-1] != want {
			t.Errorf("%s: got %q", constraint, all)
		}
	}
}

func TestAttachNeedsNoReport(t *testing.T) {
	if found := fixes(t, nil, oomdoc.Facts{}); len(found) != 0 {
		t.Errorf("got %+v", found)
	}
}
