package daemon

import (
	"context"
	"time"

	"github.com/oomdoc/oomdoc/store"
)

// Pruning waits for the start to be over, then happens once a day.
const (
	pruneFirst = 2 * time.Minute
	pruneEvery = 24 * time.Hour
	// pruneLongest is how long it may take, in small steps, before it is taken
	// for hung.
	pruneLongest = time.Hour
)

// prune forgets what is older or larger than the configuration allows.
func (s *service) prune(ctx context.Context) {
	c := s.options.Config.Store
	const day = 24 * time.Hour
	limits := store.Limits{
		RawAge: time.Duration(c.RawDays) * day, RawBytes: int64(c.RawSize),
		IncidentAge: time.Duration(c.IncidentDays) * day,
	}
	timer := time.NewTimer(pruneFirst)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		timer.Reset(pruneEvery)
		database := s.database.Load()
		if database == nil {
			continue
		}
		done := s.pruning.work()
		removed, err := database.Prune(ctx, time.Now(), limits)
		done()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.log.Warn("cannot forget old incidents", "error", err)
		case removed.Incidents > 0 || removed.Records > 0:
			s.log.Info("forgot what is old", "incidents", removed.Incidents, "raw_records", removed.Records)
		}
	}
}
