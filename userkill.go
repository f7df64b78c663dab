package oomdoc

import "time"

// The killers in user space, as the contract names them (docs/json.md).
const (
	KillerSystemdOomd = "systemd-oomd"
	KillerEarlyoom    = "earlyoom"
	KillerNohang      = "nohang"
	KillerOomd        = "oomd" // Meta's
	KillerKubelet     = "kubelet"
	KillerRay         = "ray"
)

// TellerCounter is the Teller of a kill that only the kernel's own count in a
// cgroup tells.
const TellerCounter = "counter"

// A Witness says how well it is known who wrote a line, worst first.
type Witness uint8

// The degrees of knowing who wrote a line.
const (
	WitnessForgeable Witness = iota // a line of the kernel's log that user space wrote: anybody with /dev/kmsg
	WitnessUnnamed                  // text that does not name its writer
	WitnessNamed                    // a syslog tag, a log's own form or a field of the writer's names it
	WitnessProven                   // fields that journald itself sets name it (systemd.journal-fields(7))
)

// A KillReason is why a killer in user space acted.
type KillReason string

// The reasons.
const (
	ReasonUnknown   KillReason = ""
	ReasonPressure  KillReason = "pressure"    // stalls for memory (PSI) above a limit
	ReasonSwap      KillReason = "swap"        // swap, or swap and memory, used above a limit
	ReasonAvailable KillReason = "available"   // too little memory (and swap) was available
	ReasonUsage     KillReason = "usage"       // memory in use above a limit
	ReasonRule      KillReason = "rule"        // a rule that the administrator wrote
	ReasonAsked     KillReason = "asked-sysrq" // it asked the kernel by SysRq-f to choose
)

// A UserKill is one decision of a killer in user space, or a manager's word
// that the kernel killed (Told). What its lines do not say is absent: nil, "".
// Sizes are bytes, shares are percent. Nothing in it is judged.
type UserKill struct {
	Killer  string // one of the killers above, KillerKernel when Told, "" when the line leaves it open
	Witness Witness
	Reason  KillReason

	// Told says that the lines are no decision of their own: somebody who
	// watches (Teller: "systemd", "kubelet", "slurm") reports a kill by the kernel.
	Told   bool
	Teller string

	// Whom it killed.
	PID       int
	Comm      *string // nil is unknown
	UID       *int
	Cmdline   string // as printed, arguments run together; secrets are not masked yet
	Cgroup    string // the cgroup that was killed, from the root of the hierarchy
	Unit      string // of the system manager
	UserUnit  string // of a user's manager
	Pod       string // name
	Namespace string
	Container string // name
	Task      string // Ray's name of a task or an actor
	SlurmJob  string // and its step: "1234", "batch"
	SlurmStep string
	Processes *int // how many were killed, as the killer counted
	RSS       *int64

	// Pressure. Monitored is the cgroup whose pressure or use was too high.
	Monitored     string
	Pressure      *float64
	PressureLimit *float64
	PressureFor   time.Duration

	// The whole machine, or node.
	MemTotal, MemUsed, MemAvailable *int64
	SwapTotal, SwapUsed, SwapFree   *int64
	// The limits that it went by: at most this much available or free, at least
	// this much used.
	MemLimit, SwapLimit *float64 // percent
	MemLimitBytes       *int64

	// A Kubernetes container's use and request.
	Using, Request *int64

	Rule   string // name of the rule or ruleset
	Action string

	Signal   string        // the last signal that was sent, "SIGTERM"
	ExitedIn time.Duration // from the first signal on; 0 is unknown

	// The lines as they came: the decision, the limits that led to it, the state
	// of memory, the manager's line about the unit.
	Line, LimitLine, StateLine, UnitLine string
}
