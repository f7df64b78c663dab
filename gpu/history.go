package gpu

import (
	"time"

	"github.com/oomdoc/oomdoc"
)

// A history is the last minutes of every device.
type history struct{ devices map[int]*deviceHistory }

func newHistory() history { return history{devices: make(map[int]*deviceHistory)} }

// A deviceHistory is that of one device.
type deviceHistory struct {
	Device
	memory series[point]
	now    map[int]*processHistory // who holds memory of it, by pid
	gone   []*processHistory       // who did, the last ones
	last   time.Time
	away   bool // the worker is gone: what is known is old
	fault  string
	asleep bool
	health Health
}

// A point is the memory of a device at one moment.
type point struct {
	at         int64 // Unix time in milliseconds
	used, free int64
}

func (p point) when() int64 { return p.at }

// A processHistory is how much memory of a device a process held.
type processHistory struct {
	pid        int
	kind       string
	bytes      int64 // now, or Unknown
	peak       int64
	first, end int64 // Unix milliseconds: first and last seen
	held       series[use]
}

// A use is what a process held from a moment on.
type use struct{ at, bytes int64 }

func (u use) when() int64 { return u.at }

// The bounds of what is remembered.
const (
	maxDevices  = 128
	maxHolders  = 4096 // of one device
	maxGone     = 256
	goneFor     = 10 * time.Minute
	changeShare = 128 // a change of less than one in so many is none
)

func (h *history) add(d Device) {
	if len(h.devices) >= maxDevices && h.devices[d.Slot] == nil {
		return
	}
	known := h.devices[d.Slot]
	if known == nil || known.UUID != d.UUID {
		known = &deviceHistory{now: make(map[int]*processHistory)}
		h.devices[d.Slot] = known
	}
	known.Device, known.away, known.fault, known.asleep = d, false, "", false
}

func (h *history) sample(s *Sample) {
	d := h.devices[s.Slot]
	if d == nil {
		return
	}
	d.last, d.fault, d.asleep, d.away = s.Time(), "", false, false
	if !d.Unified {
		d.TotalBytes = s.UsedBytes + s.FreeBytes + s.ReservedBytes
		d.memory.add(point{s.Milliseconds, s.UsedBytes + s.ReservedBytes, s.FreeBytes})
	}
	if s.Listed {
		d.list(s.Processes, s.Milliseconds)
	}
}

// list notes who holds memory of a device from now on.
func (d *deviceHistory) list(processes []Process, now int64) {
	seen := make(map[int]bool, len(processes))
	for _, p := range processes[:min(len(processes), maxHolders)] {
		seen[p.PID] = true
		known := d.now[p.PID]
		if known == nil {
			known = &processHistory{pid: p.PID, first: now}
			d.now[p.PID] = known
		}
		known.note(p, now)
	}
	for pid, p := range d.now {
		if !seen[pid] {
			delete(d.now, pid)
			p.end = now
			d.gone = append(d.gone, p)
		}
	}
	d.forget(now)
}

// forget drops who has been gone for long.
func (d *deviceHistory) forget(now int64) {
	old := 0
	for old < len(d.gone) && (now-d.gone[old].end > goneFor.Milliseconds() || len(d.gone)-old > maxGone) {
		old++
	}
	d.gone = d.gone[old:]
	if old > 0 && len(d.gone) == 0 {
		d.gone = nil
	}
}

func (p *processHistory) note(now Process, at int64) {
	p.kind, p.end = now.Kind, at
	if now.Bytes == Unknown {
		p.bytes = Unknown
		return
	}
	change := max(now.Bytes-p.bytes, p.bytes-now.Bytes)
	if p.held.len() == 0 || change > now.Bytes/changeShare {
		p.held.add(use{at, now.Bytes})
	}
	p.bytes, p.peak = now.Bytes, max(p.peak, now.Bytes)
}

// peak notes what the driver's accounting says of a process that is dead.
func (h *history) peak(m *Peak) {
	d := h.devices[m.Slot]
	if d == nil {
		return
	}
	for _, p := range d.gone {
		if p.pid == m.PID {
			p.peak = max(p.peak, m.Bytes)
		}
	}
	if p := d.now[m.PID]; p != nil {
		p.peak = max(p.peak, m.Bytes)
	}
}

func (h *history) faultOf(f *Fault) {
	if d := h.devices[f.Slot]; d != nil {
		d.fault, d.asleep = f.Text, f.Asleep
		if f.Asleep {
			d.fault = ""
		}
	}
}

func (h *history) healthOf(m *Health) {
	if d := h.devices[m.Slot]; d != nil {
		d.health = *m
	}
}

// left notes that nobody asks NVIDIA's devices any more.
func (h *history) left() {
	for _, d := range h.devices {
		if d.Vendor == NVIDIA {
			d.away = true
		}
	}
}

// PIDs are the processes that hold memory of a device now.
func (s *Sampler) PIDs() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(map[int]bool)
	var pids []int
	for _, d := range s.history.devices {
		for pid := range d.now {
			if !seen[pid] {
				seen[pid] = true
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// Facts are what was known of every device at a moment.
func (s *Sampler) Facts(at time.Time) []oomdoc.GPUFacts {
	s.mu.Lock()
	defer s.mu.Unlock()
	var facts []oomdoc.GPUFacts
	for _, d := range s.history.devices {
		if !d.last.IsZero() {
			facts = append(facts, d.facts(at.UnixMilli()))
		}
	}
	return facts
}
