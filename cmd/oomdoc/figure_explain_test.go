//go:build bench

package main_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc/daemon"
)

// TestFigureExplainOrdinary: a log without an incident takes no longer than the
// search that a person would have typed: grep -cE with a dozen of the words.
func TestFigureExplainOrdinary(t *testing.T) {
	const (
		size   = 300_000_000
		rare   = 5000 // passages to one that has something that is looked for
		rounds = 9
		words  = "CUDA out of memory|OutOfMemoryError|MemoryError|bad_alloc|oom-kill|Killed process|RESOURCE_EXHAUSTED|" +
			"failed to allocate|Cannot allocate memory|cudaMalloc failed|heap out of memory|OOMKilled"
	)
	o := newOrdinary(t, 7, ordinaryFiles(t)...)
	o.seldom(rare)
	log := writeOrdinary(t, o, size, nil)
	checkNothing(t, log)
	times := map[string][]float64{}
	var ratios, processor []float64
	for range rounds { // in turn, so that the machine's other work falls on all of them
		ours, ourCPU := timed(t, "C.UTF-8", built.oomdoc, "explain", log)
		theirs, theirCPU := timed(t, "C.UTF-8", "grep", "-cE", words, log)
		plain, _ := timed(t, "C", "grep", "-cE", words, log)
		times["ours"], times["grep"], times["plain"] = append(times["ours"], ours), append(times["grep"], theirs), append(times["plain"], plain)
		ratios, processor = append(ratios, ours/theirs), append(processor, ourCPU/theirCPU)
	}
	t.Logf("%d MB: explain %.2f s, grep -cE %.2f s (LC_ALL=C.UTF-8), %.2f s (LC_ALL=C): ratio %.2f, of processor time %.2f",
		size/1_000_000, median(times["ours"]), median(times["grep"]), median(times["plain"]), median(ratios), median(processor))
	if median(ratios) > 1 {
		t.Errorf("ratio=%.2f, want at most 1", median(ratios))
	}
}

// timed runs a command and gives its time and its processor time, in seconds. Its
// output is read: grep stops at the first line where it goes to /dev/null.
func timed(t *testing.T, locale, name string, args ...string) (wall, processor float64) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), "LC_ALL="+locale)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	began := time.Now()
	if err := command.Run(); err != nil && command.ProcessState.ExitCode() > 3 {
		t.Fatalf("%s: %v\n%s", name, err, &output)
	}
	return time.Since(began).Seconds(), (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()
}

// TestFigureExplainMemory: a log of 2 GB is explained in little memory, packed or
// not, of ordinary text and of the beginnings of failures that never came.
func TestFigureExplainMemory(t *testing.T) {
	const (
		block  = 20_000_000
		blocks = 100
		asked  = 64 << 20
	)
	ordinaryText := readAll(t, writeOrdinary(t, newOrdinary(t, 8, ordinaryFiles(t)...), block, nil))
	half := halfIncidents(t)
	for name, text := range map[string][]byte{
		"ordinary": ordinaryText, "half incidents": bytes.Repeat(half, block/len(half)),
	} {
		var packed bytes.Buffer
		writer := gzip.NewWriter(&packed)
		if _, err := writer.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		for form, piece := range map[string][]byte{"plain": text, "gzip": packed.Bytes()} {
			peak, lasted, stdout := explainPieces(t, piece, blocks)
			t.Logf("%s, %s: %d MB in %.1f s, at most %.1f MiB", name, form, len(text)*blocks/1_000_000, lasted.Seconds(), float64(peak)/(1<<20))
			if peak > asked {
				t.Errorf("%s, %s: %d bytes, want at most %d", name, form, peak, asked)
			}
			if name == "ordinary" && !strings.Contains(stdout, `"incidents": []`) {
				t.Errorf("%s, %s: found %.300s", name, form, stdout)
			}
		}
	}
}

// TestFigureFalseAlarms: in much ordinary text, full of what only speaks of
// failures, none is found.
func TestFigureFalseAlarms(t *testing.T) {
	const size = 200_000_000
	for name, form := range ordinaryForms() {
		t.Run(name, func(t *testing.T) {
			checkNothing(t, writeOrdinary(t, newOrdinary(t, 9, ordinaryFiles(t)...), size, form))
		})
	}
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// halfIncidents is the first half of each case that is nothing without the second.
func halfIncidents(t *testing.T) (text []byte) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/*/*.log")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	taken := 0
	half := filepath.Join(t.TempDir(), "half.log")
	for _, file := range files {
		data := readAll(t, file)
		end := bytes.LastIndexByte(data[:len(data)/2], '\n') + 1
		if bytes.IndexByte(data, 0) >= 0 || !bytes.Contains(data, []byte("\n")) {
			continue // UTF-16, or packed
		}
		if err := os.WriteFile(half, append(bytes.Clone(text), data[:end]...), 0o600); err != nil {
			t.Fatal(err)
		}
		if len(explainFile(t, half)) > 0 {
			continue
		}
		taken++
		text = append(text, data[:end]...)
	}
	t.Logf("%d halves, %d bytes", taken, len(text))
	if taken < 30 {
		t.Fatalf("only %d halves are nothing", taken)
	}
	return text
}

// explainPieces gives a text so many times to explain, and watches its memory.
func explainPieces(t *testing.T, piece []byte, times int) (peak int64, lasted time.Duration, stdout string) {
	t.Helper()
	command := exec.Command(built.oomdoc, "explain", "-o", "json", "-")
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	command.Stdout = &output
	began := time.Now()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	watching, done := make(chan struct{}), make(chan int64)
	go func() {
		var highest int64
		for {
			select {
			case <-watching:
				done <- highest
				return
			case <-time.After(20 * time.Millisecond):
				highest = max(highest, highWater(command.Process.Pid))
			}
		}
	}()
	for range times {
		if _, err := io.Copy(input, bytes.NewReader(piece)); err != nil {
			t.Error(err)
			break
		}
	}
	// It has read everything but the end of the pipe, and is still there.
	time.Sleep(time.Second)
	highest := highWater(command.Process.Pid)
	input.Close()
	if err := command.Wait(); err != nil && command.ProcessState.ExitCode() != 3 {
		t.Fatal(err)
	}
	close(watching)
	return max(highest, <-done), time.Since(began) - time.Second, output.String()
}

// highWater reads VmHWM of proc_pid_status(5), in bytes.
func highWater(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0 // it has ended
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kib, _ := strconv.ParseInt(strings.TrimSpace(strings.SplitN(rest, "kB", 2)[0]), 10, 64)
	return kib << 10
}

// seldom takes out the passages that have something that is looked for: one of so
// many shall have. Most services never print any.
func (o *ordinary) seldom(rare int) {
	o.rare = rare
	anchors := daemon.Anchors()
	for i, kind := range o.kinds {
		var plain []passage
		for _, p := range kind {
			text := strings.Join(p, "")
			if slices.ContainsFunc(anchors, func(anchor string) bool { return strings.Contains(text, anchor) }) {
				o.near = append(o.near, p)
			} else {
				plain = append(plain, p)
			}
		}
		o.kinds[i] = plain
	}
	o.kinds = slices.DeleteFunc(o.kinds, func(kind []passage) bool { return len(kind) == 0 })
}
