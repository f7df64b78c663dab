package gpu

import (
	"context"
	"errors"
	"log/slog"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// Options are what a Sampler needs.
type Options struct {
	// Worker is the command that asks NVIDIA's library: this binary, and the
	// arguments before those that the sampler adds.
	Worker []string
	// Library is the path of NVIDIA's library; empty: where the linker finds it.
	Library string
	Root    string // where /proc, /sys and /dev are; empty: "/"
	Log     *slog.Logger
	// Xid is told of an error of a device.
	Xid func(Device, uint64)

	// RetryFirst and RetryMost bound the wait before a worker is started again;
	// LookEvery is how often a driver that was not there is looked for. Zero: a
	// second, five minutes, ten seconds.
	RetryFirst, RetryMost, LookEvery time.Duration
	// Silence is how long a worker may say nothing before it is ended; zero: ten
	// seconds.
	Silence time.Duration
	// IdleAfter is how long no program may use a device that the kernel may power
	// down before it is let go; zero: half a minute.
	IdleAfter time.Duration
}

func (o *Options) defaults() {
	if o.Root == "" {
		o.Root = "/"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	for _, d := range []struct {
		value *time.Duration
		or    time.Duration
	}{
		{&o.RetryFirst, time.Second}, {&o.RetryMost, 5 * time.Minute}, {&o.LookEvery, 10 * time.Second},
		{&o.Silence, 10 * time.Second}, {&o.IdleAfter, 30 * time.Second},
	} {
		if *d.value == 0 {
			*d.value = d.or
		}
	}
}

// A Sampler keeps the last minutes of every GPU. Its methods may be called from
// any goroutine.
type Sampler struct {
	options Options
	crashes int           // workers in a row that died of a signal
	patient time.Duration // how long nobody must use the devices before they are let go

	mu       sync.Mutex
	history  history
	status   Status
	blamed   map[string]time.Time // buses that are left out, until when
	strikes  map[string]int       // how often each was blamed
	released bool                 // somebody needs the driver to be free
	wake     chan struct{}        // something was asked for
	dropped  int                  // workers that could not be ended
}

// Status says what is sampled and what is not, and why.
type Status struct {
	Devices []DeviceStatus
	Driver  string
	Reason  string // why nothing is sampled, or what is wrong; "" when all is well
	Workers int    // how often a worker was started
	Since   time.Time
	Lacking []string
	// Sleeping says that every GPU is powered down and is left so.
	Sleeping bool
	Released bool
}

// A DeviceStatus is how one device does.
type DeviceStatus struct {
	Device
	Last   time.Time // of its last sample
	Fault  string
	Asleep bool
}

// New makes a Sampler that has seen nothing yet.
func New(o Options) *Sampler {
	o.defaults()
	return &Sampler{
		options: o, patient: o.IdleAfter, history: newHistory(), blamed: make(map[string]time.Time), strikes: make(map[string]int),
		wake: make(chan struct{}, 1),
	}
}

// Run samples until ctx ends. It does not wait for a worker that the driver
// doesn't let go.
func (s *Sampler) Run(ctx context.Context) {
	var drm sync.WaitGroup
	drm.Go(func() { s.sampleDRM(ctx) })
	defer drm.Wait()
	retry := s.options.RetryFirst
	for ctx.Err() == nil {
		wait := s.options.LookEvery
		switch p := s.options.nvidia(); {
		case s.isReleased():
			s.stopped("let go for the driver", false)
		case p == absent:
			s.stopped("", false)
		case p == asleep:
			s.stopped("", true)
			wait = min(wait, time.Second)
		default:
			began := time.Now()
			end := s.work(ctx)
			if time.Since(began) > s.options.RetryMost {
				retry = s.options.RetryFirst
			}
			wait = retry
			if end == endIdle {
				s.letGo(ctx)
				continue
			}
			retry = min(2*retry, s.options.RetryMost)
		}
		s.sleep(ctx, wait)
	}
}

// idleLook is how long the kernel gets to power a device down that was let go.
const idleLook = 15 * time.Second

// letGo waits whether the kernel powers down what nobody uses. Where it doesn't,
// somebody else holds it, and letting go was of no use.
func (s *Sampler) letGo(ctx context.Context) {
	const most = time.Hour
	s.stopped("", true)
	s.sleep(ctx, idleLook)
	if s.options.nvidia() == present {
		s.patient = min(2*s.patient, most)
	} else {
		s.patient = s.options.IdleAfter
	}
}

// sleep waits, but not after something was asked for.
func (s *Sampler) sleep(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-s.wake:
	}
}

// Release lets go of NVIDIA's driver, so that it can be reloaded or a GPU reset,
// or takes it up again.
func (s *Sampler) Release(release bool) {
	s.mu.Lock()
	s.released = release
	s.status.Released = release
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Restart ends a wait, so that a library that failed is tried again at once.
func (s *Sampler) Restart() { s.Release(s.isReleased()) }

func (s *Sampler) isReleased() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.released
}

// stopped notes why nobody asks NVIDIA's library now.
func (s *Sampler) stopped(reason string, sleeping bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Reason, s.status.Sleeping = reason, sleeping
}

// Status tells what is sampled.
func (s *Sampler) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := s.status
	for _, d := range s.history.devices {
		status.Devices = append(status.Devices, DeviceStatus{d.Device, d.last, d.fault, d.asleep})
	}
	slices.SortFunc(status.Devices, func(a, b DeviceStatus) int { return a.Slot - b.Slot })
	return status
}

// take notes a message of a worker.
func (s *Sampler) take(m *Message, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &s.history
	switch {
	case m.Hello != nil:
		s.status.Driver, s.status.Lacking, s.status.Since = m.Hello.Driver, m.Hello.Lacking, now
		s.status.Reason = ""
	case m.Device != nil:
		h.add(*m.Device)
	case m.Sample != nil:
		h.sample(m.Sample)
	case m.Health != nil:
		h.healthOf(m.Health)
	case m.Peak != nil:
		h.peak(m.Peak)
	case m.Fault != nil:
		h.faultOf(m.Fault)
	}
}

// why gives the text of an error of the worker's process.
func why(err error) string {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err == nil {
			return "the worker ended"
		}
		return err.Error()
	}
	switch exit.ExitCode() {
	case ExitNoLibrary:
		return "NVIDIA's library (libnvidia-ml.so.1) is not there"
	case ExitNoDriver:
		return "NVIDIA's driver is not loaded, or was replaced by another version: a reboot or a reload of its modules mends that"
	case ExitLibrary:
		return "NVIDIA's library refused"
	case 2:
		return "NVIDIA's library crashed"
	case 127:
		return "NVIDIA's library lacks a function that is needed"
	}
	return "the worker ended: " + exit.String()
}
