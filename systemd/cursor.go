package systemd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// askWithin bounds a question to the journal that reads one entry.
const askWithin = 30 * time.Second

// tailCursor is the cursor of the newest entry, "" of an empty journal.
func (j JournalSource) tailCursor(ctx context.Context) (string, error) {
	return j.cursorOf(ctx, "--lines=1")
}

// nearest is the cursor of the entry at a cursor, or where that is gone of the
// next one that is left, "" when there is none.
func (j JournalSource) nearest(ctx context.Context, cursor string) (string, error) {
	return j.cursorOf(ctx, "--cursor="+cursor, "--lines=1")
}

func (j JournalSource) cursorOf(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	r, err := j.read(ctx, false, args...)
	if err != nil {
		return "", err
	}
	var rec oomdoc.Record
	err = r.next(&rec)
	cursor := ""
	if err == nil {
		cursor = string(rec.Journal.Cursor)
	}
	if endErr := unlessQuiet(r.end()); err != nil && endErr != nil {
		return "", endErr
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read journal: %w", err)
	}
	return cursor, nil
}

// A cursorParts is what a cursor tells of its entry (sd_journal_get_cursor(3):
// opaque by contract, stable in fact since 2012; what cannot be read is unknown).
type cursorParts struct {
	source string    // s=, of the sequence
	seq    uint64    // i=
	time   time.Time // t=
}

func partsOf(cursor string) (p cursorParts) {
	for part := range strings.SplitSeq(cursor, ";") {
		name, value, _ := strings.Cut(part, "=")
		n, err := strconv.ParseUint(value, 16, 63)
		switch {
		case name == "s":
			p.source = value
		case err != nil:
		case name == "i":
			p.seq = n
		case name == "t":
			p.time = time.UnixMicro(int64(n))
		}
	}
	return p
}

// CursorTime is when the entry of a cursor was written, zero when it does not tell.
func CursorTime(cursor string) time.Time { return partsOf(cursor).time }

// A JournalGap is entries that are missing.
type JournalGap struct {
	From, To uint64 // sequence numbers, 0 is unknown
	Lost     uint64 // how many, 0 is unknown
	Exact    bool
	Reason   string
}

// gapBetween is what was removed between the entry at which reading stopped and
// the first that is left.
func gapBetween(cursor, left string) JournalGap {
	gap := JournalGap{Reason: "journal vacuumed"}
	before, after := partsOf(cursor), partsOf(left)
	if before.source == after.source && before.source != "" && after.seq > before.seq {
		gap.From, gap.To, gap.Lost, gap.Exact = before.seq+1, after.seq-1, after.seq-before.seq-1, true
	}
	return gap
}
