package proc_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/proc"
)

// BenchmarkRefresh is a round over this machine's own processes.
func BenchmarkRefresh(b *testing.B) {
	benchmarkRefresh(b, proc.NewTable(proc.TableOptions{}))
}

// BenchmarkRefresh5000 is a round over 5,000 made-up processes.
func BenchmarkRefresh5000(b *testing.B) {
	tr := newTree(b)
	for i := range 5000 {
		tr.add(fake{pid: 1 + i, comm: "p", cmdline: "p\x00", pages: int64(1 + i)})
	}
	table, _ := newTable(b, tr, 256)
	benchmarkRefresh(b, table)
}

func benchmarkRefresh(b *testing.B, table *proc.Table) {
	refresh(b, table)
	b.ReportAllocs()
	for b.Loop() {
		refresh(b, table)
	}
	b.ReportMetric(float64(table.Len()), "entries")
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
