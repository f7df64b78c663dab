package kmsg_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

func TestAKillIsToldAtItsLineAndOnceMoreAtTheEnd(t *testing.T) {
	parser := kmsg.NewParser(kmsg.ParserOptions{})
	var told []oomdoc.Event
	emit := func(e oomdoc.Event) { told = append(told, e) }
	texts := composed{comm: "hog", cgroup: "/a"}.lines()
	fed := 0
	eachRecord(t, raw(texts), func(rec *oomdoc.Record) {
		parser.Feed(rec, emit)
		fed++
		if want := fed == len(texts); want != (len(told) == 1) {
			t.Errorf("after record %d of %d: %d events told", fed, len(texts), len(told))
		}
	})
	if seq, open := parser.Oldest(); !open || seq != 1000 {
		t.Errorf("oldest: got %d, %t; want 1000, open", seq, open)
	}
	parser.Flush(emit)
	if len(told) != 2 || told[0].Revision != 0 || told[0].Final || told[1].Revision != 1 || !told[1].Final || told[0].ID != told[1].ID {
		t.Errorf("got %d tellings, want revision 0, then revision 1, final, of one id", len(told))
	}
	if _, open := parser.Oldest(); open {
		t.Error("a report is still open after the end")
	}
}

func TestAToldEventDoesNotChange(t *testing.T) {
	told := tell(t, readLog(t, "v24-v2-oom-group-7.2"), kmsg.ParserOptions{})
	first, last := told[0], told[len(told)-1]
	if len(first.Kernel.Kills) != 1 || first.Kernel.GroupPath != "" {
		t.Errorf("the first telling has %d kills and group %q, want 1 and none", len(first.Kernel.Kills), first.Kernel.GroupPath)
	}
	if len(last.Kernel.Kills) != 4 || last.Kernel.GroupPath != "/app.slice/web.service" {
		t.Errorf("the last telling has %d kills and group %q", len(last.Kernel.Kills), last.Kernel.GroupPath)
	}
}

// quietAfter feeds a whole report as read at one moment and gives the parser.
func quietAfter(t *testing.T, texts []string, read time.Time, emit func(oomdoc.Event)) *kmsg.Parser {
	t.Helper()
	parser := kmsg.NewParser(kmsg.ParserOptions{})
	eachRecord(t, raw(texts), func(rec *oomdoc.Record) {
		rec.Read = read
		parser.Feed(rec, emit)
	})
	return parser
}

func TestTwoQuietSecondsEndADecidedReport(t *testing.T) {
	read := time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC)
	var told []oomdoc.Event
	emit := func(e oomdoc.Event) { told = append(told, e) }
	parser := quietAfter(t, composed{comm: "hog", cgroup: "/a"}.lines(), read, emit)
	parser.Tick(read.Add(1900*time.Millisecond), emit)
	if len(told) != 1 {
		t.Errorf("told %d times before two seconds, want 1", len(told))
	}
	parser.Tick(read.Add(2*time.Second), emit)
	if len(told) != 2 || !told[1].Final {
		t.Errorf("told %d times after two seconds, want a final second", len(told))
	}
}

func TestATickTellsOfWhatWasAdded(t *testing.T) {
	read := time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC)
	var told []oomdoc.Event
	emit := func(e oomdoc.Event) { told = append(told, e) }
	parser := quietAfter(t, composed{comm: "hog", cgroup: "/a", group: true}.lines(), read, emit)
	parser.Tick(read.Add(time.Second), emit)
	parser.Tick(read.Add(1500*time.Millisecond), emit)
	if len(told) != 2 || told[1].Revision != 1 || told[1].Final || told[1].Kernel.GroupPath != "/a" {
		t.Errorf("told %d times, want the addition once", len(told))
	}
}

func TestALostEndIsToldAfterHalfAMinute(t *testing.T) {
	read := time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC)
	var told []oomdoc.Event
	emit := func(e oomdoc.Event) { told = append(told, e) }
	texts := composed{comm: "hog", cgroup: "/a"}.lines()
	parser := quietAfter(t, texts[:8], read, emit)
	parser.Tick(read.Add(29*time.Second), emit)
	if len(told) != 0 {
		t.Errorf("told %d times while the report may go on", len(told))
	}
	parser.Tick(read.Add(30*time.Second), emit)
	if len(told) != 1 || !told[0].Final || len(told[0].Kernel.Kills) != 0 || told[0].ID == "" {
		t.Errorf("told %d times, want one final event without a kill", len(told))
	}
}

