package daemon

import "time"

// A pulse knows of each loop of the daemon whether it moves. systemd's watchdog
// is pinged only while all of them do: a daemon whose reader hangs would look
// alive and see nothing.
type pulse struct {
	loops  []loop
	warned string // the loop whose hanging was told
}

// A loop waits for something or works. Only while it works can it be stuck.
type loop struct {
	name string
	// busy is since when it works; the zero time: it waits.
	busy func() time.Time
	// longest is how long its work may take; 0: as long as the watchdog allows.
	longest time.Duration
}

// watch adds a loop.
func (p *pulse) watch(l loop) { p.loops = append(p.loops, l) }

// stuck names the first loop that has worked on one thing for too long; patience
// is for those that have no time of their own.
func (p *pulse) stuck(now time.Time, patience time.Duration) (name string, since time.Time) {
	for _, l := range p.loops {
		began := l.busy()
		longest := l.longest
		if longest == 0 {
			longest = patience
		}
		if !began.IsZero() && now.Sub(began) > longest {
			return l.name, began
		}
	}
	return "", time.Time{}
}

// watchLoops tells the pulse of every loop but the one of run, which moves when
// it asks.
func (s *service) watchLoops() {
	s.pulse.watch(loop{name: "kernel log", busy: func() time.Time { return s.follower.Busy() }}) // it may be another one later
	s.pulse.watch(loop{name: "alerts", busy: s.alerter.Busy})
	s.pulse.watch(loop{name: "process list", busy: s.memory.reading.at})
	s.pulse.watch(loop{name: "pruning", busy: s.pruning.at, longest: pruneLongest})
}

// pingsPerInterval is how often the watchdog is pinged within the time that it
// allows, and its inverse how long a loop may work on one thing. So a loop that
// is slow once costs a ping, not the daemon.
const pingsPerInterval = 4

// beat pings systemd's watchdog if every loop moved.
func (s *service) beat(now time.Time) {
	patience := s.notify.WatchdogInterval() / pingsPerInterval
	name, since := s.pulse.stuck(now, patience)
	if name != "" {
		if s.pulse.warned != name {
			s.log.Error("a part of oomdoc hangs; systemd restarts it unless it goes on", "part", name, "for", now.Sub(since).Round(time.Second))
		}
		s.pulse.warned = name
		return
	}
	s.pulse.warned = ""
	if err := s.notify.Ping(); err != nil {
		s.log.Warn("cannot ping systemd's watchdog", "error", err)
	}
}
