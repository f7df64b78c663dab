package oomdoc

import "time"

// Facts are what was known of the machine and its processes around an event,
// sampled before it. Everything in it may be absent.
type Facts struct {
	Processes map[int]ProcessFacts // by pid
	// Containers are the names of the containers and pods that the event may be
	// about, by container id and by pod uid.
	Containers map[string]ContainerFacts
	// GPUs are the devices as they were sampled before the event; empty when they
	// were not, or the event is not of this machine.
	GPUs []GPUFacts
	// Device is the one of them that an event is about, and Own are the pids on it
	// that the event is of; classify.Complete sets them.
	Device    *GPUFacts
	Own       []int
	Completed Completed
	RAMBytes  int64 // of this machine, 0 when the event is not of this machine
	SwapBytes *int64
}

// Completed says which figures of a program's error are not its own words but were
// sampled.
type Completed struct{ Total, Free, Own, Holders bool }

// GPUFacts is what was known of a GPU, or of a MIG instance of one, at a moment.
type GPUFacts struct {
	Index      int  // the driver's
	Instance   *int // of a MIG instance: its number on the GPU
	Vendor     string
	UUID       string
	Name       string
	Bus        string // PCI address
	TotalBytes int64  // 0: not known
	Unified    bool   // it uses the machine's RAM
	Samples    []GPUSample
	Processes  []GPUProcess // the largest first
}

// GPUSample is the memory of a GPU, or what a process held of it, at one moment.
type GPUSample struct {
	Time      time.Time
	UsedBytes int64 // what the driver keeps for itself included
	FreeBytes int64 // of a GPU
}

// GPUProcess is a process that holds memory of a GPU, or did shortly before.
type GPUProcess struct {
	PID         int
	Kind        string // compute, graphics, mps
	Gone        bool   // it had ended by then
	First, Last time.Time
	Bytes       *int64 // nil where the driver does not tell
	PeakBytes   *int64
	Samples     []GPUSample // where its size changed
}

// ProcessFacts is what a process was, sampled while it lived. What is not known
// is empty. Of most processes only name, command line, user, cgroup and size are
// kept; of the largest, of those that use a GPU and of those that started them,
// all of it.
type ProcessFacts struct {
	PID       int
	Parent    int // pid
	Comm      string
	Exe       string   // path of the program, as the process sees it
	Dir       string   // working directory, as the process sees it
	Cmdline   []string // secrets masked
	Env       []string // NAME=VALUE, of those that say something of memory (proc.Variables)
	UID       int
	Cgroup    string
	Engine    string      // of the contract
	Models    []ModelFile // those that it has open first, then those that it had; of each the largest first
	RSSBytes  int64
	SwapBytes *int64
	Trend     []MemoryPoint // of the past, oldest first, the older the sparser
	StartTime time.Time
	Sampled   time.Time
}

// A ModelFile is a file of weights that a process has or had open. What is in
// several pieces is one.
type ModelFile struct {
	Path  string // of its first piece, as the process sees it
	Name  string // for people
	Bytes int64  // of all its pieces, 0 when not known
	Open  bool   // when it was last looked at
}

// A MemoryPoint is what a process held at one moment.
type MemoryPoint struct {
	Time     time.Time
	RSSBytes int64
}

// ContainerFacts is what a container's runtime calls it. What is not known is
// empty; the names are untrusted text.
type ContainerFacts struct {
	Name      string // of the container; of a pod's container the name in the pod
	Image     string
	Pod       string // uid
	PodName   string
	Namespace string
}

// OwnerKind says what manages a cgroup.
type OwnerKind string

// The kinds of owners.
const (
	OwnerUnit      OwnerKind = "unit"      // a unit of the system manager
	OwnerUserUnit  OwnerKind = "user-unit" // a unit of a user's manager
	OwnerSession   OwnerKind = "session"   // a login session
	OwnerApp       OwnerKind = "app"       // a desktop or flatpak application
	OwnerContainer OwnerKind = "container" // docker, podman, containerd, cri-o
	OwnerPod       OwnerKind = "pod"       // a Kubernetes pod
	OwnerLXC       OwnerKind = "lxc"
	OwnerVM        OwnerKind = "vm" // libvirt
	OwnerSlurm     OwnerKind = "slurm-job"
	OwnerSlice     OwnerKind = "slice"
	OwnerHost      OwnerKind = "host"   // the root cgroup
	OwnerCgroup    OwnerKind = "cgroup" // a cgroup that nobody known manages
)

// An Owner is who a cgroup path belongs to.
type Owner struct {
	Kind OwnerKind
	Path string // the cgroup path
	Name string // the short name for people: unit, container id (12 digits), pod uid, job id

	Unit        string // what systemctl status takes, escapes kept
	UserUnit    string // what systemctl --user status takes
	Slice       string // innermost slice above it
	Session     string // logind's session id
	UID         *int   // the user whose manager or session it is
	Container   string // full id where the path has it
	Runtime     string // docker, podman, containerd, cri-o, lxc, libvirt, systemd-nspawn
	Pod         string // uid with dashes
	QoS         string // guaranteed, burstable, besteffort
	Application string // flatpak or desktop id
	SlurmJob    string
	SlurmStep   string
	Machine     string // libvirt, nspawn or LXC machine name
}
