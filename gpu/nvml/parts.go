package nvml

import (
	"time"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/oomdoc/oomdoc/gpu"
)

// A part is a MIG instance: what a program sees as its GPU.
type part struct {
	slot   int
	uuid   string
	handle nvml.Device
}

// partSlots keeps the numbers of instances apart from those of whole GPUs.
const partSlots = 1000

// findParts looks which instances a device has now.
func (w *worker) findParts(d *device) {
	if !w.has.migMode || !w.has.migCount || !w.has.migHandle || !w.has.uuid {
		return
	}
	var on, count int
	d.do("nvmlDeviceGetMigMode", func() {
		if mode, _, code := d.handle.GetMigMode(); code == nvml.SUCCESS && mode == nvml.DEVICE_MIG_ENABLE {
			on = 1
		}
	})
	if on == 0 {
		d.parts = nil
		return
	}
	d.do("nvmlDeviceGetMaxMigDeviceCount", func() { count, _ = d.handle.GetMaxMigDeviceCount() })
	var parts []*part
	for i := range min(count, 16) {
		var handle nvml.Device
		var code nvml.Return
		d.do("nvmlDeviceGetMigDeviceHandleByIndex", func() { handle, code = d.handle.GetMigDeviceHandleByIndex(i) })
		if code != nvml.SUCCESS {
			continue
		}
		parts = append(parts, w.keepPart(d, &part{slot: (d.slot+1)*partSlots + i, handle: handle}, i))
	}
	d.parts = parts
}

// keepPart gives the part that is known already, or tells of a new one.
func (w *worker) keepPart(d *device, p *part, instance int) *part {
	d.do("nvmlDeviceGetUUID", func() { p.uuid, _ = p.handle.GetUUID() })
	for _, known := range d.parts {
		if known.slot == p.slot && known.uuid == p.uuid {
			known.handle = p.handle
			return known
		}
	}
	message := gpu.Device{Slot: p.slot, Index: d.index, Parent: &d.slot, Instance: &instance, Vendor: gpu.NVIDIA, UUID: p.uuid, Bus: d.bus}
	if w.has.name {
		d.do("nvmlDeviceGetName", func() { message.Name, _ = p.handle.GetName() })
	}
	d.do("nvmlDeviceGetMemoryInfo", func() {
		m, _ := memoryOf(w.has, p.handle, d.oldMemory)
		message.TotalBytes = m.total
	})
	w.tell(gpu.Message{Device: &message})
	return p
}

// sampleParts asks for the memory of the instances.
func (w *worker) sampleParts(d *device, now time.Time) {
	for _, p := range d.parts {
		var m memory
		var code nvml.Return
		d.do("nvmlDeviceGetMemoryInfo", func() { m, code = memoryOf(w.has, p.handle, d.oldMemory) })
		if code != nvml.SUCCESS {
			w.fault(d, gpu.Fault{Slot: p.slot, Call: "nvmlDeviceGetMemoryInfo", Code: int(code), Text: codeText(code)})
			continue
		}
		s := gpu.Sample{Slot: p.slot, Milliseconds: now.UnixMilli(), UsedBytes: m.used, FreeBytes: m.free, ReservedBytes: m.reserved}
		if processes, code := w.processes(d, p.handle); code == nvml.SUCCESS {
			s.Listed, s.Processes = true, processes
		}
		w.tell(gpu.Message{Sample: &s})
	}
}
