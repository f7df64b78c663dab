package playbook

import "github.com/oomdoc/oomdoc"

// pytorchSettings are for programs of the user's own. The allocator's variable has
// two names: the newer one was ignored by 2.9.1 (pytorch#183387), the older one
// is taken by all (pytorch:docs/source/notes/cuda.md).
func pytorchSettings() []setting {
	const name = oomdoc.EnginePyTorch
	return []setting{
		{engine: name, measure: joinSegments, place: inEnvironment, text: "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", since: "2.1", tell: true, source: "pytorch:docs/source/notes/cuda.md"},
		{engine: name, measure: joinSegments, place: inEnvironment, text: "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512", since: "1.10", until: "2.1", tell: true, source: "gpu-oom.md 1.1; pytorch:docs/source/notes/cuda.md"},
		{engine: name, measure: raiseCap, place: inPython, text: "torch.cuda.set_per_process_memory_fraction({n})", first: "1.0", since: "1.8", source: "pytorch:docs, torch.cuda.set_per_process_memory_fraction"},
		{engine: name, measure: smallerBatch, place: inWords, words: "step.torch-batch", since: "1.0", source: "playbook.md F5"},
		{engine: name, measure: attention, place: inPython, text: "torch.nn.functional.scaled_dot_product_attention(q, k, v)", since: "2.0", source: "pytorch:docs, scaled_dot_product_attention"},
		{engine: name, measure: pieces, place: inPython, text: "for part in x.split(1024): ...", since: "1.0", source: "pytorch:docs, torch.split"},
		{engine: name, measure: microBatch, place: inPython, text: "(loss / 8).backward()  # optimizer.step(); optimizer.zero_grad() every 8th time", since: "1.0", source: "pytorch:docs, notes/amp_examples, gradient accumulation"},
		{engine: name, measure: inferenceMode, place: inPython, text: "with torch.inference_mode(): ...", since: "1.9", source: "pytorch:docs, inference_mode; memfof#5"},
		{engine: name, measure: inferenceMode, place: inWords, words: "step.torch-references", since: "1.0", source: "transformers#24315"},
		{engine: name, measure: halve, place: inPython, text: "model = model.to(torch.bfloat16)", since: "1.10", source: "playbook.md F2"},
		{engine: name, measure: quantize, place: inPython, text: "from torchao.quantization import quantize_, Int4WeightOnlyConfig; quantize_(model, Int4WeightOnlyConfig())", since: "0.10 of torchao", source: "torchao: README"},
		{engine: name, measure: offload, place: inPython, text: `accelerate.dispatch_model(model, device_map=accelerate.infer_auto_device_map(model, max_memory={0: "10GiB", "cpu": "24GiB"}))`, since: "0.12 of accelerate", source: "accelerate:docs, big_modeling"},
		{engine: name, measure: splitGPUs, place: inPython, text: "torch.distributed.fsdp.fully_shard(model)", since: "2.6", source: "pytorch:docs, fully_shard"},
		{engine: name, measure: fewerWorkers, place: inPython, text: "DataLoader(..., num_workers=2, prefetch_factor=2, persistent_workers=False)", since: "1.8", source: "pytorch#5902, #13246"},
		{engine: name, measure: fewerWorkers, place: inWords, words: "step.torch-lists", since: "1.0", source: "pytorch#13246"},
		{engine: name, measure: pinLess, place: inPython, text: "DataLoader(..., pin_memory=False)", since: "1.0", source: "pytorch:docs, DataLoader"},
		{engine: name, measure: pinLess, place: inWords, words: "step.pinned-wsl", since: "any", source: "microsoft/WSL#8447, #14078"},
		{engine: name, measure: loadOneByOne, place: inPython, text: `torch.load(path, map_location="cpu", mmap=True)`, since: "2.1", source: "pytorch:docs, torch.load"},
	}
}

