package playbook

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A place is where a setting is made.
type place int

const (
	inCommandLine place = iota // an option of the program
	outOfCommand               // an option to leave out
	inEnvironment              // NAME=value
	inPython                   // a line of the user's code
	inConfig                   // a key of the program's configuration or of a request
	inShell                    // a command to type; MODEL in it is the model's name
	inPrompt                   // to type at the program's own prompt
	inWords                    // a sentence, of the key words
)

// A setting is what a person types to do a measure in an engine. {n} in its text
// is the number that the incident's figures give, or first where they give none;
// it is written as it is in every language.
type setting struct {
	engine   string
	measure  measure
	place    place
	text     string
	names    []string            // how the option may be spelled, to find it in the process's own command line
	first    string              // a first try for {n}; without one the setting needs a number
	onlySeen bool                // outOfCommand: only where the command line is known to have it
	only     func(*refused) bool // where it applies, nil for everywhere
	words    oomdoc.Key          // inWords
	since    string              // the version of the engine from which it holds, or the oldest in which it was seen
	until    string              // the version from which it no longer does, "" for none
	tell     bool                // the version is recent enough to be told
	source   string              // where that is written
}

// settings is the data of all engines.
func settings() []setting {
	return slices.Concat(
		pytorchSettings(), transformersSettings(), diffusersSettings(), trainingSettings(), jaxSettings(), tensorflowSettings(),
		llamaSettings(), ollamaSettings(), lmstudioSettings(), koboldSettings(), textgenSettings(),
		vllmSettings(), sglangSettings(), tgiSettings(), otherServerSettings(),
		comfySettings(), a1111Settings(), runtimeSettings(), librarySettings(),
	)
}

