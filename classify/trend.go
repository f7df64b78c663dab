package classify

import (
	"time"

	"github.com/oomdoc/oomdoc"
)

// A trend is how the memory of a process went before it was refused.
type trend string

const (
	trendUnknown trend = ""
	trendFlat    trend = "flat"
	trendJumped  trend = "jumped"  // it asked for most of it at once, at the end
	trendClimbed trend = "climbed" // step by step, without a plateau
	trendGrew    trend = "grew"    // neither
)

// The bounds of a trend (knowledge gpu-oom.md section 4: the first minute is
// loading; a staircase of over ten minutes without a plateau is a leak).
const (
	loadingOnGPU = time.Minute
	climbAtLeast = 10 * time.Minute
	climbParts   = 5
	flatShare    = 20 // a change of less than one in so many is none
	jumpWithin   = 10 * time.Second
)

// A course is a trend with its figures.
type course struct {
	trend trend
	over  time.Duration
	grew  int64 // bytes, over that time
}

// courseOf reads the sizes of a process, oldest first, up to the moment at which
// it failed.
func courseOf(samples []oomdoc.GPUSample, end time.Time) course {
	for len(samples) > 0 && samples[len(samples)-1].Time.After(end) {
		samples = samples[:len(samples)-1]
	}
	if len(samples) == 0 {
		return course{}
	}
	first, last := samples[0], samples[len(samples)-1]
	c := course{over: end.Sub(first.Time), grew: last.UsedBytes - first.UsedBytes}
	if climb, is := climbed(samples, end); is {
		return climb
	}
	switch before := sizeAt(samples, end.Add(-jumpWithin)); {
	case c.over < jumpWithin:
		c.trend = trendUnknown
	case last.UsedBytes-before > last.UsedBytes/flatShare && last.UsedBytes-before >= c.grew/2:
		c.trend, c.grew, c.over = trendJumped, last.UsedBytes-before, jumpWithin
	case c.grew <= last.UsedBytes/flatShare:
		c.trend = trendFlat
	default:
		c.trend = trendGrew
	}
	return c
}

// climbed tells a staircase: after the first minute and over at least ten more,
// each fifth of the time ends higher than the one before, and none of them holds
// most of the growth.
func climbed(samples []oomdoc.GPUSample, end time.Time) (course, bool) {
	from := samples[0].Time.Add(loadingOnGPU)
	over := end.Sub(from)
	if over < climbAtLeast {
		return course{}, false
	}
	start, last := sizeAt(samples, from), samples[len(samples)-1].UsedBytes
	grew := last - start
	if grew <= last/flatShare {
		return course{}, false
	}
	before := start
	for part := range climbParts {
		now := sizeAt(samples, from.Add(over*time.Duration(part+1)/climbParts))
		if step := now - before; step < grew/(4*climbParts) || step > grew/2 {
			return course{}, false
		}
		before = now
	}
	return course{trendClimbed, over, grew}, true
}

// sizeAt is what was held at a moment: a size stands until the next one.
func sizeAt(samples []oomdoc.GPUSample, at time.Time) int64 {
	size := samples[0].UsedBytes
	for _, s := range samples {
		if s.Time.After(at) {
			break
		}
		size = s.UsedBytes
	}
	return size
}
