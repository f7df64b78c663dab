package daemon

import (
	"context"
	"time"
)

// historyKey is where the store keeps that the history was read.
const historyKey = "history"

// A historyRead says when the first start had read what the journal has of the
// time before.
type historyRead struct {
	Done time.Time `json:"done"`
}

// readHistory finds once what the kernel killed before the first start, so that
// the crash for which oomdoc was installed can be explained. It takes only what
// nobody else wants of the machine, and alerts nothing.
func (s *service) readHistory(ctx context.Context) {
	days := s.options.Config.Journal.HistoryDays
	if days == 0 || !s.awaitDatabase(ctx) {
		return
	}
	database := s.database.Load()
	var read historyRead
	if _, err := database.State(historyKey, &read); err != nil || !read.Done.IsZero() {
		return // a database that cannot be read is told elsewhere
	}
	importer, err := NewImporter(database, s.log, time.Now().AddDate(0, 0, -days))
	if err == nil {
		err = importer.Journal(ctx, s.journalSource(), true)
	}
	switch {
	case ctx.Err() != nil: // the next start reads it
	case err != nil:
		s.log.Warn("cannot read what the journal has of earlier crashes", "error", err, "hint", "sudo oomdoc import")
	default:
		if err := database.SetState(historyKey, historyRead{time.Now()}); err != nil {
			s.log.Warn("cannot note that the history was read", "error", err)
		}
	}
}

// awaitDatabase waits for the kernel log to have caught up and the database to
// be open; false when the service ends before.
func (s *service) awaitDatabase(ctx context.Context) bool {
	for s.database.Load() == nil || !s.kernelLogCaughtUp() {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(time.Second):
		}
	}
	return ctx.Err() == nil
}
