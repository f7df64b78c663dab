package store

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// An incident's id is made from the kill line alone, so that every reading of
// it agrees. Two kills can have the same line all the same (a service that
// dies at the same size after each boot, with the same pid). Whether an
// incident is one that is stored already is therefore decided by id and place.
//
// Two tellings with one id are the same kill when, in this order:
//  1. the boots, if both are known, are the same;
//  2. the sequence numbers, if both are known, are the same;
//  3. the kernel's stamps, if both are known, are within usecSlack;
//  4. boot and one of the two were known on both sides: then that is enough;
//     else the times decide: unknown ones always fit, exact ones within
//     exactSlack, approximate ones within approximateSlack, or at any distance
//     when the stamps agree (dmesg -T is wrong by the time spent in suspend,
//     which has no bound).
const (
	usecSlack        = 1000 // microseconds; a stamp printed to the millisecond still fits
	exactSlack       = 2 * time.Minute
	approximateSlack = 24 * time.Hour
)

// A place is where and when a kill happened, as far as a reading tells.
type place struct {
	boot        string // normal form (bootKey), "" unknown
	seq         uint64
	hasSeq      bool
	usec        int64 // microseconds since boot, 0 or less is unknown: no kill is that early
	time        time.Time
	approximate bool
}

func placeOf(inc *oomdoc.Incident) place {
	return place{
		boot: bootKey(inc.BootID), seq: inc.Seq, hasSeq: inc.HasSeq, usec: inc.Usec,
		time: inc.Time, approximate: inc.TimeApproximate,
	}
}

// bootKey is the normal form of a boot id: /proc/sys/kernel/random/boot_id has
// dashes, the journal's _BOOT_ID has none.
func bootKey(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }

// A likeness says how well two places agree, not at all or by what.
type likeness int

const (
	different likeness = iota
	sameTime           // nothing better to compare; the times do not contradict
	sameUsec
	sameSeq
)

// compare decides whether two readings with one id are of the same kill.
func (p place) compare(q place) likeness {
	bothBoots := p.boot != "" && q.boot != ""
	if bothBoots && p.boot != q.boot {
		return different
	}
	bothSeqs := p.hasSeq && q.hasSeq
	if bothSeqs && p.seq != q.seq {
		return different
	}
	bothUsecs := p.usec > 0 && q.usec > 0
	if bothUsecs && max(p.usec, q.usec)-min(p.usec, q.usec) > usecSlack {
		return different
	}
	switch {
	case bothBoots && bothSeqs:
		return sameSeq
	case bothBoots && bothUsecs:
		return sameUsec
	case p.timesFit(q, bothUsecs):
		return sameTime
	}
	return different
}

func (p place) timesFit(q place, stampsAgree bool) bool {
	switch {
	case p.time.IsZero() || q.time.IsZero():
		return true
	case p.approximate || q.approximate:
		return stampsAgree || p.distance(q) <= approximateSlack
	}
	return p.distance(q) <= exactSlack
}

// distance is the time between two places, none when a time is unknown.
func (p place) distance(q place) time.Duration {
	if p.time.IsZero() || q.time.IsZero() {
		return 0
	}
	return p.time.Sub(q.time).Abs()
}

// A known incident has the id that is looked for; key and id are its row's.
type known struct {
	key int64
	id  string
	place
}

// best finds the stored incident that the place is of: the one that agrees
// best, of equals the nearest in time, of equals the first stored. Nil when
// there is none.
func best(candidates []known, p place) *known {
	var found *known
	var foundLike likeness
	for i := range candidates {
		c := &candidates[i]
		like := c.compare(p)
		if like == different {
			continue
		}
		if found == nil || like > foundLike || like == foundLike && c.distance(p) < found.distance(p) {
			found, foundLike = c, like
		}
	}
	return found
}

// crockford is the alphabet of ids, Crockford's base 32 in lower case.
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// idLength is the number of characters of an id, five bits each.
const idLength = 10

// derivedID is the id of a kill whose own id is taken by another: made from
// that id and the place, so that it is the same whenever it is derived.
// attempt is above 0 only where the derived id is taken as well.
func derivedID(id string, p place, attempt int) string {
	where := fmt.Sprintf("%s\n%s\n", id, p.boot)
	switch {
	case p.hasSeq:
		where += fmt.Sprintf("seq %d", p.seq)
	case p.usec > 0:
		where += fmt.Sprintf("usec %d", p.usec)
	default:
		where += fmt.Sprintf("time %d", nanos(p.time))
	}
	if attempt > 0 {
		where += fmt.Sprintf("\n%d", attempt)
	}
	sum := sha256.Sum256([]byte(where))
	return base32.NewEncoding(crockford).EncodeToString(sum[:])[:idLength]
}

// typedID undoes what people do to an id when they type it: capitals, and the
// letters that Crockford's alphabet leaves out because they look like digits.
func typedID(text string) string {
	return strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(strings.TrimSpace(text)))
}
