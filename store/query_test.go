package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// ids are the ids of incidents, in order.
func ids(incidents []oomdoc.Incident) string {
	var all []string
	for i := range incidents {
		all = append(all, incidents[i].ID)
	}
	return strings.Join(all, " ")
}

func TestFilters(t *testing.T) {
	s := openNew(t)
	var all []oomdoc.Incident
	for n := range 6 {
		all = append(all, kill(n))
	}
	all[1].Process.Unit, all[1].Process.UserUnit = "user@1000.service", "app.service"
	all[2].Class, all[2].Cause = oomdoc.ClassVRAM, "weights"
	all[2].Process.Engine, all[2].Process.UID = "vllm", new(0)
	all[3].Process = nil
	all[3].Burst = all[0].ID
	all[4].Selftest = true
	all[5].Time = time.Time{} // sorts by when it was read
	all[5].Read = start.Add(-time.Hour)
	write(t, s, all...)

	for _, test := range []struct {
		name   string
		filter store.Filter
		want   []int
	}{
		{"all, newest first", store.Filter{}, []int{3, 2, 1, 0, 5}},
		{"with selftests", store.Filter{IncludeSelftest: true}, []int{4, 3, 2, 1, 0, 5}},
		{"since", store.Filter{Since: all[2].Time}, []int{3, 2}},
		{"until, without the moment", store.Filter{Until: all[1].Time}, []int{0, 5}},
		{"class", store.Filter{Class: oomdoc.ClassVRAM}, []int{2}},
		{"cause", store.Filter{Cause: oomdoc.CauseCgroupLimit}, []int{3, 1, 0, 5}},
		{"unit", store.Filter{Unit: "train.service"}, []int{2, 0, 5}},
		{"user unit", store.Filter{Unit: "app.service"}, []int{1}},
		{"engine", store.Filter{Engine: "vllm"}, []int{2}},
		{"uid 0 is not any uid", store.Filter{UID: new(0)}, []int{2}},
		{"burst", store.Filter{Burst: all[0].ID}, []int{3}},
		{"limit and offset", store.Filter{Limit: 2, Offset: 1}, []int{2, 1}},
		{"nothing", store.Filter{Engine: "jax"}, nil},
		{"text of a statement", store.Filter{Unit: "' OR 1=1 --"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want []oomdoc.Incident
			for _, n := range test.want {
				want = append(want, all[n])
			}
			got, err := s.List(test.filter)
			if err != nil {
				t.Fatal(err)
			}
			if ids(got) != ids(want) {
				t.Errorf("got %s, want %s", ids(got), ids(want))
			}
			test.filter.Limit, test.filter.Offset = 0, 0
			if n, err := s.Count(test.filter); err != nil || n < len(want) {
				t.Errorf("count = %d, %v, want at least %d", n, err, len(want))
			}
		})
	}
	last, err := s.Last(1, store.Filter{})
	if err != nil || ids(last) != all[3].ID {
		t.Errorf("last = %s, %v, want %s", ids(last), err, all[3].ID)
	}
}

func TestGetByTheBeginningOfAnID(t *testing.T) {
	s := openNew(t)
	for _, id := range []string{"a0b1c2d3e4", "a0b1zzzzzz", "zzzzzzzzzz"} {
		inc := kill(0)
		inc.ID = id
		write(t, s, inc)
	}
	for typed, want := range map[string]string{
		"a0b1c2d3e4":   "a0b1c2d3e4",
		"a0b1c":        "a0b1c2d3e4",
		" AOB1C2 ":     "a0b1c2d3e4", // the letter O is read as the digit
		"aObl":         "",
		"zz":           "zzzzzzzzzz",
		"zzzzzzzzzz":   "zzzzzzzzzz",
		"b":            "",
		"":             "",
		"a%":           "",
		"zzzzzzzzzzzz": "",
	} {
		inc, err := s.Get(typed)
		if (err == nil) != (want != "") || inc.ID != want {
			t.Errorf("get %q = %q, %v, want %q", typed, inc.ID, err, want)
		}
	}
	_, err := s.Get("a0b1")
	if oomdoc.ErrorCode(err) != oomdoc.CodeUsage || !strings.Contains(err.Error(), "a0b1c2d3e4, a0b1zzzzzz") {
		t.Errorf("ambiguous: %v, want both named", err)
	}
	if _, err := s.Get("b"); oomdoc.ErrorCode(err) != oomdoc.CodeNotFound {
		t.Errorf("unknown: %v, want CodeNotFound", err)
	}
}

