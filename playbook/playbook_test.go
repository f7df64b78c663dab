package playbook_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/playbook"
)

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
	gib = int64(1) << 30
)

// fixes diagnoses a report and gives its fixes in English.
func fixes(t *testing.T, report *oomdoc.KernelReport, facts oomdoc.Facts) []oomdoc.Fix {
	t.Helper()
	inc := classify.Diagnose(oomdoc.Event{
		ID: "0123456789", Kind: oomdoc.EventKernelKill, Trust: oomdoc.TrustKernel, Kernel: report,
	}, facts)
	playbook.Attach(&inc, report, facts)
	if inc.Fixes == nil {
		t.Error("the fixes are nil and not empty")
	}
	english, err := lang.New(lang.English)
	if err != nil {
		t.Fatal(err)
	}
	return english.Render(inc).Fixes
}

// texts are the steps of a fix; commands are those of them that can be typed.
func texts(fix oomdoc.Fix) (all []string, commands []string) {
	for _, step := range fix.Steps {
		all = append(all, step.Text)
		if step.IsCommand() {
			commands = append(commands, step.Text)
		}
	}
	return all, commands
}

func titled(found []oomdoc.Fix, key oomdoc.Key) *oomdoc.Fix {
	for i := range found {
		if found[i].Title.Key == key {
			return &found[i]
		}
	}
	return nil
}

// limitReport is a kill at the limit of 1 GiB of a cgroup.
func limitReport(path string) *oomdoc.KernelReport {
	return &oomdoc.KernelReport{
		KernelVersion: "6.12.9", PageSize: 4 * kib,
		Trigger: &oomdoc.Trigger{Comm: "hog", GFPMask: 0x140dca},
		Summary: &oomdoc.OOMSummary{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: path, TaskMemcg: path, Task: "hog", PID: 100, HasTask: true},
		Memcg:   &oomdoc.MemcgOOM{Usage: new(gib), Limit: new(gib), SwapUsage: new(int64(0)), SwapLimit: new(int64(1) << 60)},
		Kills:   []oomdoc.Kill{{PID: 100, Comm: "hog", Memcg: true, AnonRSS: new(900 * mib)}},
		Tasks:   []oomdoc.Task{{PID: 100, TGID: 100, RSS: 900 * mib / (4 * kib), Name: "hog"}},
	}
}

const (
	containerID = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d"
	podUID      = "3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c"
)

func TestALimitIsRaisedByWhoeverManagesTheGroup(t *testing.T) {
	cases := []struct {
		name, path string
		commands   []string
		says       string // somewhere in the steps
	}{
		{"unit", "/system.slice/job.service", []string{
			"sudo systemctl set-property job.service MemoryMax=1536M", "sudo systemctl restart job.service",
		}, ""},
		{"unit with an escape in its name", `/system.slice/system-my\x2dapp.slice/my\x2dapp@blue.service`, []string{
			`sudo systemctl set-property 'my\x2dapp@blue.service' MemoryMax=1536M`, `sudo systemctl restart 'my\x2dapp@blue.service'`,
		}, ""},
		{"user unit", "/user.slice/user-1000.slice/user@1000.service/app.slice/job.service", []string{
			"systemctl --user set-property job.service MemoryMax=1536M", "systemctl --user restart job.service",
		}, "uid 1000"},
		{"a group below a unit", "/system.slice/job.service/workers", []string{
			"echo 1536M | sudo tee /sys/fs/cgroup/system.slice/job.service/workers/memory.max",
		}, ""},
		{"docker", "/docker/" + containerID, []string{
			"docker update --memory 1536m --memory-swap -1 " + containerID,
		}, "mem_limit"},
		{"a container of Kubernetes", "/kubepods/burstable/pod" + podUID + "/" + containerID, []string{
			`kubectl get pods --all-namespaces -o jsonpath='{range .items[?(@.metadata.uid=="` + podUID + `")]}{.metadata.namespace}{" "}{.metadata.name}{"\n"}{end}'`,
		}, "resources.limits.memory of the container with the id 8f0c2d4e6a1b to 1536Mi"},
		{"a whole pod", "/kubepods/burstable/pod" + podUID, []string{
			`kubectl get pods --all-namespaces -o jsonpath='{range .items[?(@.metadata.uid=="` + podUID + `")]}{.metadata.namespace}{" "}{.metadata.name}{"\n"}{end}'`,
		}, "sum over its containers"},
		{"podman", "/machine.slice/libpod-" + containerID + ".scope/container", []string{
			"echo 1536M | sudo tee /sys/fs/cgroup/machine.slice/libpod-" + containerID + ".scope/container/memory.max",
		}, ""},
		{"podman's own group", "/machine.slice/libpod-" + containerID + ".scope", []string{
			"podman update --memory 1536m --memory-swap -1 " + containerID,
		}, ""},
		{"a login session", "/user.slice/user-1000.slice/session-3.scope", []string{
			"sudo systemctl set-property --runtime session-3.scope MemoryMax=1536M",
		}, "systemd-run -p"},
		{"a user's slice", "/user.slice/user-1000.slice", []string{
			"sudo systemctl set-property user-1000.slice MemoryMax=1536M",
		}, ""},
		{"a unit that systemd-run made", "/system.slice/run-r0123.service", []string{
			"sudo systemctl set-property --runtime run-r0123.service MemoryMax=1536M",
		}, "MemoryMax=1536M"},
		{"LXC", "/lxc.payload.web", []string{"sudo lxc-cgroup -n web memory.max 1536M"}, "lxc.cgroup2.memory.max = 1536M"},
		{"libvirt", `/machine.slice/machine-qemu\x2d1\x2dweb.scope`, []string{
			"sudo virsh memtune web --hard-limit 1572864 --live --config",
		}, ""},
		{"Slurm", "/slurm/uid_1000/job_42/step_0", []string{"sacct -j 42 --format=JobID,ReqMem,MaxRSS"}, "--mem=1536M"},
		{"a group that nobody known manages", "/batch jobs/$(reboot)", []string{
			"echo 1536M | sudo tee '/sys/fs/cgroup/batch jobs/$(reboot)/memory.max'",
		}, "may set it back"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := fixes(t, limitReport(c.path), oomdoc.Facts{})
			if len(found) != 1 || found[0].Number != 8 || found[0].Slug != "host" {
				t.Fatalf("got %+v, want one fix with number 8", found)
			}
			all, commands := texts(found[0])
			if strings.Join(commands, "\n") != strings.Join(c.commands, "\n") {
				t.Errorf("got commands\n%s\nwant\n%s", strings.Join(commands, "\n"), strings.Join(c.commands, "\n"))
			}
			if !strings.Contains(strings.Join(all, "\n"), c.says) {
				t.Errorf("the steps do not say %q: %q", c.says, all)
			}
		})
	}
}

