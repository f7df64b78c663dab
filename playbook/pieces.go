package playbook

import (
	"strconv"

	"github.com/oomdoc/oomdoc"
)

const (
	// keepFree, in percent of RAM: the minimum that is kept free so that pieces
	// can be joined (knowledge playbook.md section 1, kernel fragmentation: 1 to 2).
	keepFree = 1
	// keepAtMost, in percent of RAM: more would bring the next shortage forward
	// (Documentation/admin-guide/sysctl/vm.rst, min_free_kbytes).
	keepAtMost = 3
)

const (
	keyPiecesTitle oomdoc.Key = "fix.compact"
	keyPiecesWhy   oomdoc.Key = "fix.compact.why"
	keyPiecesNow   oomdoc.Key = "step.compact-now"
	keyPiecesKeep  oomdoc.Key = "step.compact-keep"
	keyPiecesAfter oomdoc.Key = "step.compact-after-boot"
)

// joinPieces is for free memory that lies in pieces: have the kernel join them
// now, and keep more of them joined (vm.rst: compact_memory,
// compaction_proactiveness (5.9), min_free_kbytes). A setting with a dash before
// it may be missing (sysctl.d(5)).
func joinPieces(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseKernelBuddy {
		return oomdoc.Fix{}, false
	}
	fix := oomdoc.Fix{
		Title: oomdoc.Say(keyPiecesTitle, nil),
		Why: oomdoc.Say(keyPiecesWhy, oomdoc.Args{
			"size": oomdoc.Bytes(valueOf(p.memory().RequestedBytes)), "free": oomdoc.Bytes(valueOf(p.memory().FreeBytes)),
		}),
		Steps: []oomdoc.Sentence{
			oomdoc.Say(keyPiecesNow, nil),
			oomdoc.Command("echo 1 | sudo tee /proc/sys/vm/compact_memory && cat /proc/buddyinfo"),
		},
	}
	if keep := p.minFree(); keep > 0 {
		number := strconv.FormatInt(keep>>10, 10)
		fix.Steps = append(fix.Steps,
			oomdoc.Say(keyPiecesKeep, nil),
			oomdoc.Command("printf 'vm.min_free_kbytes = "+number+"\\n-vm.compaction_proactiveness = 50\\n' | sudo tee /etc/sysctl.d/90-pieces.conf && sudo sysctl --system"))
	}
	fix.Steps = append(fix.Steps, oomdoc.Say(keyPiecesAfter, nil))
	return fix, true
}

// minFree is twice what was kept free, at least keepFree of RAM; 0 when that
// would be too much, or RAM is not known.
func (p *patient) minFree() int64 {
	var kept int64
	if p.report.Memory != nil {
		for i := range p.report.Memory.Zones {
			kept += p.report.Memory.Zones[i].Bytes["min"]
		}
	}
	size := max(2*kept, share(p.ram(), keepFree))
	if size > share(p.ram(), keepAtMost) {
		return 0
	}
	return size
}

func valueOf(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}
