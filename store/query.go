package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A Filter chooses incidents. A zero field chooses all; selftests are left out
// unless asked for.
type Filter struct {
	Since           time.Time // at this time or later
	Until           time.Time // before this time
	Class           oomdoc.Class
	Cause           oomdoc.Cause
	Unit            string // a unit of the system's manager or of a user's
	Engine          string
	UID             *int
	Burst           string // the burst's id
	IncludeSelftest bool
	Limit           int // 0 is no limit
	Offset          int
}

// where gives the condition in SQL and its arguments.
func (f Filter) where() (string, []any) {
	uid := 0
	if f.UID != nil {
		uid = *f.UID
	}
	var conditions []string
	var args []any
	for _, c := range []struct {
		wanted bool
		sql    string
		arg    any
	}{
		{!f.Since.IsZero(), "at_ns >= ?", nanos(f.Since)},
		{!f.Until.IsZero(), "at_ns < ?", nanos(f.Until)},
		{f.Class != "", "class = ?", string(f.Class)},
		{f.Cause != "", "cause = ?", string(f.Cause)},
		{f.Unit != "", "? IN (unit, user_unit)", f.Unit},
		{f.Engine != "", "engine = ?", f.Engine},
		{f.UID != nil, "uid = ?", uid},
		{f.Burst != "", "burst = ?", f.Burst},
		{!f.IncludeSelftest, "selftest = ?", 0},
	} {
		if c.wanted {
			conditions = append(conditions, c.sql)
			args = append(args, c.arg)
		}
	}
	if len(conditions) == 0 {
		return "TRUE", nil
	}
	return strings.Join(conditions, " AND "), args
}

// selectIncident reads what scanIncident scans.
const selectIncident = `SELECT incident.key, incident.reading, incident.stored_ns, detail.json,
	incident.seq, incident.usec, incident.seen_ns, incident.replayed, incident.revision, incident.final
	FROM incident JOIN detail ON detail.incident = incident.key `

// A storedIncident is an incident with what only the store knows of it. Its
// Records are not loaded.
type storedIncident struct {
	incident oomdoc.Incident
	key      int64
	reading  int64
	storedNS int64
	json     string
}

// scanIncident reads a row of selectIncident.
func scanIncident(read scan) (storedIncident, error) {
	var s storedIncident
	var seq, usec, seen sql.NullInt64
	inc := &s.incident
	err := read(&s.key, &s.reading, &s.storedNS, &s.json, &seq, &usec, &seen, &inc.Replayed, &inc.Revision, &inc.Final)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal([]byte(s.json), inc); err != nil {
		return s, fmt.Errorf("decode incident: %w", err)
	}
	inc.Seq, inc.HasSeq = uint64(seq.Int64), seq.Valid
	inc.Usec = oomdoc.NoUsec
	if usec.Valid {
		inc.Usec = usec.Int64
	}
	inc.Read = instant(seen.Int64)
	return s, nil
}

func loadStored(tx *sql.Tx, key int64) (storedIncident, error) {
	stored, err := scanIncident(tx.QueryRow(selectIncident+"WHERE incident.key = ?", key).Scan)
	if err != nil {
		return stored, fmt.Errorf("read incident: %w", err)
	}
	return stored, nil
}

// Last reads the n most recent incidents that the filter chooses, newest first.
func (r *Reader) Last(n int, filter Filter) ([]oomdoc.Incident, error) {
	filter.Limit = n
	return r.List(filter)
}

// List reads the incidents that the filter chooses, newest first, without
// their raw records.
func (r *Reader) List(filter Filter) ([]oomdoc.Incident, error) {
	where, args := filter.where()
	limit := filter.Limit
	if limit <= 0 {
		limit = -1
	}
	return r.incidents(selectIncident+"WHERE "+where+" ORDER BY at_ns DESC, key DESC LIMIT ? OFFSET ?",
		append(args, limit, max(0, filter.Offset))...)
}

// incidents reads all rows of a query that begins with selectIncident.
func (r *Reader) incidents(query string, args ...any) ([]oomdoc.Incident, error) {
	var found []oomdoc.Incident
	err := each(r.db, func(read scan) error {
		stored, err := scanIncident(read)
		found = append(found, stored.incident)
		return err
	}, query, args...)
	if err != nil {
		return nil, fail("read", r.path, err)
	}
	return found, nil
}

// maxCandidates is how many ids an ambiguous prefix is answered with.
const maxCandidates = 10

// Get reads one incident by its id or by the beginning of it. Errors:
// CodeNotFound, or CodeUsage naming the incidents that the beginning may mean.
func (r *Reader) Get(idOrPrefix string) (oomdoc.Incident, error) {
	prefix := typedID(idOrPrefix)
	notFound := &oomdoc.Error{Code: oomdoc.CodeNotFound, Op: "show", Err: fmt.Errorf("no incident %q", idOrPrefix),
		Hint: "oomdoc list"}
	if prefix == "" {
		return oomdoc.Incident{}, notFound
	}
	// All ids with the prefix stand between it and it with the last character
	// of the alphabet appended for ever; "~" sorts after all of them.
	found, err := r.incidents(selectIncident+"WHERE incident.id BETWEEN ? AND ? ORDER BY incident.id LIMIT ?",
		prefix, prefix+"~", maxCandidates+1)
	if err != nil {
		return oomdoc.Incident{}, err
	}
	switch {
	case len(found) == 0:
		return oomdoc.Incident{}, notFound
	case len(found) == 1 || found[0].ID == prefix:
		return found[0], nil
	}
	return oomdoc.Incident{}, ambiguous(idOrPrefix, found)
}

func ambiguous(prefix string, found []oomdoc.Incident) error {
	ids := make([]string, 0, len(found))
	for i := range found {
		ids = append(ids, found[i].ID)
	}
	if len(ids) > maxCandidates {
		ids = append(ids[:maxCandidates], "…")
	}
	return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "show", Err: fmt.Errorf("%q may mean %s", prefix, strings.Join(ids, ", ")),
		Hint: "type more of the id: oomdoc show " + ids[0]}
}

// Records reads the raw records of an incident by its whole id: none when they
// were removed for age or size, CodeNotFound when there is no such incident.
func (r *Reader) Records(id string) ([]string, error) {
	var data []byte
	err := r.db.QueryRow(`SELECT record.data FROM incident LEFT JOIN record ON record.incident = incident.key
		WHERE incident.id = ?`, id).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, noIncident(id)
	}
	if err != nil {
		return nil, fail("read records", r.path, err)
	}
	if data == nil {
		return nil, nil
	}
	records, err := unpack(data)
	return records, fail("read records", r.path, err)
}

func noIncident(id string) error {
	return &oomdoc.Error{Code: oomdoc.CodeNotFound, Op: "read", Err: fmt.Errorf("no incident %q", id), Hint: "oomdoc list"}
}

// Count tells how many incidents the filter chooses; its limit does not count.
func (r *Reader) Count(filter Filter) (int, error) {
	where, args := filter.where()
	var n int
	err := r.db.QueryRow("SELECT count(*) FROM incident WHERE "+where, args...).Scan(&n)
	return n, fail("count", r.path, err)
}

// Size is the number of bytes that the database takes on the disk.
func (r *Reader) Size() (int64, error) {
	var total int64
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(r.path + suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, fail("measure", r.path, err)
		}
		total += info.Size()
	}
	return total, nil
}
