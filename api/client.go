package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// ErrAbsent says that no daemon answers.
var ErrAbsent = errors.New("no daemon answers there")

// A Client asks the daemon. It is a Source, so that what reads the database can
// read from the daemon instead.
type Client struct {
	path   string
	hidden int
}

// NewClient makes a client of the daemon with that socket.
func NewClient(path string) *Client { return &Client{path: path} }

// Close does nothing: each question has a connection of its own.
func (c *Client) Close() error { return nil }

// Hidden is how many incidents were told without what this user may not see.
func (c *Client) Hidden() int { return c.hidden }

// Ready tells whether a daemon answers.
func (c *Client) Ready() error {
	connection, err := c.dial()
	if err != nil {
		return err
	}
	return connection.Close()
}

// List reads the incidents that the filter chooses, newest first.
func (c *Client) List(filter store.Filter) ([]oomdoc.Incident, error) {
	request := Request{Get: GetIncidents}
	request.setFilter(filter)
	var incidents []oomdoc.Incident
	err := c.ask(request, func(a *Answer) {
		if a.Incident != nil {
			incidents = append(incidents, *a.Incident)
		}
	})
	return incidents, err
}

// Get reads one incident by its id or the beginning of it, with its records
// where this user may see them.
func (c *Client) Get(idOrPrefix string) (incident oomdoc.Incident, err error) {
	err = c.ask(Request{Get: GetIncident, ID: idOrPrefix}, func(a *Answer) {
		if a.Incident != nil {
			incident = *a.Incident
			incident.Records = a.Records
		}
	})
	return incident, err
}

// Records reads the raw records of an incident, none where this user may not.
func (c *Client) Records(id string) ([]string, error) {
	incident, err := c.Get(id)
	return incident.Records, err
}

// Status reads the daemon's status.
func (c *Client) Status(into any) error {
	var failed error
	err := c.ask(Request{Get: GetStatus}, func(a *Answer) {
		if a.Status != nil {
			failed = json.Unmarshal(a.Status, into)
		}
	})
	return errors.Join(err, failed)
}

func (c *Client) dial() (net.Conn, error) {
	connection, err := net.DialTimeout("unix", c.path, askWithin)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, fmt.Errorf("ask the daemon: %w", ErrAbsent)
	case err != nil:
		return nil, fmt.Errorf("ask the daemon: %w", err)
	}
	return connection, nil
}

// maxAnswer bounds one line of an answer: an incident with its raw records.
const maxAnswer = 32 << 20

// ask sends a request and hands over each line of the answer.
func (c *Client) ask(request Request, take func(*Answer)) error {
	connection, err := c.dial()
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close() }() // everything was read, or it failed
	if err := connection.SetDeadline(time.Now().Add(answerWithin)); err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	if err := json.NewEncoder(connection).Encode(request); err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	lines := bufio.NewScanner(connection)
	lines.Buffer(make([]byte, 64<<10), maxAnswer)
	for lines.Scan() {
		var answer Answer
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			return fmt.Errorf("read the daemon's answer: %w", err)
		}
		switch {
		case answer.Error != nil:
			return answer.Error.err()
		case answer.End:
			return nil
		}
		if answer.Redacted {
			c.hidden++
		}
		take(&answer)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the daemon's answer: %w", err)
	}
	return &oomdoc.Error{Op: "read the daemon's answer", Err: errors.New("it has no end: the daemon is busy or was stopped"), Hint: "try again in a moment"}
}
