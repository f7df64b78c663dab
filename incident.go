package oomdoc

import "time"

// Schema is the name of the contract of `-o json`; docs/json.md describes it.
const Schema = "oomdoc.incidents/1"

// A Document is what `-o json` prints.
type Document struct {
	Schema    string     `json:"schema"`
	Incidents []Incident `json:"incidents"`
}

// Class is which kind of memory failed.
type Class string

// The classes.
const (
	ClassVRAM          Class = "vram"
	ClassHostRAM       Class = "host-ram"
	ClassFragmentation Class = "fragmentation"
)

// Cause is the finer reason within a class.
type Cause string

// The causes that are decided so far (DESIGN.md "Classes and causes").
const (
	CauseCgroupLimit   Cause = "cgroup-limit"
	CauseHostExhausted Cause = "host-exhausted"
	CauseNUMABound     Cause = "numa-bound"
	CauseRequested     Cause = "requested"

	CauseZoneExhausted     Cause = "zone-exhausted"
	CauseKernelMemory      Cause = "kernel-memory"
	CauseSharedMemory      Cause = "shared-memory"
	CauseHugepagesReserved Cause = "hugepages-reserved"
	CauseBalloon           Cause = "balloon"
	// CauseKernelBuddy is of the class fragmentation: free memory was there,
	// but not in one piece of the size that was asked for.
	CauseKernelBuddy  Cause = "kernel-buddy"
	CausePressureKill Cause = "pressure-kill"
	// The causes of a program's own error.
	CauseAllocationRefused Cause = "allocation-refused" // host-ram
	CauseShmTooSmall       Cause = "shm-too-small"      // host-ram
	CauseWeights           Cause = "weights"            // vram, as the following
	CauseKVCache           Cause = "kv-cache"
	CauseActivations       Cause = "activations"
	CauseOtherProcess      Cause = "other-process"
	CauseLeak              Cause = "leak"
	CauseSingleAllocation  Cause = "single-allocation"
	CauseReservation       Cause = "reservation"
	CauseExhausted         Cause = "exhausted"
	CauseCUDAAllocator     Cause = "cuda-allocator" // fragmentation
	// CauseUndecided says that the evidence does not decide a cause.
	CauseUndecided Cause = "undecided"
)

// Confidence is how sure the verdict is.
type Confidence string

// The degrees of confidence.
const (
	Certain  Confidence = "certain"
	Likely   Confidence = "likely"
	Possible Confidence = "possible"
)

// Outcome is what became of it.
type Outcome string

// The outcomes.
const (
	OutcomeKilled   Outcome = "killed"
	OutcomeFailed   Outcome = "failed"   // the program got an error and ended
	OutcomeDegraded Outcome = "degraded" // it went on
	OutcomePanic    Outcome = "panic"    // the machine did not
)

// KillerKernel is the killer of an incident that the kernel decided.
const KillerKernel = "kernel"

// An Incident is one failure as the user lived it. Its JSON form, rendered by
// lang, is the contract of docs/json.md: a field, once there, keeps its name
// and meaning. Sizes are bytes; absent means unknown, never 0.
type Incident struct {
	ID              string     `json:"id"`
	Time            time.Time  `json:"time,omitzero"`
	TimeApproximate bool       `json:"time_approximate,omitempty"`
	BootID          string     `json:"boot_id,omitempty"`
	Source          Source     `json:"source"`
	Burst           string     `json:"burst,omitempty"`
	Count           int        `json:"count,omitempty"`
	Selftest        bool       `json:"selftest,omitempty"`
	Class           Class      `json:"class"`
	Cause           Cause      `json:"cause"`
	Confidence      Confidence `json:"confidence"`
	Outcome         Outcome    `json:"outcome"`
	Killer          string     `json:"killer,omitempty"`
	Summary         Sentence   `json:"summary"`
	Missing         []Sentence `json:"missing,omitempty"`

	Process      *Process `json:"process,omitempty"`
	Victims      []Victim `json:"victims,omitempty"`
	VictimReason Sentence `json:"victim_reason,omitzero"`

	GPU     *GPU           `json:"gpu,omitempty"`
	Memory  *Memory        `json:"memory,omitempty"`
	Kernel  *KernelContext `json:"kernel,omitempty"`
	Holders []Holder       `json:"holders,omitempty"`
	Samples []Sample       `json:"samples,omitempty"`

	Evidence []Evidence `json:"evidence"`
	Fixes    []Fix      `json:"fixes"`

	// What follows is the store's business, not the contract's.

	Seq      uint64    `json:"-"` // of the deciding record
	HasSeq   bool      `json:"-"`
	Usec     int64     `json:"-"` // kernel stamp of the deciding record, or NoUsec
	Read     time.Time `json:"-"` // when the deciding record was read
	Replayed bool      `json:"-"`
	Revision int       `json:"-"`
	Final    bool      `json:"-"` // nothing will be added to it
	Records  []string  `json:"-"` // the raw records, kept apart and not as long
	// Quiet says that it is stored and nobody is alerted: the program went on, or
	// nothing but a shell's "Killed" tells of it.
	Quiet bool `json:"-"`
}

