package main_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const smallLimit = 8 << 20

// bothReaders runs a test with our own reader and with go-kmsg-parser.
func bothReaders(t *testing.T, test func(t *testing.T, reader string)) {
	for _, reader := range []string{"own", "go-kmsg-parser"} {
		t.Run(reader, func(t *testing.T) { test(t, reader) })
	}
}

func TestRealKillIsStoredWithItsFacts(t *testing.T) {
	bothReaders(t, func(t *testing.T, reader string) {
		m := newMachine(t, reader)
		m.start()
		box := newBox(t, smallLimit)
		pid := box.reported("small hog")
		m.waitFor("the incident", func() bool { return len(of(m.incidents(), box)) == 1 })

		got := of(m.incidents(), box)[0]
		if got.Class != "host-ram" || got.Cause != "cgroup-limit" || got.Outcome != "killed" || got.Killer != "kernel" || got.Confidence != "certain" {
			t.Errorf("verdict=%s/%s/%s/%s/%s, want host-ram/cgroup-limit/killed/kernel/certain", got.Class, got.Cause, got.Outcome, got.Killer, got.Confidence)
		}
		if got.Process == nil || got.Process.PID != pid || got.Process.Name == nil || *got.Process.Name != "small hog" {
			t.Errorf("process=%+v, want pid %d named \"small hog\"", got.Process, pid)
		}
		if got.Memory == nil || got.Memory.LimitBytes == nil || *got.Memory.LimitBytes != smallLimit {
			t.Errorf("memory=%+v, want a limit of %d", got.Memory, smallLimit)
		}
		if age := time.Since(got.Time); age < 0 || age > time.Minute {
			t.Errorf("time=%s is %s ago, want just now", got.Time, age)
		}
		if len(got.Fixes) == 0 || got.Fixes[0].Number != 8 || !strings.Contains(fmt.Sprint(got.Fixes[0].Steps), box.path) {
			t.Errorf("fixes=%+v, want first the host's, naming %s", got.Fixes, box.path)
		}
	})
}

func TestHostileNamesChangeNoOtherField(t *testing.T) {
	names := []struct{ comm, want string }{
		{"a (b) c) x", "a (b) c) x"},
		{"nl\nx,pid=1,", "nl\nx,pid=1,"},
		{"),total-vm:1kB", "),total-vm:1kB"},
		{"\x80\xffbad\xc3", "\ufffdbad\ufffd"},
		{"\u009b31m\u202eok", "\u009b31m\u202eok"},
		{"x,task=y,uid=0", "x,task=y,uid=0"},
		{"\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"},
		{"tab\tbell\a\\x41", "tab\tbell\a\\x41"},
		{"Killed process", "Killed process"},
		{"", ""},
	}
	bothReaders(t, func(t *testing.T, reader string) {
		m := newMachine(t, reader)
		m.start()
		for _, name := range names {
			box := newBox(t, smallLimit)
			pid := box.reported(name.comm)
			m.waitFor(fmt.Sprintf("the kill of %q", name.comm), func() bool { return len(of(m.incidents(), box)) == 1 })
			got := of(m.incidents(), box)[0]
			if got.Process.PID != pid || got.Process.Name == nil || *got.Process.Name != name.want {
				t.Errorf("process=%+v named %q, want %d %q", got.Process, *got.Process.Name, pid, name.want)
			}
			if *got.Process.UID != 0 || got.Kernel.TaskCgroup != box.path || *got.Memory.LimitBytes != smallLimit {
				t.Errorf("%q: uid=%d cgroup=%s limit=%d, want 0 %s %d", name.comm, *got.Process.UID, got.Kernel.TaskCgroup, *got.Memory.LimitBytes, box.path, smallLimit)
			}
			for _, command := range [][]string{{"last"}, {"show", got.ID}, {"list"}} {
				stdout, _, _ := m.run(command...)
				if at := strings.IndexFunc(stdout, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }); at >= 0 {
					t.Errorf("%v of %q prints the control character %q", command, name.comm, stdout[at])
				}
			}
		}
	})
}

