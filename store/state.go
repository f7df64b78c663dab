package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/oomdoc/oomdoc"
)

// Keys of table state that are the store's own; SetState refuses them.
const (
	stateOpening = "store.opening" // how often the database was opened
	stateSynced  = "store.synced"  // how often it was made durable
)

// A Position is how far a source has been read: a ring by boot and sequence
// number, a journal by cursor.
type Position struct {
	Source oomdoc.Source
	BootID string
	Seq    uint64
	Cursor string
}

func putPosition(tx *sql.Tx, p *Position, now time.Time) error {
	if p == nil {
		return nil
	}
	_, err := tx.Exec("INSERT OR REPLACE INTO position (source, boot_id, seq, cursor, updated_ns) VALUES (?, ?, ?, ?, ?)",
		string(p.Source), p.BootID, int64(p.Seq), p.Cursor, now.UnixNano())
	if err != nil {
		return fmt.Errorf("store position: %w", err)
	}
	return nil
}

// LoadPosition reads how far a source has been read, nil when never.
func (r *Reader) LoadPosition(source oomdoc.Source) (*Position, error) {
	p := Position{Source: source}
	var seq int64
	row := r.db.QueryRow("SELECT boot_id, seq, cursor FROM position WHERE source = ?", string(source))
	err := row.Scan(&p.BootID, &seq, &p.Cursor)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fail("read position", r.path, err)
	}
	p.Seq = uint64(seq)
	return &p, nil
}

// A Gap is records of a source that are known to be missing.
type Gap struct {
	Source  oomdoc.Source
	BootID  string
	FromSeq uint64 // the first that is missing
	ToSeq   uint64 // the last that is missing
	Lost    uint64 // how many
	Exact   bool   // Lost is counted, not estimated
	Reason  string // "ring overrun", "queue full"
	Time    time.Time
}

func putGaps(tx *sql.Tx, gaps []Gap) error {
	for _, g := range gaps {
		_, err := tx.Exec(`INSERT INTO gap (source, boot_id, from_seq, to_seq, lost, exact, reason, time_ns)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			string(g.Source), g.BootID, int64(g.FromSeq), int64(g.ToSeq), int64(g.Lost), g.Exact, g.Reason, nanos(g.Time))
		if err != nil {
			return fmt.Errorf("store gap: %w", err)
		}
	}
	return nil
}

// Gaps reads the gaps that were found since a time, oldest first.
func (r *Reader) Gaps(since time.Time) ([]Gap, error) {
	var gaps []Gap
	err := each(r.db, func(read scan) error {
		var g Gap
		var from, to, lost, ns int64
		err := read(&g.Source, &g.BootID, &from, &to, &lost, &g.Exact, &g.Reason, &ns)
		g.FromSeq, g.ToSeq, g.Lost, g.Time = uint64(from), uint64(to), uint64(lost), instant(ns)
		gaps = append(gaps, g)
		return err
	}, `SELECT source, boot_id, from_seq, to_seq, lost, exact, reason, time_ns
		FROM gap WHERE time_ns >= ? ORDER BY time_ns, key`, nanos(since))
	if err != nil {
		return nil, fail("read gaps", r.path, err)
	}
	return gaps, nil
}

// SetState keeps what the daemon says of itself, as JSON, under a key.
func (s *Store) SetState(key string, value any) error {
	if key == stateOpening || key == stateSynced {
		return fmt.Errorf("set state: key %s is the store's own", key)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("set state %s: %w", key, err)
	}
	return s.inTx("set state", func(tx *sql.Tx) error { return putState(tx, key, string(data), s.now()) })
}

// countUp adds one to a counter of the store's own and returns it.
func countUp(tx *sql.Tx, key string, now time.Time) (int64, error) {
	var count int64
	err := tx.QueryRow(`INSERT INTO state (key, value, updated_ns) VALUES (?, '1', ?)
		ON CONFLICT (key) DO UPDATE SET value = value + 1, updated_ns = excluded.updated_ns
		RETURNING CAST(value AS INTEGER)`, key, now.UnixNano()).Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", key, err)
	}
	return count, nil
}

func putState(tx *sql.Tx, key, value string, now time.Time) error {
	_, err := tx.Exec("INSERT OR REPLACE INTO state (key, value, updated_ns) VALUES (?, ?, ?)", key, value, now.UnixNano())
	return err
}

// State reads what SetState kept into value and tells when it was set; the
// zero time when it never was.
func (r *Reader) State(key string, value any) (time.Time, error) {
	var text string
	var ns int64
	err := r.db.QueryRow("SELECT value, updated_ns FROM state WHERE key = ?", key).Scan(&text, &ns)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), value)
	}
	if err != nil {
		return time.Time{}, fail("read state", r.path, err)
	}
	return instant(ns), nil
}
