package classify

import (
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

// Complete adds to an event what was sampled of the GPU that it is about: which
// one it is, into facts.Device, and into a copy of the program's error the figures
// that its lines don't have. What they have stands.
func Complete(ev *oomdoc.Event, facts *oomdoc.Facts) {
	if ev.Program == nil || ev.Program.Pool != oomdoc.PoolDevice || len(facts.GPUs) == 0 {
		return
	}
	e := *ev.Program
	related := relatives(&e, facts)
	device := deviceOf(&e, facts, related)
	if device == nil {
		return
	}
	facts.Device, facts.Own = device, related
	facts.Completed = completeFigures(&e, device, related)
	ev.Program = &e
}

// relatives are the processes that the error may be of: the one that wrote the
// lines, or, where a service or a container wrote them, every process in it.
func relatives(e *oomdoc.ProgramError, facts *oomdoc.Facts) []int {
	var pids []int
	if e.PID != 0 {
		pids = append(pids, e.PID)
	}
	home := e.Cgroup
	if home == "" {
		home = facts.Processes[e.PID].Cgroup
	}
	for pid, p := range facts.Processes {
		switch {
		case pid == e.PID:
		case descends(p, e.PID, facts):
			pids = append(pids, pid)
		case home != "" && p.Cgroup == home && isOneJob(home):
			pids = append(pids, pid)
		case e.Container != "" && strings.Contains(p.Cgroup, e.Container):
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// isOneJob tells a cgroup whose processes belong together; a login session holds
// whatever its user started.
func isOneJob(cgroup string) bool {
	switch proc.OwnerOf(cgroup).Kind {
	case oomdoc.OwnerUnit, oomdoc.OwnerUserUnit, oomdoc.OwnerContainer, oomdoc.OwnerPod, oomdoc.OwnerSlurm:
		return true
	}
	return false
}

// descends tells that a process was started by another, or by one that was.
func descends(p oomdoc.ProcessFacts, ancestor int, facts *oomdoc.Facts) bool {
	const depth = 8
	for range depth {
		if ancestor == 0 || p.Parent == 0 {
			return false
		}
		if p.Parent == ancestor {
			return true
		}
		p = facts.Processes[p.Parent]
	}
	return false
}

// deviceOf finds the GPU that refused: the one on which the process held memory,
// else the only one that it can be.
func deviceOf(e *oomdoc.ProgramError, facts *oomdoc.Facts, related []int) *oomdoc.GPUFacts {
	var held, sized []*oomdoc.GPUFacts
	for i := range facts.GPUs {
		d := &facts.GPUs[i]
		if e.Total != nil && d.TotalBytes != 0 && !sameSize(*e.Total, d.TotalBytes) {
			continue
		}
		sized = append(sized, d)
		if _, holds := heldOf(d, related); holds {
			held = append(held, d)
		}
	}
	switch {
	case len(held) == 1:
		return held[0]
	case len(held) > 1:
		return chosen(e, facts, held)
	case len(facts.GPUs) == 1 && len(sized) == 1:
		return sized[0] // it failed before it held anything
	}
	return nil
}

// chosen picks among several devices of one program by the number that the program
// gives, which counts only the devices that it may see.
func chosen(e *oomdoc.ProgramError, facts *oomdoc.Facts, among []*oomdoc.GPUFacts) *oomdoc.GPUFacts {
	if e.Device == nil {
		return fullest(among)
	}
	visible, set := setting(facts.Processes[e.PID].Env, "CUDA_VISIBLE_DEVICES")
	if !set {
		for _, d := range among {
			if d.Index == *e.Device && d.Instance == nil {
				return d
			}
		}
		return nil
	}
	names := strings.Split(visible, ",")
	if *e.Device < 0 || *e.Device >= len(names) {
		return nil
	}
	name := strings.TrimSpace(names[*e.Device])
	for _, d := range among {
		if name == d.UUID || d.UUID != "" && strings.HasPrefix(d.UUID, name) && strings.HasPrefix(name, "GPU-") || name == strconv.Itoa(d.Index) {
			return d
		}
	}
	return nil
}

// setting finds a variable among NAME=VALUE.
func setting(environment []string, name string) (string, bool) {
	for _, variable := range environment {
		if value, is := strings.CutPrefix(variable, name+"="); is {
			return value, true
		}
	}
	return "", false
}

// fullest is the device with the least memory left.
func fullest(among []*oomdoc.GPUFacts) *oomdoc.GPUFacts {
	var least *oomdoc.GPUFacts
	for _, d := range among {
		if s := lastSample(d); s != nil && (least == nil || s.FreeBytes < lastSample(least).FreeBytes) {
			least = d
		}
	}
	return least
}

// sameSize tells the same size: CUDA leaves out what the driver reserves.
func sameSize(a, b int64) bool { return max(a-b, b-a) <= max(a, b)/20 }

// heldOf is how much of a device some processes hold; known is false when the
// driver does not tell.
func heldOf(d *oomdoc.GPUFacts, pids []int) (bytes *int64, holds bool) {
	var sum int64
	known := true
	for _, p := range d.Processes {
		if !slices.Contains(pids, p.PID) {
			continue
		}
		holds = true
		if p.Bytes == nil {
			known = false
			continue
		}
		sum += *p.Bytes
	}
	if !holds || !known {
		return nil, holds
	}
	return &sum, true
}

func lastSample(d *oomdoc.GPUFacts) *oomdoc.GPUSample {
	if len(d.Samples) == 0 {
		return nil
	}
	return &d.Samples[len(d.Samples)-1]
}

// completeFigures fills in what the program's lines do not have. The free memory
// is a moment old: where the request had fitted into it, it was taken since, and
// says nothing.
func completeFigures(e *oomdoc.ProgramError, d *oomdoc.GPUFacts, related []int) (done oomdoc.Completed) {
	if d.Unified {
		e.Clues = append(slices.Clone(e.Clues), oomdoc.Clue{Kind: oomdoc.ClueUnified, Name: d.Name})
		return done
	}
	if e.Total == nil && d.TotalBytes != 0 {
		total := d.TotalBytes
		e.Total, done.Total = &total, true
	}
	if s := lastSample(d); s != nil && e.Free == nil && (e.Requested == nil || s.FreeBytes < *e.Requested) {
		free := s.FreeBytes
		e.Free, done.Free = &free, true
	}
	if own, _ := heldOf(d, related); own != nil && e.Own == nil && *own >= reservedBy(e) {
		e.Own, done.Own = own, true
	}
	if len(e.Holders) == 0 {
		e.Holders, done.Holders = othersOn(d, related), true
	}
	return done
}

// reservedBy is what the allocator of a program says that it holds.
func reservedBy(e *oomdoc.ProgramError) (sum int64) {
	for _, size := range []*int64{e.Allocated, e.Unallocated} {
		if size != nil {
			sum += *size
		}
	}
	return sum
}

// othersOn are the other processes that held memory of a device.
func othersOn(d *oomdoc.GPUFacts, related []int) (others []oomdoc.PoolHolder) {
	for _, p := range d.Processes {
		if p.Gone || p.Bytes == nil || *p.Bytes == 0 || slices.Contains(related, p.PID) {
			continue
		}
		others = append(others, oomdoc.PoolHolder{PID: p.PID, Bytes: *p.Bytes})
	}
	return others
}
