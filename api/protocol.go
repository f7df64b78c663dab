package api

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// SocketName is the name of the socket in the daemon's run directory.
const SocketName = "oomdoc.sock"

// What can be asked for.
const (
	GetIncidents = "incidents" // those that the filter chooses, newest first
	GetIncident  = "incident"  // one by its id, with its records
	GetStatus    = "status"
	GetMetrics   = "metrics" // the counters, as Prometheus reads them
)

// A Request is the one line that a client sends. Fields, once there, keep their
// name and meaning; unknown ones are passed over.
type Request struct {
	Get      string       `json:"get"`
	ID       string       `json:"id,omitempty"`       // of GetIncident: the id or its beginning
	Language string       `json:"language,omitempty"` // of the sentences; empty: they come with their keys
	Since    time.Time    `json:"since,omitzero"`
	Until    time.Time    `json:"until,omitzero"`
	Class    oomdoc.Class `json:"class,omitempty"`
	Cause    oomdoc.Cause `json:"cause,omitempty"`
	Unit     string       `json:"unit,omitempty"`
	Engine   string       `json:"engine,omitempty"`
	Burst    string       `json:"burst,omitempty"`
	Selftest bool         `json:"selftest,omitempty"` // self-tests too
	Limit    int          `json:"limit,omitempty"`
	Offset   int          `json:"offset,omitempty"`
}

func (r *Request) filter() store.Filter {
	return store.Filter{
		Since: r.Since, Until: r.Until, Class: r.Class, Cause: r.Cause, Unit: r.Unit, Engine: r.Engine, Burst: r.Burst,
		IncludeSelftest: r.Selftest, Limit: r.Limit, Offset: r.Offset,
	}
}

// setFilter is the reverse of filter.
func (r *Request) setFilter(f store.Filter) {
	r.Since, r.Until, r.Class, r.Cause, r.Unit = f.Since, f.Until, f.Class, f.Cause, f.Unit
	r.Engine, r.Burst, r.Selftest, r.Limit, r.Offset = f.Engine, f.Burst, f.IncludeSelftest, f.Limit, f.Offset
}

// An Answer is one line of an answer. The last has End or Error.
type Answer struct {
	Incident *oomdoc.Incident `json:"incident,omitempty"`
	Redacted bool             `json:"redacted,omitempty"` // the incident is another user's: not all of it is told
	Records  []string         `json:"records,omitempty"`
	Status   json.RawMessage  `json:"status,omitempty"`
	Metrics  string           `json:"metrics,omitempty"`
	Error    *Failure         `json:"error,omitempty"`
	End      bool             `json:"end,omitempty"`
}

// A Failure is an error as it goes over the socket.
type Failure struct {
	Code oomdoc.Code `json:"code"` // as the exit status of the command
	Text string      `json:"text"`
	Hint string      `json:"hint,omitempty"`
}

func failureOf(err error) *Failure {
	return &Failure{Code: oomdoc.ErrorCode(err), Text: err.Error(), Hint: oomdoc.ErrorHint(err)}
}

func (f *Failure) err() error {
	return &oomdoc.Error{Code: f.Code, Err: errors.New(f.Text), Hint: f.Hint}
}
