package api_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/api"
	"github.com/oomdoc/oomdoc/store"
)

// A history is a Source of n incidents.
type history struct {
	n      int
	opened *int
}

func (h history) List(f store.Filter) (page []oomdoc.Incident, err error) {
	for i := f.Offset; i < h.n && len(page) < f.Limit; i++ {
		page = append(page, incident(i))
	}
	return page, nil
}

func (h history) Get(id string) (oomdoc.Incident, error) {
	if id != "i0" {
		return oomdoc.Incident{}, &oomdoc.Error{Code: oomdoc.CodeNotFound, Err: errors.New("no such"), Hint: "oomdoc list"}
	}
	return incident(0), nil
}
func (h history) Records(string) ([]string, error) { return []string{"line one", "line two"}, nil }
func (h history) Close() error                     { *h.opened--; return nil }

func incident(i int) oomdoc.Incident {
	return oomdoc.Incident{ID: fmt.Sprintf("i%d", i), Class: oomdoc.ClassHostRAM,
		Summary: oomdoc.Say("classify.x", oomdoc.Args{"limit": oomdoc.Bytes(5)})}
}

func listen(t *testing.T, n int) (path string, opened *int) {
	t.Helper()
	path, opened = filepath.Join(t.TempDir(), api.SocketName), new(int)
	server, err := api.Listen(path, api.ServerOptions{
		Open:    func() (api.Source, error) { *opened++; return history{n, opened}, nil },
		Status:  func(api.Source) (any, error) { return map[string]int{"incidents": n}, nil },
		Metrics: func() string { return "up 1\n" }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket is left behind: %v", err)
		}
		if *opened != 0 {
			t.Errorf("%d sources were not closed", *opened)
		}
	})
	return path, opened
}

func TestClientReadsWhatTheSourceHas(t *testing.T) {
	path, _ := listen(t, 1000)
	client := api.NewClient(path)
	for _, c := range []struct{ limit, offset, first, n int }{{0, 0, 0, 1000}, {1, 0, 0, 1}, {100, 7, 7, 100}, {5, 998, 998, 2}, {5, 2000, 0, 0}} {
		got, err := client.List(store.Filter{Limit: c.limit, Offset: c.offset})
		if err != nil || len(got) != c.n || c.n > 0 && got[0].ID != fmt.Sprintf("i%d", c.first) {
			t.Errorf("List(limit %d, offset %d) = %d incidents, %v; want %d from i%d", c.limit, c.offset, len(got), err, c.n, c.first)
		}
		if c.n > 0 && (got[0].Summary.Key != "classify.x" || got[0].Summary.Args["limit"].N != 5) {
			t.Errorf("the sentence arrives as %+v, want its key and facts", got[0].Summary)
		}
	}
	inc, err := client.Get("i0")
	if err != nil || inc.ID != "i0" || len(inc.Records) != 2 {
		t.Errorf("Get() = %+v, %v; want i0 with its records", inc, err)
	}
	if _, err := client.Get("nothing"); oomdoc.ErrorCode(err) != oomdoc.CodeNotFound || oomdoc.ErrorHint(err) != "oomdoc list" {
		t.Errorf("Get() of nothing = %v (%q), want its code and hint", err, oomdoc.ErrorHint(err))
	}
	var status map[string]int
	if err := client.Status(&status); err != nil || status["incidents"] != 1000 {
		t.Errorf("Status() = %v, %v", status, err)
	}
	absent := api.NewClient(path + "-absent")
	if _, err := absent.List(store.Filter{}); !errors.Is(err, api.ErrAbsent) {
		t.Errorf("without a daemon List() = %v, want %v", err, api.ErrAbsent)
	}
}

// say sends one line and gives all lines of the answer.
func say(t *testing.T, path, line string) (answers []api.Answer) {
	t.Helper()
	connection, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := connection.Write([]byte(line)); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(connection)
	for lines.Scan() {
		var answer api.Answer
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Fatalf("answer %q: %v", lines.Text(), err)
		}
		answers = append(answers, answer)
	}
	return answers
}

