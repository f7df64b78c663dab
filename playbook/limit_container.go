package playbook

import (
	"strconv"

	"github.com/oomdoc/oomdoc"
)

const (
	keyContainerKept  oomdoc.Key = "step.container-kept"
	keyContainerShow  oomdoc.Key = "step.container-show"
	keyContainerOther oomdoc.Key = "step.container-other"
	keyPodFind        oomdoc.Key = "step.pod-find"
	keyPodContainer   oomdoc.Key = "step.pod-container"
	keyPodWhole       oomdoc.Key = "step.pod-whole"
	keyPodUnknown     oomdoc.Key = "step.pod-unknown"
	keyLXCKeep        oomdoc.Key = "step.lxc-keep"
	keySlurm          oomdoc.Key = "step.slurm"
	keySlurmLook      oomdoc.Key = "step.slurm-look"
	keyCgroupShow     oomdoc.Key = "step.cgroup-show"
	keyCgroupManager  oomdoc.Key = "step.cgroup-manager"
)

// A runtime is how a container runtime changes a limit: its command, and
// whether it takes docker's options (docker update(1), podman-update(1) from 4.3
// on, nerdctl update).
type runtime struct{ update, inspect string }

func runtimes() map[string]runtime {
	return map[string]runtime{
		"docker":     {"docker update", "docker inspect --format '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}'"},
		"podman":     {"podman update", "podman inspect --format '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}'"},
		"containerd": {"sudo nerdctl update", "sudo nerdctl inspect"},
	}
}

// containerSteps set the limit of a container through its runtime.
func (c limitChange) containerSteps() []oomdoc.Sentence {
	run, has := runtimes()[c.owner.Runtime]
	if !has || c.owner.Container == "" {
		if c.size == 0 {
			return nil
		}
		return []oomdoc.Sentence{oomdoc.Say(keyContainerOther, oomdoc.Args{"try": oomdoc.Bytes(c.size)})}
	}
	id := operand(c.owner.Container)
	if c.size == 0 {
		return []oomdoc.Sentence{
			oomdoc.Say(keyContainerShow, nil),
			oomdoc.Command(run.inspect + " " + id),
		}
	}
	memory := inUnits(c.size, dockerUnits())
	return []oomdoc.Sentence{
		oomdoc.Command(run.update + " --memory " + memory + " --memory-swap " + c.memorySwap() + " " + id),
		oomdoc.Say(keyContainerKept, oomdoc.Args{"memory": oomdoc.Text(memory)}),
	}
}

// memorySwap is the sum of memory and swap for docker's --memory-swap: the swap
// that the group had stays. Where the report does not tell it, docker's own
// default of twice the memory is taken.
func (c limitChange) memorySwap() string {
	swap := c.size
	if m := c.p.report.Memcg; m != nil {
		switch {
		case isNoLimit(m.SwapLimit), isNoLimit(m.MemswLimit):
			return "-1"
		case m.SwapLimit != nil:
			swap = *m.SwapLimit
		case m.MemswLimit != nil && m.Limit != nil:
			swap = max(0, *m.MemswLimit-*m.Limit)
		}
	}
	return inUnits(c.size+swap, dockerUnits())
}

func isNoLimit(limit *int64) bool { return limit != nil && oomdoc.NoLimit(*limit) }

// podSteps are for Kubernetes, where only the workload's own description may
// change the limit: the pod is found by its uid, which is all that a cgroup path
// has.
func (c limitChange) podSteps() []oomdoc.Sentence {
	find := `kubectl get pods --all-namespaces -o jsonpath='{range .items[?(@.metadata.uid=="` + c.owner.Pod +
		`")]}{.metadata.namespace}{" "}{.metadata.name}{"\n"}{end}'`
	steps := []oomdoc.Sentence{}
	if isPlain(c.owner.Pod) {
		steps = append(steps, oomdoc.Say(keyPodFind, nil), oomdoc.Command(find))
	}
	size := oomdoc.Text(inUnits(c.size, kubernetesUnits()))
	switch {
	case c.size == 0:
		return append(steps, oomdoc.Say(keyPodUnknown, nil))
	case c.owner.Container == "":
		return append(steps, oomdoc.Say(keyPodWhole, oomdoc.Args{"size": size}))
	}
	return append(steps, oomdoc.Say(keyPodContainer, oomdoc.Args{
		"size": size, "container": oomdoc.Text(c.owner.Name),
	}))
}

