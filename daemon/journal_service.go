package daemon

import (
	"context"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/systemd"
)

// startJournal follows the journal beside the kernel log until ctx ends.
func (s *service) startJournal(ctx context.Context, background *sync.WaitGroup) error {
	if !s.options.Config.Journal.Enabled {
		return nil
	}
	journal, err := newJournalSource(s)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.journal = journal
	s.mu.Unlock()
	s.told.followJournal(journal.follower)
	background.Go(func() { journal.run(ctx) })
	background.Go(func() { s.readHistory(ctx) })
	return nil
}

func (s *service) loadJournalPosition() (*store.Position, error) {
	database := s.database.Load()
	if database == nil {
		return nil, nil // openLate goes to the place once it can be known
	}
	return database.LoadPosition(oomdoc.SourceJournal)
}

func (s *service) lastIncidents(n int) ([]oomdoc.Incident, error) {
	database := s.database.Load()
	if database == nil {
		return nil, nil
	}
	return database.List(store.Filter{Limit: n})
}

// journalPosition is how far the journal was read, false when it is not. The lock
// is held, as for the writer.
func (s *service) journalPosition() (store.Position, bool) {
	if s.journal == nil || s.journal.rewinding {
		return store.Position{}, false
	}
	return s.journal.position()
}

func (s *service) rewindJournal() {
	if s.journal != nil {
		s.journal.rewind()
	}
}

// kernelLogCaughtUp tells that what was in the kernel log at the start has been
// taken.
func (s *service) kernelLogCaughtUp() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.follower.Stats().BacklogDone
}

// isHistory tells a failure that is no news any more: it stood in the journal
// while nobody read it.
func isHistory(incident *oomdoc.Incident) bool {
	return (incident.Source == oomdoc.SourceJournal || incident.Source == oomdoc.SourceFile) && incident.Replayed &&
		!incident.Time.IsZero() && time.Since(incident.Time) > pendingWithin
}

func (s *service) journalSource() systemd.JournalSource { return JournalOf(s.options.Config.Journal) }

// JournalOf is the journal that a configuration names.
func JournalOf(c JournalConfig) systemd.JournalSource {
	return systemd.JournalSource{Command: c.Command, Directory: c.Directory}
}