func TestWhatNeverBecomesAReportIsForgotten(t *testing.T) {
	log := raw([]string{"sysrq: Show Memory", "Mem-Info:", "active_anon:1 inactive_anon:2 isolated_anon:0", "Node 0 DMA free:4kB min:1kB low:1kB high:1kB"})
	if got := events(t, log); len(got) != 0 {
		t.Errorf("got %d events for memory that a person asked to see", len(got))
	}
}

func TestABareKillLineIsAnEvent(t *testing.T) {
	kill := composed{comm: "hog", cgroup: "/a"}.lines()[16]
	got := only(t, raw([]string{"one", kill, "two"}))
	if got.Kernel.Suppressed || got.Kernel.Trigger != nil || got.Kernel.Kills[0].PID != 4711 || !got.Kernel.Kills[0].Memcg {
		t.Errorf("got suppressed %t, header %v, kill %+v", got.Kernel.Suppressed, got.Kernel.Trigger, got.Kernel.Kills[0])
	}
}

func TestKillsBeyondTheRateLimitAreMarked(t *testing.T) {
	list := events(t, readLog(t, "r20-ratelimited-headers"))
	var suppressed []int
	for i, e := range list {
		if e.Kernel.Suppressed {
			suppressed = append(suppressed, i)
		}
	}
	if want := []int{10, 11, 12, 13, 14, 15}; !slices.Equal(suppressed, want) {
		t.Errorf("suppressed: got %v, want %v", suppressed, want)
	}
}

func TestDifferentKillsHaveDifferentIDs(t *testing.T) {
	seen := make(map[string]string)
	for _, name := range []string{"r20-ratelimited-headers", "v19-fork-bomb-6.12", "r04-memcg-v1-many-small", "r01-memcg-v1-anon", "v23-v2-oom-group-6.1"} {
		for i, e := range kills(events(t, readLog(t, name))) {
			where := fmt.Sprintf("%s, kill %d", name, i)
			if other, double := seen[e.ID]; double {
				t.Errorf("%s has the id of %s: %s", where, other, e.ID)
			}
			seen[e.ID] = where
			if len(e.ID) != 10 || strings.Trim(e.ID, "0123456789abcdefghjkmnpqrstvwxyz") != "" {
				t.Errorf("%s: id %q is not ten characters of base 32", where, e.ID)
			}
		}
	}
}

func TestOneKillHasOneIDInEveryForm(t *testing.T) {
	want := only(t, readLog(t, "r32a-forms-kmsg")).ID
	for _, name := range []string{"r32b-forms-dmesg", "r32c-forms-dmesg-x", "r32e-forms-dmesg-J", "r32f-forms-journalctl-short"} {
		if got := only(t, readLog(t, name)).ID; got != want {
			t.Errorf("%s: id %s, in raw form %s", name, got, want)
		}
	}
}

func TestAMissingPartOfAReportIsCounted(t *testing.T) {
	got := only(t, readLog(t, "b34-epipe-gap-in-the-middle"))
	if got.Kernel.Lost != 32 {
		t.Errorf("lost: got %d, want 32 (sequences 382 to 413)", got.Kernel.Lost)
	}
}

func TestASecondBootEndsTheReportsOfTheFirst(t *testing.T) {
	texts := composed{comm: "hog", cgroup: "/a"}.lines()
	log := append(rawFrom(900_000_000, texts[:8]), rawFrom(1000, composed{comm: "other", cgroup: "/b", pid: 12}.lines())...)
	got := events(t, log)
	if len(got) != 2 || len(got[0].Kernel.Kills) != 0 || got[1].Kernel.Trigger.Comm != "other" {
		t.Fatalf("got %d events, want one without its end and one kill", len(got))
	}
}

func TestAGroupKillIsOneEvent(t *testing.T) {
	got := only(t, readLog(t, "v24-v2-oom-group-7.2"))
	var pids []int
	for _, kill := range got.Kernel.Kills {
		pids = append(pids, kill.PID)
	}
	if want := []int{140, 125, 126, 140}; !slices.Equal(pids, want) {
		t.Errorf("kill lines: got %v, want %v", pids, want)
	}
}

