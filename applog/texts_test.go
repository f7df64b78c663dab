package applog_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/oomdoc/oomdoc"
)

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
)

// The lines are in the formats of the versions named: systemd's src/oom and
// src/core/unit.c, earlyoom's kill.c and main.c, nohang's src/nohang, oomd's
// BaseKillPlugin, Kubernetes' pkg/kubelet/eviction, Ray's raylet. Those of
// systemd 252, earlyoom 1.6 and the Ray error are from public reports with
// personal details replaced.
func TestEveryVersionsTextIsReadNumberByNumber(t *testing.T) {
	for name, test := range map[string]struct {
		log  string
		want oomdoc.UserKill
	}{
		"systemd-oomd 247: the reason alone, then the unit's line": {
			"Feb 02 10:11:12 n systemd-oomd[612]: Memory pressure for /user.slice/user-1000.slice/user@1000.service is greater than 10 for more than 30 seconds and there was reclaim activity\n" +
				"Feb 02 10:11:12 n systemd[1500]: app-x.scope: systemd-oomd killed 3 process(es) in this unit.\n",
			oomdoc.UserKill{
				Killer: "systemd-oomd", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonPressure, UserUnit: "app-x.scope", Processes: new(3),
				Monitored: "/user.slice/user-1000.slice/user@1000.service", PressureLimit: new(10.0), PressureFor: 30 * time.Second,
			},
		},
		"systemd-oomd 247: swap": {
			"Feb 02 10:11:12 n systemd-oomd[612]: Swap used (1934622720) / total (2147479552) is more than 90%\n" +
				"Feb 02 10:11:12 n systemd[1]: hog.service: systemd-oomd killed 1 process(es) in this unit.\n",
			oomdoc.UserKill{
				Killer: "systemd-oomd", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonSwap, Unit: "hog.service", Processes: new(1),
				SwapUsed: new(int64(1934622720)), SwapTotal: new(int64(2147479552)), SwapLimit: new(90.0),
			},
		},
		"systemd-oomd 252: a path with the words of the line": {
			"Dec 18 19:34:56 n systemd-oomd[840]: Killed /system.slice/a due to b.service due to memory pressure for /system.slice being 51.07% > 50.00% for > 1min 30s with reclaim activity\n",
			oomdoc.UserKill{
				Killer: "systemd-oomd", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonPressure, Cgroup: "/system.slice/a due to b.service",
				Monitored: "/system.slice", Pressure: new(51.07), PressureLimit: new(50.0), PressureFor: 90 * time.Second,
			},
		},
		"systemd-oomd 252: a long span": {
			"Dec 18 19:34:56 n systemd-oomd[840]: Killed /system.slice/a.service due to memory pressure for /x being y being 51.07% > 50.00% for > 1min 30s with reclaim activity\n",
			oomdoc.UserKill{
				Killer: "systemd-oomd", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonPressure, Cgroup: "/system.slice/a.service",
				Monitored: "/x being y", Pressure: new(51.07), PressureLimit: new(50.0), PressureFor: 90 * time.Second,
			},
		},
		"systemd-oomd 252: memory and swap, the unit's line first": {
			"Feb 02 10:11:12 n systemd[1500]: app-gnome-firefox\\x2desr-4242.scope: systemd-oomd killed some process(es) in this unit.\n" +
				"Feb 02 10:11:12 n systemd-oomd[612]: Killed /user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-firefox\\x2desr-4242.scope due to memory used (8134217728) / total (8263016448) and swap used (1934622720) / total (2147479552) being more than 90.00%\n",
			oomdoc.UserKill{
				Killer: "systemd-oomd", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonSwap,
				Cgroup:   "/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-firefox\\x2desr-4242.scope",
				UserUnit: "app-gnome-firefox\\x2desr-4242.scope",
				MemUsed:  new(int64(8134217728)), MemTotal: new(int64(8263016448)), MemLimit: new(90.0),
				SwapUsed: new(int64(1934622720)), SwapTotal: new(int64(2147479552)), SwapLimit: new(90.0),
			},
		},
		"systemd-oomd 259: marked by a rule, then killed": {
			"Feb 02 10:11:12 n systemd-oomd[612]: Rule 'big' conditions met for cgroup /system.slice for 10s, taking action kill-by-pgscan\n" +
				"Feb 02 10:11:12 n systemd-oomd[612]: Marked /system.slice/a.service for killing due to rule\n" +
				"Feb 02 10:11:15 n systemd-oomd[612]: Killed /system.slice/a.service due to rule\n",
			oomdoc.UserKill{
				Killer: "systemd-oomd", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonRule, Cgroup: "/system.slice/a.service",
				Monitored: "/system.slice", PressureFor: 10 * time.Second, Rule: "big", Action: "kill-by-pgscan",
			},
		},
		"earlyoom 0.x": {
			"Jan 10 09:00:00 n earlyoom[512]: Out of memory! avail: 120 MiB < min: 150 MiB\n" +
				"Jan 10 09:00:00 n earlyoom[512]: Killing process 7481 Web Content\n",
			oomdoc.UserKill{
				Killer: "earlyoom", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAvailable, PID: 7481, Comm: new("Web Content"),
				Signal: "SIGKILL", MemAvailable: new(120 * mib), MemLimitBytes: new(150 * mib),
			},
		},
		"earlyoom 1.1": {
			"Jan 10 09:00:00 n earlyoom[512]: Killing process: a, pid: 1, pid: 7481, badness: 812, VmRSS: 3121 MiB\n",
			oomdoc.UserKill{
				Killer: "earlyoom", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAvailable, PID: 7481, Comm: new("a, pid: 1"),
				Signal: "SIGKILL", RSS: new(3121 * mib),
			},
		},
		"earlyoom 1.3": {
			"Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 85110 \"ninja\": badness 12, VmRSS 2 MiB\n",
			oomdoc.UserKill{
				Killer: "earlyoom", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAvailable, PID: 85110, Comm: new("ninja"),
				Signal: "SIGTERM", RSS: new(2 * mib),
			},
		},
		"earlyoom 1.9, with limits and state": {
			"Jan 10 09:00:00 n earlyoom[512]: mem avail:   621 of 15903 MiB ( 3.91%), swap free:  101 of 2047 MiB ( 4.95%)\n" +
				"Jan 10 09:00:00 n earlyoom[512]: low memory! at or below SIGTERM limits: mem  4.00%, swap 10.00%\n" +
				"Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 7481 uid 1000 \"a\": oom_score 1\": oom_score 1042, oom_score_adj 167, VmRSS 3121 MiB, cmdline \"/opt/x --api-key hunter2\"\n" +
				"Jan 10 09:00:03 n earlyoom[512]: escalating to SIGKILL after 2.842 seconds\n" +
				"Jan 10 09:00:03 n earlyoom[512]: process 7481 exited after 3.104 seconds\n",
			oomdoc.UserKill{
				Killer: "earlyoom", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAvailable, PID: 7481, UID: new(1000),
				Comm: new(`a": oom_score 1`), Cmdline: "/opt/x --api-key hunter2", Signal: "SIGKILL", ExitedIn: 3104 * time.Millisecond,
				RSS: new(3121 * mib), MemAvailable: new(621 * mib), MemTotal: new(15903 * mib), MemLimit: new(4.0),
				SwapFree: new(101 * mib), SwapTotal: new(2047 * mib), SwapLimit: new(10.0),
			},
		},
		"earlyoom 1.1 with -k": {
			"Jan 10 09:00:00 n earlyoom[512]: Low memory! at or below SIGKILL limits: mem  5.00%, swap 5.00%\n" +
				"Jan 10 09:00:00 n earlyoom[512]: Invoking oom killer: done\n",
			oomdoc.UserKill{
				Killer: "earlyoom", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAsked, MemLimit: new(5.0), SwapLimit: new(5.0),
			},
		},
		"nohang 0.2": {
			nohangBlock,
			oomdoc.UserKill{
				Killer: "nohang", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAvailable, PID: 1234, UID: new(1000),
				Comm: new("tail"), Cgroup: "/user.slice/user-1000.slice/session-2.scope", RSS: new(5234 * mib), Signal: "SIGKILL",
				MemAvailable: new(310 * mib), MemLimitBytes: new(640 * mib), MemLimit: new(8.0), MemTotal: new(7900 * mib),
				SwapFree: new(int64(0)), SwapTotal: new(int64(0)), ExitedIn: 123 * time.Millisecond,
			},
		},
		"oomd v2": {
			"6,812,77740597,-;oomd kill: 81.28 80.05 42.78 workload.slice/a b.service 123456 ruleset:[protect] detectorgroup:[slow] killer:kill_by_memory_size_or_growth v2\n",
			oomdoc.UserKill{}, // facility 0: the kernel does not write this
		},
		"oomd v2, facility user": {
			"14,812,77740597,-;oomd kill: 81.28 80.05 42.78 workload.slice/a b.service 123456 ruleset:[protect] detectorgroup:[slow] killer:kill_by_memory_size_or_growth v2\n",
			oomdoc.UserKill{
				Killer: "oomd", Witness: oomdoc.WitnessForgeable, Reason: oomdoc.ReasonRule, Cgroup: "/workload.slice/a b.service",
				RSS: new(int64(123456)), Pressure: new(81.28), Rule: "protect", Action: "kill_by_memory_size_or_growth",
			},
		},
		"oomd v1": {
			"14,812,77740597,-;oomd kill: 10.00 60.00 600.00 Evil  1999 detector:swap,12345MB killer:Evaporate \n",
			oomdoc.UserKill{
				Killer: "oomd", Witness: oomdoc.WitnessForgeable, Reason: oomdoc.ReasonRule, Cgroup: "/Evil",
				RSS: new(int64(1999)), Pressure: new(10.0), Rule: "swap,12345MB", Action: "Evaporate",
			},
		},
		"kubelet 1.17": {
			"Jun 01 12:00:00 n kubelet[1201]: W0601 12:00:00.100001    1201 eviction_manager.go:333] eviction manager: attempting to reclaim memory\n" +
				"Jun 01 12:00:00 n kubelet[1201]: I0601 12:00:00.100101    1201 eviction_manager.go:344] eviction manager: must evict pod(s) to reclaim memory\n" +
				"Jun 01 12:00:00 n kubelet[1201]: I0601 12:00:00.310022    1201 eviction_manager.go:566] eviction manager: pod cart-x_shop(6cbb0e3a-9d37-4b1f-9a08-f0e2f4c1f111) is evicted successfully\n",
			oomdoc.UserKill{Killer: "kubelet", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAvailable, Pod: "cart-x", Namespace: "shop"},
		},
		"kubelet's event, 1.26 and before, two containers": {
			"3m2s   Warning   Evicted   pod/cart-x   The node was low on resource: memory. Container side was using 20Mi, which exceeds its request of 0. Container cart was using 1871Mi, which exceeds its request of 256Mi. \n",
			oomdoc.UserKill{
				Killer: "kubelet", Witness: oomdoc.WitnessUnnamed, Reason: oomdoc.ReasonAvailable, Pod: "cart-x", Container: "cart",
				Using: new(1871 * mib), Request: new(256 * mib),
			},
		},
		"kubelet's event with a threshold": {
			"  Warning  Evicted  kubelet  The node was low on resource: memory. Threshold quantity: 100Mi, available: 91240Ki. Container cart was using 1871Mi, request is 256Mi, has larger consumption of memory. \n",
			oomdoc.UserKill{
				Killer: "kubelet", Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAvailable, Container: "cart",
				Using: new(1871 * mib), Request: new(256 * mib), MemLimitBytes: new(100 * mib), MemAvailable: new(91240 * kib),
			},
		},
		"kubelet tells of a kernel kill": {
			"53m  Warning  SystemOOM  node/a  System OOM encountered, victim process: a, pid: 2, pid: 478970\n",
			oomdoc.UserKill{
				Killer: "kernel", Told: true, Teller: "kubelet", Witness: oomdoc.WitnessUnnamed, PID: 478970, Comm: new("a, pid: 2"),
			},
		},
		"systemd tells of a kernel kill, and of what became of the unit": {
			"Jun 01 12:00:00 n systemd[1]: hog.service: A process of this unit has been killed by the OOM killer.\n" +
				"Jun 01 12:00:01 n systemd[1]: hog.service: Failed with result 'oom-kill'.\n",
			oomdoc.UserKill{Killer: "kernel", Told: true, Teller: "systemd", Witness: oomdoc.WitnessNamed, Unit: "hog.service"},
		},
		"slurm 19.05, on the job's standard error": {
			"slurmstepd: error: Detected 1 oom-kill event(s) in step 1234.batch cgroup. Some of your processes may have been killed by the cgroup out-of-memory handler.\n",
			oomdoc.UserKill{
				Killer: "kernel", Told: true, Teller: "slurm", Witness: oomdoc.WitnessUnnamed, SlurmJob: "1234", SlurmStep: "batch", Processes: new(1),
			},
		},
		"slurm 22.05, in slurmd's log": {
			"[2026-01-10T09:00:00.123] [1234.0] error: Detected 2 oom_kill events in StepId=1234.0. Some of the step tasks have been OOM Killed.\n",
			oomdoc.UserKill{
				Killer: "kernel", Told: true, Teller: "slurm", Witness: oomdoc.WitnessUnnamed, SlurmJob: "1234", SlurmStep: "0", Processes: new(2),
			},
		},
		"ray's monitor": {
			"(raylet) Memory on the node (IP: 10.0.0.5, ID: 90efe99b) where the task (task ID: a6757df1, name=a was b, pid=91085, memory used=24.50GB) was running was 32.25GB / 34.00GB (0.9485), which exceeds the memory usage threshold of 0.95. Ray killed this worker (ID: a810) because it was the most recently scheduled task\n",
			oomdoc.UserKill{
				Killer: "ray", Witness: oomdoc.WitnessUnnamed, Reason: oomdoc.ReasonUsage, PID: 91085, Task: "a was b", Signal: "SIGKILL",
				RSS: new(24*1024*mib + 512*mib), MemUsed: new(32*1024*mib + 256*mib), MemTotal: new(34 * 1024 * mib), MemLimit: new(95.0),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			list := events(t, test.log)
			if test.want.Killer == "" && !test.want.Told {
				if len(list) != 0 {
					t.Fatalf("got %+v, want nothing", *list[0].UserKill)
				}
				return
			}
			if len(list) != 1 {
				t.Fatalf("got %d events, want 1", len(list))
			}
			ev := list[0]
			lines := cmpopts.IgnoreFields(oomdoc.UserKill{}, "Line", "LimitLine", "StateLine", "UnitLine")
			if diff := cmp.Diff(test.want, *ev.UserKill, lines, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if ev.Kind != oomdoc.EventUserKill || len(ev.ID) != 10 || len(ev.Records) == 0 || !ev.Final {
				t.Errorf("the event is not whole: kind %s, id %q, %d records, final %t", ev.Kind, ev.ID, len(ev.Records), ev.Final)
			}
		})
	}
}

// nohangBlock is a whole decision of nohang 0.2, as journald has it: a record for
// each line.
const nohangBlock = `Jan 10 09:00:00 n nohang[700]: >>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>
Jan 10 09:00:00 n nohang[700]: Memory status that requires corrective actions:
Jan 10 09:00:00 n nohang[700]:   MemAvailable [310 MiB, 3.9 %] <= soft_threshold_min_mem [640 MiB, 8.0 %]
Jan 10 09:00:00 n nohang[700]:   SwapFree [0 MiB, 0.0 %] <= soft_threshold_min_swap [0 MiB, - %]
Jan 10 09:00:00 n nohang[700]: Victim status (found in 12ms):
Jan 10 09:00:00 n nohang[700]:   PID:       1234, name: tail, state: S (sleeping), EUID: 1000, SID: 1200 (bash), lifetime: 12.3s
Jan 10 09:00:00 n nohang[700]:   badness:   812, oom_score:  812, oom_score_adj:  0
Jan 10 09:00:00 n nohang[700]:   Vm, MiB:   Size: 9000, RSS: 5234 (Anon: 5230, File: 4, Shmem: 0), Swap: 0
Jan 10 09:00:00 n nohang[700]:   cgroup_v1: /
Jan 10 09:00:00 n nohang[700]:   cgroup_v2: /user.slice/user-1000.slice/session-2.scope
Jan 10 09:00:00 n nohang[700]:   cmdline:   tail /dev/zero
Jan 10 09:00:00 n nohang[700]: Memory info, MiB:
Jan 10 09:00:00 n nohang[700]:   total=7900, used=7400, free=100, available=310, shared=20, buffers=1, cache=300,
Jan 10 09:00:00 n nohang[700]:   swap_total=0, swap_used=0, swap_free=0
Jan 10 09:00:00 n nohang[700]: Implementing a corrective action:
Jan 10 09:00:00 n nohang[700]:   Sending SIGTERM to the victim
Jan 10 09:00:00 n nohang[700]: OK; total response time: 15ms
Jan 10 09:00:02 n nohang[700]: Memory status that requires corrective actions:
Jan 10 09:00:02 n nohang[700]:   MemAvailable [200 MiB, 2.5 %] <= hard_threshold_min_mem [320 MiB, 4.0 %]
Jan 10 09:00:02 n nohang[700]:   PID:       1234, name: tail, state: S (sleeping), EUID: 1000, SID: 1200 (bash), lifetime: 14.3s
Jan 10 09:00:02 n nohang[700]: Implementing a corrective action:
Jan 10 09:00:02 n nohang[700]:   Sending SIGKILL to the victim
Jan 10 09:00:02 n nohang[700]: The victim died in 0.123s
`
