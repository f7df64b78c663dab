package store

import (
	"context"
	"database/sql"
	"errors"
)

// checkpointEvery is after how many commits Sync moves the WAL to the database:
// about 64 incidents with their records, some 4 MiB of WAL.
const checkpointEvery = 64

// Sync makes durable all that was written before it: after it returns, a power
// cut loses none of that. It does nothing when nothing was written.
//
// Commits are made with synchronous=NORMAL: they append to the WAL and leave it
// in the page cache. Sync commits one small row with synchronous=FULL, after
// which SQLite calls fsync on the WAL file. An fsync covers the whole file, so
// the frames of all earlier commits become durable with it; and as recovery
// reads the WAL from its start and stops at the first frame that does not fit
// (https://www.sqlite.org/walformat.html), no earlier commit can be missing
// when the last is there. Commits that are in the database already, and no
// longer in the WAL, were synced when they were moved.
//
// Sync also moves the WAL to the database from time to time, so that Write
// does not have to.
func (s *Store) Sync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.unsaved {
		return nil
	}
	if err := s.commitDurably(); err != nil {
		return fail("sync", s.path, err)
	}
	s.unsaved = false
	s.commits++
	if s.commits >= checkpointEvery {
		s.checkpoint()
	}
	return nil
}

// commitDurably commits one changed row with synchronous=FULL. The setting is
// the connection's, and cannot be changed within a transaction.
func (s *Store) commitDurably() (err error) {
	background := context.Background()
	conn, err := s.db.Conn(background)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(background, "PRAGMA synchronous = FULL"); err != nil {
		return err
	}
	defer func() {
		_, reset := conn.ExecContext(background, "PRAGMA synchronous = NORMAL")
		err = errors.Join(err, reset)
	}()
	tx, err := conn.BeginTx(background, &sql.TxOptions{})
	if err != nil {
		return err
	}
	defer rollback(tx)
	// A counter, because a transaction that changes nothing writes nothing.
	if _, err := countUp(tx, stateSynced, s.now()); err != nil {
		return err
	}
	return tx.Commit()
}

// checkpoint moves as much of the WAL to the database as readers allow. If it
// fails, everything still stands in the WAL, so that is told to the log only.
func (s *Store) checkpoint() {
	s.commits = 0
	var busy, inLog, moved int
	err := s.db.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &inLog, &moved)
	if err != nil {
		s.log.Warn("database: the write-ahead log was not moved", "path", s.path, "error", err)
	}
}