// A cgroup's name can be anything but a line break and a slash.
func TestHostileCgroupNamesChangeNoOtherField(t *testing.T) {
	names := []string{
		"a b,task=x,pid=1,uid=7",
		",task_memcg=-,oom_memcg=-",
		": Killed process 1 (x) total-vm:1kB",
		"\x1b[31m oom-kill:constraint=CONSTRAINT_NONE",
	}
	bothReaders(t, func(t *testing.T, reader string) {
		m := newMachine(t, reader)
		m.start()
		for i, name := range names {
			box := newBoxNamed(t, fmt.Sprintf("oomdoc-test-%d-%s%d%s", os.Getpid(), reader, i, name), smallLimit)
			pid := box.reported("plain")
			m.waitFor(fmt.Sprintf("the kill in %q", name), func() bool { return len(of(m.incidents(), box)) == 1 })
			got := of(m.incidents(), box)[0]
			if got.Process.PID != pid || *got.Process.Name != "plain" || *got.Process.UID != 0 || got.Kernel.TaskCgroup != box.path ||
				got.Kernel.Constraint != "CONSTRAINT_MEMCG" || *got.Memory.LimitBytes != smallLimit {
				t.Errorf("in %q: process %+v kernel %+v memory %+v", name, got.Process, got.Kernel, got.Memory)
			}
			if stdout, _, _ := m.run("show", got.ID); strings.ContainsRune(stdout, '\x1b') {
				t.Errorf("the terminal receives an escape for %q", name)
			}
		}
	})
}

// A name that begins with SOH and a digit changes the level of its lines, and
// two bytes vanish (knowledge: the SOH trick). Only our own reader sees the
// flags that this needs.
func TestNameWithSOHIsStillAKill(t *testing.T) {
	m := newMachine(t, "own")
	m.start()
	for _, comm := range []string{"\x010evil", "\x01cevil"} {
		box := newBox(t, smallLimit)
		pid := box.reported(comm)
		m.waitFor(fmt.Sprintf("the kill of %q", comm), func() bool { return len(of(m.incidents(), box)) == 1 })
		if got := of(m.incidents(), box)[0]; got.Process.PID != pid {
			t.Errorf("%q: pid=%d, want %d", comm, got.Process.PID, pid)
		}
	}
}

func TestTwentyKillsSurviveKill9(t *testing.T) {
	bothReaders(t, func(t *testing.T, reader string) {
		m := newMachine(t, reader)
		m.start()
		box := newBox(t, smallLimit)
		var pids []int
		for i := range 20 {
			if i%5 == 4 {
				m.kill9()
			}
			pids = append(pids, box.hog(fmt.Sprintf("hog-%02d", i)))
			if i%5 == 4 {
				m.start()
			}
			if i == 11 {
				// Right into the moment of the kill.
				m.kill9()
				m.start()
			}
		}
		if got := box.kernelKills(); got != 20 {
			t.Fatalf("the kernel counts %d kills, want 20", got)
		}
		count := func() int { return len(pidsOf(m, pids)) }
		m.waitFor("20 incidents", func() bool { return count() >= 20 })
		time.Sleep(3 * time.Second) // let reports close: an amendment must not become a second row
		m.kill9()
		m.start()
		// One more kill shows that what was read again has been read past.
		pids = append(pids, box.hog("hog-20"))
		m.waitFor("the kill after the replay", func() bool { return slices.Contains(pidsOf(m, pids), pids[20]) })
		if got := count(); got != 21 {
			t.Errorf("stored %d incidents for 21 kills", got)
		}
		// Kills right after each other may change places: the time of one that was
		// read again is worked out, not taken.
		if got, want := slices.Sorted(slices.Values(pidsOf(m, pids))), slices.Sorted(slices.Values(pids)); !slices.Equal(got, want) {
			t.Errorf("pids=%v, want %v", got, want)
		}
	})
}

// pidsOf gives the pids of the stored incidents that are among pids, in order.
func pidsOf(m *machine, pids []int) []int {
	m.t.Helper()
	wanted := make(map[int]bool)
	for _, pid := range pids {
		wanted[pid] = true
	}
	var found []int
	for _, incident := range m.incidents("--all") {
		if incident.Process != nil && wanted[incident.Process.PID] && incident.Process.Name != nil && strings.HasPrefix(*incident.Process.Name, "hog-") {
			found = append(found, incident.Process.PID)
		}
	}
	return found
}

