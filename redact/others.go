package redact

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// hidden stands where something was left out.
const hidden = "***"

// ForOthers gives what every user of the machine may know of another's failure:
// when it was, which memory ran out and why, the unit, the numbers and the
// fixes. Command lines, paths, models, log lines, and who else held memory are
// left out, also where a sentence names them. The incident is not changed.
func ForOthers(inc oomdoc.Incident) oomdoc.Incident {
	o := others{secrets: secretsOf(&inc)}
	inc.Records, inc.Holders, inc.Samples = nil, nil, nil
	if inc.Process != nil {
		p := *inc.Process
		p.Cmdline, p.Cgroup, p.Model, p.Environment, p.StartedBy = nil, "", "", nil, nil
		if strings.HasPrefix(p.Owner, "/") {
			p.Owner = ""
		}
		inc.Process = &p
	}
	if inc.Kernel != nil {
		k := *inc.Kernel
		k.OOMCgroup, k.TaskCgroup = "", ""
		inc.Kernel = &k
	}
	inc.Summary, inc.VictimReason = o.sentence(inc.Summary), o.sentence(inc.VictimReason)
	inc.Missing = o.sentences(inc.Missing)
	inc.Evidence = slices.Clone(inc.Evidence)
	for i := range inc.Evidence {
		inc.Evidence[i] = oomdoc.Evidence{Sentence: o.sentence(inc.Evidence[i].Sentence)}
	}
	inc.Fixes = slices.Clone(inc.Fixes)
	for i := range inc.Fixes {
		fix := &inc.Fixes[i]
		fix.Title, fix.Why, fix.Steps = o.sentence(fix.Title), o.sentence(fix.Why), o.steps(fix.Steps)
	}
	return inc
}

// secretsOf are the names in an incident that are nobody else's business.
func secretsOf(inc *oomdoc.Incident) []string {
	var secrets []string
	add := func(texts ...string) {
		for _, text := range texts {
			if len(text) > 1 && !slices.Contains(secrets, text) { // "/" is every machine's
				secrets = append(secrets, text)
			}
		}
	}
	if p := inc.Process; p != nil {
		add(p.Cgroup, p.Model)
		for i, argument := range p.Cmdline {
			if i > 0 { // the program itself is known by its name; its path is hidden as a path
				add(argument)
			}
		}
		add(settingsOf(p)...)
	}
	if k := inc.Kernel; k != nil {
		add(k.OOMCgroup, k.TaskCgroup)
	}
	for _, h := range inc.Holders {
		if p := inc.Process; p == nil || p.Name == nil || *p.Name != h.Name {
			add(h.Name)
		}
	}
	return secrets
}

// settingsOf are the names within a process's variables and in the command that
// started it.
func settingsOf(p *oomdoc.Process) []string {
	var texts []string
	for _, variable := range p.Environment {
		_, value, _ := strings.Cut(variable, "=")
		texts = append(texts, variable, value)
	}
	if p.StartedBy != nil && len(p.StartedBy.Cmdline) > 0 {
		texts = append(texts, p.StartedBy.Cmdline[1:]...)
	}
	return texts
}

// others hides what stands in sentences.
type others struct{ secrets []string }

func (o others) sentences(all []oomdoc.Sentence) []oomdoc.Sentence {
	all = slices.Clone(all)
	for i := range all {
		all[i] = o.sentence(all[i])
	}
	return all
}

// sentence hides the facts of a sentence that are secret. One that has only its
// text, and a secret in it, is hidden whole.
func (o others) sentence(s oomdoc.Sentence) oomdoc.Sentence {
	if s.Key == "" && o.isSecret(s.Text) {
		return oomdoc.Sentence{Text: hidden}
	}
	s.Args = o.args(s.Args)
	if s.Key != "" {
		s.Text = "" // it was made with the facts
	}
	return s
}

func (o others) args(args oomdoc.Args) oomdoc.Args {
	if args == nil {
		return nil
	}
	seen := make(oomdoc.Args, len(args))
	for name, value := range args {
		if value.Kind == oomdoc.KindText && o.isSecret(value.S) {
			value.S = hidden
		}
		seen[name] = value
	}
	return seen
}

// steps leaves out the commands that name a secret: with "***" in it a command
// is of no use. The paths in our own commands are of the system.
func (o others) steps(steps []oomdoc.Sentence) []oomdoc.Sentence {
	var seen []oomdoc.Sentence
	for _, step := range steps {
		switch {
		case !step.IsCommand():
			seen = append(seen, o.sentence(step))
		case !o.names(step.Args["command"].S) && !o.names(step.Text):
			seen = append(seen, step)
		}
	}
	return seen
}

// isSecret tells a text that names a secret or is a path.
func (o others) isSecret(text string) bool {
	return o.names(text) || strings.HasPrefix(text, "/") && text != "/" || strings.Contains(text, " /") || strings.Contains(text, "=/")
}

func (o others) names(text string) bool {
	return slices.ContainsFunc(o.secrets, func(secret string) bool {
		// A short argument ("-v", "8") is part of any text; by itself it tells nothing.
		const tells = 4
		isPath := secret[0] == '/'
		return text == secret || (isPath || len(secret) >= tells) && replaceWord(text, secret, "") != text
	})
}