// transformersSettings are of transformers 4 and 5.
func transformersSettings() []setting {
	const name = oomdoc.EngineTransformers
	return []setting{
		{engine: name, measure: quantize, place: inPython, text: `quantization_config=BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=torch.bfloat16)`, since: "4.30", source: "transformers: MIGRATION_GUIDE_V5"},
		{engine: name, measure: halve, place: inPython, text: "from_pretrained(..., dtype=torch.bfloat16)", since: "4.56", tell: true, source: "transformers#42805"},
		{engine: name, measure: halve, place: inPython, text: "from_pretrained(..., torch_dtype=torch.bfloat16)", since: "4.0", until: "4.56", tell: true, source: "HOBL#10; transformers#34743"},
		{engine: name, measure: offload, place: inPython, text: `from_pretrained(..., device_map="auto", max_memory={0: "10GiB", "cpu": "24GiB"})`, since: "4.20", source: "accelerate:docs, big_modeling"},
		{engine: name, measure: loadOneByOne, place: inEnvironment, text: "HF_DEACTIVATE_ASYNC_LOAD=1", only: loadsAhead, since: "5.0", tell: true, source: "transformers#43032, #44576"},
		{engine: name, measure: loadOneByOne, place: inWords, words: "step.transformers-upgrade", only: loadsAhead, since: "5.0", source: "transformers#44576"},
		{engine: name, measure: loadOneByOne, place: inWords, words: "step.packed-checkpoint", only: loadsAhead, since: "4.30", source: "transformers#43032"},
		{engine: name, measure: loadOneByOne, place: inPython, text: `from_pretrained(..., dtype="auto", device_map="auto", use_safetensors=True)`, only: not(loadsAhead), since: "4.56", source: "transformers#34743"},
		{engine: name, measure: shortenContext, place: inPython, text: "model.generate(..., max_new_tokens=512)", since: "4.0", source: "playbook.md F4"},
		{engine: name, measure: shortenContext, place: inWords, words: "step.chat-history", since: "4.0", source: "playbook.md F4"},
		{engine: name, measure: smallerKV, place: inPython, text: `model.generate(..., cache_implementation="offloaded")`, since: "4.44", source: "transformers:docs, kv_cache"},
		{engine: name, measure: smallerKV, place: inPython, text: `model.generate(..., cache_implementation="quantized", cache_config={"nbits": 4, "backend": "quanto"})`, since: "4.42", source: "transformers:docs, kv_cache"},
		{engine: name, measure: smallerBatch, place: inWords, words: "step.torch-batch", since: "4.0", source: "playbook.md F5"},
		{engine: name, measure: smallerBatch, place: inPython, text: `tokenizer(texts, padding="longest", truncation=True)`, since: "4.0", source: "playbook.md F5"},
		{engine: name, measure: attention, place: inPython, text: `from_pretrained(..., attn_implementation="sdpa")`, since: "4.36", source: "transformers:docs, attention_interface"},
	}
}

// loadsAhead tells a loader that holds weights before it has converted them: as its
// frames show, or a model that is quantised while it loads.
func loadsAhead(r *refused) bool {
	return r.e.Has(oomdoc.ClueCode, oomdoc.CodeLoadsAhead) || r.e.Phase == oomdoc.PhaseWeights && r.args.has("--load-in-4bit", "--load-in-8bit")
}

