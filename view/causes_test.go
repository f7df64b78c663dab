package view_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/view"
)

// TestTextOfEachCauseIsAsReviewed holds what a reader of a captured log sees, one
// log for each cause that a kernel log can show.
func TestTextOfEachCauseIsAsReviewed(t *testing.T) {
	for _, c := range []struct {
		log   string
		which int // of its incidents
		cause oomdoc.Cause
		name  string
	}{
		{"v10-fragmentation-order3-6.1", 0, oomdoc.CauseKernelBuddy, "cause-kernel-buddy"},
		{"v11-page-alloc-failure-order8-6.12", 0, oomdoc.CauseKernelBuddy, "cause-kernel-buddy-failure"},
		{"v12-slab-leak-5.10", 0, oomdoc.CauseKernelMemory, "cause-kernel-memory"},
		{"v14-tmpfs-6.1", 0, oomdoc.CauseSharedMemory, "cause-shared-memory"},
		{"v15-hugepages-6.12", 0, oomdoc.CauseHugepagesReserved, "cause-hugepages-reserved"},
		{"v31-i386-lowmem-6.1", 0, oomdoc.CauseZoneExhausted, "cause-zone-exhausted"},
		{"v32-balloon-7.2", 0, oomdoc.CauseBalloon, "cause-balloon"},
		{"v06-mempolicy-6.1", 0, oomdoc.CauseNUMABound, "cause-numa-bound"},
		{"b14-4.19-second-needless-kill", 1, oomdoc.CauseHostExhausted, "cause-follow-up"},
		{"v19-fork-bomb-6.12", 1, oomdoc.CauseHostExhausted, "cause-fork-bomb"},
		{"b21-arch-6.1-global", 0, oomdoc.CauseHostExhausted, "cause-host-swap-full"},
		{"v20-sysrq-f-6.1", 0, oomdoc.CauseRequested, "cause-requested"},
		{"v24-v2-oom-group-7.2", 0, oomdoc.CauseCgroupLimit, "cause-cgroup-group"},
		{"r14-k8s-pod-limit-two-containers", 0, oomdoc.CauseCgroupLimit, "cause-cgroup-parent"},
		{"v35-panic-on-oom-console-6.1", 0, oomdoc.CauseHostExhausted, "cause-panic"},
		{"p04-openvz-container-limit", 0, oomdoc.CauseCgroupLimit, "cause-cgroup-openvz"},
	} {
		incidents := explained(t, "../testdata/kernel/"+c.log+".log")
		if len(incidents) <= c.which {
			t.Errorf("%s: %d incidents", c.log, len(incidents))
			continue
		}
		inc := incidents[c.which]
		if inc.Cause != c.cause {
			t.Errorf("%s: the cause is %s, want %s", c.log, inc.Cause, c.cause)
		}
		golden(t, c.name+".txt", []byte(text(t, inc, view.TextOptions{NotStored: true})))
	}
}
