package record

import "fmt"

// A MalformedError says which part of a /dev/kmsg record could not be read.
type MalformedError struct {
	Part string // "priority", "sequence", "time", "flag" or "head"
	Head []byte // a copy of the beginning of the record, at most 64 bytes
}

// Error gives the part and the beginning of the record, quoted.
func (e *MalformedError) Error() string {
	return fmt.Sprintf("parse kmsg record: bad %s in %q", e.Part, e.Head)
}

const malformedHead = 64

func malformed(part string, raw []byte) error {
	return &MalformedError{Part: part, Head: append([]byte(nil), raw[:min(len(raw), malformedHead)]...)}
}
