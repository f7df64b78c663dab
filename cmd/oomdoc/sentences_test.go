package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// unresolved is a fact that a sentence was not given ("{limit?}"), a setting's
// place for a number ("{n}"), or a key that no catalogue has ("[step.x]").
var unresolved = regexp.MustCompile(`\{[a-z][a-z0-9_-]*[?]?(\|[^}]*)?\}|^\[[a-z]+(\.[a-z0-9-]+)+`)

// TestEverySentenceOfEveryCaseIsWhole reads every case in both languages.
func TestEverySentenceOfEveryCaseIsWhole(t *testing.T) {
	logs, err := filepath.Glob("../../testdata/*/*.log")
	if err != nil || len(logs) < 100 {
		t.Fatalf("%d cases: %v", len(logs), err)
	}
	for _, locale := range []string{"en_US.UTF-8", "ko_KR.UTF-8"} {
		sentences, hangul := 0, 0
		for _, log := range logs {
			for _, incident := range explainedIn(t, locale, log) {
				for _, sentence := range sentencesOf(&incident) {
					sentences++
					// kubectl's own brace, of the command that finds a pod
					sentence = strings.ReplaceAll(sentence, `"\n"}{end}'`, "'")
					if found := unresolved.FindString(sentence); found != "" || strings.TrimSpace(sentence) == "" {
						t.Errorf("%s, %s: %q stands in %q", locale, filepath.Base(log), found, sentence)
					}
					if strings.ContainsFunc(sentence, isHangul) {
						hangul++
					}
				}
			}
		}
		if sentences < 1000 {
			t.Errorf("%s: only %d sentences", locale, sentences)
		}
		if korean := strings.HasPrefix(locale, "ko"); korean != (hangul > 0) {
			t.Errorf("%s: %d of %d sentences are Korean", locale, hangul, sentences)
		}
	}
}

func isHangul(c rune) bool { return c >= 0xAC00 && c <= 0xD7A3 }

func explainedIn(t *testing.T, locale, path string) []oomdoc.Incident {
	t.Helper()
	environ := append(os.Environ(), "LC_ALL="+locale, "LANGUAGE=")
	stdout, stderr, status := runCommand(t, environ, nil, "explain", "-o", "json", path)
	if status != 0 && status != 3 {
		t.Fatalf("%s: status %d: %s", path, status, stderr)
	}
	var document oomdoc.Document
	if err := json.Unmarshal([]byte(stdout), &document); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return document.Incidents
}

// sentencesOf are all that an incident says, but not what is not there.
func sentencesOf(incident *oomdoc.Incident) []string {
	texts := []string{incident.Summary.Text}
	if incident.VictimReason.Text != "" {
		texts = append(texts, incident.VictimReason.Text)
	}
	for _, missing := range incident.Missing {
		texts = append(texts, missing.Text)
	}
	for _, evidence := range incident.Evidence {
		texts = append(texts, evidence.Sentence.Text)
	}
	for _, fix := range incident.Fixes {
		texts = append(texts, fix.Title.Text, fix.Why.Text)
		texts = append(texts, stepTexts(fix)...)
	}
	return texts
}
