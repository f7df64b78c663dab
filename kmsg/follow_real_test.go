package kmsg_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// These tests follow the kernel log of the machine that they run on.

var bothReaders = []kmsg.ReaderKind{kmsg.ReaderOwn, kmsg.ReaderLibrary}

// printk writes lines into the kernel log. The kernel allows 10 in 5 seconds to
// one opening (devkmsg_write, kernel/printk/printk.c), so each has its own. A
// line without its newline would be shown only once the next one comes: it
// might be continued.
func printk(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		f, err := os.OpenFile(kmsg.DefaultPath, os.O_WRONLY, 0)
		if err != nil {
			t.Fatalf("this test writes to the machine's own kernel log and must run as root: %v", err)
		}
		_, err = f.WriteString(line + "\n")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// ownLog keeps tests of other packages, which fill the ring too, out until the
// test ends. They take the same lock.
func ownLog(t *testing.T) {
	t.Helper()
	f, err := os.Open(kmsg.DefaultPath)
	if err != nil {
		t.Fatalf("this test reads the machine's own kernel log and must run as root: %v", err)
	}
	t.Cleanup(func() { _ = f.Close() }) // unlocks
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatalf("lock the kernel log: %v", err)
	}
}

func followReal(t *testing.T, o kmsg.Options) *kmsg.Follower {
	t.Helper()
	f, err := kmsg.Follow(t.Context(), o)
	if err != nil {
		t.Fatalf("this test follows the machine's own kernel log and must run as root: %v", err)
	}
	t.Cleanup(func() { closeFollower(t, f) })
	return f
}

// marker is a text that stands nowhere else in the log.
func marker(t *testing.T) string {
	return fmt.Sprintf("oomdoc test %s %d", t.Name(), time.Now().UnixNano())
}

// until reads up to the record with this text and gives all of them.
func until(t *testing.T, f *kmsg.Follower, text string) []oomdoc.Record {
	t.Helper()
	var records []oomdoc.Record
	for {
		rec := next(t, f)
		records = append(records, rec)
		if string(rec.Text) == text {
			return records
		}
	}
}

func TestALineThatUserSpaceWritesIsNotTheKernels(t *testing.T) {
	ownLog(t)
	for _, reader := range bothReaders {
		t.Run(string(reader), func(t *testing.T) {
			f := followReal(t, kmsg.Options{Reader: reader})
			mark := marker(t)
			printk(t, "<3>"+mark+" Out of memory: Killed process 1 (init)", "<30>"+mark)
			records := until(t, f, mark)
			forged, last := records[len(records)-2], records[len(records)-1]
			if forged.Facility != 1 || forged.Priority != 3 || forged.Trust() != oomdoc.TrustUser {
				t.Errorf("a line written with <3>: facility %d, priority %d, trust %d; want 1, 3, user",
					forged.Facility, forged.Priority, forged.Trust())
			}
			if last.Facility != 3 || last.Priority != 6 {
				t.Errorf("a line written with <30>: facility %d, priority %d; want 3, 6", last.Facility, last.Priority)
			}
			if last.Replayed || last.TimeApproximate || last.Usec <= 0 {
				t.Errorf("a new line: replayed %v, approximate %v, stamp %d; want false, false, one",
					last.Replayed, last.TimeApproximate, last.Usec)
			}
			if now := time.Now(); last.Time.After(now) || last.Time.Before(now.Add(-time.Minute)) {
				t.Errorf("a new line is dated %v, want about now (%v)", last.Time, now)
			}
		})
	}
}

// Both readers deliver the whole ring alike, but for what the library drops.
func TestBothReadersDeliverTheSame(t *testing.T) {
	ownLog(t)
	mark := marker(t)
	printk(t, "bytes \x01\x02\t\\x41 \xd0\xbf\xff ; a;b", "<12>", mark+" two\nlines", mark)
	var rings [2][]oomdoc.Record
	for i, reader := range bothReaders {
		rings[i] = until(t, followReal(t, kmsg.Options{Reader: reader}), mark)
	}
	first := max(rings[0][0].Seq, rings[1][0].Seq) // lines may have gone in between
	var kept [2][]oomdoc.Record
	for i, ring := range rings {
		for _, rec := range ring {
			if rec.Seq < first {
				continue
			}
			rec.Read, rec.Time, rec.Raw = time.Time{}, time.Time{}, nil // of this reading
			rec.Caller, rec.Fragment = oomdoc.Caller{}, false           // dropped by the library
			kept[i] = append(kept[i], emptyAsNil(rec))
		}
	}
	if len(kept[0]) < 100 {
		t.Errorf("only %d records were compared, the ring is nearly empty", len(kept[0]))
	}
	if len(kept[0]) != len(kept[1]) {
		t.Fatalf("one reader delivers %d records, the library %d", len(kept[0]), len(kept[1]))
	}
	for i := range kept[0] {
		if diff := cmp.Diff(kept[0][i], kept[1][i]); diff != "" {
			t.Fatalf("the readers differ in record %d (-own +library):\n%s", kept[0][i].Seq, diff)
		}
	}
}

