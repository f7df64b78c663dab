package playbook

import "github.com/oomdoc/oomdoc"

// vllmSettings are of vLLM V1. Its share of the card is 0.92 by default, 0.9
// before.
func vllmSettings() []setting {
	const name, docs = oomdoc.EngineVLLM, "vllm:docs/configuration/engine_args"
	share := []string{"--gpu-memory-utilization"}
	return []setting{
		{engine: name, measure: shortenContext, place: inCommandLine, text: "--max-model-len {n}", names: []string{"--max-model-len"}, first: "8192", since: "0.1", source: docs + "; vllm#5993"},
		{engine: name, measure: smallerKV, place: inCommandLine, text: "--kv-cache-dtype fp8", names: []string{"--kv-cache-dtype"}, since: "0.3", source: docs},
		{engine: name, measure: raiseShare, place: inCommandLine, text: "--gpu-memory-utilization {n}", names: share, first: "0.95", since: "0.1", source: docs + "; vllm#13882"},
		{engine: name, measure: lowerShare, place: inCommandLine, text: "--gpu-memory-utilization {n}", names: share, first: "0.85", since: "0.1", source: docs},
		{engine: name, measure: noGraphs, place: inCommandLine, text: "--enforce-eager", names: []string{"--enforce-eager"}, since: "0.3", source: docs},
		{engine: name, measure: noGraphs, place: inCommandLine, text: `--compilation-config '{"cudagraph_capture_sizes": [1, 2, 4, 8]}'`, names: []string{"--compilation-config", "-O"}, since: "0.8", source: docs},
		{engine: name, measure: smallerPrefill, place: inCommandLine, text: "--max-num-batched-tokens {n}", names: []string{"--max-num-batched-tokens"}, first: "2048", since: "0.1", source: docs + "; vllm#28228"},
		{engine: name, measure: smallerPrefill, place: inCommandLine, text: `--limit-mm-per-prompt '{"image": 1, "video": 0}'`, names: []string{"--limit-mm-per-prompt"}, since: "0.9", source: docs},
		{engine: name, measure: fewerSequences, place: inCommandLine, text: "--max-num-seqs {n}", names: []string{"--max-num-seqs"}, first: "64", since: "0.1", source: docs},
		{engine: name, measure: quantize, place: inWords, words: "step.packed-checkpoint", since: "0.5", source: docs},
		{engine: name, measure: quantize, place: inCommandLine, text: "--quantization bitsandbytes", names: []string{"--quantization", "-q"}, since: "0.5", source: docs},
		{engine: name, measure: splitGPUs, place: inCommandLine, text: "--tensor-parallel-size 2", names: []string{"--tensor-parallel-size", "-tp"}, since: "0.1", source: docs},
		{engine: name, measure: offload, place: inCommandLine, text: "--cpu-offload-gb 8", names: []string{"--cpu-offload-gb"}, since: "0.5.3", source: docs},
		{engine: name, measure: pinLess, place: inCommandLine, text: "--kv-offloading-size 0 --mm-processor-cache-gb 0", names: []string{"--kv-offloading-size"}, since: "0.11", tell: true, source: docs + "; vllm#586"},
	}
}

// sglangSettings: the static share holds weights and cache. It is raised where it
// was too small at the start, lowered where what it left was (sglang-omni#292).
func sglangSettings() []setting {
	const name, docs = oomdoc.EngineSGLang, "sglang:docs/advanced_features/server_arguments"
	share := []string{"--mem-fraction-static"}
	return []setting{
		{engine: name, measure: raiseShare, place: inCommandLine, text: "--mem-fraction-static {n}", names: share, first: "0.9", since: "0.1", source: docs},
		{engine: name, measure: lowerShare, place: inCommandLine, text: "--mem-fraction-static {n}", names: share, first: "0.8", since: "0.1", source: docs + "; sglang-omni#292"},
		{engine: name, measure: smallerPrefill, place: inCommandLine, text: "--chunked-prefill-size {n}", names: []string{"--chunked-prefill-size"}, first: "2048", since: "0.2", source: docs},
		{engine: name, measure: fewerSequences, place: inCommandLine, text: "--max-running-requests {n}", names: []string{"--max-running-requests"}, first: "32", since: "0.2", source: docs},
		{engine: name, measure: noGraphs, place: inCommandLine, text: "--cuda-graph-max-bs 8", names: []string{"--cuda-graph-max-bs"}, since: "0.3", source: docs + "; sglang#35777"},
		{engine: name, measure: shortenContext, place: inCommandLine, text: "--context-length {n}", names: []string{"--context-length"}, first: "8192", since: "0.1", source: docs},
		{engine: name, measure: smallerKV, place: inCommandLine, text: "--kv-cache-dtype fp8_e4m3", names: []string{"--kv-cache-dtype"}, since: "0.3", source: docs},
		{engine: name, measure: quantize, place: inWords, words: "step.packed-checkpoint", since: "0.2", source: docs},
		{engine: name, measure: quantize, place: inCommandLine, text: "--quantization fp8", names: []string{"--quantization"}, since: "0.2", source: docs},
		{engine: name, measure: splitGPUs, place: inCommandLine, text: "--tp-size 2", names: []string{"--tp-size", "--tp", "--tensor-parallel-size"}, since: "0.1", source: docs},
	}
}

