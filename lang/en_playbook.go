package lang

import "github.com/oomdoc/oomdoc"

// englishPlaybook holds the English sentences of package playbook: the titles
// and reasons of fixes, and the steps that are not commands.
func englishPlaybook() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		englishLimitFixes(),
		englishLimitSteps(),
		englishHostFixes(),
		englishSharedFixes(),
		englishKernelFixes(),
		englishZoneFixes(),
	})
}

// englishLimitFixes are about a memory limit that was reached.
func englishLimitFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.find-limit":                 "Find whose memory limit it was, and raise it",
		"fix.find-limit.why":             "A group of processes filled its limit. The log does not say which one, so look for the one that is nearest to its limit.",
		"step.find-limit-unit":           "If it is a unit: sudo systemctl set-property UNIT MemoryMax=SIZE",
		"step.find-limit-container":      "If it is a container: docker update --memory SIZE --memory-swap SIZE NAME",
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
		"step.swap-zram":        "Where the disk is slow or full: swap compressed within RAM (zram, package zram-generator), with {lines} in {file} and {setting}. It holds two or three times its size of ordinary data.",
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

		"fix.allow-nodes":              "Let it use the other NUMA nodes",
		"fix.allow-nodes.why":          "It was bound to nodes that were full.",
		"fix.allow-nodes.why-probably": "It was probably bound to nodes that were full; by what, this kernel does not say.",
		"step.nodes-unit":              "An empty list allows all nodes:",
		"step.nodes-cpuset":            "Add nodes to {file} of its control group, where that is set (container option --cpuset-mems, or the job's own settings).",
		"step.nodes-policy":            "Start it with {soft} or {all} in place of {hard}, so that it may fall back to other nodes.",
	}
}

// englishSharedFixes are about RAM that was taken and can be given back: shared
// memory, huge pages, a balloon, too many processes.
func englishSharedFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.free-shared":     "Delete files in /dev/shm and other tmpfs that nobody needs",
		"fix.free-shared.why": "{size} of {ram} of RAM was such files or other shared memory. They stay in RAM after the program that made them is gone, until they are deleted.",
		"step.shared-find":    "See how full each is, and the largest files in them:",
		"step.shared-delete":  "Delete those that no program needs with sudo rm and the path; sudo fuser -v and the path shows who still uses one.",
		"step.shared-sysv":    "Segments that nobody has attached (nattch 0) go with sudo ipcrm -m and their shmid:",
		"step.shared-memfd":   "Memory files without a name are freed when the processes that hold them end; the numbers in these paths are their pids:",
		"fix.cap-tmpfs":       "Bound /dev/shm",
		"fix.cap-tmpfs.why":   "Its size is half of RAM unless it is set. With {size}, what fills it gets an error (no space left) before the machine runs out; what your programs need at a time must fit.",
		"step.cap-tmpfs-keep": "Keep it after a reboot:",

		"fix.free-hugepages":     "Give back huge pages that nobody uses",
		"fix.free-hugepages.why": "{total} was reserved as huge pages, which nothing else can use, and {idle} of it was free.",
		"step.hugepages-keep":    "Something sets it at boot; change it there too:",

		"fix.guest-memory":     "Give this virtual machine its memory back",
		"fix.guest-memory.why": "Its hypervisor had taken {size} away and left it {left}.",
		"step.guest-where":     "On the hypervisor, with libvirt: virsh list shows the name; virsh setmem with the name, {whole} and --live gives it all back.",
		"step.guest-others":    "Elsewhere raise its minimum memory (Proxmox: minimum memory or no ballooning device; Hyper-V: minimum RAM; VMware: memory reservation).",

		"fix.cap-tasks":     "Bound how many processes it may start",
		"fix.cap-tasks.why": "{n|process of one name was|processes of one name were} there, none of them large. Half as many is a first try.",
		"step.cap-tasks":    "For a unit set {unit}, for a container {container}, for a login {user} in its shell.",
	}
}

