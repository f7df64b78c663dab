package lang

import "github.com/oomdoc/oomdoc"

// englishClassify holds the English sentences of package classify: the verdict,
// its evidence, and what the evidence lacks.
func englishClassify() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		englishSummaries(),
		englishHostSummaries(),
		englishVictims(),
		englishGroupEvidence(),
		englishHostEvidence(),
		englishShares(),
		englishHoldings(),
		englishZones(),
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

		"summary.unseen-limit":  "A process was killed, the log does not say which: {kind} {owner} reached its memory limit of {limit}.",
		"summary.unseen-host":   "A process was killed, the log does not say which: the whole machine ran out of RAM.",
		"summary.unseen-pieces": "A process was killed, the log does not say which: {size} in one piece was asked for, and what was free for it was all in smaller pieces.",
		"summary.unseen-part":   "A process was killed, the log does not say which: the part of RAM that the request may use ran out.",
		"summary.unseen":        "The kernel's out-of-memory killer ran; the log does not say which process it killed, nor which memory ran out.",
	}
}

// englishHostSummaries are those of what held the machine's memory, and of
// memory that was free but of no use.
func englishHostSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"summary.killed-numa-probably": "{name} (pid {pid}) was killed: the NUMA nodes that the request was probably bound to ran out of RAM while others had room.",
		"summary.killed-pieces":        "{name} (pid {pid}) was killed: {size} in one piece was asked for, and what was free for it was all in smaller pieces.",
		"summary.killed-low-zone":      "{name} (pid {pid}) was killed: memory zone {zone} ran out, while {held} was free in zones that this request may not use.",
		"summary.killed-withheld":      "{name} (pid {pid}) was killed: of the free memory {held} was {what}, so that this request could not have it.",

		"summary.killed-hugepages":        "{name} (pid {pid}) was killed: the machine ran out of RAM while {idle} of it lay reserved as huge pages that nobody used.",
		"summary.killed-slab":             "{name} (pid {pid}) was killed: the machine ran out of RAM, and {share} of it was the kernel's own memory (slab) that it could not give back.",
		"summary.killed-slab-reclaimable": "{name} (pid {pid}) was killed: the machine ran out of RAM, and {share} of it was caches of the kernel (slab) that it did not give back in time.",
		"summary.killed-unaccounted":      "{name} (pid {pid}) was killed: the machine ran out of RAM, and {share} of it is in no counter: memory of drivers, pipes or sockets, not of processes.",
		"summary.killed-gpu-driver":       "{name} (pid {pid}) was killed: the machine ran out of RAM, and {share} of it was held by the GPU driver.",
		"summary.killed-page-tables":      "{name} (pid {pid}) was killed: the machine ran out of RAM, and {share} of it was page tables.",
		"summary.killed-kernel-stacks":    "{name} (pid {pid}) was killed: the machine ran out of RAM to a flood of threads, whose kernel stacks alone took {share}.",
		"summary.killed-shared":           "{name} (pid {pid}) was killed: the machine ran out of RAM, and {share} of it was shared memory.",
		"summary.killed-shared-left":      "{name} (pid {pid}) was killed: the machine ran out of RAM, and {share} of it was files in /dev/shm or another tmpfs, not processes.",
		"summary.killed-ramfs":            "{name} (pid {pid}) was killed: the machine ran out of RAM, and {share} of it was memory that nothing may take: files in ramfs, or locked shared memory.",
		"summary.killed-balloon":          "{name} (pid {pid}) was killed: this virtual machine ran out of RAM, of which its hypervisor had taken {held} away.",
		"summary.killed-follow-up":        "{name} (pid {pid}) was killed {gap} after {first} (pid {first_pid}), by the same shortage of memory, which was over by then.",

		"summary.refused":        "{name} was refused {size} of memory; the log has no numbers that say why.",
		"summary.refused-pieces": "{name} was refused {size} in one piece: what was free for it was all in smaller pieces. Nobody was killed.",
		"summary.refused-host":   "{name} was refused {size} of memory, because the machine had no more RAM to give. Nobody was killed.",
		"summary.refused-part":   "{name} was refused {size} of memory: the part of RAM that the request may use ran out. Nobody was killed.",
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
		"evidence.victim-held-whole":    "{name} (pid {pid}) held {rss} of RAM",
		"evidence.victim-held-no-shmem": "{name} (pid {pid}) held {rss} of RAM: {anon} anonymous, {file} of files and shared",
		"evidence.victim-died":          "{name} (pid {pid}) was killed; the line has no sizes",
		"evidence.victim-chosen":        "the kernel chose {name} (pid {pid})",
		"evidence.oom-group":            "memory.oom.group is set on {cgroup}: {n|process was|processes were} killed with one decision",
		"evidence.nobody-to-kill":       "the kernel found nobody to kill",
		"evidence.no-killable":          "the kernel found nobody to kill; {n|process is|processes are} listed, and oom_score_adj -1000 protects a process",
		"evidence.panic-set":            "the kernel is set to panic when memory runs out (vm.panic_on_oom)",
		"evidence.panic-nobody":         "the kernel panics when memory runs out and nobody is left to kill",
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
		"evidence.undecided-order":            "{name} asked for {size} in one piece (order {order})",
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