func TestAnOverrunOfTheRealRingIsCountedExactly(t *testing.T) {
	ownLog(t)
	for _, reader := range bothReaders {
		t.Run(string(reader), func(t *testing.T) {
			now, err := kmsg.SystemClock()
			if err != nil {
				t.Fatal(err)
			}
			stalled := newGate()
			witness := followReal(t, kmsg.Options{QueueBytes: 64 << 20})
			f := followReal(t, kmsg.Options{Reader: reader, Now: stalled.through(now), QueueBytes: 64 << 20})
			mark := marker(t)
			printk(t, mark+" begin")
			until(t, witness, mark+" begin")
			until(t, f, mark+" begin")

			stalled.shut()
			var all []oomdoc.Record
			overrunRing(t, mark, func(last string) { all = append(all, until(t, witness, last)...) })
			eventually(t, "the reader stalls", stalled.isStalling)
			stalled.open()
			printk(t, mark+" end")

			all = append(all, until(t, witness, mark+" end")...)
			if got := witness.Stats(); got.LostRing+got.LostQueue != 0 {
				t.Fatalf("the reader that was not stalled lost %d records too", got.LostRing+got.LostQueue)
			}
			got := until(t, f, mark+" end")
			var lost uint64
			for i, rec := range got {
				lost += rec.Lost
				if i > 0 && rec.Seq != got[i-1].Seq+1+rec.Lost {
					t.Fatalf("record %d follows %d with %d lost", rec.Seq, got[i-1].Seq, rec.Lost)
				}
			}
			if missing := uint64(len(all) - len(got)); lost != missing || missing == 0 {
				t.Errorf("%d records were lost, want the %d that are missing", lost, missing)
			}
			stats := f.Stats()
			if stats.LostRing != lost || stats.LostQueue != 0 || stats.Malformed != 0 {
				t.Errorf("stats: lost %d in the ring, %d in the queue, %d malformed; want %d, 0, 0",
					stats.LostRing, stats.LostQueue, stats.Malformed, lost)
			}
			if died := reader == kmsg.ReaderLibrary; (stats.Restarts > 0) != died {
				t.Errorf("restarts %d, want some: %v", stats.Restarts, died)
			}
		})
	}
}

// overrunRing writes more than the ring holds. Now and then it stops until the
// line that it wrote last has been seen.
func overrunRing(t *testing.T, mark string, seen func(last string)) {
	t.Helper()
	size, err := syscall.Klogctl(10, nil) // SYSLOG_ACTION_SIZE_BUFFER
	if err != nil {
		t.Fatalf("size of the ring: %v", err)
	}
	flood := strings.Repeat(" flood", 20)
	for i, written := 0, 0; written < 2*size; i++ {
		line := fmt.Sprint(mark, flood, i)
		printk(t, line)
		written += len(line)
		if i%100 == 99 {
			seen(line)
		}
	}
}

func TestAFollowerGoesOnWhereTheOneBeforeStopped(t *testing.T) {
	ownLog(t)
	for _, reader := range bothReaders {
		t.Run(string(reader), func(t *testing.T) {
			mark := marker(t)
			before := followReal(t, kmsg.Options{Reader: reader})
			printk(t, mark+" seen")
			records := until(t, before, mark+" seen")
			last := records[len(records)-1]
			closeFollower(t, before)
			printk(t, mark+" meanwhile", mark+" end")

			f := followReal(t, kmsg.Options{Reader: reader, Resume: &kmsg.Position{BootID: last.BootID, Seq: last.Seq}})
			seq := last.Seq
			for _, rec := range until(t, f, mark+" end") {
				if rec.Seq != seq+1 || rec.Lost != 0 || !rec.Replayed {
					t.Errorf("record %d, %d lost, replayed %v; want %d, none, true", rec.Seq, rec.Lost, rec.Replayed, seq+1)
				}
				seq = rec.Seq
			}
			if !f.Stats().BacklogDone {
				t.Error("backlog is not done after its last record")
			}
		})
	}
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	follow := func(reader kmsg.ReaderKind) {
		f := followReal(t, kmsg.Options{Reader: reader})
		next(t, f) // the rest is never taken
		closeFollower(t, f)
	}
	for _, reader := range bothReaders {
		follow(reader) // what Go's runtime opens once
	}
	for _, reader := range bothReaders {
		t.Run(string(reader), func(t *testing.T) {
			goroutines, files := runtime.NumGoroutine(), openFiles(t)
			for range 5 {
				follow(reader)
			}
			eventually(t, "no more goroutines than before", func() bool { return runtime.NumGoroutine() <= goroutines })
			if got := openFiles(t); got > files {
				t.Errorf("%d files are open, %d were before", got, files)
			}
		})
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// What follow_device.go says of a record that does not fit.
func TestTheKernelPassesOverARecordThatDoesNotFit(t *testing.T) {
	ownLog(t)
	mark := marker(t)
	printk(t, mark, mark, mark)
	d, err := kmsg.OpenKmsg(kmsg.DefaultPath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() }) // only read
	buf := make([]byte, 8192)
	read := func() (seq uint64, text string) {
		t.Helper()
		n, err := d.Read(buf, false)
		if err != nil {
			t.Fatal(err)
		}
		head, text, _ := strings.Cut(string(buf[:n]), ";")
		if seq, err = strconv.ParseUint(strings.Split(head, ",")[1], 10, 64); err != nil {
			t.Fatal(err)
		}
		return seq, text
	}
	before, text := read()
	for text != mark+"\n" {
		before, text = read()
	}
	if _, err := d.Read(buf[:16], false); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("a read with too little room gave %v, want EINVAL", err)
	}
	if after, _ := read(); after != before+2 {
		t.Errorf("the read after it gave record %d, want %d: the one that did not fit is passed over", after, before+2)
	}
}
