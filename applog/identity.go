package applog

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"

	"github.com/oomdoc/oomdoc"
)

// idLength and idAlphabet are those of all event ids (package kmsg): 50 bits in
// Crockford's base 32.
const (
	idLength   = 10
	idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"
)

// idOf makes the id of an event from the content that decided it, and nothing
// else: no time, no boot, no sequence. Each part stands with its length, so that
// no two lists of parts run into one.
func idOf(kind string, parts ...string) string {
	sum := sha256.New()
	for _, part := range append([]string{kind}, parts...) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		sum.Write(size[:]) // a hash never fails
		sum.Write([]byte(part))
	}
	return base32.NewEncoding(idAlphabet).EncodeToString(sum.Sum(nil))[:idLength]
}

// EventID is the id of an event that was seen otherwise than in lines.
func EventID(kind oomdoc.EventKind, parts ...string) string { return idOf(string(kind), parts...) }
