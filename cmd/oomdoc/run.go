package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/session"
	"github.com/oomdoc/oomdoc/view"
)

func (a *app) runCommand() *cobra.Command {
	var report string
	c := &cobra.Command{
		Use:   "run [--] COMMAND [ARGUMENT...]",
		Short: "run a command, and explain it if it dies of memory",
		Long: `Run a command with its terminal as it is, watch what it prints and how it ends,
and explain it on standard error if it died of memory. Needs no root and no
service. What it prints passes unchanged and at once; nothing is added where
nothing died of memory. The exit status is the command's; 128 and the number of
a signal that ended it; 127 where there is no such command, 126 where it cannot
be run.`,
		Example: "  oomdoc run -- python train.py --batch-size 32\n  oomdoc run -o json --report oom.json -- ./llama-server -m model.gguf",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.run(args, report) },
	}
	c.Flags().StringVar(&report, "report", "", "write the explanation to this `FILE`, not to standard error")
	c.Flags().SetInterspersed(false)
	return c
}

const leaderName = "run-session"

// leaderCommand is the process of ours that leads the session of a command on a
// terminal (package session).
func (a *app) leaderCommand() *cobra.Command {
	return &cobra.Command{
		Use:                leaderName,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if code := session.Lead(args, a.raw); code != 0 {
				return errQuiet(oomdoc.Code(code))
			}
			return nil
		},
	}
}

func (a *app) run(command []string, report string) error {
	to, closeReport, err := a.reportTo(report)
	if err != nil {
		return err
	}
	watch, err := a.newRunWatch(command)
	if err != nil {
		return err
	}
	result, err := session.Run(session.Options{
		Args: command, Environ: a.raw, In: a.In, Out: a.Out, Err: a.Err,
		Leader:  []string{"/proc/self/exe", leaderName},
		CopyOut: watch.out.Add, CopyErr: watch.err.Add, Started: watch.started,
	})
	incidents := watch.finish(result, err == nil)
	if err != nil {
		return errors.Join(err, closeReport())
	}
	err = errors.Join(a.tellRun(to, incidents, watch.lost(), report != ""), closeReport())
	if err != nil { // the command's own end counts for more
		fmt.Fprintf(a.Err, "oomdoc: %s\n", view.Escape(err.Error()))
	}
	if code := result.Code(); code != 0 {
		return errQuiet(oomdoc.Code(code))
	}
	return nil
}

// reportTo is where the explanation goes. A file that cannot be written is told
// before the command runs.
func (a *app) reportTo(path string) (io.Writer, func() error, error) {
	if path == "" {
		return a.Err, func() error { return nil }, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, nil, &oomdoc.Error{Op: "write report", Err: err, Hint: "name a file that can be written: oomdoc run --report FILE -- COMMAND"}
	}
	return file, file.Close, nil
}

const (
	keyRunStored    oomdoc.Key = "cmd.run.stored"
	keyRunNotStored oomdoc.Key = "cmd.run.not-stored"
	keyRunMissed    oomdoc.Key = "cmd.run.missed"
)

// tellRun stores what was found and explains what the command died of.
func (a *app) tellRun(to io.Writer, incidents []oomdoc.Incident, lost uint64, inFile bool) error {
	language, err := a.language()
	if err != nil {
		return err
	}
	path, stored := "", error(nil)
	if len(incidents) > 0 {
		path, stored = a.storeRun(incidents)
	}
	var rendered []oomdoc.Incident
	for _, incident := range incidents {
		if incident.Outcome != oomdoc.OutcomeDegraded { // it went on: nothing died
			rendered = append(rendered, language.Render(incident))
		}
	}
	if a.json() && (len(rendered) > 0 || inFile) {
		if err := view.JSON(to, rendered); err != nil {
			return err
		}
	}
	if len(rendered) == 0 {
		return nil
	}
	if !a.json() {
		options := a.textOptions()
		options.Color = a.coloredOn(a.Err) && !inFile
		options.NotStored = stored != nil
		for _, incident := range rendered {
			fmt.Fprintln(to)
			if err := view.Text(to, language, incident, options); err != nil {
				return err
			}
		}
	}
	say := func(key oomdoc.Key, args oomdoc.Args) {
		if !a.json() || inFile { // what is read by a program has nothing else in it
			fmt.Fprintln(a.Err, view.Escape(language.Text(oomdoc.Say(key, args))))
		}
	}
	if lost > 0 {
		say(keyRunMissed, oomdoc.Args{"size": oomdoc.Bytes(int64(lost))})
	}
	if stored != nil {
		say(keyRunNotStored, oomdoc.Args{"error": oomdoc.Text(stored.Error())})
	} else {
		say(keyRunStored, oomdoc.Args{"path": oomdoc.Text(path)})
	}
	return nil
}
