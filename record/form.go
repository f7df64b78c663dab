package record

// A Form is how a log writes its records.
type Form uint8

// The forms that the Decoder knows.
const (
	FormBare        Form = iota // text without any head
	FormKmsg                    // what a read of /dev/kmsg gives
	FormDmesg                   // dmesg with any of its options, a serial console
	FormDmesgJSON               // dmesg -J
	FormSyslog                  // syslog files, journalctl in its short forms
	FormJournalJSON             // journalctl -o json, json-pretty, json-seq, json-sse
	FormExport                  // journalctl -o export
	FormVerbose                 // journalctl -o verbose
	FormContainer               // kubectl logs, CRI log files, docker logs --timestamps
	FormDockerJSON              // docker's json-file log driver
	formCount
)

// String names the form for people.
func (f Form) String() string {
	switch f {
	case FormKmsg:
		return "kmsg"
	case FormDmesg:
		return "dmesg"
	case FormDmesgJSON:
		return "dmesg-json"
	case FormSyslog:
		return "syslog"
	case FormJournalJSON:
		return "journal-json"
	case FormExport:
		return "journal-export"
	case FormVerbose:
		return "journal-verbose"
	case FormContainer:
		return "container"
	case FormDockerJSON:
		return "docker-json"
	}
	return "bare"
}

// continues says whether a line without a head, after a record of this form,
// is a further line of that record: the other forms write a newline that
// stands inside a record as an escape.
func (f Form) continues() bool {
	return f == FormDmesg || f == FormSyslog
}

// Stats are what a Decoder has seen so far.
type Stats struct {
	Lines   uint64 // lines read
	Cut     uint64 // of them, longer than Options.MaxLine: the rest was dropped
	Binary  uint64 // of them, without a head and with bytes that no text has
	Records uint64 // records given
	Invalid uint64 // objects or entries that began like a record and were none

	Forms [formCount]uint64 // records by Form
}

// Headed is how many records had a head, which only a log has.
func (s *Stats) Headed() uint64 { return s.Records - s.Forms[FormBare] }
