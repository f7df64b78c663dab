package applog_test

import "testing"

// What only speaks of killers, or of a kill that was not done, is no event.
func TestTextsThatOnlyLookLikeAKillGiveNothing(t *testing.T) {
	for name, log := range map[string]string{
		"chat about earlyoom": `Jan 10 09:00:00 n chat[9]: bob: earlyoom said: sending SIGTERM to process 7481 uid 1000 "Web": badness 12, VmRSS 2 MiB` + "\n",
		"the words of earlyoom by somebody else": `Jan 10 09:00:00 n chat[9]: sending SIGTERM to process 7481 uid 1000 "Web": badness 12, VmRSS 2 MiB` + "\n" +
			`Jan 10 09:00:00 n runsv[9]: Killing process 12 (old)` + "\n",
		"a unit named earlyoom.service starts":      "Jan 10 09:00:00 n systemd[1]: Started earlyoom.service - Early OOM Daemon.\nJan 10 09:00:00 n systemd[1]: earlyoom.service: Killing process 512 (earlyoom) with signal SIGKILL.\n",
		"earlyoom starts and reports":               "Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM when mem <= 10.00% and swap <= 10.00%,\nJan 10 09:00:00 n earlyoom[512]: mem avail: 14000 of 15903 MiB (88.03%), swap free: 2047 of 2047 MiB (100.00%)\n",
		"earlyoom does not carry out (--dryrun)":    "Jan 10 09:00:00 n earlyoom[512]: low memory! at or below SIGTERM limits: mem  4.00%, swap 10.00%\nJan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 7481 uid 1000 \"Web\": badness 12, VmRSS 2 MiB\nJan 10 09:00:00 n earlyoom[512]: dryrun, not actually sending any signal\n",
		"earlyoom may not kill":                     "Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 7481 uid 1000 \"Web\": badness 12, VmRSS 2 MiB\nJan 10 09:00:00 n earlyoom[512]: kill failed: Operation not permitted\n",
		"systemd-oomd considers":                    "Dec 18 19:34:56 n systemd-oomd[840]: Considered 61 cgroups for killing, top candidates were:\nDec 18 19:34:56 n systemd-oomd[840]:         Path: /user.slice/x.scope\nDec 18 19:34:56 n systemd-oomd[840]:                 Current Memory Usage: 4.1G\n",
		"systemd-oomd --dry-run":                    "Dec 18 19:34:56 n systemd-oomd[840]: Memory pressure for /system.slice is 85.03% > 80.00% for > 2s with reclaim activity\nDec 18 19:34:56 n systemd-oomd[840]: oomd dry-run: Would have tried to kill /system.slice/a.service with recurse=true\n",
		"systemd-oomd found nothing to kill":        "Dec 18 19:34:56 n systemd-oomd[840]: Memory pressure for /system.slice is greater than 60 for more than 30 seconds and there was reclaim activity\nDec 18 19:34:56 n systemd-oomd[840]: Failed to kill any cgroup(s) under /system.slice based on pressure\n",
		"a unit's line by somebody else":            "Dec 18 19:34:56 n logger[9]: hog.service: systemd-oomd killed 3 process(es) in this unit.\nDec 18 19:34:56 n logger[9]: hog.service: A process of this unit has been killed by the OOM killer.\n",
		"talk of a unit":                            "Dec 18 19:34:56 n systemd[1]: I think that hog.service: systemd-oomd killed 3 process(es) in this unit.\n",
		"the OOM killer is off (suspend)":           "Dec 18 19:34:56 n kernel: OOM killer disabled.\nDec 18 19:34:56 n kernel: OOM killer enabled.\n",
		"a dry kill of oomd":                        "14,812,77740597,-;oomd kill: 81.28 80.05 42.78 workload.slice/a 123456 ruleset:[r] detectorgroup:[d] killer:(dry)kill_by_swap_usage v2\n",
		"the kubelet evicts for disk":               `I0601 12:00:00.100001    1201 eviction_manager.go:366] "Eviction manager: must evict pod(s) to reclaim" resourceName="ephemeral-storage"` + "\n" + `I0601 12:00:00.310022    1201 eviction_manager.go:595] "Eviction manager: pod is evicted successfully" pod="shop/cart"` + "\n  Warning  Evicted  kubelet  The node was low on resource: ephemeral-storage. Container cart was using 1871Mi, request is 0.\n",
		"the kubelet attempts to reclaim":           `I0601 12:00:00.100001    1201 eviction_manager.go:366] "Eviction manager: attempting to reclaim" resourceName="memory"` + "\n" + `I0601 12:00:00.100001    1201 eviction_manager.go:380] "Eviction manager: able to reduce resource pressure without evicting pods." resourceName="memory"` + "\n",
		"the kubelet's words in a sentence":         "Jun 01 12:00:00 n blog[7]: Kubernetes says The node was low on resource: memory. Then it evicts.\nKubernetes says The node was low on resource: memory. Then it evicts.\n",
		"a state of memory that Ray prints":         "Memory on the node (IP: 10.0.0.5, ID: 90ef) was 3.25GB / 34.00GB (0.1)\n",
		"the program's own out-of-memory error":     "ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.\n",
		"nohang executes a command":                 "Jan 10 09:00:00 n nohang[700]: Implementing a corrective action:\nJan 10 09:00:00 n nohang[700]:   Executing the command: systemctl restart x\n",
		"nohang may not kill":                       "Jan 10 09:00:00 n nohang[700]:   Sending SIGTERM to the victim\nJan 10 09:00:00 n nohang[700]: Cannot send a signal: PermissionError\n",
		"talk of Slurm's words":                     "I saw: slurmstepd: error: Detected 1 oom-kill event(s) in step 1234.batch cgroup.\nslurmstepd: error: Detected 1 oom-kill event(s) in step x cgroup.\n",
		"a game sends":                              "Sending SIGTERM to the victim\nKilled /bin/x due to boredom\nMarked /a for killing due to rule\n",
		"the manager's word in the kernel's log":    "30,812,77740597,-;systemd[1]: hog.service: A process of this unit has been killed by the OOM killer.\n",
		"oom-kill as a word of another kind of log": "Jun 01 12:00:00 n app[7]: hog.service: Failed with result 'oom-kill'.\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, ev := range events(t, log) {
				t.Errorf("got %+v", *ev.UserKill)
			}
		})
	}
}
