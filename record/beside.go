package record

import "github.com/oomdoc/oomdoc"

// besides are the fields that the record only carries on.
func (e *entry) besides() *oomdoc.JournalFields {
	field := func(f field) []byte { return e.kept[f-fieldPID] }
	e.beside = oomdoc.JournalFields{
		Kernel:    e.kernel,
		WriterPID: field(fieldPID), WriterUID: field(fieldUID),
		WriterComm: e.comm, WriterUnit: field(fieldSystemdUnit),
		MessageID: field(fieldMessageID), Unit: field(fieldUnit), UserUnit: field(fieldUserUnit),
		InvocationID: field(fieldInvocation), Processes: field(fieldProcesses),
		Cursor: field(fieldCursor), WriterUserUnit: field(fieldUserManagerUnit), WriterCgroup: field(fieldCgroup),
		Container: field(fieldContainerFull), ContainerName: field(fieldContainerName),
	}
	if len(e.beside.Container) == 0 {
		e.beside.Container = field(fieldContainerID)
	}
	if len(e.beside.InvocationID) == 0 {
		e.beside.InvocationID = field(fieldUserInvocation)
	}
	return &e.beside
}
