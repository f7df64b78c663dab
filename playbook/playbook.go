package playbook

import "github.com/oomdoc/oomdoc"

// The number and slug of a fix (DESIGN, the contract).
const (
	numberReclaim = 0
	slugReclaim   = "reclaim"
	numberHost    = 8
	slugHost      = "host"
)

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
			raiseLimit, allowNodes, giveGuestMore, shrinkCMA, leave32Bit, defaultReserve, joinPieces, shrinkKernel,
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
}
