package applog_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
)

func itoa(n int) string { return strconv.Itoa(n) }

// FuzzRecognizer holds for any text, by any writer: no panic, no number out of
// its range, nothing open at the end, revisions that only grow.
func FuzzRecognizer(f *testing.F) {
	paths, err := filepath.Glob("../testdata/kernel/b[123]*.log")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	programs, err := filepath.Glob("../testdata/program/*.log")
	if err != nil || len(programs) == 0 {
		f.Fatalf("no seeds of programs: %v", err)
	}
	for _, path := range append(paths, programs...) {
		log, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(log) < 8<<10 {
			f.Add(log)
		}
	}
	f.Add([]byte(nohangBlock))
	f.Add([]byte(sending))
	f.Add([]byte("14,812,77740597,-;oomd kill: 81.28 80.05 42.78 a/b 123456 ruleset:[p] detectorgroup:[s] killer:k v2\n"))
	f.Add([]byte("Memory on the node (IP: 1, ID: 2) where the task (task ID: a, name=n, pid=9, memory used=2.99GB) was running was 3.62GB / 4.00GB (0.9), which exceeds the memory usage threshold of 0.95.\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		revisions := map[string]int{}
		for _, ev := range tellings(t, string(log)) {
			checkEvent(t, ev)
			key := ev.ID + strconv.FormatInt(ev.Usec, 10) + ev.Time.String()
			if before, known := revisions[key]; known && ev.Revision == before && !ev.Final {
				t.Errorf("%s was told twice as revision %d", ev.ID, ev.Revision)
			}
			revisions[key] = ev.Revision
		}
		feedBare(t, log)
	})
}

// feedBare gives each line to the recogniser as the words of each writer.
func feedBare(t *testing.T, log []byte) {
	t.Helper()
	r := applog.NewRecognizer(applog.Options{})
	for line := range strings.Lines(string(log)) {
		for _, writer := range []string{"", "systemd", "systemd-oomd", "earlyoom", "nohang", "kubelet", "oomd"} {
			rec := oomdoc.Record{Facility: 1, Usec: oomdoc.NoUsec, Writer: []byte(writer), Text: []byte(line), Raw: []byte(line)}
			r.Feed(&rec, func(ev oomdoc.Event) { checkEvent(t, ev) })
		}
	}
	r.Flush(func(ev oomdoc.Event) { checkEvent(t, ev) })
}

func checkEvent(t *testing.T, ev oomdoc.Event) {
	t.Helper()
	if ev.Program != nil {
		checkProgram(t, ev)
		return
	}
	k := ev.UserKill
	if k == nil || len(ev.ID) != 10 || k.Line+k.UnitLine+k.LimitLine == "" {
		t.Fatalf("the event is not whole: %+v", ev)
	}
	for _, size := range []*int64{
		k.RSS, k.MemTotal, k.MemUsed, k.MemAvailable, k.SwapTotal, k.SwapUsed, k.SwapFree, k.MemLimitBytes, k.Using, k.Request,
	} {
		if size != nil && *size < 0 {
			t.Errorf("a size is negative: %+v", *k)
		}
	}
	if k.PID < 0 || k.PressureFor < 0 || k.ExitedIn < 0 {
		t.Errorf("a number is negative: %+v", *k)
	}
}

func checkProgram(t *testing.T, ev oomdoc.Event) {
	t.Helper()
	e := ev.Program
	if ev.Kind != oomdoc.EventProgramError || len(ev.ID) != 10 || e.Line == "" || e.Outcome == "" || len(ev.Records) == 0 {
		t.Fatalf("the event is not whole: %+v %+v", ev, *e)
	}
	for _, size := range []*int64{
		e.Requested, e.Total, e.Free, e.Allocated, e.Unallocated, e.PrivatePools, e.Allowed, e.Own, e.Limit, e.InUse,
		e.Tokens, e.TokensFree, e.TokensFit,
	} {
		if size != nil && *size < 0 {
			t.Errorf("a size is negative: %+v", *e)
		}
	}
	if e.PID < 0 || e.Grain < 0 || e.Rank != nil && *e.Rank < 0 || e.Device != nil && *e.Device < 0 {
		t.Errorf("a number is negative: %+v", *e)
	}
}
