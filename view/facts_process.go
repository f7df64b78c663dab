package view

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// process names the victim or the program that failed.
func (e *explanation) process() string {
	p := e.inc.Process
	if p == nil {
		return ""
	}
	var list parts
	list.add(e.comm(p.Name))
	if p.PID != 0 {
		list.add(e.say(keyPID, oomdoc.Args{"pid": oomdoc.Count(p.PID)}))
	}
	if p.UID != nil {
		list.add(e.say(keyUID, oomdoc.Args{"uid": oomdoc.Count(*p.UID)}))
	}
	list.addNamed(e.words, keyEngine, "engine", p.Engine)
	list.addNamed(e.words, keyModel, "model", p.Model)
	return list.joined()
}

// commandLines is how many lines a command line may take unless all is asked
// for.
const commandLines = 3

// commandLine writes the arguments as a shell would read them.
func (e *explanation) commandLine() string {
	if e.inc.Process == nil {
		return ""
	}
	return e.arguments(e.inc.Process.Cmdline)
}

// starter is the command that started a worker.
func (e *explanation) starter() string {
	if e.inc.Process == nil || e.inc.Process.StartedBy == nil {
		return ""
	}
	by := e.inc.Process.StartedBy
	var list parts
	list.add(e.arguments(by.Cmdline))
	list.add(e.say(keyPID, oomdoc.Args{"pid": oomdoc.Count(by.PID)}))
	return list.joined()
}

// settings are the environment variables that say something of memory.
func (e *explanation) settings() string {
	if e.inc.Process == nil {
		return ""
	}
	return e.arguments(e.inc.Process.Environment)
}

func (e *explanation) arguments(all []string) string {
	if len(all) == 0 {
		return ""
	}
	arguments := make([]string, 0, len(all))
	for _, argument := range all {
		arguments = append(arguments, quoted(argument))
	}
	line := Escape(strings.Join(arguments, " "))
	if e.o.Full {
		return line
	}
	return shorten(line, commandLines*(e.width-labelColumns))
}

// labelColumns is about the width of the labels; it only decides where a
// command line is cut.
const labelColumns = 16

// quoted writes an argument so that its bounds can be seen. It is for reading,
// not for a shell.
func quoted(argument string) string {
	if argument != "" && !strings.ContainsAny(argument, " \t\n'\"\\$`*?[](){}<>|&;!~#") {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// ownerRow says whose process it was, and the names of its container.
func (e *explanation) ownerRow() string {
	p := e.inc.Process
	if p == nil {
		return ""
	}
	name := ownerName(p)
	if name == "" || name == p.Cgroup || name == p.Pod || name == p.PodName {
		return "" // the cgroup and the pod have rows of their own
	}
	var list parts
	list.add(e.owner(p))
	if p.ContainerName != name {
		list.addNamed(e.words, keyNamed, "name", p.ContainerName)
	}
	list.addNamed(e.words, keyImage, "image", p.Image)
	return list.joined()
}

// pod names the Kubernetes pod, namespace/name where known, and the container
// in it.
func (e *explanation) pod() string {
	p := e.inc.Process
	if p == nil {
		return ""
	}
	name := p.PodName
	if name != "" && p.Namespace != "" {
		name = p.Namespace + "/" + name
	}
	var list parts
	list.add(name)
	list.addNamed(e.words, keyPodUID, "uid", p.Pod)
	list.addNamed(e.words, keyQoS, "qos", p.QoS)
	if container := shortContainer(p.Container); len(list) > 0 && container != ownerName(p) {
		list.addNamed(e.words, keyInContainer, "id", container)
	}
	return list.joined()
}

// cgroup is the path of the process's cgroup, shown where nobody known manages
// it or all is asked for.
func (e *explanation) cgroup() string {
	p := e.inc.Process
	if p == nil {
		return ""
	}
	kind := oomdoc.OwnerKind(p.OwnerKind)
	if name := ownerName(p); e.o.Full || name == p.Cgroup || kind == oomdoc.OwnerCgroup || kind == oomdoc.OwnerSlice {
		return p.Cgroup
	}
	return ""
}

// victimNames is how many further victims are named unless all are asked for.
const victimNames = 8

// victims lists who was killed beside the process.
func (e *explanation) victims() string {
	var list parts
	more := 0
	for _, victim := range e.inc.Victims {
		if e.inc.Process != nil && victim.PID == e.inc.Process.PID {
			continue
		}
		if len(list) == victimNames && !e.o.Full {
			more++
			continue
		}
		list.add(e.victim(victim))
	}
	if more > 0 {
		list.add(e.say(keyMoreVictims, oomdoc.Args{"n": oomdoc.Count(more)}))
	}
	return list.joined()
}

func (e *explanation) victim(victim oomdoc.Victim) string {
	args := oomdoc.Args{"name": oomdoc.Text(e.comm(&victim.Name)), "pid": oomdoc.Count(victim.PID)}
	if victim.RSSBytes == nil {
		return e.say(keyVictim, args)
	}
	args["rss"] = oomdoc.Bytes(*victim.RSSBytes)
	return e.say(keyVictimRSS, args)
}