// Process is the victim (of several, the first killed) or the program that failed.
type Process struct {
	PID           int      `json:"pid,omitempty"`
	Name          *string  `json:"name,omitempty"` // comm; may be empty, nil is unknown
	Cmdline       []string `json:"cmdline,omitempty"`
	UID           *int     `json:"uid,omitempty"`
	Unit          string   `json:"unit,omitempty"`
	UserUnit      string   `json:"user_unit,omitempty"`
	Cgroup        string   `json:"cgroup,omitempty"`
	Container     string   `json:"container,omitempty"`
	ContainerName string   `json:"container_name,omitempty"`
	Image         string   `json:"image,omitempty"`
	Pod           string   `json:"pod,omitempty"`
	PodName       string   `json:"pod_name,omitempty"`
	Namespace     string   `json:"namespace,omitempty"`
	QoS           string   `json:"qos,omitempty"`
	OwnerKind     string   `json:"owner_kind,omitempty"` // an OwnerKind
	Owner         string   `json:"owner,omitempty"`      // its name for people
	Engine        string   `json:"engine,omitempty"`
	Model         string   `json:"model,omitempty"`
	Environment   []string `json:"environment,omitempty"` // NAME=VALUE, of an allow list
	StartedBy     *Starter `json:"started_by,omitempty"`
}

// A Starter is the process of the same program that started another.
type Starter struct {
	PID     int      `json:"pid"`
	Name    string   `json:"name"`
	Cmdline []string `json:"cmdline,omitempty"`
}

// Victim is one process that was killed.
type Victim struct {
	PID      int    `json:"pid"`
	Name     string `json:"name"`
	RSSBytes *int64 `json:"rss_bytes,omitempty"`
}

// GPU is the device of a VRAM incident.
type GPU struct {
	Index      *int   `json:"index,omitempty"`
	UUID       string `json:"uuid,omitempty"`
	Name       string `json:"name,omitempty"`
	TotalBytes *int64 `json:"total_bytes,omitempty"`
	FreeBytes  *int64 `json:"free_bytes,omitempty"`
}

// Memory are the numbers of the pool that failed.
type Memory struct {
	RequestedBytes *int64 `json:"requested_bytes,omitempty"`
	LimitBytes     *int64 `json:"limit_bytes,omitempty"`
	UsedBytes      *int64 `json:"used_bytes,omitempty"`
	FreeBytes      *int64 `json:"free_bytes,omitempty"`
	RSSBytes       *int64 `json:"rss_bytes,omitempty"`
	AllocatedBytes *int64 `json:"allocated_bytes,omitempty"`
	ReservedBytes  *int64 `json:"reserved_bytes,omitempty"`
	SwapTotalBytes *int64 `json:"swap_total_bytes,omitempty"`
	SwapFreeBytes  *int64 `json:"swap_free_bytes,omitempty"`
}

// KernelContext is what the kernel said of the request and the constraint.
type KernelContext struct {
	Constraint string  `json:"constraint,omitempty"`
	Order      *int    `json:"order,omitempty"`
	GFP        string  `json:"gfp,omitempty"`
	Invoker    *string `json:"invoker,omitempty"` // may be empty, nil is unknown
	PageSize   int64   `json:"page_size,omitempty"`
	OOMCgroup  string  `json:"oom_cgroup,omitempty"`
	TaskCgroup string  `json:"task_cgroup,omitempty"`
}

// Holder is another process that held memory of the pool that failed.
type Holder struct {
	PID   int    `json:"pid"`
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// Sample is memory at one moment before the failure.
type Sample struct {
	Time            time.Time `json:"time"`
	GPUUsedBytes    *int64    `json:"gpu_used_bytes,omitempty"`
	ProcessGPUBytes *int64    `json:"process_gpu_bytes,omitempty"`
	RSSBytes        *int64    `json:"rss_bytes,omitempty"`
}

// Evidence is one sentence with a number, and the record that it came from.
type Evidence struct {
	Sentence Sentence `json:"text"`
	Record   string   `json:"record,omitempty"`
}

// Fix is one of the playbook's, with the steps for this engine and machine.
type Fix struct {
	Number     int        `json:"fix"`
	Slug       string     `json:"slug"`
	Title      Sentence   `json:"title"`
	Why        Sentence   `json:"why,omitzero"`
	Steps      []Sentence `json:"steps,omitempty"`
	SavesBytes *int64     `json:"saves_bytes,omitempty"`
	Enough     *bool      `json:"enough,omitempty"`
}
