package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// koboldCpp reads koboldcpp's own words (koboldcpp.py, gpttype_adapter.cpp); the
// refusal itself is ggml's.
func koboldCpp() []mark {
	return []mark{
		{"Welcome to KoboldCpp", koboldBegins},
		{"koboldcpp", isKobold},
		{"gpttype_load_model: ", koboldFails},
		{"Load Text Model OK: False", koboldFails},
		{"Could not load text model: ", koboldFails},
		{"Could not load image model: ", koboldFails},
		{"contextsize=", koboldContext},
		{"Detected Free GPU Memory: ", koboldFree},
	}
}

func isKobold(s *scene, _ *span) { s.is(oomdoc.EngineKoboldCpp) }

func koboldBegins(s *scene, _ *span) {
	s.begins()
	s.is(oomdoc.EngineKoboldCpp)
}

func koboldFails(s *scene, sp *span) {
	s.is(oomdoc.EngineKoboldCpp)
	f := s.more(sp)
	if f == nil {
		return
	}
	if path, is := bytes.CutPrefix(sp.body, []byte("Could not load text model: ")); is {
		if f.ended = true; f.err.Model == "" {
			f.err.Model = keep(bytes.TrimSpace(path))
		}
	}
	if quoted := quotedIn(sp.rest()); quoted != "" && f.err.Model == "" {
		f.err.Model = quoted
	}
}

// koboldContext reads the settings that it prints at its start: Namespace(...,
// contextsize=12288, ...).
func koboldContext(s *scene, sp *span) {
	if !bytes.Contains(sp.head, []byte("Namespace(")) {
		return
	}
	s.is(oomdoc.EngineKoboldCpp)
	if n, _, ok := whole(sp.rest()); ok {
		c := sp.clue(oomdoc.ClueContext)
		c.N = &n
		s.note(c)
	}
}

// koboldFree reads "Detected Free GPU Memory: 6141 MB (Set GPU layers manually if
// incorrect)": of nvidia-smi, and so MiB.
func koboldFree(s *scene, sp *span) {
	s.is(oomdoc.EngineKoboldCpp)
	if a, _, ok := sizeAt(sp.rest(), shortUnits()); ok {
		c := sp.clue(oomdoc.CluePlanFree)
		c.Bytes = &a.bytes
		s.note(c)
	}
}
