package daemon_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/record"
)

// A hostileLog writes the i-th part of a log that was made to be hard: what it gives
// is repeated as often as a test likes.
type hostileLog struct {
	name string
	part func(i int) string
}

// kmsgLine is one raw record.
func kmsgLine(i int, flag, text string) string {
	return fmt.Sprintf("4,%d,%d,%s;%s\n", 1000+i, 7_000_000+40*i, flag, text)
}

// hostileLogs are inputs that could make a parser keep much, or look at what it
// keeps again and again.
func hostileLogs() []hostileLog {
	longTask := strings.Repeat(",task=a,task_memcg=/", 400)
	belowEachOther := strings.Repeat(",oom_memcg=/a,task_memcg=/a", 300)
	return []hostileLog{
		{"headers without an end", func(i int) string {
			return kmsgLine(i, "-", fmt.Sprintf("c%d invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0", i))
		}},
		{"headers of as many callers", func(i int) string {
			return kmsgLine(i, fmt.Sprintf("-,caller=T%d", i), fmt.Sprintf("c%d invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0", i))
		}},
		{"a task table without an end", func(i int) string {
			if i == 0 {
				return kmsgLine(i, "-", "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name")
			}
			return kmsgLine(i, "-", fmt.Sprintf("[%7d]  1000 %5d    21066 %8d   118784        0 %13d name%d", i, i, (i*7919)%100_000, i%2000-1000, i))
		}},
		{"counters of as many names", func(i int) string {
			if i == 0 {
				return kmsgLine(i, "-", "Memory cgroup stats for /a:")
			}
			return kmsgLine(i, "-", fmt.Sprintf("stat_%d %d", i, i))
		}},
		{"groups of as many names", func(i int) string {
			return kmsgLine(i, "-", fmt.Sprintf("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/g%d,task_memcg=/g%d,task=x,pid=%d,uid=0", i, i, i+2)) +
				kmsgLine(i, "-", fmt.Sprintf("Memory cgroup out of memory: Killed process %d (x) total-vm:%dkB, anon-rss:1kB, file-rss:1kB, shmem-rss:0kB, UID:0 pgtables:4kB oom_score_adj:0", i+2, i))
		}},
		{"zones without an end", func(i int) string {
			return kmsgLine(i, "-", fmt.Sprintf("Node %d Normal free:%dkB min:1kB low:2kB high:3kB present:9kB", i, i))
		}},
		{"slab caches without an end", func(i int) string {
			if i == 0 {
				return kmsgLine(i, "-", "x invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0") + kmsgLine(i, "-", "Unreclaimable slab info:")
			}
			return kmsgLine(i, "-", fmt.Sprintf("cache-%d %dKB %dKB", i, i, i))
		}},
		{"kill lines without their end", func(i int) string { return kmsgLine(i, "-", fmt.Sprintf("Killed process %d (a", i+2)) }},
		{"fragments without an end", func(i int) string {
			if i == 0 {
				return kmsgLine(i, "-", "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/")
			}
			return kmsgLine(i, "c", strings.Repeat("a", 900))
		}},
		{"names that imitate the end of a path", func(i int) string {
			return kmsgLine(i, "-", "oom-kill:constraint=a,nodemask=,cpuset=,mems_allowed=0,oom_memcg=/"+longTask+fmt.Sprintf(",pid=%d,uid=0", i))
		}},
		{"paths below each other", func(i int) string {
			return kmsgLine(i, "-", "oom-kill:constraint=a,nodemask=,cpuset=,mems_allowed=0"+belowEachOther+fmt.Sprintf(",task=x,pid=%d,uid=0", i))
		}},
		{"limits of limits", func(i int) string {
			return kmsgLine(i, "-", "Task in /a"+strings.Repeat(" killed as a result of limit of /a", 200))
		}},
		{"members of a group without an end", func(i int) string {
			kill := fmt.Sprintf("Memory cgroup out of memory: Killed process %d (x) total-vm:%dkB, anon-rss:1kB, file-rss:1kB, shmem-rss:0kB, UID:0 pgtables:4kB oom_score_adj:0", i+2, i)
			if i == 0 {
				return kmsgLine(i, "-", kill) + kmsgLine(i, "-", "Tasks in /a are going to be killed due to memory.oom.group set")
			}
			return kmsgLine(i, "-", kill)
		}},
		{"nobody to kill, in as many groups", func(i int) string {
			return kmsgLine(i, "-", "x invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0") +
				kmsgLine(i, "-", "memory: usage 4kB, limit 4kB, failcnt 1") + kmsgLine(i, "-", fmt.Sprintf("Memory cgroup stats for /g%d:", i)) +
				kmsgLine(i, "-", "Out of memory and no killable processes...")
		}},
		{"failures of as many threads", func(i int) string {
			return kmsgLine(i, "-", fmt.Sprintf("t%d: page allocation failure: order:4, mode:0xcc0(GFP_KERNEL), nodemask=(null),cpuset=/,mems_allowed=0", i))
		}},
		{"manual keys", func(i int) string { return kmsgLine(i, "-", "sysrq: Manual OOM execution") }},
		{"further lines without an end", func(i int) string {
			if i == 0 {
				return "[   12.000000] Memory cgroup stats for /a:\n"
			}
			return fmt.Sprintf("               s%d %d\n", i, i)
		}},
		{"an object without an end", func(i int) string {
			if i == 0 {
				return "{\n\"__REALTIME_TIMESTAMP\" : \"1796097048000000\",\n"
			}
			return fmt.Sprintf("\"FIELD_%d\" : \"%d\",\n", i, i)
		}},
		{"an entry without an end", func(i int) string {
			if i == 0 {
				return "Tue 2026-12-01 01:43:17.000000 UTC [s=9;i=1;b=" + bootID + ";m=36;t=6;x=f]\n    MESSAGE=a\n"
			}
			return "            more of the message\n"
		}},
		{"parts without an end", func(int) string { return "2026-12-01T01:43:17.123456789Z stdout P " + strings.Repeat("a", 200) + "\n" }},
		{"killers in user space", func(i int) string {
			return fmt.Sprintf("Dec  1 01:43:17 node1 earlyoom[512]: sending SIGTERM to process %d uid 1000 \"p%d\": badness 12, VmRSS 2 MiB\n", i+2, i)
		}},
		{"units that were killed", func(i int) string {
			return fmt.Sprintf("Dec  1 01:43:17 node1 systemd[1]: u%d.service: A process of this unit has been killed by the OOM killer.\n", i)
		}},
		{"one line without an end", func(i int) string {
			if i == 0 {
				return "4,1,1,-;oom-kill:constraint="
			}
			return ",task_memcg=/a,task=b,pid=1,uid=0"
		}},
	}
}

