package kmsg_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

func TestRecordsArriveWithTheirPlaceAndTime(t *testing.T) {
	ring, clock := newFakeRing(100), newFakeClock(100*time.Second)
	ring.say(2_500_000, "there before")
	f := followRing(t, ring, kmsg.Options{Now: clock.now})

	want := oomdoc.Record{
		Source: oomdoc.SourceKmsg, BootID: testBoot, Seq: 0, HasSeq: true, Usec: 2_500_000,
		Time: epoch.Add(2500 * time.Millisecond), Read: epoch.Add(100 * time.Second), Replayed: true,
		Priority: 6, Facility: 0,
		Text: []byte("there before"), Raw: []byte("6,0,2500000,-;there before"),
	}
	check := func(want oomdoc.Record) {
		t.Helper()
		if diff := cmp.Diff(want, emptyAsNil(next(t, f))); diff != "" {
			t.Error("record differs (-want +got):\n" + diff)
		}
	}
	check(want)

	ring.drained(t)
	clock.advance(20 * time.Second)
	ring.sayAs(11, 119_999_000, `new a\x0ab`)
	want.Seq, want.Usec, want.Replayed = 1, 119_999_000, false
	want.Time, want.Read = epoch.Add(120*time.Second), epoch.Add(120*time.Second)
	want.Priority, want.Facility = 3, 1
	want.Text, want.Raw = []byte("new a\nb"), []byte(`11,1,119999000,-;new a\x0ab`)
	check(want)
}

func emptyAsNil(rec oomdoc.Record) oomdoc.Record {
	for _, b := range []*[]byte{&rec.Text, &rec.Raw, &rec.Dict, &rec.Writer} {
		if len(*b) == 0 {
			*b = nil
		}
	}
	return rec
}

func TestHistoryIsWhatWasThereAtOpening(t *testing.T) {
	ring, clock := newFakeRing(100), newFakeClock(100*time.Second)
	for i := range 3 {
		ring.say(int64(i)*1e6, "old")
	}
	f := followRing(t, ring, kmsg.Options{Now: clock.now})
	if f.Stats().BacklogDone {
		t.Error("backlog is done before anything was delivered")
	}
	for i := range 5 {
		if i == 3 {
			ring.drained(t)
			if !f.Stats().BacklogDone {
				t.Error("backlog is not done after all of it was delivered")
			}
			clock.advance(time.Second)
			ring.say(101e6, "new")
			ring.say(101e6, "new")
		}
		rec := next(t, f)
		if got, want := rec.Replayed, i < 3; got != want {
			t.Errorf("record %d: replayed %v, want %v", i, got, want)
		}
	}
}

func TestAnEmptyLogHasNoBacklog(t *testing.T) {
	f := followRing(t, newFakeRing(10), kmsg.Options{})
	if !f.Stats().BacklogDone {
		t.Error("backlog is not done although there was none")
	}
}

func TestResumeGoesOnBehindThePosition(t *testing.T) {
	tests := []struct {
		name      string
		resume    *kmsg.Position
		firstSeq  uint64
		firstLost uint64
	}{
		{"no position: from the oldest", nil, 5, 0},
		{"within the ring", &kmsg.Position{BootID: testBoot, Seq: 7}, 8, 0},
		{"right before the oldest", &kmsg.Position{BootID: testBoot, Seq: 4}, 5, 0},
		{"overwritten meanwhile", &kmsg.Position{BootID: testBoot, Seq: 1}, 5, 3},
		{"another boot: from the oldest", &kmsg.Position{BootID: "another", Seq: 7}, 5, 0},
		{"beyond the end: not of this log", &kmsg.Position{BootID: testBoot, Seq: 400}, 5, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ring := newFakeRing(10) // 15 records were printed: 0 to 4 are gone
			for i := range 15 {
				ring.say(int64(i), fmt.Sprint("line ", i))
			}
			f := followRing(t, ring, kmsg.Options{Resume: tt.resume})
			rec := next(t, f)
			if rec.Seq != tt.firstSeq || rec.Lost != tt.firstLost {
				t.Errorf("first record %d with %d lost, want %d with %d", rec.Seq, rec.Lost, tt.firstSeq, tt.firstLost)
			}
			if got := f.Stats().LostRing; got != tt.firstLost {
				t.Errorf("lost in the ring %d, want %d", got, tt.firstLost)
			}
			for seq := tt.firstSeq + 1; seq < 15; seq++ {
				if rec := next(t, f); rec.Seq != seq || rec.Lost != 0 {
					t.Fatalf("got record %d with %d lost, want %d with none", rec.Seq, rec.Lost, seq)
				}
			}
			ring.drained(t)
			nothingComes(t, f)
		})
	}
}

