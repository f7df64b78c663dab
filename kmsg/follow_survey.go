package kmsg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// A survey is what one look through the ring tells before the following
// starts: which records are history, and when the machine slept.
type survey struct {
	found  bool
	newest uint64 // sequence of the last record that was there
	sleep  sleepLog
}

// surveyMargin is by how much a stamp must be later than a moment to be surely
// so, beside the drift of the clocks: local_clock and CLOCK_MONOTONIC do not
// start at the same instant.
const surveyMargin = time.Second

// surveyRing reads what the ring holds, to the end. In a flood that has none it
// stops at the first record that must be newer than opened.
func surveyRing(ctx context.Context, d device, opened Moment) (survey, error) {
	var s survey
	latest := opened.Monotonic + surveyMargin + opened.Monotonic/1e6*skewDrift
	buf := make([]byte, readBuffer)
	for ctx.Err() == nil {
		n, _, err := d.read(buf, false)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return s, nil
		case err == nil && n == 0:
			return s, fmt.Errorf("survey kernel log: %w", io.ErrUnexpectedEOF)
		case err == nil:
			if !s.take(buf[:n], latest) {
				return s, nil
			}
		case !passes(err):
			return s, fmt.Errorf("survey kernel log: %w", err)
		}
	}
	return s, ctx.Err()
}

// take notes one record; false when it was stamped after latest.
func (s *survey) take(raw []byte, latest time.Duration) bool {
	head, ok := parseHead(raw)
	if !ok {
		return true // the reader will count it
	}
	usec := time.Duration(head.usec) * time.Microsecond
	believed := head.usec <= latestUsec
	if believed && usec > latest {
		return false
	}
	if !s.found {
		s.sleep.whole = head.seq == 0
	}
	s.found, s.newest = true, head.seq
	if believed && head.facility() == 0 {
		s.sleep.pair(markOf(rawText(raw)), usec)
	}
	return true
}

// passes tells the errors of a read after which the next read goes on by
// itself: the record was overwritten (EPIPE; the sequence tells how many), it
// is longer than the buffer (EINVAL), or nothing happened at all.
func passes(err error) bool {
	return errors.Is(err, unix.EPIPE) || errors.Is(err, unix.EINVAL) ||
		errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN)
}
