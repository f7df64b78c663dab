package nvml

import (
	"slices"
	"time"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/oomdoc/oomdoc/gpu"
)

// A memory is what a device tells of its memory, in bytes: used, reserved and
// free make the total.
type memory struct{ total, used, free, reserved int64 }

// memoryOf asks for it. The older call counts what the driver reserves for itself
// as used.
func memoryOf(has functions, handle nvml.Device, old bool) (memory, nvml.Return) {
	if has.memoryV2 && !old {
		m, code := handle.GetMemoryInfo_v2()
		return soundMemory(m.Total, m.Used, m.Free, m.Reserved), code
	}
	m, code := handle.GetMemoryInfo()
	return soundMemory(m.Total, m.Used, m.Free, 0), code
}

// soundMemory makes the parts sum up: the headers' texts disagree whether used
// holds what is reserved, so it is what free and reserved leave of the total.
func soundMemory(total, used, free, reserved uint64) memory {
	const most = 1 << 50 // no device has that much
	if total > most || free > total || reserved > total-free {
		return memory{total: int64(min(total, most)), used: int64(min(used, total, most))}
	}
	return memory{int64(total), int64(total - free - reserved), int64(free), int64(reserved)}
}

// sample asks for a device's memory and, when due, who holds it.
func (w *worker) sample(d *device, now time.Time) time.Duration {
	s := gpu.Sample{Slot: d.slot, Milliseconds: now.UnixMilli()}
	if !d.unified {
		var m memory
		var code nvml.Return
		d.do("nvmlDeviceGetMemoryInfo", func() { m, code = memoryOf(w.has, d.handle, d.oldMemory) })
		switch {
		case code == nvml.ERROR_NO_PERMISSION && len(d.parts) > 0: // a container that has only instances
			w.sampleParts(d, now)
			return paceRest
		case code != nvml.SUCCESS:
			return w.refused(d, "nvmlDeviceGetMemoryInfo", code)
		}
		s.UsedBytes, s.FreeBytes, s.ReservedBytes = m.used, m.free, m.reserved
		d.total = m.total
	}
	wait := d.pace.next(now, s.UsedBytes, d.total)
	if !now.Before(d.dueList) || d.pace.moved {
		w.list(d, &s)
		w.xids(d)
		d.dueList = now.Add(paceRest - paceFast/2)
	}
	d.faulted = ""
	w.tell(gpu.Message{Sample: &s})
	w.sampleParts(d, now)
	return wait
}

// list asks who holds a device's memory, and puts it into the sample when it is
// not as before.
func (w *worker) list(d *device, s *gpu.Sample) {
	processes, code := w.processes(d, d.handle)
	if code != nvml.SUCCESS {
		if d.listed { // it told before: what is known is old
			d.listed, d.processes = false, nil
			s.Listed = true
		}
		return
	}
	if d.listed && slices.Equal(processes, d.processes) {
		return
	}
	if d.accounting {
		w.peaks(d, processes)
	}
	d.processes, d.listed = processes, true
	s.Listed, s.Processes = true, processes
}

// processes merges the lists of a device. A process with two kinds of context
// stands in two lists with the same memory.
func (w *worker) processes(d *device, handle nvml.Device) (all []gpu.Process, first nvml.Return) {
	first = nvml.ERROR_NOT_SUPPORTED
	add := func(has bool, kind, name string, ask func() ([]nvml.ProcessInfo, nvml.Return)) {
		if !has {
			return
		}
		var list []nvml.ProcessInfo
		var code nvml.Return
		d.do(name, func() { list, code = ask() })
		if code != nvml.SUCCESS {
			return
		}
		first = nvml.SUCCESS
		for _, p := range list[:min(len(list), maxProcesses)] {
			all = merge(all, gpu.Process{PID: int(p.Pid), Bytes: bytesOf(p.UsedGpuMemory), Kind: kind})
		}
	}
	add(w.has.compute, gpu.KindCompute, "nvmlDeviceGetComputeRunningProcesses", handle.GetComputeRunningProcesses)
	add(w.has.graphics, gpu.KindGraphics, "nvmlDeviceGetGraphicsRunningProcesses", handle.GetGraphicsRunningProcesses)
	add(w.has.mps, gpu.KindMPS, "nvmlDeviceGetMPSComputeRunningProcesses", handle.GetMPSComputeRunningProcesses)
	slices.SortFunc(all, func(a, b gpu.Process) int { return a.PID - b.PID })
	return all, first
}

const maxProcesses = 4096

// bytesOf reads a size; "not available" is no number.
func bytesOf(bytes uint64) int64 {
	if bytes > 1<<50 {
		return gpu.Unknown
	}
	return int64(bytes)
}

func merge(all []gpu.Process, p gpu.Process) []gpu.Process {
	for i := range all {
		if all[i].PID == p.PID {
			all[i].Bytes = max(all[i].Bytes, p.Bytes)
			return all
		}
	}
	return append(all, p)
}

// peaks asks for the most that processes held which are in the list no more.
func (w *worker) peaks(d *device, now []gpu.Process) {
	for _, p := range d.processes {
		if slices.ContainsFunc(now, func(q gpu.Process) bool { return q.PID == p.PID }) {
			continue
		}
		var stats nvml.AccountingStats
		var code nvml.Return
		d.do("nvmlDeviceGetAccountingStats", func() { stats, code = d.handle.GetAccountingStats(uint32(p.PID)) })
		if peak := bytesOf(stats.MaxMemoryUsage); code == nvml.SUCCESS && peak > 0 {
			w.tell(gpu.Message{Peak: &gpu.Peak{Slot: d.slot, PID: p.PID, Bytes: peak}})
		}
	}
}
