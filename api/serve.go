package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/redact"
	"github.com/oomdoc/oomdoc/store"
)

// What a stranger may cost: so many connections at a time, one request of so
// many bytes each, so long to send it, so long to read the answer, so many
// incidents in it.
const (
	maxConnections = 16
	maxOfOne       = 4 // of one user, so that none keeps the others out
	maxRequest     = 8 << 10
	askWithin      = 5 * time.Second
	answerWithin   = 30 * time.Second
	maxIncidents   = 10_000
	pageSize       = 64
)

// A Source is where the incidents are read; *store.Reader is one.
type Source interface {
	List(store.Filter) ([]oomdoc.Incident, error)
	Get(idOrPrefix string) (oomdoc.Incident, error)
	Records(id string) ([]string, error)
	Close() error
}

// ServerOptions are what a Server needs.
type ServerOptions struct {
	Judge   Judge
	Open    func() (Source, error) // called for each request for incidents
	Status  func(Source) (any, error)
	Metrics func() string
	Log     *slog.Logger
}

// A Server answers on a socket until it is closed.
type Server struct {
	options  ServerOptions
	path     string
	listener *net.UnixListener
	work     sync.WaitGroup
	places   chan struct{}

	mu    sync.Mutex
	open  map[*net.UnixConn]bool
	users map[int]int // connections by user
}

// Listen makes the socket, open to every user of the machine, and starts to
// answer. What another daemon left there is replaced.
func Listen(path string, options ServerOptions) (*Server, error) {
	if err := removeLeftover(path); err != nil {
		return nil, err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("make socket: %w", err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		return nil, errors.Join(fmt.Errorf("open socket to all users: %w", err), listener.Close())
	}
	s := &Server{options: options, path: path, listener: listener, places: make(chan struct{}, maxConnections), open: make(map[*net.UnixConn]bool), users: make(map[int]int)}
	s.work.Go(s.accept)
	return s, nil
}

// removeLeftover removes the socket of a daemon that was killed, and nothing
// that is no socket.
func removeLeftover(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(filepath.Dir(path), 0o755)
	case err != nil:
		return fmt.Errorf("make socket: %w", err)
	case info.Mode()&os.ModeSocket == 0:
		return &oomdoc.Error{Op: "make socket", Path: path, Err: errors.New("something that is no socket is there"), Hint: "move it away: mv " + path + " " + path + ".old"}
	}
	if connection, err := net.Dial("unix", path); err == nil {
		return errors.Join(&oomdoc.Error{Op: "make socket", Path: path, Err: errors.New("another daemon answers there"),
			Hint: "stop it first: sudo systemctl stop oomdoc"}, connection.Close())
	}
	return os.Remove(path)
}

// Close ends the answering and removes the socket.
func (s *Server) Close() error {
	err := s.listener.Close() // removes the socket too
	s.mu.Lock()
	for connection := range s.open {
		_ = connection.Close() // its client sees an answer without end
	}
	s.mu.Unlock()
	s.work.Wait()
	return err
}

func (s *Server) accept() {
	for {
		connection, err := s.listener.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.options.Log.Warn("cannot take a question", "error", err)
			time.Sleep(time.Second) // no descriptors left: it does not help to hurry
			continue
		}
		select {
		case s.places <- struct{}{}:
		default: // full: those who came first are served
			_ = connection.Close()
			continue
		}
		s.mu.Lock()
		s.open[connection] = true
		s.mu.Unlock()
		s.work.Go(func() {
			defer func() { <-s.places }()
			s.serve(connection)
		})
	}
}

