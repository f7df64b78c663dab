package applog

// Anchors are the texts of which one stands in every line that a Recognizer
// begins with, so that a log can be searched for them before it is read. Case
// counts. What stands around such a line is worth reading too, but not alone.
func (r *Recognizer) Anchors() []string {
	anchors := make([]string, len(r.entries))
	for i := range r.entries {
		anchors[i] = r.entries[i].literal
	}
	return anchors
}
