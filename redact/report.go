package redact

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A report replaces names by words that tell nothing, the same word for the same
// name wherever it stands.
type report struct {
	pairs []string // name, word
	words map[string]string
}

// Report gives a rendered incident and its records as they can be shown to
// strangers: the kernel's numbers stay, names are replaced. Host is the name of
// this machine. Command lines are left out; so are the names of processes,
// units, containers, pods, folders, models and images.
//
// A log line is hostile text and names can hide in it, so the result is for its
// owner to look at before it is posted.
func Report(inc oomdoc.Incident, host string) oomdoc.Incident {
	r := &report{words: make(map[string]string)}
	r.add("host", host)
	r.incident(&inc)
	for _, record := range inc.Records {
		r.tasks(record)
	}
	r.sort()

	inc.Process = r.process(inc.Process)
	if inc.Kernel != nil {
		k := *inc.Kernel
		k.OOMCgroup, k.TaskCgroup = r.text(k.OOMCgroup), r.text(k.TaskCgroup)
		if k.Invoker != nil {
			k.Invoker = new(r.text(*k.Invoker))
		}
		inc.Kernel = &k
	}
	inc.BootID = ""
	inc.Victims = slices.Clone(inc.Victims)
	for i := range inc.Victims {
		inc.Victims[i].Name = r.text(inc.Victims[i].Name)
	}
	inc.Holders = slices.Clone(inc.Holders)
	for i := range inc.Holders {
		inc.Holders[i].Name = r.text(inc.Holders[i].Name)
	}
	inc.Summary, inc.VictimReason, inc.Missing = r.sentence(inc.Summary), r.sentence(inc.VictimReason), r.sentences(inc.Missing)
	inc.Evidence = slices.Clone(inc.Evidence)
	for i := range inc.Evidence {
		inc.Evidence[i] = oomdoc.Evidence{Sentence: r.sentence(inc.Evidence[i].Sentence), Record: r.text(inc.Evidence[i].Record)}
	}
	inc.Fixes = slices.Clone(inc.Fixes)
	for i := range inc.Fixes {
		fix := &inc.Fixes[i]
		fix.Title, fix.Why, fix.Steps = r.sentence(fix.Title), r.sentence(fix.Why), r.sentences(fix.Steps)
	}
	inc.Records = slices.Clone(inc.Records)
	for i := range inc.Records {
		inc.Records[i] = r.text(inc.Records[i])
	}
	return inc
}

// add makes a word for a name. What is short or everywhere tells nothing.
func (r *report) add(kind, name string) {
	if _, has := r.words[name]; has || len(name) < 2 || isCommon(name) {
		return
	}
	r.words[name] = fmt.Sprintf("%s-%d", kind, len(r.words)+1)
}

// incident makes words for the names that an incident has.
func (r *report) incident(inc *oomdoc.Incident) {
	if p := inc.Process; p != nil {
		r.add("unit", p.Unit)
		r.add("unit", p.UserUnit)
		r.add("container", p.ContainerName)
		r.add("container", p.Container)
		r.add("container", p.Container[:min(12, len(p.Container))])
		r.add("image", p.Image)
		r.add("pod", p.PodName)
		r.add("pod", p.Pod)
		r.add("namespace", p.Namespace)
		r.add("model", p.Model)
		r.add("owner", p.Owner)
		r.path(p.Cgroup)
		if p.Name != nil {
			r.add("program", *p.Name)
		}
		for _, argument := range p.Cmdline {
			r.add("argument", argument)
		}
		for _, text := range settingsOf(p) {
			r.add("setting", text)
		}
	}
	if k := inc.Kernel; k != nil {
		r.path(k.OOMCgroup)
		r.path(k.TaskCgroup)
		if k.Invoker != nil {
			r.add("program", *k.Invoker)
		}
	}
	for _, victim := range inc.Victims {
		r.add("program", victim.Name)
	}
	for _, holder := range inc.Holders {
		r.add("program", holder.Name)
	}
}

// path makes words for the parts of a cgroup path.
func (r *report) path(path string) {
	for part := range strings.SplitSeq(path, "/") {
		r.add("group", part)
	}
}

