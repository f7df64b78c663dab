package daemon

import (
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

const (
	// syncAfter is how long a committed incident may wait for the disk: a power
	// cut loses at most that.
	syncAfter = time.Second
	// positionAfter is how long the position may stay behind when nothing else
	// is written. What is read twice after a restart is recognised.
	positionAfter = time.Second
	// retryFirst and retryLast bound the waits while the database refuses.
	retryFirst = time.Second
	retryLast  = 30 * time.Second
	// maxWaiting is how many incidents wait in memory for a database that
	// refuses. Beyond maxWaitingRaw they come without their raw records, beyond
	// maxWaiting they are dropped: the position does not move, so they are read
	// again from the kernel's ring once the database takes them.
	maxWaiting    = 512
	maxWaitingRaw = 64
	// maxGaps is how many gaps of the source wait for it.
	maxGaps = 256
)

// A writer commits incidents the moment they come, with the position in the
// same transaction, and keeps what the database refuses. It belongs to the
// service's loop.
type writer struct {
	service *service
	waiting []oomdoc.Incident
	gaps    []store.Gap
	// overflow counts incidents that were dropped while the database refused.
	overflow int

	positionDue time.Time
	syncDue     time.Time
	retryDue    time.Time
	retryWait   time.Duration
	failure     error
	written     store.Position
	writtenAlso map[oomdoc.Source]store.Position // of the journal and the files
	news        bool                             // an incident was stored since the status was last told
}

func newWriter(s *service) writer {
	return writer{service: s, writtenAlso: make(map[oomdoc.Source]store.Position)}
}

// add takes an incident, new or amended, and tries to commit it at once.
func (w *writer) add(incident oomdoc.Incident) {
	w.keep(incident)
	if w.failure == nil {
		w.commit(time.Now())
		return
	}
	w.alertUnstored(incident)
}

// alertUnstored tells of what the database refuses: the person at the machine
// must know all the same. Whether an old kill was told before only the database
// knows, so that one waits for it.
func (w *writer) alertUnstored(incident oomdoc.Incident) {
	if !incident.Replayed || w.service.unopened == nil {
		w.service.alert(incident)
	}
}

// keep holds an incident until it is committed; an amendment replaces what it
// amends, so that a database that refuses for long costs no memory for it.
func (w *writer) keep(incident oomdoc.Incident) {
	for i := range w.waiting {
		if w.waiting[i].ID == incident.ID && w.waiting[i].Usec == incident.Usec {
			w.waiting[i] = incident
			return
		}
	}
	if len(w.waiting) >= maxWaitingRaw {
		incident.Records = nil
	}
	if len(w.waiting) >= maxWaiting {
		w.overflow++
		return
	}
	w.waiting = append(w.waiting, incident)
}

// lost notes that records are missing right before rec.
func (w *writer) lost(rec *oomdoc.Record) {
	w.addGap(store.Gap{
		Source: oomdoc.SourceKmsg, BootID: w.service.bootID, Time: time.Now(),
		FromSeq: rec.Seq - min(rec.Seq, rec.Lost), ToSeq: rec.Seq - min(rec.Seq, 1), Lost: rec.Lost, Exact: true,
		Reason: w.service.lostReason(),
	})
	w.service.log.Warn("kernel log records were lost before they could be read", "lost", rec.Lost, "before", rec.Seq)
}

// addGap keeps a gap until it is committed. While the database refuses for very
// long, the last one grows: the count stays exact, the places are fewer.
func (w *writer) addGap(gap store.Gap) {
	if len(w.gaps) < maxGaps {
		w.gaps = append(w.gaps, gap)
		return
	}
	last := &w.gaps[len(w.gaps)-1]
	last.ToSeq, last.Time, last.Lost = gap.ToSeq, gap.Time, last.Lost+gap.Lost
}

// lostReason tells where the records that Next reports as lost were lost, from
// how the reader's two counters moved since the last time.
func (s *service) lostReason() string {
	now := s.follower.Stats()
	ring, queue := now.LostRing > s.lostBefore.LostRing, now.LostQueue > s.lostBefore.LostQueue
	s.lostBefore = now
	switch {
	case ring && queue:
		return "ring overrun and queue full"
	case queue:
		return "queue full"
	}
	return "ring overrun"
}

// moved says that the position changed.
func (w *writer) moved(now time.Time) {
	if w.positionDue.IsZero() {
		w.positionDue = now.Add(positionAfter)
	}
}

func (w *writer) nextDue() time.Time {
	if w.failure != nil {
		return w.retryDue
	}
	return earlier(w.positionDue, w.syncDue)
}

// due does what is due at now.
func (w *writer) due(now time.Time) {
	if w.failure != nil {
		if !now.Before(w.retryDue) {
			w.commit(now)
		}
		return
	}
	if !w.positionDue.IsZero() && !now.Before(w.positionDue) {
		w.positionDue = time.Time{}
		w.commit(now)
		w.service.saveState(false)
		if w.news && w.failure == nil {
			w.news = false
			w.service.status()
		}
	}
	if !w.syncDue.IsZero() && !now.Before(w.syncDue) {
		w.sync(now)
	}
}

// commit writes everything that waits, with the position, in one transaction.
func (w *writer) commit(now time.Time) {
	if w.service.unopened != nil {
		if err := w.service.openLate(); err != nil {
			w.refused(now, err)
			return
		}
	}
	batch := store.Batch{Incidents: w.waiting, Gaps: w.gaps}
	if position, ok := w.service.position(); ok && position != w.written && w.overflow == 0 {
		batch.Position = &position
	}
	for _, source := range []func() (store.Position, bool){w.service.journalPosition, w.service.filesPosition} {
		if position, ok := source(); ok && position != w.writtenAlso[position.Source] && w.overflow == 0 {
			batch.Positions = append(batch.Positions, position)
		}
	}
	if len(batch.Incidents) == 0 && len(batch.Gaps) == 0 && batch.Position == nil && len(batch.Positions) == 0 {
		w.accepted(now, batch)
		return
	}
	results, err := w.service.database.Load().Write(batch)
	if err != nil {
		w.refused(now, err)
		return
	}
	w.accepted(now, batch)
	for i, result := range results {
		w.service.committed(batch.Incidents[i], result)
	}
}

func (w *writer) accepted(now time.Time, batch store.Batch) {
	if w.failure != nil {
		w.service.log.Info("the database can be written again", "incidents", len(batch.Incidents))
		w.service.status()
	}
	w.failure, w.retryWait, w.retryDue = nil, 0, time.Time{}
	for _, one := range w.service.notes.release() {
		w.service.markAlerted(one)
	}
	w.waiting, w.gaps = nil, nil
	if w.overflow > 0 {
		w.service.rewind = true
		w.service.rewindJournal()
		w.service.rewindFiles()
		w.overflow = 0
	}
	if batch.Position != nil {
		w.written = *batch.Position
	}
	for _, position := range batch.Positions {
		w.writtenAlso[position.Source] = position
	}
	if len(batch.Incidents) > 0 || len(batch.Gaps) > 0 {
		if w.syncDue.IsZero() {
			w.syncDue = now.Add(syncAfter)
		}
	}
}

// refused keeps the batch and tries again later.
func (w *writer) refused(now time.Time, err error) {
	if w.failure == nil || oomdoc.ErrorHint(w.failure) != oomdoc.ErrorHint(err) {
		w.service.log.Error("the database cannot be written; incidents wait in memory, the kernel log is read on",
			"error", err, "hint", oomdoc.ErrorHint(err))
	}
	w.failure = err
	w.service.notes.hold()
	w.retryWait = min(max(2*w.retryWait, retryFirst), retryLast)
	w.retryDue = now.Add(w.retryWait)
	w.service.status()
	for i := range w.waiting {
		w.alertUnstored(w.waiting[i])
	}
}

func (w *writer) sync(now time.Time) {
	w.syncDue = time.Time{}
	if err := w.service.database.Load().Sync(); err != nil {
		w.service.log.Warn("cannot flush the database to disk", "error", err)
		w.syncDue = now.Add(syncAfter)
	}
}

// flush writes and syncs what is left, once.
func (w *writer) flush() {
	now := time.Now()
	w.failure = nil
	w.commit(now)
	if w.failure == nil {
		w.sync(now)
	}
}
