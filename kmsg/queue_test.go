package kmsg_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc/kmsg"
)

func TestTheQueueGivesBackWhatWasPutInOrder(t *testing.T) {
	q := kmsg.NewQueue(1 << 20)
	const records = 3000 // over several chunks
	line := func(i int) string { return fmt.Sprintf("6,%d,1,-;%s\n", i, strings.Repeat("a", i%300)) }
	for i := range records {
		if !q.Put([]byte(line(i))) {
			t.Fatalf("record %d found no room", i)
		}
	}
	for i := range records {
		if got, err := q.Take(t.Context()); err != nil || got != line(i) {
			t.Fatalf("record %d: got %q (%v), want %q", i, got, err, line(i))
		}
	}
}

func TestTheReserveIsForTheKernelsKills(t *testing.T) {
	tests := []struct {
		line  string
		holds bool
	}{
		{"3,1,1,-;Out of memory: Killed process 1 (a) total-vm:1kB\n", true},
		{"3,1,1,-;Memory cgroup out of memory: Killed process 1 (a)\n", true},
		{"6,1,1,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)\n", true},
		{"4,1,1,c;python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0\n", true},
		{"4,1,1,-;oom_kill_process: 6 callbacks suppressed\n", true},
		{"6,1,1,-,caller=T1;Tasks in /a are going to be killed due to memory.oom.group set\n", true},
		{"0,1,1,-;Out of memory and no killable processes...\n", true},
		{"11,1,1,-;Out of memory: Killed process 1 (a)\n", false}, // user space wrote it
		{"30,1,1,-;oom-kill:constraint=CONSTRAINT_NONE\n", false},
		{"6,1,1,-;usb 1-1: new device\n", false},
		{"Killed process\n", false},
	}
	for _, tt := range tests {
		q := kmsg.NewQueue(4 << 10)
		for q.Put([]byte("6,1,1,-;flood\n")) {
		}
		if got := q.Put([]byte(tt.line)); got != tt.holds {
			t.Errorf("%q in the reserve: %v, want %v", tt.line, got, tt.holds)
		}
	}
}

func TestTheQueueIsBoundedAndGivesMemoryBack(t *testing.T) {
	const limit, chunk = 1 << 20, 64 << 10
	kill := []byte("3,1,1,-;Killed process " + strings.Repeat("x", 200))
	q := kmsg.NewQueue(limit)
	for round := range 3 {
		put := 0
		for q.Put(kill) {
			put += len(kill)
		}
		if put < limit/2 || put > limit {
			t.Fatalf("round %d: the queue held %d bytes, limit %d", round, put, limit)
		}
		if got := q.Memory(); got > limit+2*chunk {
			t.Errorf("round %d: %d bytes allocated, limit %d", round, got, limit)
		}
		for ; put > 0; put -= len(kill) {
			if _, err := q.Take(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := q.Memory(); got > chunk {
			t.Errorf("round %d: %d bytes kept by the empty queue, want at most a chunk (%d)", round, got, chunk)
		}
	}
}

func TestTakeWaitsForARecordItsContextOrTheEnd(t *testing.T) {
	q := kmsg.NewQueue(1 << 20)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := q.Take(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("take from an empty queue: %v, want a deadline", err)
	}
	q.Put([]byte("kept"))
	if _, err := q.Take(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("take with an ended context: %v, want its error", err)
	}
	if got, err := q.Take(t.Context()); err != nil || got != "kept" {
		t.Errorf("take: %q (%v), want the record that was put", got, err)
	}
	go q.Put([]byte("late"))
	if got, err := q.Take(t.Context()); err != nil || got != "late" {
		t.Errorf("take: %q (%v), want the record that came later", got, err)
	}
	q.Put([]byte("never"))
	q.Close()
	if _, err := q.Take(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("take from a closed queue: %v, want io.EOF", err)
	}
	if q.Put([]byte("after")) {
		t.Error("a closed queue took a record")
	}
}