func TestForgedKillIsIgnored(t *testing.T) {
	bothReaders(t, func(t *testing.T, reader string) {
		m := newMachine(t, reader)
		m.start()
		const pid = 3999999 // over any pid that this machine has handed out
		for _, line := range []string{
			"<4>forged invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n",
			"<6>oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/forged,task_memcg=/forged,task=forged,pid=3999999,uid=0\n",
			"<3>Memory cgroup out of memory: Killed process 3999999 (forged) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:4kB oom_score_adj:0\n",
		} {
			writeKmsg(t, line)
		}
		// A real kill after it shows that the daemon has read past the forgery.
		box := newBox(t, smallLimit)
		box.reported("real")
		m.waitFor("the real kill", func() bool { return len(of(m.incidents(), box)) == 1 })
		for _, incident := range m.incidents("--all") {
			if incident.Process != nil && incident.Process.PID == pid {
				t.Errorf("a line that user space wrote became incident %s", incident.ID)
			}
		}
	})
}

func TestOverrunWhileStoppedIsCountedExactly(t *testing.T) {
	bothReaders(t, func(t *testing.T, reader string) {
		m := newMachine(t, reader)
		m.start()
		seen := newestSeq(t)
		m.waitFor("the daemon to catch up", func() bool { return m.state().Kmsg.LastSeq >= seen })
		before := m.state().Kmsg
		if err := m.command.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		newest := newestSeq(t)
		overrunRing(t, newest)
		oldest := oldestSeq(t)
		box := newBox(t, smallLimit)
		pid := box.hog("hog-after")
		latestOldest := oldestSeq(t)
		if err := m.command.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		m.waitFor("the kill after the overrun", func() bool { return len(pidsOf(m, []int{pid})) == 1 })
		m.waitFor("the state to be written", func() bool { return m.state().Kmsg.LostRing > before.LostRing })
		// What was read last before the stop may be up to newest.
		lost := m.state().Kmsg.LostRing - before.LostRing
		least, most := oldest-newest-1, latestOldest-before.LastSeq-1
		if lost < least || lost > most {
			t.Errorf("lost=%d, want %d to %d", lost, least, most)
		}
		if most-least > 200 {
			t.Fatalf("the machine logs too much for an exact check: %d to %d", least, most)
		}
		stdout, _, _ := m.run("status")
		if !strings.Contains(stdout, strconv.FormatUint(lost, 10)) {
			t.Errorf("status does not tell the %d lost records:\n%s", lost, stdout)
		}
	})
}

// overrunRing writes until the record after seq is gone.
func overrunRing(t *testing.T, seq uint64) {
	t.Helper()
	line := "<6>" + strings.Repeat("a flood of ordinary lines ", 8) + "\n"
	for round := range 200 {
		for range 500 {
			writeKmsg(t, line)
		}
		if oldestSeq(t) > seq+1000 {
			return
		}
		if round == 199 {
			t.Fatal("the ring did not overrun")
		}
	}
}

func oldestSeq(t *testing.T) uint64 {
	t.Helper()
	return readSeqs(t, true)
}

func newestSeq(t *testing.T) uint64 {
	t.Helper()
	return readSeqs(t, false)
}

// readSeqs reads the ring by itself, without any code of ours, and gives its
// first or last sequence number.
func readSeqs(t *testing.T, first bool) uint64 {
	t.Helper()
	fd, err := unix.Open("/dev/kmsg", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	var seq uint64
	buffer := make([]byte, 8192)
	for {
		n, err := unix.Read(fd, buffer)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return seq
		case errors.Is(err, unix.EPIPE):
			continue
		case err != nil:
			t.Fatal(err)
		}
		fields := strings.SplitN(string(buffer[:n]), ",", 3)
		if seq, err = strconv.ParseUint(fields[1], 10, 64); err != nil {
			t.Fatal(err)
		}
		if first {
			return seq
		}
	}
}

func TestFullDiskLosesNothing(t *testing.T) {
	m := newMachine(t, "own")
	if err := unix.Mount("tmpfs", m.folder, "tmpfs", 0, "size=32m"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Unmount(m.folder, unix.MNT_DETACH) })
	t.Cleanup(m.stop)
	m.start()
	box := newBox(t, smallLimit)
	pids := []int{box.hog("hog-before")}
	m.waitFor("the first kill", func() bool { return len(pidsOf(m, pids)) == 1 })

	filler := m.folder + "/filler"
	fill(t, filler)
	for i := range 5 {
		pids = append(pids, box.hog(fmt.Sprintf("hog-full-%d", i)))
	}
	m.waitFor("the daemon to notice", func() bool {
		return strings.Contains(m.output.String(), "no space left") || strings.Contains(m.output.String(), "full")
	})
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	m.waitFor("all six kills", func() bool { return len(pidsOf(m, pids)) == 6 })
	if stdout, _, status := m.run("show", "zzzzzzzzzz", "-o", "json"); status != 3 || !strings.Contains(stdout, `"incidents": []`) {
		t.Errorf("show of an unknown id: status %d, %q; want 3 and the empty object", status, stdout)
	}
}

