//go:build bench

package main_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFigureJournal: a journal that gets very many entries costs little, and the
// few that matter in it are all found. The processor's time is counted for each
// entry, so that it does not matter whether this machine's journald keeps up.
func TestFigureJournal(t *testing.T) {
	if !inPrivateJournal(t, "512M") {
		return
	}
	const (
		perSecond = 20_000
		entries   = 10 * perSecond
		every     = 10_000 // entries to a hit
		asked     = 0.25   // of a core
	)
	m := newMachine(t, "own")
	m.start()
	m.waitForJournal()
	socket, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: "/run/systemd/journal/socket", Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	before := m.processorTime()
	began := time.Now()
	var pids []int
	random := rand.New(rand.NewPCG(1, 2))
	for i := range entries {
		text := fmt.Sprintf(`10.0.%d.%d - - "GET /api/v1/items/%d HTTP/1.1" 200 %d "-" "agent/%d" total=%dms worker[%d]: cache hit`,
			random.IntN(256), random.IntN(256), random.IntN(1e6), random.IntN(1e5), random.IntN(9), random.IntN(900), random.IntN(64))
		if i%every == every/2 {
			pids = append(pids, 100_000+i)
			text = fmt.Sprintf(`sending SIGTERM to process %d uid 1000 "hog": badness 812, VmRSS 3121 MiB`, 100_000+i)
		}
		if _, err := fmt.Fprintf(socket, "PRIORITY=6\nSYSLOG_IDENTIFIER=earlyoom\nMESSAGE=%s\n", text); err != nil {
			t.Fatal(err)
		}
		if ahead := time.Duration(i)*time.Second/perSecond - time.Since(began); i%200 == 0 && ahead > 0 {
			time.Sleep(ahead)
		}
	}
	sent := time.Since(began)
	m.waitFor("all of them", func() bool { return len(byEarlyoom(m.incidents())) >= len(pids) })
	spent := m.processorTime() - before
	if got := byEarlyoom(m.incidents()); fmt.Sprint(got) != fmt.Sprint(pids) {
		t.Errorf("found %v, want %v", got, pids)
	}
	core := spent.Seconds() / entries * perSecond
	t.Logf("%d entries in %v (%.0f a second): %v of processor, %.1f us an entry, %.3f of a core at %d a second; %d of %d hits",
		entries, sent.Round(time.Millisecond), entries/sent.Seconds(), spent, spent.Seconds()/entries*1e6, core, perSecond,
		len(byEarlyoom(m.incidents())), len(pids))
	if core > asked {
		t.Errorf("%.3f of a core, want at most %.2f", core, asked)
	}
}

// processorTime is what the daemon, its children and those that have ended took.
func (m *machine) processorTime() time.Duration {
	m.t.Helper()
	pid := strconv.Itoa(m.command.Process.Pid)
	ticks := ticksOf(m.t, pid, 11, 15) // utime, stime, cutime, cstime
	children, err := filepath.Glob("/proc/" + pid + "/task/*/children")
	if err != nil {
		m.t.Fatal(err)
	}
	for _, file := range children {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		for _, child := range strings.Fields(string(text)) {
			ticks += ticksOf(m.t, child, 11, 13)
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// ticksOf sums fields of proc_pid_stat(5), counted behind the name, in 1/100 s.
func ticksOf(t *testing.T, pid string, from, to int) (sum int64) {
	t.Helper()
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0 // it has ended, and counts as its parent's
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	for _, field := range fields[from:to] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}
