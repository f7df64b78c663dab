package lang

import "github.com/oomdoc/oomdoc"

// englishClassify holds the English sentences of package classify: the verdict,
// its evidence, and what the evidence lacks.
func englishClassify() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		englishSummaries(),
		englishVictims(),
		englishGroupEvidence(),
		englishHostEvidence(),
		englishShares(),
		englishMissing(),
		englishKinds(),
	})
}

// englishSummaries are the one sentence of an incident.
func englishSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"summary.killed-undecided":        "{name} (pid {pid}) was killed by the kernel's out-of-memory killer; the log does not decide which memory ran out.",
		"summary.killed-contradicted":     "{name} (pid {pid}) was killed by the kernel's out-of-memory killer, yet a single page could still be had: why the request failed is not decided.",
		"summary.killed-elsewhere":        "{name} (pid {pid}) was killed: the memory that the request could use ran out while other memory of the machine was free.",
		"summary.killed-limit":            "{name} (pid {pid}) was killed: {kind} {owner} reached its memory limit of {limit}.",
		"summary.killed-limit-unit":       "{name} (pid {pid}) was killed: {owner} reached its memory limit of {limit}.",
		"summary.killed-limit-unmeasured": "{name} (pid {pid}) was killed: {kind} {owner} reached its memory limit.",
		"summary.killed-limit-unnamed":    "{name} (pid {pid}) was killed: a memory limit was reached, and the log does not say whose.",
		"summary.killed-host":             "{name} (pid {pid}) was killed: the whole machine ran out of RAM.",
		"summary.killed-host-no-swap":     "{name} (pid {pid}) was killed: the whole machine ran out of RAM, and it has no swap.",
		"summary.killed-host-swap-full":   "{name} (pid {pid}) was killed: the whole machine ran out of RAM, and its swap was full.",
		"summary.killed-host-unproven":    "{name} (pid {pid}) was killed because the machine ran out of RAM, as the kernel names no narrower limit; how much was free the log does not say.",
		"summary.killed-numa":             "{name} (pid {pid}) was killed: the NUMA nodes that it may use ran out of RAM.",
		"summary.killed-requested":        "{name} (pid {pid}) was killed because somebody asked the kernel for it (SysRq-f); that memory was short is not claimed.",

		"summary.several-limit":            "{name} (pid {pid}) and {n|other process|other processes} were killed: {kind} {owner} reached its memory limit of {limit}.",
		"summary.several-limit-unit":       "{name} (pid {pid}) and {n|other process|other processes} were killed: {owner} reached its memory limit of {limit}.",
		"summary.several-limit-unmeasured": "{name} (pid {pid}) and {n|other process|other processes} were killed: {kind} {owner} reached its memory limit.",
		"summary.several-host":             "{name} (pid {pid}) and {n|other process|other processes} were killed: the whole machine ran out of RAM.",

		"summary.nobody-limit":            "Nobody could be killed: {kind} {owner} reached its memory limit of {limit}, and every process in it is protected.",
		"summary.nobody-limit-unmeasured": "Nobody could be killed: {kind} {owner} reached its memory limit, and every process in it is protected.",
		"summary.nobody":                  "Memory ran out, and the kernel found no process that it may kill.",

		"summary.panic-limit": "The kernel panicked instead of killing a process: {kind} {owner} reached its memory limit of {limit}.",
		"summary.panic-host":  "The kernel panicked because the whole machine ran out of RAM.",
		"summary.panic":       "The kernel panicked because memory ran out.",

		"summary.unseen-limit": "A process was killed, the log does not say which: {kind} {owner} reached its memory limit of {limit}.",
		"summary.unseen-host":  "A process was killed, the log does not say which: the whole machine ran out of RAM.",
		"summary.unseen":       "The kernel's out-of-memory killer ran; the log does not say which process it killed, nor which memory ran out.",
	}
}

