package classify_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

// lowReport is a 32-bit machine with PAE whose lower zones are short while
// HighMem, which a report does not print from 6.1 on, has 2 GiB free.
func lowReport() *oomdoc.KernelReport {
	report := hostReport()
	report.Trigger.GFPMask = 0xcc0 // GFP_KERNEL
	m := report.Memory
	m.Zones = []oomdoc.MemZone{zone("DMA", 1*mib, 700*kib, 0, 200, 60000, 60000), zone("Normal", 9*mib, 10*mib, 0, 0, 0, 0)}
	m.HighMemPages = new(pages(15 * gib))
	m.Counters["free"] = pages(2*gib + 10*mib)
	return report
}

func TestALowerZoneIsTheCauseOnlyWhenHigherOnesHaveRoom(t *testing.T) {
	cases := []struct {
		name       string
		change     func(*oomdoc.KernelReport)
		cause      oomdoc.Cause
		confidence oomdoc.Confidence
	}{
		{"2 GiB free above", func(*oomdoc.KernelReport) {}, oomdoc.CauseZoneExhausted, oomdoc.Certain},
		{"4 % of RAM free above", func(r *oomdoc.KernelReport) {
			r.Memory.Counters["free"] = pages(percentOfRAM(4))
		}, oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"the zone above is printed", func(r *oomdoc.KernelReport) {
			r.Memory.HighMemPages = nil
			r.Memory.Zones = append(r.Memory.Zones, zone("HighMem", 2*gib, mib, 0, 0, 0, 0))
		}, oomdoc.CauseZoneExhausted, oomdoc.Certain},
		{"a page of a program may use the zone above", func(r *oomdoc.KernelReport) {
			r.Trigger.GFPMask = 0x100cca
		}, oomdoc.CauseUndecided, oomdoc.Possible},
		{"the lower zone has room", func(r *oomdoc.KernelReport) { setFree(r, 1, 60*mib) }, oomdoc.CauseUndecided, oomdoc.Possible},
		{"a machine without higher zones", func(r *oomdoc.KernelReport) {
			r.Memory.HighMemPages = new(int64(0))
		}, oomdoc.CauseUndecided, oomdoc.Possible},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := lowReport()
			c.change(report)
			checkVerdict(t, diagnose(report), c.cause, c.confidence)
		})
	}
}

