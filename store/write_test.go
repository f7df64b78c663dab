package store_test

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

func TestIncidentComesBackAsItWasWritten(t *testing.T) {
	s := openNew(t)
	want := kill(0)
	want.Records = report(t)
	written := write(t, s, want)
	if got, want := written, []store.Written{{ID: newID(0), New: true}}; !cmp.Equal(got, want) {
		t.Fatalf("written %+v, want %+v", got, want)
	}
	records, err := s.Records(newID(0))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Records, records); diff != "" {
		t.Errorf("raw records (-want +got):\n%s", diff)
	}
	want.Records = nil // kept apart
	if diff := cmp.Diff(want, get(t, &s.Reader, newID(0))); diff != "" {
		t.Errorf("incident (-want +got):\n%s", diff)
	}
}

func TestUnknownStaysUnknown(t *testing.T) {
	s := openNew(t)
	want := oomdoc.Incident{ID: newID(1), Source: oomdoc.SourceFile, Class: oomdoc.ClassHostRAM,
		Cause: oomdoc.CauseUndecided, Confidence: oomdoc.Possible, Outcome: oomdoc.OutcomeKilled, Usec: oomdoc.NoUsec}
	write(t, s, want)
	if diff := cmp.Diff(want, get(t, &s.Reader, want.ID)); diff != "" {
		t.Errorf("incident (-want +got):\n%s", diff)
	}
}

func TestSameKillToldAgainIsOneRow(t *testing.T) {
	s := openNew(t)
	first := kill(0)
	first.Records = report(t)
	write(t, s, first)
	again := write(t, s, first)
	if got, want := again[0], (store.Written{ID: first.ID}); got != want {
		t.Errorf("told again: %+v, want %+v", got, want)
	}
	first.Revision = 1
	first.Evidence = append(first.Evidence, oomdoc.Evidence{Sentence: oomdoc.Say("evidence.more", nil)})
	amended := write(t, s, first)
	if got, want := amended[0], (store.Written{ID: first.ID, Amended: true}); got != want {
		t.Errorf("told with more: %+v, want %+v", got, want)
	}
	checkCount(t, &s.Reader, 1)
	if got, want := len(get(t, &s.Reader, first.ID).Evidence), 3; got != want {
		t.Errorf("evidence after the amendment = %d, want %d", got, want)
	}
}

func TestSameContentOfAnotherKillGetsAnIDOfItsOwn(t *testing.T) {
	s := openNew(t)
	first, second := kill(0), kill(0)
	second.BootID = "ffffffff-0000-0000-0000-000000000002"
	second.Time = second.Time.Add(24 * time.Hour)
	second.Burst = second.ID
	written := write(t, s, first, second)
	if !written[0].New || !written[1].New {
		t.Fatalf("written %+v, want two new ones", written)
	}
	if written[1].ID == first.ID {
		t.Fatalf("both have id %s", first.ID)
	}
	if got := write(t, s, second)[0]; got != (store.Written{ID: written[1].ID}) {
		t.Errorf("told again: %+v, want it known as %s", got, written[1].ID)
	}
	checkCount(t, &s.Reader, 2)
	stored := get(t, &s.Reader, written[1].ID)
	if stored.ID != written[1].ID || stored.Burst != written[1].ID {
		t.Errorf("stored id %s burst %s, want both %s", stored.ID, stored.Burst, written[1].ID)
	}

	// The derived id depends on the kill alone, not on this database.
	other := openNew(t)
	if got := write(t, other, first, second)[1].ID; got != written[1].ID {
		t.Errorf("derived id in another database %s, want %s", got, written[1].ID)
	}

	// A later member of the burst points at the id under which its first stands.
	member := kill(5)
	member.BootID, member.Time, member.Burst = second.BootID, second.Time.Add(time.Second), second.ID
	write(t, s, member)
	if got := get(t, &s.Reader, member.ID).Burst; got != written[1].ID {
		t.Errorf("burst of a later member = %s, want %s", got, written[1].ID)
	}
}