func (s *Server) serve(connection *net.UnixConn) {
	defer func() {
		s.mu.Lock()
		delete(s.open, connection)
		s.mu.Unlock()
		_ = connection.Close() // what was to be said is said
	}()
	peer, err := peerOf(connection)
	if err != nil {
		s.options.Log.Warn("cannot tell who asks", "error", err)
		return
	}
	if !s.admit(peer.UID) {
		return
	}
	defer s.leave(peer.UID)
	if connection.SetReadDeadline(time.Now().Add(askWithin)) != nil {
		return
	}
	out := bufio.NewWriter(connection)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	request, err := readRequest(connection)
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrDeadlineExceeded) {
		return
	}
	if err == nil && connection.SetWriteDeadline(time.Now().Add(answerWithin)) == nil {
		err = s.answer(peer, &request, encoder.Encode)
	}
	last := Answer{End: true}
	if err != nil {
		last = Answer{Error: failureOf(err)}
	}
	if encoder.Encode(last) == nil {
		_ = out.Flush() // a client that went away needs no answer
	}
}

// admit counts a user's connections; false: he has enough of them.
func (s *Server) admit(uid int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users[uid] >= maxOfOne {
		return false
	}
	s.users[uid]++
	return true
}

func (s *Server) leave(uid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users[uid]--; s.users[uid] == 0 {
		delete(s.users, uid)
	}
}

func readRequest(from io.Reader) (Request, error) {
	line, err := bufio.NewReaderSize(io.LimitReader(from, maxRequest), maxRequest).ReadSlice('\n')
	if err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)) {
		return Request{}, err
	}
	var request Request
	if err := json.Unmarshal(line, &request); err != nil {
		return Request{}, &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "read request", Err: err, Hint: `{"get": "incidents", "limit": 1}`}
	}
	return request, nil
}

// answer tells what was asked for.
func (s *Server) answer(peer Peer, request *Request, tell func(any) error) error {
	switch request.Get {
	case GetMetrics:
		return tell(Answer{Metrics: s.options.Metrics()})
	case GetStatus, GetIncident, GetIncidents:
	default:
		return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "read request", Err: fmt.Errorf("cannot get %q", request.Get), Hint: `{"get": "incidents", "limit": 1}`}
	}
	source, err := s.options.Open()
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // it was only read
	if request.Get == GetStatus {
		status, err := s.options.Status(source)
		if err != nil {
			return err
		}
		data, err := json.Marshal(status)
		if err != nil {
			return fmt.Errorf("encode status: %w", err)
		}
		return tell(Answer{Status: data})
	}
	viewer := viewer{peer: peer, all: s.options.Judge.SeesAll(peer)}
	if request.Language != "" {
		if viewer.language, err = lang.New(request.Language); err != nil {
			return err
		}
	}
	if request.Get == GetIncident {
		return one(source, request.ID, viewer, tell)
	}
	return list(source, request.filter(), viewer, tell)
}

func one(source Source, id string, v viewer, tell func(any) error) error {
	incident, err := source.Get(id)
	if err != nil {
		return err
	}
	answer := v.see(incident)
	if !answer.Redacted {
		if answer.Records, err = source.Records(incident.ID); err != nil {
			return err
		}
	}
	return tell(answer)
}

// list tells the incidents page by page, so that a long history takes no more
// memory than a short one.
func list(source Source, filter store.Filter, v viewer, tell func(any) error) error {
	left := maxIncidents
	if filter.Limit > 0 {
		left = min(left, filter.Limit)
	}
	filter.Offset = max(0, filter.Offset)
	for left > 0 {
		filter.Limit = min(left, pageSize)
		page, err := source.List(filter)
		if err != nil {
			return err
		}
		for _, incident := range page {
			if err := tell(v.see(incident)); err != nil {
				return err
			}
		}
		if len(page) < filter.Limit {
			return nil
		}
		left -= len(page)
		filter.Offset += len(page)
	}
	return nil
}

// A viewer is a peer with what he may see and how he wants it.
type viewer struct {
	peer     Peer
	all      bool
	language *lang.Language
}

// see is an incident as the viewer may see it.
func (v viewer) see(inc oomdoc.Incident) Answer {
	answer := Answer{Redacted: !v.all && !v.peer.IsOwn(&inc)}
	if answer.Redacted {
		inc = redact.ForOthers(inc)
	}
	if v.language != nil {
		inc = v.language.Render(inc)
	}
	answer.Incident = &inc
	return answer
}
