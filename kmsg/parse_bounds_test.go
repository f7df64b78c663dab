package kmsg_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// manyTasks is a report with a long table in which the victim is small: its
// oom_score_adj chose it.
func manyTasks(rows int) []string {
	texts := composed{comm: "browser", cgroup: "/", global: true, pid: 77}.lines()
	table := make([]string, 0, rows)
	for i := range rows {
		pid, rss, adj, name := 100_000+i, (i*7919)%100_000, 0, "worker"
		if i == rows/3 {
			pid, rss, adj, name = 77, 10, 900, "browser"
		}
		table = append(table, fmt.Sprintf("[%7d]     0 %5d    21066 %8d        0        0         0   118784        0 %13d %s", pid, pid, rss, adj, name))
	}
	return append(append(append([]string{}, texts[:13]...), table...), texts[15:]...)
}

func TestALongTableKeepsTheBiggestAndTheVictim(t *testing.T) {
	const rows, bound = 10_000, 100
	told := tell(t, raw(manyTasks(rows)), kmsg.ParserOptions{MaxTasks: bound})
	k := told[0].Kernel
	if len(k.Tasks) < bound || len(k.Tasks) > bound+1 || len(k.Tasks)+k.TasksCut != rows {
		t.Fatalf("got %d rows and %d cut, want about %d of %d", len(k.Tasks), k.TasksCut, bound, rows)
	}
	smallest, victim, last := int64(1<<62), false, -1
	for _, task := range k.Tasks {
		if task.PID == 77 {
			victim = true
			continue
		}
		smallest = min(smallest, task.RSS)
		if task.PID < last {
			t.Errorf("row %d stands after row %d", task.PID, last)
		}
		last = task.PID
	}
	if !victim || smallest < 98_000 {
		t.Errorf("victim kept: %t, smallest row kept: %d pages", victim, smallest)
	}
}

func TestShownRecordsAreBounded(t *testing.T) {
	told := tell(t, raw(manyTasks(10_000)), kmsg.ParserOptions{})
	e := told[len(told)-1]
	size := 0
	for _, line := range e.Records {
		size += len(line)
	}
	if len(e.Records) > 400 || size > 64<<10 || len(e.Records)+e.RecordsCut != 10_000+15 {
		t.Errorf("got %d records of %d bytes and %d cut", len(e.Records), size, e.RecordsCut)
	}
	first, last := e.Records[0], e.Records[len(e.Records)-1]
	if !strings.Contains(first, "invoked oom-killer") || !strings.Contains(last, "Killed process 77 ") {
		t.Errorf("head %q and tail %q are not those of the report", first, last)
	}
}

func TestAFloodOfReportsHoldsBoundedMemory(t *testing.T) {
	texts := composed{comm: "immortal", cgroup: "/nk"}.lines()
	texts = append(texts[:15:15], "Out of memory and no killable processes...")
	parser := kmsg.NewParser(kmsg.ParserOptions{})
	told, final := 0, 0
	emit := func(e oomdoc.Event) {
		told++
		if e.Final {
			final++
		}
	}
	feed := func(times int) {
		for range times {
			eachRecord(t, raw(texts), func(rec *oomdoc.Record) { parser.Feed(rec, emit) })
		}
	}
	feed(50)
	before := heap()
	feed(2000)
	if grown := heap() - before; grown > 4<<20 {
		t.Errorf("2000 reports within a moment grew the heap by %d bytes", grown)
	}
	parser.Flush(emit)
	if told != 2*2050 || final != 2050 {
		t.Errorf("told %d times, %d of them final; want %d and %d", told, final, 2*2050, 2050)
	}
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestAGroupOfThousandsIsBounded(t *testing.T) {
	texts := composed{comm: "hog", cgroup: "/a", group: true}.lines()
	for i := range 5000 {
		texts = append(texts, fmt.Sprintf("Memory cgroup out of memory: Killed process %d (w) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:4kB oom_score_adj:0", 10_000+i))
	}
	told := tell(t, raw(texts), kmsg.ParserOptions{MaxKills: 100})
	k := told[len(told)-1].Kernel
	if len(told) != 2 || len(k.Kills) != 100 || k.KillsCut != 4902 {
		t.Errorf("told %d times with %d kills and %d cut, want 2, 100, 4902", len(told), len(k.Kills), k.KillsCut)
	}
}
