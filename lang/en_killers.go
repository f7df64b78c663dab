package lang

import "github.com/oomdoc/oomdoc"

// englishKillers holds the English sentences about killers in user space.
func englishKillers() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		englishKillerSummaries(),
		englishKillerEvidence(),
		englishKillerMissing(),
		englishKillerFixes(),
	})
}

func englishKillerSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"summary.user-pressure":  "{name} (pid {pid}) was killed by {killer}: programs stalled too long for lack of memory (memory pressure).",
		"summary.user-swap":      "{name} (pid {pid}) was killed by {killer}: RAM and swap of the machine were nearly used up.",
		"summary.user-available": "{name} (pid {pid}) was killed by {killer}: the machine had too little memory left.",
		"summary.user-usage":     "{name} (pid {pid}) was killed by {killer}: the machine used more memory than it allows.",
		"summary.user-rule":      "{name} (pid {pid}) was killed by {killer}, as one of its rules says.",
		"summary.user-unknown":   "{name} (pid {pid}) was killed by {killer} for lack of memory; the log does not say what was short.",

		"summary.user-owner-pressure":  "{killer} killed {kind} {owner}: programs stalled too long for lack of memory (memory pressure).",
		"summary.user-owner-swap":      "{killer} killed {kind} {owner}: RAM and swap of the machine were nearly used up.",
		"summary.user-owner-available": "{killer} killed {kind} {owner}: the machine had too little memory left.",
		"summary.user-owner-usage":     "{killer} killed {kind} {owner}: the machine used more memory than it allows.",
		"summary.user-owner-rule":      "{killer} killed {kind} {owner}, as one of its rules says.",
		"summary.user-owner-unknown":   "{killer} killed {kind} {owner} for lack of memory; the log does not say what was short.",

		"summary.user-unseen":   "{killer} killed something for lack of memory; the log does not say what.",
		"summary.user-eviction": "{killer} evicted {kind} {owner}: the node had too little memory left.",
		"summary.user-asked":    "{killer} asked the kernel to kill (SysRq-f) because the machine had too little memory left; whom it killed the log does not say.",

		"summary.user-forgeable":       "{name} (pid {pid}) may have been killed by {killer}: a line in the kernel log says so, where other programs can write too.",
		"summary.user-owner-forgeable": "{killer} may have killed {kind} {owner}: a line in the kernel log says so, where other programs can write too.",

		"summary.told-process":    "{name} (pid {pid}) was killed by the kernel's out-of-memory killer, as the kubelet reports; the kernel's own lines, which would say why, are not in this log.",
		"summary.told-counter":    "{name} (pid {pid}) was killed, and the kernel counted an out-of-memory kill in its cgroup; the kernel's own lines, which would say why, may not be read here.",
		"summary.told-owner":      "A process of {kind} {owner} was killed by the kernel's out-of-memory killer, as {teller} reports; the kernel's own lines, which would say why, are not in this log.",
		"summary.told-owner-open": "A process of {kind} {owner} was killed for lack of memory, as systemd reports; by whom and why is not in this log.",
	}
}

func englishKillerEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.killer-pressure":       "memory pressure of {cgroup} was {pressure}, above its limit of {limit}",
		"evidence.killer-pressure-for":   "memory pressure of {cgroup} was {pressure}, above its limit of {limit} for more than {span}",
		"evidence.killer-pressure-rule":  "memory pressure of {cgroup} was {pressure} over the last 10 s",
		"evidence.killer-pressure-host":  "memory pressure was {pressure}, above the limit of {limit}",
		"evidence.killer-pressure-limit": "memory pressure of {cgroup} was above its limit of {limit} for more than {span}",
		"evidence.killer-swap":           "{used} of {total} of swap was used, more than the limit of {limit}",
		"evidence.killer-memory-and-swap": "{ram_used} of {ram} of RAM and {used} of {total} of swap were used, " +
			"each more than the limit of {limit}",
		"evidence.killer-state":                "{available} of {ram} of RAM was available ({share}), and {free} of {total} of swap was free",
		"evidence.killer-state-no-swap":        "{available} of {ram} of RAM was available ({share})",
		"evidence.killer-state-swapless":       "{available} of {ram} of RAM was available ({share}), and there is no swap",
		"evidence.killer-limits":               "{killer} acts when at most {memory} of RAM is available and at most {swap} of swap is free",
		"evidence.killer-minimum":              "{available} of RAM was available, and {killer} acts below {limit}",
		"evidence.killer-threshold":            "{available} of memory was available, below the threshold of {limit}",
		"evidence.killer-container":            "container {container} used {used} and had requested {request}",
		"evidence.killer-container-no-request": "container {container} used {used}",
		"evidence.killer-usage":                "{used} of {ram} of memory was used ({share}), above the threshold of {limit}",
		"evidence.killer-usage-no-limit":       "{used} of {ram} of memory was used ({share})",
		"evidence.killer-held":                 "{name} (pid {pid}) held {rss} of RAM",
		"evidence.killer-group-held":           "{cgroup} used {rss} of memory",
		"evidence.killer-signal":               "{killer} sent {signal} to {name} (pid {pid})",
		"evidence.killer-unit":                 "the service manager counts {n|killed process|killed processes} of {unit}",
		"evidence.killer-unit-some":            "the service manager says that {killer} killed processes of {unit}",
		"evidence.killer-rule":                 "{killer} acted on the rule {rule} ({action})",
		"evidence.killer-asked":                "{killer} asked the kernel by SysRq-f to choose whom to kill",
		"evidence.killer-line":                 "this line of {killer} is all that the log has of it",
		"evidence.told-unit":                   "systemd says that the kernel's out-of-memory killer killed a process of {unit}",
		"evidence.told-result":                 "systemd gives lack of memory as the reason for which {unit} failed",
		"evidence.told-counter":                "the kernel's count of out-of-memory kills in {cgroup} rose by {n} while the command ran",
		"evidence.told-slurm":                  "Slurm counted {n|kill|kills} by the kernel's out-of-memory killer in step {step} of job {job}",
		"evidence.told-system":                 "the kubelet says that the kernel killed {name} (pid {pid}) when the machine ran out of memory",
	}
}

