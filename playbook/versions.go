package playbook

import (
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A trait is a text in the lines of a failure that only versions from one on print
// (knowledge gpu-oom.md section 1).
type trait struct{ engine, text, since string }

func traits() []trait {
	return []trait{
		{oomdoc.EnginePyTorch, "reserved by PyTorch but unallocated", "2.1"},
		{oomdoc.EnginePyTorch, "AcceleratorError", "2.8"},
		{oomdoc.EngineOllama, "llama-server", "0.30"},
		{oomdoc.EngineVLLM, "EngineCore_DP0", "0.9"},
		{oomdoc.EngineLlamaCpp, "common_params_fit_impl", "2025-12"},
		{oomdoc.EngineLlamaCpp, "common_fit_params", "2025-12"},
		{oomdoc.EngineLlamaCpp, "llama_params_fit", "2025-12"},
	}
}

// atLeast tells that the lines are of a version of at least that, as their texts
// show. What they do not show is not told.
func (r *refused) atLeast(engine, version string) bool {
	return slices.ContainsFunc(traits(), func(t trait) bool {
		return t.engine == engine && !older(t.since, version) && r.says(t.text)
	})
}

// says looks for a text in the lines that the incident rests on.
func (r *refused) says(text string) bool {
	if strings.Contains(r.e.Line, text) || strings.Contains(r.e.LimitLine, text) {
		return true
	}
	return slices.ContainsFunc(r.e.Clues, func(c oomdoc.Clue) bool { return strings.Contains(c.Line, text) })
}

// older tells a version that is below another, part by part: 0.9 is older than
// 0.30, and 2025-08 than 2025-12.
func older(a, b string) bool {
	return slices.Compare(versionParts(a), versionParts(b)) < 0
}

func versionParts(version string) (parts []int) {
	for _, part := range strings.FieldsFunc(version, func(c rune) bool { return c == '.' || c == '-' }) {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		parts = append(parts, n)
	}
	return parts
}
