package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/systemd"
	"github.com/oomdoc/oomdoc/view"
)

// SelftestSchema names the JSON form of `oomdoc selftest`.
const SelftestSchema = "oomdoc.selftest/1"

const (
	// selftestLimit is small, and well above what the hog needs to start.
	selftestLimit = 24 << 20
	// selftestWithin is how long the kill may take to arrive.
	selftestWithin = 15 * time.Second
	// stationIndent is what a clock time and a station's name take of a line.
	stationIndent = 26
)

// A station is a place that the kill passed. Times are the machine's clock.
type station struct {
	Name string     `json:"name"`
	Time *time.Time `json:"time,omitempty"`
	Text string     `json:"text"`
}

type selftestReport struct {
	Schema   string           `json:"schema"`
	OK       bool             `json:"ok"`
	Own      bool             `json:"own_daemon"` // no daemon ran: this process watched by itself
	Stations []station        `json:"stations"`
	Incident *oomdoc.Incident `json:"incident,omitempty"`
}

const (
	keySelftestCgroup  oomdoc.Key = "cmd.selftest.cgroup"
	keySelftestHog     oomdoc.Key = "cmd.selftest.hog"
	keySelftestRead    oomdoc.Key = "cmd.selftest.read"
	keySelftestStored  oomdoc.Key = "cmd.selftest.stored"
	keySelftestAlert   oomdoc.Key = "cmd.selftest.alert"
	keySelftestNoAlert oomdoc.Key = "cmd.selftest.alert-stderr"
	keySelftestVerdict oomdoc.Key = "cmd.selftest.verdict"
	keySelftestDaemon  oomdoc.Key = "cmd.selftest.daemon"
	keySelftestOwn     oomdoc.Key = "cmd.selftest.own"
	keySelftestGood    oomdoc.Key = "cmd.selftest.good"
	keySelftestGoodOwn oomdoc.Key = "cmd.selftest.good-own"
)

func (a *app) selftestCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "selftest",
		Example: "  sudo oomdoc selftest",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			language, err := a.language()
			if err != nil {
				return err
			}
			if os.Geteuid() != 0 {
				return &oomdoc.Error{Code: oomdoc.CodeNotPermitted, Op: "make a memory cgroup", Err: os.ErrPermission, Hint: "sudo " + os.Args[0] + " selftest"}
			}
			// Whoever reads the output may leave (head); the cgroup must go all the same.
			signal.Ignore(syscall.SIGPIPE)
			return a.selftest(c.Context(), language)
		},
	}
}

func (a *app) selftest(ctx context.Context, language *lang.Language) error {
	test := &selftest{app: a, language: language, report: selftestReport{Schema: SelftestSchema}}
	err := test.run(ctx)
	if a.json() {
		encoder := json.NewEncoder(a.Out)
		encoder.SetIndent("", " ")
		if e := encoder.Encode(test.report); e != nil {
			return errors.Join(err, fmt.Errorf("print self-test: %w", e))
		}
	}
	return err
}

// A selftest is one run: it collects the stations and shows each as it comes.
type selftest struct {
	app      *app
	language *lang.Language
	report   selftestReport
	first    time.Time
}

// stationLabels are what stands before the stations.
func stationLabels() map[string]oomdoc.Key {
	return map[string]oomdoc.Key{
		"daemon":  "cmd.selftest.label.daemon",
		"cgroup":  "cmd.selftest.label.cgroup",
		"hog":     "cmd.selftest.label.hog",
		"read":    "cmd.selftest.label.read",
		"stored":  "cmd.selftest.label.stored",
		"alert":   "cmd.selftest.label.alert",
		"verdict": "cmd.selftest.label.verdict",
	}
}

// pass shows a station.
func (t *selftest) pass(name string, at time.Time, key oomdoc.Key, args oomdoc.Args) {
	s := station{Name: name, Text: t.language.Text(oomdoc.Say(key, args))}
	clock, label := "", t.language.Text(oomdoc.Say(stationLabels()[name], nil))
	if !at.IsZero() {
		s.Time = &at
		clock = at.Local().Format("15:04:05.000000")
		if t.first.IsZero() {
			t.first = at
		}
	}
	t.report.Stations = append(t.report.Stations, s)
	if !t.app.json() {
		for _, line := range view.Wrap(view.Escape(s.Text), t.app.width()-stationIndent) {
			fmt.Fprintf(t.app.Out, "%-16s %s %s\n", clock, view.Pad(label, 8), line)
			clock, label = "", ""
		}
	}
}

func (t *selftest) run(ctx context.Context) error {
	path, stop, err := t.watching(ctx)
	if err != nil {
		return err
	}
	defer stop()

	nonce, err := newNonce()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own binary: %w", err)
	}
	box, err := newSmallCgroup(nonce, selftestLimit)
	if err != nil {
		return err
	}
	defer func() {
		if err := box.remove(); err != nil {
			fmt.Fprintf(t.app.Err, "oomdoc: %v\n", err)
		}
	}()
	begun := time.Now()
	t.pass("cgroup", begun, keySelftestCgroup, oomdoc.Args{"path": oomdoc.Text(box.name()), "limit": oomdoc.Bytes(selftestLimit)})
	t.pass("hog", time.Now(), keySelftestHog, nil)
	if err := box.runHog(ctx, self); err != nil {
		return err
	}
	incident, stations, err := waitForNonce(ctx, path, nonce, begun)
	if err != nil {
		return err
	}
	t.arrived(incident, stations)
	return nil
}