func englishKillerMissing() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"missing.killer-writer":    "who wrote the line: this text does not name its writer",
		"missing.killer-forgeable": "a trusted source: the line is in the kernel log, but the kernel did not write it",
		"missing.killer-why":       "the numbers that made it act",
		"missing.killer-who":       "which process was killed",
		"missing.kernel-log":       "the kernel's report of the kill: it tells which memory ran out",
	}
}

func englishKillerFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.oomd-spare":       "If this job must live, let systemd-oomd choose another first",
		"fix.oomd-spare.why":   "systemd-oomd then takes it last. The memory is short all the same, so something else dies in its place. It heeds this for a unit of the system, and for a user's unit where the group that it watches belongs to the same user.",
		"fix.oomd-limits":      "Let systemd-oomd wait longer",
		"fix.oomd-limits.why":  "Pressure of more than {limit} is a stall that people feel. A higher limit trades longer stalls for fewer kills.",
		"fix.killer-swap.why":  "Only {free} of {total} of swap was free when {killer} acted. More swap puts that off; it helps against peaks, not against a leak.",
		"step.oomd-status":     "See what systemd-oomd watches and its limits:",
		"step.oomd-monitored":  "The limit of {cgroup} is its own; set it there:",
		"fix.early-limits":     "Let {killer} act later",
		"fix.early-limits.why": "{killer} acts when at most {memory} of RAM is available and at most {swap} of swap is free. On a machine with much RAM that can still be a lot of memory.",
		"fix.early-why":        "{killer} acts while some memory is still available, so that the machine never hangs. On a machine with much RAM its default leaves a lot unused.",
		"step.early-options":   "Add {option} to EARLYOOM_ARGS in /etc/default/earlyoom (the first number is for SIGTERM, the second for SIGKILL), then restart it:",
		"step.early-avoid":     "If this job must live, add {option} there as well: earlyoom then takes another process first.",
		"step.nohang-options":  "Set {option} in /etc/nohang/nohang.conf (nohang-desktop.conf on a desktop), then restart it:",
		"step.nohang-avoid":    "If this job must live, give it a lower badness there: {option}",
		"step.oomd-start":      "Start it the next time with the setting {setting}, for example by systemd-run -p (with --user for a user's job).",
		"fix.oomd-rules":       "Change the rule of oomd, or spare this job",
		"step.oomd-rules":      "The rules are in /etc/oomd.json: raise the threshold of the detector of {rule}, or set the extended attribute trusted.oomd_avoid on the cgroup of a job that must live.",

		"fix.evict-requests":       "Request as much memory as the pod uses",
		"fix.evict-requests.why":   "The kubelet evicts first who uses more than it requested. Container {container} used {used} and had requested {request}.",
		"fix.evict-requests.plain": "The kubelet evicts first who uses more than it requested.",
		"step.evict-request":       "In the description of its workload (Deployment, StatefulSet, Job) set resources.requests.memory of container {container} to {size}, and apply it. It is then scheduled only where that much is free.",
		"step.evict-request-some":  "In the description of its workload (Deployment, StatefulSet, Job) raise resources.requests.memory of its containers to what they use, and apply it.",
		"step.evict-threshold":     "If the node has memory to spare below its threshold, lower memory.available in evictionHard of the kubelet's configuration; keep enough for the system, else the kernel kills in its place.",
		"step.evict-usage":         "See what its containers use:",

		"fix.ray-less":       "Run fewer of these tasks at a time on a node",
		"fix.ray-less.why":   "Ray's monitor killed the task last started because the node's memory was nearly used up.",
		"step.ray-memory":    "Tell Ray what the task needs, so that it schedules fewer at a time: {option}",
		"step.ray-threshold": "On a node with much RAM the threshold can be higher; start Ray with {option}.",
	}
}
