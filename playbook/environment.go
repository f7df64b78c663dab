package playbook

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyEnvUnit    oomdoc.Key = "step.env-unit"
	keyEnvPod     oomdoc.Key = "step.env-pod"
	keyEnvBox     oomdoc.Key = "step.env-container"
	keyEnvShell   oomdoc.Key = "step.env-shell"
	keyEnvDefault oomdoc.Key = "step.env-ollama"
)

// defaultOllama is the unit that Ollama's installer makes (ollama:docs/linux).
const defaultOllama = "ollama.service"

// environment sets a variable where this process has its environment from.
func (r *refused) environment(assignment string) []oomdoc.Sentence {
	name, value, _ := strings.Cut(assignment, "=")
	line := oomdoc.Args{"line": oomdoc.Text(`Environment="` + assignment + `"`)}
	p := r.inc.Process
	if p == nil {
		p = &oomdoc.Process{}
	}
	switch {
	case isService(p.Unit):
		return append([]oomdoc.Sentence{oomdoc.Say(keyEnvUnit, line)}, editUnit("sudo systemctl", "", p.Unit)...)
	case isService(p.UserUnit):
		return append([]oomdoc.Sentence{oomdoc.Say(keyEnvUnit, line)}, editUnit("systemctl --user", "", p.UserUnit)...)
	case p.Pod != "":
		return []oomdoc.Sentence{oomdoc.Say(keyEnvPod, oomdoc.Args{"name": oomdoc.Text(name), "value": oomdoc.Text(value)})}
	case p.Container != "":
		return []oomdoc.Sentence{oomdoc.Say(keyEnvBox, oomdoc.Args{"option": oomdoc.Text("-e " + assignment)})}
	case r.engine() == oomdoc.EngineOllama:
		return append([]oomdoc.Sentence{oomdoc.Say(keyEnvDefault, line)}, editUnit("sudo systemctl", "", defaultOllama)...)
	}
	return []oomdoc.Sentence{oomdoc.Say(keyEnvShell, nil), oomdoc.Command("export " + name + "=" + quote(value))}
}
