package record

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A field is one that we read of an object or an export entry.
type field uint8

const (
	otherField field = iota
	fieldMessage
	fieldTransport
	fieldFacility
	fieldPriority
	fieldBoot
	fieldMonotonic       // when journald received it, CLOCK_MONOTONIC
	fieldSourceMonotonic // the kernel's own stamp
	fieldRealtime
	fieldIdentifier
	fieldComm
	fieldPID // the first of those that an entry only keeps
	fieldUID
	fieldSystemdUnit
	fieldMessageID
	fieldUnit
	fieldUserUnit
	fieldInvocation
	fieldUserInvocation
	fieldProcesses
	fieldCursor
	fieldUserManagerUnit
	fieldCgroup
	fieldContainerID
	fieldContainerFull
	fieldContainerName
	fieldDmesgMessage
	fieldDmesgPriority
	fieldDmesgFacility
	fieldDmesgCaller
	fieldTime // dmesg's and docker's
	fieldDockerLog
	fieldDockerStream
)

// fieldNamed knows the fields of systemd.journal-fields(7), of dmesg -J
// (util-linux, sys-utils/dmesg.c) and of docker's json-file driver.
func fieldNamed(name []byte) field {
	switch string(name) {
	case "MESSAGE":
		return fieldMessage
	case "_TRANSPORT":
		return fieldTransport
	case "SYSLOG_FACILITY":
		return fieldFacility
	case "PRIORITY":
		return fieldPriority
	case "_BOOT_ID":
		return fieldBoot
	case "__MONOTONIC_TIMESTAMP":
		return fieldMonotonic
	case "_SOURCE_MONOTONIC_TIMESTAMP":
		return fieldSourceMonotonic
	case "__REALTIME_TIMESTAMP":
		return fieldRealtime
	case "SYSLOG_IDENTIFIER":
		return fieldIdentifier
	case "_COMM":
		return fieldComm
	case "_PID":
		return fieldPID
	case "_UID":
		return fieldUID
	case "_SYSTEMD_UNIT":
		return fieldSystemdUnit
	case "MESSAGE_ID":
		return fieldMessageID
	case "UNIT":
		return fieldUnit
	case "USER_UNIT":
		return fieldUserUnit
	case "INVOCATION_ID":
		return fieldInvocation
	case "USER_INVOCATION_ID":
		return fieldUserInvocation
	case "N_PROCESSES":
		return fieldProcesses
	case "__CURSOR":
		return fieldCursor
	case "_SYSTEMD_USER_UNIT":
		return fieldUserManagerUnit
	case "_SYSTEMD_CGROUP":
		return fieldCgroup
	case "CONTAINER_ID":
		return fieldContainerID
	case "CONTAINER_ID_FULL":
		return fieldContainerFull
	case "CONTAINER_NAME":
		return fieldContainerName
	case "msg":
		return fieldDmesgMessage
	case "pri":
		return fieldDmesgPriority
	case "fac":
		return fieldDmesgFacility
	case "caller":
		return fieldDmesgCaller
	case "time":
		return fieldTime
	case "log":
		return fieldDockerLog
	case "stream":
		return fieldDockerStream
	}
	return otherField
}

// An entry is a record that comes field by field.
type entry struct {
	max    int // bytes kept of a message
	fields uint64
	bootID string // of the last entry; most have the same

	message    []byte
	identifier []byte
	stream     []byte // docker's
	comm       []byte
	kept       [fieldDmesgMessage - fieldPID][]byte
	beside     oomdoc.JournalFields
	kernel     bool // _TRANSPORT=kernel
	facility   int
	priority   int
	monotonic  int64
	source     int64
	realtime   int64
	caller     oomdoc.Caller
	time       time.Time

	approximate bool // realtime was read from text
}

func (e *entry) reset() {
	kept := e.kept
	for i := range kept {
		kept[i] = kept[i][:0]
	}
	*e = entry{
		kept: kept,
		max:  e.max, bootID: e.bootID,
		message: e.message[:0], identifier: e.identifier[:0], comm: e.comm[:0], stream: e.stream[:0],
		facility: oomdoc.FacilityUnknown, priority: oomdoc.PriorityUnknown,
		monotonic: oomdoc.NoUsec, source: oomdoc.NoUsec, realtime: oomdoc.NoUsec,
	}
}

func (e *entry) has(f field) bool { return e.fields&(1<<f) != 0 }

