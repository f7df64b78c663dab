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
	} else if j != nil && len(j.ContainerName) > 0 {
		name = j.ContainerName
	} else if len(name) == 0 {
		name = service(containerIn(l.rec))
	}
	name, _, _ = bytes.Cut(name, []byte("@"))
	for _, home := range []struct{ name, engine string }{
		{"ollama", oomdoc.EngineOllama}, {"koboldcpp", oomdoc.EngineKoboldCpp}, {"lmstudio", oomdoc.EngineLMStudio},
		{"lm-studio", oomdoc.EngineLMStudio}, {"llmster", oomdoc.EngineLMStudio}, {"comfyui", oomdoc.EngineComfyUI},
		{"vllm", oomdoc.EngineVLLM}, {"sglang", oomdoc.EngineSGLang}, {"text-generation-webui", oomdoc.EngineTextgen},
	} {
		if bytes.EqualFold(name, []byte(home.name)) {
			return home.engine
		}
	}
	return ""
}

// containerIn is the name that `kubectl logs --prefix` and `docker compose logs`
// put before each line: "[pod/POD/CONTAINER] ", "NAME  | ". Loggers put levels so.
func containerIn(rec *oomdoc.Record) []byte {
	start := rec.Raw
	if len(start) == 0 {
		start = rec.Text
	}
	start = start[:min(len(start), 2*maxTag)]
	if pod, is := bytes.CutPrefix(start, []byte("[pod/")); is {
		if path, _, closed := bytes.Cut(pod, []byte("] ")); closed {
			return path[bytes.LastIndexByte(path, '/')+1:]
		}
		return nil
	}
	name, _, barred := bytes.Cut(start, []byte(" | "))
	if !barred {
		name, _, barred = bytes.Cut(start, []byte(" exited with code ")) // what Compose says of it
	}
	name = bytes.TrimRight(name, " ")
	if !barred || len(name) == 0 || bytes.IndexByte(name, ' ') >= 0 || isLevel(name) || string(name) == "SUCCESS" {
		return nil
	}
	return name
}

// service takes the number off that Compose gives each container of a service.
func service(name []byte) []byte {
	end := len(name)
	for end > 0 && isDigit(name[end-1]) {
		end--
	}
	if end > 0 && end < len(name) && (name[end-1] == '-' || name[end-1] == '_') {
		return name[:end-1]
	}
	return name
}
