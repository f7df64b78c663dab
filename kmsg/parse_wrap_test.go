package kmsg_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/record"
)

// wrappedReport has the lines of a report that are long enough to be cut.
func wrappedReport() []string {
	return []string{
		"[  811.000001] sunrise-sync invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO), order=0, oom_score_adj=0",
		"[  811.000002] CPU: 1 PID: 4101 Comm: sunrise-sync Not tainted 5.15.0-9-generic #9",
		"[  811.000003] Mem-Info:",
		"[  811.000004] active_anon:1400 inactive_anon:120000 isolated_anon:0",
		"[  811.000005] Node 0 DMA32 free:5676kB min:5660kB low:7072kB high:8488kB active_anon:1493496kB inactive_anon:322916kB unevictable:0kB present:2019172kB managed:1990000kB mlocked:0kB free_cma:0kB",
		"[  811.000006] lowmem_reserve[]: 0 0 0 0",
		"[  811.000007] Node 0 DMA32: 397*4kB (UM) 1*8kB (U) 1*16kB (U) 1*32kB (U) 1*64kB (U) 1*128kB (U) 1*256kB (U) 1*512kB (U) 1*1024kB (U) 1*2048kB (U) 0*4096kB = 5676kB",
		"[  811.000008] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/user.slice/user-1004.slice/session-77.scope,task=sunrise-sync,pid=4100,uid=1004",
		"[  811.000009] Out of memory: Killed process 4100 (sunrise-sync) total-vm:1241804kB, anon-rss:814720kB, file-rss:4kB, shmem-rss:1916kB, UID:1004 pgtables:108kB oom_score_adj:0",
	}
}

// wrapWords cuts at blanks, as mailers do; a word that is too long stands alone.
func wrapWords(line string, width int) string {
	var out []string
	row := ""
	for word := range strings.SplitSeq(line, " ") {
		if row != "" && len(row)+1+len(word) > width {
			out = append(out, row)
			row = word
			continue
		}
		row += map[bool]string{true: " "}[row != ""] + word
	}
	return strings.Join(append(out, row), "\n")
}

// wrapHard cuts anywhere, as terminals do.
func wrapHard(line string, width int) string {
	var out []string
	for len(line) > width {
		out = append(out, line[:width])
		line = line[width:]
	}
	return strings.Join(append(out, line), "\n")
}

func TestAReportThatWasCutIntoShortLinesIsWhole(t *testing.T) {
	want := pasted(t, strings.Join(wrappedReport(), "\n")+"\n")
	for name, wrap := range map[string]func(string) string{
		"mailer at 72":   func(line string) string { return wrapWords(line, 72) },
		"mailer at 64":   func(line string) string { return wrapWords(line, 64) },
		"terminal of 80": func(line string) string { return wrapHard(line, 80) },
		"terminal of 100": func(line string) string {
			return wrapHard(line, 100)
		},
	} {
		var log strings.Builder
		for _, line := range wrappedReport() {
			log.WriteString(wrap(line) + "\n")
		}
		got := pasted(t, log.String())
		if diff := cmp.Diff(essence(want), essence(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// pasted reads the one report of a log that a person names.
func pasted(t *testing.T, log string) *oomdoc.KernelReport {
	t.Helper()
	decoder := record.NewDecoder(strings.NewReader(log), record.Options{Nested: true})
	parser := kmsg.NewParser(kmsg.ParserOptions{})
	last := map[string]oomdoc.Event{}
	keep := func(e oomdoc.Event) { last[e.ID] = e }
	var rec oomdoc.Record
	for decoder.Next(&rec) == nil {
		parser.Feed(&rec, keep)
	}
	parser.Flush(keep)
	for _, e := range last {
		if len(last) == 1 && e.Kernel.Summary != nil && len(e.Kernel.Kills) == 1 && e.Kernel.Memory != nil {
			return e.Kernel
		}
	}
	t.Fatalf("%d events of\n%s", len(last), log)
	return nil
}

// essence is what a report says, without the lines that it says it in.
func essence(k *oomdoc.KernelReport) map[string]any {
	zone := k.Memory.Zones[0]
	kill := k.Kills[0]
	return map[string]any{
		"comm": k.Trigger.Comm, "mask": k.Trigger.GFPMask, "order": k.Trigger.Order,
		"zones": len(k.Memory.Zones), "zone": zone.Bytes, "buddy": zone.Buddy, "counters": k.Memory.Counters,
		"task": k.Summary.TaskMemcg, "constraint": k.Summary.Constraint, "pid": kill.PID, "name": kill.Comm,
		"rss": *kill.RSS(), "uid": *kill.UID, "adj": *kill.OOMScoreAdj,
	}
}

func TestADoubledLogTellsOfEachKillOnce(t *testing.T) {
	once := wrappedReport()
	var twice []string
	for _, line := range once {
		twice = append(twice, line, line)
	}
	got := only(t, []byte(strings.Join(twice, "\n")+"\n")).Kernel
	if len(got.Kills) != 1 || len(got.Memory.Zones) != 1 {
		t.Errorf("%d kills, %d zones; want one of each", len(got.Kills), len(got.Memory.Zones))
	}
	// The same process name and line at another time is another kill.
	later := strings.ReplaceAll(strings.Join(once, "\n"), "[  811.", "[ 1811.")
	if n := len(events(t, []byte(strings.Join(once, "\n")+"\n"+later+"\n"))); n != 2 {
		t.Errorf("%d events, want 2", n)
	}
}

func TestALineOfAnotherProgramIsNoRestOfAReport(t *testing.T) {
	lines := wrappedReport()
	log := strings.Join(lines[:5], "\n") + "\nfree:1kB min:9999999kB high:9999999kB\n" + strings.Join(lines[5:], "\n") + "\n"
	log = strings.ReplaceAll(log, "\nfree:1kB", "\nDec  1 01:43:39 h app[7]: free:1kB")
	if got := only(t, []byte(log)).Kernel.Memory.Zones[0].Bytes["min"]; got != 5660<<10 {
		t.Errorf("the minimum is %d", got)
	}
}
