package playbook

import (
	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

const (
	keyLowTitle     oomdoc.Key = "fix.64-bit"
	keyLowWhy       oomdoc.Key = "fix.64-bit.why"
	keyLowStep      oomdoc.Key = "step.64-bit"
	keyCMATitle     oomdoc.Key = "fix.smaller-cma"
	keyCMAWhy       oomdoc.Key = "fix.smaller-cma.why"
	keyCMALook      oomdoc.Key = "step.cma-look"
	keyCMASet       oomdoc.Key = "step.cma-set"
	keyReserveTitle oomdoc.Key = "fix.reserve-ratio"
	keyReserveWhy   oomdoc.Key = "fix.reserve-ratio.why"
)

// leave32Bit is for a 32-bit machine whose kernel can use only its lowest zones
// for its own data: a kernel of 64 bits has no such zones.
func leave32Bit(p *patient) (oomdoc.Fix, bool) {
	m := p.report.Memory
	if p.inc.Cause != oomdoc.CauseZoneExhausted || m == nil || m.HighMemPages == nil || *m.HighMemPages == 0 || p.hasZone("DMA32") {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keyLowTitle, nil),
		Why:   oomdoc.Say(keyLowWhy, oomdoc.Args{"high": oomdoc.Bytes(p.bytes(*m.HighMemPages)), "ram": oomdoc.Bytes(p.ram())}),
		Steps: []oomdoc.Sentence{oomdoc.Say(keyLowStep, nil), oomdoc.Command("grep -m1 -ow lm /proc/cpuinfo")},
	}, true
}

func (p *patient) hasZone(name string) bool {
	for i := range p.report.Memory.Zones {
		if p.report.Memory.Zones[i].Name == name {
			return true
		}
	}
	return false
}

// shrinkCMA is for memory that is set aside for devices
// (admin-guide/kernel-parameters.txt, cma=).
func shrinkCMA(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseZoneExhausted || !p.proves(classify.EvidenceFreeCMA) {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keyCMATitle, nil),
		Why:   oomdoc.Say(keyCMAWhy, oomdoc.Args{"free": oomdoc.Bytes(p.counter("free_cma"))}),
		Steps: []oomdoc.Sentence{
			oomdoc.Say(keyCMALook, nil),
			oomdoc.Command("grep -i cma /proc/meminfo && cat /proc/cmdline"),
			oomdoc.Say(keyCMASet, oomdoc.Args{"setting": oomdoc.Text("cma=")}),
		},
	}, true
}

// defaultReserve is for free memory that a changed lowmem reserve keeps back
// (admin-guide/sysctl/vm.rst, lowmem_reserve_ratio; mm/page_alloc.c has the
// defaults).
func defaultReserve(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseZoneExhausted || !p.proves(classify.EvidenceFreeReserve) {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keyReserveTitle, nil),
		Why:   oomdoc.Say(keyReserveWhy, nil),
		Steps: []oomdoc.Sentence{
			oomdoc.Command("sysctl vm.lowmem_reserve_ratio"),
			oomdoc.Command("sudo sysctl -w vm.lowmem_reserve_ratio='256 256 32 0 0'"),
		},
	}, true
}
