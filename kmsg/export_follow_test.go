package kmsg

import (
	"context"
	"time"

	"github.com/euank/go-kmsg-parser/kmsgparser"
)

// A TestDevice stands for /dev/kmsg: one record per Read.
type TestDevice interface {
	Read(buf []byte, wait bool) (int, error)
	Close() error
}

type testDevice struct{ TestDevice }

func (d testDevice) read(buf []byte, wait bool) (int, bool, error) {
	n, err := d.Read(buf, wait)
	_, unstamped := d.TestDevice.(interface{ Unstamped() })
	return n, !unstamped, err
}

// FollowDevice is Follow on something else than /dev/kmsg.
func FollowDevice(ctx context.Context, o Options, open func() (TestDevice, error)) (*Follower, error) {
	opener := func() (device, error) {
		d, err := open()
		if err != nil {
			return nil, err
		}
		return testDevice{d}, nil
	}
	return follow(ctx, o, opener, opener)
}

// OpenKmsg opens the real device.
func OpenKmsg(path string) (TestDevice, error) {
	d, err := openKmsg(path)
	if err != nil {
		return nil, err
	}
	return openedKmsg{d}, nil
}

type openedKmsg struct{ *kmsgDevice }

func (d openedKmsg) Read(buf []byte, wait bool) (int, error) {
	n, _, err := d.read(buf, wait)
	return n, err
}

// OpenLibrary is the library's reader on a parser of the test's; own opens the
// log for the anchor.
func OpenLibrary(parser kmsgparser.Parser, own TestDevice) LibraryDevice {
	return LibraryDevice{newLibraryDevice(parser, testDevice{own})}
}

type LibraryDevice struct{ d *libraryDevice }

// Read gives the record, and whether its microseconds are the kernel's.
func (l LibraryDevice) Read(buf []byte) (raw string, stamped bool, err error) {
	n, stamped, err := l.d.read(buf, true)
	return string(buf[:n]), stamped, err
}

func (l LibraryDevice) Close() error { return l.d.Close() }

// A Queue is the queue alone.
type Queue struct{ q *rawQueue }

func NewQueue(limit int) Queue { return Queue{newRawQueue(limit)} }

func (q Queue) Put(raw []byte) bool { return q.q.put(raw, Moment{Wall: time.Unix(0, 0)}, true) }

func (q Queue) Take(ctx context.Context) (string, error) {
	var r rawRecord
	err := q.q.take(ctx, &r)
	return string(r.raw), err
}

func (q Queue) Close() { q.q.close() }

// Memory is how many bytes the queue has allocated for records.
func (q Queue) Memory() int {
	total := cap(q.q.spare)
	for _, chunk := range q.q.chunks {
		total += cap(chunk)
	}
	return total
}

// The timeline, for tables of moments.
type (
	Timeline struct{ t *timeline }
	Nap      struct{ From, To time.Duration }
)

// NewTimeline opens a log in which the lines tell of naps.
func NewTimeline(opened Moment, whole bool, naps ...Nap) Timeline {
	log := sleepLog{whole: whole}
	for _, n := range naps {
		if n.From >= 0 {
			log.pair(sleepEntry, n.From)
		}
		log.pair(sleepExit, n.To)
	}
	return Timeline{newTimeline(opened, log)}
}

// Place is timeline.place of a record with this stamp and text.
func (t Timeline) Place(usec int64, arrival Moment, replayed bool, text string) (time.Time, bool) {
	return t.t.place(stamp{usec, arrival, replayed, markOf([]byte(text))})
}

// SystemClock is the machine's clocks.
func SystemClock() (func() Moment, error) {
	c, err := newSystemClock()
	if err != nil {
		return nil, err
	}
	return c.now, nil
}
