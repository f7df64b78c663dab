package systemd

// recentLength is how many ids are remembered: more than a storm counts, so
// that an incident that is told again in a storm is known.
const recentLength = 2 * maxCounted

// recent remembers the last ids that it was given, within a bound.
type recent struct {
	known map[string]struct{}
	ring  []string
	next  int // where the oldest stands once the ring is full
}

// add is false when the id is known.
func (r *recent) add(id string) bool {
	if _, known := r.known[id]; known {
		return false
	}
	if r.known == nil {
		r.known = make(map[string]struct{})
	}
	r.known[id] = struct{}{}
	if len(r.ring) < recentLength {
		r.ring = append(r.ring, id)
		return true
	}
	delete(r.known, r.ring[r.next])
	r.ring[r.next] = id
	r.next = (r.next + 1) % recentLength
	return true
}
