package playbook

import (
	"cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

const (
	keySlabTitle oomdoc.Key = "fix.kernel-caches"
	keySlabWhy   oomdoc.Key = "fix.kernel-caches.why"
	keySlabLook  oomdoc.Key = "step.slab-look"
	keySlabTest  oomdoc.Key = "step.slab-test"
	keySlabLeak  oomdoc.Key = "step.slab-leak"

	keyDriverTitle oomdoc.Key = "fix.driver-memory"
	keyDriverWhy   oomdoc.Key = "fix.driver-memory.why"
	keyDriverLook  oomdoc.Key = "step.driver-look"
	keyDriverProf  oomdoc.Key = "step.driver-profile"
	keyDriverGPU   oomdoc.Key = "step.driver-gpu"
	keyDriverPipes oomdoc.Key = "step.driver-pipes"

	keyTablesTitle oomdoc.Key = "fix.page-tables"
	keyTablesWhy   oomdoc.Key = "fix.page-tables.why"
	keyTablesLook  oomdoc.Key = "step.page-tables-look"
	keyTablesHuge  oomdoc.Key = "step.page-tables-huge"

	keyThreadsTitle oomdoc.Key = "fix.threads"
	keyThreadsWhy   oomdoc.Key = "fix.threads.why"
	keyThreadsLook  oomdoc.Key = "step.threads-look"
	keyThreadsCap   oomdoc.Key = "step.threads-cap"
)

// kernelFixes are what to do about each part of the kernel's own memory, by the
// evidence that names it.
func kernelFixes() map[oomdoc.Key]func(*patient) oomdoc.Fix {
	return map[oomdoc.Key]func(*patient) oomdoc.Fix{
		classify.EvidenceSlab:            (*patient).shrinkCaches,
		classify.EvidenceSlabReclaimable: (*patient).shrinkCaches,
		classify.EvidenceSlabOfZone:      (*patient).shrinkCaches,
		classify.EvidenceSlabCache:       (*patient).shrinkCaches,
		classify.EvidenceUnaccounted:     (*patient).shrinkDrivers,
		classify.EvidenceGPU:             (*patient).shrinkDrivers,
		classify.EvidencePageTables:      (*patient).shrinkTables,
		classify.EvidenceKernelStacks:    (*patient).shrinkThreads,
	}
}

// shrinkKernel is for RAM that the kernel itself filled: advice for the part
// that the evidence names first, which is the largest.
func shrinkKernel(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseKernelMemory && p.inc.Cause != oomdoc.CauseZoneExhausted || p.report.Memory == nil {
		return oomdoc.Fix{}, false
	}
	fixes := kernelFixes()
	for i := range p.inc.Evidence {
		if fix, has := fixes[p.inc.Evidence[i].Sentence.Key]; has {
			return fix(p), true
		}
	}
	return oomdoc.Fix{}, false
}

// nodes adds up a number of the node lines, which until 5.7 stands in the zone
// lines.
func (p *patient) nodes(name string) (sum int64) {
	if p.report.Memory == nil {
		return 0
	}
	for i := range p.report.Memory.Nodes {
		sum += p.report.Memory.Nodes[i].Bytes[name]
	}
	for i := range p.report.Memory.Zones {
		sum += p.report.Memory.Zones[i].Bytes[name]
	}
	return sum
}

// shrinkCaches is for slab (slabtop(1); proc_sys_vm(5), drop_caches). Dropping
// caches is a test, never a cure: what can be dropped the kernel drops by itself.
func (p *patient) shrinkCaches() oomdoc.Fix {
	size := p.counter("slab_unreclaimable") + p.counter("slab_reclaimable")
	fix := oomdoc.Fix{
		Title: oomdoc.Say(keySlabTitle, nil),
		Why:   oomdoc.Say(keySlabWhy, oomdoc.Args{"size": oomdoc.Bytes(size), "ram": oomdoc.Bytes(p.ram())}),
		Steps: []oomdoc.Sentence{oomdoc.Say(keySlabLook, nil), oomdoc.Command("sudo slabtop -o -s c | head -20")},
	}
	if hint, has := p.cacheHint(); has {
		fix.Steps = append(fix.Steps, hint)
	}
	fix.Steps = append(fix.Steps,
		oomdoc.Say(keySlabTest, nil),
		oomdoc.Command("sync && echo 2 | sudo tee /proc/sys/vm/drop_caches && grep -E '^S(Reclaimable|Unreclaim):' /proc/meminfo"),
		oomdoc.Say(keySlabLeak, oomdoc.Args{"version": oomdoc.Text(cmp.Or(p.report.KernelVersion, "uname -r"))}))
	return fix
}

// shrinkDrivers is for memory that no counter has: allocation profiling tells it
// where the kernel has it (6.10, /proc/allocinfo), sockets and pipes by
// themselves.
func (p *patient) shrinkDrivers() oomdoc.Fix {
	return oomdoc.Fix{
		Title: oomdoc.Say(keyDriverTitle, nil),
		Why:   oomdoc.Say(keyDriverWhy, nil),
		Steps: []oomdoc.Sentence{
			oomdoc.Say(keyDriverLook, nil),
			oomdoc.Command("cat /proc/net/sockstat && grep -E '^(Percpu|VmallocUsed|SecPageTables|Balloon)' /proc/meminfo"),
			oomdoc.Say(keyDriverProf, nil),
			oomdoc.Command("sudo sort -rn /proc/allocinfo | head -20"),
			oomdoc.Say(keyDriverGPU, oomdoc.Args{"setting": oomdoc.Text("pin_memory=False")}),
			oomdoc.Say(keyDriverPipes, oomdoc.Args{"setting": oomdoc.Text("fs.pipe-user-pages-soft")}),
		},
	}
}

// shrinkTables is for page tables: proc_pid_status(5), VmPTE.
func (p *patient) shrinkTables() oomdoc.Fix {
	size := p.counter("pagetables") + p.counter("sec_pagetables")
	return oomdoc.Fix{
		Title: oomdoc.Say(keyTablesTitle, nil),
		Why:   oomdoc.Say(keyTablesWhy, oomdoc.Args{"size": oomdoc.Bytes(size), "ram": oomdoc.Bytes(p.ram())}),
		Steps: []oomdoc.Sentence{
			oomdoc.Say(keyTablesLook, nil),
			oomdoc.Command("grep -s VmPTE /proc/[0-9]*/status | sort -k2 -rn | head"),
			oomdoc.Say(keyTablesHuge, nil),
		},
	}
}

// shrinkThreads is for a flood of threads: ps(1), nlwp; systemd.resource-control(5),
// TasksMax=.
func (p *patient) shrinkThreads() oomdoc.Fix {
	size := p.nodes("kernel_stack")
	return oomdoc.Fix{
		Title: oomdoc.Say(keyThreadsTitle, nil),
		Why:   oomdoc.Say(keyThreadsWhy, oomdoc.Args{"size": oomdoc.Bytes(size), "ram": oomdoc.Bytes(p.ram())}),
		Steps: []oomdoc.Sentence{
			oomdoc.Say(keyThreadsLook, nil),
			oomdoc.Command("ps -eo nlwp,pid,user,comm --sort=-nlwp | head"),
			oomdoc.Say(keyThreadsCap, oomdoc.Args{"setting": oomdoc.Text("TasksMax=")}),
		},
	}
}
