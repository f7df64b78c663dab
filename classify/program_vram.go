package classify

import "github.com/oomdoc/oomdoc"

// A vram is the arithmetic of a refused allocation on a GPU (knowledge gpu-oom.md
// section 4). Sizes are bytes; known tells which could be worked out.
type vram struct {
	request int64 // R
	free    int64 // F', what was free for this process: less than the card's under a cap
	total   int64 // T
	pieces  int64 // U, reserved by the allocator and not in use
	pool    int64 // A + U, all that the allocator reserved
	own     int64 // S, this process with all its libraries
	others  int64 // O, everybody else

	knownRequest, knownFree, knownTotal, knownPieces, knownOwn, knownOthers bool
	capped                                                                  bool // a cap on the process is known
	guessedOwn                                                              bool // own is the allocator's plus the usual context
}

// The thresholds of the rule and what they keep out: gpu-oom.md section 4 point 3
// and 5.
const (
	minPieces      = 256 << 20 // a small process on a card that others fill is not in pieces
	minPiecesShare = 50        // of the card: one in 50, 2 %
	piecesShare    = 10        // percent of the pool
	piecesShareBig = 5         // percent of the pool, where the pieces hold half the request
	othersShare    = 10        // of the card: one in 10
	usualContext   = 512 << 20 // what a CUDA context takes beside the allocator's pool
	maxContext     = 2 << 30
)

func measure(e *oomdoc.ProgramError) vram {
	var m vram
	set := func(to *int64, from *int64) bool {
		if from == nil {
			return false
		}
		*to = *from
		return true
	}
	m.knownRequest = set(&m.request, e.Requested)
	m.knownFree = set(&m.free, e.Free)
	m.knownTotal = set(&m.total, e.Total)
	m.knownPieces = set(&m.pieces, e.Unallocated)
	if e.Allocated != nil {
		m.pool = *e.Allocated + m.pieces
	}
	if e.Allowed != nil {
		m.capped = true
		if left := *e.Allowed - m.pool; !m.knownFree || left < m.free {
			m.free, m.knownFree = max(left, 0), true
		}
	}
	m.findOwn(e)
	if m.knownTotal && e.Free != nil && m.knownOwn {
		m.others = m.total - *e.Free - m.own
		m.knownOthers = m.others >= 0
	}
	return m
}

// findOwn finds how much the process itself holds: as it says, else the only
// listed process when it fits, else the allocator's pool and the usual context.
func (m *vram) findOwn(e *oomdoc.ProgramError) {
	if e.Own != nil {
		m.own, m.knownOwn = *e.Own, true
		return
	}
	if e.Allocated == nil {
		return
	}
	if len(e.Holders) == 1 {
		if beside := e.Holders[0].Bytes - m.pool; beside >= -(64<<20) && beside <= maxContext {
			m.own, m.knownOwn = e.Holders[0].Bytes, true
			return
		}
	}
	m.own, m.knownOwn, m.guessedOwn = m.pool+usualContext, true, true
}

// largestCard is more than any GPU of 2026 has: a request beyond it is too big
// where the card's size is not known either.
const largestCard = 1 << 40

// tooBig tells a request that no card of this size could fill.
func (m *vram) tooBig() bool {
	return m.knownRequest && (m.knownTotal && m.request > m.total || m.request > largestCard)
}

// inPieces tells memory that was there and unusable because it lay in pieces.
func (m *vram) inPieces() bool {
	if !m.knownRequest || !m.knownFree || !m.knownPieces || m.free+m.pieces < m.request {
		return false
	}
	if m.free > 2*m.request { // it was not for want of one piece: that is a contradiction
		return false
	}
	if m.pieces < minPieces || m.knownTotal && m.pieces < m.total/minPiecesShare {
		return false
	}
	share := percent(m.pieces, m.pool)
	return share >= piecesShare || share >= piecesShareBig && m.pieces >= m.request/2
}

// capRefused tells a request that the card had room for and the cap did not.
func (m *vram) capRefused(e *oomdoc.ProgramError) bool {
	return m.capped && m.knownRequest && e.Free != nil && *e.Free >= m.request && m.free < m.request
}

// held tells a card that others hold: without them the request had fitted, and
// they are no small part of it. Where far more than the request was free, it was
// not they who kept it from fitting.
func (m *vram) held(e *oomdoc.ProgramError) bool {
	return m.knownRequest && m.knownTotal && m.knownOthers && e.Free != nil &&
		*e.Free <= 2*m.request &&
		m.others >= m.total/othersShare && *e.Free+m.others >= m.request && m.others >= m.own/2
}

// unreachable tells a card that was free for a small request of a program that
// held nothing yet: the program lost access to it (a container's device nodes
// after a reload of systemd), and nothing was short.
func (m *vram) unreachable(e *oomdoc.ProgramError) bool {
	return m.knownRequest && m.knownTotal && !m.capped && e.Allocated != nil && e.Free != nil &&
		*e.Allocated == 0 && m.request <= m.total/100 && *e.Free >= m.total/10*9
}

// contradicts tells figures by which the request should have fitted.
func (m *vram) contradicts(grain int64) bool {
	return m.knownRequest && m.knownFree && m.free-m.request > grain
}

// borderline tells figures within 5 % of the other reading.
func (m *vram) borderline() bool {
	if !m.knownRequest || !m.knownFree || !m.knownPieces || m.pieces < minPieces {
		return false
	}
	distance := m.free + m.pieces - m.request
	return max(distance, -distance) <= m.request/20
}
