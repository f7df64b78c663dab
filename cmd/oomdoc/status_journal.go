package main

import (
	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/systemd"
)

const (
	keyStatusJournal         oomdoc.Key = "cmd.status.journal"
	keyStatusJournalOff      oomdoc.Key = "cmd.status.journal-off"
	keyStatusJournalDisabled oomdoc.Key = "cmd.status.journal-disabled"
	keyStatusJournalNone     oomdoc.Key = "cmd.status.journal-none"
	keyStatusJournalWaits    oomdoc.Key = "cmd.status.journal-waits"
	keyStatusJournalLimited  oomdoc.Key = "cmd.status.journal-limited"
)

// journalSentence says whether the journal is followed, and if not, why.
func journalSentence(s statusReport) (oomdoc.Key, oomdoc.Args) {
	switch {
	case !s.Running:
		return keyStatusJournalOff, nil
	case !s.State.Journal.Enabled:
		return keyStatusJournalDisabled, nil
	case !s.State.Journal.Watching && s.State.Journal.Why == systemd.NoJournal:
		return keyStatusJournalNone, nil
	case !s.State.Journal.Watching:
		return keyStatusJournalWaits, oomdoc.Args{"why": oomdoc.Text(s.State.Journal.Why)}
	}
	return keyStatusJournal, oomdoc.Args{"records": oomdoc.Count(s.State.Journal.Records)}
}

func journalLine(language *lang.Language, status statusReport) sourceLine {
	line := sourceLine{Name: "journal", Watched: status.Running && status.State.Journal.Watching}
	if !line.Watched {
		line.Why = language.Text(oomdoc.Say(journalSentence(status)))
	}
	return line
}
