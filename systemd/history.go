package systemd

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A HistoryQuery says what of the journal is read.
type HistoryQuery struct {
	Since time.Time // zero: from its first entry
	// Anchors are the texts of which the entries of others than the kernel must
	// have one; none: the kernel's entries alone.
	Anchors []string
	// Gentle leaves the machine to everybody else.
	Gentle bool
}

// History reads the kernel's entries of all boots and what others have written,
// in the order of time. A record is valid until take returns.
func (j JournalSource) History(ctx context.Context, q HistoryQuery, take func(*oomdoc.Record)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var args []string
	if !q.Since.IsZero() {
		args = append(args, sinceArgument(q.Since))
	}
	streams := []*stream{{args: append(args, "_TRANSPORT=kernel")}}
	if len(q.Anchors) > 0 {
		streams = append(streams, &stream{args: append(args, "--case-sensitive=yes", "--grep="+Pattern(q.Anchors)), others: true})
	}
	var failed error
	for _, s := range streams {
		if s.reading, failed = j.read(ctx, q.Gentle, s.args...); failed != nil {
			break
		}
	}
	for failed == nil {
		var first *stream
		for _, s := range streams {
			if err := s.advance(); err != nil {
				failed = err
			}
			if s.ready && (first == nil || s.rec.Time.Before(first.rec.Time)) {
				first = s
			}
		}
		if first == nil || failed != nil {
			break
		}
		first.rec.Read, first.rec.Replayed = time.Now(), true
		take(&first.rec)
		first.ready = false
	}
	cancelled := ctx.Err()
	if failed != nil {
		cancel()
	}
	for _, s := range streams {
		if s.reading == nil {
			continue
		}
		if err := unlessQuiet(s.reading.end()); failed == nil && s.entries == 0 {
			failed = err // where it gave entries, what it complained of was in its way, no more
		}
	}
	return errors.Join(cancelled, failed)
}

// A stream is one of the children of which the entries are merged.
type stream struct {
	args    []string
	others  bool // not the kernel's
	reading *reading
	rec     oomdoc.Record
	ready   bool // rec is the next one
	ended   bool
	entries int
}

func (s *stream) advance() error {
	for !s.ready && !s.ended {
		err := s.reading.next(&s.rec)
		switch {
		case errors.Is(err, io.EOF):
			s.ended = true
		case err != nil:
			return err
		case s.others && (s.rec.Journal.Kernel || isOwn(&s.rec)):
		default:
			s.ready = true
			s.entries++
		}
	}
	return nil
}
