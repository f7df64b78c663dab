package applog

import (
	"bytes"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// kubelet reads evictions for memory (pkg/kubelet/eviction of Kubernetes), from
// the kubelet's log and from the events that it makes, and its SystemOOM events
// of kernel kills (pkg/kubelet/oom). It evicts for disk and process ids too,
// which is no matter of memory.
func kubelet(d *desk) []entry {
	k := &evictions{desk: d}
	return []entry{
		{"viction manager: must evict pod(s) to reclaim", k.takeReclaim},
		{"viction manager: attempting to reclaim", k.takeReclaim},
		{"viction manager: pod ", k.takeEvicted},
		{"The node was low on resource: memory.", k.takeLow},
		{"System OOM encountered, victim process: ", k.takeSystemOOM},
	}
}

type evictions struct {
	desk   *desk
	memory bool // what it last said that it must reclaim
	at     moment
}

const (
	tellerKubelet = "kubelet"
	// evictionPatience: the event of an eviction is written beside the log.
	evictionPatience = 10 * time.Second
	// reclaimWindow: a pod may take its grace period to end.
	reclaimWindow = 2 * time.Minute
)

// by admits what runs the kubelet inside itself (k3s, rke2, microk8s), and an
// event in a table, which names kubelet as its source.
func (k *evictions) by(l *line) (oomdoc.Witness, bool) {
	witness, is := l.by(
		[]string{"kubelet", "k3s", "rke2", "microk8s.daemon-kubelite", "kubelite", "hyperkube", "kubelet.sh"},
		[]string{"kubelet.service", "k3s.service", "k3s-agent.service", "rke2-server.service", "rke2-agent.service", "snap.microk8s.daemon-kubelite.service"},
	)
	if is && witness == oomdoc.WitnessUnnamed && (isKlog(l.text) || bytes.Contains(l.text, []byte(" kubelet"))) {
		witness = oomdoc.WitnessNamed
	}
	return witness, is
}

// isKlog tells klog's head with the file of the eviction manager: "I0601
// 12:00:00.310022    1201 eviction_manager.go:595] ".
func isKlog(text []byte) bool {
	at := bytes.Index(text, []byte("eviction_manager.go:"))
	return at > 0 && at < maxTag && bytes.IndexByte([]byte("IWEF"), text[0]) >= 0 && isDigit(text[1])
}

// takeReclaim reads what must be reclaimed: `resourceName="memory"`, or of 1.17
// and before "must evict pod(s) to reclaim memory".
func (k *evictions) takeReclaim(l *line) bool {
	if _, is := k.by(l); !is || !isManagerLine(l.text) {
		return false
	}
	_, what, _ := afterLast(l.text, "to reclaim")
	k.memory = bytes.Contains(what, []byte(`resourceName="memory"`)) || bytes.HasPrefix(what, []byte(" memory"))
	k.at = momentOf(l.rec)
	return true
}

// isManagerLine tells a line that the eviction manager wrote: with its own file in
// the head, or with its words at the start.
func isManagerLine(text []byte) bool {
	text = bytes.TrimLeft(text, `"Ee`)
	return bytes.HasPrefix(text, []byte("viction manager: ")) || bytes.Contains(text, []byte("eviction_manager.go:"))
}

// takeEvicted reads
//
//	1.18: "Eviction manager: pod is evicted successfully" pod="shop/cart-5d9c7b6f4d-x2x9k"
//	1.17: eviction manager: pod cart-5d9c7b6f4d-x2x9k_shop(6cbb…) is evicted successfully
func (k *evictions) takeEvicted(l *line) bool {
	witness, is := k.by(l)
	if !is || !k.memory || !isManagerLine(l.text) || !k.at.within(momentOf(l.rec), reclaimWindow) ||
		!bytes.Contains(l.text, []byte("evicted successfully")) {
		return false
	}
	kill := oomdoc.UserKill{
		Killer: oomdoc.KillerKubelet, Witness: witness, Reason: oomdoc.ReasonAvailable, Line: l.proof(),
	}
	_, rest, _ := bytes.Cut(l.text, []byte("viction manager: pod "))
	if name, found := after(rest, `pod="`); found {
		name, _, _ = bytes.Cut(name, []byte(`"`))
		kill.Namespace, kill.Pod, _ = strings.Cut(keep(name), "/")
	} else {
		name, _, _ = bytes.Cut(rest, []byte("("))
		kill.Pod, kill.Namespace, _ = strings.Cut(keep(name), "_")
	}
	if kill.Pod == "" {
		return false
	}
	parts := []string{"pod", kill.Namespace, kill.Pod}
	eventFirst := func(o *oomdoc.UserKill) bool {
		return isEviction(o) && o.LimitLine != "" && fitsPod(o.Pod, kill.Pod) && o.Line == ""
	}
	if e := k.desk.find(l, eventFirst); e != nil {
		e.kill.Namespace, e.kill.Pod, e.kill.Line = kill.Namespace, kill.Pod, kill.Line
		e.confirm(witness)
		k.desk.add(e, l)
		return true
	}
	k.desk.begin(l, &kill, 0, evictionPatience, parts...)
	return true
}

func isEviction(kill *oomdoc.UserKill) bool { return kill.Killer == oomdoc.KillerKubelet && !kill.Told }

// fitsPod tells names that may be those of one pod.
func fitsPod(a, b string) bool { return a == "" || b == "" || a == b }

// takeLow reads the message of an eviction's event:
//
//	The node was low on resource: memory. Threshold quantity: 100Mi, available:
//	91240Ki. Container cart was using 1871Mi, request is 256Mi, has larger
//	consumption of memory.
//
// 1.26 and before have no threshold and "which exceeds its request of 256Mi".
func (k *evictions) takeLow(l *line) bool {
	witness, is := k.by(l)
	at := bytes.Index(l.text, []byte("The node was low on resource: memory."))
	if !is || !isEventText(l.text, at, "Evicted") {
		return false
	}
	message := l.text[at:]
	kill := oomdoc.UserKill{
		Killer: oomdoc.KillerKubelet, Witness: witness, Reason: oomdoc.ReasonAvailable, LimitLine: l.proof(),
	}
	kill.MemLimitBytes = quantityAfter(message, "Threshold quantity: ")
	kill.MemAvailable = quantityAfter(message, ", available: ")
	kill.Pod = podBefore(l.text[:at])
	readContainers(&kill, message)
	withoutEvent := func(o *oomdoc.UserKill) bool {
		return isEviction(o) && o.LimitLine == "" && fitsPod(o.Pod, kill.Pod)
	}
	if e := k.desk.find(l, withoutEvent); e != nil {
		e.kill.MemLimitBytes, e.kill.MemAvailable, e.kill.LimitLine = kill.MemLimitBytes, kill.MemAvailable, kill.LimitLine
		e.kill.Container, e.kill.Using, e.kill.Request = kill.Container, kill.Using, kill.Request
		e.confirm(witness)
		k.desk.add(e, l)
		return true
	}
	k.desk.begin(l, &kill, 0, evictionPatience, "event", kill.Pod, string(message[:min(len(message), maxKept)]))
	return true
}

// isEventText tells a message that stands where the kubelet or kubectl writes it:
// alone, after the reason of an event's table, or as a value in a log.
func isEventText(text []byte, at int, reason string) bool {
	if at < 0 {
		return false
	}
	before := bytes.TrimSpace(text[:at])
	return len(before) == 0 || bytes.Contains(before, []byte(reason)) || bytes.HasSuffix(before, []byte(`="`)) ||
		bytes.HasSuffix(before, []byte(`:"`)) || bytes.HasSuffix(before, []byte("Message:")) || bytes.HasSuffix(before, []byte("message:"))
}

// podBefore finds "pod/NAME" in the columns of an event's table.
func podBefore(columns []byte) string {
	for column := range bytes.FieldsSeq(columns) {
		if name, is := bytes.CutPrefix(column, []byte("pod/")); is {
			return keep(name)
		}
	}
	return ""
}

// readContainers takes the container that used most: of several in the pod each
// has a sentence.
func readContainers(kill *oomdoc.UserKill, message []byte) {
	for {
		rest, found := after(message, "Container ")
		if !found {
			return
		}
		message = rest
		name, use, found := bytes.Cut(rest, []byte(" was using "))
		using := quantity(use)
		if !found || using == nil || len(name) > maxTag || kill.Using != nil && *using <= *kill.Using {
			continue
		}
		kill.Container, kill.Using, kill.Request = keep(name), using, quantityAfter(use, ", request is ")
		if kill.Request == nil {
			kill.Request = quantityAfter(use, " exceeds its request of ")
		}
	}
}

// takeSystemOOM reads "System OOM encountered, victim process: vector, pid:
// 3052236": the kubelet's word of a kernel kill for no cgroup's limit.
func (k *evictions) takeSystemOOM(l *line) bool {
	witness, is := k.by(l)
	at := bytes.Index(l.text, []byte("System OOM encountered, victim process: "))
	if !is || l.inKernelLog || !isEventText(l.text, at, "SystemOOM") {
		return false
	}
	name, number, found := afterLast(l.text[at+len("System OOM encountered, victim process: "):], ", pid: ")
	pid, _, ok := small(number)
	if !found || !ok || len(name) > maxTag {
		return false
	}
	kill := oomdoc.UserKill{
		Killer: oomdoc.KillerKernel, Witness: witness, Told: true, Teller: tellerKubelet, PID: pid,
		Comm: new(string(name)), Line: l.proof(),
	}
	same := func(o *oomdoc.UserKill) bool { return o.Told && o.PID == pid }
	if e := k.desk.find(l, same); e != nil {
		k.desk.add(e, l)
		return true
	}
	k.desk.begin(l, &kill, toldHold, toldPatience, "pid", string(name), string(number[:min(len(number), maxTag)]))
	return true
}
