package playbook

import "github.com/oomdoc/oomdoc"

// jaxSettings: the pool is three quarters of the card unless it is told otherwise;
// the older name of the fraction beside the newer one is an error
// (jax:docs/gpu_memory_allocation, 2026-08).
func jaxSettings() []setting {
	const name, docs = oomdoc.EngineJAX, "jax:docs/gpu_memory_allocation"
	return []setting{
		{engine: name, measure: growAsNeeded, place: inEnvironment, text: "XLA_PYTHON_CLIENT_PREALLOCATE=false", since: "0.1.55", source: docs},
		{engine: name, measure: lowerShare, place: inEnvironment, text: "XLA_CLIENT_MEM_FRACTION={n}", first: ".5", since: "0.5", tell: true, source: docs},
		{engine: name, measure: raiseShare, place: inEnvironment, text: "XLA_CLIENT_MEM_FRACTION={n}", first: ".9", since: "0.5", tell: true, source: docs},
		{engine: name, measure: joinSegments, place: inEnvironment, text: "TF_GPU_ALLOCATOR=cuda_malloc_async", since: "0.3", source: docs},
		{engine: name, measure: smallerBatch, place: inWords, words: "step.smaller-batch", since: "any", source: "playbook.md F5"},
		{engine: name, measure: attention, place: inPython, text: `jax.nn.dot_product_attention(q, k, v, implementation="cudnn")`, since: "0.4.31", source: "jax:docs, jax.nn"},
		{engine: name, measure: checkpoint, place: inPython, text: "jax.checkpoint(layer)", since: "0.2", source: "jax:docs, jax.checkpoint"},
		{engine: name, measure: microBatch, place: inWords, words: "step.smaller-batch", since: "any", source: "playbook.md F5"},
		{engine: name, measure: halve, place: inPython, text: "params = jax.tree.map(lambda x: x.astype(jnp.bfloat16), params)", since: "0.4.25", source: "playbook.md F2"},
		{engine: name, measure: pieces, place: inPython, text: "jax.lax.map(f, xs, batch_size=64)", since: "0.4.31", source: "jax:docs, jax.lax.map"},
	}
}

// tensorflowSettings: memory growth in place of the whole card at once.
func tensorflowSettings() []setting {
	const name, docs = oomdoc.EngineTensorFlow, "tensorflow:docs, guide/gpu"
	return []setting{
		{engine: name, measure: growAsNeeded, place: inEnvironment, text: "TF_FORCE_GPU_ALLOW_GROWTH=true", since: "1.14", source: docs},
		{engine: name, measure: joinSegments, place: inEnvironment, text: "TF_GPU_ALLOCATOR=cuda_malloc_async", since: "2.5", source: "gpu-oom.md 1.2"},
		{engine: name, measure: smallerBatch, place: inPython, text: "model.fit(..., batch_size=8)", since: "2.0", source: "playbook.md F5"},
		{engine: name, measure: microBatch, place: inPython, text: "model.fit(..., batch_size=1)", since: "2.0", source: "playbook.md F5"},
		{engine: name, measure: halve, place: inPython, text: `tf.keras.mixed_precision.set_global_policy("mixed_float16")`, since: "2.4", source: "tensorflow:docs, guide/mixed_precision"},
		{engine: name, measure: raiseCap, place: inPython, text: "tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=8192)])", since: "2.4", source: docs},
		{engine: name, measure: checkpoint, place: inPython, text: "tf.recompute_grad(layer)", since: "2.0", source: "tensorflow:docs, tf.recompute_grad"},
	}
}
