package oomdoc

import "strings"

// Offender names what keeps failing, so that its failures can be counted
// together: "KIND:NAME", of the first of these that is known.
//
//	pod:NAMESPACE/WORKLOAD  a pod's workload (Deployment, StatefulSet, Job, ...),
//	                        followed by /CONTAINER where its name is known
//	pod:UID                 a pod of which only the uid is known
//	container:NAME          a container, by its name or else its image or id
//	app:NAME, lxc:NAME, vm:NAME, slurm-job:NAME  what else owns a cgroup by name
//	user-unit:NAME          a unit of a user's manager
//	unit:NAME               a unit of the system manager
//	program:NAME            a program, or its engine where that alone is known,
//	                        followed by " MODEL" where it serves one
//	cgroup:PATH             the cgroup that ran out, when no process is known
//	machine:                nothing is known but that this machine ran out
//
// Names that are made anew for each start (a login session, a transient unit
// of systemd-run, a pod's container id) say nothing of who keeps failing, so
// they are passed over. The name is untrusted text, as it came.
func (i *Incident) Offender() string {
	process := i.Process
	if process == nil {
		process = &Process{}
	}
	for _, name := range []func(*Process) string{
		podOffender, containerOffender, ownerOffender, userUnitOffender, unitOffender, programOffender,
	} {
		if offender := name(process); offender != "" {
			return offender
		}
	}
	if i.Kernel != nil && i.Kernel.OOMCgroup != "" {
		return "cgroup:" + i.Kernel.OOMCgroup
	}
	return "machine:"
}

func podOffender(p *Process) string {
	if p.PodName != "" {
		return "pod:" + joinNonEmpty("/", p.Namespace, Workload(p.PodName), p.ContainerName)
	}
	if p.Pod != "" {
		return "pod:" + joinNonEmpty("/", p.Pod, p.ContainerName)
	}
	return ""
}

// shortID is how many digits of a container's id its runtimes print.
const shortID = 12

func containerOffender(p *Process) string {
	if p.Container == "" && p.ContainerName == "" {
		return ""
	}
	for _, name := range []string{p.ContainerName, p.Image} {
		if name != "" {
			return "container:" + name
		}
	}
	return "container:" + p.Container[:min(shortID, len(p.Container))]
}

func ownerOffender(p *Process) string {
	switch OwnerKind(p.OwnerKind) {
	case OwnerApp, OwnerLXC, OwnerVM, OwnerSlurm:
		if p.Owner != "" {
			return p.OwnerKind + ":" + p.Owner
		}
	}
	return ""
}

func userUnitOffender(p *Process) string {
	if p.UserUnit == "" || madePerStart(p.UserUnit) {
		return ""
	}
	return "user-unit:" + p.UserUnit
}

func unitOffender(p *Process) string {
	if p.Unit == "" || madePerStart(p.Unit) || strings.HasPrefix(p.Unit, "user@") {
		return ""
	}
	return "unit:" + p.Unit
}

// madePerStart tells a unit whose name is new at every start: systemd-run's
// transient units (src/run/run.c of systemd 257: "run-u12.service",
// "run-r0123....service", "run-p12-i34.scope"), logind's session scopes and
// every other scope of a user's desktop that ends in a number.
func madePerStart(unit string) bool {
	switch {
	case strings.HasPrefix(unit, "run-"):
		return true
	case strings.HasPrefix(unit, "session-") && strings.HasSuffix(unit, ".scope"):
		return true
	case unit == "init.scope":
		return true
	}
	stem, isScope := strings.CutSuffix(unit, ".scope")
	return isScope && stem != strings.TrimRight(stem, digits)
}

func programOffender(p *Process) string {
	name := p.Engine
	if p.Name != nil && *p.Name != "" {
		name = *p.Name
	}
	if name == "" {
		return ""
	}
	return "program:" + joinNonEmpty(" ", name, p.Model)
}

func joinNonEmpty(separator string, parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, separator)
}

// podSuffixAlphabet are the characters of names that Kubernetes generates
// (k8s.io/apimachinery, pkg/util/rand/rand.go, alphanums): no vowel, and no
// digit that reads like a letter.
const podSuffixAlphabet = "bcdfghjklmnpqrstvwxz2456789"

const digits = "0123456789"

// Workload cuts from a pod's name what Kubernetes appended to the name of its
// workload: "web-7d9f8b6c5d-x2x4z" (Deployment), "agent-x2x4z" (DaemonSet, Job)
// and "backup-28012345-x2x4z" (CronJob) lose their generated parts, "db-0"
// (StatefulSet) its ordinal. A name that was not generated is given back whole.
func Workload(pod string) string {
	stem, last, found := cutLast(pod)
	switch {
	case !found:
		return pod
	case len(last) < 5 && madeOf(last, digits):
		return stem
	case len(last) != 5 || !madeOf(last, podSuffixAlphabet):
		return pod
	}
	above, part, found := cutLast(stem)
	if found && isSetName(part) {
		return above
	}
	return stem
}

// isSetName tells the hash of a Deployment's ReplicaSet (a 32-bit number in up
// to ten characters of the alphabet) or the minute of a CronJob's Job (eight
// digits from 1990 on).
func isSetName(part string) bool {
	hash := len(part) >= 8 && len(part) <= 10 && madeOf(part, podSuffixAlphabet)
	minute := len(part) == 8 && madeOf(part, digits)
	return hash || minute
}

func madeOf(text, alphabet string) bool { return strings.Trim(text, alphabet) == "" }

// cutLast cuts a name at its last dash.
func cutLast(name string) (stem, last string, found bool) {
	at := strings.LastIndexByte(name, '-')
	if at <= 0 || at == len(name)-1 {
		return name, "", false
	}
	return name[:at], name[at+1:], true
}
