package kmsg

import (
	"math"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A calm is a span of the records' own clock in which no open report can be
// over, so that a record within it need not be compared with each of them. It
// may be shorter than it could be, never longer: it is only narrowed as reports
// take lines, and found anew by a look at all of them.
type calm struct {
	known       bool
	bootID      string
	from, until int64 // microseconds since boot, both inclusive
}

// covers tells that no open report is over by the time of the record, and that
// the record counts no loss either.
func (c *calm) covers(rec *oomdoc.Record) bool {
	return c.known && rec.Lost == 0 && rec.Usec >= 0 &&
		rec.Usec >= c.from && rec.Usec <= c.until && rec.BootID == c.bootID
}

// renew finds the span of all open reports.
func (c *calm) renew(open []*report) {
	if len(open) == 0 {
		c.known = false
		return
	}
	*c = calm{known: true, bootID: open[0].first.bootID, from: math.MinInt64, until: math.MaxInt64}
	for _, r := range open {
		c.narrow(r)
	}
}

// narrow takes account of a report that has another last line or less patience
// than before. A stamp so large that its end overflows leaves an empty span.
func (c *calm) narrow(r *report) {
	if !c.known {
		return
	}
	if r.lastUsec < 0 || r.first.bootID != c.bootID {
		c.known = false // such reports go by other signs than this clock
		return
	}
	c.from = max(c.from, r.lastUsec-int64(backwards/time.Microsecond))
	c.until = min(c.until, r.lastUsec+int64(r.patience()/time.Microsecond))
}
