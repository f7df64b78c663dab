package applog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
)

func TestOneDecisionIsOneEvent(t *testing.T) {
	for name, test := range map[string]struct {
		log  string
		want int
	}{
		"SIGTERM, later SIGKILL of the same process": {
			"Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 7481 uid 1000 \"Web\": badness 12, VmRSS 2 MiB\n" +
				"Jan 10 09:00:10 n earlyoom[512]: sending SIGKILL to process 7481 uid 1000 \"Web\": badness 12, VmRSS 2 MiB\n", 1,
		},
		"two processes": {
			"Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 7481 uid 1000 \"Web\": badness 12, VmRSS 2 MiB\n" +
				"Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 7482 uid 1000 \"Web\": badness 12, VmRSS 2 MiB\n", 2,
		},
		"the same pid an hour later": {
			"Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 7481 uid 1000 \"Web\": badness 12, VmRSS 2 MiB\n" +
				"Jan 10 10:00:00 n earlyoom[512]: sending SIGTERM to process 7481 uid 1000 \"Web\": badness 13, VmRSS 3 MiB\n", 2,
		},
		"two pods": {
			`I0601 12:00:00.1 1201 eviction_manager.go:366] "Eviction manager: must evict pod(s) to reclaim" resourceName="memory"` + "\n" +
				`I0601 12:00:00.3 1201 eviction_manager.go:595] "Eviction manager: pod is evicted successfully" pod="shop/a"` + "\n" +
				`I0601 12:00:09.3 1201 eviction_manager.go:595] "Eviction manager: pod is evicted successfully" pod="shop/b"` + "\n", 2,
		},
		"driver and raylet tell of one task": {
			strings.Repeat("Memory on the node (IP: 10.0.0.5, ID: 90ef) where the task (task ID: a6, name=t, pid=91085, memory used=24.99GB) was running was 32.62GB / 34.00GB (0.959), which exceeds the memory usage threshold of 0.95.\n", 3), 1,
		},
		"the kubelet tells twice": {
			strings.Repeat("  Warning  SystemOOM  kubelet, n  System OOM encountered, victim process: vector, pid: 3052236\n", 2), 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := len(events(t, test.log)); got != test.want {
				t.Errorf("got %d events, want %d", got, test.want)
			}
		})
	}
}

// The last signal is the one that counts: it tells whether the process was asked
// to end or was ended.
func TestALaterSignalReplacesTheFirst(t *testing.T) {
	log := "Jan 10 09:00:00 n earlyoom[512]: " + sending + "\n" +
		"Jan 10 09:00:10 n earlyoom[512]: " + strings.Replace(sending, "SIGTERM", "SIGKILL", 1) + "\n"
	if got := decision(t, log); got.Signal != "SIGKILL" {
		t.Errorf("got %s", got.Signal)
	}
}

// The id is that of the content, whatever form the log has.
func TestTheSameDecisionHasOneIDInEveryForm(t *testing.T) {
	var first string
	for _, log := range []string{
		"Jan 10 09:00:00 n earlyoom[512]: " + sending + "\n",
		"2026-01-10T09:00:00.123456+00:00 n earlyoom[512]: " + sending + "\n",
		entry("MESSAGE", sending, "SYSLOG_IDENTIFIER", "earlyoom", "_TRANSPORT", "stdout", "_SYSTEMD_UNIT", "earlyoom.service"),
		sending + "\n",
	} {
		list := events(t, log)
		if len(list) != 1 {
			t.Fatalf("got %d events in %q", len(list), log)
		}
		if first == "" {
			first = list[0].ID
		}
		if list[0].ID != first {
			t.Errorf("got id %s, want %s in %q", list[0].ID, first, log)
		}
	}
}

// Secrets of a command line never stand in what is kept for show.
func TestNoCommandLineIsKeptForShow(t *testing.T) {
	log := `Jan 10 09:00:00 n earlyoom[512]: sending SIGTERM to process 7481 uid 1000 "x": oom_score 12, VmRSS 2 MiB, cmdline "/x --api-key hunter2"` + "\n"
	list := events(t, log)
	if len(list) != 1 {
		t.Fatalf("got %d events", len(list))
	}
	kill := list[0].UserKill
	for _, shown := range append(list[0].Records, kill.Line, kill.LimitLine, kill.StateLine) {
		if strings.Contains(shown, "hunter2") {
			t.Errorf("kept for show: %s", shown)
		}
	}
	if !strings.Contains(kill.Cmdline, "hunter2") {
		t.Errorf("the command line is lost, got %q", kill.Cmdline)
	}
}

// In a live log only the clock tells that nothing follows.
func TestTickTellsAndClosesWhatIsQuiet(t *testing.T) {
	begun := time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)
	rec := oomdoc.Record{
		Source: oomdoc.SourceKmsg, Seq: 41, HasSeq: true, Usec: 5, Read: begun, Facility: 3, Text: []byte("earlyoom[512]: " + sending),
	}
	r := applog.NewRecognizer(applog.Options{})
	var told []oomdoc.Event
	take := func(ev oomdoc.Event) { told = append(told, ev) }
	r.Feed(&rec, take)
	if seq, open := r.Oldest(); len(told) != 0 || !open || seq != 41 {
		t.Fatalf("told %d events at once, oldest %d %t", len(told), seq, open)
	}
	r.Tick(begun.Add(2*time.Second), take)
	if len(told) != 1 || told[0].Final {
		t.Fatalf("after two seconds: %+v", told)
	}
	r.Tick(begun.Add(time.Minute), take)
	if len(told) != 2 || !told[1].Final || told[1].Revision <= told[0].Revision || r.Open() {
		t.Fatalf("after a minute: %+v", told)
	}
}

// However many decisions are open, what is held stays within its bounds and every
// one is told.
func TestAFloodOfDecisionsIsToldWhole(t *testing.T) {
	const decisions = 5000
	r := applog.NewRecognizer(applog.Options{MaxOpen: 8, MaxRecords: 2})
	ids := map[string]bool{}
	take := func(ev oomdoc.Event) {
		ids[ev.ID] = true
		if len(ev.Records) > 2 {
			t.Fatalf("%d records are kept", len(ev.Records))
		}
	}
	most := 0
	for i := range decisions {
		text := strings.Replace(sending, "7481", string(rune('1'+i%9))+strings.Repeat("0", 2)+itoa(i), 1)
		r.Feed(&oomdoc.Record{Facility: 1, Usec: oomdoc.NoUsec, Writer: []byte("earlyoom"), Text: []byte(text)}, take)
		most = max(most, len(ids))
	}
	r.Flush(take)
	if len(ids) != decisions {
		t.Errorf("told %d decisions, want %d", len(ids), decisions)
	}
	if most < decisions-8 {
		t.Errorf("only %d were told before the end: more than 8 were open", most)
	}
}
