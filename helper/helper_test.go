package helper_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc/helper"
)

// Users of these tests; neither needs to exist.
const (
	daemonUID = 61011
	otherUID  = 61012
)

// needRoot fails a test that becomes another user.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("this test becomes another user: run it as root")
	}
}

// openFolder is a temporary folder that every user may enter.
func openFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "oomdoc-helper-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// serve runs a helper in this process and gives its socket, which anybody may
// connect to: what is tested is the helper's own judgement.
func serve(t *testing.T, server *helper.Server) string {
	t.Helper()
	path := filepath.Join(openFolder(t), "helper.sock")
	serveAt(t, server, path)
	return path
}

func serveAt(t *testing.T, server *helper.Server, path string) (stop func()) {
	t.Helper()
	listener, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	stop = func() {
		listener.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("Serve() = %v, want that its listener was closed", err)
		}
		ended <- net.ErrClosed
	}
	t.Cleanup(stop)
	return stop
}

// asUser runs the calling test again as another user and is true in there.
func asUser(t *testing.T, uid uint32, socket string) (output string, isChild bool) {
	t.Helper()
	const mark = "OOMDOC_TEST_HELPER_SOCKET"
	if os.Getenv(mark) != "" {
		return os.Getenv(mark), true
	}
	needRoot(t)
	binary := filepath.Join(filepath.Dir(socket), "test-"+strconv.Itoa(int(uid)))
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, data, 0o755); err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), binary, "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=1m")
	child.Dir = filepath.Dir(socket)
	child.Env = append(os.Environ(), mark+"="+socket)
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: unix.SIGKILL, Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	text, _ := child.CombinedOutput() // a child that fails says so in its output
	return string(text), false
}

func TestOnlyTheDaemonsUserIsAdmitted(t *testing.T) {
	if socket, isChild := asUserOf(t); isChild {
		client := helper.NewClient(socket)
		defer client.Close()
		if _, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", os.Getppid())); !errors.Is(err, os.ErrPermission) {
			t.Fatalf("this user may read the maps of root's process: %v", err)
		}
		file, err := client.OpenProcess(os.Getppid(), helper.ProcessMaps)
		if err != nil {
			t.Fatalf("OpenProcess() = %v", err)
		}
		defer file.Close()
		text, err := io.ReadAll(file)
		if err != nil || !strings.Contains(string(text), "[stack]") {
			t.Fatalf("read %d bytes, %v; want the maps of that process", len(text), err)
		}
		return
	}
	refused := make(chan uint32, 8)
	socket := serve(t, &helper.Server{UID: daemonUID, Roots: helper.DefaultRoots(), Refused: func(uid uint32) { refused <- uid }})
	if output, _ := asUser(t, daemonUID, socket); !strings.Contains(output, "--- PASS") {
		t.Errorf("the daemon's user was not served:\n%s", output)
	}
	if output, _ := asUser(t, otherUID, socket); !strings.Contains(output, "cannot be reached") {
		t.Errorf("another user was served:\n%s", output)
	}
	if got := <-refused; got != otherUID {
		t.Errorf("refused uid %d, want %d", got, otherUID)
	}
	root := helper.NewClient(socket)
	defer root.Close()
	if file, err := root.OpenProcess(os.Getpid(), helper.ProcessMaps); !errors.Is(err, helper.ErrAbsent) {
		t.Errorf("root was served (%v, %v); it does not need the helper", file, err)
	}
}

// asUserOf tells a child of asUser, without starting one.
func asUserOf(t *testing.T) (socket string, isChild bool) {
	t.Helper()
	socket = os.Getenv("OOMDOC_TEST_HELPER_SOCKET")
	return socket, socket != ""
}

// own is a server for the user of the test.
func own(t *testing.T) *helper.Server {
	t.Helper()
	return &helper.Server{UID: uint32(os.Geteuid()), Roots: helper.DefaultRoots()}
}

