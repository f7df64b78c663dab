package daemon

import (
	"os"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/store"
)

// StateKey is where the daemon keeps its State in the store.
const StateKey = "daemon"

// A State is what the daemon says of itself; `oomdoc status` reads it.
type State struct {
	PID      int       `json:"pid"`
	Version  string    `json:"version"`
	Started  time.Time `json:"started"`
	Written  time.Time `json:"written"` // when this state was last true
	Stopped  bool      `json:"stopped,omitempty"`
	BootID   string    `json:"boot_id,omitempty"`
	Database string    `json:"database"`

	Kmsg    KmsgState    `json:"kmsg"`
	Journal JournalState `json:"journal"`
	Files   FilesState   `json:"files"`
	GPU     GPUState     `json:"gpu"`
	Alerts  AlertsState  `json:"alerts"`
	// Processes is how many command lines are remembered.
	Processes int `json:"processes"`
	// ProcessesSeen is when the processes were last looked at.
	ProcessesSeen time.Time `json:"processes_seen,omitzero"`
	// Panics counts records lost to a fault of the recognisers.
	Panics int `json:"panics,omitempty"`
	// Failing says why the database cannot be written now.
	Failing string `json:"failing,omitempty"`
	// Waiting is how many incidents wait for the database.
	Waiting int `json:"waiting,omitempty"`

	Helper HelperState `json:"helper"`
	// Names is how many containers and pods are known by name.
	Names   int           `json:"names"`
	Sources []SourceState `json:"sources"`
	Limits  []Limit       `json:"limits,omitempty"`
}

// KmsgState is the kernel log reader.
type KmsgState struct {
	Path      string `json:"path"`
	Reader    string `json:"reader"`
	Records   uint64 `json:"records"`
	LastSeq   uint64 `json:"last_seq"`
	LostRing  uint64 `json:"lost_ring"`
	LostQueue uint64 `json:"lost_queue"`
	Restarts  uint64 `json:"restarts"`
	Malformed uint64 `json:"malformed"`
}

func (k *KmsgState) count(stats kmsg.Stats) {
	k.Records, k.LastSeq = stats.Records, stats.LastSeq
	k.LostRing, k.LostQueue = stats.LostRing, stats.LostQueue
	k.Restarts, k.Malformed = stats.Restarts, stats.Malformed
}

// AlertsState is the way out to the journal.
type AlertsState struct {
	Journal bool   `json:"journal"` // the last alert went to the journal
	Sent    uint64 `json:"sent"`
	Stderr  uint64 `json:"stderr"`
	Dropped uint64 `json:"dropped"`
}

// state is what is true now.
func (s *service) state() State {
	follower := s.follower.Stats()
	alerts := s.alerter.Stats()
	state := State{
		PID: os.Getpid(), Version: s.options.Version, Started: s.started, Written: time.Now(),
		BootID: s.bootID, Database: s.options.Config.Store.Path,
		Kmsg: KmsgState{Path: s.options.Config.Kmsg.Path, Reader: string(s.options.Config.Kmsg.Reader)},
		Alerts: AlertsState{
			Journal: alerts.Journal, Sent: alerts.Sent, Stderr: alerts.Stderr, Dropped: alerts.Dropped,
		},
		Processes: s.memory.size(),
		Journal:   s.journalState(),
		Files:     s.filesState(),
		Panics:    s.diagnose.Panics() + s.panics,
		Waiting:   len(s.writer.waiting),
	}
	state.Kmsg.count(follower)
	if s.writer.failure != nil {
		state.Failing = s.writer.failure.Error()
	}
	state.Sources = s.sources(&state)
	s.addAround(&state)
	s.told.publish(state)
	return state
}

// saveState keeps the state where `oomdoc status` finds it.
func (s *service) saveState(stopped bool) {
	database := s.database.Load()
	if database == nil {
		return
	}
	state := s.state()
	state.Stopped = stopped
	if err := database.SetState(StateKey, state); err != nil && s.writer.failure == nil {
		s.log.Warn("cannot save the state for oomdoc status", "error", err)
	}
}

// status tells systemd one line, which `systemctl status oomdoc` shows.
func (s *service) status() {
	if err := s.notify.Status(s.statusLine()); err != nil {
		s.log.Warn("cannot tell systemd the status", "error", err)
	}
}

func (s *service) statusLine() string {
	if s.writer.failure != nil {
		return s.options.Language.Text(oomdoc.Say(keyStatusFailing, oomdoc.Args{"error": oomdoc.Text(s.writer.failure.Error())}))
	}
	path := oomdoc.Text(s.options.Config.Kmsg.Path)
	if n, newest := s.stored(); n > 0 {
		return s.options.Language.Text(oomdoc.Say(keyStatusStored, oomdoc.Args{
			"path": path, "n": oomdoc.Count(n), "time": oomdoc.Instant(newest),
		}))
	}
	return s.options.Language.Text(oomdoc.Say(keyStatusWatching, oomdoc.Args{"path": path}))
}

// stored is how many incidents the database has, and the time of the newest.
func (s *service) stored() (int, time.Time) {
	database := s.database.Load()
	if database == nil {
		return 0, time.Time{}
	}
	n, err := database.Count(store.Filter{})
	if err != nil || n == 0 {
		return 0, time.Time{} // the line is then shorter; a failing store is told elsewhere
	}
	newest, err := database.List(store.Filter{Limit: 1})
	if err != nil || len(newest) == 0 {
		return 0, time.Time{}
	}
	return n, newest[0].Time
}

const (
	keyStatusWatching oomdoc.Key = "daemon.status.watching"
	keyStatusStored   oomdoc.Key = "daemon.status.stored"
	keyStatusFailing  oomdoc.Key = "daemon.status.failing"
)
