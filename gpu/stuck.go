package gpu

import (
	"path/filepath"
	"time"
)

// A stuck follows which devices of a worker don't answer. One that hangs by
// itself is waited for: the others are still asked. But a library may hold a lock
// while it waits, and then all hang: the first of them is blamed and left out of
// the next worker.
type stuck struct {
	hangs map[int]time.Time // since when, by slot
	all   time.Time         // since when nothing at all answers; zero: something does
}

func newStuck() *stuck { return &stuck{hangs: make(map[int]time.Time)} }

// take notes a sign of life, and tells since when nothing answers.
func (s *stuck) take(b *Beat, now time.Time) (since time.Duration) {
	hangs := make(map[int]time.Time, len(b.Stuck))
	for _, slot := range b.Stuck {
		hangs[slot] = now
		if before, already := s.hangs[slot]; already {
			hangs[slot] = before
		}
	}
	s.hangs = hangs
	if !b.Opening && (b.Devices == 0 || len(b.Stuck) < b.Devices) {
		s.all = time.Time{}
		return 0
	}
	if s.all.IsZero() {
		s.all = now
	}
	return now.Sub(s.all)
}

// first is the device that hung first of several.
func (s *stuck) first() (slot int, several bool) {
	var since time.Time
	for at, when := range s.hangs {
		if since.IsZero() || when.Before(since) {
			slot, since = at, when
		}
	}
	return slot, len(s.hangs) > 1
}

// blame leaves a device out of the workers to come, the longer the more often it
// was blamed.
func (s *Sampler) blame(slot int, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.history.devices[slot]
	if d == nil || d.Bus == "" {
		return
	}
	s.strikes[d.Bus]++
	wait := time.Minute << min(s.strikes[d.Bus]-1, 5)
	s.blamed[d.Bus] = now.Add(wait)
	d.fault = "it does not answer and is left alone for " + wait.String()
	s.options.Log.Warn("a GPU does not answer and is left alone for a while", "gpu", d.Index, "bus", d.Bus, "wait", wait)
}

// leftOut are the buses of the devices that are not asked for now.
func (s *Sampler) leftOut(now time.Time) (buses []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for bus, until := range s.blamed {
		if now.Before(until) {
			buses = append(buses, bus)
		} else {
			delete(s.blamed, bus)
		}
	}
	return buses
}

// An idleness watches whether anybody uses the devices. An open library keeps a
// laptop's GPU from being powered down, which costs some watts.
type idleness struct {
	since time.Time
	look  time.Time
}

// take tells that the devices are to be let go.
func (i *idleness) take(s *Sampler, now time.Time) bool {
	if now.Before(i.look) {
		return false
	}
	i.look = now.Add(time.Second)
	if s.busy() || !s.mayPowerDown() {
		i.since = now
		return false
	}
	return now.Sub(i.since) > s.patient
}

// busy tells that some program holds memory of a device.
func (s *Sampler) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.history.devices {
		if d.Vendor == NVIDIA && len(d.now) > 0 {
			return true
		}
	}
	return false
}

// mayPowerDown tells that the kernel would power every NVIDIA device down when
// nobody held it.
func (s *Sampler) mayPowerDown() bool {
	any := false
	for _, d := range pciDevices(filepath.Join(s.options.Root, "sys")) {
		if d.vendor != pciNVIDIA {
			continue
		}
		if !d.auto {
			return false
		}
		any = true
	}
	return any
}
