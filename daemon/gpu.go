package daemon

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/gpu"
)

// startGPU samples the GPUs until ctx ends. A machine without one costs a look
// now and then.
func (s *service) startGPU(ctx context.Context, background *sync.WaitGroup) {
	if !s.options.Config.GPU.Enabled {
		return
	}
	worker := s.options.GPUWorker
	if len(worker) == 0 {
		self, err := os.Executable()
		if err != nil {
			s.log.Warn("cannot find the own binary; NVIDIA's GPUs are not sampled", "error", err)
			return
		}
		worker = []string{self, GPUWorkerCommand}
	}
	sampler := gpu.New(gpu.Options{Worker: worker, Library: s.options.Config.GPU.Library, Log: s.log})
	s.memory.gpus = sampler
	background.Go(func() { sampler.Run(ctx) })
}

// GPUWorkerCommand is the hidden subcommand in which NVIDIA's library lives.
const GPUWorkerCommand = "nvml-worker"

// sampledGPUs finds what was known of the GPUs when a program was refused memory
// of one, and who the processes on them are.
func (m *memory) sampledGPUs(ev *oomdoc.Event, facts *oomdoc.Facts) {
	if m.gpus == nil || ev.Program == nil || ev.Program.Pool != oomdoc.PoolDevice || ev.Replayed {
		return
	}
	at := ev.Time
	if at.IsZero() {
		at = time.Now()
	}
	facts.GPUs = m.gpus.Facts(at)
	if m.table == nil {
		return
	}
	if facts.Processes == nil {
		facts.Processes = make(map[int]oomdoc.ProcessFacts)
	}
	for _, d := range facts.GPUs {
		for _, p := range d.Processes[:min(len(d.Processes), maxFactHolders)] {
			m.addProcess(p.PID, facts)
		}
	}
	if pid := ev.Program.PID; pid != 0 {
		m.addProcess(pid, facts)
	}
}

// maxFactHolders bounds how many processes of a device are looked up.
const maxFactHolders = 64

func (m *memory) addProcess(pid int, facts *oomdoc.Facts) {
	if _, known := facts.Processes[pid]; known {
		return
	}
	if found, ok := m.table.Lookup(pid, ""); ok {
		facts.Processes[pid] = found
	}
}

// GPUState is how the GPUs are sampled.
type GPUState struct {
	Enabled  bool        `json:"enabled"`
	Driver   string      `json:"driver,omitempty"`
	Why      string      `json:"why,omitempty"` // why none is sampled now
	Sleeping bool        `json:"sleeping,omitempty"`
	Released bool        `json:"released,omitempty"`
	Workers  int         `json:"workers"` // how often NVIDIA's library was loaded
	Lacking  []string    `json:"lacking,omitempty"`
	Devices  []GPUDevice `json:"devices,omitempty"`
}

// GPUDevice is one device that is, or was, sampled.
type GPUDevice struct {
	Index    int       `json:"index"`
	Instance *int      `json:"instance,omitempty"`
	Vendor   string    `json:"vendor"`
	Name     string    `json:"name,omitempty"`
	UUID     string    `json:"uuid,omitempty"`
	Total    int64     `json:"total_bytes,omitempty"`
	Unified  bool      `json:"unified,omitempty"`
	Last     time.Time `json:"last,omitzero"`
	Fault    string    `json:"fault,omitempty"`
	Asleep   bool      `json:"asleep,omitempty"`
}

func (m *memory) gpuState() GPUState {
	if m.gpus == nil {
		return GPUState{}
	}
	status := m.gpus.Status()
	state := GPUState{
		Enabled: true, Driver: status.Driver, Why: status.Reason, Sleeping: status.Sleeping, Released: status.Released,
		Workers: status.Workers, Lacking: status.Lacking,
	}
	for _, d := range status.Devices {
		state.Devices = append(state.Devices, GPUDevice{
			Index: d.Index, Instance: d.Instance, Vendor: d.Vendor, Name: d.Name, UUID: d.UUID, Total: d.TotalBytes,
			Unified: d.Unified, Last: d.Last, Fault: d.Fault, Asleep: d.Asleep,
		})
	}
	return state
}
