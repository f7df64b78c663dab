package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/systemd"
)

// errReload ends a run because another begins, with another configuration.
var errReload = errors.New("the configuration is read again")

const (
	keyReloadRefused oomdoc.Key = "daemon.status.reload-refused"
	keyReloadFailed  oomdoc.Key = "daemon.status.reload-failed"
)

// Reload says when the configuration is to be read again, and how.
type Reload struct {
	Asked <-chan os.Signal
	Load  func() (Config, error)
}

// Serve is Run with reloads. A reload stops everything and starts it again with
// the new configuration, in the same process and where it stopped: what a key
// changes need not be known key by key, and the kernel's ring keeps what comes
// in between. A configuration that is wrong, or with which nothing can be
// watched, is refused, and the one before stays in use.
func Serve(ctx context.Context, o Options, reload Reload) error {
	o.defaults()
	r := reloader{options: o, reload: reload, log: o.Log, notify: systemd.NewNotifier(o.Environ)}
	for {
		next, err := r.runUntilReload(ctx, o)
		switch {
		case ctx.Err() != nil:
			return err
		case next != nil && err == nil:
			previous := o.Config
			o.Config, r.previous = *next, &previous
			continue
		case err == nil || r.started || r.previous == nil:
			return err
		}
		// It did not come as far as to watch.
		r.log.Error("the new configuration does not work and the one before is used", "error", err, "hint", oomdoc.ErrorHint(err))
		r.refused, r.refusal = keyReloadFailed, err
		o.Config, r.previous = *r.previous, nil
	}
}

// A reloader is what Serve keeps from one run to the next.
type reloader struct {
	options  Options
	reload   Reload
	log      *slog.Logger
	notify   *systemd.Notifier
	previous *Config // what was in use before a reload; nil: nothing to go back to
	started  bool    // the run came as far as to watch

	refused oomdoc.Key // why the last reload changed nothing; empty: it did
	refusal error
}

// runUntilReload runs until ctx ends, something fails, or a configuration was
// read that is right; that one is returned.
func (r *reloader) runUntilReload(ctx context.Context, o Options) (*Config, error) {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.started = false
	started := make(chan struct{})
	o.Started = func(state State) {
		r.started = true
		r.tellRefusal()
		if r.options.Started != nil {
			r.options.Started(state)
			r.options.Started = nil // what is watched is said once
		}
		close(started)
	}
	var next *Config
	waited := make(chan struct{})
	go func() {
		defer close(waited)
		select {
		case <-started: // a signal that comes earlier waits
		case <-inner.Done():
			return
		}
		for next == nil {
			select {
			case <-inner.Done():
				return
			case <-r.reload.Asked:
				next = r.read()
			}
		}
		stop(errReload)
	}()
	err := Run(inner, o)
	stop(nil)
	<-waited
	if err != nil && next != nil && r.started {
		// It stopped for the reload, and could not write everything.
		r.log.Warn("something was left undone when the configuration was read again", "error", err)
		err = nil
	}
	return next, err
}

// read reads the configuration; nil when it is wrong.
func (r *reloader) read() *Config {
	if err := r.notify.Reloading(); err != nil {
		r.log.Warn("cannot tell systemd of the reload", "error", err)
	}
	config, err := r.reload.Load()
	if err == nil {
		return &config
	}
	r.log.Error("the configuration is wrong and the one before stays in use", "error", err, "hint", oomdoc.ErrorHint(err))
	r.refused, r.refusal = keyReloadRefused, err
	r.tellRefusal()
	return nil
}

// tellRefusal ends a reload that changed nothing, with its reason where
// `systemctl status` shows it.
func (r *reloader) tellRefusal() {
	if r.refused == "" {
		return
	}
	status := fmt.Sprint(r.refusal)
	if r.options.Language != nil {
		status = r.options.Language.Text(oomdoc.Say(r.refused, oomdoc.Args{"error": oomdoc.Text(status)}))
	}
	r.refused, r.refusal = "", nil
	if err := r.notify.Ready(status); err != nil {
		r.log.Warn("cannot tell systemd the status", "error", err)
	}
}
