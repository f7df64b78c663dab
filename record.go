package oomdoc

import "time"

// Source says where a record or an incident came from.
type Source string

// The sources of the contract.
const (
	SourceKmsg    Source = "kmsg"    // /dev/kmsg, live or replayed
	SourceJournal Source = "journal" // systemd's journal
	SourceFile    Source = "file"    // a file that the user named
	SourceStdin   Source = "stdin"   // a pipe that the user filled
	SourceRun     Source = "run"     // the output of a command that oomdoc started
	SourceProbe   Source = "probe"   // the CUDA allocation probe
	SourceCounter Source = "counter" // a counter that moved without a log line
)

// Facility numbers of syslog(3) that matter here.
const (
	FacilityUnknown = -1 // this form of log does not say
	FacilityKernel  = 0  // only the kernel itself can set it (kernel/printk/printk.c, devkmsg_write)
)

// PriorityUnknown is the priority of a record whose form does not print one.
const PriorityUnknown = -1

// NoUsec is the Usec of a record whose form has no kernel stamp.
const NoUsec = -1

// A Record is one log record, decoded but not understood. The decoder reuses
// it: Text, Raw and Dict are valid until the next record is decoded, so what
// is kept must be copied.
type Record struct {
	Source Source

	// Place in the source. A kmsg record is known by (BootID, Seq), a record
	// of a file by the offset of its first byte.
	BootID string
	Seq    uint64
	HasSeq bool
	Offset int64

	// Lost is how many records are known to be missing right before this one.
	Lost uint64

	// Usec is the kernel's own stamp: microseconds since boot without time
	// spent in suspend (local_clock), NoUsec when the form has none.
	Usec int64
	// Time is zero when it cannot be known.
	Time            time.Time
	TimeApproximate bool
	// Read is when we read the record; zero for a file.
	Read time.Time
	// Replayed says that the record was already in the log when we opened it.
	Replayed bool

	Priority int // syslog level 0 to 7, or PriorityUnknown
	Facility int // syslog facility, or FacilityUnknown
	Caller   Caller
	// Fragment says that the kernel flagged the record as a part of a longer
	// line (flag c; also + before 4.10). The flag may be wrong: a process name
	// can set it (knowledge: SOH trick).
	Fragment bool
	// Continued says that the line has no head of its own in this form: it is
	// the second or a later line of the record before (dmesg and journalctl
	// print newlines inside a record so).
	Continued bool
	// Stray says that a continued line has not even the blanks that stand for a
	// head: it can as well be somebody else's, of a log that is a mixture.
	Stray bool

	Writer []byte // who wrote it, where the form says so: "kernel", a syslog tag
	Text   []byte // the message, unescaped exactly once
	Raw    []byte // the line as it came, without its final newline
	Dict   []byte // the record's dictionary lines (" SUBSYSTEM=pci\n DEVICE=..."), raw

	// Journal is what the journal knows beside; nil in every other form.
	Journal *JournalFields
}

// JournalFields are fields of a journal entry (systemd.journal-fields(7)). Those
// that journald sets itself, whose names begin with an underscore there, cannot
// be forged by the writer; the others are the writer's word. Empty is absent.
type JournalFields struct {
	Kernel bool // _TRANSPORT=kernel: from /dev/kmsg, whoever wrote it there

	// Set by journald.
	WriterPID  []byte // _PID
	WriterUID  []byte // _UID
	WriterComm []byte // _COMM
	WriterUnit []byte // _SYSTEMD_UNIT

	WriterUserUnit []byte // _SYSTEMD_USER_UNIT
	WriterCgroup   []byte // _SYSTEMD_CGROUP

	Cursor []byte // __CURSOR: the entry's place in the journal

	// Set by the writer, here a container's runtime: to be believed only where
	// WriterUID is root's. The id is whole where the runtime gives it whole.
	Container     []byte // CONTAINER_ID_FULL, CONTAINER_ID
	ContainerName []byte // CONTAINER_NAME

	// Set by the writer, here the service manager.
	MessageID    []byte // MESSAGE_ID
	Unit         []byte // UNIT
	UserUnit     []byte // USER_UNIT
	InvocationID []byte // INVOCATION_ID, USER_INVOCATION_ID
	Processes    []byte // N_PROCESSES
}

// Trust says how far a record can be believed to be the kernel's.
func (r *Record) Trust() Trust {
	switch r.Facility {
	case FacilityKernel:
		return TrustKernel
	case FacilityUnknown:
		return TrustText
	}
	return TrustUser
}

// Trust is how far a record can be believed to be the kernel's own.
type Trust uint8

// The levels of trust, lowest first.
const (
	TrustUser   Trust = iota // user space wrote it: never evidence of a kernel kill
	TrustText                // a text log that does not say who wrote the line
	TrustKernel              // facility 0, which user space cannot set
)

// A Caller is the context that printed a kernel record, where the kernel was
// built with CONFIG_PRINTK_CALLER: T123 is a task, C3 a processor. The zero
// Caller means that the kernel does not say.
type Caller struct {
	Kind byte // 'T', 'C' or 0
	ID   uint32
}
