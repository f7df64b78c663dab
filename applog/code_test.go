package applog_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

const torchRefusal = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.60 GiB of which 1.00 GiB is free. " +
	"Including non-PyTorch memory, this process has 22.50 GiB memory in use. Of the allocated memory 22.00 GiB is allocated by PyTorch, and 20.00 MiB is reserved by PyTorch but unallocated.\n"

func tracebackOf(lines string) string {
	return "Traceback (most recent call last):\n" + lines + torchRefusal
}

// TestFramesTellWhatTheCodeWasAt holds the texts of frames, and lines that only look
// like them.
func TestFramesTellWhatTheCodeWasAt(t *testing.T) {
	for _, c := range []struct {
		line string
		kind oomdoc.ClueKind
		name string // "" is none of the names below
	}{
		{"  File \"/v/site-packages/diffusers/models/autoencoders/autoencoder_kl.py\", line 312, in decode", oomdoc.ClueCode, oomdoc.CodeDecode},
		{"  File \"/opt/ComfyUI/comfy/sd.py\", line 640, in decode", oomdoc.ClueCode, oomdoc.CodeDecode},
		{"  File \"/home/a/stable-diffusion-webui/repositories/ldm/models/ddpm.py\", line 826, in decode_first_stage", oomdoc.ClueCode, oomdoc.CodeDecode},
		{"  File \"/v/site-packages/tokenizers/decoders.py\", line 12, in decode", oomdoc.ClueCode, ""},
		{"  File \"/v/site-packages/transformers/loss/loss_utils.py\", line 47, in ForCausalLMLoss", oomdoc.ClueCode, oomdoc.CodeLoss},
		{"    logits = logits.float()", oomdoc.ClueCode, oomdoc.CodeLoss},
		{"  File \"/v/site-packages/torch/nn/functional.py\", line 3479, in cross_entropy", oomdoc.ClueCode, ""},
		{"  File \"/v/site-packages/transformers/models/qwen2/modeling_qwen2.py\", line 140, in eager_attention_forward", oomdoc.ClueCode, oomdoc.CodeAttention},
		{"  File \"/v/site-packages/transformers/integrations/sdpa_attention.py\", line 83, in sdpa_attention_forward", oomdoc.ClueCode, ""},
		{"  File \"/v/site-packages/transformers/core_model_loading.py\", line 811, in convert_and_load_state_dict_in_model", oomdoc.ClueCode, oomdoc.CodeLoadsAhead},
		{"  File \"/v/site-packages/torch/utils/_contextlib.py\", line 120, in decorate_context", oomdoc.ClueCode, oomdoc.CodeNoGradients},
		{"  File \"/home/a/eval.py\", line 60, in main", oomdoc.ClueCode, oomdoc.CodeEvaluation},
		{"  File \"/home/a/infer.py\", line 60, in main", oomdoc.ClueCode, oomdoc.CodeEvaluation},
		{"  File \"/home/a/train.py\", line 60, in validate", oomdoc.ClueCode, oomdoc.CodeEvaluation},
		{"  File \"/home/a/train.py\", line 60, in main", oomdoc.ClueCode, ""},
		{"  File \"/v/site-packages/transformers/trainer.py\", line 4300, in evaluation_loop", oomdoc.ClueCode, oomdoc.CodeEvaluates},
		{"    m = AutoModel.from_pretrained(p, load_in_4bit=True)", oomdoc.ClueCode, oomdoc.CodeQuantizes},
		{"    m = AutoModel.from_pretrained(p, torch_dtype=torch.float32)", oomdoc.ClueCode, oomdoc.CodeFullPrecision},
		{"    x = torch.zeros(n, dtype=torch.float32)", oomdoc.ClueCode, ""},
		{"    m = AutoModel.from_pretrained(p, low_cpu_mem_usage=True)", oomdoc.ClueSetting, "low_cpu_mem_usage"},
		{"llama_context: flash_attn    = 0", oomdoc.ClueMode, oomdoc.ModePlainAttention},
		{"llama_context: flash_attn    = disabled", oomdoc.ClueMode, oomdoc.ModePlainAttention},
		{"llama_context: flash_attn    = auto", oomdoc.ClueMode, ""},
		{"llama_context: flash_attn    = 1", oomdoc.ClueMode, ""},
		{"clip_model_loader: model name:   gemma-3", oomdoc.ClueMode, oomdoc.ModeImages},
		{"Linux version 5.15.153.1-microsoft-standard-WSL2 (root@a)", oomdoc.ClueMode, oomdoc.ModeWSL},
	} {
		got := ""
		for _, e := range programErrors(t, tracebackOf(c.line+"\n")) {
			for _, clue := range e.Clues {
				if clue.Kind == c.kind {
					got += clue.Name
				}
			}
		}
		if got != c.name {
			t.Errorf("%s: %q, want %q", c.line, got, c.name)
		}
	}
}

// TestACacheThatGrowsIsItsOwnPhase: a token more takes a new tensor beside the old.
func TestACacheThatGrowsIsItsOwnPhase(t *testing.T) {
	frame := "  File \"/v/site-packages/transformers/cache_utils.py\", line 118, in update\n    self.keys = torch.cat([self.keys, key_states], dim=-2)\n"
	got := programErrors(t, tracebackOf(frame))
	if len(got) != 1 || got[0].Phase != oomdoc.PhaseKVCache {
		t.Errorf("got %+v", got)
	}
}
