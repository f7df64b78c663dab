package playbook

import "github.com/oomdoc/oomdoc"

// runtimeSettings are of language runtimes with a heap of their own.
func runtimeSettings() []setting {
	java, node, python := oomdoc.EngineJava, oomdoc.EngineNode, oomdoc.EnginePython
	return []setting{
		{engine: java, measure: shrinkHeap, place: inCommandLine, text: "-Xmx{n}", since: "1.2", source: "java(1)"},
		{engine: java, measure: growHeap, place: inCommandLine, text: "-Xmx{n}", names: []string{"-Xmx*"}, first: "2g", since: "1.2", source: "java(1)"},
		{engine: java, measure: growHeap, place: inCommandLine, text: "-XX:MaxRAMPercentage=75", names: []string{"-XX:MaxRAMPercentage"}, since: "8u191", tell: true, source: "java(1)"},
		{engine: java, measure: growHeap, place: inCommandLine, text: "-XX:+HeapDumpOnOutOfMemoryError", since: "6", source: "java(1)"},
		{engine: node, measure: growHeap, place: inCommandLine, text: "--max-old-space-size={n}", names: []string{"--max-old-space-size"}, only: option("--max-old-space-size"), since: "8", source: "node:docs, cli"},
		{engine: node, measure: growHeap, place: inEnvironment, text: "NODE_OPTIONS=--max-old-space-size={n}", first: "4096", only: not(option("--max-old-space-size")), since: "8", source: "node:docs, cli"},
		{engine: python, measure: pieces, place: inWords, words: "step.python-pieces", since: "any", source: "python:docs, itertools"},
		{engine: oomdoc.EngineNumPy, measure: pieces, place: inPython, text: `numpy.load(path, mmap_mode="r")`, since: "1.0", source: "numpy:docs, numpy.load"},
		{engine: oomdoc.EngineNumPy, measure: halve, place: inPython, text: "a = a.astype(numpy.float32)", since: "1.0", source: "numpy:docs, astype"},
		{engine: oomdoc.EngineGo, measure: pieces, place: inEnvironment, text: "GOMEMLIMIT=1GiB", since: "1.19", tell: true, source: "go: runtime, environment variables"},
		{engine: oomdoc.EngineRust, measure: pieces, place: inWords, words: "step.native-pieces", since: "any", source: "rust: std::alloc, handle_alloc_error"},
		{engine: oomdoc.EngineCpp, measure: pieces, place: inWords, words: "step.native-pieces", since: "any", source: "C++: std::bad_alloc"},
	}
}

// librarySettings are of GPU libraries.
func librarySettings() []setting {
	ort := oomdoc.EngineONNXRuntime
	return []setting{
		{engine: ort, measure: smallerBatch, place: inWords, words: "step.smaller-batch", since: "any", source: "playbook.md F5"},
		{engine: ort, measure: pieces, place: inPython, text: `("CUDAExecutionProvider", {"cudnn_conv_use_max_workspace": "0"})`, since: "1.14", source: "onnxruntime:docs, CUDA-ExecutionProvider"},
		{engine: ort, measure: raiseCap, place: inPython, text: `("CUDAExecutionProvider", {"gpu_mem_limit": {n}, "arena_extend_strategy": "kSameAsRequested"})`, first: "8589934592", since: "1.6", source: "onnxruntime:docs, CUDA-ExecutionProvider"},
		{engine: ort, measure: joinSegments, place: inPython, text: `("CUDAExecutionProvider", {"arena_extend_strategy": "kSameAsRequested"})`, since: "1.6", source: "onnxruntime:docs, CUDA-ExecutionProvider"},
		{engine: ort, measure: inferenceMode, place: inPython, text: `run_options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "gpu:0")`, since: "1.8", source: "onnxruntime:docs, get-started/with-c, memory"},
		{engine: oomdoc.EngineCuPy, measure: raiseCap, place: inPython, text: "cupy.get_default_memory_pool().set_limit(size={n})", first: "0", since: "8", source: "cupy:docs, memory management"},
		{engine: oomdoc.EngineCuPy, measure: smallerBatch, place: inWords, words: "step.array-pieces", since: "any", source: "playbook.md F5"},
		{engine: oomdoc.EngineCuPy, measure: joinSegments, place: inPython, text: "cupy.cuda.set_allocator(cupy.cuda.MemoryAsyncPool().malloc)", since: "9", source: "cupy:docs, memory management"},
		{engine: oomdoc.EngineRAPIDS, measure: raiseCap, place: inPython, text: "rmm.reinitialize(pool_allocator=True, maximum_pool_size={n})", first: "None", since: "0.19", source: "rmm: README"},
		{engine: oomdoc.EngineRAPIDS, measure: joinSegments, place: inPython, text: "rmm.mr.set_current_device_resource(rmm.mr.CudaAsyncMemoryResource())", since: "21.08", source: "rmm: README"},
		{engine: oomdoc.EngineRAPIDS, measure: smallerBatch, place: inWords, words: "step.array-pieces", since: "any", source: "playbook.md F5"},
		{engine: oomdoc.EngineRAPIDS, measure: pieces, place: inPython, text: "rmm.reinitialize(managed_memory=True)", since: "0.10", source: "rmm: README"},
		{engine: oomdoc.EngineFaiss, measure: pieces, place: inPython, text: "res = faiss.StandardGpuResources(); res.setTempMemory(256 * 1024 * 1024)", since: "1.5", source: "faiss: wiki, Faiss-on-the-GPU"},
		{engine: oomdoc.EngineFaiss, measure: halve, place: inPython, text: "co = faiss.GpuClonerOptions(); co.useFloat16 = True", since: "1.5", source: "faiss: wiki, Faiss-on-the-GPU"},
		{engine: oomdoc.EngineFaiss, measure: smallerBatch, place: inWords, words: "step.array-pieces", since: "any", source: "playbook.md F5"},
		{engine: oomdoc.EngineNumba, measure: smallerBatch, place: inWords, words: "step.array-pieces", since: "any", source: "playbook.md F5"},
		{engine: oomdoc.EngineTensorRT, measure: smallerBatch, place: inCommandLine, text: "--memPoolSize=workspace:2048", names: []string{"--memPoolSize", "--workspace"}, since: "8.4", source: "tensorrt:docs, trtexec"},
		{engine: oomdoc.EngineCTranslate2, measure: quantize, place: inPython, text: `compute_type="int8_float16"`, since: "3.0", source: "ctranslate2:docs, quantization"},
		{engine: oomdoc.EngineCTranslate2, measure: smallerBatch, place: inPython, text: "beam_size=1, max_batch_size=8", since: "3.0", source: "ctranslate2:docs, performance"},
		{engine: oomdoc.EngineCUDA, measure: smallerBatch, place: inWords, words: "step.smaller-batch", since: "any", source: "playbook.md F5"},
	}
}
