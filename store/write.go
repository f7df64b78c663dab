package store

import (
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A Batch is what is stored together, all of it or nothing.
type Batch struct {
	Incidents []oomdoc.Incident
	Position  *Position  // how far the source has been read with these incidents
	Positions []Position // the same of further sources
	Gaps      []Gap
}

// Written says what became of one incident of a batch.
type Written struct {
	ID      string // as stored; not the incident's own where another kill has that one
	New     bool   // it was not known
	Amended bool   // it was known and something in it changed
}

// Write stores a batch in one transaction and returns one Written for each
// incident, in order. An incident that is known already amends its row
// (merge.go). It cannot be cancelled; after an error nothing of the batch is
// stored, and IsRetryable tells whether to try again.
func (s *Store) Write(batch Batch) ([]Written, error) {
	written := make([]Written, len(batch.Incidents))
	err := s.inTx("write", func(tx *sql.Tx) error {
		for i := range batch.Incidents {
			var err error
			if written[i], err = s.put(tx, storable(batch.Incidents[i])); err != nil {
				return err
			}
		}
		if err := putGaps(tx, batch.Gaps); err != nil {
			return err
		}
		for i := range batch.Positions {
			if err := putPosition(tx, &batch.Positions[i], s.now()); err != nil {
				return err
			}
		}
		return putPosition(tx, batch.Position, s.now())
	})
	if err != nil {
		return nil, err
	}
	return written, nil
}

// put stores one incident as a new row or into the row of the same kill.
func (s *Store) put(tx *sql.Tx, inc oomdoc.Incident) (Written, error) {
	candidates, err := sameContent(tx, inc.ID)
	if err != nil {
		return Written{}, err
	}
	contentID, here := inc.ID, placeOf(&inc)
	row := best(candidates, here)
	if row != nil {
		inc.ID = row.id
	} else if inc.ID, err = freeID(tx, contentID, here); err != nil {
		return Written{}, err
	}
	if inc.Burst == contentID {
		inc.Burst = inc.ID
	} else if inc.Burst, err = storedBurst(tx, inc.Burst, here); err != nil {
		return Written{}, err
	}
	if row != nil {
		return s.amend(tx, row.key, inc)
	}
	return Written{ID: inc.ID, New: true}, s.insert(tx, contentID, inc)
}

// sameContent finds the stored incidents that the content id may mean.
func sameContent(tx *sql.Tx, contentID string) ([]known, error) {
	var found []known
	err := each(tx, func(read scan) error {
		var k known
		var boot sql.NullString
		var seq, usec, ns sql.NullInt64
		err := read(&k.key, &k.id, &boot, &seq, &usec, &ns, &k.approximate)
		k.boot, k.seq, k.hasSeq, k.usec, k.time = boot.String, uint64(seq.Int64), seq.Valid, usec.Int64, instant(ns.Int64)
		found = append(found, k)
		return err
	}, `SELECT key, id, boot_id, seq, usec, time_ns, time_approximate
		FROM incident WHERE content_id = ? ORDER BY key`, contentID)
	if err != nil {
		return nil, fmt.Errorf("look for incident: %w", err)
	}
	return found, nil
}

// storedBurst is the stored id of a burst's first incident, which is not its
// content id where another kill has that one: of those with that content, the
// nearest in time of the same boot.
func storedBurst(tx *sql.Tx, burst string, here place) (string, error) {
	if burst == "" {
		return "", nil
	}
	firsts, err := sameContent(tx, burst)
	if err != nil {
		return "", err
	}
	id, nearest := burst, time.Duration(math.MaxInt64)
	for _, first := range firsts {
		otherBoot := first.boot != "" && here.boot != "" && first.boot != here.boot
		if distance := first.distance(here); !otherBoot && distance < nearest {
			id, nearest = first.id, distance
		}
	}
	return id, nil
}

// freeID is the content id, or a derived one where that is taken.
func freeID(tx *sql.Tx, contentID string, here place) (string, error) {
	id := contentID
	for attempt := 0; ; attempt++ {
		var taken bool
		if err := tx.QueryRow("SELECT EXISTS (SELECT 1 FROM incident WHERE id = ?)", id).Scan(&taken); err != nil {
			return "", fmt.Errorf("look for id: %w", err)
		}
		if !taken {
			return id, nil
		}
		id = derivedID(contentID, here, attempt)
	}
}

// insertSQL and updateSQL set columns, in their order, and the store's own.
var (
	insertSQL = fmt.Sprintf("INSERT INTO incident (id, content_id, at_ns, reading, stored_ns, %s) VALUES (?, ?, ?, ?, ?%s)",
		strings.Join(columnNames(), ", "), strings.Repeat(", ?", len(columns)))
	updateSQL = fmt.Sprintf("UPDATE incident SET at_ns = ?, reading = ?, %s = ? WHERE key = ?",
		strings.Join(columnNames(), " = ?, "))
)

func (s *Store) insert(tx *sql.Tx, contentID string, inc oomdoc.Incident) error {
	data, err := encode(&inc)
	if err != nil {
		return err
	}
	stored := s.now()
	own := []any{inc.ID, contentID, sortTime(&inc, stored), s.opening, stored.UnixNano()}
	result, err := tx.Exec(insertSQL, append(own, columnValues(&inc)...)...)
	if err != nil {
		return fmt.Errorf("insert incident: %w", err)
	}
	key, err := result.LastInsertId()
	if err != nil {
		return fmt.Errorf("insert incident: %w", err)
	}
	if _, err := tx.Exec("INSERT INTO detail (incident, json) VALUES (?, ?)", key, string(data)); err != nil {
		return fmt.Errorf("insert detail: %w", err)
	}
	_, err = s.putRecords(tx, key, inc.Records)
	return err
}

// amend unites the incident with its stored row.
func (s *Store) amend(tx *sql.Tx, key int64, inc oomdoc.Incident) (Written, error) {
	stored, err := loadStored(tx, key)
	if err != nil {
		return Written{}, err
	}
	merged, fromNew := merge(stored.incident, inc, stored.reading, s.opening)
	reading := stored.reading
	if fromNew {
		reading = s.opening
	}
	data, err := encode(&merged)
	if err != nil {
		return Written{}, err
	}
	values := columnValues(&merged)
	changed := string(data) != stored.json
	if changed || reading != stored.reading || !slices.Equal(values, columnValues(&stored.incident)) {
		own := []any{sortTime(&merged, instant(stored.storedNS)), reading}
		if _, err := tx.Exec(updateSQL, slices.Concat(own, values, []any{key})...); err != nil {
			return Written{}, fmt.Errorf("amend incident: %w", err)
		}
	}
	if changed {
		if _, err := tx.Exec("UPDATE detail SET json = ? WHERE incident = ?", string(data), key); err != nil {
			return Written{}, fmt.Errorf("amend detail: %w", err)
		}
	}
	more, err := s.putRecords(tx, key, inc.Records)
	return Written{ID: inc.ID, Amended: changed || more}, err
}

// sortTime is where the incident stands in the history.
func sortTime(inc *oomdoc.Incident, stored time.Time) int64 {
	for _, t := range []time.Time{inc.Time, inc.Read} {
		if !t.IsZero() {
			return nanos(t)
		}
	}
	return stored.UnixNano()
}

// putRecords keeps the raw records unless as many are kept already, and tells
// whether it did. Of two readings the one with more lines, then more bytes, stays.
func (s *Store) putRecords(tx *sql.Tx, key int64, records []string) (bool, error) {
	records = withinBounds(records)
	if len(records) == 0 {
		return false, nil
	}
	size := rawSize(records)
	var enough bool
	err := tx.QueryRow("SELECT EXISTS (SELECT 1 FROM record WHERE incident = ? AND (lines, bytes) >= (?, ?))",
		key, len(records), size).Scan(&enough)
	if err != nil {
		return false, fmt.Errorf("look for records: %w", err)
	}
	if enough {
		return false, nil
	}
	data, err := s.packer.pack(records)
	if err != nil {
		return false, err
	}
	_, err = tx.Exec("INSERT OR REPLACE INTO record (incident, stored_ns, lines, bytes, size, data) VALUES (?, ?, ?, ?, ?, ?)",
		key, s.now().UnixNano(), len(records), size, len(data), data)
	if err != nil {
		return false, fmt.Errorf("store records: %w", err)
	}
	return true, nil
}
