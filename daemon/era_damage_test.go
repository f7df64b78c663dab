package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// plain writes one text a line, as a file that dmesg was saved to.
func plain(texts []string) []byte {
	return perRecord(func(i int) string { return "[" + stamp(i) + "] " }, blanks)(texts)
}

// damaged are the worlds that the damage is done to.
func damaged(do func(name string, s *shape, w *world)) {
	pick := map[string][]int{
		"host": {2032, 4015, 6012}, "pod": {3010, 5010, 6008}, "slab": {6012}, "pieces": {4019, 6012}, "policy": {6012},
	}
	for _, s := range shapes() {
		for _, e := range eras() {
			if s.fits(&e) && slices.Contains(pick[s.name], e.at) {
				w := newWorld(e)
				s.make(w)
				do(fmt.Sprintf("%s/%d%s", s.name, e.at, e.vendor), &s, w)
			}
		}
	}
}

// honest holds what must be true of a report of which a part is missing: one
// incident at most, of this victim or of none, and of this cause or of none that
// claims another.
func honest(t *testing.T, what string, s *shape, w *world, got []oomdoc.Incident) {
	t.Helper()
	if len(got) != 1 {
		t.Errorf("%s: got %d incidents, want 1", what, len(got))
		return
	}
	inc := &got[0]
	if inc.Process != nil && inc.Process.PID != w.victim.pid {
		t.Errorf("%s: killed %d, want %d", what, inc.Process.PID, w.victim.pid)
	}
	allowed := []oomdoc.Cause{s.cause, oomdoc.CauseUndecided}
	if w.group == nil {
		allowed = append(allowed, oomdoc.CauseHostExhausted) // what the kill line says
	}
	if !slices.Contains(allowed, inc.Cause) {
		t.Errorf("%s: cause %s, want %s or none", what, inc.Cause, s.cause)
	}
	if inc.Cause != s.cause && inc.Confidence == oomdoc.Certain {
		t.Errorf("%s: certain of %s", what, inc.Cause)
	}
	if len(inc.Missing) == 0 {
		t.Errorf("%s: it does not say that something is missing", what)
	}
}

func TestAReportThatLostItsHead(t *testing.T) {
	damaged(func(name string, s *shape, w *world) {
		lines := w.lines()
		for cut := 1; cut < len(lines); cut++ {
			what := fmt.Sprintf("%s without the first %d of %d lines, from %.60q", name, cut, len(lines), lines[cut])
			for _, write := range []func([]string) []byte{kmsgForm, plain} {
				got := explained(t, write(lines[cut:]))
				honest(t, what, s, w, got)
				if len(got) == 1 && got[0].Process == nil {
					t.Errorf("%s: no process", what)
				}
			}
		}
	})
}

func TestAReportThatLostItsTail(t *testing.T) {
	damaged(func(name string, s *shape, w *world) {
		lines := w.lines()
		for left := 1; left < len(lines); left++ {
			what := fmt.Sprintf("%s with the first %d of %d lines, to %.60q", name, left, len(lines), lines[left-1])
			for _, write := range []func([]string) []byte{kmsgForm, plain} {
				honest(t, what, s, w, explained(t, write(lines[:left])))
			}
		}
	})
}

// A reader that was too slow misses records in the middle.
func TestAReportThatLostLinesInTheMiddle(t *testing.T) {
	damaged(func(name string, s *shape, w *world) {
		lines := w.lines()
		for from := 1; from < len(lines)-1; from++ {
			for _, size := range []int{1, 3, 9} {
				to := min(from+size, len(lines)-1)
				log := append(kmsgFrom(1000, lines[:from]), kmsgFrom(1000+to, lines[to:])...)
				honest(t, fmt.Sprintf("%s without lines %d to %d, from %.40q", name, from, to, lines[from]), s, w, explained(t, log))
			}
		}
	})
}

