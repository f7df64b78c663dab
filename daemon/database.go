package daemon

import (
	"context"
	"fmt"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// openStore opens the database, at the start or, where that failed, later.
func (s *service) openStore(ctx context.Context) error {
	database, err := store.Open(ctx, s.options.Config.Store.Path, store.Options{Log: s.log})
	s.unopened = err
	if err == nil {
		s.database.Store(database)
	}
	return err
}

// openLate tries again to open the database that could not be opened at the
// start, and learns from it what the start would have.
func (s *service) openLate() error {
	if err := s.openStore(context.Background()); err != nil {
		return err
	}
	resume, err := s.loadPosition()
	if err != nil {
		s.log.Warn("cannot find out how far the kernel log was read before", "error", err)
	}
	// The kernel log was read from its oldest record. What lies between there and
	// the place that an earlier run reached was overwritten.
	if resume != nil && resume.BootID == s.bootID && s.sawAny && s.headSeq > resume.Seq+1 {
		s.writer.addGap(store.Gap{
			Source: oomdoc.SourceKmsg, BootID: s.bootID, Time: time.Now(),
			FromSeq: resume.Seq + 1, ToSeq: s.headSeq - 1, Lost: s.headSeq - 1 - resume.Seq, Exact: true,
			Reason: "ring overrun",
		})
	}
	s.rewindJournal() // to the place that an earlier run reached
	s.alertPending()
	s.recallPanics()
	return nil
}

func (s *service) closeStore() error {
	database := s.database.Load()
	if database == nil {
		return nil
	}
	if err := database.Close(); err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}