// settingsOf are the settings of a measure for the first of some engines that has
// any.
func settingsOf(engines []string, m measure) (found []setting) {
	for _, engine := range engines {
		for _, s := range settings() {
			if s.engine == engine && s.measure == m {
				found = append(found, s)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

const (
	keyFlag         oomdoc.Key = "step.flag"
	keyFlagChange   oomdoc.Key = "step.flag-change"
	keyFlagFrees    oomdoc.Key = "step.flag-frees"
	keyFlagMissing  oomdoc.Key = "step.flag-frees-missing"
	keyFlagDrop     oomdoc.Key = "step.flag-drop"
	keyFlagUnit     oomdoc.Key = "step.flag-unit"
	keyFlagPod      oomdoc.Key = "step.flag-pod"
	keyFlagBox      oomdoc.Key = "step.flag-container"
	keyPython       oomdoc.Key = "step.python"
	keyConfig       oomdoc.Key = "step.config"
	keyPrompt       oomdoc.Key = "step.prompt"
	keySettingSince oomdoc.Key = "step.setting-since"
	keySettingUntil oomdoc.Key = "step.setting-until"
)

// steps are what to type for a measure: the treatment's own steps, and the
// settings of the engine.
func (r *refused) steps(m measure, reckoned reckoning) []oomdoc.Sentence {
	var steps []oomdoc.Sentence
	if own := treatments()[m].steps; own != nil {
		steps = own(r, reckoned)
	}
	if c := reckoned.change; c != nil {
		steps = append(steps, oomdoc.Say(keyFlagChange, oomdoc.Args{"old": oomdoc.Text(c.old), "new": oomdoc.Text(c.new)}))
	}
	flags := false
	for _, s := range settingsOf(r.kinFor(m), m) {
		if !r.holds(s, reckoned) {
			continue
		}
		flags = flags || s.place == inCommandLine || s.place == outOfCommand
		steps = append(steps, r.step(s, reckoned)...)
		reckoned.saves = nil // said once
		if s.tell && !r.atLeast(s.engine, s.since) || s.until != "" {
			steps = append(steps, version(s))
		}
	}
	if flags {
		steps = append(steps, r.whereFlagsStand()...)
	}
	return steps
}

// holds tells whether a setting is one for this process: its version, and what it
// has set.
func (r *refused) holds(s setting, reckoned reckoning) bool {
	switch {
	case s.until != "" && r.atLeast(s.engine, s.until), s.only != nil && !s.only(r):
		return false
	case s.place == inCommandLine && r.isSet(s):
		return false // the process has it
	case strings.Contains(s.text, "{n}") && reckoned.value == "" && s.first == "":
		return false // there is no number to give
	case s.place == outOfCommand && r.overruledBy(s.names):
		return true
	case s.place == outOfCommand && (len(r.args) > 0 || s.onlySeen):
		return r.args.has(s.names...) // what is not set cannot be left out
	}
	return true
}

// isSet tells an option without a number of ours that the process has as it would
// be written.
func (r *refused) isSet(s setting) bool {
	if strings.Contains(s.text, "{n}") {
		return false
	}
	typed, _, found := r.args.find(s.names...)
	return found && strings.Join(strings.FieldsFunc(typed, isBlankOrEquals), " ") == strings.Join(strings.FieldsFunc(s.text, isBlankOrEquals), " ")
}

func isBlankOrEquals(c rune) bool { return c == ' ' || c == '=' }

// named fills in the model's name.
func (r *refused) named(text string) string {
	model := r.model()
	if model == "" || !isExact(model) || strings.HasPrefix(model, "/") || strings.HasPrefix(model, "-") {
		return text
	}
	return strings.ReplaceAll(text, "MODEL", quote(model))
}

// step writes one setting.
func (r *refused) step(s setting, reckoned reckoning) []oomdoc.Sentence {
	n := reckoned.value
	if n == "" {
		n = s.first
	}
	text := r.named(strings.ReplaceAll(s.text, "{n}", n))
	switch s.place {
	case inCommandLine:
		return []oomdoc.Sentence{r.option(s, text, reckoned)}
	case outOfCommand:
		typed, _, found := r.args.find(s.names...)
		if !found {
			typed = text
		}
		return []oomdoc.Sentence{oomdoc.Say(keyFlagDrop, oomdoc.Args{"old": oomdoc.Text(typed)})}
	case inEnvironment:
		return r.environment(text)
	case inPython:
		return []oomdoc.Sentence{oomdoc.Say(keyPython, oomdoc.Args{"code": oomdoc.Text(text)})}
	case inPrompt:
		return []oomdoc.Sentence{oomdoc.Say(keyPrompt, oomdoc.Args{"code": oomdoc.Text(text)})}
	case inConfig:
		return []oomdoc.Sentence{oomdoc.Say(keyConfig, oomdoc.Args{"code": oomdoc.Text(text)})}
	case inShell:
		return []oomdoc.Sentence{oomdoc.Command(text)}
	}
	return []oomdoc.Sentence{oomdoc.Say(s.words, nil)}
}

// option says an option, beside the one that the process had, with what the
// change frees.
func (r *refused) option(s setting, text string, reckoned reckoning) oomdoc.Sentence {
	typed, _, found := r.args.find(s.names...)
	if !found || typed == text {
		return oomdoc.Say(keyFlag, oomdoc.Args{"new": oomdoc.Text(text)})
	}
	args := oomdoc.Args{"old": oomdoc.Text(typed), "new": oomdoc.Text(text)}
	if reckoned.saves == nil {
		return oomdoc.Say(keyFlagChange, args)
	}
	args["frees"] = oomdoc.Bytes(*reckoned.saves)
	if missing := r.missing(); missing != nil {
		args["missing"] = oomdoc.Bytes(*missing)
		return oomdoc.Say(keyFlagMissing, args)
	}
	return oomdoc.Say(keyFlagFrees, args)
}

// version says from when on a setting holds, or until when it did.
func version(s setting) oomdoc.Sentence {
	what, _, _ := strings.Cut(s.text, "{n}")
	what = strings.TrimSpace(strings.TrimRight(what, " =("))
	args := oomdoc.Args{"what": oomdoc.Text(what), "engine": oomdoc.Text(s.engine)}
	if s.until != "" {
		args["version"] = oomdoc.Text(s.until)
		return oomdoc.Say(keySettingUntil, args)
	}
	args["version"] = oomdoc.Text(s.since)
	return oomdoc.Say(keySettingSince, args)
}

// whereFlagsStand says where the command line of a service is written.
func (r *refused) whereFlagsStand() []oomdoc.Sentence {
	p := r.inc.Process
	switch {
	case p == nil:
		return nil
	case isService(p.Unit):
		return append([]oomdoc.Sentence{oomdoc.Say(keyFlagUnit, nil)}, editUnit("sudo systemctl", "--full ", p.Unit)...)
	case isService(p.UserUnit):
		return append([]oomdoc.Sentence{oomdoc.Say(keyFlagUnit, nil)}, editUnit("systemctl --user", "--full ", p.UserUnit)...)
	case p.Pod != "":
		return []oomdoc.Sentence{oomdoc.Say(keyFlagPod, nil)}
	case p.Container != "":
		return []oomdoc.Sentence{oomdoc.Say(keyFlagBox, nil)}
	}
	return nil
}

// isService tells a unit whose file a person can edit. What carries the output of
// containers is not the program's own.
func isService(unit string) bool {
	if !isExact(unit) || !strings.HasSuffix(unit, ".service") || isTransient(unit) || strings.HasPrefix(unit, "user@") {
		return false
	}
	return !slices.Contains([]string{"docker.service", "containerd.service", "crio.service", "kubelet.service"}, unit)
}

func editUnit(systemctl, how, unit string) []oomdoc.Sentence {
	return []oomdoc.Sentence{
		oomdoc.Command(systemctl + " edit " + how + operand(unit)),
		oomdoc.Command(systemctl + " restart " + operand(unit)),
	}
}