func TestAlertsArePendingUntilTheyAreMarked(t *testing.T) {
	now := start
	s, err := store.Open(t.Context(), t.TempDir()+"/oomdoc.db", store.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	selftest := kill(3)
	selftest.Selftest = true
	write(t, s, kill(0), kill(1), selftest)
	now = now.Add(time.Hour)
	write(t, s, kill(2))

	pending := func(since time.Time) string {
		t.Helper()
		incidents, err := s.PendingAlerts(since)
		if err != nil {
			t.Fatal(err)
		}
		return ids(incidents)
	}
	if got, want := pending(time.Time{}), newID(0)+" "+newID(1)+" "+newID(2); got != want {
		t.Errorf("pending = %s, want %s", got, want)
	}
	if got, want := pending(now), newID(2); got != want {
		t.Errorf("pending since the last hour = %s, want %s", got, want)
	}
	alerted := now.Add(time.Second)
	for _, how := range []string{"journal", "stderr"} { // the first stays
		if err := s.MarkAlerted([]string{newID(0), newID(2)}, alerted, how); err != nil {
			t.Fatal(err)
		}
		alerted = alerted.Add(time.Second)
	}
	if got, want := pending(time.Time{}), newID(1); got != want {
		t.Errorf("pending after the alert = %s, want %s", got, want)
	}
	stations, err := s.Stations(newID(2))
	if err != nil {
		t.Fatal(err)
	}
	want := store.Stations{Seen: kill(2).Read, Stored: now, Alerted: now.Add(time.Second), How: "journal"}
	if diff := cmp.Diff(want, stations); diff != "" {
		t.Errorf("stations (-want +got):\n%s", diff)
	}
	if _, err := s.Stations("0000000000"); oomdoc.ErrorCode(err) != oomdoc.CodeNotFound {
		t.Errorf("stations of nothing: %v, want CodeNotFound", err)
	}
}

func TestStateIsKeptByKey(t *testing.T) {
	s := openNew(t)
	type heartbeat struct{ Records int }
	if at, err := s.State("kmsg", new(heartbeat)); err != nil || !at.IsZero() {
		t.Errorf("state before it was set: %v, %v, want the zero time", at, err)
	}
	for n := range 2 {
		if err := s.SetState("kmsg", heartbeat{n}); err != nil {
			t.Fatal(err)
		}
	}
	var got heartbeat
	at, err := openReader(t, s.Path()).State("kmsg", &got)
	if err != nil || at.IsZero() || got.Records != 1 {
		t.Errorf("state = %+v at %v, %v, want the second", got, at, err)
	}
	if err := s.SetState("store.opening", 1); err == nil {
		t.Error("the store's own key was set")
	}
}

func TestOffendersAreNotSelftests(t *testing.T) {
	s := openNew(t)
	selftest := kill(1)
	selftest.Selftest = true
	write(t, s, kill(0), selftest)
	got, err := s.QueryText("SELECT group_concat(offender) FROM incident")
	if err != nil || got != "unit:train.service" {
		t.Errorf("offenders = %q, %v, want unit:train.service alone", got, err)
	}
}

func TestSizeCountsEveryFile(t *testing.T) {
	s := openNew(t)
	write(t, s, kill(0))
	got, err := s.Size()
	if err != nil {
		t.Fatal(err)
	}
	want := fileSize(t, s.Path()) + fileSize(t, s.Path()+"-wal") + fileSize(t, s.Path()+"-shm")
	if got != want {
		t.Errorf("size = %d, want %d", got, want)
	}
}
