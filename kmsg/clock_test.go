package kmsg_test

import (
	"testing"
	"time"

	"github.com/oomdoc/oomdoc/kmsg"
)

// at is a moment of a machine that started at epoch: up is how long it has run
// without its sleep, slept how long it slept.
func at(up, slept time.Duration) kmsg.Moment {
	return kmsg.Moment{Wall: epoch.Add(up + slept), Monotonic: up, Slept: slept}
}

// stepped is m with a wall clock that somebody set.
func stepped(m kmsg.Moment, by time.Duration) kmsg.Moment {
	m.Wall = m.Wall.Add(by)
	return m
}

const (
	second = time.Second
	minute = time.Minute
	hour   = time.Hour
)

func usec(d time.Duration) int64 { return d.Microseconds() }

func TestHistoryIsDatedFromItsStamp(t *testing.T) {
	gone := -second // an entry line that the ring has lost
	tests := []struct {
		name   string
		opened kmsg.Moment
		whole  bool
		naps   []kmsg.Nap
		stamp  time.Duration
		want   time.Duration // after epoch
		approx bool
	}{
		{"never slept", at(hour, 0), true, nil, 5 * minute, 5 * minute, false},
		{"never slept, ring cut", at(hour, 0), false, nil, 5 * minute, 5 * minute, false},
		{"never slept, an attempt failed", at(hour, 0), true, []kmsg.Nap{{From: 9 * minute, To: 11 * minute}}, 10 * minute, 10 * minute, false},
		{"after the only sleep", at(hour, 8*hour), true, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}}, 12 * minute, 8*hour + 12*minute, false},
		{"before the only sleep", at(hour, 8*hour), true, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}}, 9 * minute, 9 * minute, false},
		{"its entry line", at(hour, 8*hour), true, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}}, 10 * minute, 10 * minute, false},
		{"its exit line", at(hour, 8*hour), true, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}}, 11 * minute, 8*hour + 11*minute, false},
		{"while it fell asleep", at(hour, 8*hour), true, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}}, 10*minute + second, 8*hour + 10*minute + second, true},
		{"before the only sleep in a cut ring", at(hour, 8*hour), false, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}}, 9 * minute, 8*hour + 9*minute, true},
		{"after the last of two", at(hour, 8*hour), false, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}, {From: 20 * minute, To: 21 * minute}}, 22 * minute, 8*hour + 22*minute, false},
		{"between two", at(hour, 8*hour), true, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}, {From: 20 * minute, To: 21 * minute}}, 15 * minute, 8*hour + 15*minute, true},
		{"before both of two", at(hour, 8*hour), true, []kmsg.Nap{{From: 10 * minute, To: 11 * minute}, {From: 20 * minute, To: 21 * minute}}, minute, minute, false},
		{"before an exit without its entry", at(hour, 8*hour), false, []kmsg.Nap{{From: gone, To: 11 * minute}}, minute, 8*hour + minute, true},
		{"after an exit without its entry", at(hour, 8*hour), false, []kmsg.Nap{{From: gone, To: 11 * minute}}, 12 * minute, 8*hour + 12*minute, false},
		{"slept, but no line tells when", at(hour, 8*hour), true, nil, 5 * minute, 8*hour + 5*minute, true},
		{"before more sleeps than are remembered", at(hour, 8*hour), true, manyNaps(100), 0, 8 * hour, true},
		{"after more sleeps than are remembered", at(hour, 8*hour), true, manyNaps(100), 30 * minute, 8*hour + 30*minute, false},
		{"a negative stamp printed as a huge one", at(hour, 0), true, nil, time.Duration(1 << 62), hour, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line := kmsg.NewTimeline(tt.opened, tt.whole, tt.naps...)
			us := usec(tt.stamp)
			if tt.stamp == 1<<62 {
				us = 18446743485728139 // seen after hibernation
			}
			got, approx := line.Place(us, tt.opened, true, "x")
			if want := epoch.Add(tt.want); !got.Equal(want) || approx != tt.approx {
				t.Errorf("got %v, approximate %v; want %v, %v", got, approx, want, tt.approx)
			}
		})
	}
}

// manyNaps are short sleeps, one every 10 seconds.
func manyNaps(n int) []kmsg.Nap {
	var naps []kmsg.Nap
	for i := range n {
		from := time.Duration(i+1) * 10 * second
		naps = append(naps, kmsg.Nap{From: from, To: from + second})
	}
	return naps
}

