//go:build bench

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc/store"
)

// The figures of docs/benchmarks.md: `make bench`. Each prints what it
// measured; those that are ratios within one run or bounds of size fail when
// they are not reached.

const (
	streamLines = 100_000
	streamKills = 200
)

// writeStream makes a raw kernel log: ordinary boot lines of a real machine
// with full real reports spread over them. Sequence numbers rise, every report
// has a pid of its own.
func writeStream(t *testing.T, path string) {
	t.Helper()
	read := func(name string) []string {
		data, err := os.ReadFile("../../testdata/kernel/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return records(string(data))
	}
	var ordinary []string
	for _, record := range read("v37-whole-boot-6.1.log") {
		if !strings.Contains(record, "oom") && !strings.Contains(record, "Killed") && strings.Contains(record, ";") {
			ordinary = append(ordinary, record)
			if len(ordinary) == 340 {
				break // the boot's own report follows
			}
		}
	}
	reports := [][]string{read("r01-memcg-v1-anon.log"), read("r05-comm-parens-space.log"), read("r07-comm-newline.log"), read("r23-thread-invokes.log")}
	pids := []string{"25817", "26168", "26171", "26460"}

	var out bytes.Buffer
	seq, lines := 0, 0
	write := func(record string) {
		head, text, _ := strings.Cut(record, ";")
		fields := strings.SplitN(head, ",", 4)
		fmt.Fprintf(&out, "%s,%d,%d,%s;%s", fields[0], seq, 1_000_000+seq*100, fields[3], text)
		seq++
		lines += strings.Count(record, "\n")
	}
	inReports := 0
	for _, report := range reports {
		inReports += strings.Count(strings.Join(report, ""), "\n") * streamKills / len(reports)
	}
	next := 0
	for kill := range streamKills {
		for inOrdinary := 0; inOrdinary < (streamLines-inReports)/streamKills; next++ {
			record := ordinary[next%len(ordinary)]
			write(record)
			inOrdinary += strings.Count(record, "\n")
		}
		pid := regexp.MustCompile(`\b` + pids[kill%4] + `\b`)
		for _, record := range reports[kill%4] {
			write(pid.ReplaceAllString(record, strconv.Itoa(30000+kill)))
		}
	}
	for lines < streamLines {
		write(ordinary[next%len(ordinary)])
		next++
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("stream: %d lines in %d records, %d bytes, %d kills", lines, seq, out.Len(), streamKills)
}

// records splits raw text into records with their dictionary lines.
func records(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") && len(all) > 0 {
			all[len(all)-1] += line
		} else {
			all = append(all, line)
		}
	}
	return all
}

func TestFigureParsing(t *testing.T) {
	folder := t.TempDir()
	stream := filepath.Join(folder, "stream.kmsg")
	writeStream(t, stream)
	cadvisor := filepath.Join(folder, "cadvisor")
	build := exec.Command("go", "build", "-o", cadvisor, ".")
	build.Dir = "../../bench/cadvisor"
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build cAdvisor: %v\n%s", err, output)
	}
	own := filepath.Join(folder, "own")
	if output, err := exec.Command("go", "build", "-tags", buildTags, "-o", own, "../../bench/own").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, output)
	}
	type result struct {
		NS, Kills int64
		Allocs    float64
	}
	run := func(binary string) result {
		output, err := exec.Command(binary, stream).Output()
		if err != nil {
			t.Fatalf("%s: %v", binary, err)
		}
		var r result
		if err := json.Unmarshal(output, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	var ratios, ours, theirs []float64
	var kills [2]int64
	var allocs float64
	for range 11 { // in turn, so that the machine's other work falls on both
		a, b := run(own), run(cadvisor)
		kills, allocs = [2]int64{a.Kills, b.Kills}, a.Allocs
		ours = append(ours, streamLines/float64(a.NS)*1e3)
		theirs = append(theirs, streamLines/float64(b.NS)*1e3)
		ratios = append(ratios, float64(b.NS)/float64(a.NS))
	}
	t.Logf("oomdoc %.2f M lines/s, cAdvisor %.2f M lines/s, ratio %.2f (min %.2f, max %.2f); kills %d and %d of %d; %.3f allocations a line",
		median(ours), median(theirs), median(ratios), slices.Min(ratios), slices.Max(ratios), kills[0], kills[1], streamKills, allocs)
	if kills[0] != streamKills {
		t.Errorf("oomdoc found %d kills of %d", kills[0], streamKills)
	}
	if median(ratios) < 2.5 {
		t.Errorf("ratio=%.2f, want at least 2.5", median(ratios))
	}
}

func median(values []float64) float64 { return quantile(values, 0.5) }

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// From the moment that an independent reader has the kill line to the commit.
func TestFigureKillToStored(t *testing.T) {
	m := newMachine(t, "own")
	m.start()
	arrivals := watchKills(t)
	box := newBox(t, smallLimit)
	const kills = 200
	var pids []int
	for i := range kills {
		pids = append(pids, box.hog(fmt.Sprintf("hog-%03d", i)))
		time.Sleep(100 * time.Millisecond)
	}
	m.waitFor("all kills", func() bool { return len(pidsOf(m, pids)) == kills })
	at := arrivals()
	reader, err := store.OpenReader(m.database)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var stored []float64
	for _, incident := range m.incidents() {
		seen, ok := at[incident.Process.PID]
		if !ok {
			continue
		}
		stations, err := reader.Stations(incident.ID)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, float64(stations.Stored.Sub(seen).Microseconds())/1000)
	}
	t.Logf("kill line readable to stored, %d kills: median %.2f ms, 99th percentile %.2f ms, longest %.2f ms",
		len(stored), median(stored), quantile(stored, 0.99), slices.Max(stored))
	if len(stored) != kills {
		t.Errorf("measured %d kills, want %d", len(stored), kills)
	}
}

