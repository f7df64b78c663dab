package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/store"
)

// ImportSchema names the object that `oomdoc import -o json` prints.
const ImportSchema = "oomdoc.import/1"

const (
	keyImportDone    oomdoc.Key = "cmd.import.done"
	keyImportReached oomdoc.Key = "cmd.import.reached"
	keyImportJournal oomdoc.Key = "cmd.import.journal"
)

func (a *app) importCommand() *cobra.Command {
	var since string
	c := &cobra.Command{
		Use:     "import [FILE...]",
		Example: "  sudo oomdoc import\n  sudo oomdoc import --since 90d\n  sudo oomdoc import /mnt/old/var/log/kern.log*",
		RunE: func(c *cobra.Command, args []string) error {
			var from time.Time
			if since != "" {
				age, err := parseAge(since)
				if err != nil {
					return usage(c, err)
				}
				from = a.now().Add(-age)
			}
			return a.importLogs(c.Context(), args, from)
		},
	}
	c.Flags().StringVar(&since, "since", "", "")
	return c
}

func (a *app) importLogs(ctx context.Context, files []string, since time.Time) (err error) {
	config, err := a.config()
	if err != nil {
		return err
	}
	language, err := a.language()
	if err != nil {
		return err
	}
	path, err := a.databasePath()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	database, err := store.OpenBeside(ctx, path, store.Options{Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	importer, err := daemon.NewImporter(database, log, since)
	if err != nil {
		return err
	}
	progress := &importProgress{app: a, language: language}
	if isTerminal(a.Err) {
		importer.Progress = progress.tell
	}
	failed := 0
	for _, step := range a.importSteps(config, files, importer, language) {
		if ctx.Err() != nil {
			break
		}
		progress.name = step.name
		if err := step.read(ctx); err != nil && ctx.Err() == nil {
			progress.done()
			a.report(fmt.Errorf("%s: %w", step.name, err))
			failed++
		}
	}
	progress.done()
	if err := a.printImported(language, importer.Result()); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return errQuiet(oomdoc.CodeInterrupted)
	case failed > 0:
		return errQuiet(oomdoc.CodeFailed)
	}
	return nil
}

// An importStep is one place that is read.
type importStep struct {
	name string
	read func(context.Context) error
}

func (a *app) importSteps(config daemon.Config, files []string, importer *daemon.Importer, language *lang.Language) []importStep {
	var steps []importStep
	if len(files) == 0 {
		steps = []importStep{
			{language.Text(oomdoc.Say(keyImportJournal, nil)), func(ctx context.Context) error {
				return importer.Journal(ctx, daemon.JournalOf(config.Journal), false)
			}},
			{config.Kmsg.Path, func(ctx context.Context) error { return importer.Ring(ctx, config.Kmsg, "/proc") }},
			{"pstore", func(context.Context) error {
				err := importer.Dumps(filepath.SplitList(config.Pstore.Folders))
				if errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				return err
			}},
		}
		files = daemon.LogFiles("/var/log")
	}
	for _, path := range files {
		steps = append(steps, importStep{path, func(ctx context.Context) error { return importer.File(ctx, path) }})
	}
	return steps
}

func (a *app) printImported(language *lang.Language, result daemon.Imported) error {
	if !a.json() {
		fmt.Fprintln(a.Out, language.Text(oomdoc.Say(keyImportDone, oomdoc.Args{
			"records": oomdoc.Count(result.Records), "new": oomdoc.Count(result.New), "known": oomdoc.Count(result.Known),
		})))
		return nil
	}
	err := json.NewEncoder(a.Out).Encode(struct {
		Schema string `json:"schema"`
		daemon.Imported
	}{ImportSchema, result})
	if err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	return nil
}

// An importProgress is the line that shows how far an import is.
type importProgress struct {
	app      *app
	language *lang.Language
	name     string
	next     time.Time
	shown    bool
}

func (p *importProgress) tell(result daemon.Imported, reached time.Time) {
	if now := time.Now(); now.After(p.next) {
		p.next, p.shown = now.Add(progressAfter/10), true
		fmt.Fprintf(p.app.Err, "\r\x1b[K%s", p.language.Text(oomdoc.Say(keyImportReached, oomdoc.Args{
			"name": oomdoc.Text(p.name), "time": oomdoc.Instant(reached), "new": oomdoc.Count(result.New),
		})))
	}
}

func (p *importProgress) done() {
	if p.shown {
		fmt.Fprint(p.app.Err, "\r\x1b[K")
		p.shown = false
	}
}
