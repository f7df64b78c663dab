package oomdoc

import "time"

// EventKind says what a recogniser found.
type EventKind string

// The kinds of events.
const (
	EventKernelKill   EventKind = "kernel-kill"   // the kernel killed one or more processes
	EventNoVictim     EventKind = "no-victim"     // the kernel found nobody to kill
	EventAllocFailure EventKind = "alloc-failure" // a kernel allocation failed
	EventUserKill     EventKind = "user-kill"     // a killer in user space decided, or a manager told of a kill
	EventProgramError EventKind = "program-error" // a program was refused memory, or told of its end
)

// An Event is what a recogniser found in one or more records.
//
// An event may be told more than once: first when it is decided (the first
// kill line), again with more in it when later records add to it. ID stays,
// Revision grows, Final says that nothing will follow.
type Event struct {
	ID       string // short; made from the content alone, so that every reading of it agrees
	Kind     EventKind
	Revision int
	Final    bool

	Source          Source
	BootID          string
	FirstSeq        uint64 // sequence of its first record
	DecisiveSeq     uint64 // sequence of the record that decided it (the first kill line)
	HasSeq          bool
	Usec            int64 // kernel stamp of the deciding record, or NoUsec
	Time            time.Time
	TimeApproximate bool
	Read            time.Time // when the deciding record was read
	Replayed        bool      // it was in the log before we came
	Trust           Trust     // the lowest trust among the records that it rests on

	Kernel   *KernelReport // of the kernel's kinds
	UserKill *UserKill     // of EventUserKill
	Program  *ProgramError // of EventProgramError

	// Records are the lines as they came, within a bound; RecordsCut tells how
	// many more there were.
	Records    []string
	RecordsCut int
}
