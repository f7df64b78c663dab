package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/proc"
	"github.com/oomdoc/oomdoc/record"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/systemd"
)

const (
	// importKey is where the store keeps how far an import came.
	importKey = "import"
	// importOverlap is read again when an import goes on: reports that were open.
	importOverlap = 10 * time.Minute
	// importYoungest: what is newer is the daemon's, who alerts it; an import must
	// not come before it.
	importYoungest = time.Minute
	importBatch    = 64
	maxImportFiles = 1024
)

// Imported is what an import found.
type Imported struct {
	Records uint64 `json:"records"`
	New     int    `json:"new"`
	Known   int    `json:"known"`
}

// importState is how far an import came.
type importState struct {
	Journal time.Time           `json:"journal,omitzero"` // read up to here
	Files   map[string]FileMark `json:"files,omitempty"`
}

// A FileMark tells a log file that was read whole from one that has changed.
type FileMark struct {
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	Inode    uint64    `json:"inode"`
}

// An Importer stores the failures of old logs, without alerts. What is stored
// already stays one incident.
type Importer struct {
	store    *store.Store
	log      *slog.Logger
	began    time.Time
	since    time.Time // what is older is left out; zero: nothing is
	state    importState
	pending  map[string]oomdoc.Incident
	order    []string
	result   Imported
	failure  error
	Progress func(Imported, time.Time) // told now and then, with the time that was reached; nil: nobody
}

// NewImporter makes one; with a since it reads again what an earlier import has
// read.
func NewImporter(database *store.Store, log *slog.Logger, since time.Time) (*Importer, error) {
	i := &Importer{store: database, log: log, began: time.Now(), since: since, pending: make(map[string]oomdoc.Incident)}
	if _, err := database.State(importKey, &i.state); err != nil {
		return nil, err
	}
	if i.state.Files == nil || !since.IsZero() {
		i.state.Files = make(map[string]FileMark)
	}
	return i, nil
}

// Result is what was found so far.
func (i *Importer) Result() Imported { return i.result }

// Journal reads the journal of all boots. kernelOnly is for a machine that
// should not notice.
func (i *Importer) Journal(ctx context.Context, source systemd.JournalSource, kernelOnly bool) error {
	if !source.Files() {
		return nil
	}
	query := systemd.HistoryQuery{Since: i.since, Gentle: kernelOnly}
	if query.Since.IsZero() && !i.state.Journal.IsZero() {
		query.Since = i.state.Journal.Add(-importOverlap)
	}
	if !kernelOnly {
		query.Anchors = applog.Anchors()
	}
	diagnoser := i.diagnoser(oomdoc.SourceJournal)
	reached := i.state.Journal
	err := source.History(ctx, query, func(rec *oomdoc.Record) {
		if i.failure != nil {
			return
		}
		diagnoser.Feed(rec)
		i.count(rec)
		if rec.Time.After(reached) {
			reached = rec.Time
		}
		if _, open := diagnoser.Oldest(); !open && len(i.pending) >= importBatch {
			i.state.Journal = reached
			i.write()
		}
	})
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("read journal: %w", err)
	}
	diagnoser.Flush()
	i.state.Journal = reached
	i.write()
	return errors.Join(err, i.failure)
}

// Ring reads what the kernel still has of this boot.
func (i *Importer) Ring(ctx context.Context, config KmsgConfig, procRoot string) error {
	boot, err := proc.BootID(procRoot)
	if err != nil {
		return err
	}
	follower, err := kmsg.Follow(ctx, kmsg.Options{
		Path: config.Path, Reader: kmsg.ReaderOwn, QueueBytes: int(config.QueueSize), BootID: boot, ProcRoot: procRoot, Log: i.log,
	})
	if err != nil {
		return err
	}
	defer func() { _ = follower.Close() }() // it was only read
	diagnoser := i.diagnoser(oomdoc.SourceKmsg)
	var rec oomdoc.Record
	for {
		wait, cancel := context.WithTimeout(ctx, tickEvery)
		err := follower.Next(wait, &rec)
		cancel()
		if err != nil && (ctx.Err() != nil || follower.Stats().BacklogDone) {
			break
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if err == nil {
			diagnoser.Feed(&rec)
			i.count(&rec)
			if rec.Time.After(i.began) {
				break
			}
		}
	}
	diagnoser.Flush()
	i.write()
	return errors.Join(ctx.Err(), i.failure)
}

// Dumps reads what pstore kept of boots that ended in a panic.
func (i *Importer) Dumps(folders []string) error {
	dumps, err := record.FindDumps(folders)
	for at := range dumps {
		for _, incident := range panicsOf(&dumps[at], i.log) {
			i.add(incident)
		}
	}
	i.write()
	return errors.Join(err, i.failure)
}

func (i *Importer) diagnoser(source oomdoc.Source) *Diagnoser {
	return NewDiagnoser(DiagnoserOptions{
		PageSize: int64(os.Getpagesize()),
		Emit: func(incident oomdoc.Incident) {
			incident.Source = source
			i.add(incident)
		},
		Panicked: func(record string, value any) {
			i.log.Error("a record could not be understood and was passed over", "record", record, "panic", value)
		},
	})
}

// count counts a record, and tells of it now and then.
func (i *Importer) count(rec *oomdoc.Record) {
	const every = 1 << 12
	i.result.Records++
	if i.Progress != nil && i.result.Records%every == 0 {
		i.Progress(i.result, rec.Time)
	}
}

// add keeps an incident until it is written; an amendment replaces what it
// amends, unless the same words were another failure.
func (i *Importer) add(incident oomdoc.Incident) {
	if incident.Time.After(i.began.Add(-importYoungest)) || !i.since.IsZero() && !incident.Time.IsZero() && incident.Time.Before(i.since) {
		return
	}
	incident.Replayed = true
	key := incident.ID + incident.BootID + incident.Time.Truncate(time.Hour).String()
	if _, again := i.pending[key]; !again {
		i.order = append(i.order, key)
	}
	i.pending[key] = incident
}

// write stores what was found and how far the reading is.
func (i *Importer) write() {
	if i.failure != nil {
		return
	}
	batch := store.Batch{}
	for _, key := range i.order {
		batch.Incidents = append(batch.Incidents, i.pending[key])
	}
	written, err := i.store.Write(batch)
	if err != nil {
		i.failure = err
		return
	}
	i.pending, i.order = make(map[string]oomdoc.Incident), nil
	var told []string
	for _, one := range written {
		if one.New {
			told = append(told, one.ID)
		}
	}
	i.result.New += len(told)
	i.result.Known += len(written) - len(told)
	if len(told) > 0 { // it is history, not news
		i.failure = i.store.MarkAlerted(told, time.Now(), "history")
	}
	if i.failure == nil && i.since.IsZero() { // else not all was read up to there
		i.failure = i.store.SetState(importKey, i.state)
	}
}
