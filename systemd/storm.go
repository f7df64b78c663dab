package systemd

import (
	"time"

	"github.com/coreos/go-systemd/v22/journal"

	"github.com/oomdoc/oomdoc"
)

// The limits of what is kept while storms are open.
const (
	// maxStorms is how many offenders are told apart at the same time; the
	// failures of all others are counted together.
	maxStorms = 256
	// maxCounted is how many failures one storm counts: their ids are kept
	// until the summary is told. The storm then ends with its summary.
	maxCounted = 4096
)

// everybodyElse is the offender of the storm that counts what is beyond maxStorms.
const everybodyElse = ""

// A storm is open from an offender's alert until it was quiet for a while.
type storm struct {
	offender string
	opened   time.Time
	due      time.Time // when it ends
	timer    *time.Timer

	ids         []string  // of the failures that were counted, not alerted
	first, last time.Time // when the first and the last of all failures happened
	allKilled   bool
	priority    journal.Priority
	common      map[string]string // fields that all its failures share
}

// cover widens what is known of the storm by one more failure, which came now.
func (s *storm) cover(incident *oomdoc.Incident, now time.Time) {
	fields, priority := fieldsOf(incident), kindOf(incident).priority
	killed := incident.Outcome == oomdoc.OutcomeKilled
	at := incident.Time
	if at.IsZero() {
		at = now
	}
	if s.common == nil {
		s.common, s.priority, s.allKilled = fields, priority, killed
		s.first, s.last = at, at
		return
	}
	keepCommon(s.common, fields)
	s.priority = min(s.priority, priority) // 0 is the gravest
	s.allKilled = s.allKilled && killed
	if at.Before(s.first) {
		s.first = at
	}
	if at.After(s.last) {
		s.last = at
	}
}

// span is the time between the first and the last failure, in whole seconds
// and rounded up, so that "within" is true.
func (s *storm) span() time.Duration {
	seconds := (s.last.Sub(s.first) + time.Second - 1) / time.Second
	return max(1, seconds) * time.Second
}

func keepCommon(fields, other map[string]string) {
	for name, value := range fields {
		if other[name] != value {
			delete(fields, name)
		}
	}
}
