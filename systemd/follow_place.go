package systemd

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// begin finds where to read on and gives journalctl's arguments for it.
func (f *JournalFollower) begin(ctx context.Context, turn int) ([]string, error) {
	f.mu.Lock()
	at := f.at
	f.mu.Unlock()
	switch {
	case at.cursor != "" && !at.inclusive:
		return f.resume(ctx, at.cursor, turn)
	case at.cursor != "":
		return []string{"--cursor=" + at.cursor}, nil
	case !at.since.IsZero():
		return []string{sinceArgument(at.since)}, nil
	}
	now := time.Now()
	tail, err := f.options.Source.tailCursor(ctx)
	if err != nil {
		return nil, err
	}
	if tail == "" {
		f.move(place{since: now}, turn)
		return []string{sinceArgument(now)}, nil
	}
	f.pass(tail, turn)
	return []string{"--after-cursor=" + tail}, nil
}

// resume reads on behind a cursor, or where its entry was removed (by rotation
// and vacuuming, or with the whole journal) at what is left after it.
func (f *JournalFollower) resume(ctx context.Context, cursor string, turn int) ([]string, error) {
	left, err := f.options.Source.nearest(ctx, cursor)
	if err == nil && left == cursor {
		return []string{"--after-cursor=" + cursor}, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		f.log.Warn("the stored place in the journal cannot be used", "error", err)
		left = ""
	}
	if gap := gapBetween(cursor, left); gap.Lost > 0 || !gap.Exact {
		f.calls.Lock()
		f.gap(gap)
		f.calls.Unlock()
	}
	if left != "" {
		f.move(place{cursor: left, inclusive: true}, turn)
		return []string{"--cursor=" + left}, nil
	}
	since := CursorTime(cursor)
	if since.IsZero() {
		since = f.started
	}
	f.move(place{since: since}, turn)
	return []string{sinceArgument(since)}, nil
}

func sinceArgument(t time.Time) string { return "--since=" + timeArgument(t) }

// timeArgument is a time as systemd reads it (systemd.time(7)).
func timeArgument(t time.Time) string {
	micros := t.UnixMicro()
	return fmt.Sprintf("@%d.%06d", micros/1e6, micros%1e6)
}

// pass notes that all up to a cursor was read.
func (f *JournalFollower) pass(cursor string, turn int) {
	f.calls.Lock()
	defer f.calls.Unlock()
	if f.move(place{cursor: cursor}, turn) {
		f.options.Passed(cursor)
	}
}

// mark notes from time to time how far a child has come that finds nothing.
func (f *JournalFollower) mark(ctx context.Context, r *reading, turn int) {
	for {
		sleep(ctx, f.options.MarkEvery)
		if ctx.Err() != nil {
			return
		}
		before := f.Stats().Cursor
		tail, err := f.options.Source.tailCursor(ctx)
		if err != nil || tail == "" || tail == before {
			continue
		}
		if !f.passed(ctx, r) {
			continue
		}
		f.calls.Lock()
		if f.Stats().Cursor == before && ctx.Err() == nil && f.move(place{cursor: tail}, turn) {
			f.options.Passed(tail)
		}
		f.calls.Unlock()
	}
}

// passed waits until the child surely has read what was the journal's end when
// it was called: journald tells of new entries within 250 ms
// (POST_CHANGE_TIMER_INTERVAL_USEC), and a child that sleeps with nothing left in
// its pipe waits to be told. A busy one is asked again and again for a while.
func (f *JournalFollower) passed(ctx context.Context, r *reading) bool {
	settle := min(30*time.Second, f.options.MarkEvery)
	sleep(ctx, settle)
	for deadline := time.Now().Add(settle); ctx.Err() == nil && time.Now().Before(deadline); sleep(ctx, settle/100) {
		if r.waits() {
			return true
		}
	}
	return false
}

// waits tells that the child sleeps and that all it has written was read.
func (r *reading) waits() bool {
	file, is := r.pipe.(*os.File)
	if !is {
		return false
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return false
	}
	queued, queuedErr := 0, error(nil)
	if err := raw.Control(func(fd uintptr) { queued, queuedErr = unix.IoctlGetInt(int(fd), unix.TIOCINQ) }); err != nil {
		return false
	}
	return queuedErr == nil && queued == 0 && processState(r.command.Process.Pid) == 'S'
}

// processState is the letter of proc_pid_stat(5), 0 when it cannot be read.
func processState(pid int) byte {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	at := strings.LastIndexByte(string(stat), ')')
	if at < 0 || at+2 >= len(stat) {
		return 0
	}
	return stat[at+2]
}
