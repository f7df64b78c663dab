package lang

import "github.com/oomdoc/oomdoc"

// englishPlaybook holds the English sentences of package playbook: the titles
// and reasons of fixes, and the steps that are not commands.
func englishPlaybook() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		englishLimitFixes(),
		englishLimitSteps(),
		englishHostFixes(),
	})
}

// englishLimitFixes are about a memory limit that was reached.
func englishLimitFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.raise-limit":                "Raise the memory limit of {kind} {owner}",
		"fix.raise-limit-unit":           "Raise the memory limit of {owner}",
		"fix.raise-limit.why":            "It filled its limit of {limit} and asked for more. How much more the log does not say, so {try} is a first try.",
		"fix.raise-limit.why-ram":        "It filled its limit of {limit} and asked for more. How much more the log does not say, so {try} is a first try; this machine has {ram} of RAM.",
		"fix.raise-limit.why-swap":       "It filled its limit of {limit}, had {swapped} in swap and asked for more. How much more the log does not say, so {try} is a first try.",
		"fix.raise-limit.why-beyond-ram": "It filled its limit of {limit} and asked for more. A first try of {try} is more than the {ram} of RAM that this machine has: swap would have to carry the rest, or the program must need less.",
		"fix.raise-limit.why-unknown":    "It filled its limit and asked for more. What the limit is, this log does not say: look it up, then set half more as a first try.",
		"fix.raise-limit.or-swap":        "Or let it swap, which it may not now; slower, but it lives:",
	}
}

// englishLimitSteps are the steps beside the commands of whoever manages a
// group.
func englishLimitSteps() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"step.show-limit":     "See its present limit, and set a higher one with set-property and MemoryMax=:",
		"step.restart-unit":   "That applies at once and stays after a reboot. Then start the unit again:",
		"step.transient-unit": "That lasts while it runs. The next time start it with the setting {setting}, for example by systemd-run -p.",
		"step.as-user":        "As the user with uid {uid}:",

		"step.container-kept":  "That lasts until the container is made anew; set {memory} where it is described too (mem_limit in a compose file, --memory of run).",
		"step.container-show":  "See its present limit for memory, and for memory with swap:",
		"step.container-other": "Set the memory limit of the container to {try} where it is described.",

		"step.pod-find":      "Find the pod's namespace and name by its uid:",
		"step.pod-container": "In the description of its workload (Deployment, StatefulSet, Job) set resources.limits.memory of the container with the id {container} to {size}, and apply it.",
		"step.pod-whole":     "The limit is that of the whole pod, the sum over its containers. In the description of its workload raise resources.limits.memory of the containers, to {size} in all, and apply it.",
		"step.pod-unknown":   "In the description of its workload (Deployment, StatefulSet, Job) raise resources.limits.memory of the container, and apply it.",

		"step.lxc-keep":   "To keep it, set lxc.cgroup2.memory.max = {size} in the container's configuration (Incus and LXD: limits.memory; Proxmox: pct set).",
		"step.slurm":      "Submit the job again with {option}.",
		"step.slurm-look": "What it asked for and how much it used:",

		"step.cgroup-show":    "See its present limit:",
		"step.cgroup-manager": "Whatever made this control group may set it back; then change the limit there.",
	}
}

// englishHostFixes are about a machine that ran out of RAM.
func englishHostFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.add-swap":          "Add swap",
		"fix.add-swap.why":      "Without swap, memory that nobody has touched for long cannot make room. {size} is a first try; it helps against peaks, not against a leak.",
		"fix.add-more-swap":     "Add more swap",
		"fix.add-more-swap.why": "All {total} of swap was used. {size} more is a first try; it helps against peaks, not against a leak.",
		"step.swap-keep":        "Keep it after a reboot:",
		"step.swap-file-system": "On Btrfs make the file with btrfs filesystem mkswapfile instead.",

		"fix.cap-largest":      "Give {kind} {owner} a memory limit of its own, so that it fails alone",
		"fix.cap-largest-unit": "Give {owner} a memory limit of its own, so that it fails alone",
		"fix.cap-largest.why":  "It held more than everything else together. With a limit of {size} of {ram} of RAM the rest of the machine keeps room.",

		"fix.score":        "Let the kernel choose by size again",
		"fix.score.why":    "{name} held {held} and was killed, while {other} with {other_held} lived: their oom_score_adj are {adj} and {other_adj}.",
		"step.score":       "Set {setting}{adj} in its [Service] section, then restart it:",
		"step.score-other": "Start it with {setting}{adj} (systemd), or write {adj} to its oom_score_adj under /proc.",

		"fix.run-less":     "Run less at a time, or make the largest smaller",
		"fix.run-less.why": "{n|listed process|listed processes} held {sum} of {ram} of RAM together. The largest:",
		"step.process":     "{name} (pid {pid}) held {held}",
		"word.nameless":    "a process without a name",

		"fix.allow-nodes":     "Let it use the other NUMA nodes",
		"fix.allow-nodes.why": "It was bound to nodes that were full.",
		"step.nodes-unit":     "An empty list allows all nodes:",
		"step.nodes-cpuset":   "Add nodes to {file} of its control group, where that is set (container option --cpuset-mems, or the job's own settings).",
		"step.nodes-policy":   "Start it with {soft} or {all} in place of {hard}, so that it may fall back to other nodes.",
	}
}
