package helper

import (
	"encoding/binary"
	"errors"
)

// An Entry is one entry of the journal. Its fields and kinds are numbers of
// fixed tables and its values are opaque, so that whoever makes one can not make
// a field that another program believes: no identifier but ours, no MESSAGE_ID
// of the service manager, no priority that is written to every terminal.
type Entry struct {
	Priority  uint8  // 2 (critical) to 6 (information)
	MessageID string // one of MessageIDs
	Fields    []Field
}

// A Field is one field of an entry.
type Field struct{ Name, Value string }

// FieldNames are the fields that an entry may have. Their places are their
// numbers in the protocol: names are only added, at the end.
func FieldNames() []string {
	return []string{
		"MESSAGE", "OOMDOC_ID", "OOMDOC_BURST", "OOMDOC_TIME", "OOMDOC_CLASS", "OOMDOC_CAUSE",
		"OOMDOC_CONFIDENCE", "OOMDOC_OUTCOME", "OOMDOC_KILLER", "OOMDOC_OFFENDER", "OOMDOC_UNIT",
		"OOMDOC_USER_UNIT", "OOMDOC_CGROUP", "OOMDOC_CONTAINER", "OOMDOC_POD", "OOMDOC_COMM", "OOMDOC_PID",
		"OOMDOC_RSS_BYTES", "OOMDOC_LIMIT_BYTES", "OOMDOC_USED_BYTES", "OOMDOC_FIX", "OOMDOC_STEP", "OOMDOC_COMMAND",
		"OOMDOC_COUNT", "OBJECT_SYSTEMD_UNIT", "OBJECT_SYSTEMD_USER_UNIT", "OBJECT_UID",
	}
}

// MessageIDs are the MESSAGE_IDs that an entry may have: package systemd's.
func MessageIDs() []string {
	return []string{
		"2d1d4fa3946749838698d339b18c3113", "7bdaed0ffa464eef8158eb80e9190a75", "3cba9cd19c204101a2c3ea4b2f5cc3d8",
		"a41cdbc3802c4a6dab98a4431ccaba95", "2a24622dbf634d6a8e5504501d7f2046", "c2c03c9edab340c2a32eab923df20c7a",
		"d432ceff455748e2b14f1fba146f1e37", "79905362c7584f80a576ce8b480d9f79",
	}
}

// What every entry has, whoever asked for it.
const (
	Identifier    = "oomdoc"
	Documentation = "man:oomdoc-fixes(7)" // package systemd's
)

const (
	highestPriority = 2 // journald writes an emergency to every terminal (ForwardToWall=)
	lowestPriority  = 6
)

// maxEntry bounds an entry in bytes: far above what an alert has (systemd's
// fields.go), far below what a packet may have (net.core.wmem_default, 208 KiB).
const maxEntry = 64 << 10

var errNoEntry = errors.New("not an entry")

// native turns the body of a request (see encode) into an entry of the journal's
// native protocol. Each value stands behind its length (systemd.io, Native Journal
// Protocol), so that nothing in it ends it.
func native(body []byte) ([]byte, error) {
	names, ids := FieldNames(), MessageIDs()
	if len(body) < 2 || len(body) > maxEntry || body[0] < highestPriority || body[0] > lowestPriority || int(body[1]) >= len(ids) {
		return nil, errNoEntry
	}
	entry := appendField(nil, "PRIORITY", []byte{'0' + body[0]})
	entry = appendField(entry, "MESSAGE_ID", []byte(ids[body[1]]))
	entry = appendField(entry, "SYSLOG_IDENTIFIER", []byte(Identifier))
	entry = appendField(entry, "DOCUMENTATION", []byte(Documentation))
	for rest := body[2:]; len(rest) > 0; {
		if len(rest) < 3 || int(rest[0]) >= len(names) {
			return nil, errNoEntry
		}
		length := int(binary.LittleEndian.Uint16(rest[1:]))
		if length > len(rest)-3 {
			return nil, errNoEntry
		}
		entry = appendField(entry, names[rest[0]], rest[3:3+length])
		rest = rest[3+length:]
	}
	return entry, nil
}

func appendField(entry []byte, name string, value []byte) []byte {
	entry = append(append(entry, name...), '\n')
	entry = binary.LittleEndian.AppendUint64(entry, uint64(len(value)))
	return append(append(entry, value...), '\n')
}
