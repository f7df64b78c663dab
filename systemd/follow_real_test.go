package systemd_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/journal"
	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/systemd"
)

// A listener is a follower with what it has handed over.
type listener struct {
	t        *testing.T
	follower *systemd.JournalFollower
	stop     func()

	mu     sync.Mutex
	texts  []string
	passed []string
	gaps   []systemd.JournalGap
}

func followJournal(t *testing.T, cursor string, anchors ...string) *listener {
	t.Helper()
	l := &listener{t: t}
	l.follower = systemd.NewJournalFollower(systemd.JournalFollowOptions{
		Anchors: anchors, Cursor: cursor, MarkEvery: 2 * time.Second,
		Record: func(rec *oomdoc.Record) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.texts = append(l.texts, string(rec.Text))
		},
		Passed: func(cursor string) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.passed = append(l.passed, cursor)
		},
		Gap: func(gap systemd.JournalGap) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.gaps = append(l.gaps, gap)
		},
		Began: func() {},
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.follower.Run(ctx)
	}()
	l.stop = func() { cancel(); <-done }
	t.Cleanup(l.stop)
	l.waitFor("journalctl to run", func() bool { return l.follower.Stats().Watching })
	return l
}

func (l *listener) seen() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.texts)
}

func (l *listener) waitFor(what string, ready func() bool) {
	l.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ready(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.t.Fatalf("waited in vain for %s; got %q, gaps %+v, %+v", what, l.seen(), l.gaps, l.follower.Stats())
		}
	}
}

func (l *listener) waitForTexts(want ...string) {
	l.t.Helper()
	l.waitFor(fmt.Sprintf("%q", want), func() bool { return len(l.seen()) >= len(want) })
	if got := l.seen(); !slices.Equal(got, want) {
		l.t.Fatalf("handed over %q, want %q", got, want)
	}
}

func say(t *testing.T, text string, fields map[string]string) {
	t.Helper()
	if fields == nil {
		fields = map[string]string{"SYSLOG_IDENTIFIER": "app"}
	}
	if err := journal.Send(text, journal.PriInfo, fields); err != nil {
		t.Fatal(err)
	}
}

// journalctl runs one of its verbs.
func journalctl(t *testing.T, args ...string) {
	t.Helper()
	if output, err := exec.CommandContext(t.Context(), "journalctl", args...).CombinedOutput(); err != nil {
		t.Fatalf("journalctl %q: %v: %s", args, err, output)
	}
}

func TestRealJournalIsFollowedThroughRotationVacuumAndRestart(t *testing.T) {
	if !inPrivateRun(t) {
		return
	}
	mountRun(t)
	startJournald(t)
	say(t, "before: bad_alloc", nil)
	journalctl(t, "--sync")

	l := followJournal(t, "", "bad_alloc", "out of memory")
	say(t, "ordinary", nil)
	say(t, "one: bad_alloc", nil)
	say(t, "BAD_ALLOC is another text", nil)
	say(t, "two: first line\nout of memory\nlast line", nil)
	say(t, "alert: bad_alloc", map[string]string{"SYSLOG_IDENTIFIER": "oomdoc"})
	say(t, "alert: bad_alloc", map[string]string{"SYSLOG_IDENTIFIER": "x", "MESSAGE_ID": systemd.MessageHostKill})
	two := "two: first line\nout of memory\nlast line"
	l.waitForTexts("one: bad_alloc", two)

	journalctl(t, "--rotate")
	say(t, "three: bad_alloc", nil)
	l.waitForTexts("one: bad_alloc", two, "three: bad_alloc")
	journalctl(t, "--rotate", "--vacuum-size=1")
	say(t, "four: bad_alloc", nil)
	l.waitForTexts("one: bad_alloc", two, "three: bad_alloc", "four: bad_alloc")

	// The child dies: the next one goes on where it stood.
	if err := unix.Kill(l.follower.Stats().PID, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	say(t, "five: bad_alloc", nil)
	l.waitForTexts("one: bad_alloc", two, "three: bad_alloc", "four: bad_alloc", "five: bad_alloc")
	cursor := l.follower.Stats().Cursor
	l.stop()

	// Nobody listens; the next listener begins there and misses nothing.
	say(t, "six: bad_alloc", nil)
	say(t, "ordinary", nil)
	l = followJournal(t, cursor, "bad_alloc")
	l.waitForTexts("six: bad_alloc")
	if len(l.gaps) != 0 {
		t.Errorf("gaps %+v, want none", l.gaps)
	}
	cursor = l.follower.Stats().Cursor
	l.stop()

	// What was vacuumed meanwhile is counted, and the rest is read.
	for range 7 {
		say(t, "ordinary", nil)
	}
	journalctl(t, "--sync")
	journalctl(t, "--rotate")
	journalctl(t, "--vacuum-files=1")
	say(t, "seven: bad_alloc", nil)
	l = followJournal(t, cursor, "bad_alloc")
	l.waitForTexts("seven: bad_alloc")
	if len(l.gaps) != 1 || !l.gaps[0].Exact || l.gaps[0].Lost < 8 {
		t.Errorf("gaps %+v, want one of at least 8 entries, counted", l.gaps)
	}
}

func TestRealJournalWithoutAHitIsNotReadAgain(t *testing.T) {
	if !inPrivateRun(t) {
		return
	}
	mountRun(t)
	startJournald(t)
	say(t, "first", nil)
	journalctl(t, "--sync")
	l := followJournal(t, "", "bad_alloc")
	first := l.follower.Stats().Cursor
	for range 5 {
		say(t, "ordinary", nil)
	}
	journalctl(t, "--sync")
	l.waitFor("the place to be noted", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.passed) >= 2
	})
	if got := l.follower.Stats().Cursor; got == first || got == "" {
		t.Errorf("the place is still %q", got)
	}
	if state := l.seen(); len(state) != 0 {
		t.Errorf("handed over %q, want nothing", state)
	}
}

