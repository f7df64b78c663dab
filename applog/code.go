package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// code reads what a program's code was at, where a frame of its traceback or a
// line of its start tells: one fix helps a decoder of images, another a loss over
// a large vocabulary. Nothing of it is an error.
func code() []mark {
	var marks []mark
	for _, c := range codeTexts() {
		marks = append(marks, mark{c.text, atCode(c)})
	}
	for _, name := range deadKeywords() {
		marks = append(marks, mark{name + "=", setsKeyword(name)})
	}
	return append(marks,
		mark{"/cache_utils.py\", line ", cacheGrows},
		mark{"flash_attn ", flashAttention},
		mark{"microsoft-standard-WSL", func(s *scene, sp *span) { s.noteMode(sp, oomdoc.ModeWSL) }},
		mark{"clip_model_loader: ", func(s *scene, sp *span) { s.noteMode(sp, oomdoc.ModeImages) }},
		mark{"loaded multimodal model", func(s *scene, sp *span) { s.noteMode(sp, oomdoc.ModeImages) }},
	)
}

// A codeText is a text of a frame, what it tells, and what else must stand in the
// line.
type codeText struct{ text, name, beside string }

func codeTexts() []codeText {
	return []codeText{
		// Diffusers' AutoencoderKL, ComfyUI's comfy/sd.py, the web UI's samplers.
		{"/autoencoders/", oomdoc.CodeDecode, ", line "},
		{"decode_first_stage", oomdoc.CodeDecode, ""},
		{"/autoencoder_kl", oomdoc.CodeDecode, ", line "},
		{", in decode", oomdoc.CodeDecode, "/sd.py"},
		{", in vae_decode", oomdoc.CodeDecode, ""},

		// transformers/loss/loss_utils.py, and the models before 4.46.
		{", in ForCausalLMLoss", oomdoc.CodeLoss, ""},
		{", in fixed_cross_entropy", oomdoc.CodeLoss, ""},
		{"logits.float()", oomdoc.CodeLoss, ""},

		{", in eager_attention_forward", oomdoc.CodeAttention, ""},
		{"softmax(attn_weights", oomdoc.CodeAttention, ""},
		{"attn_weights = torch.matmul(", oomdoc.CodeAttention, ""},

		// transformers 5.0: the loader reads ahead of what it converts.
		{"/core_model_loading.py\", line ", oomdoc.CodeLoadsAhead, ""},

		// torch/utils/_contextlib.py: no_grad and inference_mode as decorators.
		{", in decorate_context", oomdoc.CodeNoGradients, ""},
		{"eval.py\", line ", oomdoc.CodeEvaluation, ""},
		{"evaluate.py\", line ", oomdoc.CodeEvaluation, ""},
		{"evaluation.py\", line ", oomdoc.CodeEvaluation, ""},
		{"infer.py\", line ", oomdoc.CodeEvaluation, ""},
		{"inference.py\", line ", oomdoc.CodeEvaluation, ""},
		{"predict.py\", line ", oomdoc.CodeEvaluation, ""},
		{"demo.py\", line ", oomdoc.CodeEvaluation, ""},
		{", in evaluate", oomdoc.CodeEvaluation, "File \""},
		{", in validate", oomdoc.CodeEvaluation, "File \""},

		{"load_in_4bit=True", oomdoc.CodeQuantizes, ""},
		{"load_in_8bit=True", oomdoc.CodeQuantizes, ""},
		{"quantization_config=", oomdoc.CodeQuantizes, ""},
		{"dtype=torch.float32", oomdoc.CodeFullPrecision, "from_pretrained"},
	}
}

func atCode(c codeText) func(*scene, *span) {
	return func(s *scene, sp *span) {
		if c.beside == "" || bytes.Contains(sp.text, []byte(c.beside)) {
			s.noteCode(sp, c.name)
		}
	}
}

func (s *scene) noteCode(sp *span, name string) {
	c := sp.clue(oomdoc.ClueCode)
	c.Name = name
	s.note(c)
}

func (s *scene) noteMode(sp *span, name string) {
	c := sp.clue(oomdoc.ClueMode)
	c.Name = name
	s.note(c)
}

// cacheGrows reads a frame of transformers/cache_utils.py: the KV cache grows by a
// token, which takes a new tensor beside the old.
func cacheGrows(s *scene, sp *span) {
	if bytes.Contains(sp.head, []byte("/transformers")) {
		s.entered(oomdoc.PhaseKVCache)
	}
}

// flashAttention reads llama.cpp's "llama_context: flash_attn    = 0" ("disabled"
// from 2025-08 on).
func flashAttention(s *scene, sp *span) {
	value, is := bytes.CutPrefix(bytes.TrimLeft(sp.rest(), " "), []byte("= "))
	if !is || !bytes.HasSuffix(sp.head, []byte(": ")) {
		return
	}
	switch string(bytes.TrimSpace(value)) {
	case "0", "disabled":
		s.noteMode(sp, oomdoc.ModePlainAttention)
	}
}

// deadKeywords are arguments that Transformers takes and no longer goes by
// (knowledge playbook.md section 1).
func deadKeywords() []string { return []string{"low_cpu_mem_usage", "offload_state_dict"} }

func setsKeyword(name string) func(*scene, *span) {
	return func(s *scene, sp *span) {
		if sp.isTalk() {
			return
		}
		c := sp.clue(oomdoc.ClueSetting)
		c.Name = name
		s.note(c)
	}
}
