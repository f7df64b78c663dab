package daemon

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/oomdoc/oomdoc/api"
	"github.com/oomdoc/oomdoc/store"
)

// lostWithin is how far back lost records are told.
const lostWithin = 30 * 24 * time.Hour

// A Report is what can be told of the service and its database. Sizes are bytes.
type Report struct {
	State     *State      `json:"daemon,omitempty"` // nil: no daemon ever wrote here
	Incidents int         `json:"incidents"`
	Newest    *time.Time  `json:"newest,omitempty"`
	Lost      []store.Gap `json:"lost,omitempty"`
	Size      int64       `json:"database_bytes,omitempty"`
	LastWrite *time.Time  `json:"database_written,omitempty"`
}

// ReadReport reads a report from the database.
func ReadReport(reader *store.Reader, path string, now time.Time) (Report, error) {
	var report Report
	var state State
	written, err := reader.State(StateKey, &state)
	if err != nil {
		return report, err
	}
	if !written.IsZero() {
		report.State = &state
	}
	if report.Incidents, err = reader.Count(store.Filter{}); err != nil {
		return report, err
	}
	newest, err := reader.List(store.Filter{Limit: 1})
	if err != nil {
		return report, err
	}
	if len(newest) > 0 && !newest[0].Time.IsZero() {
		report.Newest = &newest[0].Time
	}
	if report.Lost, err = reader.Gaps(now.Add(-lostWithin)); err != nil {
		return report, err
	}
	if report.Size, err = reader.Size(); err != nil {
		return report, err
	}
	report.LastWrite, err = lastWrite(path)
	return report, err
}

// lastWrite is when the database or its write-ahead log was last written.
func lastWrite(path string) (*time.Time, error) {
	var last *time.Time
	for _, name := range []string{path, path + "-wal"} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if at := info.ModTime(); last == nil || at.After(*last) {
			last = &at
		}
	}
	return last, nil
}

// openSource opens the database once more, for one who asks: the connection of
// the service itself is for writing, and is never kept waiting.
func (s *service) openSource() (api.Source, error) {
	return store.OpenReader(s.options.Config.Store.Path)
}

// statusOf is what is told of the service to whoever asks.
func (s *service) statusOf(source api.Source) (any, error) {
	reader, ok := source.(*store.Reader)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	report, err := ReadReport(reader, s.options.Config.Store.Path, time.Now())
	if err != nil {
		return nil, err
	}
	state := s.now()
	report.State = &state
	return report, nil
}
