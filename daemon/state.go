package daemon

import (
	"os"
	"time"

	"github.com/oomdoc/oomdoc"
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
	Alerts  AlertsState  `json:"alerts"`
	// Processes is how many command lines are remembered.
	Processes int `json:"processes"`
	// Panics counts records lost to a fault of the recognisers.
	Panics int `json:"panics,omitempty"`
	// Failing says why the database cannot be written now.
	Failing string `json:"failing,omitempty"`
	// Waiting is how many incidents wait for the database.
	Waiting int `json:"waiting,omitempty"`
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
		Kmsg: KmsgState{
			Path: s.options.Config.Kmsg.Path, Reader: string(s.options.Config.Kmsg.Reader),
			Records: follower.Records, LastSeq: follower.LastSeq,
			LostRing: follower.LostRing, LostQueue: follower.LostQueue,
			Restarts: follower.Restarts, Malformed: follower.Malformed,
		},
		Alerts: AlertsState{
			Journal: alerts.Journal, Sent: alerts.Sent, Stderr: alerts.Stderr, Dropped: alerts.Dropped,
		},
		Processes: s.memory.size(),
		Journal:   s.journalState(),
		Panics:    s.diagnose.Panics() + s.panics,
		Waiting:   len(s.writer.waiting),
	}
	if s.writer.failure != nil {
		state.Failing = s.writer.failure.Error()
	}
	return state
}

// saveState keeps the state where `oomdoc status` finds it.
func (s *service) saveState(stopped bool) {
	state := s.state()
	state.Stopped = stopped
	if err := s.store.SetState(StateKey, state); err != nil && s.writer.failure == nil {
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
	return s.options.Language.Text(oomdoc.Say(keyStatusWatching, oomdoc.Args{"path": oomdoc.Text(s.options.Config.Kmsg.Path)}))
}

const (
	keyStatusWatching oomdoc.Key = "daemon.status.watching"
	keyStatusFailing  oomdoc.Key = "daemon.status.failing"
)
