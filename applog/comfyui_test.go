package applog_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

const comfyRefusal = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.25 GiB. GPU 0 has a total capacity of 15.98 GiB of which 1.09 GiB is free. Of the allocated memory 13.80 GiB is allocated by PyTorch, and 615.21 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n"

const comfyTrace = "Traceback (most recent call last):\n  File \"/opt/ComfyUI/execution.py\", line 327, in execute\n    output_data = get_output_data(obj, input_data_all)\n  File \"/opt/ComfyUI/nodes.py\", line 1344, in common_ksampler\n    samples = comfy.sample.sample(model)\n  File \"/opt/venv/lib/python3.11/site-packages/torch/nn/modules/conv.py\", line 458, in forward\n    return self._conv_forward(input, self.weight, self.bias)\n"

// comfySizes are the figures of comfyRefusal.
func comfySizes(engine string, phase oomdoc.Phase) oomdoc.ProgramError {
	return oomdoc.ProgramError{
		Engine: engine, Pool: onDevice, Phase: phase, Outcome: failed, Device: new(0), Requested: bytesOf(2415919104), Total: bytesOf(17158394347),
		Free: bytesOf(1170378588), Allocated: bytesOf(14817637171), Unallocated: bytesOf(645094440), Grain: 5368709,
	}
}