// Every anchor is found by the pattern that journalctl gets, whatever stands in it.
func TestRealJournalIsFilteredByEachText(t *testing.T) {
	if !inPrivateRun(t) {
		return
	}
	mountRun(t)
	startJournald(t)
	say(t, "first", nil)
	anchors := []string{
		"Killed /", "emory pressure for ", "wap used (", "' conditions met for cgroup ", "ailed with result 'oom-kill'.",
		"CUDA out of memory", "std::bad_alloc", "exitcode: -9", "[x] a|b", "(?<=y)$^", "100% {full} #1", `back\slash`, "  total=", "é – ü",
		"a", "RESOURCE_EXHAUSTED: Out of memory",
	}
	anchors = slices.DeleteFunc(anchors, func(s string) bool { return s == "a" }) // it would cover all others
	l := followJournal(t, "", anchors...)
	var want []string
	for _, anchor := range anchors {
		want = append(want, "xx "+anchor+" yy")
		say(t, "xx "+anchor+" yy", nil)
		say(t, strings.ToUpper(strings.ReplaceAll(anchor, " ", "_")), nil)
	}
	say(t, "end std::bad_alloc", nil)
	l.waitFor("the last", func() bool { return slices.Contains(l.seen(), "end std::bad_alloc") })
	got := l.seen()
	for _, text := range want {
		if !slices.Contains(got, text) {
			t.Errorf("%q was not found", text)
		}
	}
}

func TestMachineWithoutAJournalHasNoChild(t *testing.T) {
	folder := t.TempDir()
	source := systemd.JournalSource{Directory: folder}
	if source.Files() {
		t.Error("an empty folder is taken for a journal")
	}
	if err := os.MkdirAll(filepath.Join(folder, "0123"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "0123", "system.journal"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !source.Files() {
		t.Error("a journal is not found")
	}
}

func TestRealJournalGivesTheEntriesOfOneWriter(t *testing.T) {
	if !inPrivateRun(t) {
		return
	}
	mountRun(t)
	startJournald(t)
	for i := range 30 {
		say(t, fmt.Sprintf("mine %d", i), nil)
	}
	if output, err := exec.CommandContext(t.Context(), "logger", "another's").CombinedOutput(); err != nil {
		t.Fatalf("logger: %v: %s", err, output)
	}
	journalctl(t, "--sync")
	var writer systemd.Writer
	l := followJournal(t, "", "unused")
	_ = l
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		t.Fatal(err)
	}
	writer = systemd.Writer{BootID: strings.TrimSpace(string(boot)), PID: fmt.Sprint(os.Getpid())}
	var texts []string
	now := time.Now()
	err = systemd.JournalSource{}.Around(t.Context(), writer, now.Add(-time.Minute), now.Add(time.Minute), 10, func(rec *oomdoc.Record) {
		texts = append(texts, string(rec.Text))
	})
	if err != nil || len(texts) != 10 || texts[0] != "mine 20" || texts[9] != "mine 29" {
		t.Errorf("got %q, %v; want the last ten of this process", texts, err)
	}
}