func TestLiveRecordsTakeTheirArrivalUnlessTheyWaited(t *testing.T) {
	tests := []struct {
		name  string
		stamp time.Duration
		came  kmsg.Moment
		want  time.Time
	}{
		{"read at once", hour + minute, at(hour+minute+2*time.Millisecond, 0), epoch.Add(hour + minute + 2*time.Millisecond)},
		{"stamp ahead of the clock", hour + minute + time.Second, at(hour+minute, 0), epoch.Add(hour + minute)},
		{"waited ten seconds", hour + minute, at(hour+minute+10*second, 0), epoch.Add(hour + minute)},
		{"waited, and the clock was set meanwhile", hour + minute, stepped(at(hour+minute+10*second, 0), 24*hour), epoch.Add(25*hour + minute)},
		{"read at once after the clock was set", hour + minute, stepped(at(hour+minute, 0), -3*hour), epoch.Add(minute - 2*hour)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line := kmsg.NewTimeline(at(hour, 0), true)
			line.Place(usec(hour+second), at(hour+second, 0), false, "sets the skew to nothing")
			got, approx := line.Place(usec(tt.stamp), tt.came, false, "x")
			// What the clocks may have drifted in a minute is not corrected.
			if diff := got.Sub(tt.want).Abs(); diff > 10*time.Millisecond || approx {
				t.Errorf("got %v, approximate %v; want %v, exact", got, approx, tt.want)
			}
		})
	}
}

// A day's records of a machine whose local_clock runs 30 ppm slow against
// CLOCK_MONOTONIC, and is minutes behind from the months before.
func TestTheSkewOfTheClocksIsLearnt(t *testing.T) {
	behind := func(up time.Duration) int64 { return usec(up - 4*minute - up/1e6*30) }
	up := 90 * 24 * hour
	line := kmsg.NewTimeline(at(up, 0), true)
	for range 24 {
		up += hour
		if got, approx := line.Place(behind(up), at(up, 0), false, "x"); !got.Equal(epoch.Add(up)) || approx {
			t.Fatalf("a record that did not wait: got %v, approximate %v; want its arrival %v", got, approx, epoch.Add(up))
		}
	}
	up += hour
	got, approx := line.Place(behind(up), at(up+30*second, 0), false, "waited")
	if diff := got.Sub(epoch.Add(up)).Abs(); diff > second || approx {
		t.Errorf("a record that waited 30 s: %v away from when it was printed, approximate %v; want at most 1s, exact", diff, approx)
	}
}

func TestASleepWhileFollowingIsAccountedFor(t *testing.T) {
	line := kmsg.NewTimeline(at(hour, 0), true)
	place := func(stamp time.Duration, came kmsg.Moment, text string, want time.Duration, wantApprox bool) {
		t.Helper()
		got, approx := line.Place(usec(stamp), came, false, text)
		// Within what the clocks may have drifted apart since the last record.
		if diff := got.Sub(epoch.Add(want)).Abs(); diff > time.Millisecond || approx != wantApprox {
			t.Errorf("%q: got %v, approximate %v; want %v, %v", text, got.Sub(epoch), approx, want, wantApprox)
		}
	}
	place(hour+second, at(hour+second, 0), "before", hour+second, false)
	// Printed, then the machine slept seven hours; all of it is read 2 s later.
	after := at(hour+4*second, 7*hour)
	place(hour+2*second, after, "PM: suspend entry (deep)", hour+2*second, false)
	place(hour+2500*time.Millisecond, after, "Freezing user space processes", 7*hour+hour+2500*time.Millisecond, true)
	place(hour+3*second, after, "PM: suspend exit", 7*hour+hour+3*second, false)
	place(hour+3500*time.Millisecond, after, "woken", 7*hour+hour+3500*time.Millisecond, false)
	place(hour+minute, at(hour+minute, 7*hour), "later", 8*hour+minute, false)
}

func TestTheClocksOfTheMachineAgree(t *testing.T) {
	now, err := kmsg.SystemClock()
	if err != nil {
		t.Fatal(err)
	}
	first := now()
	time.Sleep(5 * time.Millisecond)
	second := now()
	if second.Monotonic-first.Monotonic < 5*time.Millisecond {
		t.Errorf("the monotonic clock went from %v to %v over a sleep of 5ms", first.Monotonic, second.Monotonic)
	}
	if first.Wall != first.Wall.Round(0) {
		t.Error("the wall time carries a monotonic reading")
	}
	if second.Slept != first.Slept {
		t.Errorf("the machine slept between %v and %v", first.Slept, second.Slept)
	}
}
