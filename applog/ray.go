package applog

import (
	"bytes"
	"time"

	"github.com/oomdoc/oomdoc"
)

// rayMonitor reads the kills of Ray's memory monitor (src/ray/raylet,
// CreateOomKillMessageDetails): the error that the driver prints and the raylet
// logs. Its "GB" are 2^30 bytes.
func rayMonitor(d *desk) []entry {
	r := &rayKiller{desk: d}
	return []entry{{"emory on the node (IP: ", r.take}}
}

type rayKiller struct{ desk *desk }

// rayPatience: driver, raylet and workers tell of one kill within seconds.
const rayPatience = 10 * time.Second

// take reads
//
//	Memory on the node (IP: 10.0.0.5, ID: 90ef...) where the task (task ID: a675...,
//	name=allocate_memory, pid=91085, memory used=24.99GB) was running was
//	32.62GB / 34.00GB (0.959), which exceeds the memory usage threshold of 0.95.
//
// and of 2.50 and later, for several workers, "Memory on the node (IP: ..., ID:
// ...) was 110.69GB / 124.35GB (0.890161)" without task and threshold.
func (r *rayKiller) take(l *line) bool {
	if l.inKernelLog {
		return false
	}
	message, found := after(l.text, "emory on the node (IP: ")
	if !found {
		return false
	}
	witness := oomdoc.WitnessUnnamed // the output of a program
	kill := oomdoc.UserKill{
		Killer: oomdoc.KillerRay, Witness: witness, Reason: oomdoc.ReasonUsage, Line: l.proof(), Signal: "SIGKILL",
	}
	if !readNode(&kill, message) {
		return false
	}
	if task, has := after(message, ", name="); has {
		name, rest, pid := bytes.Cut(task, []byte(", pid="))
		if n, rest, ok := small(rest); pid && ok && len(name) <= maxKept {
			kill.Task, kill.PID = keep(name), n
			kill.RSS = gigabytesAfter(rest, "memory used=")
		}
	}
	if kill.PID == 0 && !bytes.Contains(l.text, []byte("killed")) {
		return false // a state of memory, no kill
	}
	same := func(o *oomdoc.UserKill) bool {
		return o.Killer == oomdoc.KillerRay && o.PID == kill.PID && equal(o.MemUsed, kill.MemUsed)
	}
	if e := r.desk.find(l, same); e != nil {
		r.desk.add(e, l)
		return true
	}
	r.desk.begin(l, &kill, 0, rayPatience, string(message[:min(len(message), maxKept)]))
	return true
}

// readNode reads "was 32.62GB / 34.00GB (0.959), which exceeds the memory usage
// threshold of 0.95", from the last "was": a task may be named anything.
func readNode(kill *oomdoc.UserKill, message []byte) bool {
	_, use, found := afterLast(message, "GB / ")
	if !found {
		return false
	}
	before := message[:len(message)-len(use)-len("GB / ")]
	_, used, found := afterLast(before, " was ")
	if !found {
		return false
	}
	n, rest, ok := decimal(used)
	total := gigabytes(use)
	if !ok || len(rest) != 0 || total == nil {
		return false
	}
	kill.MemUsed, kill.MemTotal = scaled(n, gib), total
	if threshold := decimalAfter(use, "threshold of "); threshold != nil {
		kill.MemLimit = new(*threshold * 100)
	}
	return true
}

func gigabytes(text []byte) *int64 {
	n, rest, ok := decimal(text)
	if !ok || !bytes.HasPrefix(rest, []byte("GB")) {
		return nil
	}
	return scaled(n, gib)
}

func gigabytesAfter(text []byte, mark string) *int64 {
	rest, found := after(text, mark)
	if !found {
		return nil
	}
	return gigabytes(rest)
}

func equal(a, b *int64) bool { return a != nil && b != nil && *a == *b }