// set takes a field. A field that stands twice keeps its first value.
func (e *entry) set(f field, value []byte) {
	if f == otherField || e.has(f) {
		return
	}
	e.fields |= 1 << f
	switch f {
	case fieldMessage, fieldDmesgMessage, fieldDockerLog:
		e.message = append(e.message[:0], value[:min(len(value), e.max)]...)
	case fieldTransport:
		e.kernel = string(value) == "kernel"
	case fieldFacility:
		e.facility = small(value, maxPriority>>3, oomdoc.FacilityUnknown)
	case fieldPriority:
		e.priority = small(value, 7, oomdoc.PriorityUnknown)
	case fieldBoot:
		if e.bootID != string(value) {
			e.bootID = string(value[:min(len(value), maxBootID)])
		}
	case fieldMonotonic:
		e.monotonic = microsOr(value)
	case fieldSourceMonotonic:
		e.source = microsOr(value)
	case fieldRealtime:
		e.realtime = microsOr(value)
	case fieldIdentifier:
		e.identifier = append(e.identifier[:0], value[:min(len(value), maxTag)]...)
	case fieldDockerStream:
		e.stream = append(e.stream[:0], value[:min(len(value), maxTag)]...)
	case fieldComm:
		e.comm = append(e.comm[:0], value[:min(len(value), maxTag)]...)
	case fieldPID, fieldUID, fieldSystemdUnit, fieldMessageID, fieldUnit, fieldUserUnit,
		fieldInvocation, fieldUserInvocation, fieldProcesses, fieldCursor, fieldUserManagerUnit,
		fieldCgroup, fieldContainerID, fieldContainerFull, fieldContainerName:
		kept := &e.kept[f-fieldPID]
		*kept = append((*kept)[:0], value[:min(len(value), maxTag)]...)
	case fieldDmesgPriority:
		e.priority = small(value, 7, oomdoc.PriorityUnknown)
		if level, ok := levelNamed(value); ok { // dmesg -x -J
			e.priority = level
		}
	case fieldDmesgFacility:
		if facility, ok := facilityNamed(value); ok {
			e.facility = facility
		}
	case fieldDmesgCaller:
		e.caller, _ = parseCaller(value)
	case fieldTime:
		e.setTime(value)
	}
}

// setTime takes dmesg's seconds since boot or docker's RFC 3339 time.
func (e *entry) setTime(value []byte) {
	if usec, size := seconds(value); size > 0 && size == len(value) {
		e.source = usec
		return
	}
	if n, ok := whole(value); ok && n < maxSeconds { // "time": 5
		e.source = int64(n) * 1_000_000
		return
	}
	var s stamp
	if size := s.iso(value); size > 0 && size == len(value) && s.zoned {
		c := calendar{local: time.UTC}
		e.time = c.time(s)
	}
}

// maxBootID is how long an id of a boot is with dashes.
const maxBootID = 36

// maxSeconds keeps an uptime in whole seconds within microseconds of 63 bits.
const maxSeconds = 1 << 40

func small(value []byte, limit uint64, unknown int) int {
	if n, ok := whole(value); ok && n <= limit {
		return int(n)
	}
	return unknown
}

func microsOr(value []byte) int64 {
	if n, ok := micros(value); ok {
		return n
	}
	return oomdoc.NoUsec
}

// fill makes a record of the entry and says what form it had; FormBare when it
// is no log record.
func (e *entry) fill(rec *oomdoc.Record) Form {
	form := e.form()
	if form == FormBare {
		return FormBare
	}
	rec.Text = e.message
	// An object is nothing to show to a person: the message is the line that
	// the other forms would print.
	rec.Raw = e.message
	rec.Priority, rec.Facility, rec.Caller = e.priority, e.facility, e.caller
	rec.Time = e.time
	switch form {
	case FormDmesgJSON:
		rec.Usec = e.source
	case FormDockerJSON:
		rec.Text = bytes.TrimRight(e.message, "\r\n")
		rec.Raw = rec.Text
		rec.Facility = facilityUser // a container's own output
	case FormJournalJSON:
		e.fillJournal(rec)
	}
	return form
}

// form tells what wrote an object by its fields.
func (e *entry) form() Form {
	switch {
	case e.has(fieldMessage) && (e.has(fieldRealtime) || e.has(fieldTransport) || e.has(fieldIdentifier) || e.has(fieldBoot)):
		return FormJournalJSON
	case e.has(fieldDmesgMessage) && e.has(fieldDmesgPriority) && e.source != oomdoc.NoUsec:
		return FormDmesgJSON
	case e.has(fieldDockerLog) && (e.has(fieldDockerStream) || !e.time.IsZero()):
		return FormDockerJSON
	}
	return FormBare
}

// fillJournal sets what the journal knows. The kernel wrote a record only when
// the transport is the kernel's and the facility 0: what programs write to
// /dev/kmsg has the same transport.
func (e *entry) fillJournal(rec *oomdoc.Record) {
	rec.BootID = e.bootID
	rec.Journal = e.besides()
	rec.Writer = e.identifier
	if len(rec.Writer) == 0 {
		rec.Writer = e.comm
	}
	switch {
	case e.kernel:
		rec.Usec = e.source
	case e.has(fieldTransport), len(e.identifier) > 0 && !e.isNamedKernel():
		if rec.Facility <= oomdoc.FacilityKernel {
			rec.Facility = facilityUser
		}
	default: // written without the fields that would tell
		rec.Facility = oomdoc.FacilityUnknown
	}
	if e.realtime == oomdoc.NoUsec {
		return
	}
	// journald stamps a record when it comes in, which for the first records of
	// a boot is late by seconds; its two clocks say by how much.
	late := int64(0)
	if e.source != oomdoc.NoUsec && e.monotonic > e.source {
		late = e.monotonic - e.source
	}
	rec.Time = time.UnixMicro(e.realtime - late)
}

func (e *entry) isNamedKernel() bool { return string(e.identifier) == "kernel" }
