package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// lmStudio reads LM Studio's own words; what runs the model are llama.cpp and MLX.
func lmStudio() []mark {
	return append(inPath("/.lmstudio/extensions/", isLMStudio), []mark{
		{"Model loading was stopped due to insufficient system resources", lmStopped},
		{"Model load size estimate ", lmEstimates},
		{"[LM Studio]", isLMStudio},
		{"[LMSInternal]", isLMStudio},
		{"[LM STUDIO SERVER]", isLMStudio},
		{"lmstudio-llama-cpp", isLMStudio},
	}...)
}

func isLMStudio(s *scene, _ *span) { s.is(oomdoc.EngineLMStudio) }

// tenUnits are units of ten powers.
func tenUnits() []unitSize {
	return []unitSize{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"kB", 1e3}, {"bytes", 1}, {"B", 1}}
}

// lmStopped reads the refusal of the loading guardrail: "... Under the current
// settings, this model requires approximately 14.36 GB of memory, and ...". Nothing
// was exhausted: it was computed.
func lmStopped(s *scene, sp *span) {
	head := bytes.ReplaceAll(sp.head, []byte(`\"`), []byte(`"`))
	if quoted := (span{line: sp.line, head: lastLine(head), body: sp.body, literal: sp.literal}); !isLogger(head) && quoted.isTalk() {
		return
	}
	s.is(oomdoc.EngineLMStudio)
	if name, found := after(head, `load model "`); found {
		if name, _, closed := bytes.Cut(name, []byte(`"`)); closed {
			s.model = keep(name)
		}
	}
	text := newSentence(sp.body)
	e, n := readGuardrail(text.direct)
	f := s.fail(sp, e)
	if f == nil || n > 0 {
		return
	}
	s.read(func(l *line) bool {
		if !text.add(l.text) {
			return false
		}
		e, n := readGuardrail(text.spaced)
		f.complete(&e)
		f.add(s, l, f.last)
		return n == 0
	})
}

func readGuardrail(text []byte) (oomdoc.ProgramError, int) {
	e := oomdoc.ProgramError{Engine: oomdoc.EngineLMStudio, Pool: oomdoc.PoolHost, Refusal: oomdoc.RefusalPlan}
	const approximately = "requires approximately "
	if rest, found := after(text, approximately); !found || !bytes.Contains(rest, []byte(" of memory")) {
		return e, 0
	}
	if size := sizeIn(text, approximately, tenUnits()); size != nil {
		e.Requested, e.Grain = &size.bytes, size.grain
	}
	return e, 1
}

// lmEstimates reads the plan that the log has: "  Model: 14.87 GB", "  Context:
// 936.03 MB", "  Total: 15.81 GB" on lines of their own.
func lmEstimates(s *scene, sp *span) {
	s.is(oomdoc.EngineLMStudio)
	if n := wholeAfter(sp.rest(), "context length '"); n != nil {
		c := sp.clue(oomdoc.ClueContext)
		c.N = n
		s.note(c)
	}
	s.read(func(l *line) bool {
		for _, part := range []struct {
			label string
			kind  oomdoc.ClueKind
		}{
			{"  Model: ", oomdoc.ClueModelBuffer}, {"  Context: ", oomdoc.ClueKVBuffer}, {"  Total: ", oomdoc.CluePlanNeed},
		} {
			if size := sizeIn(l.text, part.label, tenUnits()); size != nil {
				s.note(oomdoc.Clue{Kind: part.kind, Bytes: &size.bytes, Line: l.proof()})
				return part.kind != oomdoc.CluePlanNeed
			}
		}
		return false
	})
}
