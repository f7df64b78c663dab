package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/api"
	"github.com/oomdoc/oomdoc/view"
)

// openSource finds where this user may read incidents: in the database, else
// from the daemon, who tells each user what he may see. A database that was
// asked for by --db is never replaced by another.
func (a *app) openSource() (api.Source, error) {
	reader, err := a.openReader()
	if err == nil {
		return reader, nil
	}
	code := oomdoc.ErrorCode(err)
	if a.database != "" || code != oomdoc.CodeNotPermitted && code != oomdoc.CodeNotFound {
		return nil, err
	}
	if code == oomdoc.CodeNotPermitted {
		client, absent := a.daemonClient()
		if absent == nil {
			return client, nil
		}
		if errors.Is(absent, api.ErrAbsent) {
			err = withReason(err, absent)
		}
	}
	return a.openOwnSource(err)
}

const keyOwn oomdoc.Key = "cmd.own"

// openOwnSource is the user's own database, where `oomdoc run` keeps what it may
// keep nowhere else, and says so; without one it gives why the system's cannot be
// read.
func (a *app) openOwnSource(why error) (api.Source, error) {
	reader, path := a.openOwnReader()
	if reader == nil {
		return nil, why
	}
	language, err := a.language()
	if err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	fmt.Fprintln(a.Err, view.Escape(language.Text(oomdoc.Say(keyOwn, oomdoc.Args{"path": oomdoc.Text(path), "error": oomdoc.Text(why.Error())}))))
	return reader, nil
}

// openIncidents is openSource for a command that prints incidents. Where there
// is none yet, a script gets the object all the same.
func (a *app) openIncidents() (api.Source, error) {
	source, err := a.openSource()
	if err != nil && oomdoc.ErrorCode(err) == oomdoc.CodeNotFound && a.json() {
		err = errors.Join(err, view.JSON(a.Out, nil))
	}
	return source, err
}

// daemonClient is the way to a daemon that answers.
func (a *app) daemonClient() (*api.Client, error) {
	client := api.NewClient(filepath.Join(a.runDir(), api.SocketName))
	return client, client.Ready()
}

// withReason says beside why the database cannot be read why nobody else tells
// what is in it.
func withReason(err, reason error) error {
	if e, ok := errors.AsType[*oomdoc.Error](err); ok {
		both := *e
		both.Err = fmt.Errorf("%w, and %w", e.Err, reason)
		return &both
	}
	return errors.Join(err, reason)
}

const keyHidden oomdoc.Key = "cmd.hidden"

// tellHidden says that not all of what is shown was told to this user.
func (a *app) tellHidden(source api.Source) error {
	client, ok := source.(*api.Client)
	if !ok || client.Hidden() == 0 || a.json() {
		return nil
	}
	language, err := a.language()
	if err != nil {
		return err
	}
	who := strconv.Itoa(os.Getuid())
	if found, err := user.LookupId(who); err == nil {
		who = found.Username // $USER may be another's, after sudo
	}
	fmt.Fprintln(a.Err, language.Text(oomdoc.Say(keyHidden, oomdoc.Args{
		"n": oomdoc.Count(client.Hidden()), "user": oomdoc.Text(who)})))
	return nil
}
