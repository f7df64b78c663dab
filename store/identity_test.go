package store_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

func TestSameKillByPlace(t *testing.T) {
	const otherBoot = "ffffffff-0000-0000-0000-000000000002"
	change := func(change func(*oomdoc.Incident)) oomdoc.Incident {
		inc := kill(0)
		change(&inc)
		return inc
	}
	noSeq := func(i *oomdoc.Incident) { i.Seq, i.HasSeq = 0, false }
	noUsec := func(i *oomdoc.Incident) { i.Usec = oomdoc.NoUsec }
	later := func(i *oomdoc.Incident, d time.Duration) { i.Time = i.Time.Add(d) }

	for _, test := range []struct {
		name  string
		other oomdoc.Incident
		want  bool
	}{
		{"all the same", kill(0), true},
		{"boot id without dashes, as the journal writes it", change(func(i *oomdoc.Incident) { i.BootID = "0f7c2b7e94f44d6f9b532f7d3c5d1a01" }), true},
		{"another boot", change(func(i *oomdoc.Incident) { i.BootID = otherBoot }), false},
		{"another sequence number", change(func(i *oomdoc.Incident) { i.Seq++ }), false},
		{"same sequence number, clock was set between the readings", change(func(i *oomdoc.Incident) { later(i, 300*24*time.Hour) }), true},
		{"no sequence, stamp in milliseconds", change(func(i *oomdoc.Incident) { noSeq(i); i.Usec += 999 }), true},
		{"no sequence, another stamp", change(func(i *oomdoc.Incident) { noSeq(i); i.Usec += 1001 }), false},
		{"no boot, another stamp", change(func(i *oomdoc.Incident) { i.BootID = ""; noSeq(i); i.Usec += 1001 }), false},
		{"no boot, same stamp, times approximate and days apart (suspend)",
			change(func(i *oomdoc.Incident) {
				i.BootID = ""
				noSeq(i)
				i.TimeApproximate = true
				later(i, 72*time.Hour)
			}), true},
		{"no boot, same stamp, exact times a day apart", change(func(i *oomdoc.Incident) { i.BootID = ""; noSeq(i); later(i, 24*time.Hour) }), false},
		{"no place, times two minutes apart", change(func(i *oomdoc.Incident) { i.BootID = ""; noSeq(i); noUsec(i); later(i, 2*time.Minute) }), true},
		{"no place, times further apart", change(func(i *oomdoc.Incident) { i.BootID = ""; noSeq(i); noUsec(i); later(i, 2*time.Minute+1) }), false},
		{"no place, approximate times within a day",
			change(func(i *oomdoc.Incident) {
				i.BootID = ""
				noSeq(i)
				noUsec(i)
				i.TimeApproximate = true
				later(i, -24*time.Hour)
			}), true},
		{"no place, approximate times further apart",
			change(func(i *oomdoc.Incident) {
				i.BootID = ""
				noSeq(i)
				noUsec(i)
				i.TimeApproximate = true
				later(i, -25*time.Hour)
			}), false},
		{"nothing but the content", change(func(i *oomdoc.Incident) { i.BootID = ""; noSeq(i); noUsec(i); i.Time = time.Time{} }), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := store.SameKill(kill(0), test.other); got != test.want {
				t.Errorf("same kill = %v, want %v", got, test.want)
			}
			if got := store.SameKill(test.other, kill(0)); got != test.want {
				t.Errorf("the other way round: same kill = %v, want %v", got, test.want)
			}
		})
	}
}

// Where a reading fits two stored kills, the better reason decides, then the
// nearer time.
func TestTheBestOfTwoThatFitIsTaken(t *testing.T) {
	at := func(d time.Duration) oomdoc.Incident {
		inc := kill(0)
		inc.BootID, inc.Seq, inc.HasSeq, inc.Usec = "", 0, false, oomdoc.NoUsec
		inc.Time = start.Add(d)
		return inc
	}
	placed := kill(0)
	placed.Time = start.Add(3 * time.Minute)
	placedAgain := placed // the clock was set: by time it is nearer to the other
	placedAgain.Time = start.Add(time.Minute)
	for _, test := range []struct {
		name           string
		first, second  oomdoc.Incident
		telling        oomdoc.Incident
		wantIsOfSecond bool
	}{
		{"a place before a time", at(0), placed, placedAgain, true},
		{"the nearer of two times, the second", at(0), at(3 * time.Minute), at(110 * time.Second), true},
		{"the nearer of two times, the first", at(0), at(3 * time.Minute), at(70 * time.Second), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := openNew(t)
			stored := write(t, s, test.first, test.second)
			if !stored[0].New || !stored[1].New {
				t.Fatalf("written %+v, want two new ones", stored)
			}
			want := stored[0].ID
			if test.wantIsOfSecond {
				want = stored[1].ID
			}
			if got := write(t, s, test.telling)[0]; got.New || got.ID != want {
				t.Errorf("written %+v, want it known as %s", got, want)
			}
		})
	}
}

