package classify_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/classify"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/record"
)

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
	gib = int64(1) << 30
)

// diagnoseLog gives each incident of a log as it was told last, in the order in
// which they were told first.
func diagnoseLog(tb testing.TB, log []byte) []oomdoc.Incident {
	tb.Helper()
	decoder := record.NewDecoder(bytes.NewReader(log), record.Options{Source: oomdoc.SourceFile, Nested: true})
	parser, programs := kmsg.NewParser(kmsg.ParserOptions{}), applog.NewRecognizer(applog.Options{})
	joiner := classify.NewJoiner(classify.Options{})
	var incidents []oomdoc.Incident
	take := func(ev oomdoc.Event) {
		for _, inc := range joiner.Add(ev, oomdoc.Facts{}) {
			at := slices.IndexFunc(incidents, func(have oomdoc.Incident) bool { return have.ID == inc.ID && have.Usec == inc.Usec })
			if at < 0 {
				incidents = append(incidents, inc)
				continue
			}
			incidents[at] = inc
		}
	}
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		parser.Feed(&rec, take)
		programs.Feed(&rec, take)
	}
	parser.Flush(take)
	programs.Flush(take)
	if left := joiner.Flush(); len(left) != 0 {
		tb.Errorf("Flush gave %d incidents that Add held back", len(left))
	}
	return incidents
}

var english = sync.OnceValues(func() (*lang.Language, error) { return lang.New(lang.English) })

// rendered writes the sentences of an incident in English.
func rendered(tb testing.TB, inc oomdoc.Incident) oomdoc.Incident {
	tb.Helper()
	language, err := english()
	if err != nil {
		tb.Fatal(err)
	}
	return language.Render(inc)
}

// killEvent is an event of the kernel's own log around a report.
func killEvent(report *oomdoc.KernelReport) oomdoc.Event {
	return oomdoc.Event{
		ID: "0123456789", Kind: oomdoc.EventKernelKill, Source: oomdoc.SourceKmsg, BootID: "boot-a",
		Usec: 60_000_000, Trust: oomdoc.TrustKernel, Kernel: report, Final: true,
	}
}

func kill(pid int, comm string, rss int64) oomdoc.Kill {
	return oomdoc.Kill{
		PID: pid, Comm: comm, UID: new(1000), AnonRSS: new(rss), FileRSS: new(int64(0)), ShmemRSS: new(int64(0)),
		Line: "Out of memory: Killed process 100 (hog) total-vm:1kB",
	}
}

// row is a row of the task table of a kernel with 4 KiB pages.
func row(pid int, name string, rss int64, adj int) oomdoc.Task {
	return oomdoc.Task{PID: pid, TGID: pid, RSS: rss / (4 * kib), PageTables: new(int64(0)), SwapEnts: new(int64(0)), OOMScoreAdj: new(adj), Name: name}
}

// zone is a zone line with the lowmem_reserve of x86-64, in pages.
func zone(name string, free, low int64, reserve ...int64) oomdoc.MemZone {
	return oomdoc.MemZone{
		Name: name, LowmemReserve: reserve, Line: "Node 0 " + name + " free:1kB",
		Bytes: map[string]int64{"free": free, "min": low, "low": low + low/4, "high": low + low/2, "present": 1000 * low},
	}
}

// hostReport is a full report of a machine with 16 GiB of RAM and no swap, of
// which one process holds 14 GiB.
func hostReport() *oomdoc.KernelReport {
	return &oomdoc.KernelReport{
		KernelVersion: "6.12.9", PageSize: 4 * kib,
		Trigger: &oomdoc.Trigger{Comm: "hog", GFPMask: 0x140dca, GFP: "GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO", Line: "hog invoked oom-killer"},
		Summary: &oomdoc.OOMSummary{
			Constraint: "CONSTRAINT_NONE", NodeMask: "(null)", Cpuset: "/", MemsAllowed: "0", GlobalOOM: true,
			TaskMemcg: "/system.slice/hog.service", Task: "hog", PID: 100, UID: 1000, HasTask: true, Line: "oom-kill:constraint=CONSTRAINT_NONE",
		},
		Memory: &oomdoc.MemInfo{
			Counters: map[string]int64{
				"active_anon": 14 << 18, "inactive_anon": 1 << 18, "slab_unreclaimable": 1 << 16, "slab_reclaimable": 1 << 16,
				"free": (13*mib + 40*mib) / (4 * kib), "shmem": 100,
			},
			CountersLine: "active_anon:1",
			Zones: []oomdoc.MemZone{
				zone("DMA", 13*mib, 60*kib, 0, 3000, 16000, 16000, 16000),
				zone("Normal", 40*mib, 60*mib, 0, 0, 0, 0, 0),
			},
			SwapFree: new(int64(0)), SwapTotal: new(int64(0)), SwapTotalLine: "Total swap = 0kB", SwapFreeLine: "Free swap  = 0kB",
			RAMPages: new(int64(16 << 18)), ReservedPages: new(int64(0)), RAMLine: "4194304 pages RAM",
		},
		Tasks: []oomdoc.Task{row(1, "systemd", 8*mib, 0), row(100, "hog", 14*gib, 0), row(7, "sshd", 4*mib, -1000)},
		Kills: []oomdoc.Kill{kill(100, "hog", 14*gib)},
	}
}

// limitReport is a full report of a unit at its limit of 1 GiB.
func limitReport() *oomdoc.KernelReport {
	k := kill(100, "hog", 900*mib)
	k.Memcg = true
	return &oomdoc.KernelReport{
		KernelVersion: "6.12.9", PageSize: 4 * kib,
		Trigger: &oomdoc.Trigger{Comm: "hog", GFPMask: 0x140dca, Line: "hog invoked oom-killer"},
		Summary: &oomdoc.OOMSummary{
			Constraint: "CONSTRAINT_MEMCG", OOMMemcg: "/system.slice/hog.service", TaskMemcg: "/system.slice/hog.service",
			Task: "hog", PID: 100, UID: 1000, HasTask: true, Line: "oom-kill:constraint=CONSTRAINT_MEMCG",
		},
		Memcg: &oomdoc.MemcgOOM{
			Usage: new(gib), Limit: new(gib), Failcnt: new(int64(5)), Line: "memory: usage 1048576kB, limit 1048576kB, failcnt 5",
			StatsOf: "/system.slice/hog.service",
		},
		Tasks: []oomdoc.Task{row(99, "helper", 20*mib, 0), row(100, "hog", 900*mib, 0)},
		Kills: []oomdoc.Kill{k},
	}
}

// says tells whether one of the incident's evidence has the key.
func says(inc oomdoc.Incident, key oomdoc.Key) bool {
	return slices.ContainsFunc(inc.Evidence, func(e oomdoc.Evidence) bool { return e.Sentence.Key == key })
}

// lacks tells whether the incident names that as missing.
func lacks(inc oomdoc.Incident, key oomdoc.Key) bool {
	return slices.ContainsFunc(inc.Missing, func(s oomdoc.Sentence) bool { return s.Key == key })
}

// after moves an event in time, under an id of its own.
func after(ev oomdoc.Event, d time.Duration, id string) oomdoc.Event {
	ev.Usec += d.Microseconds()
	ev.ID = id
	return ev
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }
