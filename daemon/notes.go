package daemon

import (
	"sync"
	"time"
)

// maxNotes bounds what is remembered of alerts while the database refuses.
const maxNotes = 4096

// notes are what the database must learn of alerts that went out while it
// refused: without them a restart would send those again.
type notes struct {
	mu      sync.Mutex
	holding bool // the database refuses
	kept    []note
}

// A note says when and how incidents were alerted.
type note struct {
	ids []string
	at  time.Time
	how string
}

// hold begins to keep notes.
func (n *notes) hold() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.holding = true
}

// keep takes a note; false when the database can take it itself.
func (n *notes) keep(one note) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.holding && len(n.kept) < maxNotes {
		n.kept = append(n.kept, one)
	}
	return n.holding
}

// release ends the keeping and gives what was kept.
func (n *notes) release() []note {
	n.mu.Lock()
	defer n.mu.Unlock()
	kept := n.kept
	n.holding, n.kept = false, nil
	return kept
}