func TestAlertGoesOutWithTheHelpersUserAndOnlyItsFields(t *testing.T) {
	if socket, isChild := asUserOf(t); isChild {
		client := helper.NewClient(socket)
		defer client.Close()
		err := client.Send(helper.Entry{Priority: 3, MessageID: helper.MessageIDs()[0], Fields: []helper.Field{
			{"MESSAGE", "job was killed\nPRIORITY=0\n_UID=0"}, {"OBJECT_SYSTEMD_UNIT", "job.service"},
		}}, time.Second)
		if err != nil {
			t.Fatalf("Send() = %v", err)
		}
		return
	}
	needRoot(t)
	journal := filepath.Join(openFolder(t), "journal")
	received, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: journal, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer received.Close()
	raw, err := received.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_PASSCRED, 1) })
	if err != nil {
		t.Fatal(err)
	}
	server := &helper.Server{UID: daemonUID, Roots: helper.DefaultRoots(), Journal: journal}
	if output, _ := asUser(t, daemonUID, serve(t, server)); !strings.Contains(output, "--- PASS") {
		t.Fatalf("the alert was not sent:\n%s", output)
	}
	entry, control := make([]byte, 64<<10), make([]byte, 1024)
	received.SetReadDeadline(time.Now().Add(10 * time.Second))
	n, oobn, _, _, err := received.ReadMsgUnix(entry, control)
	if err != nil {
		t.Fatal(err)
	}
	messages, err := unix.ParseSocketControlMessage(control[:oobn])
	if err != nil || len(messages) == 0 {
		t.Fatalf("no credentials: %v", err)
	}
	credentials, err := unix.ParseUnixCredentials(&messages[0])
	if err != nil || credentials.Uid != 0 {
		t.Errorf("sent by %+v, %v; want uid 0", credentials, err)
	}
	want := []helper.Field{
		{"PRIORITY", "3"}, {"MESSAGE_ID", helper.MessageIDs()[0]}, {"SYSLOG_IDENTIFIER", "oomdoc"},
		{"DOCUMENTATION", "man:oomdoc-fixes(7)"},
		{"MESSAGE", "job was killed\nPRIORITY=0\n_UID=0"}, {"OBJECT_SYSTEMD_UNIT", "job.service"},
	}
	got := fieldsOf(t, entry[:n])
	if len(got) != len(want) {
		t.Fatalf("entry has fields %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("field %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// fieldsOf reads an entry of the native protocol as journald does, of which
// every field is in the form with a length.
func fieldsOf(t *testing.T, entry []byte) (fields []helper.Field) {
	t.Helper()
	for rest := string(entry); rest != ""; {
		name, after, found := strings.Cut(rest, "\n")
		if !found || len(after) < 8 || strings.Contains(name, "=") {
			t.Fatalf("entry %q is not in the form with lengths", entry)
		}
		length := binary.LittleEndian.Uint64([]byte(after[:8]))
		if uint64(len(after)) < 8+length+1 || after[8+length] != '\n' {
			t.Fatalf("field %s has a wrong length", name)
		}
		fields = append(fields, helper.Field{Name: name, Value: after[8 : 8+length]})
		rest = after[8+length+1:]
	}
	return fields
}

func TestEntryRefusesWhatIsNotInTheTables(t *testing.T) {
	client := helper.NewClient("/nowhere")
	for name, entry := range map[string]helper.Entry{
		"another MESSAGE_ID": {Priority: 3, MessageID: "fe6faa94e7774663a0da52717891d8ef"},
		"another field":      {Priority: 3, MessageID: helper.MessageIDs()[0], Fields: []helper.Field{{"_PID", "1"}}},
		"a long value":       {Priority: 3, MessageID: helper.MessageIDs()[0], Fields: []helper.Field{{"MESSAGE", strings.Repeat("x", 1<<16)}}},
		"much altogether": {Priority: 3, MessageID: helper.MessageIDs()[0], Fields: []helper.Field{
			{"MESSAGE", strings.Repeat("x", 40<<10)}, {"OOMDOC_ID", strings.Repeat("x", 40<<10)}}},
	} {
		if err := client.Send(entry, 0); err == nil || errors.Is(err, helper.ErrAbsent) {
			t.Errorf("%s: Send() = %v, want that it is not for the journal", name, err)
		}
	}
}

func TestFullJournalIsToldAndNotWaitedForLong(t *testing.T) {
	journal := filepath.Join(openFolder(t), "journal")
	listener, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: journal, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	server := own(t)
	server.Journal = journal
	client := helper.NewClient(serve(t, server))
	defer client.Close()
	entry := helper.Entry{Priority: 3, MessageID: helper.MessageIDs()[0], Fields: []helper.Field{{"MESSAGE", "x"}}}
	sent := 0
	for ; err == nil; sent++ {
		if sent > 10000 {
			t.Fatal("the journal's queue never fills")
		}
		err = client.Send(entry, 0)
	}
	if !errors.Is(err, helper.ErrJournalFull) || sent < 2 {
		t.Errorf("after %d entries Send() = %v, want %v", sent, err, helper.ErrJournalFull)
	}
	listener.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := listener.Read(make([]byte, 1<<16)); err != nil {
		t.Fatal(err)
	}
	if err := client.Send(entry, time.Second); err != nil {
		t.Errorf("Send() once there is room = %v", err)
	}
	without := own(t)
	without.Journal = journal + "-absent"
	other := helper.NewClient(serve(t, without))
	defer other.Close()
	if err := other.Send(entry, 0); !errors.Is(err, unix.ENOENT) {
		t.Errorf("Send() without a journal = %v, want %v", err, unix.ENOENT)
	}
}

func TestClientFindsARestartedHelper(t *testing.T) {
	path := filepath.Join(openFolder(t), "helper.sock")
	client := helper.NewClient(path)
	defer client.Close()
	if err := client.Ready(); !errors.Is(err, helper.ErrAbsent) {
		t.Errorf("Ready() without a helper = %v, want %v", err, helper.ErrAbsent)
	}
	for range 3 {
		stop := serveAt(t, own(t), path)
		file, err := client.OpenProcess(os.Getpid(), helper.ProcessCmdline)
		if err != nil {
			t.Fatalf("OpenProcess() = %v", err)
		}
		file.Close()
		if err := client.Ready(); err != nil {
			t.Errorf("Ready() with a helper = %v", err)
		}
		stop()
	}
}

// A packet that is no request ends its connection and nothing else.
func TestWhatIsNoRequestIsNotAnswered(t *testing.T) {
	socket := serve(t, own(t))
	good := make([]byte, 48)
	binary.LittleEndian.PutUint32(good, 0x31444d4f)
	binary.LittleEndian.PutUint16(good[4:], 2)
	binary.LittleEndian.PutUint16(good[6:], 1)
	binary.LittleEndian.PutUint32(good[8:], uint32(os.Getpid()))
	change := func(at int, value byte) []byte {
		packet := append([]byte(nil), good...)
		packet[at] = value
		return packet
	}
	if n := talk(t, socket, good); n != 8 {
		t.Fatalf("a request is answered by %d bytes, want 8", n)
	}
	for name, packet := range map[string][]byte{
		"short": good[:47], "longer": append(good[:48:48], 0), "magic": change(0, 0), "no op": change(4, 0),
		"unknown op": change(4, 99), "an id with a pid": change(20, 1), "a wait": change(12, 1),
		"an alert without a body": change(4, 1), "far too long": make([]byte, 100<<10), "text": []byte("GET / HTTP/1.1\r\n\r\n"),
	} {
		if n := talk(t, socket, packet); n != 0 {
			t.Errorf("%s is answered by %d bytes, want that the connection ends", name, n)
		}
	}
	if n := talk(t, socket, good); n != 8 {
		t.Errorf("afterwards a request is answered by %d bytes, want 8", n)
	}
}

// talk sends one packet and gives the size of the answer, 0 for none.
func talk(t *testing.T, socket string, packet []byte) int {
	t.Helper()
	connection, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: socket, Net: "unixpacket"})
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := connection.Write(packet); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 64)
	n, err := connection.Read(answer)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal("neither an answer nor an end")
	}
	return n
}