// readings are the ways in which one kill is read: each leaves something out.
var readings = []struct {
	name string
	read func(*oomdoc.Incident)
}{
	{"live", func(*oomdoc.Incident) {}},
	{"replayed", func(i *oomdoc.Incident) { i.Replayed = true; i.TimeApproximate = true; i.Revision = 0 }},
	{"journal", func(i *oomdoc.Incident) {
		i.Source = oomdoc.SourceJournal
		i.Seq, i.HasSeq = 0, false
		i.BootID = strings.ReplaceAll(i.BootID, "-", "")
	}},
	{"dmesg", func(i *oomdoc.Incident) {
		i.Source, i.Confidence = oomdoc.SourceFile, oomdoc.Likely
		i.Seq, i.HasSeq, i.BootID = 0, false, ""
		i.Time = time.Time{}
	}},
	{"syslog", func(i *oomdoc.Incident) {
		i.Source, i.Confidence = oomdoc.SourceFile, oomdoc.Likely
		i.Seq, i.HasSeq, i.BootID, i.Usec = 0, false, "", oomdoc.NoUsec
		i.Time = i.Time.Truncate(time.Second)
	}},
	{"bare kill line", func(i *oomdoc.Incident) {
		i.Confidence, i.Cause = oomdoc.Possible, oomdoc.CauseUndecided
		i.Memory, i.Kernel, i.Fixes, i.Final = nil, nil, nil, false
		i.Evidence = i.Evidence[1:]
		i.Missing = []oomdoc.Sentence{oomdoc.Say("missing.header", nil)}
		i.Process = &oomdoc.Process{PID: i.Process.PID, Name: i.Process.Name}
	}},
}

// The same kill is one row with one id in whatever order and however often its
// readings come, over restarts of the daemon; two kills with the same line in
// two boots are two; and a fact that was stored stays.
func TestReadingsOfAKillMakeOneIncident(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 0))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			path := t.TempDir() + "/oomdoc.db"
			s := open(t, path)
			live := kill(int(seed))
			write(t, s, live)
			twin := kill(int(seed))
			twin.BootID, twin.Time = "ffffffff-0000-0000-0000-000000000002", live.Time.Add(48*time.Hour)
			twinID := write(t, s, twin)[0].ID

			for range 12 {
				if random.IntN(4) == 0 {
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					s = open(t, path)
				}
				reading := readings[random.IntN(len(readings))]
				inc, wantID := kill(int(seed)), live.ID
				// A reading without a boot and a time fits both kills; it is
				// known for certain only of the others.
				if random.IntN(2) == 0 && reading.name != "dmesg" {
					inc, wantID = twin, twinID
					inc.Process = kill(int(seed)).Process
				}
				inc.Revision = random.IntN(3)
				reading.read(&inc)
				got := write(t, s, inc)[0]
				if got.New || (got.ID != wantID && reading.name != "dmesg") {
					t.Fatalf("%s of %s: %+v, want it known", reading.name, wantID, got)
				}
			}
			checkCount(t, &s.Reader, 2)
			for _, want := range []oomdoc.Incident{live, twin} {
				id := live.ID
				if want.BootID == twin.BootID {
					id = twinID
				}
				checkNothingLost(t, want, get(t, &s.Reader, id))
			}
		})
	}
}

// checkNothingLost holds that got has every fact of want.
func checkNothingLost(t *testing.T, want, got oomdoc.Incident) {
	t.Helper()
	lost := map[string]bool{
		"time":       !got.Time.Equal(want.Time) || got.TimeApproximate,
		"seq":        got.Seq != want.Seq || !got.HasSeq,
		"usec":       got.Usec != want.Usec,
		"boot":       got.BootID == "",
		"limit":      got.Memory == nil || *got.Memory.LimitBytes != *want.Memory.LimitBytes,
		"constraint": got.Kernel == nil || got.Kernel.Constraint != want.Kernel.Constraint,
		"unit":       got.Process == nil || got.Process.Unit != want.Process.Unit,
		"cmdline":    got.Process == nil || len(got.Process.Cmdline) != len(want.Process.Cmdline),
		"victims":    len(got.Victims) != len(want.Victims),
		"evidence":   len(got.Evidence) == 0,
		"fixes":      len(got.Fixes) != len(want.Fixes),
		"final":      !got.Final,
	}
	for what, is := range lost {
		if is {
			t.Errorf("%s was lost: %+v", what, got)
		}
	}
}
