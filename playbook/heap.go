package playbook

import (
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyHeapWhy oomdoc.Key = "fix.grow-heap.why-now"
	keyHeapRAM oomdoc.Key = "fix.grow-heap.why-ram"
)

// reckonHeap doubles the limit of a runtime's heap, as far as RAM allows: what it
// would have needed the lines do not say.
func reckonHeap(r *refused) reckoning {
	now := r.heapNow()
	if now <= 0 {
		return reckoning{}
	}
	next := roundUp(saturating(now, now))
	if ram := r.facts.RAMBytes; ram > 0 && next > share(ram, heapShare) {
		next = roundDown(share(ram, heapShare))
		if next <= now {
			return reckoning{unfit: true}
		}
		return reckoning{
			value: r.heapUnits(next),
			why:   oomdoc.Say(keyHeapRAM, oomdoc.Args{"now": oomdoc.Bytes(now), "next": oomdoc.Bytes(next), "ram": oomdoc.Bytes(ram)}),
		}
	}
	return reckoning{
		value: r.heapUnits(next),
		why:   oomdoc.Say(keyHeapWhy, oomdoc.Args{"now": oomdoc.Bytes(now), "next": oomdoc.Bytes(next)}),
	}
}

// heapShare, in percent of RAM: a heap that leaves room for the runtime's own
// memory and for others (java(1), -XX:MaxRAMPercentage: 75 for a container of its
// own is usual).
const heapShare = 75

// heapUnits writes a size as the runtime takes it: Java with a unit, Node in MiB.
func (r *refused) heapUnits(n int64) string {
	if r.engine() == oomdoc.EngineNode {
		return strconv.FormatInt(n/mib, 10)
	}
	return inUnits(n, dockerUnits())
}

// heapNow is the limit of the heap, as told or as given to the process.
func (r *refused) heapNow() int64 {
	if r.e.Limit != nil {
		return *r.e.Limit
	}
	for _, argument := range r.args.commandLine {
		if size, is := strings.CutPrefix(argument, "-Xmx"); is {
			return javaSize(size)
		}
	}
	if n, has := r.args.number("--max-old-space-size"); has {
		return n * mib
	}
	return 0
}

// javaSize reads "512m" (java(1), -Xmx).
func javaSize(text string) int64 {
	digits := strings.TrimRight(text, "kKmMgGtT")
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 0 || len(text)-len(digits) > 1 {
		return 0
	}
	switch strings.ToLower(text[len(digits):]) {
	case "k":
		return n * kib
	case "m":
		return n * mib
	case "g":
		return n * gib
	case "t":
		return min(n, 1<<10) * tib
	}
	return n
}
