package classify

import (
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
)

const (
	keySampledCard    oomdoc.Key = "evidence.sampled-card"
	keySampledOwn     oomdoc.Key = "evidence.sampled-own"
	keySampledPeak    oomdoc.Key = "evidence.sampled-peak"
	keySampledHolder  oomdoc.Key = "evidence.sampled-holder"
	keySampledFlat    oomdoc.Key = "evidence.sampled-flat"
	keySampledJumped  oomdoc.Key = "evidence.sampled-jumped"
	keySampledClimbed oomdoc.Key = "evidence.sampled-climbed"
)

// proveSampled says what was seen of the device before the failure.
func (r *programReading) proveSampled(v *programVerdict) {
	d := r.facts.Device
	if d == nil {
		return
	}
	if s := lastSample(d); s != nil && d.TotalBytes != 0 {
		v.prove("", keySampledCard, oomdoc.Args{
			"gpu": oomdoc.Text(decoded(d.Name)), "used": oomdoc.Bytes(s.UsedBytes), "free": oomdoc.Bytes(s.FreeBytes), "total": oomdoc.Bytes(d.TotalBytes),
			"before": oomdoc.Duration(max(r.at().Sub(s.Time), 0)),
		})
	}
	if own, _ := heldOf(d, r.facts.Own); own != nil {
		v.prove("", keySampledOwn, oomdoc.Args{"bytes": oomdoc.Bytes(*own)})
	}
	if peak := r.peak(); peak != nil {
		v.prove("", keySampledPeak, oomdoc.Args{"bytes": oomdoc.Bytes(*peak)})
	}
	r.proveCourse(v)
	r.proveOthers(v)
}

// at is when it failed.
func (r *programReading) at() time.Time {
	if !r.event.Time.IsZero() {
		return r.event.Time
	}
	return r.event.Read
}

// peak is the most that the process held, where that was more than when it was
// last seen.
func (r *programReading) peak() *int64 {
	for _, p := range r.facts.Device.Processes {
		if slices.Contains(r.facts.Own, p.PID) && p.PeakBytes != nil && p.Bytes != nil && *p.PeakBytes > *p.Bytes {
			return p.PeakBytes
		}
	}
	return nil
}

// main is the largest of the processes that the error is of.
func (r *programReading) main() *oomdoc.GPUProcess {
	d := r.facts.Device
	if d == nil {
		return nil
	}
	for i := range d.Processes { // the largest first
		if slices.Contains(r.facts.Own, d.Processes[i].PID) {
			return &d.Processes[i]
		}
	}
	return nil
}

func (r *programReading) course() course {
	p := r.main()
	if p == nil {
		return course{}
	}
	return courseOf(p.Samples, r.at())
}

func (r *programReading) proveCourse(v *programVerdict) {
	c := r.course()
	args := oomdoc.Args{"grew": oomdoc.Bytes(c.grew), "over": oomdoc.Duration(c.over)}
	switch c.trend {
	case trendFlat:
		v.prove("", keySampledFlat, args)
	case trendJumped:
		v.prove("", keySampledJumped, args)
	case trendClimbed, trendGrew:
		v.prove("", keySampledClimbed, args)
	}
}

// proveOthers names the others on the device, unless the rule did.
func (r *programReading) proveOthers(v *programVerdict) {
	if v.cause == oomdoc.CauseOtherProcess {
		return
	}
	const shown = 3
	for i, h := range r.e.Holders {
		if i == shown {
			return
		}
		v.prove("", keySampledHolder, oomdoc.Args{
			"pid": oomdoc.Count(h.PID), "name": oomdoc.Text(r.nameOf(h.PID)), "bytes": oomdoc.Bytes(h.Bytes),
		})
	}
}

// nameOf is what a process is called.
func (r *programReading) nameOf(pid int) string {
	p := r.facts.Processes[pid]
	if p.Comm != "" {
		return decoded(p.Comm)
	}
	if len(p.Cmdline) > 0 {
		return decoded(p.Cmdline[0])
	}
	return "?"
}

// climbed is the rule for a leak: the process's own use rose step by step for
// long, while it did the same work all the time as far as can be told.
func (r *programReading) climbed(v *programVerdict) bool {
	switch r.e.Phase {
	case oomdoc.PhaseUnknown, oomdoc.PhaseRun, oomdoc.PhaseTraining, oomdoc.PhaseCompute:
	default:
		return false
	}
	if !r.onDevice() || r.course().trend != trendClimbed {
		return false
	}
	r.proveRequest(v)
	v.atMost(oomdoc.Likely)
	return true
}

// samples are the minutes before, for a picture.
func (r *programReading) samples() []oomdoc.Sample {
	trend := samplesOf(r.e.PID, r.facts)
	d := r.facts.Device
	if d == nil || len(d.Samples) < len(trend) {
		return trend
	}
	own := r.main()
	samples := make([]oomdoc.Sample, 0, len(d.Samples))
	for i := range d.Samples {
		s := oomdoc.Sample{Time: d.Samples[i].Time, GPUUsedBytes: &d.Samples[i].UsedBytes}
		if own != nil && len(own.Samples) > 0 && !s.Time.Before(own.First) {
			size := sizeAt(own.Samples, s.Time)
			s.ProcessGPUBytes = &size
		}
		s.RSSBytes = residentAt(trend, s.Time)
		samples = append(samples, s)
	}
	return samples
}

// residentAt is what a process held of RAM when it was last looked at before a
// moment; nil before the first time.
func residentAt(trend []oomdoc.Sample, at time.Time) (bytes *int64) {
	for i := range trend {
		if trend[i].Time.After(at) {
			break
		}
		bytes = trend[i].RSSBytes
	}
	return bytes
}
