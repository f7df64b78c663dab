package gpu

import "time"

// A Message is one line of JSON that a worker writes to its standard output. One
// of its fields is set.
type Message struct {
	Beat   *Beat   `json:"beat,omitempty"`
	Hello  *Hello  `json:"hello,omitempty"`
	Device *Device `json:"device,omitempty"`
	Sample *Sample `json:"sample,omitempty"`
	Health *Health `json:"health,omitempty"`
	Peak   *Peak   `json:"peak,omitempty"`
	Xid    *Xid    `json:"xid,omitempty"`
	Fault  *Fault  `json:"fault,omitempty"`
	// Asking is the slot of the device that a loud worker is about to ask.
	Asking *int `json:"asking,omitempty"`
}

// A Beat is a worker's sign of life, twice a second.
type Beat struct {
	Opening bool  `json:"opening,omitempty"` // the library has not answered yet
	Devices int   `json:"devices,omitempty"`
	Stuck   []int `json:"stuck,omitempty"` // the slots of those that don't answer
}

// Hello is a worker's first word, after the library has answered.
type Hello struct {
	Driver  string `json:"driver"`
	Devices int    `json:"devices"`
	// Lacking are the functions that this library does not have; what they would
	// tell stays unknown.
	Lacking []string `json:"lacking,omitempty"`
}

// A Device is a GPU or, of a partitioned one, a MIG instance.
type Device struct {
	Slot       int    `json:"slot"`             // the number that messages name it by
	Index      int    `json:"index"`            // the driver's, of the whole GPU
	Parent     *int   `json:"parent,omitempty"` // the slot of the GPU that an instance is part of
	Instance   *int   `json:"instance,omitempty"`
	Vendor     string `json:"vendor"` // "nvidia", "amd", "intel"
	UUID       string `json:"uuid,omitempty"`
	Name       string `json:"name,omitempty"`
	Bus        string `json:"bus,omitempty"` // PCI address as sysfs writes it, 0000:01:00.0
	TotalBytes int64  `json:"total,omitempty"`
	// Unified says that it has no memory of its own: it uses the machine's RAM
	// (GB10, Jetson), and its failures are host RAM's.
	Unified    bool `json:"unified,omitempty"`
	Accounting bool `json:"accounting,omitempty"` // the driver keeps the peaks of processes
}

// A Sample is a device's memory at one moment. Used, reserved and free make the
// total.
type Sample struct {
	Slot          int   `json:"slot"`
	Milliseconds  int64 `json:"ms"` // Unix time
	UsedBytes     int64 `json:"used"`
	FreeBytes     int64 `json:"free"`
	ReservedBytes int64 `json:"reserved,omitempty"` // by the driver, for itself
	// Listed says that Processes is the list as it is now; without it the list has
	// not changed.
	Listed    bool      `json:"listed,omitempty"`
	Processes []Process `json:"processes,omitempty"`
}

// Time is when it was taken.
func (s *Sample) Time() time.Time { return time.UnixMilli(s.Milliseconds) }

// Unknown is the size of what the driver does not tell.
const Unknown int64 = -1

// A Process holds memory of a device.
type Process struct {
	PID   int    `json:"pid"` // as the host counts
	Bytes int64  `json:"bytes"`
	Kind  string `json:"kind,omitempty"` // "compute", "graphics", "mps"
}

// Health is what else a device tells of itself, asked once a minute.
type Health struct {
	Slot          int    `json:"slot"`
	BAR1Total     int64  `json:"bar1_total,omitempty"`
	BAR1Used      int64  `json:"bar1_used,omitempty"`
	RowsRemapped  int    `json:"rows_remapped,omitempty"`
	RowsPending   bool   `json:"rows_pending,omitempty"`
	RowsFailed    bool   `json:"rows_failed,omitempty"`
	Throttle      uint64 `json:"throttle,omitempty"` // the driver's bits, 1 is idle
	PersistenceOn bool   `json:"persistence,omitempty"`
}

// A Peak is the most that a process held, by the driver's own accounting, told
// when it has ended.
type Peak struct {
	Slot  int   `json:"slot"`
	PID   int   `json:"pid"`
	Bytes int64 `json:"bytes"`
}

// An Xid is an error of a device. None means that memory ran out (knowledge: not
// one of them does); some say that the device is gone.
type Xid struct {
	Slot int    `json:"slot"`
	Code uint64 `json:"code"`
}

// A Fault says that a device, or with Slot -1 the library, does not answer as it
// should.
type Fault struct {
	Slot   int    `json:"slot"`
	Call   string `json:"call"`
	Code   int    `json:"code,omitempty"` // of nvmlReturn_t; 0: no answer
	Text   string `json:"text"`
	Asleep bool   `json:"asleep,omitempty"` // no fault: it sleeps and is not woken
}

// The exit statuses of a worker by which it says why it ended.
const (
	ExitNoLibrary = 20 // there is no library
	ExitNoDriver  = 21 // the driver is not loaded, or is another version than the library
	ExitAsleep    = 22 // every device sleeps or is idle: it lets go of them
	ExitLibrary   = 23 // the library refused for another reason
)

// The vendors of devices.
const (
	NVIDIA = "nvidia"
	AMD    = "amd"
	Intel  = "intel"
)

// The kinds of contexts by which a process holds memory.
const (
	KindCompute  = "compute"
	KindGraphics = "graphics"
	KindMPS      = "mps"
)
