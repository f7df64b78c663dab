package record_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// The entry is systemd 252's of a unit's kill, in two of journalctl's forms; the
// export writes a value that is not plain text with its size.
func TestTheJournalsFieldsComeWithTheRecord(t *testing.T) {
	json := `{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"1768035600000000","_SYSTEMD_USER_UNIT":"a.scope","_SYSTEMD_CGROUP":"/init.scope","CONTAINER_ID":"0a","CONTAINER_ID_FULL":"0a0b","CONTAINER_NAME":"web","_TRANSPORT":"journal","_PID":"1","_UID":"0","_COMM":"systemd","_SYSTEMD_UNIT":"init.scope",` +
		`"MESSAGE_ID":"fe6faa94e7774663a0da52717891d8ef","UNIT":"hog.service","INVOCATION_ID":"0011","N_PROCESSES":"3","SYSLOG_IDENTIFIER":"systemd","MESSAGE":"hog.service: killed"}` + "\n"
	var export bytes.Buffer
	export.WriteString("__CURSOR=s=1\n__REALTIME_TIMESTAMP=1768035600000000\n_SYSTEMD_USER_UNIT=a.scope\n_SYSTEMD_CGROUP=/init.scope\nCONTAINER_ID=0a\nCONTAINER_ID_FULL=0a0b\nCONTAINER_NAME=web\n_TRANSPORT=journal\n_PID=1\n_UID=0\n_COMM=systemd\n_SYSTEMD_UNIT=init.scope\n" +
		"MESSAGE_ID=fe6faa94e7774663a0da52717891d8ef\nINVOCATION_ID=0011\nN_PROCESSES=3\nSYSLOG_IDENTIFIER=systemd\nMESSAGE=hog.service: killed\nUNIT\n")
	export.Write(binary.LittleEndian.AppendUint64(nil, uint64(len("hog.service"))))
	export.WriteString("hog.service\n\n")

	for form, log := range map[string]string{"json": json, "export": export.String()} {
		decoder := record.NewDecoder(bytes.NewReader([]byte(log)), record.Options{Location: time.UTC})
		var rec oomdoc.Record
		if err := decoder.Next(&rec); err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		j := rec.Journal
		if j == nil {
			t.Fatalf("%s: no fields", form)
		}
		for name, pair := range map[string][2]string{
			"pid": {string(j.WriterPID), "1"}, "uid": {string(j.WriterUID), "0"}, "comm": {string(j.WriterComm), "systemd"},
			"writer's unit": {string(j.WriterUnit), "init.scope"}, "message id": {string(j.MessageID), "fe6faa94e7774663a0da52717891d8ef"},
			"unit": {string(j.Unit), "hog.service"}, "invocation": {string(j.InvocationID), "0011"}, "processes": {string(j.Processes), "3"},
			"user unit": {string(j.UserUnit), ""}, "cursor": {string(j.Cursor), "s=1"}, "container": {string(j.Container), "0a0b"},
			"container's name": {string(j.ContainerName), "web"}, "writer's user unit": {string(j.WriterUserUnit), "a.scope"},
			"writer's cgroup": {string(j.WriterCgroup), "/init.scope"},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s is %q, want %q", form, name, pair[0], pair[1])
			}
		}
		if j.Kernel {
			t.Errorf("%s: taken for the kernel's", form)
		}
	}
}

// A field of one entry does not stay for the next, and other forms have none.
func TestTheJournalsFieldsAreThoseOfOneEntry(t *testing.T) {
	log := `{"_TRANSPORT":"journal","UNIT":"a.service","USER_INVOCATION_ID":"7","MESSAGE":"x"}` + "\n" +
		`{"_TRANSPORT":"kernel","SYSLOG_FACILITY":"0","MESSAGE":"y"}` + "\n" +
		"Jan 10 09:00:00 n kernel: z\n"
	decoder := record.NewDecoder(bytes.NewReader([]byte(log)), record.Options{Location: time.UTC})
	var rec oomdoc.Record
	for _, want := range []struct {
		has              bool
		unit, invocation string
		kernel           bool
	}{{true, "a.service", "7", false}, {true, "", "", true}, {false, "", "", false}} {
		if err := decoder.Next(&rec); err != nil {
			t.Fatal(err)
		}
		if rec.Journal == nil {
			if want.has {
				t.Errorf("%q has no fields", rec.Text)
			}
			continue
		}
		if !want.has || string(rec.Journal.Unit) != want.unit || string(rec.Journal.InvocationID) != want.invocation || rec.Journal.Kernel != want.kernel {
			t.Errorf("%q: got %+v", rec.Text, *rec.Journal)
		}
	}
}
