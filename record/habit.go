package record

// A habit is something that all records of a stream do or none does, where one
// line alone cannot tell it from a text that imitates it: a process can give
// itself the name "[1.000000] x" or "a kernel: b". It counts.
type habit struct{ yes, no int }

// fresh says that nothing was seen yet.
func (h *habit) fresh() bool { return h.yes+h.no == 0 }

// has counts a line and says whether to believe what it shows.
func (h *habit) has(shows bool) bool {
	if !shows {
		h.no++
		return false
	}
	h.yes++
	return h.yes >= h.no
}

// holds says whether lines that show nothing either way are to be read by the
// habit.
func (h *habit) holds() bool { return h.yes > 0 && h.yes >= h.no }

// settledNo says that the stream has shown for long that it has not the habit.
func (h *habit) settledNo() bool { return h.no > h.yes+64 }