// isCommon tells a part of a path or a name that every machine has.
func isCommon(name string) bool {
	switch name {
	case "system.slice", "user.slice", "machine.slice", "init.scope", "app.slice", "session.slice", "docker", "kubepods",
		"kubepods.slice", "burstable", "besteffort", "kubepods-burstable.slice", "kubepods-besteffort.slice", "lxc",
		"systemd", "init", "host", "kubelet", "containerd", "dockerd", "localhost", "(none)":
		return true
	}
	return false
}

// The forms in which the kernel names a process in its report: the table
// (mm/oom_kill.c, dump_task), the kill line, the head, and task= of the summary.
var (
	taskLine = regexp.MustCompile(`\[ *\d+\] +\d+ +\d+(?: +-?\d+){5,9} (.+)$`)
	namedBy  = regexp.MustCompile(`[Kk]ill(?:ed)? process \d+,? \(([^)]{1,64})\)|Comm: (.{1,64}?) (?:Not tainted|Tainted)|,task=(.{1,64}?),pid=|(\S{1,64}) invoked oom-killer`)
)

// tasks makes words for the names of processes in a log line.
func (r *report) tasks(record string) {
	for line := range strings.Lines(record) {
		line = strings.TrimRight(line, "\n")
		if found := taskLine.FindStringSubmatch(line); found != nil {
			r.add("program", found[1])
		}
		for _, found := range namedBy.FindAllStringSubmatch(line, -1) {
			for _, name := range found[1:] {
				r.add("program", name)
			}
		}
	}
}

// sort puts the longest names first: one may be part of another.
func (r *report) sort() {
	names := make([]string, 0, len(r.words))
	for name := range r.words {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, name := range names {
		r.pairs = append(r.pairs, name, r.words[name])
	}
}

// Paths that are a person's, and addresses.
var (
	homePath = regexp.MustCompile(`/(?:home|root|mnt|media|data|srv|workspace|Users)/[^\s'",:;)\]}]+`)
	address  = regexp.MustCompile(`\b\d{1,3}(?:\.\d{1,3}){3}\b`)
)

// text replaces the names in a text. A name counts where it stands by itself:
// "a" of "a.service" is not every a.
func (r *report) text(text string) string {
	for i := 0; i < len(r.pairs); i += 2 {
		text = replaceWord(text, r.pairs[i], r.pairs[i+1])
	}
	return address.ReplaceAllString(homePath.ReplaceAllString(text, "/path"), "address")
}

func replaceWord(text, name, word string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, name)
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		end := at + len(name)
		inside := at > 0 && isLetter(text[at-1]) && isLetter(name[0]) || end < len(text) && isLetter(text[end]) && isLetter(name[len(name)-1])
		out.WriteString(text[:at])
		if inside {
			out.WriteString(name)
		} else {
			out.WriteString(word)
		}
		text = text[end:]
	}
}

// isLetter tells what makes a name part of a longer one. In other scripts words
// follow each other without a space ("python3은"), so they part no name.
func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (r *report) sentence(s oomdoc.Sentence) oomdoc.Sentence {
	s.Text = r.text(s.Text)
	return oomdoc.Sentence{Key: s.Key, Text: s.Text}
}

func (r *report) sentences(all []oomdoc.Sentence) []oomdoc.Sentence {
	all = slices.Clone(all)
	for i := range all {
		all[i] = r.sentence(all[i])
	}
	return all
}

func (r *report) process(p *oomdoc.Process) *oomdoc.Process {
	if p == nil {
		return nil
	}
	seen := *p
	seen.Cmdline, seen.UID, seen.Environment, seen.StartedBy = nil, nil, nil, nil
	for _, field := range []*string{
		&seen.Unit, &seen.UserUnit, &seen.Cgroup, &seen.Container, &seen.ContainerName, &seen.Image,
		&seen.Pod, &seen.PodName, &seen.Namespace, &seen.Owner, &seen.Model,
	} {
		*field = r.text(*field)
	}
	if p.Name != nil {
		seen.Name = new(r.text(*p.Name))
	}
	return &seen
}