// A viewer or a mail cut each line at its width.
func TestAReportWithCutLines(t *testing.T) {
	damaged(func(name string, s *shape, w *world) {
		for _, width := range []int{72, 80, 100, 132, 160, 200} {
			var log strings.Builder
			for line := range strings.Lines(string(plain(w.lines()))) {
				line = strings.TrimSuffix(line, "\n")
				log.WriteString(line[:min(len(line), width)] + "\n")
			}
			got := explained(t, []byte(log.String()))
			if len(got) != 1 {
				t.Errorf("%s cut at %d: got %d incidents", name, width, len(got))
				continue
			}
			if got[0].Process != nil && got[0].Process.PID != w.victim.pid {
				t.Errorf("%s cut at %d: killed %d", name, width, got[0].Process.PID)
			}
			if w.group != nil && got[0].Cause != oomdoc.CauseCgroupLimit {
				t.Errorf("%s cut at %d: cause %s", name, width, got[0].Cause)
			}
		}
	})
}

// Lines of programs and of other drivers stand between those of a report.
func TestAReportWithOtherLinesBetween(t *testing.T) {
	others := []string{
		"usb 1-1: new high-speed USB device number 7 using xhci_hcd",
		"docker0: port 2(veth337f9d3) entered disabled state",
		"audit: type=1400 audit(1796097048.109:77): apparmor=\"DENIED\" operation=\"open\"",
		"EXT4-fs (sda1): re-mounted. Opts: (null)",
		"TCP: request_sock_TCP: Possible SYN flooding on port 8080. Sending cookies.",
		"",
	}
	damaged(func(name string, s *shape, w *world) {
		var mixed []string
		for i, line := range w.lines() {
			mixed = append(mixed, line, others[i%len(others)])
		}
		for form, write := range map[string]func([]string) []byte{"kmsg": kmsgForm, "dmesg": plain} {
			t.Run(name+"/"+form, func(t *testing.T) { w.check(t, s, explained(t, write(mixed))) })
		}
	})
}

// The same log twice in one file is the same kill.
func TestALogThatStandsTwiceInAFile(t *testing.T) {
	damaged(func(name string, s *shape, w *world) {
		for _, f := range forms() {
			log := f.write(w.lines())
			t.Run(name+"/"+f.name, func(t *testing.T) { w.check(t, s, explained(t, slices.Concat(log, log))) })
		}
	})
}

// Two kills, one after the other, are two; also where their lines mix and the
// kernel prints who wrote each.
func TestTwoReportsAreTwo(t *testing.T) {
	damaged(func(name string, s *shape, w *world) {
		second := newWorld(w.era)
		s.make(second)
		second.victim.pid, second.victim.name = 9120, "other"
		second.tasks[len(second.tasks)-1] = second.victim
		if second.group != nil {
			second.invoker = second.victim
		}
		want := []int{w.victim.pid, second.victim.pid}
		in := func(form string, log []byte) {
			got := explained(t, log)
			pids := make([]int, 0, 2)
			for i := range got {
				pids = append(pids, got[i].Process.PID)
				if got[i].Cause != s.cause {
					t.Errorf("%s, %s: incident %d is %s, want %s", name, form, i, got[i].Cause, s.cause)
				}
			}
			if !slices.Equal(pids, want) {
				t.Errorf("%s, %s: killed %v, want %v", name, form, pids, want)
			}
		}
		in("kmsg", append(kmsgForm(w.lines()), kmsgFrom(200_000, second.lines())...))
		in("dmesg", plain(append(w.lines(), second.lines()...)))
		if w.era.has(5001) {
			in("callers", interleaved(w.lines(), second.lines()))
		}
	})
}

// interleaved writes two reports line by line, with the task that printed each.
func interleaved(first, second []string) []byte {
	var log strings.Builder
	for i := range max(len(first), len(second)) {
		for task, lines := range [][]string{first, second} {
			if i < len(lines) {
				head := fmt.Sprintf("[%s][%5s] ", stamp(i), fmt.Sprintf("T%d", 812+task))
				log.WriteString(head + strings.ReplaceAll(lines[i], "\n", "\n"+blanks(head)) + "\n")
			}
		}
	}
	return []byte(log.String())
}