// A service that is started while the disk is full watches all the same, tells
// of the kill, and stores it once there is room; by hand it says why and ends.
func TestServiceStartsOnAFullDisk(t *testing.T) {
	bothReaders(t, func(t *testing.T, reader string) {
		m := newMachine(t, reader)
		if err := unix.Mount("tmpfs", m.folder, "tmpfs", 0, "size=32m"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Unmount(m.folder, unix.MNT_DETACH) })
		t.Cleanup(m.stop)
		filler := m.folder + "/filler"
		fill(t, filler)
		if _, stderr, status := m.run("daemon"); status != 1 || !strings.Contains(stderr, "no space left") || !strings.Contains(stderr, "Try: make room") {
			t.Errorf("by hand: status %d, %q; want 1 and what to do", status, stderr)
		}
		m.service = true
		m.launch()
		m.waitFor("the complaint", func() bool { return strings.Contains(m.output.String(), "cannot be written") })
		pids := []int{newBox(t, smallLimit).hog("hog-full")}
		m.waitFor("the alert", func() bool { return strings.Contains(m.output.String(), fmt.Sprintf("pid %d", pids[0])) })
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		m.waitFor("the kill in the database", func() bool { return len(pidsOf(m, pids)) == 1 })
		m.stop()
		m.launch()
		pids = append(pids, newBox(t, smallLimit).hog("hog-then"))
		m.waitFor("the kill after a restart", func() bool { return len(pidsOf(m, pids)) == 2 })
		if told := strings.Count(m.output.String(), fmt.Sprintf("pid %d", pids[0])); told != 0 {
			t.Errorf("the restart told the first kill again:\n%s", m.output)
		}
	})
}

// fill takes all the room of a file system.
func fill(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	block := make([]byte, 4096)
	for {
		if _, err := file.Write(block); err != nil {
			return
		}
	}
}

func TestSelftestPassesEveryStation(t *testing.T) {
	t.Run("with a daemon", func(t *testing.T) {
		m := newMachine(t, "own")
		m.start()
		begun := time.Now().Add(-time.Second) // the ring may hold self-tests of earlier runs
		checkSelftest(t, m)
		if got := m.incidents(); len(got) != 0 && got[len(got)-1].Selftest {
			t.Errorf("list shows the self-test %s without --all", got[len(got)-1].ID)
		}
		var marked int
		for _, incident := range m.incidents("--all") {
			if incident.Selftest && incident.Time.After(begun) {
				marked++
			}
		}
		if marked != 1 {
			t.Errorf("list --all shows %d self-tests, want 1", marked)
		}
	})
	t.Run("without a daemon", func(t *testing.T) { checkSelftest(t, newMachine(t, "own")) })
}

func checkSelftest(t *testing.T, m *machine) {
	t.Helper()
	waitForReport()
	reports = append(reports, time.Now())
	stdout, stderr, status := m.run("selftest")
	if status != 0 {
		t.Fatalf("selftest: status %d\n%s%s", status, stdout, stderr)
	}
	for _, name := range []string{"daemon", "cgroup", "hog", "read", "stored", "alert", "verdict"} {
		if !strings.Contains(stdout, " "+name+" ") {
			t.Errorf("selftest does not show the station %q:\n%s", name, stdout)
		}
	}
	for line := range strings.Lines(stdout) {
		if len([]rune(line)) > 81 {
			t.Errorf("selftest prints more than 80 columns: %s", line)
		}
	}
	kept := strings.Contains(stdout, "last --all")
	if watched := m.command != nil; kept != watched {
		t.Errorf("selftest offers to look at the kill: %t, a daemon keeps it: %t\n%s", kept, watched, stdout)
	}
	left, err := os.ReadDir("/sys/fs/cgroup/memory")
	if err == nil {
		for _, entry := range left {
			if strings.HasPrefix(entry.Name(), "oomdoc-selftest-") {
				t.Errorf("selftest left the cgroup %s behind", entry.Name())
			}
		}
	}
}
