package kmsg

import (
	"bytes"
	"time"
)

// A nap is one stay of the machine in suspend or hibernation, in the time of
// the kernel's stamps: it began after from and was over by to.
type nap struct {
	from, to time.Duration
	length   time.Duration // 0: not known by itself
}

const (
	// shortestNap is the least growth of Moment.Slept that is one.
	shortestNap = 100 * time.Millisecond
	// napsKept bounds what is remembered of a laptop's life.
	napsKept = 64
)

// sleepLines are what the kernel prints right before it freezes and right
// after it thaws user space (pm_suspend, kernel/power/suspend.c; hibernate,
// kernel/power/hibernate.c, which says "PM: hibernation" only once before 5.6).
var sleepLines = [...]struct {
	text []byte
	exit bool
}{
	{[]byte("PM: suspend entry"), false},
	{[]byte("PM: suspend exit"), true},
	{[]byte("PM: hibernation: hibernation entry"), false},
	{[]byte("PM: hibernation: hibernation exit"), true},
	{[]byte("PM: hibernation entry"), false},
	{[]byte("PM: hibernation exit"), true},
}

type sleepMark uint8

const (
	sleepNone sleepMark = iota
	sleepEntry
	sleepExit
)

// markOf tells whether a text is one of sleepLines.
func markOf(text []byte) sleepMark {
	if !bytes.HasPrefix(text, []byte("PM: ")) {
		return sleepNone
	}
	for _, line := range sleepLines {
		if bytes.HasPrefix(text, line.text) {
			if line.exit {
				return sleepExit
			}
			return sleepEntry
		}
	}
	return sleepNone
}

// A sleepLog is what is known of the naps of this boot, oldest first. It grows
// in two ways: pair takes naps from the lines of the ring, whose length is not
// known; watch sees one happen, and knows its length.
type sleepLog struct {
	naps []nap
	// whole: no nap before the log was opened is missing from it.
	whole bool
	// unknown is the length of all naps from before the log was opened: only
	// their sum is known.
	unknown time.Duration
	// entry is the last entry line without its exit.
	entry    time.Duration
	hasEntry bool
}

// pair takes one line of the ring, in order.
func (s *sleepLog) pair(mark sleepMark, usec time.Duration) {
	switch mark {
	case sleepEntry:
		s.entry, s.hasEntry = usec, true
	case sleepExit:
		from := time.Duration(-1 << 63) // its entry line is gone
		if s.hasEntry {
			from = s.entry
		}
		s.hasEntry = false
		s.add(nap{from: from, to: usec})
	}
}

// watch compares two moments; a nap lies between them if Slept grew.
func (s *sleepLog) watch(before, after Moment) {
	length := after.Slept - before.Slept
	if length < shortestNap {
		return
	}
	n := nap{from: before.Monotonic, to: after.Monotonic, length: length}
	if s.hasEntry && s.entry > n.from && s.entry < n.to {
		n.from = s.entry
	}
	s.hasEntry = false
	s.add(n)
}

// narrow takes a live line: what comes after an exit line was printed after the
// nap, what came before an entry line before it.
func (s *sleepLog) narrow(mark sleepMark, usec time.Duration) {
	switch mark {
	case sleepEntry:
		s.entry, s.hasEntry = usec, true
		if last := s.last(); last != nil && usec > last.from && usec < last.to {
			last.from = usec
		}
	case sleepExit:
		if last := s.last(); last != nil && usec > last.from && usec < last.to {
			last.to = usec
		}
	}
}

func (s *sleepLog) last() *nap {
	if len(s.naps) == 0 {
		return nil
	}
	return &s.naps[len(s.naps)-1]
}

// add forgets the oldest nap when there are too many. Its length, if known,
// joins the unknown ones.
func (s *sleepLog) add(n nap) {
	if len(s.naps) == napsKept {
		s.unknown += s.naps[0].length
		s.naps = append(s.naps[:0], s.naps[1:]...)
		s.whole = false
	}
	s.naps = append(s.naps, n)
}

// since is how long the machine slept after a record was stamped. replayed: it
// is from before the log was opened. sure is false when the length cannot be
// known; it is then the part that can.
func (s *sleepLog) since(usec time.Duration, replayed bool) (slept time.Duration, sure bool) {
	var unmeasured, after int
	sure = true
	for _, n := range s.naps {
		measured := n.length != 0
		if !measured {
			if s.unknown < shortestNap {
				continue // an attempt to sleep prints the lines too
			}
			unmeasured++
		}
		switch {
		case usec > n.from && usec < n.to:
			sure = false // printed while it fell asleep or woke
		case usec <= n.from && measured:
			slept += n.length
		case usec <= n.from:
			after++
		}
	}
	if replayed && s.unknown >= shortestNap {
		switch {
		case unmeasured > 0 && after == 0: // stamped after the last of them
		case unmeasured > 0 && after == unmeasured && s.whole: // before the first
			slept += s.unknown
		default:
			sure = false
		}
	}
	return slept, sure
}
