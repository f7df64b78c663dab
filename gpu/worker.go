package gpu

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An ending is why a worker is no more.
type ending int

const (
	endFault ending = iota
	endIdle         // nobody used the devices: it was let go
	endAsked        // the service ends, or the driver was to be let go
)

// A process is a running worker.
type process struct {
	command  *exec.Cmd
	input    io.Closer // its end tells the worker to end
	messages chan *Message
	ended    chan error // gets how it ended, once
	asking   int        // the slot that a loud worker was about to ask, -1: none
	complain string     // the first line that it wrote to its standard error
}

// start starts a worker with a clean environment.
func (s *Sampler) start() (*process, error) {
	o := &s.options
	arguments := append([]string{}, o.Worker[1:]...)
	if library := o.library(); library != "" {
		arguments = append(arguments, "--library", library)
	}
	if skip := s.leftOut(time.Now()); len(skip) > 0 {
		arguments = append(arguments, "--skip", strings.Join(skip, ","))
	}
	if s.crashes >= loudAfter {
		arguments = append(arguments, "--loud")
	}
	arguments = append(arguments, "--sys", filepath.Join(o.Root, "sys"))
	command := exec.Command(o.Worker[0], arguments...)
	command.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "GOMAXPROCS=2", "GOGC=50"}
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{command: command, input: input, messages: make(chan *Message), ended: make(chan error, 1), asking: -1}
	complaint := &firstLine{}
	command.Stderr = complaint
	if err := command.Start(); err != nil {
		return nil, err
	}
	go func() {
		readMessages(output, p.messages)
		close(p.messages)
		err := command.Wait()
		p.complain = complaint.String()
		p.ended <- err
	}()
	return p, nil
}

// maxMessage bounds a line of a worker: a list of thousands of processes.
const maxMessage = 1 << 20

// readMessages reads until the output ends or is not what a worker writes.
func readMessages(output io.Reader, messages chan<- *Message) {
	lines := bufio.NewScanner(output)
	lines.Buffer(make([]byte, 0, 4096), maxMessage)
	for lines.Scan() {
		m := new(Message)
		if json.Unmarshal(lines.Bytes(), m) != nil {
			return
		}
		messages <- m
	}
}

// work starts a worker and takes what it says until it ends or has to.
func (s *Sampler) work(ctx context.Context) ending {
	if s.tooManyLeft() {
		s.stopped("workers hang in the driver and can't be ended; only a reboot helps", false)
		return endFault
	}
	p, err := s.start()
	if err != nil {
		s.stopped(err.Error(), false)
		s.options.Log.Warn("cannot start the worker that asks NVIDIA's library", "error", err)
		return endFault
	}
	s.mu.Lock()
	s.status.Workers++
	s.status.Sleeping = false
	s.mu.Unlock()
	end := s.listen(ctx, p)
	err = s.stop(p)
	s.crashed(p, err)
	if err != nil && end == endFault {
		reason := why(err)
		if p.complain != "" {
			reason += " (" + p.complain + ")"
		}
		s.stopped(reason, false)
		s.options.Log.Info("NVIDIA's library is not sampled for now", "reason", reason)
	}
	s.mu.Lock()
	s.history.left()
	s.mu.Unlock()
	return end
}

// listen takes what a worker says.
func (s *Sampler) listen(ctx context.Context, p *process) ending {
	silence := time.NewTimer(s.options.Silence)
	defer silence.Stop()
	stuck := newStuck()
	idle := idleness{since: time.Now()}
	for {
		select {
		case <-ctx.Done():
			return endAsked
		case <-s.wake:
			if s.isReleased() {
				return endAsked
			}
		case <-silence.C:
			s.stopped("the worker did not answer", false)
			return endFault
		case m, ok := <-p.messages:
			if !ok {
				return endFault
			}
			now := time.Now()
			silence.Reset(s.options.Silence)
			if m.Asking != nil {
				p.asking = *m.Asking
			}
			s.take(m, now)
			if m.Xid != nil && s.options.Xid != nil {
				s.options.Xid(s.device(m.Xid.Slot), m.Xid.Code)
			}
			if m.Beat != nil && stuck.take(m.Beat, now) > s.options.Silence {
				if slot, several := stuck.first(); several {
					s.blame(slot, now)
				}
				s.stopped("NVIDIA's library does not answer", false)
				return endFault
			}
			if idle.take(s, now) {
				return endIdle
			}
		}
	}
}

// loudAfter is after how many crashes in a row a worker has to say which device it
// asks.
const loudAfter = 2

// isCrash tells a worker that did not end by itself: by a signal, or by Go's
// runtime, which turns one within the library into a trace and status 2.
func isCrash(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && (!exit.Exited() || exit.ExitCode() == 2)
}

// crashed counts the workers that crashed, and blames the device that the
// last of them was asking.
func (s *Sampler) crashed(p *process, err error) {
	if !isCrash(err) {
		s.crashes = 0
		return
	}
	s.crashes++
	if p.asking >= 0 {
		s.blame(p.asking, time.Now())
		s.crashes = 0
	}
}

// How long a worker gets to end by itself, and then by force.
const (
	stopGently = 2 * time.Second
	stopHard   = 2 * time.Second
)

// stop ends a worker. One that hangs in the driver outlives even SIGKILL: it is
// left behind.
func (s *Sampler) stop(p *process) error {
	_ = p.input.Close() // its end is the word
	go func() {
		for range p.messages { // what it still says
		}
	}()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(stopGently):
	}
	_ = p.command.Process.Kill() // it may have ended meanwhile
	select {
	case err := <-p.ended:
		return err
	case <-time.After(stopHard):
	}
	s.mu.Lock()
	s.dropped++
	s.mu.Unlock()
	go func() {
		err := <-p.ended
		s.options.Log.Info("a worker that hung in NVIDIA's driver has ended", "error", err)
		s.mu.Lock()
		s.dropped--
		s.mu.Unlock()
	}()
	return errors.New("the worker hangs in the driver")
}

func (s *Sampler) tooManyLeft() bool {
	const most = 3
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped >= most
}

func (s *Sampler) device(slot int) Device {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.history.devices[slot]; d != nil {
		return d.Device
	}
	return Device{Slot: slot, Index: slot, Vendor: NVIDIA}
}

// A firstLine keeps the first line of what is written to it.
type firstLine struct {
	text strings.Builder
	done bool
}

const maxComplaint = 256

func (f *firstLine) Write(b []byte) (int, error) {
	for _, c := range b {
		if f.done = f.done || c == '\n' || f.text.Len() >= maxComplaint; f.done {
			break
		}
		f.text.WriteByte(c)
	}
	return len(b), nil
}

func (f *firstLine) String() string { return f.text.String() }
