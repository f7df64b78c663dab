package playbook

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// The kills of the kernel for which the program, or what it runs in, has a setting
// of its own beside the limit.

// giveWSLMore is for a machine that is WSL's: its RAM is a setting on Windows. The
// kernel's own version tells (microsoft: WSL2-Linux-Kernel).
func giveWSLMore(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseHostExhausted || !strings.Contains(p.report.KernelVersion, "microsoft-standard-WSL") {
		return oomdoc.Fix{}, false
	}
	t := treatments()[wslMemory]
	return oomdoc.Fix{Title: oomdoc.Say(t.title, nil), Why: oomdoc.Say(t.why, nil), Steps: p.wslSettings()}, true
}

// promptCacheAnon: with less anonymous memory the cache of prompts in RAM is not what
// filled it. Its own bound is 8 GiB (llama.cpp:tools/server/README).
const promptCacheAnon = 3 * gib

// capHostCache is for llama.cpp's server, also within Ollama: it keeps prompts in
// RAM, 8 GiB of them unless it is told otherwise, and so grows by the prompt for
// days (home-ops#13936, llama.cpp#20509). Its weights are mapped from a file and
// not anonymous. This is for a log that says no more than that.
func capHostCache(p *patient) (oomdoc.Fix, bool) {
	if !slices.Contains([]oomdoc.Cause{oomdoc.CauseHostExhausted, oomdoc.CauseCgroupLimit}, p.inc.Cause) {
		return oomdoc.Fix{}, false
	}
	engine := p.servesGGUF()
	if engine == "" || len(p.report.Kills) == 0 || valueOf(p.report.Kills[0].AnonRSS) < promptCacheAnon {
		return oomdoc.Fix{}, false
	}
	r := newRefused(p.inc, &oomdoc.ProgramError{Engine: engine}, p.facts)
	if r.args.isKnown() {
		return oomdoc.Fix{}, false // its own settings tell more
	}
	t := treatments()[capCache]
	return oomdoc.Fix{Title: oomdoc.Say(t.title, nil), Why: oomdoc.Say(t.why, nil), Steps: r.steps(capCache, reckoning{})}, true
}

// servesGGUF tells by its name a process that is llama.cpp's server, or Ollama's.
func (p *patient) servesGGUF() string {
	if p.inc.Process == nil || p.inc.Process.Name == nil {
		return ""
	}
	switch name := *p.inc.Process.Name; {
	case name == "ollama", name == "llama-server" && strings.Contains(p.inc.Process.Unit+p.inc.Process.Image+p.victimPath(), "ollama"):
		return oomdoc.EngineOllama
	case name == "llama-server":
		return oomdoc.EngineLlamaCpp
	}
	return ""
}
