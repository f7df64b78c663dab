package store_test

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
)

// bare is the kill as a reading that has its last line only tells it.
func bare(source oomdoc.Source) oomdoc.Incident {
	inc := kill(0)
	readings[len(readings)-1].read(&inc)
	inc.Source = source
	return inc
}

func TestTheRicherReadingGivesTheVerdict(t *testing.T) {
	full, text := kill(0), kill(0)
	text.Source, text.Confidence = oomdoc.SourceFile, oomdoc.Likely
	likely := kill(0)
	likely.Confidence = oomdoc.Likely
	for _, test := range []struct {
		name          string
		first, second oomdoc.Incident
		wantSource    oomdoc.Source
		wantCause     oomdoc.Cause
	}{
		{"a full one after a bare one", bare(oomdoc.SourceJournal), full, oomdoc.SourceKmsg, oomdoc.CauseCgroupLimit},
		{"a bare one after a full one", full, bare(oomdoc.SourceJournal), oomdoc.SourceKmsg, oomdoc.CauseCgroupLimit},
		{"a full text after a bare record", bare(oomdoc.SourceKmsg), text, oomdoc.SourceFile, oomdoc.CauseCgroupLimit},
		{"the record with as much as a text", text, likely, oomdoc.SourceKmsg, oomdoc.CauseCgroupLimit},
		{"a text with as much as the record", full, text, oomdoc.SourceKmsg, oomdoc.CauseCgroupLimit},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "oomdoc.db")
			s := open(t, path)
			write(t, s, test.first)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, path)
			write(t, s, test.second)
			got := get(t, &s.Reader, full.ID)
			if got.Source != test.wantSource || got.Cause != test.wantCause {
				t.Errorf("source %s, cause %s, want %s, %s", got.Source, got.Cause, test.wantSource, test.wantCause)
			}
		})
	}
}

func TestALaterRevisionOfOneReadingReplacesTheVerdict(t *testing.T) {
	s := openNew(t)
	first, later := kill(0), kill(0)
	later.Revision, later.Confidence, later.Cause = 1, oomdoc.Possible, oomdoc.CauseUndecided
	write(t, s, first)
	write(t, s, later)
	if got := get(t, &s.Reader, first.ID); got.Cause != oomdoc.CauseUndecided {
		t.Errorf("cause after the later revision = %s, want %s", got.Cause, oomdoc.CauseUndecided)
	}
	// The earlier one, told once more, comes too late.
	write(t, s, first)
	if got := get(t, &s.Reader, first.ID); got.Cause != oomdoc.CauseUndecided {
		t.Errorf("cause after the earlier revision again = %s, want %s", got.Cause, oomdoc.CauseUndecided)
	}
}

// A replay starts at revision 0 with little and grows: it must not take the
// place of a richer verdict while it grows.
func TestAReplayThatGrowsDoesNotReplaceARicherVerdict(t *testing.T) {
	path := filepath.Join(t.TempDir(), "oomdoc.db")
	s := open(t, path)
	live := kill(0)
	live.Revision = 3
	live.Records = report(t)
	write(t, s, live)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	for revision := range 5 {
		replay := bare(oomdoc.SourceKmsg)
		replay.Replayed, replay.Revision = true, revision
		replay.Records = report(t)[:10+revision]
		if got := write(t, s, replay)[0]; got.New || got.Amended {
			t.Fatalf("replay, revision %d: %+v, want nothing to change", revision, got)
		}
	}
	got := get(t, &s.Reader, live.ID)
	if got.Cause != oomdoc.CauseCgroupLimit || got.Revision != 3 || got.Replayed {
		t.Errorf("cause %s, revision %d, replayed %v, want the live verdict", got.Cause, got.Revision, got.Replayed)
	}
	records, err := s.Records(live.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(records), len(live.Records); got != want {
		t.Errorf("raw records after the replay = %d, want %d", got, want)
	}
}

// everything is a kill of which each fact is known.
func everything() oomdoc.Incident {
	inc := kill(0)
	for _, part := range []any{inc.Process, inc.Memory, inc.Kernel} {
		fillZero(reflect.ValueOf(part).Elem())
	}
	inc.GPU = new(oomdoc.GPU)
	fillZero(reflect.ValueOf(inc.GPU).Elem())
	return inc
}

// fillZero gives each field of a struct that has no value one.
func fillZero(part reflect.Value) {
	for i := range part.NumField() {
		field := part.Field(i)
		if !field.IsZero() {
			continue
		}
		switch field.Kind() {
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case reflect.String:
			field.SetString(part.Type().Field(i).Name)
		case reflect.Int, reflect.Int64:
			field.SetInt(int64(i + 1))
		}
	}
}

// partOf is a copy of a part in which each field is left out by chance; nil
// when none is left.
func partOf[T any](random *rand.Rand, whole *T) *T {
	part := *whole
	value := reflect.ValueOf(&part).Elem()
	for i := range value.NumField() {
		if random.IntN(3) > 0 {
			value.Field(i).SetZero()
		}
	}
	if value.IsZero() {
		return nil
	}
	return &part
}

// Whatever each reading knows, in whatever order they come and however sure
// each is: what is stored in the end is what any of them knew.
func TestStoredFactsAreTheUnionOfAllReadings(t *testing.T) {
	whole := everything()
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		s := openNew(t)
		var want oomdoc.Incident
		for range 1 + random.IntN(6) {
			inc := whole
			inc.Process = partOf(random, whole.Process)
			inc.Memory = partOf(random, whole.Memory)
			inc.Kernel = partOf(random, whole.Kernel)
			inc.GPU = partOf(random, whole.GPU)
			inc.Confidence = []oomdoc.Confidence{oomdoc.Certain, oomdoc.Likely, oomdoc.Possible}[random.IntN(3)]
			inc.Source = []oomdoc.Source{oomdoc.SourceKmsg, oomdoc.SourceJournal, oomdoc.SourceFile}[random.IntN(3)]
			inc.Revision = random.IntN(3)
			write(t, s, inc)
			addKnown(&want.Process, inc.Process)
			addKnown(&want.Memory, inc.Memory)
			addKnown(&want.Kernel, inc.Kernel)
			addKnown(&want.GPU, inc.GPU)
		}
		got := get(t, &s.Reader, whole.ID)
		got = oomdoc.Incident{Process: got.Process, Memory: got.Memory, Kernel: got.Kernel, GPU: got.GPU}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: facts (-known +stored):\n%s", seed, diff)
		}
	}
}

// addKnown marks in all what the part knows; its values are all of one kill.
func addKnown[T any](all **T, part *T) {
	if part == nil {
		return
	}
	if *all == nil {
		*all = new(T)
	}
	to, from := reflect.ValueOf(*all).Elem(), reflect.ValueOf(part).Elem()
	for i := range to.NumField() {
		if !from.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
}
