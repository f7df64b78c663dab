package kmsg_test

import (
	"sync"

	"github.com/oomdoc/oomdoc/kmsg"
)

// A gate stalls whoever reads the clock: the reader does so after each read.
type gate struct {
	mu      sync.Mutex
	waiting sync.Cond
	closed  bool
	stalled int
}

func newGate() *gate {
	g := &gate{}
	g.waiting.L = &g.mu
	return g
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = false
	g.waiting.Broadcast()
}

func (g *gate) pass() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.closed {
		g.stalled++
		g.waiting.Wait()
		g.stalled--
	}
}

func (g *gate) clock(c *fakeClock) func() kmsg.Moment { return g.through(c.now) }

func (g *gate) through(now func() kmsg.Moment) func() kmsg.Moment {
	return func() kmsg.Moment {
		g.pass()
		return now()
	}
}

// isStalling tells whether somebody waits at the gate.
func (g *gate) isStalling() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stalled > 0
}