// englishVictims say why this process and no other.
func englishVictims() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"victim.only-one":             "it held {held} and was the only one that the kernel may kill of {n|process|processes}",
		"victim.only-listed":          "it held {held} and was the only process listed",
		"victim.largest":              "it held {held}, more than any other of {n|process|processes} (next: {next} with {next_held})",
		"victim.larger-was-protected": "it held {held}, the most of those that the kernel would choose: {other} held {other_held}, but its oom_score_adj of {other_adj} protects it",
		"victim.score-raised":         "its oom_score_adj of {adj} put it first with {held}: {other} held more ({other_held}), with an oom_score_adj of {other_adj}",
		"victim.allocating-task":      "vm.oom_kill_allocating_task is set, so the kernel kills whoever asks for memory at that moment",
		"victim.oom-group":            "memory.oom.group is set on {cgroup}, so all of its {n|process dies|processes die} together",

		"evidence.victim-held":          "{name} (pid {pid}) held {rss} of RAM: {anon} anonymous, {file} of files, {shmem} shared",
		"evidence.victim-held-no-shmem": "{name} (pid {pid}) held {rss} of RAM: {anon} anonymous, {file} of files and shared",
		"evidence.victim-died":          "{name} (pid {pid}) was killed; the line has no sizes",
		"evidence.victim-chosen":        "the kernel chose {name} (pid {pid})",
		"evidence.oom-group":            "memory.oom.group is set on {cgroup}: {n|process was|processes were} killed with one decision",
		"evidence.no-killable":          "the kernel found nobody to kill; {n|process is|processes are} listed, and oom_score_adj -1000 protects a process",
		"evidence.panic":                "the kernel is set to panic when memory runs out (vm.panic_on_oom), or had nobody left to kill",
		"evidence.remains":              "this line of a report of the kernel's out-of-memory killer is all that is left of it",
		"evidence.header":               "{name} asked for memory when none was left (order {order})",
	}
}

// englishGroupEvidence is about the limit of a memory cgroup.
func englishGroupEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.usage-at-limit":           "{kind} {owner} used {used} of its memory limit of {limit}",
		"evidence.usage-at-limit-times":     "{kind} {owner} used {used} of its memory limit of {limit}, and had run into it {n|time|times}",
		"evidence.usage-below-limit":        "{kind} {owner} used {used} of its memory limit of {limit} when the report was printed, a moment after the request failed",
		"evidence.usage-no-limit":           "{kind} {owner} used {used}; the report shows no limit for it",
		"evidence.memory-and-swap-at-limit": "{kind} {owner} used {used} of its limit of {limit} for RAM and swap together",
		"evidence.kernel-memory-at-limit":   "{kind} {owner} used {used} of its limit of {limit} for kernel memory",
		"evidence.swap-forbidden":           "the group may not use swap: its swap limit is {limit}",
		"evidence.swap-at-limit":            "the swap of the group was full too: {used} of its swap limit of {limit}",
		"evidence.limit-of":                 "the kernel names the memory limit of {cgroup} as the one that was reached",
		"evidence.limit-of-parent":          "the limit is that of {kind} {owner}, which all below it share; the killed process ran in {child_kind} {child}",
		"evidence.memcg-kill-line":          "the kernel says that the memory limit of a control group was the reason for killing pid {pid}",
		"evidence.sampled-cgroup":           "pid {pid} ran in {cgroup} when it was last looked at",
		"evidence.not-in-processes":         "{n|listed process held|listed processes held} only {sum} of the {used}: the rest is not in processes",

		"evidence.part-anon":    "{size}, {share} of what the group used, was anonymous memory of its processes",
		"evidence.part-shmem":   "{size}, {share} of what the group used, was shared memory: files in /dev/shm and other tmpfs, memfd, shared mappings",
		"evidence.part-file":    "{size}, {share} of what the group used, was cached files that could not be given up in time",
		"evidence.part-kernel":  "{size}, {share} of what the group used, was memory of the kernel on behalf of the group",
		"evidence.part-sockets": "{size}, {share} of what the group used, was network buffers",
	}
}

// englishHostEvidence is about the memory of the machine.
func englishHostEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.global":               "the kernel names no limit, cpuset or memory policy as the reason ({constraint})",
		"evidence.zone-below-min":       "zone {zone} of node {node} had {free_kib} KiB free, below its minimum of {min_kib} KiB",
		"evidence.zone-below-high":      "zone {zone} of node {node} had {free_kib} KiB free; the last try before a kill needs more than {high_kib} KiB there",
		"evidence.zone-reserve":         "zone {zone} of node {node} had {free_kib} KiB free; this request needs more than {need_kib} KiB there, because a part is kept for others",
		"evidence.zone-nearly":          "zone {zone} of node {node} had {free_kib} KiB free, {excess_kib} KiB more than this request needed there: so little may have been freed since it failed",
		"evidence.zone-enough":          "zone {zone} of node {node} had {free_kib} KiB free, more than the {need_kib} KiB that a request for one page needs there",
		"evidence.more-zones":           "{n|more zone is|more zones are} in the log records",
		"evidence.order-also":           "the request was for {size} in one piece (order {order}), but not even a single page could be had",
		"evidence.table-fills-ram":      "{n|listed process held|listed processes held} {held}, {share} of {ram} of RAM",
		"evidence.largest-process":      "the largest process, {name} (pid {pid}), held {size} of the {sum} in {n|listed process|listed processes}",
		"evidence.no-swap":              "there is no swap: {total} in total",
		"evidence.swap-full":            "swap was full: {free} free of {total}",
		"evidence.swap-low":             "swap was nearly used up: {free} free of {total} ({share})",
		"evidence.swap-free":            "swap still had {free} of {total} free ({share}): what filled RAM could not go there, so more swap would not have helped",
		"evidence.order-minus-one":      "the request has the order {order}, which the kernel uses only for SysRq-f",
		"evidence.sysrq-f":              "SysRq-f (Manual OOM execution) was asked for right before",
		"evidence.free-while-requested": "{free} of {ram} of RAM was free at that moment ({share})",

		"evidence.cpuset-bound":               "the request was bound by the cpuset {cpuset} to these NUMA nodes: {nodes}",
		"evidence.policy-bound":               "the request was bound by a memory policy (numactl, mbind, set_mempolicy) to these NUMA nodes: {nodes}",
		"evidence.free-on-other-nodes":        "on other nodes {free} was free, {share} of {ram} of RAM",
		"evidence.little-free-on-other-nodes": "on other nodes only {free} was free, {share} of {ram} of RAM: the machine as a whole was nearly full too",
		"evidence.undecided-order":            "the request was for {size} in one piece (order {order})",
		"evidence.undecided-elsewhere":        "{free} was free in zones or nodes that this request could not use",
	}
}

