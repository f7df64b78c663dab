package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/oomdoc/oomdoc"
)

// MarkAlerted notes when and how incidents were alerted ("journal", "summary",
// "stderr", "none"). The first note of each stays. Ids are those of Written.
func (s *Store) MarkAlerted(ids []string, at time.Time, how string) error {
	return s.inTx("mark alerted", func(tx *sql.Tx) error {
		for _, id := range ids {
			_, err := tx.Exec("UPDATE incident SET alerted_ns = ?, alerted_how = ? WHERE id = ? AND alerted_ns IS NULL",
				nanos(at), how, id)
			if err != nil {
				return fmt.Errorf("mark %s: %w", id, err)
			}
		}
		return nil
	})
}

// PendingAlerts reads the incidents that were stored since a time and not
// alerted, oldest first: those of a daemon that was killed between the two.
// Selftests are never alerted.
func (r *Reader) PendingAlerts(since time.Time) ([]oomdoc.Incident, error) {
	return r.incidents(selectIncident+`WHERE alerted_ns IS NULL AND selftest = 0 AND incident.stored_ns >= ?
		ORDER BY incident.stored_ns, incident.key`, nanos(since))
}

// Stations are the moments that an incident passed on its way, zero when it has
// not (yet). Stored is taken just before the commit.
type Stations struct {
	Seen    time.Time // the deciding record was read
	Stored  time.Time
	Alerted time.Time
	How     string // how it was alerted
}

// Stations reads the stations of an incident by its whole id.
func (r *Reader) Stations(id string) (Stations, error) {
	var seen, stored, alerted sql.NullInt64
	var how sql.NullString
	row := r.db.QueryRow("SELECT seen_ns, stored_ns, alerted_ns, alerted_how FROM incident WHERE id = ?", id)
	err := row.Scan(&seen, &stored, &alerted, &how)
	if errors.Is(err, sql.ErrNoRows) {
		return Stations{}, noIncident(id)
	}
	if err != nil {
		return Stations{}, fail("read stations", r.path, err)
	}
	return Stations{instant(seen.Int64), instant(stored.Int64), instant(alerted.Int64), how.String}, nil
}