// diffusersSettings go from the mildest to the slowest.
func diffusersSettings() []setting {
	const name = oomdoc.EngineDiffusers
	return []setting{
		{engine: name, measure: offload, place: inPython, text: "pipe.enable_model_cpu_offload()", since: "0.14", source: "diffusers:docs, optimization/memory"},
		{engine: name, measure: offload, place: inPython, text: `pipe.enable_group_offload(onload_device=torch.device("cuda"), offload_type="leaf_level", use_stream=True)`, since: "0.33", tell: true, source: "diffusers:docs, optimization/memory"},
		{engine: name, measure: offload, place: inWords, words: "step.diffusers-cuda", since: "0.14", source: "diffusers#1934"},
		{engine: name, measure: quantize, place: inPython, text: `quantization_config=PipelineQuantizationConfig(quant_backend="bitsandbytes_4bit", quant_kwargs={"load_in_4bit": True, "bnb_4bit_compute_dtype": torch.bfloat16}, components_to_quantize=["transformer"])`, since: "0.34", tell: true, source: "diffusers:docs, quantization"},
		{engine: name, measure: halve, place: inPython, text: "from_pretrained(..., torch_dtype=torch.bfloat16)", since: "0.10", source: "diffusers:docs, optimization/fp16"},
		{engine: name, measure: tile, place: inPython, text: "pipe.vae.enable_slicing(); pipe.vae.enable_tiling()", since: "0.20", source: "diffusers:docs, optimization/memory"},
		{engine: name, measure: smallerBatch, place: inPython, text: "pipe(..., num_images_per_prompt=1, height=768, width=768)", since: "0.10", source: "playbook.md F5"},
	}
}

// trainingSettings are of the Trainer of transformers, TRL and PEFT, and of what
// a training loop of one's own has in their place.
func trainingSettings() []setting {
	const name = oomdoc.EnginePyTorch
	return []setting{
		{engine: name, measure: microBatch, place: inPython, text: "TrainingArguments(per_device_train_batch_size=1, gradient_accumulation_steps=8)", since: "4.0 of transformers", source: "axolotl#708"},
		{engine: name, measure: checkpoint, place: inPython, text: "TrainingArguments(gradient_checkpointing=True)", since: "4.5 of transformers", source: "peft#525"},
		{engine: name, measure: checkpoint, place: inPython, text: "torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)", since: "2.0", source: "pytorch:docs, checkpoint"},
		{engine: name, measure: chunkedLoss, place: inPython, text: `SFTConfig(loss_type="chunked_nll")`, since: "0.26 of trl", tell: true, source: "trl:docs, reducing_memory_usage"},
		{engine: name, measure: chunkedLoss, place: inPython, text: "TrainingArguments(use_liger_kernel=True)", since: "4.45 of transformers", source: "transformers:docs, Trainer"},
		{engine: name, measure: capLength, place: inPython, text: "SFTConfig(max_length=2048)", since: "0.20 of trl", source: "qlora#225"},
		{engine: name, measure: capLength, place: inPython, text: "tokenizer(texts, truncation=True, max_length=2048)", since: "4.0 of transformers", source: "qlora#225"},
		{engine: name, measure: smallOptimize, place: inPython, text: `TrainingArguments(optim="adamw_bnb_8bit")`, since: "4.20 of transformers", source: "bitsandbytes:docs/optimizers; diffusers#3094"},
		{engine: name, measure: smallOptimize, place: inPython, text: "optimizer = bitsandbytes.optim.AdamW8bit(model.parameters())", since: "0.35 of bitsandbytes", source: "bitsandbytes:docs/optimizers"},
		{engine: name, measure: adapters, place: inPython, text: `model = peft.get_peft_model(model, LoraConfig(r=16, target_modules="all-linear"))`, since: "0.8 of peft", source: "peft:docs, LoRA"},
		{engine: oomdoc.EngineDeepSpeed, measure: splitGPUs, place: inConfig, text: `"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}, "offload_param": {"device": "cpu"}}`, since: "0.5", source: "DeepSpeed: docs, memory.rst"},
		{engine: oomdoc.EngineDeepSpeed, measure: microBatch, place: inConfig, text: `"train_micro_batch_size_per_gpu": 1, "gradient_accumulation_steps": 8`, since: "0.3", source: "DeepSpeed: docs, config-json"},
		{engine: oomdoc.EngineDeepSpeed, measure: smallerBatch, place: inConfig, text: `"train_micro_batch_size_per_gpu": 1, "gradient_accumulation_steps": 8`, since: "0.3", source: "DeepSpeed: docs, config-json"},
	}
}
