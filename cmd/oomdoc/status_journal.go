package main

import (
	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

const (
	keyStatusJournal         oomdoc.Key = "cmd.status.journal"
	keyStatusJournalOff      oomdoc.Key = "cmd.status.journal-off"
	keyStatusJournalDisabled oomdoc.Key = "cmd.status.journal-disabled"
	keyStatusJournalWaits    oomdoc.Key = "cmd.status.journal-waits"
)

// journalSentence says whether the journal is followed, and if not, why.
func journalSentence(s statusReport) (oomdoc.Key, oomdoc.Args) {
	switch {
	case !s.Running:
		return keyStatusJournalOff, nil
	case !s.Daemon.Journal.Enabled:
		return keyStatusJournalDisabled, nil
	case !s.Daemon.Journal.Watching:
		return keyStatusJournalWaits, oomdoc.Args{"why": oomdoc.Text(s.Daemon.Journal.Why)}
	}
	return keyStatusJournal, oomdoc.Args{"records": oomdoc.Count(s.Daemon.Journal.Records)}
}

func journalLine(language *lang.Language, status statusReport) sourceLine {
	line := sourceLine{Name: "journal", Watched: status.Running && status.Daemon.Journal.Watching}
	if !line.Watched {
		line.Why = language.Text(oomdoc.Say(journalSentence(status)))
	}
	return line
}
