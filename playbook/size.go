package playbook

import (
	"math/bits"
	"strconv"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
	tib = 1 << 40
)

// share is so many percent of a size, without a product that could overflow.
func share(n, percent int64) int64 { return n/100*percent + n%100*percent/100 }

// roundUp gives a size that a person would type: at least n, with an eighth to
// a quarter of its leading power of two as the step (40, 48, 56, 64, 80 MiB).
// The smallest is 1 MiB.
func roundUp(n int64) int64 {
	step := roundStep(n)
	return (max(n, 1) + step - 1) / step * step
}

// roundDown gives such a size of at most n, at least one step.
func roundDown(n int64) int64 {
	step := roundStep(n)
	return max(n/step*step, step)
}

func roundStep(n int64) int64 {
	if n < mib {
		return mib
	}
	return max(mib, int64(1)<<(bits.Len64(uint64(n))-1-2))
}

// A unit is a suffix of sizes and what it stands for.
type unit struct {
	suffix string
	bytes  int64
}

// The suffixes that programs take for binary multiples.
func systemdUnits() []unit    { return []unit{{"T", tib}, {"G", gib}, {"M", mib}, {"K", kib}} }
func dockerUnits() []unit     { return []unit{{"g", gib}, {"m", mib}, {"k", kib}} }
func kubernetesUnits() []unit { return []unit{{"Ti", tib}, {"Gi", gib}, {"Mi", mib}, {"Ki", kib}} }

// inUnits writes a size in the largest unit that leaves no rest.
func inUnits(n int64, units []unit) string {
	for _, u := range units {
		if n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}
