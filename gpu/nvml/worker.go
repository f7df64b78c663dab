package nvml

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/oomdoc/oomdoc/gpu"
)

// Options are what Work needs.
type Options struct {
	Library string    // the path of the library; empty: where the linker finds it
	Sys     string    // where sysfs is
	Skip    []string  // buses of devices that are not to be asked for now
	In      io.Reader // Work ends when it does: the service is gone
	Out     io.Writer // takes the messages
	// Loud asks one device at a time and tells which one before, to find out which
	// of them ends the process.
	Loud bool
}

// An Exit is why a worker ended, by the status that its process ends with.
type Exit struct {
	Status int
	Err    error
}

func (e *Exit) Error() string { return e.Err.Error() }
func (e *Exit) Unwrap() error { return e.Err }

// A worker asks the library.
type worker struct {
	options Options
	lib     nvml.Interface
	has     functions
	devices []*device
	opened  bool

	mu  sync.Mutex // held while a message is written
	out *json.Encoder

	end  context.CancelCauseFunc
	turn sync.Mutex // of a loud worker: held while a device is asked
}

// Work asks until In ends or the library is of no use any more, and says why as
// an *Exit. It may only be called once in a process.
func Work(ctx context.Context, o Options) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	w := &worker{options: o, out: json.NewEncoder(o.Out), end: end}
	go func() {
		_, _ = io.Copy(io.Discard, o.In) // its end is the word
		end(nil)
	}()
	beats := make(chan struct{})
	go func() {
		defer close(beats)
		w.beat(ctx)
	}()
	defer func() { <-beats }()
	defer end(nil)
	if err := w.open(); err != nil {
		return err
	}
	var watching sync.WaitGroup
	for _, d := range w.devices {
		watching.Go(func() { w.watch(ctx, d) })
	}
	<-ctx.Done()
	// A call that hangs is not waited for: the process ends under it.
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// open loads the library and finds the devices.
func (w *worker) open() error {
	var options []nvml.LibraryOption
	if w.options.Library != "" {
		options = append(options, nvml.WithLibraryPath(w.options.Library))
	}
	w.lib = nvml.New(options...)
	if code := w.lib.Init(); code != nvml.SUCCESS {
		return exitOf("nvmlInit", code)
	}
	has, lacking, err := look(w.lib)
	if err != nil {
		return &Exit{gpu.ExitLibrary, err}
	}
	w.has = has
	count, code := w.lib.DeviceGetCount()
	if code != nvml.SUCCESS {
		return exitOf("nvmlDeviceGetCount", code)
	}
	hello := gpu.Hello{Devices: count, Lacking: lacking}
	if has.driver {
		hello.Driver, _ = w.lib.SystemGetDriverVersion()
	}
	w.tell(gpu.Message{Hello: &hello})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened = true
	for index := range min(count, maxDevices) {
		w.devices = append(w.devices, &device{index: index, slot: index})
	}
	return nil
}

const maxDevices = 64

// tell writes a message. When nobody reads them any more, the work is over.
func (w *worker) tell(m gpu.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.out.Encode(m); err != nil {
		w.end(nil)
	}
}

const (
	beatEvery = 500 * time.Millisecond
	// noAnswer is how long a call may take before it is told of. With a dead GSP
	// the driver waits about six seconds.
	noAnswer = 2 * time.Second
)

// beat writes a sign of life, and tells of devices that don't answer.
func (w *worker) beat(ctx context.Context) {
	ticker := time.NewTicker(beatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			devices, opened := w.watched()
			beat := gpu.Beat{Opening: !opened, Devices: len(devices)}
			for _, d := range devices {
				call, since, stuck := d.stuck(now)
				if !stuck {
					continue
				}
				beat.Stuck = append(beat.Stuck, d.slot)
				if !call.told.Swap(true) {
					w.tell(gpu.Message{Fault: &gpu.Fault{
						Slot: d.slot, Call: call.name, Text: "no answer for " + since.Round(time.Second).String(),
					}})
				}
			}
			w.tell(gpu.Message{Beat: &beat})
		}
	}
}

// watched are the devices once they are all known.
func (w *worker) watched() (devices []*device, opened bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.devices, w.opened
}

// exitOf says how the process ends after the library as a whole refused.
func exitOf(call string, code nvml.Return) error {
	status := gpu.ExitLibrary
	switch code {
	case nvml.ERROR_LIBRARY_NOT_FOUND:
		status = gpu.ExitNoLibrary
	case nvml.ERROR_DRIVER_NOT_LOADED, nvml.ERROR_LIB_RM_VERSION_MISMATCH, nvml.ERROR_UNINITIALIZED:
		status = gpu.ExitNoDriver
	}
	return &Exit{status, errors.New(call + ": " + codeText(code))}
}
