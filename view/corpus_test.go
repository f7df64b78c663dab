package view_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/playbook"
	"github.com/oomdoc/oomdoc/record"
	"github.com/oomdoc/oomdoc/view"
)

// explained reads a log as `oomdoc explain` does and gives its incidents in
// order, rendered in English.
func explained(t *testing.T, path string) []oomdoc.Incident {
	t.Helper()
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	language := english(t)
	joiner := classify.NewJoiner(classify.Options{})
	var incidents []oomdoc.Incident
	place := map[string]int{}
	tell := func(ev oomdoc.Event) {
		for _, inc := range joiner.Add(ev, oomdoc.Facts{}) {
			if ev.Kernel != nil {
				playbook.Attach(&inc, ev.Kernel, oomdoc.Facts{})
			}
			inc = language.Render(inc)
			if at, told := place[inc.ID]; told {
				incidents[at] = inc
				continue
			}
			place[inc.ID] = len(incidents)
			incidents = append(incidents, inc)
		}
	}
	parser := kmsg.NewParser(kmsg.ParserOptions{})
	decoder := record.NewDecoder(bytes.NewReader(log), record.Options{Now: moment})
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		parser.Feed(&rec, tell)
	}
	parser.Flush(tell)
	return incidents
}

// unrendered finds what a reader should never see: a fact that its sentence was
// not given, or a key without a sentence.
var unrendered = regexp.MustCompile(`\{[a-z_-]+\?\}|\[(summary|evidence|missing|victim|fix|word|view)\.[a-z.-]+`)

// TestEveryCapturedReportReadsWell lays out what the captured logs of
// testdata/kernel lead to, whatever that is, and holds it against the promises
// of the layout.
func TestEveryCapturedReportReadsWell(t *testing.T) {
	paths, err := filepath.Glob("../testdata/kernel/*.log")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captured logs (%v)", err)
	}
	looked := 0
	for _, path := range paths {
		incidents := explained(t, path)
		for _, inc := range incidents {
			looked++
			out := text(t, inc, view.TextOptions{NotStored: true})
			holdLayout(t, filepath.Base(path), inc, out)
		}
		holdLayout(t, filepath.Base(path), oomdoc.Incident{}, list(t, incidents, view.TextOptions{}))
		var document bytes.Buffer
		if err := view.JSON(&document, incidents); err != nil {
			t.Fatal(err)
		}
		var back oomdoc.Document
		if err := json.Unmarshal(document.Bytes(), &back); err != nil || len(back.Incidents) != len(incidents) {
			t.Errorf("%s: the document reads back as %d incidents of %d: %v", path, len(back.Incidents), len(incidents), err)
		}
	}
	if looked == 0 {
		t.Error("no captured log led to an incident")
	}
}

// holdLayout holds text for a terminal against what is promised of every text.
func holdLayout(t *testing.T, name string, inc oomdoc.Incident, out string) {
	t.Helper()
	if found := unrendered.FindString(out); found != "" {
		t.Errorf("%s: %q in\n%s", name, found, out)
	}
	wideEnough := commands(inc)
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if displayColumns(line) > view.DefaultWidth && !wideEnough[strings.TrimSpace(line)] {
			t.Errorf("%s: %d columns in %q", name, displayColumns(line), line)
		}
		if at := strings.IndexFunc(line, harmful); at >= 0 {
			t.Errorf("%s: a control character in %q", name, line)
		}
	}
}