func TestPositionAndIncidentsAreStoredTogether(t *testing.T) {
	s := openNew(t)
	position := store.Position{Source: oomdoc.SourceKmsg, BootID: boot, Seq: math.MaxUint64, Cursor: "s=1"}
	gap := store.Gap{Source: oomdoc.SourceKmsg, BootID: boot, FromSeq: 5, ToSeq: 9, Lost: 5, Exact: true,
		Reason: "ring overrun", Time: start}
	_, err := s.Write(store.Batch{Incidents: []oomdoc.Incident{kill(0)}, Position: &position, Gaps: []store.Gap{gap}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.LoadPosition(oomdoc.SourceKmsg)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&position, got); diff != "" {
		t.Errorf("position (-want +got):\n%s", diff)
	}
	gaps, err := s.Gaps(start)
	if err != nil {
		t.Fatal(err)
	}
	gaps[0].Time = gaps[0].Time.UTC()
	if diff := cmp.Diff([]store.Gap{gap}, gaps); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}

	// A failure at the very end takes the incident back too.
	if err := s.Exec("CREATE TRIGGER refuse BEFORE INSERT ON position BEGIN SELECT raise(ABORT, 'refused'); END"); err != nil {
		t.Fatal(err)
	}
	next := position
	next.Seq = 1
	if _, err := s.Write(store.Batch{Incidents: []oomdoc.Incident{kill(1)}, Position: &next, Gaps: []store.Gap{gap}}); err == nil {
		t.Fatal("a write whose position is refused succeeded")
	}
	checkCount(t, &s.Reader, 1)
	if gaps, err := s.Gaps(start); err != nil || len(gaps) != 1 {
		t.Errorf("gaps after the failure: %d, %v, want 1", len(gaps), err)
	}
	if err := s.Exec("DROP TRIGGER refuse"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(store.Batch{Incidents: []oomdoc.Incident{kill(1)}, Position: &next}); err != nil {
		t.Fatalf("write after a failed one: %v", err)
	}
	checkCount(t, &s.Reader, 2)
}

func TestSourceThatWasNeverReadHasNoPosition(t *testing.T) {
	s := openNew(t)
	got, err := s.LoadPosition(oomdoc.SourceJournal)
	if got != nil || err != nil {
		t.Errorf("position %+v, %v, want none", got, err)
	}
}

// What a log can claim must not stop an incident from being stored: a batch
// that can never be written would be tried for ever.
func TestWhatJSONCannotHoldIsLeftOut(t *testing.T) {
	s := openNew(t)
	inc := kill(0)
	inc.Time = time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)
	inc.Samples = []oomdoc.Sample{{Time: time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)}}
	inc.Summary = oomdoc.Say("summary.test", oomdoc.Args{"share": oomdoc.Percent(math.NaN()), "name": oomdoc.Text("a\xffb\x00c")})
	inc.Process.Name = new("\x1b[31m\xfe\x00")
	inc.Records = []string{"", "\x00\xff\n", "line"}
	write(t, s, inc)
	got := get(t, &s.Reader, inc.ID)
	if !got.Time.IsZero() {
		t.Errorf("time = %v, want unknown", got.Time)
	}
	if _, has := got.Summary.Args["share"]; has {
		t.Errorf("summary keeps a share that is no number: %v", got.Summary.Args)
	}
	records, err := s.Records(inc.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(inc.Records, records); diff != "" {
		t.Errorf("raw records (-want +got):\n%s", diff)
	}
	if inc.Time.IsZero() || len(inc.Summary.Args) != 2 {
		t.Error("Write changed the caller's incident")
	}
}

func TestSentencesAreStoredWithoutLanguage(t *testing.T) {
	s := openNew(t)
	inc := kill(0)
	inc.Summary.Text = "python3 was killed"
	inc.Evidence[0].Sentence.Text = "the limit is 8.0 GiB"
	write(t, s, inc)
	got := get(t, &s.Reader, inc.ID)
	if got.Summary.Key != "summary.test" || got.Summary.Text != "" {
		t.Errorf("summary %+v, want its key and no text", got.Summary)
	}
	if got.Evidence[0].Sentence.Key != "evidence.limit" {
		t.Errorf("evidence %+v, want its key", got.Evidence[0].Sentence)
	}
}

func TestRawRecordsBeyondTheBoundAreCutAtTheEnd(t *testing.T) {
	s := openNew(t)
	long := strings.Repeat("x", 1<<20)
	inc := kill(0)
	inc.Records = []string{"first", long, long, long, long, "last"}
	write(t, s, inc)
	records, err := s.Records(inc.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(inc.Records[:4], records); diff != "" {
		t.Errorf("raw records (-want +got):\n%s", diff)
	}
	many := kill(1)
	many.Records = make([]string, 1<<17)
	write(t, s, many)
	if records, err := s.Records(many.ID); err != nil || len(records) != 1<<16 {
		t.Errorf("raw records of 131072 empty ones: %d, %v, want 65536", len(records), err)
	}
}

// What is written into a file that was removed is lost, so it is refused.
func TestRemovedOrReplacedFileIsNoticed(t *testing.T) {
	s := openNew(t)
	write(t, s, kill(0))
	aside := s.Path() + ".aside"
	if err := os.Rename(s.Path(), aside); err != nil {
		t.Fatal(err)
	}
	refused := func(what string) {
		t.Helper()
		_, err := s.Write(store.Batch{Incidents: []oomdoc.Incident{kill(1)}})
		if !errors.Is(err, store.ErrMoved) || oomdoc.ErrorHint(err) == "" {
			t.Errorf("write after the file was %s: %v, want ErrMoved with a hint", what, err)
		}
	}
	refused("removed")
	if err := os.WriteFile(s.Path(), nil, 0o640); err != nil {
		t.Fatal(err)
	}
	refused("replaced")
	if err := os.Rename(aside, s.Path()); err != nil {
		t.Fatal(err)
	}
	write(t, s, kill(1)) // it is back
	checkCount(t, openReader(t, s.Path()), 2)
}

func FuzzUnpack(f *testing.F) {
	for _, records := range [][]string{nil, {""}, {"a", "b\x00"}, report(f)} {
		data, err := store.Pack(records)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, err := store.Unpack(data)
		if err != nil {
			return
		}
		packed, err := store.Pack(records)
		if err != nil {
			t.Fatal(err)
		}
		again, err := store.Unpack(packed)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again, records) {
			t.Errorf("packed and unpacked: %q, want %q", again, records)
		}
	})
}
