package helper

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// Whatever stands in a packet, an entry has only fields of the table, each once
// named by the helper itself where it says who speaks.
func FuzzPacket(f *testing.F) {
	good, err := Entry{Priority: 3, MessageID: MessageIDs()[1], Fields: []Field{{"MESSAGE", "a\nPRIORITY=0"}}}.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(request{op: opAlert, wait: 5}.encode(), good...))
	f.Add(request{op: opProcess, file: 1, pid: 1}.encode())
	f.Add(request{op: opContainer, file: 5, id: ContainerID{1}}.encode())
	f.Add([]byte("OMD1"))
	f.Fuzz(func(t *testing.T, packet []byte) {
		r, err := decodeRequest(packet)
		if err != nil {
			return
		}
		if again := r.encode(); !bytes.Equal(again, packet[:headSize]) {
			t.Fatalf("head %x is read as %x", packet[:headSize], again)
		}
		if r.op != opAlert {
			if path, _, ok := DefaultRoots().path(r); ok && strings.Contains(path, "..") {
				t.Fatalf("path %s", path)
			}
			return
		}
		entry, err := native(packet[headSize:])
		if err != nil {
			return
		}
		allowed := append(FieldNames(), "PRIORITY", "MESSAGE_ID", "SYSLOG_IDENTIFIER", "DOCUMENTATION")
		for n := 0; len(entry) > 0; n++ {
			name, rest, found := bytes.Cut(entry, []byte{'\n'})
			if !found || len(rest) < 8 || !slices.Contains(allowed, string(name)) {
				t.Fatalf("field %q", name)
			}
			if by := slices.Index(allowed, string(name)) >= len(FieldNames()); by != (n < 4) {
				t.Fatalf("field %q stands in place %d", name, n)
			}
			length := binary.LittleEndian.Uint64(rest)
			entry = rest[8+length+1:]
		}
	})
}