// arrived shows the stations of the stored incident.
func (t *selftest) arrived(incident oomdoc.Incident, at store.Stations) {
	rendered := t.language.Render(incident)
	t.report.OK, t.report.Incident = true, &rendered
	t.pass("read", at.Seen, keySelftestRead, nil)
	t.pass("stored", at.Stored, keySelftestStored, oomdoc.Args{
		"id": oomdoc.Text(incident.ID), "after": oomdoc.Duration(at.Stored.Sub(at.Seen))})
	alert := keySelftestAlert
	if err := (systemd.LibrarySender{}).Ready(); err != nil {
		alert = keySelftestNoAlert
	}
	t.pass("alert", time.Time{}, alert, nil)
	t.pass("verdict", time.Time{}, keySelftestVerdict, oomdoc.Args{
		"class": oomdoc.Text(string(incident.Class)), "cause": oomdoc.Text(string(incident.Cause)),
		"confidence": oomdoc.Text(string(incident.Confidence)), "summary": oomdoc.Text(rendered.Summary.Text)})
	if !t.app.json() {
		good := keySelftestGood
		if t.report.Own {
			good = keySelftestGoodOwn
		}
		for _, line := range view.Wrap(view.Escape(t.language.Text(oomdoc.Say(good, oomdoc.Args{"command": oomdoc.Text(os.Args[0])}))), t.app.width()) {
			fmt.Fprintln(t.app.Out, line)
		}
	}
}

// watching finds the daemon that watches this machine, or watches with one of
// our own whose database is thrown away.
func (t *selftest) watching(ctx context.Context) (path string, stop func(), err error) {
	if path, err = t.app.databasePath(); err != nil {
		return "", nil, err
	}
	if pid, ok := livingDaemon(path); ok {
		t.pass("daemon", time.Time{}, keySelftestDaemon, oomdoc.Args{"pid": oomdoc.Text(fmt.Sprint(pid)), "database": oomdoc.Text(path)})
		return path, func() {}, nil
	}
	t.report.Own = true
	t.pass("daemon", time.Time{}, keySelftestOwn, nil)
	return t.watchOurselves(ctx)
}

func livingDaemon(path string) (pid int, ok bool) {
	reader, err := store.OpenReader(path)
	if err != nil {
		return 0, false
	}
	defer reader.Close()
	var state daemon.State
	if written, err := reader.State(daemon.StateKey, &state); err != nil || written.IsZero() {
		return 0, false
	}
	return state.PID, !state.Stopped && daemon.Alive(state.PID)
}

func (t *selftest) watchOurselves(ctx context.Context) (path string, stop func(), err error) {
	folder, err := os.MkdirTemp("", "oomdoc-selftest-")
	if err != nil {
		return "", nil, fmt.Errorf("make folder for the self-test: %w", err)
	}
	config, err := t.app.config()
	if err != nil {
		return "", nil, err
	}
	config.Store.Path = filepath.Join(folder, "oomdoc.db")
	config.Alert.Journal = false
	inner, cancel := context.WithCancel(ctx)
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- daemon.Run(inner, daemon.Options{
			Config: config, Version: version, Language: t.language, Environ: []string{},
			Quiet: true, Log: slog.New(slog.NewTextHandler(t.app.Err, &slog.HandlerOptions{Level: slog.LevelError})),
			Started: func(daemon.State) { close(ready) },
		})
	}()
	stop = func() {
		cancel()
		if err := <-ended; err != nil {
			fmt.Fprintf(t.app.Err, "oomdoc: %v\n", err)
		}
		_ = os.RemoveAll(folder) // a folder of ours in the temporary directory
	}
	select {
	case <-ready:
		return config.Store.Path, stop, nil
	case err := <-ended:
		ended <- nil
		stop()
		return "", nil, err
	}
}

// waitForNonce waits for the incident whose cgroup carries the nonce.
func waitForNonce(ctx context.Context, path, nonce string, since time.Time) (oomdoc.Incident, store.Stations, error) {
	ctx, cancel := context.WithTimeout(ctx, selftestWithin)
	defer cancel()
	for {
		incident, stations, found, err := findNonce(path, nonce, since)
		if err != nil || found {
			return incident, stations, err
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return incident, stations, ctx.Err()
			}
			return incident, stations, &oomdoc.Error{Op: "wait for the kill", Path: path,
				Err:  fmt.Errorf("it did not arrive within %s", selftestWithin),
				Hint: "sudo dmesg | tail -n 40 | oomdoc explain -   (is it in the kernel log?)"}
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func findNonce(path, nonce string, since time.Time) (oomdoc.Incident, store.Stations, bool, error) {
	var none oomdoc.Incident
	reader, err := store.OpenReader(path)
	if err != nil {
		return none, store.Stations{}, false, err
	}
	defer reader.Close()
	incidents, err := reader.List(store.Filter{Since: since.Add(-time.Minute), IncludeSelftest: true, Limit: 100})
	if err != nil {
		return none, store.Stations{}, false, err
	}
	for _, incident := range incidents {
		if incident.Selftest && incident.Kernel != nil && hasNonce(incident.Kernel.OOMCgroup, nonce) {
			stations, err := reader.Stations(incident.ID)
			return incident, stations, err == nil, err
		}
	}
	return none, store.Stations{}, false, nil
}

func newNonce() (string, error) {
	var b [6]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("make a name for the cgroup: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}
