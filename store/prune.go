package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Limits say how long and how much is kept; 0 is without limit.
type Limits struct {
	RawAge      time.Duration // raw records, since they were stored
	RawBytes    int64         // raw records of all incidents together, compressed
	IncidentAge time.Duration // incidents and gaps, since they were stored
}

// DefaultLimits are 180 days and 256 MiB of raw records, and two years of
// incidents.
func DefaultLimits() Limits {
	const day = 24 * time.Hour
	return Limits{RawAge: 180 * day, RawBytes: 256 << 20, IncidentAge: 2 * 365 * day}
}

// Pruned counts what was removed.
type Pruned struct {
	Records   int   // incidents whose raw records were removed for their age or size
	Incidents int   // incidents removed whole
	Gaps      int   // gaps removed
	Bytes     int64 // by which the database file shrinks
}

// One step of pruning is one transaction, so that a kill waits for no more
// than this.
const (
	rowsPerStep  = 50
	pagesPerStep = 100
)

// Deletions of one step. Each finds its rows in an index, oldest first.
const (
	deleteIncidents = "DELETE FROM incident WHERE key IN (SELECT key FROM incident WHERE stored_ns < ? ORDER BY stored_ns LIMIT ?)"
	deleteGaps      = "DELETE FROM gap WHERE key IN (SELECT key FROM gap WHERE time_ns < ? ORDER BY time_ns LIMIT ?)"
	deleteRecords   = "DELETE FROM record WHERE incident IN (SELECT incident FROM record WHERE stored_ns < ? ORDER BY stored_ns LIMIT ?)"
)

// Prune removes what is older or more than the limits, oldest first, in small
// steps with room for writes between them. ctx is looked at between steps; what
// was removed until then stays removed and is told with the error.
//
// Age counts from the time of storing, not of the kill: what was imported from
// an old log today is kept as long as what happened today.
func (s *Store) Prune(ctx context.Context, now time.Time, limits Limits) (Pruned, error) {
	var done Pruned
	for _, rule := range []struct {
		sql     string
		age     time.Duration
		removed *int
	}{
		{deleteIncidents, limits.IncidentAge, &done.Incidents},
		{deleteGaps, limits.IncidentAge, &done.Gaps},
		{deleteRecords, limits.RawAge, &done.Records},
	} {
		if rule.age <= 0 {
			continue
		}
		if err := s.pruneOld(ctx, rule.sql, now.Add(-rule.age), rule.removed); err != nil {
			return done, err
		}
	}
	if limits.RawBytes > 0 {
		if err := s.pruneBytes(ctx, limits.RawBytes, &done.Records); err != nil {
			return done, err
		}
	}
	return done, s.shrink(ctx, &done.Bytes)
}

// pruneOld repeats a deletion of what is older than a time until a step finds
// less than it may take.
func (s *Store) pruneOld(ctx context.Context, query string, before time.Time, removed *int) error {
	for found := rowsPerStep; found == rowsPerStep; {
		err := s.step(ctx, func(tx *sql.Tx) error {
			result, err := tx.Exec(query, nanos(before), rowsPerStep)
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			found = int(n)
			return err
		})
		if err != nil {
			return err
		}
		*removed += found
	}
	return nil
}

// pruneBytes removes the oldest raw records until all together are no more
// than limit bytes.
func (s *Store) pruneBytes(ctx context.Context, limit int64, removed *int) error {
	var excess int64
	if err := s.db.QueryRow("SELECT coalesce(sum(size), 0) FROM record").Scan(&excess); err != nil {
		return fail("prune", s.path, err)
	}
	excess -= limit
	for excess > 0 {
		var n int
		var bytes int64
		err := s.step(ctx, func(tx *sql.Tx) (err error) {
			n, bytes, err = deleteOldest(tx, excess)
			return err
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
		*removed += n
		excess -= bytes
	}
	return nil
}

// deleteOldest removes the raw records of the oldest incidents, one step's
// worth, until enough bytes are gone.
func deleteOldest(tx *sql.Tx, enough int64) (n int, bytes int64, err error) {
	var oldest []int64
	err = each(tx, func(read scan) error {
		var incident, size int64
		err := read(&incident, &size)
		if bytes < enough {
			oldest = append(oldest, incident)
			bytes += size
		}
		return err
	}, "SELECT incident, size FROM record ORDER BY stored_ns LIMIT ?", rowsPerStep)
	if err != nil {
		return 0, 0, err
	}
	for _, incident := range oldest {
		if _, err := tx.Exec("DELETE FROM record WHERE incident = ?", incident); err != nil {
			return 0, 0, err
		}
	}
	return len(oldest), bytes, nil
}

// shrink gives the pages of what was removed back to the file system
// (auto_vacuum=INCREMENTAL: free pages are cut off the end when asked). The
// file shrinks when the WAL is next moved to it.
func (s *Store) shrink(ctx context.Context, freed *int64) error {
	for bytes := int64(1); bytes > 0; {
		err := s.step(ctx, func(tx *sql.Tx) (err error) {
			bytes, err = vacuum(tx)
			return err
		})
		if err != nil {
			return err
		}
		*freed += bytes
	}
	return nil
}

// vacuum frees up to pagesPerStep pages and tells how many bytes that was.
func vacuum(tx *sql.Tx) (int64, error) {
	before, err := fileBytes(tx)
	if err != nil {
		return 0, err
	}
	// The pragma frees one page per step of the statement, so it has to be
	// stepped to its end.
	nothing := func(scan) error { return nil }
	if err := each(tx, nothing, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", pagesPerStep)); err != nil {
		return 0, err
	}
	after, err := fileBytes(tx)
	return before - after, err
}

func fileBytes(tx *sql.Tx) (int64, error) {
	var pages, size int64
	err := tx.QueryRow("SELECT page_count, page_size FROM pragma_page_count, pragma_page_size").Scan(&pages, &size)
	return pages * size, err
}

// step runs one step of pruning unless ctx has ended.
func (s *Store) step(ctx context.Context, do func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.inTx("prune", do)
}
