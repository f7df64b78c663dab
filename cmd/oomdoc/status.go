package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/view"
)

// StatusSchema names the JSON form of `oomdoc status`.
const StatusSchema = "oomdoc.status/1"

// A statusReport is what `oomdoc status` tells. Sizes are bytes.
type statusReport struct {
	Schema    string        `json:"schema"`
	Healthy   bool          `json:"healthy"`
	Running   bool          `json:"running"`
	Version   string        `json:"version"`
	Daemon    *daemon.State `json:"daemon,omitempty"`
	Database  string        `json:"database"`
	Size      int64         `json:"database_bytes,omitempty"`
	Incidents int           `json:"incidents"`
	Newest    *time.Time    `json:"newest,omitempty"`
	Lost      []store.Gap   `json:"lost,omitempty"`
	Sources   []sourceLine  `json:"sources"`
	Problem   string        `json:"problem,omitempty"`
	Hint      string        `json:"hint,omitempty"`
}

// A sourceLine says of one source whether it is watched, and if not, why.
type sourceLine struct {
	Name    string `json:"name"`
	Watched bool   `json:"watched"`
	Why     string `json:"why,omitempty"`
}

const (
	keyStatusRunning    oomdoc.Key = "cmd.status.running"
	keyStatusStopped    oomdoc.Key = "cmd.status.stopped"
	keyStatusNever      oomdoc.Key = "cmd.status.never"
	keyStatusFailing    oomdoc.Key = "cmd.status.failing"
	keyStatusIncidents  oomdoc.Key = "cmd.status.incidents"
	keyStatusNone       oomdoc.Key = "cmd.status.no-incidents"
	keyStatusDatabase   oomdoc.Key = "cmd.status.database"
	keyStatusKmsg       oomdoc.Key = "cmd.status.kmsg"
	keyStatusKmsgOff    oomdoc.Key = "cmd.status.kmsg-off"
	keyStatusLost       oomdoc.Key = "cmd.status.lost"
	keyStatusLostNone   oomdoc.Key = "cmd.status.lost-none"
	keyStatusGPU        oomdoc.Key = "cmd.status.gpu-off"
	keyStatusAlerts     oomdoc.Key = "cmd.status.alerts"
	keyStatusAlertsNone oomdoc.Key = "cmd.status.alerts-stderr"
)

// lostWithin is how far back lost records are told.
const lostWithin = 30 * 24 * time.Hour

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "what is watched, what is not and why",
		Long:    "Say what is watched, what is not and why, and what would change that. Exit status 0\nwhen the daemon runs and can store what it sees, 1 when not.",
		Example: "  oomdoc status\n  oomdoc status -o json | jq .daemon.kmsg",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			language, err := a.language()
			if err != nil {
				return err
			}
			status, err := a.status(language)
			if err != nil {
				return err
			}
			if a.json() {
				encoder := json.NewEncoder(a.Out)
				encoder.SetIndent("", " ")
				if err := encoder.Encode(status); err != nil {
					return fmt.Errorf("print status: %w", err)
				}
			} else {
				a.printStatus(language, status)
			}
			if !status.Healthy {
				return errQuiet(oomdoc.CodeFailed)
			}
			return nil
		},
	}
}

// status finds out what is true. A database that is not there yet is a
// status, one that may not be read is an error.
func (a *app) status(language *lang.Language) (statusReport, error) {
	status := statusReport{Schema: StatusSchema, Version: version}
	path, err := a.databasePath()
	if err != nil {
		return status, err
	}
	status.Database = path
	reader, err := a.openReader()
	switch {
	case err != nil && oomdoc.ErrorCode(err) == oomdoc.CodeNotFound:
		status.Problem = language.Text(oomdoc.Say(keyStatusNever, nil))
		status.Hint = "sudo oomdoc daemon"
		status.Sources = a.sources(language, status)
		return status, nil
	case err != nil:
		return status, err
	}
	defer reader.Close()
	return status, a.readStatus(reader, language, &status)
}