// tgiSettings are of 3.3.7.
func tgiSettings() []setting {
	const name, docs = oomdoc.EngineTGI, "text-generation-inference v3.3.7: docs, launcher"
	return []setting{
		{engine: name, measure: smallerPrefill, place: inCommandLine, text: "--max-batch-prefill-tokens {n}", names: []string{"--max-batch-prefill-tokens"}, first: "2048", since: "0.9", source: docs},
		{engine: name, measure: fewerSequences, place: inCommandLine, text: "--max-batch-size 16", names: []string{"--max-batch-size"}, since: "1.0", source: docs},
		{engine: name, measure: shortenContext, place: inCommandLine, text: "--max-total-tokens {n}", names: []string{"--max-total-tokens"}, first: "4096", since: "0.9", source: docs},
		{engine: name, measure: smallerKV, place: inCommandLine, text: "--kv-cache-dtype fp8_e4m3fn", names: []string{"--kv-cache-dtype"}, since: "2.4", source: docs},
		{engine: name, measure: lowerShare, place: inCommandLine, text: "--cuda-memory-fraction {n}", names: []string{"--cuda-memory-fraction"}, first: "0.9", since: "1.0", source: docs},
		{engine: name, measure: noGraphs, place: inCommandLine, text: "--cuda-graphs 0", names: []string{"--cuda-graphs"}, since: "2.0", source: docs},
		{engine: name, measure: quantize, place: inCommandLine, text: "--quantize bitsandbytes-nf4", names: []string{"--quantize"}, since: "1.0", source: docs},
		{engine: name, measure: splitGPUs, place: inCommandLine, text: "--num-shard 2", names: []string{"--num-shard"}, since: "0.3", source: docs},
	}
}

// otherServerSettings are of servers with less to set.
func otherServerSettings() []setting {
	const trt, docs = oomdoc.EngineTensorRTLLM, "tensorrt-llm:docs, commands/trtllm-serve"
	return []setting{
		{engine: trt, measure: lowerShare, place: inCommandLine, text: "--free_gpu_memory_fraction {n}", names: []string{"--free_gpu_memory_fraction", "--kv_cache_free_gpu_memory_fraction"}, first: "0.8", since: "0.15", source: docs},
		{engine: trt, measure: shortenContext, place: inCommandLine, text: "--max_seq_len {n}", names: []string{"--max_seq_len"}, first: "8192", since: "0.15", source: docs},
		{engine: trt, measure: smallerBatch, place: inCommandLine, text: "--max_batch_size 16 --max_num_tokens 2048", names: []string{"--max_batch_size"}, since: "0.15", source: docs},
		{engine: trt, measure: splitGPUs, place: inCommandLine, text: "--tp_size 2", names: []string{"--tp_size"}, since: "0.15", source: docs},
		{engine: trt, measure: quantize, place: inWords, words: "step.packed-checkpoint", since: "0.15", source: docs},
		{engine: oomdoc.EngineMLC, measure: lowerShare, place: inCommandLine, text: "--overrides gpu_memory_utilization={n}", names: []string{"--overrides"}, first: "0.85", since: "0.1", source: "mlc-llm:docs, deploy/rest"},
		{engine: oomdoc.EngineMLC, measure: shortenContext, place: inCommandLine, text: "--overrides context_window_size={n}", names: []string{"--overrides"}, first: "4096", since: "0.1", source: "mlc-llm:docs, deploy/rest"},
		{engine: oomdoc.EngineMLC, measure: quantize, place: inShell, text: "mlc_llm convert_weight MODEL --quantization q4f16_1 -o MODEL-q4f16_1", since: "0.1", source: "mlc-llm:docs, compilation/convert_weights"},
		{engine: oomdoc.EngineTritonServer, measure: smallerBatch, place: inConfig, text: "max_batch_size: 4, instance_group [{ count: 1 }]", since: "2.0", source: "triton-server:docs, model_configuration"},
		{engine: oomdoc.EngineTritonServer, measure: raiseCap, place: inCommandLine, text: "--cuda-memory-pool-byte-size=0:268435456", names: []string{"--cuda-memory-pool-byte-size"}, since: "2.0", source: "triton-server:docs, tritonserver --help"},
		{engine: oomdoc.EngineRay, measure: smallerBatch, place: inWords, words: "step.smaller-batch", since: "any", source: "playbook.md F5"},
	}
}