func TestHostileQuestionsEndWithAnError(t *testing.T) {
	path, opened := listen(t, 3)
	for _, line := range []string{
		"\n", "{}\n", "GET / HTTP/1.1\r\n", `{"get":"purge"}` + "\n", `{"get":1}` + "\n", `{"get":"incidents","since":"soon"}` + "\n",
		`{"get":"incidents","language":"xx"}` + "\n", strings.Repeat("[", 4000) + "\n", `{"get":"incident","id":"'; DROP TABLE incident"}` + "\n",
		strings.Repeat("x", 9000) + "\n",
	} {
		answers := say(t, path, line)
		if n := len(answers); n != 1 || answers[0].Error == nil {
			t.Errorf("%.40q is answered by %+v, want an error", line, answers)
		}
	}
	if got := say(t, path, `{"get":"metrics"}`+"\n"); len(got) != 2 || got[0].Metrics != "up 1\n" || !got[1].End {
		t.Errorf("metrics: %+v", got)
	}
	if got := say(t, path, `{"get":"incidents","limit":-5,"offset":-5,"unknown":true}`+"\n"); len(got) != 4 || !got[3].End {
		t.Errorf("negative limits: %+v", got)
	}
	if *opened != 0 {
		t.Errorf("%d sources are open", *opened)
	}
}

// One user who opens many connections and says nothing keeps only himself out.
func TestConnectionsOfOneUserAreBounded(t *testing.T) {
	path, _ := listen(t, 1)
	const many = 10
	var open []net.Conn
	for range many {
		connection, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		open = append(open, connection)
	}
	refused := 0
	for _, connection := range open {
		connection.SetReadDeadline(time.Now().Add(time.Second))
		if _, err := connection.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			refused++
		}
	}
	if refused < many-4 {
		t.Errorf("%d of %d silent connections were refused, want all but 4", refused, many)
	}
	for _, connection := range open {
		connection.Close()
	}
	client := api.NewClient(path)
	deadline := time.Now().Add(20 * time.Second)
	for {
		if _, err := client.List(store.Filter{}); err == nil {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("after they are gone List() = %v", err)
		}
	}
}

func TestSocketReplacesOnlyADeadSocket(t *testing.T) {
	path, _ := listen(t, 1)
	options := api.ServerOptions{Log: slog.New(slog.DiscardHandler)}
	if server, err := api.Listen(path, options); err == nil {
		server.Close()
		t.Error("a socket that another daemon answers on was taken")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := api.Listen(file, options); err == nil || oomdoc.ErrorHint(err) == "" {
		t.Errorf("Listen() on a file = %v, want a refusal with a hint", err)
	}
	dead := filepath.Join(t.TempDir(), "dead")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	server, err := api.Listen(dead, options)
	if err != nil {
		t.Fatalf("Listen() where a dead daemon left its socket = %v", err)
	}
	server.Close()
}

func TestOwnIsByUserOrBySlice(t *testing.T) {
	uid := func(n int) *int { return &n }
	for _, c := range []struct {
		process *oomdoc.Process
		own     bool
	}{
		{nil, false}, {&oomdoc.Process{}, false}, {&oomdoc.Process{UID: uid(1000)}, true}, {&oomdoc.Process{UID: uid(1001)}, false},
		{&oomdoc.Process{UID: uid(100999), Cgroup: "/user.slice/user-1000.slice/user@1000.service/x"}, true},
		{&oomdoc.Process{UID: uid(0), Cgroup: "/user.slice/user-10001.slice/x"}, false},
		{&oomdoc.Process{Cgroup: "/x/user.slice/user-1000.slice/x"}, false},
	} {
		if got := (api.Peer{UID: 1000}).IsOwn(&oomdoc.Incident{Process: c.process}); got != c.own {
			t.Errorf("IsOwn(%+v) = %v, want %v", c.process, got, c.own)
		}
	}
}
