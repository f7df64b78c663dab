package kmsg

import "github.com/oomdoc/oomdoc"

// The kernel prints at most this many reports in this time, and beyond it only
// the kill lines (mm/oom_kill.c, oom_kill_process: DEFAULT_RATELIMIT_BURST and
// DEFAULT_RATELIMIT_INTERVAL).
const (
	rateBurst        = 10
	rateIntervalUsec = 5_000_000
)

// A reportRate remembers when the last reports began, to tell a kill line that
// stands alone because of the rate limit from one whose report was lost or
// filtered out.
type reportRate struct {
	usec [rateBurst]int64
	n    int
}

func (t *reportRate) count(rec *oomdoc.Record) {
	t.usec[t.n%rateBurst] = stampOf(rec)
	t.n++
}

// exceeded tells whether a report that began now would be swallowed.
func (t *reportRate) exceeded(rec *oomdoc.Record) bool {
	if t.n < rateBurst {
		return false
	}
	first, now := t.usec[t.n%rateBurst], stampOf(rec)
	return now >= first && now-first <= rateIntervalUsec
}

// stampOf is the record's time in microseconds on whichever clock it has.
func stampOf(rec *oomdoc.Record) int64 {
	if rec.Usec >= 0 || rec.Time.IsZero() {
		return rec.Usec
	}
	return rec.Time.UnixMicro()
}
