package daemon

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// metricsEvery is how often the textfile is written, if anything changed.
const metricsEvery = 15 * time.Second

// A metric is one counter or gauge without labels.
type metric struct {
	name, kind, help string
	value            func(*State) uint64
}

func metricTable() []metric {
	return []metric{
		{"oomdoc_kmsg_records_total", "counter", "Kernel log records read.", func(s *State) uint64 { return s.Kmsg.Records }},
		{"oomdoc_kmsg_lost_ring_total", "counter", "Kernel log records overwritten before they were read.", func(s *State) uint64 { return s.Kmsg.LostRing }},
		{"oomdoc_kmsg_lost_queue_total", "counter", "Kernel log records dropped because the queue was full.", func(s *State) uint64 { return s.Kmsg.LostQueue }},
		{"oomdoc_kmsg_restarts_total", "counter", "Restarts of the kernel log reader.", func(s *State) uint64 { return s.Kmsg.Restarts }},
		{"oomdoc_recognizer_faults_total", "counter", "Records lost to a fault of the recognisers.", func(s *State) uint64 { return uint64(s.Panics) }},
		{"oomdoc_alerts_sent_total", "counter", "Alerts that the journal took.", func(s *State) uint64 { return s.Alerts.Sent }},
		{"oomdoc_alerts_dropped_total", "counter", "Alerts that nobody took.", func(s *State) uint64 { return s.Alerts.Dropped }},
		{"oomdoc_incidents_waiting", "gauge", "Incidents that wait for the database.", func(s *State) uint64 { return uint64(s.Waiting) }},
		{"oomdoc_database_failing", "gauge", "1 while the database cannot be written.", func(s *State) uint64 { return one(s.Failing != "") }},
		{"oomdoc_helper_reachable", "gauge", "1 where what only root may do can be done.", func(s *State) uint64 { return one(s.Helper.Reachable) }},
		{"oomdoc_start_time_seconds", "gauge", "When the daemon was started, seconds since 1970.", func(s *State) uint64 { return uint64(s.Started.Unix()) }},
	}
}

func one(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// metrics are the counters since the start, in Prometheus' text format
// (prometheus.io, "Exposition formats"). Labels are words of ours: no name from
// a log can break a line.
func (s *service) metrics() string {
	state := s.now()
	var text strings.Builder
	head := func(name, kind, help string) {
		fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	for _, m := range metricTable() {
		head(m.name, m.kind, m.help)
		fmt.Fprintf(&text, "%s %d\n", m.name, m.value(&state))
	}
	const incidents = "oomdoc_incidents_total"
	head(incidents, "counter", "Incidents stored since the daemon was started.")
	s.told.mu.Lock()
	defer s.told.mu.Unlock()
	for _, key := range slices.SortedFunc(maps.Keys(s.told.incidents), func(a, b counted) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	}) {
		fmt.Fprintf(&text, "%s{class=%q,cause=%q,outcome=%q} %d\n", incidents, key.class, key.cause, key.outcome, s.told.incidents[key])
	}
	return text.String()
}

// writeMetrics keeps the textfile fresh until ctx ends.
func (s *service) writeMetrics(ctx context.Context) {
	path := s.options.Config.Metrics.Textfile
	ticker := time.NewTicker(metricsEvery)
	defer ticker.Stop()
	written := ""
	for {
		text := s.metrics()
		var err error
		if text != written {
			if err = replaceFile(path, text); err == nil {
				written = text
			}
		}
		s.told.mu.Lock()
		news := err != nil && s.told.textfile == nil
		s.told.textfile = err
		s.told.mu.Unlock()
		if news {
			s.log.Warn("cannot write the counters", "path", path, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// replaceFile writes a file that everybody may read, at once: node_exporter
// never sees half of it.
func replaceFile(path, text string) error {
	fresh := path + ".new" // does not end in .prom, so it is not collected
	if err := os.WriteFile(fresh, []byte(text), 0o644); err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o644); err != nil { // whatever the umask
		return err
	}
	return os.Rename(fresh, path)
}
