package systemd

import (
	"maps"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/journal"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

// Identifier is the SYSLOG_IDENTIFIER of our entries: `journalctl -t oomdoc`.
const Identifier = "oomdoc"

// The keys of what an alert says; lang has the words.
const (
	keyWithCommand oomdoc.Key = "alert.with-command"
	keyWithStep    oomdoc.Key = "alert.with-step"
	keyAlone       oomdoc.Key = "alert.alone"
	keyLate        oomdoc.Key = "alert.late"
	keyStormKills  oomdoc.Key = "alert.storm-kills"
	keyStormOther  oomdoc.Key = "alert.storm-other"
	keyManyNames   oomdoc.Key = "alert.many-offenders"
	keyThisMachine oomdoc.Key = "alert.this-machine"
	keyDropped     oomdoc.Key = "alert.dropped"
)

// lateAfter is how old an incident must be for its alert to name the time: the
// entry's own time is then misleading.
const lateAfter = time.Minute

// A Message is one journal entry. Text is one line without control characters,
// and so is every value of Fields; names of fields come from a fixed table.
type Message struct {
	Text     string
	Priority journal.Priority
	Fields   map[string]string
}

// Compose makes the alert of an incident whose sentences are rendered in that
// language, as it reads at the time now.
func Compose(incident *oomdoc.Incident, language *lang.Language, now time.Time) Message {
	kind := kindOf(incident)
	text := alertText(incident, language)
	if !incident.Time.IsZero() && now.Sub(incident.Time) > lateAfter {
		text = language.Text(oomdoc.Say(keyLate, oomdoc.Args{
			"time": oomdoc.Instant(incident.Time), "alert": oomdoc.Text(text),
		}))
	}
	return newMessage(kind, text, fieldsOf(incident))
}

// newMessage adds to fields, which it keeps, what every entry has.
func newMessage(kind kind, text string, fields map[string]string) Message {
	maps.Copy(fields, map[string]string{
		"MESSAGE_ID":        kind.id,
		"SYSLOG_IDENTIFIER": Identifier,
		"DOCUMENTATION":     Documentation,
	})
	return Message{Text: clean(text, maxText), Priority: kind.priority, Fields: fields}
}

// alertText is the one line: what happened, the first thing to do, and where
// the rest stands.
func alertText(incident *oomdoc.Incident, language *lang.Language) string {
	key, step := keyAlone, ""
	if command := firstCommand(incident.Fixes); command != "" {
		key, step = keyWithCommand, command
	} else if advice := firstStep(incident.Fixes); advice != "" {
		key, step = keyWithStep, advice
	}
	return language.Text(oomdoc.Say(key, oomdoc.Args{
		"summary": oomdoc.Text(withoutStop(incident.Summary.Text)),
		"step":    oomdoc.Text(withoutStop(step)),
		"id":      oomdoc.Text(incident.ID),
	}))
}

// firstCommand is the first step of the first fix that can be typed.
func firstCommand(fixes []oomdoc.Fix) string {
	if len(fixes) == 0 {
		return ""
	}
	for _, step := range fixes[0].Steps {
		if step.IsCommand() {
			return step.Text
		}
	}
	return ""
}

func firstStep(fixes []oomdoc.Fix) string {
	if len(fixes) == 0 || len(fixes[0].Steps) == 0 {
		return ""
	}
	return fixes[0].Steps[0].Text
}

// withoutStop takes the full stop from a sentence that goes on.
func withoutStop(sentence string) string {
	return strings.TrimRight(strings.TrimSpace(sentence), ".:")
}
