package proc

import (
	"cmp"
	"slices"
)

// A seat is a process that a round saw.
type seat struct {
	pid   int
	pages int64 // resident
	size  int64 // pages, with what it is growing by
}

// seats keep the largest of many: a heap with the smallest at the root.
type seats struct {
	taken []seat
	limit int
}

func (s *seats) reset(limit int) {
	s.limit = max(1, limit)
	s.taken = s.taken[:0]
}

// offer takes a seat in if it is among the largest so far.
func (s *seats) offer(new seat) {
	if len(s.taken) < s.limit {
		s.taken = append(s.taken, new)
		s.up(len(s.taken) - 1)
		return
	}
	if new.size > s.taken[0].size {
		s.taken[0] = new
		s.down(0)
	}
}

// sort puts the largest first. Nothing can be offered until the next reset.
func (s *seats) sort() {
	slices.SortFunc(s.taken, func(a, b seat) int { return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.pid, b.pid)) })
}

func (s *seats) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if s.taken[parent].size <= s.taken[i].size {
			return
		}
		s.taken[parent], s.taken[i] = s.taken[i], s.taken[parent]
		i = parent
	}
}

func (s *seats) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s.taken); child++ {
			if s.taken[child].size < s.taken[least].size {
				least = child
			}
		}
		if least == i {
			return
		}
		s.taken[least], s.taken[i] = s.taken[i], s.taken[least]
		i = least
	}
}

// growthSlots is how many processes growth remembers: a fixed 64 KiB, whatever
// the machine runs.
const growthSlots = 4096

// growthRounds is how many rounds ahead a growing process is reckoned at the
// size that it would then have.
const growthRounds = 4

// growth knows how large processes were a round ago. Two pids that share a slot
// hide each other's growth, which costs them nothing but that.
type growth struct {
	slots []pidPages
}

type pidPages struct {
	pid   int32
	pages int64
}

// size gives the size that a process is reckoned at, and remembers its present
// one. A process that was not seen before is not reckoned to have grown.
func (g *growth) size(pid int, pages int64) int64 {
	if g.slots == nil {
		g.slots = make([]pidPages, growthSlots)
	}
	slot := &g.slots[pid%growthSlots]
	size := pages
	if slot.pid == int32(pid) && pages > slot.pages {
		size += growthRounds * (pages - slot.pages)
	}
	*slot = pidPages{int32(pid), pages}
	return size
}