// englishHoldings say more of what held RAM.
func englishHoldings() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.share-gpu":           "{size}, {share} of {whole} of RAM, was memory of the GPU driver",
		"evidence.slab-cache":          "the cache {cache} of the kernel held {size}",
		"evidence.no-slab-table":       "which cache of the kernel grew the report does not say: kernels before 4.15 never do, later ones only when slab is more than all other pages",
		"evidence.allocation-profile":  "one of the kernel's largest users of memory, by its own profile: {row}",
		"evidence.shmem-left":          "of the {size} of shared memory at most {mapped} was mapped by processes: the rest is files in /dev/shm or another tmpfs, or memfd",
		"evidence.shmem-mapped":        "of the {size} of shared memory up to {mapped} was mapped by processes",
		"evidence.gpu-module":          "the GPU driver {module} is loaded: memory that programs pin for a GPU (pinned host memory) is in no counter",
		"evidence.guest-module":        "the balloon driver {module} is loaded: what a hypervisor takes away is in no counter before kernel 6.18",
		"evidence.many-alike":          "{n|process|processes} named {name} (numbers left out) held {held} together, none of them much by itself",
		"evidence.slow-writeback":      "{size}, {share} of the {file} of cached files, was waiting to be written to disk, so that it could not be given up",
		"evidence.follows":             "{first} (pid {first_pid}) had been killed {gap} before, so that its memory was just coming free",
		"evidence.victim-still-listed": "{first} (pid {first_pid}), killed {gap} before, is still in the list of processes",
		"evidence.grew-process":        "{name} (pid {pid}) has grown from {from} to {to} in the {over} since an earlier report: that looks like a leak",
		"evidence.grew-sampled":        "{name} (pid {pid}) grew from {from} to {to} in {over} before that, and gave nothing back",
		"evidence.grew-slab":           "the kernel's own data (slab) has grown from {from} to {to} in the {over} since an earlier report: that looks like a leak in the kernel or a driver",
		"evidence.grew-unaccounted":    "memory that no counter has grew from {from} to {to} in the {over} since an earlier report: that looks like a leak in a driver",
		"evidence.grew-shmem":          "shared memory has grown from {from} to {to} in the {over} since an earlier report: files are left in it",
		"evidence.grew-group-kernel":   "the kernel memory of the group has grown from {from} to {to} in the {over} since an earlier report: that looks like a leak",
		"evidence.percpu-pages":        "a request for {size} on each processor failed because pages for it could not be had",
		"evidence.vmalloc-pages":       "a request for {size} of the kernel's address space failed because pages for it could not be had",
	}
}

// englishZones say why free memory was of no use.
func englishZones() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.zone-in-pieces":      "zone {zone} of node {node} had {free_kib} KiB free, of which it must keep {keep_kib} KiB; in pieces of {block_kib} KiB or more it had {large_kib} KiB",
		"evidence.zone-too-little":     "zone {zone} of node {node} had {free_kib} KiB free, of which it must keep {keep_kib} KiB: too little is left for {block_kib} KiB",
		"evidence.asked-for-stack":     "the piece was for the kernel stack of a new process or thread ({function} is in the call trace)",
		"evidence.asked-for-network":   "the piece was for network data ({function} is in the call trace)",
		"evidence.asked-for-guest":     "the piece was for a virtual machine ({function} is in the call trace)",
		"evidence.asked-for-gpu":       "the piece was for the GPU driver ({function} is in the call trace)",
		"evidence.free-above-zone":     "{free} was free in zones above {zone}, which this request may not use",
		"evidence.free-cma":            "{size} of the {free} that was free is set aside for devices (CMA), where only memory that can be moved may go",
		"evidence.free-behind-reserve": "{size} of the {free} that was free is kept back from this request for requests that can use no higher zone (lowmem_reserve)",
		"evidence.free-for-urgent":     "{size} of the {free} that was free is kept for urgent requests (reserved_highatomic)",
		"evidence.slab-of-zone":        "{size}, {share} of the {whole} that the kernel can use for its own data, was its caches (slab)",
		"evidence.printed-nodes-full":  "the log shows {n|NUMA node|NUMA nodes}, all short: it leaves out those that the request may not use",
		"evidence.nodemask":            "the request was for these NUMA nodes: {nodes}",
		"word.held-cma":                "set aside for devices (CMA)",
		"word.held-reserve":            "kept for requests that can use no higher zone",
		"word.held-urgent":             "kept for urgent requests",
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
