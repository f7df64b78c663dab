package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/api"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/view"
)

// StatusSchema names the JSON form of `oomdoc status`.
const StatusSchema = "oomdoc.status/1"

// A statusReport is what `oomdoc status` tells. Sizes are bytes.
type statusReport struct {
	Schema   string `json:"schema"`
	Healthy  bool   `json:"healthy"`
	Running  bool   `json:"running"`
	Version  string `json:"version"` // of this command; the daemon's is in daemon
	Database string `json:"database"`
	daemon.Report
	Sources []sourceLine `json:"sources"`
	Limits  []limitLine  `json:"limits,omitempty"`
	Problem string       `json:"problem,omitempty"`
	Hint    string       `json:"hint,omitempty"`
}

// A sourceLine says of one source whether it is watched, and if not, why.
type sourceLine struct {
	Name    string `json:"name"`
	Watched bool   `json:"watched"`
	Why     string `json:"why,omitempty"`
}

// A limitLine says what the daemon may not do and what would allow it.
type limitLine struct {
	What    string `json:"what"`
	Command string `json:"command,omitempty"`
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
	keyStatusAlerts     oomdoc.Key = "cmd.status.alerts"
	keyStatusAlertsNone oomdoc.Key = "cmd.status.alerts-stderr"
	keyStatusSince      oomdoc.Key = "cmd.status.since"
	keyStatusLast       oomdoc.Key = "cmd.status.last"
	keyStatusWritten    oomdoc.Key = "cmd.status.database-written"
	keyStatusHelperRoot oomdoc.Key = "cmd.status.helper-root"
	keyStatusHelper     oomdoc.Key = "cmd.status.helper"
	keyStatusHelperNone oomdoc.Key = "cmd.status.helper-none"
	keyStatusNames      oomdoc.Key = "cmd.status.names"
	keyStatusVersion    oomdoc.Key = "cmd.status.version"
	keyStatusOther      oomdoc.Key = "cmd.status.other-version"
	keyStatusLimit      oomdoc.Key = "cmd.status.limit"
)

// statusLabels are what stands before the lines of the status.
func statusLabels() map[string]oomdoc.Key {
	return map[string]oomdoc.Key{
		"kernel log": "cmd.status.label.kernel-log",
		"journal":    "cmd.status.label.journal",
		"GPUs":       "cmd.status.label.gpus",
		"alerts":     "cmd.status.label.alerts",
		"helper":     "cmd.status.label.helper",
		"processes":  "cmd.status.label.processes",
		"lost":       "cmd.status.label.lost",
		"database":   "cmd.status.label.database",
		"incidents":  "cmd.status.label.incidents",
		"version":    "cmd.status.label.version",
		"limited":    "cmd.status.label.limited",
	}
}

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
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

// status finds out what is true: from the daemon where it answers this user,
// else from the database. A database that is not there yet is a status, one that
// may not be read is an error.
func (a *app) status(language *lang.Language) (statusReport, error) {
	status := statusReport{Schema: StatusSchema, Version: version}
	path, err := a.databasePath()
	if err != nil {
		return status, err
	}
	status.Database = path
	source, err := a.openSource()
	switch {
	case err != nil && oomdoc.ErrorCode(err) == oomdoc.CodeNotFound:
		status.Problem = language.Text(oomdoc.Say(keyStatusNever, nil))
		status.Hint = startCommand()
		status.Sources = a.sources(language, status)
		return status, nil
	case err != nil:
		return status, err
	}
	defer func() { _ = source.Close() }() // it was only read
	return status, a.readStatus(source, language, &status)
}

// startCommand is what to type where no daemon runs: the service starts where it
// is installed.
func startCommand() string {
	for _, folder := range []string{"/etc", "/usr/local/lib", "/usr/lib"} {
		if _, err := os.Stat(filepath.Join(folder, "systemd/system/oomdoc.service")); err == nil {
			return "sudo systemctl start oomdoc"
		}
	}
	return "sudo oomdoc daemon"
}

func (a *app) readStatus(source api.Source, language *lang.Language, status *statusReport) error {
	if err := a.readReport(source, status); err != nil {
		return err
	}
	state := status.State
	status.Running = state != nil && !state.Stopped && daemon.Alive(state.PID)
	switch {
	case !status.Running:
		status.Problem = language.Text(oomdoc.Say(keyStatusStopped, nil))
		status.Hint = startCommand()
	case state.Failing != "":
		status.Problem = language.Text(oomdoc.Say(keyStatusFailing, oomdoc.Args{"error": oomdoc.Text(state.Failing)}))
	}
	status.Healthy = status.Running && state.Failing == ""
	status.Sources = a.sources(language, *status)
	if status.Running {
		for _, limit := range state.Limits {
			status.Limits = append(status.Limits, limitLine{language.Text(limit.What), limit.Command})
		}
	}
	return nil
}

// readReport asks the daemon that has the database, which knows what is so now;
// what stands in the database may be some time old.
func (a *app) readReport(source api.Source, status *statusReport) error {
	if client, ok := source.(*api.Client); ok {
		if err := client.Status(&status.Report); err != nil {
			return err
		}
		if status.State != nil {
			status.Database = status.State.Database
		}
		return nil
	}
	reader, ok := source.(*store.Reader)
	if !ok {
		return errors.ErrUnsupported
	}
	var err error
	if status.Report, err = daemon.ReadReport(reader, status.Database, a.now()); err != nil {
		return err
	}
	client, absent := a.daemonClient()
	var live daemon.Report
	if absent == nil && client.Status(&live) == nil && live.State != nil && live.State.Database == status.Database {
		status.State = live.State
	}
	return nil
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
		filesLine(language, status),
		gpuLine(language, status),
	}
}

