package applog

import "github.com/oomdoc/oomdoc"

// jetson reads the memory manager of NVIDIA's Tegra chips, where CPU and GPU share
// one RAM: "NvMapMemAllocInternalTagged: 1075072515 error 12" (12 is ENOMEM). What
// failed of it, the program says.
func jetson() []mark {
	shared := func(s *scene, sp *span) {
		if !sp.isTalk() {
			s.note(sp.clue(oomdoc.ClueUnified))
		}
	}
	return []mark{
		{"NvMapMemAlloc", shared},
		{"NvMapMemHandleAlloc", shared},
		{"NvRmMemMapVcm", shared},
	}
}
