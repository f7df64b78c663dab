package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// whisperCpp reads whisper.cpp's own words (src/whisper.cpp); the refusal itself is
// ggml's.
func whisperCpp() []mark {
	return []mark{
		{"whisper_init_from_file", whisperLoads},
		{"whisper_init_with_params", isWhisper},
		{"whisper_model_load: ", whisperModel},
		{"whisper_init_state: ", whisperState},
		{"whisper_kv_cache_init", isWhisper},
		{"whisper_backend_init", isWhisper},
	}
}

func isWhisper(s *scene, _ *span) { s.is(oomdoc.EngineWhisperCpp) }

// whisperLoads reads "whisper_init_from_file_with_params_no_state: loading model
// from 'models/ggml-large-v3.bin'".
func whisperLoads(s *scene, sp *span) {
	s.is(oomdoc.EngineWhisperCpp)
	if path, found := after(sp.rest(), "loading model from "); found {
		s.closeFailure()
		s.entered(oomdoc.PhaseWeights)
		s.model = keep(bytes.Trim(path, "'"))
	}
}

// whisperModel reads the weights: "CUDA0 total size = 3094.36 MB" (of 10^6), and
// that they did not fit.
func whisperModel(s *scene, sp *span) {
	s.is(oomdoc.EngineWhisperCpp)
	rest := sp.rest()
	switch {
	case bytes.Contains(rest, []byte("total size")):
		name, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
		if size := sizeIn(rest, "= ", tenUnits()); size != nil {
			c := sp.clue(oomdoc.ClueModelBuffer)
			c.Name, c.Bytes = keep(name), &size.bytes
			s.note(c)
			s.entered(oomdoc.PhaseKVCache)
		}
	case bytes.HasPrefix(rest, []byte("failed to allocate")):
		ggmlFollows(s, sp, oomdoc.PhaseWeights, nil)
	}
}

// whisperState reads the buffers of a state: "kv self size", "compute buffer
// (encode)", and "failed to init encode allocator" or "... compute buffers".
func whisperState(s *scene, sp *span) {
	s.is(oomdoc.EngineWhisperCpp)
	rest := sp.rest()
	switch {
	case bytes.HasPrefix(rest, []byte("kv ")), bytes.HasPrefix(rest, []byte("compute buffer")):
		s.entered(oomdoc.PhaseCompute)
	case bytes.HasPrefix(rest, []byte("failed to init ")):
		if f := s.more(sp); f != nil && f.err.Phase == "" {
			f.does(oomdoc.PhaseCompute)
		}
	}
}
