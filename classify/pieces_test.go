package classify_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

// buddy is a buddy line of a kernel with 4 KiB pages: blocks by order, each with
// its letters.
func buddy(blocks ...oomdoc.BuddyOrder) []oomdoc.BuddyOrder {
	for i := range blocks {
		blocks[i].Size = 4 * kib << i
	}
	return blocks
}

// piecesReport asks for 32 KiB in one piece of 300 MiB free that lie in single
// pages.
func piecesReport() *oomdoc.KernelReport {
	report := hostReport()
	report.Trigger.Order, report.Trigger.GFPMask = 3, 0x40cc0 // GFP_KERNEL|__GFP_COMP
	setFree(report, 1, 300*mib)
	report.Memory.Zones[0].Buddy = buddy(oomdoc.BuddyOrder{}, oomdoc.BuddyOrder{}, oomdoc.BuddyOrder{}, oomdoc.BuddyOrder{Blocks: 400, Types: "M"})
	report.Memory.Zones[1].Buddy = buddy(
		oomdoc.BuddyOrder{Blocks: 76000, Types: "UME"}, oomdoc.BuddyOrder{Blocks: 200, Types: "U"}, oomdoc.BuddyOrder{Blocks: 40, Types: "M"}, oomdoc.BuddyOrder{})
	report.Memory.Zones[1].BuddyLine = "Node 0 Normal: 76000*4kB (UME)"
	return report
}

func TestFragmentationIsFreeMemoryWithoutAPieceOfTheOrder(t *testing.T) {
	block := func(r *oomdoc.KernelReport, types string) {
		r.Memory.Zones[1].Buddy[3] = oomdoc.BuddyOrder{Blocks: 5, Size: 32 * kib, Types: types}
	}
	cases := []struct {
		name       string
		change     func(*oomdoc.KernelReport)
		cause      oomdoc.Cause
		confidence oomdoc.Confidence
	}{
		{"all in single pages; the reserve shuts the zone that has blocks", func(*oomdoc.KernelReport) {}, oomdoc.CauseKernelBuddy, oomdoc.Certain},
		{"a block was there", func(r *oomdoc.KernelReport) { block(r, "UME") }, oomdoc.CauseUndecided, oomdoc.Possible},
		{"a block of any kind, by a kernel that prints no letters", func(r *oomdoc.KernelReport) { block(r, "") }, oomdoc.CauseUndecided, oomdoc.Possible},
		{"only for urgent requests", func(r *oomdoc.KernelReport) { block(r, "H") }, oomdoc.CauseKernelBuddy, oomdoc.Certain},
		{"only for devices", func(r *oomdoc.KernelReport) { block(r, "C") }, oomdoc.CauseKernelBuddy, oomdoc.Certain},
		{"only for devices, and the request may move", func(r *oomdoc.KernelReport) {
			block(r, "C")
			r.Trigger.GFPMask = 0x140dca
		}, oomdoc.CauseUndecided, oomdoc.Possible},
		{"above the minimum, below the mark of the last try", func(r *oomdoc.KernelReport) { setFree(r, 1, 80*mib) }, oomdoc.CauseKernelBuddy, oomdoc.Likely},
		{"at the minimum it is a plain shortage", func(r *oomdoc.KernelReport) { setFree(r, 1, 60*mib) }, oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"the rest of the piece counts: seven pages above the minimum are too few", func(r *oomdoc.KernelReport) { setFree(r, 1, 60*mib+28*kib) }, oomdoc.CauseHostExhausted, oomdoc.Certain},
		{"eight are enough", func(r *oomdoc.KernelReport) { setFree(r, 1, 60*mib+32*kib) }, oomdoc.CauseKernelBuddy, oomdoc.Likely},
		{"free pages of the allocator for devices do not count", func(r *oomdoc.KernelReport) {
			r.Memory.Zones[1].Bytes["free_cma"] = 265 * mib
		}, oomdoc.CauseZoneExhausted, oomdoc.Certain},
		{"free pages for urgent requests do not count", func(r *oomdoc.KernelReport) {
			r.Memory.Zones[1].Bytes["reserved_highatomic"] = 250 * mib
		}, oomdoc.CauseZoneExhausted, oomdoc.Certain},
		{"a single page", func(r *oomdoc.KernelReport) { r.Trigger.Order = 0 }, oomdoc.CauseUndecided, oomdoc.Possible},
		{"no buddy lines", func(r *oomdoc.KernelReport) { r.Memory.Zones[1].Buddy = nil }, oomdoc.CauseUndecided, oomdoc.Possible},
		{"the largest zone is short, a rest lies in pieces", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 40*mib)
			setFree(r, 0, 70*mib)
			r.Memory.Zones[0].Buddy = buddy(oomdoc.BuddyOrder{Blocks: 18000, Types: "U"})
		}, oomdoc.CauseHostExhausted, oomdoc.Likely},
		{"the largest zone is short, much lies in pieces", func(r *oomdoc.KernelReport) {
			setFree(r, 1, 40*mib)
			setFree(r, 0, 400*mib)
			r.Memory.Zones[0].Buddy = buddy(oomdoc.BuddyOrder{Blocks: 100000, Types: "U"})
		}, oomdoc.CauseKernelBuddy, oomdoc.Likely},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := piecesReport()
			c.change(report)
			got := diagnose(report)
			if got.Cause != c.cause || got.Confidence != c.confidence {
				t.Errorf("got %s (%s), want %s (%s): %s", got.Cause, got.Confidence, c.cause, c.confidence, rendered(t, got).Summary.Text)
			}
			if want := c.cause == oomdoc.CauseKernelBuddy; want != (got.Class == oomdoc.ClassFragmentation) {
				t.Errorf("got the class %s", got.Class)
			}
		})
	}
}

func TestALimitOfACgroupIsNeverFragmentation(t *testing.T) {
	report := limitReport()
	report.Trigger.Order = 3
	report.Memory = piecesReport().Memory
	checkVerdict(t, diagnose(report), oomdoc.CauseCgroupLimit, oomdoc.Certain)
}

func TestWhatThePieceWasForIsToldByTheCallTrace(t *testing.T) {
	for function, key := range map[string]oomdoc.Key{
		"dup_task_struct": "evidence.asked-for-stack", "__alloc_skb": "evidence.asked-for-network",
		"kvm_mmu_load": "evidence.asked-for-guest", "ttm_pool_alloc": "evidence.asked-for-gpu",
	} {
		report := piecesReport()
		report.Stack = []string{"dump_header", "__alloc_pages", function, "do_syscall_64"}
		if !says(diagnose(report), key) {
			t.Errorf("%s: no %s", function, key)
		}
	}
}
