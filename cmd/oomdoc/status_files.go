package main

import (
	"maps"
	"slices"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

const (
	keyStatusFiles         oomdoc.Key = "cmd.status.files"
	keyStatusFilesNone     oomdoc.Key = "cmd.status.files-none"
	keyStatusFilesDisabled oomdoc.Key = "cmd.status.files-disabled"
	keyStatusFilesMissing  oomdoc.Key = "cmd.status.files-missing"
	keyStatusFilesOthers   oomdoc.Key = "cmd.status.files-others"
)

// filesSentence says whether log files are followed, and if not, why.
func filesSentence(s statusReport) (oomdoc.Key, oomdoc.Args) {
	switch {
	case !s.Running:
		return keyStatusJournalOff, nil
	case !s.State.Files.Enabled:
		return keyStatusFilesDisabled, nil
	case len(s.State.Files.Followed) == 0:
		return keyStatusFilesNone, nil
	}
	return keyStatusFiles, oomdoc.Args{"files": oomdoc.Count(len(s.State.Files.Followed)), "records": oomdoc.Count(s.State.Files.Records)}
}

func filesLine(language *lang.Language, status statusReport) sourceLine {
	line := sourceLine{Name: "log files", Watched: status.Running && len(status.State.Files.Followed) > 0}
	if !line.Watched {
		line.Why = language.Text(oomdoc.Say(filesSentence(status)))
	}
	return line
}

// printFiles says what is followed, and what of the configured files is not.
func (a *app) printFiles(item func(string, oomdoc.Key, oomdoc.Args), language *lang.Language, s statusReport) {
	key, args := filesSentence(s)
	item("log files", key, args)
	a.printSource(item, language, s, oomdoc.SourceFile)
	if !s.Running {
		return
	}
	if f := s.State.Files; f.Others > 0 {
		item("", keyStatusFilesOthers, oomdoc.Args{"others": oomdoc.Count(f.Others)})
	}
	const shown = 3
	missing := s.State.Files.Missing
	for _, path := range slices.Sorted(maps.Keys(missing))[:min(shown, len(missing))] {
		item("", keyStatusFilesMissing, oomdoc.Args{"path": oomdoc.Text(path), "why": oomdoc.Text(missing[path])})
	}
}
