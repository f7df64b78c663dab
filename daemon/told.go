package daemon

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/api"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/systemd"
)

// What is told of the service to those who ask, from other goroutines than its
// loop.
type told struct {
	mu        sync.Mutex
	state     State // as the loop last knew it
	follower  *kmsg.Follower
	journal   *systemd.JournalFollower // nil: nobody reads it
	last      time.Time
	incidents map[counted]uint64
	socket    error // why nobody can ask
	textfile  error // why the counters are not written
}

// counted is what incidents are counted by.
type counted struct {
	class   oomdoc.Class
	cause   oomdoc.Cause
	outcome oomdoc.Outcome
}

// record notes when the last record was read.
func (t *told) record(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = at
}

func (t *told) lastRecord() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// follow notes who reads the kernel log.
func (t *told) follow(follower *kmsg.Follower) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.follower = follower
}

// incident counts a new one, but for what a new database finds in an old log.
func (t *told) incident(inc *oomdoc.Incident) {
	if inc.Selftest {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.incidents == nil {
		t.incidents = make(map[counted]uint64)
	}
	t.incidents[counted{inc.Class, inc.Cause, inc.Outcome}]++
}

func (t *told) publish(state State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state = state
}

// A SourceState is one place where failures show.
type SourceState struct {
	Name    string    `json:"name"`
	Path    string    `json:"path,omitempty"`
	Watched bool      `json:"watched"`
	Since   time.Time `json:"since,omitzero"` // watched since
	Last    time.Time `json:"last,omitzero"`  // the last record was read
	Records uint64    `json:"records"`
	Lost    uint64    `json:"lost"`
}

// HelperState says who does what only root may do.
type HelperState struct {
	Needed    bool   `json:"needed"` // false: the daemon is root and does it itself
	Reachable bool   `json:"reachable"`
	Socket    string `json:"socket,omitempty"`
}

// A Limit is something that the daemon may not do, and the command that would
// allow it.
type Limit struct {
	What    oomdoc.Sentence `json:"what"`
	Command string          `json:"command,omitempty"`
}

const (
	keyLimitHelper   oomdoc.Key = "daemon.limit.helper"
	keyLimitHidepid  oomdoc.Key = "daemon.limit.hidepid"
	keyLimitSocket   oomdoc.Key = "daemon.limit.socket"
	keyLimitTextfile oomdoc.Key = "daemon.limit.textfile"
	keyLimitInside   oomdoc.Key = "daemon.limit.inside"
	keyLimitModels   oomdoc.Key = "daemon.limit.models"
)

// sources are what is watched; a source that is added stands here too.
func (s *service) sources(state *State) []SourceState {
	kernel := SourceState{
		Name: string(oomdoc.SourceKmsg), Path: state.Kmsg.Path, Watched: true, Since: s.started, Last: s.told.lastRecord(),
		Records: state.Kmsg.Records, Lost: state.Kmsg.LostRing + state.Kmsg.LostQueue,
	}
	sources := []SourceState{kernel, s.journalLine()}
	if state.Files.Enabled {
		sources = append(sources, filesLine(&state.Files, s.started))
	}
	return sources
}

// addAround fills in what is so right now, whoever asks.
func (s *service) addAround(state *State) {
	state.Helper = HelperState{Needed: s.hand.asked != nil, Reachable: s.hand.ready() == nil}
	if state.Helper.Needed {
		state.Helper.Socket = s.options.Config.Helper.Socket
	}
	state.GPU = s.memory.gpuState()
	state.Processes, state.Names = s.memory.size(), s.memory.names.size()
	state.ProcessesSeen = s.memory.seen()
	state.Limits = s.limits(state)
}

// limits are what the daemon may not do here.
func (s *service) limits(state *State) []Limit {
	var limits []Limit
	add := func(missing bool, what oomdoc.Sentence, command string) {
		if missing {
			limits = append(limits, Limit{what, command})
		}
	}
	add(state.Helper.Needed && !state.Helper.Reachable, oomdoc.Say(keyLimitHelper, nil), "sudo systemctl enable --now oomdoc-helper.socket")
	_, err := os.Stat(filepath.Join(s.options.ProcRoot, "1", "stat"))
	add(err != nil, oomdoc.Say(keyLimitHidepid, nil), "sudo mount -o remount,hidepid=0 /proc")
	closed, unnamed := s.memory.unknown()
	add(closed > 0, oomdoc.Say(keyLimitInside, oomdoc.Args{"n": oomdoc.Count(closed)}), "")
	add(unnamed, oomdoc.Say(keyLimitModels, nil), "sudo usermod -aG ollama oomdoc && sudo systemctl restart oomdoc")
	s.told.mu.Lock()
	defer s.told.mu.Unlock()
	if err := s.told.socket; err != nil {
		add(true, oomdoc.Say(keyLimitSocket, oomdoc.Args{"error": oomdoc.Text(err.Error())}), "sudo systemctl restart oomdoc")
	}
	if err := s.told.textfile; err != nil {
		folder := filepath.Dir(s.options.Config.Metrics.Textfile)
		add(true, oomdoc.Say(keyLimitTextfile, oomdoc.Args{"error": oomdoc.Text(err.Error())}), "ls -ld "+folder)
	}
	return limits
}

// now is the state as it is told to those who ask.
func (s *service) now() State {
	s.told.mu.Lock()
	state, follower, journal := s.told.state, s.told.follower, s.told.journal
	s.told.mu.Unlock()
	state.Kmsg.count(follower.Stats())
	if journal != nil {
		state.Journal.count(journal.Stats())
	}
	state.Sources = s.sources(&state)
	alerts := s.alerter.Stats()
	state.Alerts = AlertsState{Journal: alerts.Journal, Sent: alerts.Sent, Stderr: alerts.Stderr, Dropped: alerts.Dropped}
	s.addAround(&state)
	return state
}

// startSocket lets others ask. Without it the service works all the same.
func (s *service) startSocket() (stop func()) {
	if s.options.RunDir == "" {
		return func() {}
	}
	server, err := api.Listen(filepath.Join(s.options.RunDir, api.SocketName), api.ServerOptions{
		Judge: api.Judge{Groups: []string{s.options.Config.Access.Group}},
		Open:  s.openSource, Status: s.statusOf, Metrics: s.metrics, Log: s.log,
	})
	if err != nil {
		s.log.Warn("cannot answer on a socket; only who may read the database sees incidents", "error", err)
		s.told.mu.Lock()
		s.told.socket = err
		s.told.mu.Unlock()
		return func() {}
	}
	return func() {
		if err := server.Close(); err != nil {
			s.log.Warn("cannot remove the socket", "error", err)
		}
	}
}