// statusLine is the state in one line.
func (a *app) statusLine(language *lang.Language, s statusReport) string {
	if s.Problem != "" {
		return s.Problem
	}
	return language.Text(oomdoc.Say(keyStatusRunning, oomdoc.Args{
		"pid": oomdoc.Text(fmt.Sprint(s.State.PID)), "age": oomdoc.Text(language.Age(s.State.Started, a.now()))}))
}

func (a *app) printStatus(language *lang.Language, s statusReport) {
	line := func(text string) { fmt.Fprintln(a.Out, view.Escape(text)) }
	item := func(name string, key oomdoc.Key, args oomdoc.Args) {
		label := ""
		if name != "" {
			label = language.Text(oomdoc.Say(statusLabels()[name], nil))
		}
		for _, part := range view.Wrap(view.Escape(language.Text(oomdoc.Say(key, args))), a.width()-14) {
			fmt.Fprintf(a.Out, "  %s %s\n", view.Pad(label, 11), part)
			label = ""
		}
	}
	line(a.statusLine(language, s))
	if s.Hint != "" {
		line("  " + s.Hint)
	}
	fmt.Fprintln(a.Out)
	if s.Running {
		k := s.State.Kmsg
		item("kernel log", keyStatusKmsg, oomdoc.Args{"path": oomdoc.Text(k.Path), "reader": oomdoc.Text(k.Reader), "records": oomdoc.Count(k.Records)})
		a.printSource(item, language, s, oomdoc.SourceKmsg)
	} else {
		item("kernel log", keyStatusKmsgOff, nil)
	}
	key, args := journalSentence(s)
	item("journal", key, args)
	a.printSource(item, language, s, oomdoc.SourceJournal)
	a.printFiles(item, language, s)
	a.printGPUs(item, language, s)
	if s.Running {
		key := keyStatusAlerts
		if !s.State.Alerts.Journal {
			key = keyStatusAlertsNone
		}
		item("alerts", key, oomdoc.Args{"sent": oomdoc.Count(s.State.Alerts.Sent)})
	}
	a.printHelper(item, s)
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
	if s.LastWrite != nil {
		item("", keyStatusWritten, oomdoc.Args{"age": oomdoc.Text(language.Age(*s.LastWrite, a.now()))})
	}
	if s.Newest != nil {
		item("incidents", keyStatusIncidents, oomdoc.Args{"n": oomdoc.Count(s.Incidents), "age": oomdoc.Text(language.Age(*s.Newest, a.now()))})
	} else {
		item("incidents", keyStatusNone, nil)
	}
	if s.Running && s.State.Version != s.Version {
		item("version", keyStatusOther, oomdoc.Args{"daemon": oomdoc.Text(s.State.Version), "command": oomdoc.Text(s.Version)})
	} else {
		item("version", keyStatusVersion, oomdoc.Args{"version": oomdoc.Text(s.Version)})
	}
	for _, limit := range s.Limits {
		item("limited", keyStatusLimit, oomdoc.Args{"what": oomdoc.Text(limit.What)})
		if limit.Command != "" {
			line("              " + limit.Command)
		}
	}
}

// printSource says since when a source is watched and what it lost.
func (a *app) printSource(item func(string, oomdoc.Key, oomdoc.Args), language *lang.Language, s statusReport, name oomdoc.Source) {
	if !s.Running {
		return
	}
	for _, source := range s.State.Sources {
		if source.Name != string(name) || !source.Watched {
			continue
		}
		item("", keyStatusSince, oomdoc.Args{"time": oomdoc.Instant(source.Since)})
		if !source.Last.IsZero() {
			item("", keyStatusLast, oomdoc.Args{"age": oomdoc.Text(language.Age(source.Last, a.now())), "lost": oomdoc.Count(source.Lost)})
		}
	}
	if name == oomdoc.SourceJournal && s.State.Journal.Limited > 0 {
		item("", keyStatusJournalLimited, oomdoc.Args{"limited": oomdoc.Count(s.State.Journal.Limited)})
	}
}

// printHelper says who does what only root may do.
func (a *app) printHelper(item func(string, oomdoc.Key, oomdoc.Args), s statusReport) {
	if !s.Running {
		return
	}
	switch h := s.State.Helper; {
	case !h.Needed:
		item("helper", keyStatusHelperRoot, nil)
	case h.Reachable:
		item("helper", keyStatusHelper, oomdoc.Args{"socket": oomdoc.Text(h.Socket)})
	default:
		item("helper", keyStatusHelperNone, oomdoc.Args{"socket": oomdoc.Text(h.Socket)})
	}
	item("processes", keyStatusNames, oomdoc.Args{"processes": oomdoc.Count(s.State.Processes), "names": oomdoc.Count(s.State.Names)})
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
			a.report(err)
			return nil
		}
		return err
	}
	fmt.Fprintln(a.Out, view.Escape(a.statusLine(language, status)))
	return nil
}