func TestFreeMemoryThatIsSetAsideIsTheCauseWhenItMakesTheDifference(t *testing.T) {
	cases := []struct {
		name       string
		change     func(*oomdoc.KernelReport)
		cause      oomdoc.Cause
		confidence oomdoc.Confidence
		says       oomdoc.Key
	}{
		{"for devices, 90 % of what is free", func(r *oomdoc.KernelReport) {
			r.Trigger.GFPMask = 0xcc0
			r.Memory.Zones[0].LowmemReserve = []int64{0, 3000, 16000, 16000, 16000}
			setFree(r, 1, 400*mib)
			r.Memory.Zones[1].Bytes["free_cma"] = 380 * mib
		}, oomdoc.CauseZoneExhausted, oomdoc.Certain, "evidence.free-cma"},
		{"for devices, 70 % of what is free", func(r *oomdoc.KernelReport) {
			r.Trigger.GFPMask = 0xcc0
			setFree(r, 0, 60*mib)
			setFree(r, 1, 300*mib)
			r.Memory.Zones[1].Bytes["free_cma"] = 250 * mib
		}, oomdoc.CauseZoneExhausted, oomdoc.Likely, "evidence.free-cma"},
		{"for devices, but the request may move", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 400*mib)
			r.Memory.Zones[1].Bytes["free_cma"] = 380 * mib
		}, oomdoc.CauseUndecided, oomdoc.Possible, ""},
		{"for devices, and short with it too", func(r *oomdoc.KernelReport) {
			r.Trigger.GFPMask = 0xcc0
			r.Memory.Zones[1].Bytes["free_cma"] = 38 * mib
		}, oomdoc.CauseHostExhausted, oomdoc.Certain, ""},
		{"for urgent requests, as much as is free above the minimum", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 200*mib)
			r.Memory.Zones[1].Bytes["reserved_highatomic"] = 140 * mib
		}, oomdoc.CauseZoneExhausted, oomdoc.Certain, "evidence.free-for-urgent"},
		{"for urgent requests, a little less than that", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 200*mib)
			r.Memory.Zones[1].Bytes["reserved_highatomic"] = 139 * mib
		}, oomdoc.CauseHostExhausted, oomdoc.Certain, ""},
		{"behind the reserve in every zone", func(r *oomdoc.KernelReport) {
			r.Memory.Zones[1].LowmemReserve = []int64{0, 0, 0, 60000, 60000}
			setFree(r, 1, 300*mib)
			setFree(r, 0, 40*mib)
		}, oomdoc.CauseZoneExhausted, oomdoc.Certain, "evidence.free-behind-reserve"},
		{"behind the reserve in the small zone only", func(r *oomdoc.KernelReport) {
			setFree(r, 0, 60*mib)
		}, oomdoc.CauseHostExhausted, oomdoc.Certain, ""},
		{"behind a changed reserve, more than 5 % of RAM", func(r *oomdoc.KernelReport) {
			r.Memory.Zones[0].LowmemReserve = []int64{0, 500000, 500000, 500000, 500000}
			setFree(r, 0, percentOfRAM(6))
		}, oomdoc.CauseZoneExhausted, oomdoc.Certain, "evidence.free-behind-reserve"},
		{"behind a changed reserve, less than that", func(r *oomdoc.KernelReport) {
			r.Memory.Zones[0].LowmemReserve = []int64{0, 500000, 500000, 500000, 500000}
			setFree(r, 0, percentOfRAM(4))
		}, oomdoc.CauseHostExhausted, oomdoc.Certain, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := hostReport()
			c.change(report)
			got := diagnose(report)
			checkVerdict(t, got, c.cause, c.confidence)
			if c.says != "" && !says(got, c.says) {
				t.Errorf("no %s", c.says)
			}
		})
	}
}

func TestAPolicyThatIsNotPrintedIsToldAsProbable(t *testing.T) {
	old := func(version string, elsewhere int64) *oomdoc.KernelReport {
		report := hostReport()
		report.KernelVersion, report.Summary = version, nil
		report.Memory.Counters["free"] += pages(elsewhere)
		return report
	}
	checkVerdict(t, diagnose(old("4.4.0-210-generic", percentOfRAM(6))), oomdoc.CauseNUMABound, oomdoc.Likely)
	checkVerdict(t, diagnose(old("4.4.0-210-generic", percentOfRAM(4))), oomdoc.CauseHostExhausted, oomdoc.Certain)

	short := old("4.4.0-210-generic", percentOfRAM(6))
	setFree(short, 1, 91*mib)
	checkVerdict(t, diagnose(short), oomdoc.CauseUndecided, oomdoc.Possible)

	named := old("4.15.0-20-generic", percentOfRAM(6))
	named.Trigger.NodeMask = "1"
	if got := diagnose(named); got.Cause != oomdoc.CauseNUMABound || !says(got, "evidence.nodemask") {
		t.Errorf("got %s, or the nodes of the header are not told", got.Cause)
	}

	// 5.0 prints no constraint but NONE; later kernels mean it.
	for version, want := range map[string]oomdoc.Cause{"5.0.0-8-generic": oomdoc.CauseNUMABound, "5.4.0-8-generic": oomdoc.CauseUndecided} {
		report := hostReport()
		report.KernelVersion = version
		report.Memory.Counters["free"] += pages(percentOfRAM(6))
		if got := diagnose(report); got.Cause != want {
			t.Errorf("%s: got %s, want %s", version, got.Cause, want)
		}
	}
}