// watchKills notes when each kill line could be read, with no code of ours.
func watchKills(t *testing.T) func() map[int]time.Time {
	t.Helper()
	file, err := os.Open("/dev/kmsg")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Seek(0, unix.SEEK_END); err != nil {
		t.Fatal(err)
	}
	at, done := make(map[int]time.Time), make(chan struct{})
	killed := regexp.MustCompile(`: Killed process (\d+) `)
	go func() {
		defer close(done)
		buffer := make([]byte, 8192)
		for {
			n, err := file.Read(buffer)
			now := time.Now()
			if err != nil {
				return
			}
			if found := killed.FindSubmatch(buffer[:n]); found != nil {
				pid, _ := strconv.Atoi(string(found[1]))
				at[pid] = now
			}
		}
	}()
	return func() map[int]time.Time {
		file.Close()
		<-done
		return at
	}
}

// The daemon at rest: memory after 60 s, processor time in the minute after.
func TestFigureAtRest(t *testing.T) {
	m := newMachine(t, "own")
	m.start()
	time.Sleep(60 * time.Second)
	pid := m.command.Process.Pid
	before := cpuTime(t, pid)
	time.Sleep(60 * time.Second)
	used := cpuTime(t, pid) - before
	anonymous, proportional := rollup(t, pid)
	children := childrenOf(t, pid)
	t.Logf("at rest: %.1f MiB anonymous, %.1f MiB proportional, %.3f s of processor a minute, %d children",
		float64(anonymous)/(1<<20), float64(proportional)/(1<<20), used.Seconds(), children)
	if anonymous > 12<<20 || proportional > 25<<20 || children != 0 {
		t.Errorf("want at most 12 MiB, 25 MiB and no child")
	}
	if used > 50*time.Millisecond {
		t.Errorf("processor time=%s a minute, want at most 0.05 s", used)
	}
}

func cpuTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	// schedstat counts nanoseconds; stat's ticks of 10 ms are too coarse here.
	var sum time.Duration
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(tasks) == 0 {
		t.Fatalf("no schedstat: %v", err)
	}
	for _, task := range tasks {
		data, err := os.ReadFile(task)
		if err != nil {
			t.Fatal(err)
		}
		ns, err := strconv.ParseInt(strings.Fields(string(data))[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(ns)
	}
	return sum
}

func rollup(t *testing.T, pid int) (anonymous, proportional int64) {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		kib, _ := strconv.ParseInt(fields[1], 10, 64)
		switch fields[0] {
		case "Anonymous:":
			anonymous = kib << 10
		case "Pss:":
			proportional = kib << 10
		}
	}
	return anonymous, proportional
}

func childrenOf(t *testing.T, pid int) int {
	t.Helper()
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		count += len(strings.Fields(string(data)))
	}
	return count
}

// `oomdoc last` over 100,000 incidents, process start included.
func TestFigureLast(t *testing.T) {
	const stored = 100_000
	m := newMachine(t, "own")
	template := explainFile(t, "../../testdata/kernel/v27-v2-swap-max-6.12.log")[0]
	database, err := store.Open(context.Background(), m.database, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now().Add(-stored * time.Minute)
	for first := 0; first < stored; first += 1000 {
		var batch store.Batch
		for i := first; i < first+1000; i++ {
			incident := template
			incident.ID, incident.Time, incident.Usec = fmt.Sprintf("%010d", i), begun.Add(time.Duration(i)*time.Minute), int64(i)*1e6
			batch.Incidents = append(batch.Incidents, incident)
		}
		if _, err := database.Write(batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := database.Close(); err != nil {
		t.Fatal(err)
	}
	var last, nothing []float64
	for range 31 {
		for _, one := range []struct {
			times *[]float64
			args  []string
		}{{&last, []string{"last"}}, {&nothing, []string{"version"}}} {
			begun := time.Now()
			if _, stderr, status := m.run(one.args...); status != 0 {
				t.Fatalf("%v: %s", one.args, stderr)
			}
			*one.times = append(*one.times, float64(time.Since(begun).Microseconds())/1000)
		}
	}
	t.Logf("oomdoc last on %d incidents: median %.1f ms (longest %.1f); of it process start %.1f ms",
		stored, median(last), slices.Max(last), median(nothing))
}
