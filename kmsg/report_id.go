package kmsg

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/oomdoc/oomdoc"
)

// idLength is how many characters of 5 bits an event id has: at 50 bits, a
// thousand different kills share one by chance once in two thousand million.
const idLength = 10

// idAlphabet is Crockford's base 32, in lower case.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// An identity is the content that tells one event from all others, and nothing
// else: no time, no boot, no sequence, so that every reading of the same event
// has the same id. What is absent is marked, so that it differs from zero.
type identity struct {
	content []byte
}

func newIdentity(kind string) *identity {
	const room = 256 // a kill's fits
	i := &identity{content: make([]byte, 0, room)}
	i.text([]byte(kind))
	return i
}

func (i *identity) number(n int64) {
	i.content = binary.BigEndian.AppendUint64(append(i.content, 'n'), uint64(n))
}

func (i *identity) absent() { i.content = append(i.content, '-') }

func (i *identity) text(text []byte) {
	i.number(int64(len(text)))
	i.content = append(i.content, text...)
}

func (i *identity) optional(n *int64) {
	if n == nil {
		i.absent()
		return
	}
	i.number(*n)
}

// id writes the first bits of the content's SHA-256 in base 32, five a character.
func (i *identity) id() string {
	sum := sha256.Sum256(i.content)
	bits := binary.BigEndian.Uint64(sum[:])
	var id [idLength]byte
	for at := range id {
		id[at] = idAlphabet[bits>>59]
		bits <<= 5
	}
	return string(id[:])
}

func widen(n *int) *int64 {
	if n == nil {
		return nil
	}
	return new(int64(*n))
}

// killID is the id of a kill by its first "Killed process" line. A text form
// may have escaped bytes of the name, so they are undone.
func killID(k *killLine) string {
	i := newIdentity("kill")
	i.number(int64(k.kill.PID))
	i.text(unescape([]byte(k.kill.Comm)))
	i.optional(widen(k.kill.UID))
	for _, size := range []*int64{k.kill.TotalVM, k.kill.AnonRSS, k.kill.FileRSS, k.kill.ShmemRSS, k.pageTables} {
		i.optional(size)
	}
	i.optional(widen(k.kill.OOMScoreAdj))
	return i.id()
}

// reportID is the id of a report without a kill line: by its summary, else by
// its header and the counters that no two reports share.
func reportID(r *report) string {
	k := r.kernel
	if s := k.Summary; s != nil && s.HasTask {
		i := newIdentity("summary")
		i.text(unescape([]byte(s.Task)))
		i.number(int64(s.PID))
		i.number(int64(s.UID))
		i.text([]byte(s.OOMMemcg))
		i.text([]byte(s.TaskMemcg))
		return i.id()
	}
	i := newIdentity(string(r.kind()))
	addRequest(i, k)
	addCounters(i, k)
	return i.id()
}

func addRequest(i *identity, k *oomdoc.KernelReport) {
	if t := k.Trigger; t != nil {
		i.text(unescape([]byte(t.Comm)))
		i.number(int64(t.TID))
		i.number(int64(t.GFPMask))
		i.number(int64(t.Order))
		i.number(int64(t.OOMScoreAdj))
	}
	if f := k.AllocFailure; f != nil {
		i.text([]byte(f.Kind))
		i.text(unescape([]byte(f.Comm)))
		i.number(int64(f.GFPMask))
		i.number(int64(f.Order))
		i.optional(f.Bytes)
	}
	i.text([]byte(k.Panic))
}

func addCounters(i *identity, k *oomdoc.KernelReport) {
	if m := k.Memory; m != nil {
		addSorted(i, m.Counters)
	}
	if m := k.Memcg; m != nil {
		i.text([]byte(m.StatsOf))
		i.optional(m.Usage)
		i.optional(m.Limit)
		i.optional(m.Failcnt)
		addSorted(i, m.Stats)
	}
}

func addSorted(i *identity, counters map[string]int64) {
	names := make([]string, 0, len(counters))
	for name := range counters {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		i.text([]byte(name))
		i.number(counters[name])
	}
}
