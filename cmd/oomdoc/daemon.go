package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/view"
)

func (a *app) daemonCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "daemon",
		Example: "  sudo oomdoc daemon --db ./run/oomdoc.db",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			config, err := a.config()
			if err != nil {
				return err
			}
			language, err := a.language()
			if err != nil {
				return err
			}
			options := daemon.Options{
				Config: config, Version: version, Language: language, RunDir: a.runDir(), Stderr: a.Err,
				Environ: a.raw, Log: slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: slog.LevelWarn})),
			}
			if options.Patient = a.isService(); !options.Patient {
				watcher := &watcher{app: a, language: language}
				options.Print = watcher.print
				options.Started = watcher.started
				// What is printed here need not be said again.
				options.Stderr = io.Discard
			}
			return final(daemon.Serve(c.Context(), options, daemon.Reload{Asked: a.hangups(), Load: a.config}))
		},
	}
}

// hangups are the requests to read the configuration again. By hand SIGHUP says
// that the terminal is gone, and ends the daemon as it ends any program.
func (a *app) hangups() <-chan os.Signal {
	asked := make(chan os.Signal, 1)
	if a.isService() {
		signal.Notify(asked, syscall.SIGHUP)
	}
	return asked
}

// final gives a failure that no restart mends the status with which systemd
// does not try one (RestartPreventExitStatus= in oomdoc.service).
func final(err error) error {
	if !errors.Is(err, store.ErrNewer) && !errors.Is(err, store.ErrForeign) {
		return err
	}
	return &oomdoc.Error{Code: oomdoc.CodeUsage, Err: err, Hint: oomdoc.ErrorHint(err)}
}

// isService tells whether systemd started us: then the journal has everything.
func (a *app) isService() bool {
	return a.environ["INVOCATION_ID"] != "" && a.environ["NOTIFY_SOCKET"] != ""
}

// A watcher shows a foreground daemon's incidents to the person who started it.
type watcher struct {
	app      *app
	language *lang.Language
	burst    string
}

const (
	keyWatching     oomdoc.Key = "cmd.watching"
	keyWatchingHow  oomdoc.Key = "cmd.watching-how"
	keyWatchingStop oomdoc.Key = "cmd.watching-stop"
	keyBurstMore    oomdoc.Key = "cmd.burst-more"
)

func (w *watcher) started(state daemon.State) {
	say := func(key oomdoc.Key, args oomdoc.Args) {
		fmt.Fprintln(w.app.Out, view.Escape(w.language.Text(oomdoc.Say(key, args))))
	}
	say(keyWatching, oomdoc.Args{"path": oomdoc.Text(state.Kmsg.Path), "database": oomdoc.Text(state.Database)})
	say(keyWatchingHow, oomdoc.Args{"command": oomdoc.Text(os.Args[0])})
	say(keyWatchingStop, nil)
}

// print shows an incident whole, and of a burst only the first whole.
func (w *watcher) print(incident oomdoc.Incident) {
	rendered := w.language.Render(incident)
	if incident.Burst != "" && incident.Burst == w.burst {
		more := w.language.Text(oomdoc.Say(keyBurstMore, oomdoc.Args{
			"summary": oomdoc.Text(rendered.Summary.Text), "id": oomdoc.Text(incident.ID)}))
		for _, line := range view.Wrap(view.Escape(more), w.app.width()-2) {
			fmt.Fprintln(w.app.Out, "  "+line)
		}
		return
	}
	w.burst = incident.Burst
	if w.burst == "" {
		w.burst = incident.ID
	}
	fmt.Fprintln(w.app.Out)
	if err := view.Text(w.app.Out, w.language, rendered, w.app.textOptions()); err != nil {
		fmt.Fprintf(w.app.Err, "oomdoc: print incident: %v\n", err)
	}
}