func (a *app) readStatus(reader *store.Reader, language *lang.Language, status *statusReport) error {
	var state daemon.State
	written, err := reader.State(daemon.StateKey, &state)
	if err != nil {
		return err
	}
	if !written.IsZero() {
		status.Daemon = &state
		status.Running = !state.Stopped && daemon.Alive(state.PID)
	}
	switch {
	case !status.Running:
		status.Problem = language.Text(oomdoc.Say(keyStatusStopped, nil))
		status.Hint = "sudo oomdoc daemon"
	case state.Failing != "":
		status.Problem = language.Text(oomdoc.Say(keyStatusFailing, oomdoc.Args{"error": oomdoc.Text(state.Failing)}))
	}
	status.Healthy = status.Running && state.Failing == ""
	status.Sources = a.sources(language, *status)
	if status.Incidents, err = reader.Count(store.Filter{}); err != nil {
		return err
	}
	if status.Size, err = reader.Size(); err != nil {
		return err
	}
	newest, err := reader.List(store.Filter{Limit: 1})
	if err != nil {
		return err
	}
	if len(newest) > 0 {
		status.Newest = &newest[0].Time
	}
	status.Lost, err = reader.Gaps(a.now().Add(-lostWithin))
	return err
}

// sources are the places where failures show, watched or not.
func (a *app) sources(language *lang.Language, status statusReport) []sourceLine {
	kernel := sourceLine{Name: "kernel log", Watched: status.Running}
	if !status.Running {
		kernel.Why = language.Text(oomdoc.Say(keyStatusKmsgOff, nil))
	}
	return []sourceLine{
		kernel,
		journalLine(language, status),
		{Name: "GPUs", Why: language.Text(oomdoc.Say(keyStatusGPU, nil))},
	}
}

// statusLine is the state in one line.
func (a *app) statusLine(language *lang.Language, s statusReport) string {
	if s.Problem != "" {
		return s.Problem
	}
	return language.Text(oomdoc.Say(keyStatusRunning, oomdoc.Args{
		"pid": oomdoc.Text(fmt.Sprint(s.Daemon.PID)), "age": oomdoc.Duration(a.now().Sub(s.Daemon.Started))}))
}

func (a *app) printStatus(language *lang.Language, s statusReport) {
	line := func(text string) { fmt.Fprintln(a.Out, view.Escape(text)) }
	item := func(name string, key oomdoc.Key, args oomdoc.Args) {
		for i, part := range view.Wrap(view.Escape(language.Text(oomdoc.Say(key, args))), a.width()-14) {
			if i > 0 {
				name = ""
			}
			fmt.Fprintf(a.Out, "  %-11s %s\n", name, part)
		}
	}
	line(a.statusLine(language, s))
	if s.Hint != "" {
		line("  " + s.Hint)
	}
	fmt.Fprintln(a.Out)
	if s.Running {
		k := s.Daemon.Kmsg
		item("kernel log", keyStatusKmsg, oomdoc.Args{"path": oomdoc.Text(k.Path), "reader": oomdoc.Text(k.Reader), "records": oomdoc.Count(k.Records)})
	} else {
		item("kernel log", keyStatusKmsgOff, nil)
	}
	key, args := journalSentence(s)
	item("journal", key, args)
	item("GPUs", keyStatusGPU, nil)
	if s.Running {
		key := keyStatusAlerts
		if !s.Daemon.Alerts.Journal {
			key = keyStatusAlertsNone
		}
		item("alerts", key, oomdoc.Args{"sent": oomdoc.Count(s.Daemon.Alerts.Sent)})
	}
	var lost uint64
	for _, gap := range s.Lost {
		lost += gap.Lost
	}
	if lost > 0 {
		item("lost", keyStatusLost, oomdoc.Args{"records": oomdoc.Count(lost), "times": oomdoc.Count(len(s.Lost))})
	} else {
		item("lost", keyStatusLostNone, nil)
	}
	item("database", keyStatusDatabase, oomdoc.Args{"path": oomdoc.Text(s.Database), "size": oomdoc.Bytes(s.Size)})
	if s.Newest != nil {
		item("incidents", keyStatusIncidents, oomdoc.Args{"n": oomdoc.Count(s.Incidents), "age": oomdoc.Duration(a.now().Sub(*s.Newest))})
	} else {
		item("incidents", keyStatusNone, nil)
	}
}

// overview is what a bare `oomdoc` prints: what it can do, and the state.
func (a *app) overview(c *cobra.Command) error {
	if err := c.Help(); err != nil {
		return fmt.Errorf("print help: %w", err)
	}
	language, err := a.language()
	if err != nil {
		return err
	}
	fmt.Fprintln(a.Out)
	status, err := a.status(language)
	if err != nil {
		if hint := oomdoc.ErrorHint(err); hint != "" {
			fmt.Fprintln(a.Out, view.Escape(err.Error()+"; try: "+hint))
			return nil
		}
		return err
	}
	fmt.Fprintln(a.Out, view.Escape(a.statusLine(language, status)))
	return nil
}
