package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// storeRun keeps incidents where this user may: in the database that he named or
// the system's, else in his own. It puts their ids in and tells which database
// it was.
func (a *app) storeRun(incidents []oomdoc.Incident) (string, error) {
	path, err := a.databasePath()
	if err != nil {
		return "", err
	}
	database, err := store.Open(context.Background(), path, store.Options{})
	if err != nil && a.database == "" {
		own, ok := a.ownDatabase()
		if !ok {
			return "", err
		}
		path = own
		database, err = openOwn(path)
	}
	if err != nil {
		return "", err
	}
	written, err := database.Write(store.Batch{Incidents: incidents})
	for i := range written {
		if incidents[i].Burst == incidents[i].ID {
			incidents[i].Burst = written[i].ID
		}
		incidents[i].ID = written[i].ID
	}
	return path, errors.Join(err, database.Close())
}

// openOwn waits a little for another command of the same user that ends just now.
func openOwn(path string) (*store.Store, error) {
	const tries, pause = 20, 100 * time.Millisecond
	for try := 1; ; try++ {
		database, err := store.Open(context.Background(), path, store.Options{})
		if try == tries || !errors.Is(err, store.ErrLocked) {
			return database, err
		}
		time.Sleep(pause)
	}
}

// ownDatabase is the user's own: under $XDG_STATE_HOME, which must be absolute to
// count (XDG Base Directory Specification), else under ~/.local/state.
func (a *app) ownDatabase() (string, bool) {
	folder := a.environ["XDG_STATE_HOME"]
	if !filepath.IsAbs(folder) {
		home := a.environ["HOME"]
		if !filepath.IsAbs(home) {
			return "", false
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "oomdoc", "oomdoc.db"), true
}

// openOwnReader opens the user's own database, nil where there is none.
func (a *app) openOwnReader() (*store.Reader, string) {
	path, ok := a.ownDatabase()
	if !ok {
		return nil, ""
	}
	if _, err := os.Stat(path); err != nil {
		return nil, ""
	}
	reader, err := store.OpenReader(path)
	if err != nil {
		return nil, ""
	}
	return reader, path
}