// The first victim may stand a second time before the others, and a slow console
// holds the kernel up between lines: an emulated machine took 58 ms there.
func TestASlowConsoleLosesNoMemberOfAGroup(t *testing.T) {
	log := string(readLog(t, "v24-v2-oom-group-7.2"))
	for from, to := range map[string]string{
		"3,492,5990743": "3,490,5990536", // the repeat comes first
		"3,490,5990536": "3,491,6048728",
		"3,491,5990602": "3,492,6248728",
	} {
		if !strings.Contains(log, from) {
			t.Fatalf("the log has no line %s", from)
		}
		log = strings.Replace(log, from, "moved "+to, 1)
	}
	lines := strings.SplitAfter(strings.ReplaceAll(log, "moved ", ""), "\n")
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(sequence(a), sequence(b)) })
	var pids []int
	for _, kill := range only(t, []byte(strings.Join(lines, ""))).Kernel.Kills {
		pids = append(pids, kill.PID)
	}
	if want := []int{140, 140, 125, 126}; !slices.Equal(pids, want) {
		t.Errorf("kill lines: got %v, want %v", pids, want)
	}
}

// sequence is the second field of a raw line; what has none stays at the end.
func sequence(line string) int {
	fields := strings.SplitN(line, ",", 3)
	if len(fields) < 3 {
		return math.MaxInt
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil {
		return math.MaxInt
	}
	return n
}

func TestAKillAfterAGroupIsItsOwnEvent(t *testing.T) {
	first := composed{comm: "hog", cgroup: "/a", group: true}.lines()
	next := composed{comm: "next", cgroup: "/b", pid: 5}.lines()[16]
	log := append(rawFrom(1000, first), rawFrom(60_000, []string{next})...)
	if got := events(t, log); len(got) != 2 {
		t.Errorf("got %d events, want 2: the second kill came 0.6 s after the group's", len(got))
	}
}

func TestAManualKillNamesTheKey(t *testing.T) {
	texts := composed{comm: "hog", cgroup: "/", global: true}.lines()
	texts[0] = "kworker/1:2 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=-1, oom_score_adj=0"
	got := only(t, raw(append([]string{"sysrq: Manual OOM execution"}, texts...)))
	if got.Kernel.Manual != "sysrq: Manual OOM execution" || got.Kernel.Trigger.Order != -1 {
		t.Errorf("got key line %q, order %d", got.Kernel.Manual, got.Kernel.Trigger.Order)
	}
}

func TestAWrongFragmentFlagLosesNothing(t *testing.T) {
	log := strings.Replace(string(raw(composed{comm: "evil", cgroup: "/a"}.lines())), ",-;", ",c;", 1)
	if got := only(t, []byte(log)); got.Kernel.Trigger == nil || got.Kernel.Trigger.Comm != "evil" {
		t.Errorf("the header with flag c is missing: %+v", got.Kernel.Trigger)
	}
}

func TestALineSplitOverRecordsIsJoined(t *testing.T) {
	got := only(t, readLog(t, "r22-path-over-record-limit")).Kernel
	if !got.Summary.HasTask || got.Summary.PID != 26459 || got.Summary.Task != "deeper-hog" || !got.Summary.Truncated {
		t.Errorf("summary: %t %d %q, truncated %t", got.Summary.HasTask, got.Summary.PID, got.Summary.Task, got.Summary.Truncated)
	}
	if !strings.HasPrefix(got.Memcg.StatsOf, "/kc-deep/level00-") || got.Memcg.StatsOf != got.Summary.OOMMemcg || got.Memcg.Stats["rss"] != 25112576 {
		t.Errorf("statistics of %.40q with rss %d", got.Memcg.StatsOf, got.Memcg.Stats["rss"])
	}
}

func TestReportsWithoutAVictimAreToldEach(t *testing.T) {
	list := events(t, readLog(t, "v28-v2-no-killable-flood-6.12"))
	found := 0
	for _, e := range list {
		if e.Kind == oomdoc.EventNoVictim && e.Kernel.NoVictim && e.Kernel.Trigger.Comm == "immortal" {
			found++
		}
	}
	if found != 4 || len(list) != 5 {
		t.Errorf("got %d reports without a victim of %d events, want 4 of 5 (the last has no end)", found, len(list))
	}
}

func TestAPanicIsTold(t *testing.T) {
	got := only(t, readLog(t, "v35-panic-on-oom-console-6.1"))
	want := "Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled"
	if got.Kernel.Panic != want || got.Kind != oomdoc.EventNoVictim {
		t.Errorf("got %q of kind %s", got.Kernel.Panic, got.Kind)
	}
}