// englishShares say what RAM was used for.
func englishShares() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.share-anon":             "{size}, {share} of {whole} of RAM, was anonymous memory of processes",
		"evidence.share-shmem":            "{size}, {share} of {whole} of RAM, was shared memory: files in /dev/shm and other tmpfs, memfd, shared mappings",
		"evidence.share-file":             "{size}, {share} of {whole} of RAM, was cached files",
		"evidence.share-unevictable":      "{size}, {share} of {whole} of RAM, was locked (mlock) or in ramfs, so that it could not be swapped out",
		"evidence.share-slab":             "{size}, {share} of {whole} of RAM, was memory of the kernel that it could not give back (slab)",
		"evidence.share-slab-reclaimable": "{size}, {share} of {whole} of RAM, was caches of the kernel (slab that it can give back)",
		"evidence.share-hugepages":        "{size}, {share} of {whole} of RAM, was reserved as huge pages, of which {free} was free",
		"evidence.share-page-tables":      "{size}, {share} of {whole} of RAM, was page tables",
		"evidence.share-kernel-stack":     "{size}, {share} of {whole} of RAM, was kernel stacks of threads",
		"evidence.share-balloon":          "{size}, {share} of {whole} of RAM, was taken away by the hypervisor (balloon)",
		"evidence.share-unaccounted":      "{size}, {share} of {whole} of RAM, is in no counter of the report: memory of drivers, pipes or sockets",
	}
}

// englishMissing say what the evidence lacks.
func englishMissing() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"missing.report-suppressed": "the report before the kill line: the kernel prints at most 10 in 5 s",
		"missing.neighbours":        "the numbers of this very kill: that the machine was out of RAM is known from the kills within {window} before it",
		"missing.all-but-kill-line": "the report before the kill line: who asked for memory, which limit there was, what was free",
		"missing.header":            "the first line of the report: who asked for how much",
		"missing.memory-numbers":    "the free memory of the zones",
		"missing.group-numbers":     "the limit of the group and what it used",
		"missing.summary":           "the line that names the constraint and the control groups",
		"missing.kill-line":         "the line that says that the chosen process was killed",
		"missing.victim":            "which process was killed",
		"missing.table":             "the list of processes, so that the kernel's choice cannot be checked",
		"missing.lost-records":      "{n|record|records} of the kernel log, lost in the middle of this report",
		"missing.trust":             "this form of log does not tell who wrote a line, so it could be forged",
		"missing.page-size":         "the page size: 4 KiB is assumed",
		"missing.cgroup":            "which control group reached its limit",
		"missing.cgroup-guessed":    "which control group reached its limit; other kills within {window} were in {cgroup}, so that it was this one again is a guess",
		"missing.cgroup-cut":        "the end of a control group's path, which is longer than a line of the kernel log",
	}
}

// englishKinds are the words that stand before an owner's name.
func englishKinds() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"word.no-name":        "a process without a name",
		"word.unnamed-cgroup": "(not named in the log)",

		"word.kind-unit":      "unit",
		"word.kind-user-unit": "user unit",
		"word.kind-session":   "login session",
		"word.kind-app":       "application",
		"word.kind-container": "container",
		"word.kind-pod":       "Kubernetes pod",
		"word.kind-lxc":       "LXC container",
		"word.kind-vm":        "virtual machine",
		"word.kind-slurm-job": "Slurm job",
		"word.kind-slice":     "slice",
		"word.kind-cgroup":    "control group",
	}
}
