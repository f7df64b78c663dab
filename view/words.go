package view

import (
	"cmp"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

// words says view's own sentences in the reader's language.
type words struct {
	language *lang.Language
}

func (w words) say(key oomdoc.Key, args oomdoc.Args) string {
	return w.language.Text(oomdoc.Say(key, args))
}

// named finds the word for a value of a set; a value that is newer than the set
// is written as it is.
func named[T ~string](w words, set map[T]oomdoc.Key, value T) string {
	if key, known := set[value]; known {
		return w.say(key, nil)
	}
	return string(value)
}

// comm is a process's name for people. A comm may be empty (prctl(2),
// PR_SET_NAME).
func (w words) comm(name *string) string {
	switch {
	case name == nil:
		return ""
	case *name == "":
		return w.say(keyNoName, nil)
	}
	return *name
}

// owner says who the process belonged to, with the kind of thing that it is;
// "" when nothing is known.
func (w words) owner(p *oomdoc.Process) string {
	name := ownerName(p)
	if name == "" {
		return ""
	}
	if key, known := ownerWords()[oomdoc.OwnerKind(p.OwnerKind)]; known {
		return w.say(key, oomdoc.Args{"name": oomdoc.Text(name)})
	}
	return name
}

// shortContainer is as much of a container's id as people use (docker ps).
func shortContainer(id string) string {
	const digits = 12
	return id[:min(len(id), digits)]
}

// ownerName is the shortest name that is known of the owner.
func ownerName(p *oomdoc.Process) string {
	return cmp.Or(p.Owner, p.Unit, p.UserUnit, p.ContainerName, shortContainer(p.Container), p.PodName, p.Pod, p.Cgroup)
}

// time says when an incident was.
func (w words) time(inc *oomdoc.Incident, now time.Time) string {
	if inc.Time.IsZero() && inc.Usec > 0 {
		return w.say(keyTimeSinceBoot, oomdoc.Args{"since": oomdoc.Duration(time.Duration(inc.Usec) * time.Microsecond)})
	}
	if inc.Time.IsZero() {
		return w.say(keyTimeUnknown, nil)
	}
	text := w.language.Time(inc.Time)
	if inc.TimeApproximate {
		text = w.say(keyTimeAbout, oomdoc.Args{"time": oomdoc.Text(text)})
	}
	if now.IsZero() {
		return text
	}
	age := w.language.Age(inc.Time, now)
	return w.say(keyTimeAge, oomdoc.Args{"time": oomdoc.Text(text), "age": oomdoc.Text(age)})
}
