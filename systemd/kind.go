package systemd

import (
	"github.com/coreos/go-systemd/v22/journal"

	"github.com/oomdoc/oomdoc"
)

// The MESSAGE_IDs of our journal entries, one per kind of message. They were
// drawn once at random (sd-id128(3), version 4) and never change: scripts and
// the message catalog match them.
const (
	// MessageCgroupKill: the kernel killed a process at the memory limit of its cgroup.
	MessageCgroupKill = "2d1d4fa3946749838698d339b18c3113"
	// MessageHostKill: the kernel killed a process because the whole machine was out of memory.
	MessageHostKill = "7bdaed0ffa464eef8158eb80e9190a75"
	// MessageOtherKill: a process was killed for memory, for another or an undecided cause.
	MessageOtherKill = "3cba9cd19c204101a2c3ea4b2f5cc3d8"
	// MessageFailed: a program was refused memory and ended.
	MessageFailed = "a41cdbc3802c4a6dab98a4431ccaba95"
	// MessageDegraded: memory ran out and nobody was killed.
	MessageDegraded = "2a24622dbf634d6a8e5504501d7f2046"
	// MessagePanic: the kernel panicked for lack of memory; found in the log afterwards.
	MessagePanic = "c2c03c9edab340c2a32eab923df20c7a"
	// MessageStorm: how many more failures one offender had since its last alert.
	MessageStorm = "d432ceff455748e2b14f1fba146f1e37"
	// MessageDropped: alerts that were not written because the journal did not take them.
	MessageDropped = "79905362c7584f80a576ce8b480d9f79"
)

// A kind is what is fixed for one kind of message.
type kind struct {
	id       string
	priority journal.Priority
}

// kindOf chooses the kind of an incident by what became of it, then by cause.
func kindOf(incident *oomdoc.Incident) kind {
	switch incident.Outcome {
	case oomdoc.OutcomePanic:
		return kind{MessagePanic, journal.PriCrit}
	case oomdoc.OutcomeDegraded:
		return kind{MessageDegraded, journal.PriWarning}
	case oomdoc.OutcomeFailed:
		return kind{MessageFailed, journal.PriErr}
	}
	id, known := map[oomdoc.Cause]string{
		oomdoc.CauseCgroupLimit:   MessageCgroupKill,
		oomdoc.CauseHostExhausted: MessageHostKill,
	}[incident.Cause]
	if !known || incident.Killer != oomdoc.KillerKernel {
		id = MessageOtherKill
	}
	return kind{id, journal.PriErr}
}