func TestTheFirstTryIsMoreThanWhatWasWantedAndSaysThatItIsOne(t *testing.T) {
	cases := []struct {
		name   string
		change func(*oomdoc.KernelReport)
		facts  oomdoc.Facts
		try    string
		why    oomdoc.Key
	}{
		{"half more", func(*oomdoc.KernelReport) {}, oomdoc.Facts{}, "1536M", "fix.raise-limit.why"},
		{"half more of a machine that is known", func(*oomdoc.KernelReport) {}, oomdoc.Facts{RAMBytes: 32 * gib}, "1536M", "fix.raise-limit.why-ram"},
		{"more than the machine has", func(*oomdoc.KernelReport) {}, oomdoc.Facts{RAMBytes: gib}, "1536M", "fix.raise-limit.why-beyond-ram"},
		{"what was swapped out is wanted too", func(r *oomdoc.KernelReport) {
			r.Memcg.SwapUsage = new(gib)
		}, oomdoc.Facts{}, "3G", "fix.raise-limit.why-swap"},
		{"a tiny limit", func(r *oomdoc.KernelReport) {
			r.Memcg.Usage, r.Memcg.Limit = new(4*kib), new(4*kib)
		}, oomdoc.Facts{}, "1M", "fix.raise-limit.why"},
		{"8 GiB", func(r *oomdoc.KernelReport) {
			r.Memcg.Usage, r.Memcg.Limit = new(8*gib), new(8*gib)
		}, oomdoc.Facts{}, "12G", "fix.raise-limit.why"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := limitReport("/system.slice/job.service")
			c.change(report)
			found := fixes(t, report, c.facts)
			if len(found) != 1 {
				t.Fatalf("got %d fixes", len(found))
			}
			_, commands := texts(found[0])
			if want := "sudo systemctl set-property job.service MemoryMax=" + c.try; commands[0] != want || found[0].Why.Key != c.why {
				t.Errorf("got %q (%s), want %q (%s)", commands[0], found[0].Why.Key, want, c.why)
			}
		})
	}
}

func TestAnUnknownLimitIsLookedUpAndNotGuessed(t *testing.T) {
	for path, want := range map[string]string{
		"/system.slice/job.service": "sudo systemctl show -p MemoryMax -p MemorySwapMax -p MemoryPeak job.service",
		"/docker/" + containerID:    "docker inspect --format '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}' " + containerID,
		"/batch":                    "cat /sys/fs/cgroup/batch/memory.max",
	} {
		report := limitReport(path)
		report.Memcg = nil
		found := fixes(t, report, oomdoc.Facts{})
		if len(found) != 1 {
			t.Fatalf("%s: got %d fixes", path, len(found))
		}
		if _, commands := texts(found[0]); len(commands) != 1 || commands[0] != want {
			t.Errorf("%s: got %q, want %q", path, commands, want)
		}
	}
}

