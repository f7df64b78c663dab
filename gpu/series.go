package gpu

// A series is a course of values, the newest whole and the older ones thinned out:
// what led to a failure is asked for at once, or within minutes.
type series[T interface{ when() int64 }] struct {
	fine   []T // every value of the last minute
	coarse []T // one in coarseEvery before that
}

// The bounds of a series, in milliseconds and values.
const (
	fineFor     = 60_000
	maxFine     = 640 // ten a second for a minute
	coarseEvery = 5_000
	maxCoarse   = 240 // twenty minutes
)

func (s *series[T]) len() int { return len(s.fine) + len(s.coarse) }

// add appends a value. What has got old moves over, one in five seconds of it.
func (s *series[T]) add(v T) {
	s.fine = append(s.fine, v)
	old := 0
	for old < len(s.fine)-1 && (v.when()-s.fine[old].when() > fineFor || len(s.fine)-old > maxFine) {
		s.age(s.fine[old])
		old++
	}
	if old > 0 {
		s.fine = append(s.fine[:0], s.fine[old:]...)
	}
}

func (s *series[T]) age(v T) {
	if n := len(s.coarse); n > 0 && v.when()-s.coarse[n-1].when() < coarseEvery {
		return
	}
	if len(s.coarse) == maxCoarse {
		copy(s.coarse, s.coarse[1:])
		s.coarse = s.coarse[:maxCoarse-1]
	}
	s.coarse = append(s.coarse, v)
}

// until gives the values up to a moment, oldest first.
func (s *series[T]) until(at int64) (values []T) {
	for _, part := range [][]T{s.coarse, s.fine} {
		for _, v := range part {
			if v.when() <= at {
				values = append(values, v)
			}
		}
	}
	return values
}
