package view_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/view"
)

var update = flag.Bool("update", false, "write what the tests print to testdata")

// golden holds text against testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func seoul() *time.Location { return time.FixedZone("KST", 9*3600) }

// options are those of `oomdoc last` three minutes after the moment.
func options() view.TextOptions {
	return view.TextOptions{Now: moment().Add(3 * time.Minute), Location: seoul()}
}

// newEnglish is made once; a Language does not change.
var newEnglish = sync.OnceValues(func() (*lang.Language, error) { return lang.New(lang.English) })

func english(t testing.TB) *lang.Language {
	t.Helper()
	language, err := newEnglish()
	if err != nil {
		t.Fatal(err)
	}
	return language
}

func text(t testing.TB, inc oomdoc.Incident, o view.TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := view.Text(&out, english(t), inc, o); err != nil {
		t.Fatalf("Text: %v", err)
	}
	return out.String()
}

func TestTextOfEachCaseIsAsReviewed(t *testing.T) {
	full := options()
	full.Full, full.Records = true, true
	color := options()
	color.Color = true
	narrow := options()
	narrow.Width = 50
	notStored := view.TextOptions{Location: seoul(), NotStored: true}
	for _, test := range []struct {
		name string
		inc  oomdoc.Incident
		o    view.TextOptions
	}{
		{"unit-limit", unitLimit(), options()},
		{"unit-limit-color", unitLimit(), color},
		{"unit-limit-narrow", unitLimit(), narrow},
		{"docker-limit", dockerLimit(), options()},
		{"docker-limit-full", dockerLimit(), full},
		{"pod-limit", podLimit(), options()},
		{"host-no-swap", hostNoSwap(), options()},
		{"group-kill", groupKill(), notStored},
		{"bare-kill", bareKill(), notStored},
		{"hostile-names", hostile(), options()},
		{"korean-names", korean(), options()},
		{"no-victim", noVictim(), options()},
	} {
		golden(t, test.name+".txt", []byte(text(t, test.inc, test.o)))
	}
}

func history() []oomdoc.Incident {
	old := hostNoSwap()
	selftest := unitLimit()
	selftest.ID, selftest.Selftest = "se1fte5t00", true
	selftest.Process = &oomdoc.Process{PID: 7, Name: new("oomdoc"), Cgroup: "/oomdoc-selftest-1f"}
	long := unitLimit()
	long.ID = "10ngname00"
	long.Process.Owner = "/kubepods.slice/kubepods-burstable.slice/" + strings.Repeat("deep/", 20) + "leaf"
	incidents := append(burst(20), unitLimit(), dockerLimit(), podLimit(), groupKill(), bareKill(), noVictim())
	return append(incidents, selftest, long, korean(), hostile(), old)
}

func list(t testing.TB, incidents []oomdoc.Incident, o view.TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := view.List(&out, english(t), incidents, o); err != nil {
		t.Fatalf("List: %v", err)
	}
	return out.String()
}

func TestListIsAsReviewed(t *testing.T) {
	golden(t, "list.txt", []byte(list(t, history(), view.TextOptions{Location: seoul()})))
	golden(t, "list-all.txt", []byte(list(t, burst(3), view.TextOptions{Location: seoul(), All: true})))
	if got := list(t, nil, view.TextOptions{}); got != "" {
		t.Errorf("an empty list prints %q", got)
	}
}

func TestJSONIsAsReviewed(t *testing.T) {
	var out bytes.Buffer
	if err := view.JSON(&out, []oomdoc.Incident{dockerLimit(), bareKill(), hostile()}); err != nil {
		t.Fatal(err)
	}
	golden(t, "incidents.json", out.Bytes())
	out.Reset()
	if err := view.JSON(&out, nil); err != nil {
		t.Fatal(err)
	}
	golden(t, "nothing.json", out.Bytes())
}