func TestAGroupThatMayNotSwapIsToldOfThatWayOut(t *testing.T) {
	const swap = "sudo systemctl set-property job.service MemorySwapMax=1536M"
	for _, c := range []struct {
		machine *int64
		want    bool
	}{{new(8 * gib), true}, {new(int64(0)), false}, {nil, true}} {
		report := limitReport("/system.slice/job.service")
		report.Memcg.SwapLimit = new(int64(0))
		_, commands := texts(fixes(t, report, oomdoc.Facts{SwapBytes: c.machine})[0])
		if got := strings.Contains(strings.Join(commands, "\n"), swap); got != c.want {
			t.Errorf("machine with swap %v: told %t, want %t", c.machine, got, c.want)
		}
	}
}

func TestDockerKeepsTheSwapThatTheContainerHad(t *testing.T) {
	for _, c := range []struct {
		swap *int64
		want string
	}{
		{new(int64(1) << 60), "--memory-swap -1 "},
		{new(int64(0)), "--memory-swap 1536m "},
		{new(512 * mib), "--memory-swap 2g "},
		{nil, "--memory-swap 3g "},
	} {
		report := limitReport("/docker/" + containerID)
		report.Memcg.SwapLimit = c.swap
		_, commands := texts(fixes(t, report, oomdoc.Facts{})[0])
		if !strings.Contains(commands[0], c.want) {
			t.Errorf("got %q, want %q", commands[0], c.want)
		}
	}
	v1 := limitReport("/docker/" + containerID)
	v1.Memcg.SwapUsage, v1.Memcg.SwapLimit = nil, nil
	v1.Memcg.MemswUsage, v1.Memcg.MemswLimit = new(gib), new(9007199254740988*kib)
	if _, commands := texts(fixes(t, v1, oomdoc.Facts{})[0]); !strings.Contains(commands[0], "--memory-swap -1 ") {
		t.Errorf("cgroup v1 without a limit for swap: got %q", commands[0])
	}
}

func TestAGroupOfCgroupV1IsSetByItsOwnFiles(t *testing.T) {
	report := limitReport("/batch")
	report.Memcg = &oomdoc.MemcgOOM{
		Usage: new(gib), Limit: new(gib), MemswUsage: new(gib), MemswLimit: new(gib), KmemUsage: new(int64(0)),
	}
	_, commands := texts(fixes(t, report, oomdoc.Facts{})[0])
	want := []string{ // the sum may never be below memory alone, so it goes first
		"echo 1536M | sudo tee /sys/fs/cgroup/memory/batch/memory.memsw.limit_in_bytes",
		"echo 1536M | sudo tee /sys/fs/cgroup/memory/batch/memory.limit_in_bytes",
	}
	if strings.Join(commands, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", commands, want)
	}
}

func TestNoCommandIsMadeOfAPathThatIsNotExact(t *testing.T) {
	for _, path := range []string{"/bad\xffname", "/../../etc", "/a/../b"} {
		if found := fixes(t, limitReport(path), oomdoc.Facts{}); len(found) != 0 {
			t.Errorf("%q: got %+v", path, found)
		}
	}
}

func TestASelftestAndAnAskedForKillHaveNoFixes(t *testing.T) {
	if found := fixes(t, limitReport("/oomdoc-selftest-01"), oomdoc.Facts{}); len(found) != 0 {
		t.Errorf("self-test: got %+v", found)
	}
	asked := hostReport()
	asked.Trigger.Order = -1
	if found := fixes(t, asked, oomdoc.Facts{}); len(found) != 0 {
		t.Errorf("asked for: got %+v", found)
	}
}

// TestNamesReachTheShellAsTheyAre runs the quoting through a real shell.
func TestNamesReachTheShellAsTheyAre(t *testing.T) {
	for _, name := range []string{
		"plain", "two words", "it's", "$(touch /tmp/x)", "`id`", `back\slash`, "a;b", "a\nb", "*", "~", "#x", "a=b", "é", "''", "-n",
	} {
		report := limitReport("/" + name)
		_, commands := texts(fixes(t, report, oomdoc.Facts{})[0])
		argument := strings.TrimPrefix(commands[0], "echo 1536M | sudo tee ")
		got, err := exec.Command("/bin/sh", "-c", "printf %s "+argument).Output()
		if err != nil {
			t.Fatalf("%q: %v", commands[0], err)
		}
		if want := "/sys/fs/cgroup/" + name + "/memory.max"; string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAUnitThatLooksLikeAnOptionIsNoOption(t *testing.T) {
	_, commands := texts(fixes(t, limitReport("/system.slice/-H.service"), oomdoc.Facts{})[0])
	if want := "sudo systemctl set-property -- -H.service MemoryMax=1536M"; commands[0] != want {
		t.Errorf("got %q, want %q", commands[0], want)
	}
}
