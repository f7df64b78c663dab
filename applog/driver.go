package applog

import (
	"bytes"
	"slices"

	"github.com/oomdoc/oomdoc"
)

// drivers reads the lines of graphics drivers in the kernel's log. A full GPU
// leaves hardly any: amdgpu alone says that it refused a program memory, after
// VRAM and the RAM that it may map. What NVIDIA's driver says is of its own
// buffers: it proves nothing, and is kept beside a failure of the same moment.
func drivers() []mark {
	return []mark{
		{"Not enough memory for command submission!", amdgpuRefused},
		{"NVKMS memory for GEM object", driverClue},
		{"NVKMS video memory for GEM object", driverClue},
		{"NV_ERR_NO_MEMORY", driverClue},
	}
}

// amdgpuRefused reads "amdgpu 0000:03:00.0: [drm] *ERROR* Not enough memory for
// command submission!" (drivers/gpu/drm/amd/amdgpu/amdgpu_cs.c; older:
// "[drm:amdgpu_cs_ioctl [amdgpu]] *ERROR* ...").
func amdgpuRefused(s *scene, sp *span) {
	if !containsAny(sp.head, []string{"amdgpu", "radeon"}) || !bytes.Contains(sp.head, []byte("*ERROR*")) {
		return
	}
	e := oomdoc.ProgramError{Pool: oomdoc.PoolDevice, DeviceName: pciAddress(sp.head)}
	if f := s.fail(sp, e); f != nil {
		f.err.Witness = kernelWitness(sp.rec)
	}
}

// pciAddress reads "0000:03:00.0" of "amdgpu 0000:03:00.0:".
func pciAddress(head []byte) string {
	for word := range bytes.FieldsSeq(head) {
		word = bytes.TrimRight(word, ":")
		if len(word) == len("0000:03:00.0") && word[4] == ':' && word[7] == ':' && word[10] == '.' {
			return keep(word)
		}
	}
	return ""
}

// kernelWitness tells whether the kernel itself wrote a line of its log.
func kernelWitness(rec *oomdoc.Record) oomdoc.Witness {
	switch rec.Facility {
	case oomdoc.FacilityKernel:
		return oomdoc.WitnessProven
	case oomdoc.FacilityUnknown:
		return oomdoc.WitnessNamed
	}
	return oomdoc.WitnessForgeable
}

func driverClue(s *scene, sp *span) {
	s.desk.beside(sp, sp.clue(oomdoc.ClueDriver))
}

// A besideClue is what the kernel said that may belong to a program's failure.
type besideClue struct {
	clue oomdoc.Clue
	boot string
	at   moment
	line uint64
}

const maxBeside = 4

// beside keeps a clue for the failures of the same moment.
func (p *programs) beside(sp *span, c oomdoc.Clue) {
	b := besideClue{clue: c, boot: sp.rec.BootID, at: p.momentOf(sp.line), line: p.count}
	for _, f := range p.open {
		if b.belongsTo(f) {
			f.addClue(c)
		}
	}
	if len(p.besides) == maxBeside {
		p.besides = slices.Delete(p.besides, 0, 1)
	}
	p.besides = append(p.besides, b)
}

func (b *besideClue) belongsTo(f *failure) bool {
	if b.boot != f.event.BootID || f.err.Pool != oomdoc.PoolDevice {
		return false
	}
	if gap, known := b.at.since(f.last); known {
		return gap <= sameMoment && gap >= -sameMoment
	}
	return max(b.line, f.lastLine)-min(b.line, f.lastLine) <= sameLines
}

// feedKernel reads a record of the kernel's.
func (p *programs) feedKernel(rec *oomdoc.Record, emit func(oomdoc.Event)) {
	p.hits = p.kernelIndex.find(rec.Text, p.hits[:0])
	if len(p.hits) == 0 {
		return
	}
	p.count++
	l := newLine(rec)
	s := p.sceneOf(rec.BootID + " kernel")
	for _, hit := range p.hits {
		if sp, found := l.cut(p.kernelMarks[hit].literal); found {
			p.kernelMarks[hit].read(s, &sp)
		}
	}
	p.tellClosed(emit)
}