func TestImageProgramsAreCalledByTheirName(t *testing.T) {
	comfy := func(phase oomdoc.Phase) oomdoc.ProgramError { return comfySizes(oomdoc.EngineComfyUI, phase) }
	sampling := comfy(compute)
	loading := comfy(weights)
	loading.Model = "Flux"
	bare := oomdoc.ProgramError{Engine: oomdoc.EngineComfyUI, Pool: onDevice, Outcome: failed}
	async := oomdoc.ProgramError{
		Engine: oomdoc.EngineComfyUI, Pool: onDevice, Outcome: failed, Device: new(0), Requested: bytesOf(84 << 20), Allocated: bytesOf(7666516623),
		Total: bytesOf(8 << 30), Free: bytesOf(0), Grain: 5368709,
	}
	holdRefusals(t, map[string]refusal{
		"ComfyUI samples": {
			log:  "got prompt\n!!! Exception during processing !!! CUDA out of memory\n" + comfyTrace + comfyRefusal + "\nGot an OOM, unloading all loaded models.\nPrompt executed in 4.10 seconds\n",
			want: []oomdoc.ProgramError{sampling},
		},
		"ComfyUI loads": {
			log: "got prompt\nRequested to load Flux\nTraceback (most recent call last):\n  File \"/opt/ComfyUI/comfy/model_management.py\", line 500, in load_models_gpu\n    loaded_model.model_load(lowvram_model_memory)\n" +
				comfyRefusal + "Got an OOM, unloading all loaded models.\n",
			want: []oomdoc.ProgramError{loading},
		},
		"two prompts of ComfyUI, one after the other": {
			log: "got prompt\n" + comfyTrace + comfyRefusal + "Got an OOM, unloading all loaded models.\nPrompt executed in 4.10 seconds\n" +
				"got prompt\n" + comfyTrace + comfyRefusal + "Got an OOM, unloading all loaded models.\nPrompt executed in 4.12 seconds\n",
			want: []oomdoc.ProgramError{sampling, sampling},
		},
		"ComfyUI with cudaMallocAsync": {
			log: "!!! Exception during processing !!! Allocation on device 0 would exceed allowed memory. (out of memory)\nCurrently allocated     : 7.14 GiB\nRequested               : 84.00 MiB\n" +
				"Device limit            : 8.00 GiB\nFree (according to CUDA): 0 bytes\nPyTorch limit (set by user-supplied memory fraction)\n                        : 17179869184.00 GiB\n" +
				"Got an OOM, unloading all loaded models.\n",
			want: []oomdoc.ProgramError{async},
		},
		"ComfyUI, of which only the head was kept": {
			log:  "torch.OutOfMemoryError: Allocation on device \n\nGot an OOM, unloading all loaded models.\n",
			want: []oomdoc.ProgramError{bare},
		},
		"ComfyUI, the head in its own sentence": {
			log:  "!!! Exception during processing !!! Allocation on device 0 \nGot an OOM, unloading all loaded models.\nPrompt executed in 12.10 seconds\n",
			want: []oomdoc.ProgramError{bare},
		},
		"ComfyUI, of which only the consequence was kept": {
			log:  "Dec 01 12:00:00 box python[77]: [ERROR] Got an OOM, unloading all loaded models.\n",
			want: []oomdoc.ProgramError{bare},
		},
		"decoding in tiles was enough": {log: logOf(t, "comfy-01-tiled-retry")},
		"decoding in tiles was enough after PyTorch's own words": {
			log: comfyRefusal + "Warning: Ran out of memory when regular VAE encoding, retrying with tiled VAE encoding.\nPrompt executed in 63.02 seconds\n",
		},
		"the cache was the trouble": {
			log: "got prompt\nout of memory error, emptying cache and trying again\nPrompt executed in 30.02 seconds\n",
		},
		"AUTOMATIC1111": {
			log: "*** Error completing request\n*** Arguments: ('task(abc)', 'a cat', 20) {}\n    Traceback (most recent call last):\n      File \"/home/u/stable-diffusion-webui/modules/call_queue.py\", line 57, in f\n        res = list(func(*args, **kwargs))\n" +
				"    " + comfyRefusal + "\n---\n",
			want: []oomdoc.ProgramError{comfySizes(oomdoc.EngineA1111, "")},
		},
		"AUTOMATIC1111, and the page repeats it": {
			log: "*** Error completing request\n    Traceback (most recent call last):\n      File \"/home/u/stable-diffusion-webui/modules/processing.py\", line 1\n    " + comfyRefusal +
				"{\"html\": \"<div class='error'>OutOfMemoryError: " + comfyRefusal[len("torch.OutOfMemoryError: "):len(comfyRefusal)-1] + "</div>\"}\n",
			want: []oomdoc.ProgramError{comfySizes(oomdoc.EngineA1111, "")},
		},
		"Forge, with its plan": {
			log: "[Memory Management] Target: KModel, Free GPU: 5120.00 MB, Model Require: 12000.00 MB, Previously Loaded: 0.00 MB, Inference Require: 1024.00 MB, Remaining: -7904.00 MB, CPU Swap Loaded (blocked method): 9000.00 MB, GPU Loaded: 3000.00 MB\n" +
				comfyRefusal,
			want:  []oomdoc.ProgramError{comfySizes(oomdoc.EngineA1111, "")},
			clues: []oomdoc.Clue{{Kind: oomdoc.CluePlanNeed, Bytes: bytesOf(12000 << 20)}, {Kind: oomdoc.CluePlanFree, Bytes: bytesOf(5120 << 20)}},
		},
	})
}

func TestWhatImageProgramsOnlySayGivesNothing(t *testing.T) {
	for name, log := range map[string]string{
		"a healthy run":   "got prompt\nRequested to load AutoencoderKL\nloaded completely; 2048.00 MB usable, 319.11 MB loaded, full load: True\nPrompt executed in 63.02 seconds\n",
		"a list of notes": "- Before the fix: (`[ERROR] Got an OOM, unloading all loaded models`)\n        \"Got an OOM, unloading all loaded models.\\n\",\n",
		"source code":     "            logging.error(\"Got an OOM, unloading all loaded models.\")\n            tips = \"This error means you ran out of memory on your GPU.\\n\\nTIPS: ...\"\n",
		"a manual":        "If you see Allocation on device 0, the GPU is full.\nAllocation on device memory is done lazily.\n",
		"Forge's plan":    "[Unload] Trying to free 1024.00 MB for cuda:0 with 0 models keep loaded ... Done.\n[Memory Management] Target: KModel, Free GPU: 5120.00 MB, Model Require: 2000.00 MB\n",
	} {
		for _, e := range programErrors(t, log) {
			t.Errorf("%s: got %+v", name, e)
		}
	}
}
