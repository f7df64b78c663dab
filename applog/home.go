package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// homeOf is the engine that a line's writer is named for: its unit as journald
// tells it, else the tag of its lines. What a library prints in there is the
// engine's: lines of ggml by ollama.service are Ollama's.
func homeOf(l *line) string {
	name := l.writer
	if j := l.rec.Journal; j != nil && isService(string(j.WriterUnit)) {
		name = bytes.TrimSuffix(j.WriterUnit, []byte(".service"))
	}
	name, _, _ = bytes.Cut(name, []byte("@"))
	for _, home := range []struct{ name, engine string }{
		{"ollama", oomdoc.EngineOllama}, {"koboldcpp", oomdoc.EngineKoboldCpp}, {"lmstudio", oomdoc.EngineLMStudio},
		{"lm-studio", oomdoc.EngineLMStudio}, {"llmster", oomdoc.EngineLMStudio}, {"comfyui", oomdoc.EngineComfyUI},
	} {
		if bytes.EqualFold(name, []byte(home.name)) {
			return home.engine
		}
	}
	return ""
}
