package proc

import (
	"time"

	"github.com/oomdoc/oomdoc"
)

// trendPoints is how many points of a process's past are kept. The newest are as
// close as they were taken, the older ones stand the wider apart the longer ago
// they are, so that they reach over any time.
const trendPoints = 36

// A trend is what a process held over time.
type trend struct {
	points []trendPoint
}

type trendPoint struct {
	at    int64 // milliseconds since 1970
	pages int64
}

// add takes a new point. Of a stretch in which nothing changes the ends are kept.
func (t *trend) add(now time.Time, pages int64) {
	point := trendPoint{now.UnixMilli(), pages}
	n := len(t.points)
	switch {
	case n > 0 && point.at < t.points[n-1].at:
		t.points = t.points[:0] // the clock was set back: what was is of another time
	case n > 1 && t.points[n-1].pages == pages && t.points[n-2].pages == pages:
		t.points[n-1] = point
		return
	}
	if t.points == nil {
		t.points = make([]trendPoint, 0, trendPoints)
	}
	if len(t.points) == trendPoints {
		t.thin(point.at)
	}
	t.points = append(t.points, point)
}

// thin takes out the point that is missed least: the gap that it leaves is the
// smallest, measured by how long ago it is. The first stays.
func (t *trend) thin(now int64) {
	least, at := 0.0, 1
	for i := 1; i < len(t.points)-1; i++ {
		gap := float64(t.points[i+1].at-t.points[i-1].at+1) / float64(now-t.points[i].at+1)
		if i == 1 || gap < least {
			least, at = gap, i
		}
	}
	t.points = append(t.points[:at], t.points[at+1:]...)
}

// told is the trend as facts.
func (t *trend) told(pageSize int64) []oomdoc.MemoryPoint {
	if len(t.points) == 0 {
		return nil
	}
	told := make([]oomdoc.MemoryPoint, len(t.points))
	for i, p := range t.points {
		told[i] = oomdoc.MemoryPoint{Time: time.UnixMilli(p.at), RSSBytes: p.pages * pageSize}
	}
	return told
}
