package nvml

import (
	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/oomdoc/oomdoc/gpu"
)

// health asks what else a device tells of itself.
func (w *worker) health(d *device) {
	h := gpu.Health{Slot: d.slot}
	if w.has.bar1 {
		d.do("nvmlDeviceGetBAR1MemoryInfo", func() {
			if m, code := d.handle.GetBAR1MemoryInfo(); code == nvml.SUCCESS {
				h.BAR1Total, h.BAR1Used = bytesOf(m.Bar1Total), bytesOf(m.Bar1Used)
			}
		})
	}
	if w.has.remapped {
		d.do("nvmlDeviceGetRemappedRows", func() {
			corrected, uncorrected, pending, failed, code := d.handle.GetRemappedRows()
			if code == nvml.SUCCESS {
				h.RowsRemapped, h.RowsPending, h.RowsFailed = corrected+uncorrected, pending, failed
			}
		})
	}
	if w.has.throttle {
		d.do("nvmlDeviceGetCurrentClocksThrottleReasons", func() {
			if reasons, code := d.handle.GetCurrentClocksThrottleReasons(); code == nvml.SUCCESS {
				h.Throttle = reasons
			}
		})
	}
	if w.has.persistence {
		d.do("nvmlDeviceGetPersistenceMode", func() {
			mode, code := d.handle.GetPersistenceMode()
			h.PersistenceOn = code == nvml.SUCCESS && mode == nvml.FEATURE_ENABLED
		})
	}
	w.tell(gpu.Message{Health: &h})
}

// subscribe asks for the errors (Xid) of a device. The kernel log tells more of
// each; this tells which device it was where that log can't be read.
func (w *worker) subscribe(d *device) {
	if !w.has.eventSupported || !w.has.eventCreate || !w.has.eventRegister || !w.has.eventWaits {
		return
	}
	d.do("nvmlDeviceRegisterEvents", func() {
		types, code := d.handle.GetSupportedEventTypes()
		if code != nvml.SUCCESS || types&nvml.EventTypeXidCriticalError == 0 {
			return
		}
		set, code := w.lib.EventSetCreate()
		if code == nvml.SUCCESS && d.handle.RegisterEvents(nvml.EventTypeXidCriticalError, set) == nvml.SUCCESS {
			d.errors = set
		}
	})
}

// xids tells the errors that came since the last time, without waiting for one.
func (w *worker) xids(d *device) {
	const most = 16
	for n := 0; d.errors != nil && n < most; n++ {
		var event nvml.EventData
		var code nvml.Return
		d.do("nvmlEventSetWait", func() { event, code = d.errors.Wait(0) })
		if code != nvml.SUCCESS {
			return
		}
		if event.EventType == nvml.EventTypeXidCriticalError {
			w.tell(gpu.Message{Xid: &gpu.Xid{Slot: d.slot, Code: event.EventData}})
		}
	}
}