func TestNothingIsLeftBehindThePositionOfTheLastRecord(t *testing.T) {
	ring := newFakeRing(10)
	ring.say(1, "seen")
	f := followRing(t, ring, kmsg.Options{Resume: &kmsg.Position{BootID: testBoot, Seq: 0}})
	ring.drained(t)
	nothingComes(t, f)
	if !f.Stats().BacklogDone {
		t.Error("backlog is not done although all of it was seen before")
	}
	ring.say(2, "new")
	if rec := next(t, f); rec.Seq != 1 || rec.Lost != 0 {
		t.Errorf("got record %d with %d lost, want 1 with none", rec.Seq, rec.Lost)
	}
}

// A step is one error of a read, and what the next record and the counters say
// of it.
func TestReadErrorsDoNotEndTheFollowing(t *testing.T) {
	tests := []struct {
		name string
		errs []error
		seq  uint64 // of the next record
		lost uint64
		want kmsg.Stats
	}{
		{"interrupted", []error{syscall.EINTR}, 1, 0, kmsg.Stats{}},
		{"nothing there after all", []error{syscall.EAGAIN}, 1, 0, kmsg.Stats{}},
		{"overwritten", []error{syscall.EPIPE}, 1, 0, kmsg.Stats{}},
		{"too long for the buffer", []error{syscall.EINVAL}, 2, 1, kmsg.Stats{Malformed: 1}},
		{"two too long", []error{syscall.EINVAL, syscall.EINVAL}, 3, 2, kmsg.Stats{Malformed: 2}},
		{"failed", []error{syscall.EIO}, 1, 0, kmsg.Stats{Restarts: 1}},
		{"end of file", []error{nil}, 1, 0, kmsg.Stats{Restarts: 1}},
		{"failed twice", []error{syscall.EIO, syscall.ENODEV}, 1, 0, kmsg.Stats{Restarts: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ring := newFakeRing(100)
			ring.say(1, "first")
			f := followRing(t, ring, kmsg.Options{})
			next(t, f)
			ring.drained(t)

			ring.failReads(tt.errs...)
			ring.drained(t)
			for range tt.seq {
				ring.say(2, "after")
			}
			rec := next(t, f)
			if rec.Seq != tt.seq || rec.Lost != tt.lost {
				t.Errorf("next record %d with %d lost, want %d with %d", rec.Seq, rec.Lost, tt.seq, tt.lost)
			}
			got := f.Stats()
			got = kmsg.Stats{Malformed: got.Malformed, Restarts: got.Restarts, LostRing: got.LostRing, LostQueue: got.LostQueue}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error("stats differ (-want +got):\n" + diff)
			}
		})
	}
}

func TestAnOverrunIsCountedExactly(t *testing.T) {
	ring := newFakeRing(10)
	ring.say(1, "first")
	stalled := newGate()
	f := followRing(t, ring, kmsg.Options{Now: stalled.clock(newFakeClock(time.Second))})
	next(t, f)
	ring.drained(t)

	stalled.shut()
	ring.say(2, "read, then stalled")
	eventually(t, "the reader stalls", stalled.isStalling)
	for range 37 { // 2 to 38, of which 29 to 38 stay
		ring.say(2, "flood")
	}
	stalled.open()
	var lost []uint64
	for seq := uint64(0); seq != 38; {
		rec := next(t, f)
		if rec.Lost > 0 {
			lost = append(lost, rec.Lost)
		}
		if rec.Seq != seq+rec.Lost+1 {
			t.Fatalf("record %d follows %d with %d lost", rec.Seq, seq, rec.Lost)
		}
		seq = rec.Seq
	}
	if diff := cmp.Diff([]uint64{27}, lost); diff != "" {
		t.Error("gaps differ (-want +got):\n" + diff)
	}
	if got := f.Stats(); got.LostRing != 27 || got.LostQueue != 0 || got.Restarts != 0 {
		t.Errorf("lost %d in the ring, %d in the queue, %d restarts; want 27, 0, 0", got.LostRing, got.LostQueue, got.Restarts)
	}
}

