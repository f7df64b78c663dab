package playbook

import "github.com/oomdoc/oomdoc"

// The numbers of the fixes (docs/json.md).
const (
	numberReclaim   = 0
	numberQuantize  = 1
	numberHalf      = 2
	numberOffload   = 3
	numberKVCache   = 4
	numberBatch     = 5
	numberAllocator = 6
	numberInference = 7
	numberHost      = 8
	numberDownsize  = 9
)

// The slugs of two fixes that the kernel's incidents have; slugs has all.
const (
	slugReclaim = "reclaim"
	slugHost    = "host"
)

// slugs are the words of the fixes by their number.
func slugs() []string {
	return []string{
		slugReclaim, "quantize", "half-precision", "offload", "kv-cache", "batch", "allocator", "inference-mode", slugHost, "downsize",
	}
}

// An entry is one fix of the playbook. Of its remedies, each that applies to an
// incident becomes a Fix, in their order.
type entry struct {
	number   int
	slug     string
	remedies []remedy
}

// A remedy is one way to do a fix. It gives false when it does not apply, or
// when the incident's numbers do not carry it.
type remedy func(*patient) (oomdoc.Fix, bool)

// entries is the playbook, in the order in which its fixes are proposed.
func entries() []entry {
	return []entry{
		{numberReclaim, slugReclaim, []remedy{freeShared, freeHugepages}},
		{numberHost, slugHost, []remedy{
			giveWSLMore, capHostCache, raiseLimit, findLimit, allowNodes, giveGuestMore, shrinkCMA, leave32Bit, defaultReserve, joinPieces, shrinkKernel,
			capTasks, addSwap, capShared, capLargest, evenScore, runLess,
		}},
	}
}

// Attach sets the fixes of an incident. report is the kernel's report that the
// incident was made from, and may be nil. Fixes stay empty (never nil) when
// nothing that the user could change would have helped, or when the evidence
// does not tell what would; a self-test has none.
func Attach(inc *oomdoc.Incident, report *oomdoc.KernelReport, facts oomdoc.Facts) {
	inc.Fixes = []oomdoc.Fix{}
	if inc.Selftest {
		return
	}
	p := newPatient(inc, report, facts)
	for _, e := range entries() {
		for _, try := range e.remedies {
			if fix, applies := try(p); applies {
				fix.Number, fix.Slug = e.number, e.slug
				inc.Fixes = append(inc.Fixes, fix)
			}
		}
	}
	inc.Fixes = append(inc.Fixes, programFixes(p)...)
}
