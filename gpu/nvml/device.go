package nvml

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/oomdoc/oomdoc/gpu"
)

// A device is one GPU. Its own goroutine asks it, one call at a time, so that one
// that hangs keeps nobody else from being asked.
type device struct {
	index, slot int
	handle      nvml.Device
	bus         string
	total       int64
	unified     bool
	oldMemory   bool // the newer call for memory is not for this device
	accounting  bool
	parts       []*part
	errors      nvml.EventSet // nil: it tells none

	calling atomic.Pointer[call] // the call that is under way
	faulted string               // the fault that was told of last

	pace      pace
	dueList   time.Time
	dueHealth time.Time
	dueParts  time.Time
	processes []gpu.Process // as last told
	listed    bool
}

// A call is one that is under way.
type call struct {
	name  string
	since time.Time
	told  atomic.Bool
}

// do marks a call as under way while it is made.
func (d *device) do(name string, ask func()) {
	d.calling.Store(&call{name: name, since: time.Now()})
	defer d.calling.Store(nil)
	ask()
}

// stuck tells a call that has had no answer for too long.
func (d *device) stuck(now time.Time) (c *call, since time.Duration, stuck bool) {
	c = d.calling.Load()
	if c == nil || now.Sub(c.since) < noAnswer {
		return nil, 0, false
	}
	return c, now.Sub(c.since), true
}

// watch asks a device until ctx ends.
func (w *worker) watch(ctx context.Context, d *device) {
	for ctx.Err() == nil {
		wait := w.round(d, time.Now())
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// The waits after a round that found nothing.
const (
	waitAsleep  = time.Second
	waitFault   = 5 * time.Second
	waitLost    = time.Minute
	waitSkipped = time.Hour // the service starts another worker for it
)

// round asks a device once, and says how long to wait for the next time.
func (w *worker) round(d *device, now time.Time) time.Duration {
	if w.options.Loud {
		w.turn.Lock()
		defer w.turn.Unlock()
		w.tell(gpu.Message{Asking: &d.slot})
	}
	if d.handle == nil {
		if wait, ok := w.find(d); !ok {
			return wait
		}
	}
	if w.asleep(d.bus) {
		w.fault(d, gpu.Fault{Slot: d.slot, Text: "asleep", Asleep: true})
		d.listed = false
		return waitAsleep
	}
	if now.After(d.dueHealth) {
		w.health(d)
		d.dueHealth = now.Add(time.Minute)
	}
	if now.After(d.dueParts) {
		w.findParts(d)
		d.dueParts = now.Add(time.Minute)
	}
	return w.sample(d, now)
}

// find gets the handle of a device and tells what it is.
func (w *worker) find(d *device) (time.Duration, bool) {
	var code nvml.Return
	var handle nvml.Device
	d.do("nvmlDeviceGetHandleByIndex", func() { handle, code = w.lib.DeviceGetHandleByIndex(d.index) })
	if code != nvml.SUCCESS {
		return w.refused(d, "nvmlDeviceGetHandleByIndex", code), false
	}
	message := gpu.Device{Slot: d.slot, Index: d.index, Vendor: gpu.NVIDIA}
	if w.has.pci {
		d.do("nvmlDeviceGetPciInfo", func() {
			if info, code := handle.GetPciInfo(); code == nvml.SUCCESS {
				d.bus = gpu.Bus(textOf(info.BusId[:]))
			}
		})
	}
	if slices.Contains(w.options.Skip, d.bus) {
		w.fault(d, gpu.Fault{Slot: d.slot, Text: "left out after it did not answer"})
		return waitSkipped, false
	}
	if w.has.uuid {
		d.do("nvmlDeviceGetUUID", func() { message.UUID, _ = handle.GetUUID() })
	}
	if w.has.name {
		d.do("nvmlDeviceGetName", func() { message.Name, _ = handle.GetName() })
	}
	message.Bus = d.bus
	w.tell(gpu.Message{Device: &message}) // what it is, before a call that may end the process
	d.do("nvmlDeviceGetMemoryInfo", func() { code = d.learnMemory(w, handle) })
	if code == nvml.ERROR_NOT_SUPPORTED {
		d.unified = true
	} else if code != nvml.SUCCESS && code != nvml.ERROR_NO_PERMISSION {
		return w.refused(d, "nvmlDeviceGetMemoryInfo", code), false
	}
	if w.has.accountingMode && w.has.accountingStats {
		d.do("nvmlDeviceGetAccountingMode", func() {
			mode, code := handle.GetAccountingMode()
			d.accounting = code == nvml.SUCCESS && mode == nvml.FEATURE_ENABLED
		})
	}
	d.handle = handle
	w.subscribe(d)
	message.TotalBytes, message.Unified, message.Accounting = d.total, d.unified, d.accounting
	w.tell(gpu.Message{Device: &message})
	return 0, true
}

// learnMemory finds which of the two calls for memory the device answers.
func (d *device) learnMemory(w *worker, handle nvml.Device) nvml.Return {
	m, code := memoryOf(w.has, handle, false)
	if code != nvml.SUCCESS && w.has.memoryV2 && w.has.memory {
		if old, oldCode := memoryOf(w.has, handle, true); oldCode == nvml.SUCCESS {
			d.oldMemory, m, code = true, old, oldCode
		}
	}
	d.total = m.total
	return code
}

// refused tells of a refusal once, and says how long to leave the device alone.
func (w *worker) refused(d *device, name string, code nvml.Return) time.Duration {
	w.fault(d, gpu.Fault{Slot: d.slot, Call: name, Code: int(code), Text: codeText(code)})
	d.listed = false
	switch code {
	case nvml.ERROR_UNINITIALIZED, nvml.ERROR_DRIVER_NOT_LOADED, nvml.ERROR_LIB_RM_VERSION_MISMATCH:
		w.end(exitOf(name, code))
		return waitFault
	case nvml.ERROR_GPU_IS_LOST, nvml.ERROR_RESET_REQUIRED:
		return waitLost
	}
	return waitFault
}

// fault tells of what keeps a device from answering, when it changes.
func (w *worker) fault(d *device, f gpu.Fault) {
	if key := f.Call + f.Text; d.faulted != key {
		d.faulted = key
		w.tell(gpu.Message{Fault: &f})
	}
}

// asleep tells a device that the kernel has powered down. Asking it would wake it.
func (w *worker) asleep(bus string) bool {
	if bus == "" {
		return false
	}
	status, err := os.ReadFile(filepath.Join(w.options.Sys, "bus/pci/devices", bus, "power/runtime_status"))
	return err == nil && strings.TrimSpace(string(status)) == "suspended"
}

// textOf reads an array of C characters.
func textOf[C int8 | uint8](chars []C) string {
	var text strings.Builder
	for _, c := range chars {
		if c == 0 {
			break
		}
		text.WriteByte(byte(c))
	}
	return text.String()
}