func TestAReopenedLogDeliversNothingTwice(t *testing.T) {
	ring := newFakeRing(4)
	for range 3 {
		ring.say(1, "old")
	}
	f := followRing(t, ring, kmsg.Options{})
	for range 3 {
		next(t, f)
	}
	ring.drained(t)
	ring.failOpens(syscall.EMFILE, syscall.EACCES)
	ring.failReads(syscall.EIO)
	for range 5 { // 3 to 7; 0 to 3 are overwritten
		ring.say(2, "meanwhile")
	}
	for seq := uint64(3); seq < 8; {
		rec := next(t, f)
		if rec.Seq != seq+rec.Lost {
			t.Fatalf("got record %d with %d lost, want %d and the difference", rec.Seq, rec.Lost, seq)
		}
		if rec.Replayed {
			t.Errorf("record %d counts as history, but was printed after the opening", rec.Seq)
		}
		seq = rec.Seq + 1
	}
	if got := f.Stats().Restarts; got != 1 {
		t.Errorf("restarts %d, want 1", got)
	}
}

func TestWhatIsNoRecordIsCountedAndPassedOver(t *testing.T) {
	heads := map[string]string{
		"empty head":          ";text\n",
		"no head":             "text\n",
		"no sequence":         "6,x,1,-;text\n",
		"huge sequence":       "6,99999999999999999999999,1,-;text\n",
		"cut head":            "6,1",
		"head without a flag": "6,1,5;text\n",
		"bytes":               "\x00\xff\xfe\n",
	}
	for name, line := range heads {
		t.Run(name, func(t *testing.T) {
			ring := newFakeRing(10)
			ring.say(1, "first")
			f := followRing(t, ring, kmsg.Options{})
			next(t, f)
			ring.add(func(uint64) string { return line })
			ring.say(2, "after")
			if rec := next(t, f); rec.Seq != 2 || rec.Lost != 1 {
				t.Errorf("got record %d with %d lost, want 2 with 1", rec.Seq, rec.Lost)
			}
			if got := f.Stats(); got.Malformed != 1 || got.LostRing != 0 {
				t.Errorf("malformed %d, lost in the ring %d; want 1, 0", got.Malformed, got.LostRing)
			}
		})
	}
}

func TestReadingNeverWaitsForWhoTakes(t *testing.T) {
	const records = 50_000
	ring := newFakeRing(records + 1)
	line := strings.Repeat("x", 80)
	ring.say(0, "first")
	f := followRing(t, ring, kmsg.Options{QueueBytes: 64 << 10})
	for i := range records {
		if i%100 == 50 {
			ring.sayAs(3, 1, "Out of memory: Killed process 1 (a)")
		} else {
			ring.say(1, line)
		}
	}
	ring.drained(t) // nothing has been taken, all has been read

	var lost, kills uint64
	held := records + 1 - f.Stats().LostQueue
	for delivered := range held {
		rec := next(t, f)
		lost += rec.Lost
		if rec.Seq != delivered+lost {
			t.Fatalf("record %d after %d delivered and %d lost", rec.Seq, delivered, lost)
		}
		if strings.Contains(string(rec.Text), "Killed process") {
			kills++
		}
	}
	ring.say(2, "last")
	lost += next(t, f).Lost // what was lost behind the last that fitted
	if got, want := lost, records+1-held; got != want {
		t.Errorf("the records tell of %d lost, want %d", got, want)
	}
	if got := f.Stats(); got.LostQueue != lost || got.LostRing != 0 {
		t.Errorf("lost %d in the queue and %d in the ring, want %d and 0", got.LostQueue, got.LostRing, lost)
	}
	// Each of a kill's records takes less than 128 bytes of the last 16 KiB.
	if kills < 128 {
		t.Errorf("%d kills came through, the reserve holds more", kills)
	}
}

func TestAClosedFollowerEnds(t *testing.T) {
	ring := newFakeRing(10)
	f := followRing(t, ring, kmsg.Options{})
	ring.drained(t)
	ended := make(chan error)
	go func() {
		var rec oomdoc.Record
		ended <- f.Next(t.Context(), &rec)
	}()
	closeFollower(t, f)
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("a waiting Next gave %v, want io.EOF", err)
	}
	var rec oomdoc.Record
	if err := f.Next(t.Context(), &rec); !errors.Is(err, io.EOF) {
		t.Errorf("Next after Close gave %v, want io.EOF", err)
	}
	closeFollower(t, f)
	if ring.open != 0 {
		t.Errorf("%d devices are still open", ring.open)
	}
}

func TestAnIdleReaderDoesNothing(t *testing.T) {
	ring := newFakeRing(10)
	ring.say(1, "first")
	f := followRing(t, ring, kmsg.Options{})
	next(t, f)
	ring.drained(t)
	before := ring.countReads()
	time.Sleep(50 * time.Millisecond)
	if got := ring.countReads(); got != before {
		t.Errorf("%d reads while nothing happened", got-before)
	}
}

func (r *fakeRing) countReads() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reads
}
