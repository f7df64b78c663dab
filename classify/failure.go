package classify

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// The kinds of failed requests (oomdoc.AllocFailure.Kind). A stall is only slow.
const (
	failurePage    = "page"
	failureVmalloc = "vmalloc"
	failureStall   = "stall"
	failurePercpu  = "percpu"
)

const (
	keyVmallocPages oomdoc.Key = "evidence.vmalloc-pages"
	keyPercpuPages  oomdoc.Key = "evidence.percpu-pages"
)

// matters tells a failed request that is worth an incident: one that was not
// allowed to fail, of a program and not of a thread of the kernel, and of which
// the log names the shortage or the fragmentation (DESIGN, "What counts as one").
func (r *reading) matters() bool {
	if f := r.report.AllocFailure; f.Kind == failurePercpu {
		return isPercpuShortage(f) && !r.isBackground()
	}
	if r.report.AllocFailure.Kind == failureStall || r.mayFail() || r.isBackground() {
		return false
	}
	v := judge(r)
	return v.cause != oomdoc.CauseUndecided || v.reason == reasonRefused
}

// mayFail tells a request whose caller is prepared for a failure: one that
// cannot wait (GFP_ATOMIC, GFP_NOWAIT) or that gives up early (__GFP_NORETRY).
// Those for several pages in one piece are told all the same when memory is in
// pieces, because they fail again and again then; not when it is merely short
// for a moment.
func (r *reading) mayFail() bool {
	if canWait(r.trigger) && !givesUpEarly(r.trigger) {
		return false
	}
	zones, complete := r.usableZones()
	pieces, known := r.inPieces(zones)
	return !complete || !known || !pieces || !r.passes(largestZone(zones))
}

// The bit of a request that may wait until memory is freed, in kernels that print
// no names: __GFP_WAIT to 4.3, __GFP_DIRECT_RECLAIM in 4.4 and 4.5. Either bit
// means something else in the other's kernels that seldom comes without it.
const (
	gfpWait          = 0x10
	gfpDirectReclaim = 0x400000
)

// canWait tells a request that may wait until memory is freed: by the names of
// its flags (include/trace/events/mmflags.h), else by its mask.
func canWait(t *oomdoc.Trigger) bool {
	if t.GFP == "" {
		return t.GFPMask&(gfpWait|gfpDirectReclaim) != 0
	}
	for flag := range strings.SplitSeq(t.GFP, "|") {
		switch flag {
		case "GFP_KERNEL", "GFP_KERNEL_ACCOUNT", "GFP_USER", "GFP_TEMPORARY", "GFP_HIGHUSER", "GFP_HIGHUSER_MOVABLE",
			"GFP_NOFS", "GFP_NOIO", "GFP_TRANSHUGE", "__GFP_RECLAIM", "__GFP_DIRECT_RECLAIM":
			return true
		}
	}
	return false
}

// givesUpEarly tells a request that has another way when it fails.
func givesUpEarly(t *oomdoc.Trigger) bool {
	for flag := range strings.SplitSeq(t.GFP, "|") {
		if flag == "__GFP_NORETRY" || flag == "__GFP_NOWARN" {
			return true
		}
	}
	return false
}

// kernelThreads are the beginnings of the names of threads that work for
// nobody in particular (the kernel's own names; kernel/kthread.c and the
// drivers).
func kernelThreads() []string {
	return []string{
		"kworker/", "kswapd", "khugepaged", "kcompactd", "ksoftirqd/", "kthreadd", "ksmd", "kauditd", "khungtaskd",
		"swapper", "migration/", "rcu_", "rcuop/", "rcuos/", "irq/", "jbd2/", "ext4-", "xfs-", "xfsaild/", "btrfs-",
		"kdmflush", "dmcrypt_write", "scsi_eh_", "usb-storage", "events/", "kblockd/", "flush-", "napi/", "vhost-",
	}
}

// threadStarts end the call trace of a thread of the kernel, interrupts that of
// work for no thread at all.
func threadStarts() []string {
	return []string{"ret_from_fork", "ret_from_fork_asm", "kernel_thread_helper", "child_rip", "kthread"}
}

func interrupts() []string {
	return []string{
		"net_rx_action", "__do_softirq", "do_softirq", "handle_softirqs", "irq_exit_rcu", "irq_exit", "__irq_exit_rcu",
		"common_interrupt", "cpu_startup_entry", "cpuidle_idle_call",
	}
}

// isBackground tells a request of a thread of the kernel or of an interrupt. The
// call trace goes first; where it is lost, the name decides.
func (r *reading) isBackground() bool {
	for _, function := range r.report.Stack {
		if slices.Contains(threadStarts(), function) || slices.Contains(interrupts(), function) {
			return true
		}
	}
	if len(r.report.Stack) > 0 {
		return false
	}
	return slices.ContainsFunc(kernelThreads(), func(start string) bool {
		return strings.HasPrefix(r.trigger.Comm, start)
	})
}

// isPercpuShortage tells a failed request for per-CPU memory that could wait and
// for which pages could not be had (mm/percpu.c, pcpu_alloc). Its other texts are
// about room in its own areas.
func isPercpuShortage(f *oomdoc.AllocFailure) bool {
	return f.Bytes != nil && strings.Contains(f.Line, " atomic=0,") && strings.Contains(f.Line, "failed to populate")
}

// decideRefused is for a request for kernel address space (vmalloc) whose line
// says that pages could not be had, when no number tells more. Other texts of
// vmalloc are about address space, not RAM (knowledge kernel-oom.md 1.9).
func decideRefused(r *reading) (verdict, bool) {
	f := r.report.AllocFailure
	if r.isFailure() && f.Kind == failurePercpu && isPercpuShortage(f) {
		v := verdict{reason: reasonRefused, ceiling: oomdoc.Possible}
		v.prove(f.Line, keyPercpuPages, oomdoc.Args{"size": oomdoc.Bytes(*f.Bytes)})
		return v, true
	}
	if !r.isFailure() || f.Kind != failureVmalloc || f.Bytes == nil || r.report.Memory != nil {
		return verdict{}, false
	}
	if !strings.Contains(f.Line, "failed to allocate pages") && !strings.Contains(f.Line, "vmalloc: allocation failure, allocated ") {
		return verdict{}, false
	}
	v := verdict{reason: reasonRefused, ceiling: oomdoc.Possible}
	v.prove(f.Line, keyVmallocPages, oomdoc.Args{"size": oomdoc.Bytes(*f.Bytes)})
	return v, true
}