// A stream gives the parts of a hostile log one after the other, n of them.
type stream struct {
	log  hostileLog
	i, n int
	left []byte
	each func(i int) // called now and then
}

func (s *stream) Read(b []byte) (int, error) {
	for len(s.left) == 0 {
		if s.i == s.n {
			return 0, io.EOF
		}
		s.left = append(s.left[:0], s.log.part(s.i)...)
		if s.each != nil && s.i%(s.n/8) == s.n/8-1 {
			s.each(s.i)
		}
		s.i++
	}
	n := copy(b, s.left)
	s.left = s.left[n:]
	return n, nil
}

// understood runs a log through the whole of explain but its output.
func understood(t *testing.T, in io.Reader) (incidents int) {
	t.Helper()
	d := daemon.NewDiagnoser(daemon.DiagnoserOptions{
		Emit:     func(oomdoc.Incident) { incidents++ },
		Panicked: func(text string, value any) { t.Errorf("panic %v at %q", value, text) },
	})
	decoder := record.NewDecoder(in, record.Options{Nested: true})
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			d.Flush()
			return incidents
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Feed(&rec)
	}
}

func TestHostileLogsStayWithinTheirMemory(t *testing.T) {
	const parts, size, bound = 12_000, 2 << 20, 32 << 20
	for _, log := range hostileLogs() {
		parts := min(parts, size/len(log.part(1)))
		before, most := liveHeap(), uint64(0)
		understood(t, &stream{log: log, n: parts, each: func(int) { most = max(most, liveHeap()) }})
		if most > before+bound {
			t.Errorf("%s: %d MiB more on the heap, want at most %d", log.name, (most-before)>>20, bound>>20)
		}
	}
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Four times as much may take four times as long, and not sixteen. Other work on
// the machine can make one measurement long, but not the best of many. The smaller
// log is long enough to fill what is kept open at one time.
func TestHostileLogsTakeLinearTime(t *testing.T) {
	const parts, size, times, most, rounds = 1000, 200 << 10, 4, 9, 12
	for _, log := range hostileLogs() {
		parts := min(parts, size/len(log.part(1)))
		few, many := wholeLog(log, parts), wholeLog(log, times*parts)
		small, large := time.Duration(1<<62), time.Duration(1<<62)
		for range rounds {
			small, large = min(small, timed(t, few)), min(large, timed(t, many))
			if large <= most*max(small, 2*time.Millisecond) {
				break
			}
		}
		if large > most*max(small, 2*time.Millisecond) {
			t.Errorf("%s: %d parts took %v, %d took %v", log.name, parts, small, times*parts, large)
		}
	}
}

func wholeLog(log hostileLog, parts int) []byte {
	var whole bytes.Buffer
	for i := range parts {
		whole.WriteString(log.part(i))
	}
	return whole.Bytes()
}

// timed is the processor time that a log took: what else runs on the machine
// does not count, nor does collecting the garbage of what ran before.
func timed(t *testing.T, log []byte) time.Duration {
	t.Helper()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	start := processorTime(t)
	understood(t, bytes.NewReader(log))
	return processorTime(t) - start
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
