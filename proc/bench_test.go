package proc_test

import (
	"bufio"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc/proc"
)

// BenchmarkRefresh is a round over this machine's own processes.
func BenchmarkRefresh(b *testing.B) {
	benchmarkRefresh(b, proc.NewTable(proc.TableOptions{}))
}

// BenchmarkRefresh5000 is a round over 5,000 made-up processes. Of those that are
// looked at closely nothing has changed, as at rest, or all of them climb.
func BenchmarkRefresh5000(b *testing.B) {
	tr := newTree(b)
	for i := range 5000 {
		tr.add(fake{pid: 1 + i, comm: "p", cmdline: "p\x00", pages: int64(1 + i), maps: jobMaps()})
	}
	b.Run("at rest", func(b *testing.B) {
		table, _ := newTable(b, tr, 256)
		benchmarkRefresh(b, table)
	})
	b.Run("climbing", func(b *testing.B) {
		table, _ := newTable(b, tr, 256)
		refresh(b, table)
		n := 0
		for b.Loop() {
			b.StopTimer()
			n++
			for i := 4980; i < 5000; i++ {
				tr.write(fmt.Sprint(1+i, "/statm"), fmt.Sprintf("9 %d 1 1 0 1 0\n", 10_000+n*1000))
			}
			b.StartTimer()
			refresh(b, table)
		}
	})
}

// jobMaps is what a training job has mapped: some thousand lines, and a model.
func jobMaps() string {
	var text strings.Builder
	for i := range uint64(1500) {
		text.WriteString(mapping(0x7f0000000000+i<<24, 1<<20, 0, "rw-p", ""))
		if i%10 == 0 {
			text.WriteString(mapping(0x7e0000000000+i<<24, 1<<20, 0, "r-xp", fmt.Sprintf("/opt/venv/lib/python3.12/site-packages/torch/lib/lib%d.so", i)))
		}
	}
	text.WriteString(mapping(0x7d0000000000, gib, 0, "r--s", "/models/x.safetensors"))
	return text.String()
}

// BenchmarkRefreshReal is a round over 5,000 real processes that sleep, and
// BenchmarkGlanceReal what is looked at in between.
func BenchmarkRefreshReal(b *testing.B) {
	table := crowded(b)
	benchmarkRefresh(b, table)
}

func BenchmarkGlanceReal(b *testing.B) {
	table := crowded(b)
	refresh(b, table)
	b.ReportAllocs()
	for b.Loop() {
		if err := table.Glance(); err != nil {
			b.Fatal(err)
		}
	}
}

// crowded is a table on this machine while 5,000 processes more sleep there.
func crowded(b *testing.B) *proc.Table {
	b.Helper()
	command := exec.Command("sh", "-c", "i=0; while [ $i -lt 5000 ]; do sleep 600 & i=$((i+1)); done; echo ready; read x; kill $(jobs -p)")
	gate, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		gate.Close()
		command.Wait()
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	// Long after they were started.
	table := proc.NewTable(proc.TableOptions{Now: func() time.Time { now = now.Add(10 * time.Second); return now.Add(time.Hour) }})
	b.Cleanup(func() { table.Close() })
	return table
}

func benchmarkRefresh(b *testing.B, table *proc.Table) {
	refresh(b, table)
	b.ReportAllocs()
	for b.Loop() {
		refresh(b, table)
	}
	b.ReportMetric(float64(table.Len()), "entries")
}

// BenchmarkMemoryFull reports what the default table holds where every process is as
// large inside as is kept, and each was looked at closely.
func BenchmarkMemoryFull(b *testing.B) {
	tr := newTree(b)
	var maps, variables strings.Builder
	for i := range uint64(20) {
		maps.WriteString(mapping(0x7f0000000000+i<<32, gib, 0, "r--s", fmt.Sprintf("/%s/%d.gguf", strings.Repeat("m", 480), i)))
		fmt.Fprintf(&variables, "GGML_%02d=%s\x00", i, strings.Repeat("v", 300))
	}
	long := strings.Repeat("/"+strings.Repeat("d", 99), 5)
	add := func(i int, pages int64) {
		tr.add(fake{pid: 1 + i, comm: "python3", cmdline: strings.Repeat(strings.Repeat("x", 99)+"\x00", 40), pages: pages, start: 1, parent: 1,
			exe: long, dir: long, maps: maps.String(), environ: variables.String(), cgroup: "0::" + strings.Repeat("/"+strings.Repeat("g", 200), 2) + "\n"})
	}
	for i := range 300 {
		add(i, int64(1000+i))
	}
	for b.Loop() {
		before := inUse()
		table, c := newTable(b, tr, 0)
		for group := range 15 { // each gets its turn among the largest
			pids := make([]int, 0, 64)
			for i := range 64 {
				pids = append(pids, 1+108+(group*64+i)%192)
			}
			table.Watch(pids)
			for range 40 {
				c.now = c.now.Add(time.Second)
				refresh(b, table)
			}
		}
		b.ReportMetric(float64(inUse()-before)/1024, "KiB")
		runtime.KeepAlive(table)
	}
}

// BenchmarkMemory reports what a full table holds: 256 processes with command
// lines of 200 bytes, and of the longest kept.
func BenchmarkMemory(b *testing.B) {
	for _, length := range []int{200, 4000} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			tr := newTree(b)
			argument := strings.Repeat("x", 19) + "\x00"
			for i := range 1000 {
				tr.add(fake{pid: 1 + i, comm: "python3", cmdline: strings.Repeat(argument, length/20), pages: int64(1 + i),
					cgroup: "0::/kubepods/burstable/pod" + pod + "/" + id + "\n"})
			}
			for b.Loop() {
				before := inUse()
				table, _ := newTable(b, tr, 0)
				refresh(b, table)
				refresh(b, table)
				b.ReportMetric(float64(inUse()-before)/1024, "KiB")
				runtime.KeepAlive(table)
			}
		})
	}
}

func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// BenchmarkFirstRound is the dearest: it reads all files of all that are kept.
func BenchmarkFirstRound(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		table := proc.NewTable(proc.TableOptions{})
		refresh(b, table)
		if err := table.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOwnerOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		proc.OwnerOf("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + podUnit + ".slice/cri-containerd-" + id + ".scope")
	}
}

// BenchmarkMaskSecrets shows that hostile texts cost no more a byte than others.
func BenchmarkMaskSecrets(b *testing.B) {
	for _, part := range []string{"x", "://", "sk-", "token=", "eyJ", "-----BEGIN ", "password='", "a:b@", "token=/", "--", "http://x:", "me:x@h:1", "12345678:", "x'", `token=\"`} {
		for _, size := range []int{1 << 14, 1 << 16} {
			text := strings.Repeat(part, size/len(part))
			b.Run(fmt.Sprint(part, "/", size>>10, "KiB"), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					proc.MaskSecrets([]string{text})
				}
			})
		}
	}
}
