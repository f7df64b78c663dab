package daemon

import (
	"context"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/systemd"
)

// pendingWithin is how old a stored incident may be that an earlier run did
// not come to alert: it was killed between the commit and the alert.
const pendingWithin = 24 * time.Hour

// closeWithin is how long the alerts that are queued may take when we stop.
const closeWithin = 3 * time.Second

func (s *service) startAlerter() {
	c := s.options.Config.Alert
	s.alerter = systemd.NewAlerter(systemd.AlerterOptions{
		Language: s.options.Language, Stderr: s.options.Stderr, Journal: c.Journal, Sender: s.hand.sender(),
		Quiet: c.StormQuiet.Std(), Longest: c.StormLongest.Std(), Log: s.log,
		Told: func(ids []string, at time.Time, how string) {
			if one := (note{ids, at, how}); !s.notes.keep(one) {
				s.markAlerted(one)
			}
		},
	})
}

func (s *service) markAlerted(one note) {
	if err := s.database.Load().MarkAlerted(one.ids, one.at, one.how); err != nil {
		s.log.Warn("cannot note that an alert was sent; a restart may send it again", "error", err)
	}
}

func (s *service) stopAlerter() {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if err := s.alerter.Close(ctx); err != nil {
		s.log.Warn("alerts were still waiting when the service stopped; they follow at the next start", "error", err)
	}
}

// alertPending tells what an earlier run stored and did not tell.
func (s *service) alertPending() {
	pending, err := s.database.Load().PendingAlerts(time.Now().Add(-pendingWithin))
	if err != nil {
		s.log.Warn("cannot find alerts that were not sent", "error", err)
		return
	}
	for _, incident := range pending {
		s.alert(incident)
	}
}

// committed is called for each incident right after the transaction that
// holds it.
func (s *service) committed(incident oomdoc.Incident, result store.Written) {
	incident.ID = result.ID
	if !result.New {
		return
	}
	s.writer.news = true
	if s.options.Print != nil {
		s.options.Print(incident)
	}
	if s.first && incident.Replayed || isHistory(&incident) {
		// A new database meets the kernel log of a machine that has been up for
		// long: what it finds there is history, not news.
		s.markAlerted(note{[]string{incident.ID}, time.Now(), "history"})
		return
	}
	s.told.incident(&incident)
	if incident.Quiet {
		s.markAlerted(note{[]string{incident.ID}, time.Now(), "quiet"})
		return
	}
	s.alert(incident)
}

func (s *service) alert(incident oomdoc.Incident) {
	if !incident.Selftest && !incident.Quiet && !s.options.Quiet {
		s.alerter.Alert(incident)
	}
}