// englishKernelFixes are about the kernel's own memory.
func englishKernelFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.kernel-caches":     "Find what fills the kernel's caches (slab)",
		"fix.kernel-caches.why": "They held {size} of {ram} of RAM. Killing programs does not free them, and swap does not help.",
		"step.slab-look":        "See the largest caches:",
		"step.slab-test":        "As a test, not a cure, have the kernel drop what it can. If SUnreclaim stays large, the rest is in use or leaked:",
		"step.slab-leak":        "If it grows from day to day without a reason, a driver or module leaks: a newer kernel than {version} may have that mended, and a reboot frees it.",
		"step.cache-tmpfs":      "{cache} held {size}: very many files in a tmpfs, where even empty ones take memory. Count them with find /dev/shm /tmp /run -xdev, then delete them.",
		"step.cache-files":      "{cache} held {size}: names and inodes of very many files, held by programs that walk file systems or keep files open.",
		"step.cache-open":       "{cache} held {size}: very many open files; see which process with ls /proc/PID/fd.",
		"step.cache-tasks":      "{cache} held {size}: very many processes or threads; see ps -eo nlwp,pid,comm --sort=-nlwp.",
		"step.cache-net":        "{cache} held {size}: very many connections or packets that wait; see ss -s.",

		"fix.driver-memory":     "Find which driver, pipe or socket holds the memory",
		"fix.driver-memory.why": "It is in no counter of the kernel's report, so it is not in processes, files or caches. Killing programs frees it only if one of them asked for it.",
		"step.driver-look":      "While it is high, see what sockets and other uses hold (sockstat counts pages):",
		"step.driver-profile":   "From kernel 6.10 on, if it was built with allocation profiling, this names every user:",
		"step.driver-gpu":       "Programs that copy to a GPU pin host memory: use fewer loader workers or {setting}, and keep less offloaded.",
		"step.driver-pipes":     "Pipes of one user are bounded by {setting}; many programs that do not read theirs can fill RAM.",

		"fix.page-tables":       "Find which processes map so much",
		"fix.page-tables.why":   "Page tables held {size} of {ram} of RAM.",
		"step.page-tables-look": "See whose are the largest:",
		"step.page-tables-huge": "Many processes that share one large memory, as databases do, need far less of them with huge pages for it.",

		"fix.threads":       "Find what starts so many threads",
		"fix.threads.why":   "Their stacks in the kernel alone held {size} of {ram} of RAM.",
		"step.threads-look": "See who has most threads:",
		"step.threads-cap":  "Bound them by {setting} of its unit.",
	}
}

// englishZoneFixes are about free memory that was of no use.
func englishZoneFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.compact":             "Have the kernel join the free memory into larger pieces",
		"fix.compact.why":         "{free} was free, but no piece of {size} that this request could have.",
		"step.compact-now":        "Now; the numbers that follow are free pieces, the larger ones to the right:",
		"step.compact-keep":       "From now on, keep more free and join pieces ahead of need:",
		"step.compact-after-boot": "If the numbers to the right stay small, memory that cannot be moved lies in between: end what holds it, or reboot. What needs large pieces should ask early: huge pages at boot, drivers and virtual machines first.",

		"fix.64-bit":     "Use a 64-bit kernel",
		"fix.64-bit.why": "A 32-bit kernel keeps its own data in the lowest part of RAM; {high} of {ram} is of no use for it, so more RAM does not help.",
		"step.64-bit":    "If this prints lm, the processor can run one:",

		"fix.smaller-cma":     "Set less memory aside for devices (CMA)",
		"fix.smaller-cma.why": "{free} was free there, of no use for the kernel's own data.",
		"step.cma-look":       "See how large it is and what sets it:",
		"step.cma-set":        "Give {setting} a smaller size on the kernel's command line (Raspberry Pi: /boot/firmware/cmdline.txt), and reboot.",

		"fix.reserve-ratio":     "Put the reserve of the lower zones back to its default",
		"fix.reserve-ratio.why": "It kept free memory back from this request; a smaller number keeps more.",
	}
}
