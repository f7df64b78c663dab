package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// comfyUI reads ComfyUI's own words (execution.py, nodes.py,
// comfy/model_management.py); the refusal itself is PyTorch's.
func comfyUI() []mark {
	return []mark{
		{"got prompt", comfyPrompt},
		{"Prompt executed in ", comfyPrompt},
		{"!!! Exception during processing", comfyFails},
		{"Got an OOM, unloading all loaded models.", comfyRefused},
		{"This error means you ran out of memory on your GPU", comfyFails},
		{"Requested to load ", comfyLoads},
		{"ComfyUI version: ", func(s *scene, _ *span) { s.is(oomdoc.EngineComfyUI) }},
		{"Allocation on device", comfyCut},
		{"Ran out of memory when regular VAE ", vaeRetries},
		{"out of memory error, emptying cache and trying again", vaeRetries},
		{", in load_unet", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in load_checkpoint", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in load_diffusion_model", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in load_clip", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in load_models_gpu", did(oomdoc.PhaseWeights, oomdoc.ClueLoading)},
		{", in common_ksampler", did(oomdoc.PhaseCompute, "")},
		{", in decode_tiled", did(oomdoc.PhaseCompute, "")},
	}
}

// comfyPrompt reads the start or the end of a job: what failed before it is over.
func comfyPrompt(s *scene, sp *span) {
	if sp.literal == "got prompt" && len(bytes.TrimSpace(sp.rest())) > 0 {
		return
	}
	s.is(oomdoc.EngineComfyUI)
	s.more(sp)
	s.closeFailure()
	s.phase = phaseClue{}
}

func comfyFails(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	s.is(oomdoc.EngineComfyUI)
	s.more(sp)
}

// comfyRefused reads what it does after a refusal, which it printed before, mostly.
func comfyRefused(s *scene, sp *span) {
	if sp.isTalk() || len(bytes.TrimSpace(sp.rest())) > 0 || bytes.HasSuffix(sp.head, []byte(`"`)) { // source code
		return
	}
	s.is(oomdoc.EngineComfyUI)
	if s.more(sp) == nil {
		s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineComfyUI, Pool: oomdoc.PoolDevice})
	}
}

// comfyLoads reads "Requested to load AutoencoderKL".
func comfyLoads(s *scene, sp *span) {
	if !startsWord(sp.rest()) || len(bytes.TrimSpace(sp.head)) > 0 && !bytes.HasSuffix(sp.head, []byte(" ")) {
		return
	}
	s.is(oomdoc.EngineComfyUI)
	s.model = keep(bytes.TrimSpace(sp.rest()))
}

// comfyCut reads what is left of the error of cudaMallocAsync where only its first
// line's head was kept: "torch.OutOfMemoryError: Allocation on device ".
func comfyCut(s *scene, sp *span) {
	_, rest, _ := small(bytes.TrimLeft(sp.rest(), " "))
	if rest == nil {
		rest = sp.rest()
	}
	rest = bytes.TrimSpace(rest)
	if _, stamped := stampIn(sp.rest()); stamped { // the next line's, where a page joined them
		rest = nil
	}
	if len(rest) > 0 && !bytes.HasPrefix(rest, []byte("This error means")) && !bytes.HasPrefix(rest, []byte(`\n`)) {
		return
	}
	head := bytes.TrimSpace(sp.head)
	if !bytes.HasSuffix(head, []byte("Error:")) && !bytes.HasSuffix(head, []byte("!!!")) || sp.isTalk() && !bytes.HasPrefix(head, []byte("!!!")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch, Pool: oomdoc.PoolDevice})
}

// vaeRetries reads that it does the same in pieces. Forge has these words from it.
func vaeRetries(s *scene, sp *span) {
	if !sp.isTalk() {
		s.recovered(sp, true)
	}
}
