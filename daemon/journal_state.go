package daemon

import (
	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/systemd"
)

// JournalState is the journal's reader.
type JournalState struct {
	Enabled  bool   `json:"enabled"`
	Watching bool   `json:"watching"`
	Why      string `json:"why,omitempty"`
	Records  uint64 `json:"records"` // entries that were worth reading
	Restarts uint64 `json:"restarts"`
	Lost     uint64 `json:"lost"`
	Limited  uint64 `json:"limited"` // failures beyond what one writer may tell of
}

func (j *JournalState) count(stats systemd.JournalFollowStats) {
	j.Enabled, j.Watching, j.Why = true, stats.Watching, stats.Why
	j.Records, j.Restarts, j.Lost = stats.Records, stats.Restarts, stats.Lost
}

func (s *service) journalState() JournalState {
	var state JournalState
	if s.journal != nil {
		state.count(s.journal.follower.Stats())
		state.Limited = s.journal.limits.total
	}
	return state
}

// followJournal notes who reads the journal.
func (t *told) followJournal(follower *systemd.JournalFollower) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.journal = follower
}

// journalLine is the journal as a source.
func (s *service) journalLine() SourceState {
	s.told.mu.Lock()
	follower := s.told.journal
	s.told.mu.Unlock()
	if follower == nil {
		return SourceState{Name: string(oomdoc.SourceJournal)}
	}
	stats := follower.Stats()
	line := SourceState{
		Name: string(oomdoc.SourceJournal), Path: s.options.Config.Journal.Directory, Watched: stats.Watching,
		Last: stats.Last, Records: stats.Records, Lost: stats.Lost,
	}
	if line.Watched {
		line.Since = stats.Since
	}
	return line
}
