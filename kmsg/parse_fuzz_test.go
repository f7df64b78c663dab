package kmsg_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/record"
)

// FuzzParser holds what must be true of any log: no panic, an id in every
// event, revisions that grow by one, one final telling, which is the last, and
// everything within its bounds.
func FuzzParser(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join(corpus, "*.log"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("find seeds: %d found, %v", len(paths), err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(dmesg(composed{comm: ") total-vm:1kB\n", cgroup: "/a,task=b", group: true}.lines()))
	flood := append(composed{comm: "x", cgroup: "/a"}.lines()[:15], "Out of memory and no killable processes...")
	f.Add(raw(append(flood[:16:16], flood...)))
	long := composed{comm: "x", cgroup: "/a"}.lines()
	long[9] = strings.Repeat("a", 5000) + " 1"
	long[14] += strings.Repeat("z", 5000)
	f.Add(raw(long))
	f.Add(raw([]string{strings.Repeat("oom-kill:constraint=a,nodemask=,cpuset=,mems_allowed=,oom_memcg=/,task=,task_memcg=/", 300)}))
	f.Fuzz(func(t *testing.T, log []byte) {
		holder := invariants{t: t, open: make(map[string]int)}
		parser := kmsg.NewParser(kmsg.ParserOptions{MaxOpen: 4, MaxTasks: 8, MaxKills: 8, MaxRecords: 20, MaxRecordBytes: 4096})
		decoder := record.NewDecoder(bytes.NewReader(log), record.Options{})
		now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
		var rec oomdoc.Record
		for {
			err := decoder.Next(&rec)
			if err != nil {
				break // the end, or no log at all: the decoder's own tests have that
			}
			rec.Read = now
			parser.Feed(&rec, holder.take)
			if now = now.Add(time.Duration(len(rec.Text)) * 10 * time.Millisecond); len(rec.Text)%8 == 7 {
				parser.Tick(now, holder.take)
			}
		}
		parser.Flush(holder.take)
		holder.end()
	})
}

type invariants struct {
	t    *testing.T
	open map[string]int // next revision by id
}

func (v *invariants) take(e oomdoc.Event) {
	if e.ID == "" || e.Kernel == nil || e.Kind == "" {
		v.t.Fatalf("an event without id, kind or report: %+v", e)
	}
	if e.Revision != v.open[e.ID] {
		v.t.Fatalf("event %s: revision %d, want %d", e.ID, e.Revision, v.open[e.ID])
	}
	v.open[e.ID]++
	if e.Final {
		delete(v.open, e.ID)
	}
	v.bounds(e)
}

func (v *invariants) bounds(e oomdoc.Event) {
	k := e.Kernel
	if len(k.Kills) > 8 || len(e.Records) > 20 || len(k.Tasks) > 8+8 {
		v.t.Fatalf("event %s: %d kills, %d records, %d tasks", e.ID, len(k.Kills), len(e.Records), len(k.Tasks))
	}
	if e.Trust == oomdoc.TrustUser {
		v.t.Fatalf("event %s rests on a record of user space", e.ID)
	}
	for _, kill := range k.Kills {
		if kill.PID < 0 || len(kill.Comm) > 60 {
			v.t.Fatalf("event %s: kill of pid %d, name of %d bytes", e.ID, kill.PID, len(kill.Comm))
		}
	}
}

func (v *invariants) end() {
	if len(v.open) > 0 {
		v.t.Fatalf("events without a final telling: %v", v.open)
	}
}