// isPlain tells a name that needs no quotes.
func isPlain(name string) bool { return name != "" && quote(name) == name }

// lxcSteps set the limit of an LXC container (lxc-cgroup(1)).
func (c limitChange) lxcSteps() []oomdoc.Sentence {
	machine := c.owner.Machine
	if machine == "" {
		machine = c.owner.Name
	}
	if c.size == 0 || !isExact(machine) {
		return nil
	}
	file, size := c.limitFile(), inUnits(c.size, systemdUnits())
	return []oomdoc.Sentence{
		oomdoc.Command("sudo lxc-cgroup -n " + quote(machine) + " " + file + " " + size),
		oomdoc.Say(keyLXCKeep, oomdoc.Args{"size": oomdoc.Text(size)}),
	}
}

// machineSteps set the hard limit of a libvirt machine, in KiB (virsh(1),
// memtune).
func (c limitChange) machineSteps() []oomdoc.Sentence {
	if c.size == 0 || !isExact(c.owner.Machine) {
		return nil
	}
	return []oomdoc.Sentence{oomdoc.Command("sudo virsh memtune " + operand(c.owner.Machine) +
		" --hard-limit " + strconv.FormatInt(c.size/kib, 10) + " --live --config")}
}

// slurmSteps ask for more at the next submission (sbatch(1), --mem).
func (c limitChange) slurmSteps() []oomdoc.Sentence {
	var steps []oomdoc.Sentence
	if c.size > 0 {
		steps = append(steps, oomdoc.Say(keySlurm, oomdoc.Args{
			"option": oomdoc.Text("--mem=" + inUnits(c.size, systemdUnits())),
		}))
	}
	if isPlain(c.owner.SlurmJob) {
		steps = append(steps,
			oomdoc.Say(keySlurmLook, nil),
			oomdoc.Command("sacct -j "+operand(c.owner.SlurmJob)+" --format=JobID,ReqMem,MaxRSS"))
	}
	return steps
}

// cgroupSteps set the limit in the cgroup's own file. Whoever manages the group
// may set it back.
func (c limitChange) cgroupSteps() []oomdoc.Sentence {
	folder := "/sys/fs/cgroup" + c.path
	if c.isV1() {
		folder = "/sys/fs/cgroup/memory" + c.path
	}
	if c.size == 0 {
		return []oomdoc.Sentence{
			oomdoc.Say(keyCgroupShow, nil),
			oomdoc.Command("cat " + quote(folder+"/"+c.limitFile())),
		}
	}
	write := func(file string) oomdoc.Sentence {
		return oomdoc.Command("echo " + inUnits(c.size, systemdUnits()) + " | sudo tee " + quote(folder+"/"+file))
	}
	var steps []oomdoc.Sentence
	if m := c.p.report.Memcg; c.isV1() && m.MemswLimit != nil && *m.MemswLimit < c.size {
		// It may never be below the limit of memory alone (memory.rst of cgroup v1).
		steps = append(steps, write("memory.memsw.limit_in_bytes"))
	}
	return append(steps, write(c.limitFile()), oomdoc.Say(keyCgroupManager, nil))
}

// isV1 tells a group of cgroup v1 by the counters that only it prints.
func (c limitChange) isV1() bool {
	m := c.p.report.Memcg
	return m != nil && m.SwapLimit == nil && (m.MemswLimit != nil || m.KmemLimit != nil)
}

func (c limitChange) limitFile() string {
	if c.isV1() {
		return "memory.limit_in_bytes"
	}
	return "memory.max"
}
