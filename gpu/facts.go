package gpu

import (
	"cmp"
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
)

// facts are what was known of a device at a moment.
func (d *deviceHistory) facts(at int64) oomdoc.GPUFacts {
	f := oomdoc.GPUFacts{
		Index: d.Index, Instance: d.Instance, Vendor: d.Vendor, UUID: d.UUID, Name: d.Name, Bus: d.Bus,
		TotalBytes: d.TotalBytes, Unified: d.Unified,
	}
	for _, p := range thin(d.memory.until(at), maxPoints) {
		f.Samples = append(f.Samples, oomdoc.GPUSample{Time: time.UnixMilli(p.at), UsedBytes: p.used, FreeBytes: p.free})
	}
	for _, p := range d.now {
		f.Processes = append(f.Processes, p.facts(at, false))
	}
	for _, p := range d.gone {
		if p.end <= at+goneGrace && p.end >= at-goneLately {
			f.Processes = append(f.Processes, p.facts(at, true))
		}
	}
	slices.SortFunc(f.Processes, func(a, b oomdoc.GPUProcess) int {
		return cmp.Or(cmp.Compare(sizeOf(b), sizeOf(a)), cmp.Compare(a.PID, b.PID))
	})
	return f
}

// What is told of the past.
const (
	maxPoints  = 120
	goneLately = 60_000 // milliseconds: who ended so long before may be who failed
	goneGrace  = 10_000
)

func sizeOf(p oomdoc.GPUProcess) int64 {
	if p.Bytes == nil {
		return Unknown
	}
	return *p.Bytes
}

func (p *processHistory) facts(at int64, gone bool) oomdoc.GPUProcess {
	f := oomdoc.GPUProcess{PID: p.pid, Kind: p.kind, Gone: gone, First: time.UnixMilli(p.first), Last: time.UnixMilli(p.end)}
	uses := p.held.until(at)
	for _, u := range thin(uses, maxPoints) {
		f.Samples = append(f.Samples, oomdoc.GPUSample{Time: time.UnixMilli(u.at), UsedBytes: u.bytes})
	}
	if n := len(uses); n > 0 && p.bytes != Unknown {
		f.Bytes = &uses[n-1].bytes
		if !gone && p.end <= at {
			bytes := p.bytes
			f.Bytes = &bytes
		}
	}
	if p.peak > 0 {
		peak := p.peak
		f.PeakBytes = &peak
	}
	return f
}

// thin leaves so many values, the last one among them.
func thin[T any](values []T, most int) []T {
	if len(values) <= most {
		return values
	}
	kept := make([]T, 0, most)
	for i := range most {
		kept = append(kept, values[(i+1)*len(values)/most-1])
	}
	return kept
}
