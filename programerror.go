package oomdoc

import "slices"

// The engines of the contract (docs/json.md): whose error it was.
const (
	EnginePyTorch      = "pytorch"
	EngineTransformers = "transformers"
	EngineDiffusers    = "diffusers"
	EngineLlamaCpp     = "llama.cpp"
	EngineOllama       = "ollama"
	EngineLMStudio     = "lmstudio"
	EngineVLLM         = "vllm"
	EngineSGLang       = "sglang"
	EngineTGI          = "tgi"
	EngineTensorRTLLM  = "tensorrt-llm"
	EngineONNXRuntime  = "onnxruntime"
	EngineComfyUI      = "comfyui"
	EngineA1111        = "a1111"
	EngineTextgen      = "textgen-webui"
	EngineKoboldCpp    = "koboldcpp"
	EngineExLlama      = "exllama"
	EngineDeepSpeed    = "deepspeed"
	EngineJAX          = "jax"
	EngineTensorFlow   = "tensorflow"
	EngineCuPy         = "cupy"
	EngineRAPIDS       = "rapids"
	EngineCUDA         = "cuda" // a bare CUDA or HIP error
	EngineFaiss        = "faiss"
	EngineMLC          = "mlc"
	EngineNumba        = "numba"
	EngineRay          = "ray"
	EngineTensorRT     = "tensorrt"
	EngineTritonServer = "triton-server"
	EngineCTranslate2  = "ctranslate2"
	EngineWhisperCpp   = "whisper.cpp"

	EnginePython = "python"
	EngineNumPy  = "numpy"
	EngineJava   = "java"
	EngineNode   = "node"
	EngineGo     = "go"
	EngineRust   = "rust"
	EngineCpp    = "cpp"
)

// A Pool is the memory that refused.
type Pool string

// The pools.
const (
	PoolUnknown Pool = ""
	PoolDevice  Pool = "device"  // a GPU's own memory
	PoolHost    Pool = "host"    // the machine's RAM, or the address space
	PoolShm     Pool = "shm"     // /dev/shm
	PoolRuntime Pool = "runtime" // a language runtime's heap, whose limit is its own
)

// A Phase is what the program was doing when it was refused.
type Phase string

// The phases.
const (
	PhaseUnknown  Phase = ""
	PhaseWeights  Phase = "weights"  // the model was loading
	PhaseKVCache  Phase = "kv-cache" // the KV cache was made, or grew
	PhaseCompute  Phase = "compute"  // compute buffers, graph capture, warm-up, prefill: scratch space
	PhaseTraining Phase = "training" // forward, backward or optimizer step
	PhaseRun      Phase = "run"      // it had started well and was at work
)

// A Refusal is how the program was refused memory.
type Refusal string

// The refusals.
const (
	RefusalAllocation Refusal = ""          // an allocation failed
	RefusalPlan       Refusal = "plan"      // it computed beforehand that it would not fit, and stopped
	RefusalCap        Refusal = "cap"       // a limit that the program or its user set, not the memory
	RefusalPool       Refusal = "pool"      // a pool that was cut out before (KV cache slots) is full
	RefusalDisguised  Refusal = "disguised" // the message of a failed allocation could not be built
	RefusalKilled     Refusal = "killed"    // a process ended by SIGKILL; the lines do not say whose
	RefusalBus        Refusal = "bus"       // a bus error against shared memory
)

// A ClueKind says what a line told of the state before or around a failure.
type ClueKind string

// The clues.
const (
	ClueLoading       ClueKind = "loading"        // a model is being loaded
	ClueBackward      ClueKind = "backward"       // the backward pass runs
	ClueOptimizer     ClueKind = "optimizer"      // an optimizer step runs
	CluePinned        ClueKind = "pinned"         // host memory is being pinned
	ClueGraphCapture  ClueKind = "graph-capture"  // CUDA graphs are being captured
	ClueModelBuffer   ClueKind = "model-buffer"   // Bytes of weights on Name
	ClueKVBuffer      ClueKind = "kv-buffer"      // Bytes of KV cache on Name
	ClueComputeBuffer ClueKind = "compute-buffer" // Bytes of scratch space on Name
	ClueLayers        ClueKind = "layers"         // N of Of layers on the GPU
	ClueContext       ClueKind = "context"        // N tokens of context
	CluePlanNeed      ClueKind = "plan-need"      // the plan needs Bytes
	CluePlanFree      ClueKind = "plan-free"      // the plan found Bytes free
	CluePlanOverruled ClueKind = "plan-overruled" // the user's setting (N layers) kept the plan from fitting
	ClueKVAvailable   ClueKind = "kv-available"   // Bytes are left for the KV cache; may be below zero
	ClueServing       ClueKind = "serving"        // it had started and served
	ClueUnified       ClueKind = "unified"        // CPU and GPU share one memory
	ClueNotRecovered  ClueKind = "not-recovered"  // memory of an earlier model had not come back
	ClueLostDevice    ClueKind = "lost-device"    // access to the GPU was lost
	ClueHeapUse       ClueKind = "heap-use"       // Bytes of a runtime's heap were in use after its last collection
	ClueDriver        ClueKind = "driver"         // the GPU's driver lacked memory for a buffer of its own
	ClueIndexBug      ClueKind = "index-bug"      // an index out of range came before: the error is not memory's
	ClueCode          ClueKind = "code"           // what the frames of a traceback were at: Name, a Code
	ClueMode          ClueKind = "mode"           // how the program runs: Name, a Mode
	ClueSetting       ClueKind = "setting"        // the program's code sets Name
)

// The names of ClueCode.
const (
	CodeDecode        = "image-decode"     // an image or a video is decoded whole
	CodeLoss          = "loss"             // the loss of a language model over its vocabulary
	CodeAttention     = "attention-matrix" // attention that builds its whole matrix
	CodeLoadsAhead    = "loads-ahead"      // weights are loaded ahead of their conversion
	CodeEvaluation    = "evaluation"       // a script that evaluates, not one that trains
	CodeNoGradients   = "no-gradients"     // gradients are off
	CodeQuantizes     = "quantizes"        // weights are quantised while they load
	CodeFullPrecision = "full-precision"   // 32 bits are asked for
)

// The names of ClueMode.
const (
	ModeImages         = "images"          // the model takes images, by a part of its own
	ModePlainAttention = "plain-attention" // flash attention is off
	ModeWSL            = "wsl"             // it runs under WSL
)

// A Clue is what one line told of the state before or around a failure. Absent
// is nil or "".
type Clue struct {
	Kind  ClueKind
	Name  string // of a buffer, a device, a path, a setting
	Bytes *int64
	N, Of *int64
	Line  string
}

// A PoolHolder is a process that holds memory of a device, as the program's
// message lists it.
type PoolHolder struct {
	PID   int // the driver's, which in a container may be another number
	Bytes int64
}

// A ProgramError is what a program's lines tell of memory that it was refused.
// What they do not say is absent: nil, "". Sizes are bytes. Nothing in it is
// judged.
type ProgramError struct {
	Engine  string // whose error it is: the outermost that is known
	Raiser  string // the library whose text it is
	Witness Witness
	Pool    Pool
	Phase   Phase
	Refusal Refusal
	// Outcome is failed, degraded where the program went on, or killed.
	Outcome Outcome

	// Who. The fields of a journal are journald's own.
	PID           int
	Name          string
	UID           *int
	Unit          string
	UserUnit      string
	Cgroup        string
	Container     string
	ContainerName string
	Pod           string
	Namespace     string
	Rank          *int // of a distributed job: the first that failed
	Ranks         int  // how many ranks told of it
	Model         string

	Device     *int   // the index that the program uses
	DeviceName string // "CUDA0", as the program calls it

	Requested    *int64
	Total        *int64 // of the device
	Free         *int64 // of the pool that refused
	Allocated    *int64 // by the program's allocator
	Unallocated  *int64 // reserved by the allocator, not in use
	PrivatePools *int64 // kept by CUDA graphs; part of Allocated
	Allowed      *int64 // a cap on this process
	Own          *int64 // this process, all libraries
	Limit        *int64 // of the program's own pool
	InUse        *int64 // of that pool
	Holders      []PoolHolder
	// Grain is by how much a figure may be off: sizes are printed rounded.
	Grain int64

	Utilization *float64 // the share of the device that the program may take, 0 to 1
	Tokens      *int64   // that were asked for
	TokensFree  *int64   // that had room
	TokensFit   *int64   // the longest context that would fit, as the program says

	Operation string // the call or operation that failed, as printed
	Clues     []Clue

	// The lines as they came: the refusal, and what set the limits.
	Line, LimitLine string
}

// Has tells a clue of a kind and a name.
func (e *ProgramError) Has(kind ClueKind, name string) bool {
	return slices.ContainsFunc(e.Clues, func(c Clue) bool { return c.Kind == kind && c.Name == name })
}

// Clue gives the last clue of a kind, nil when there is none.
func (e *ProgramError) Clue(kind ClueKind) *Clue {
	for i := len(e.Clues) - 1; i >= 0; i-- {
		if e.Clues[i].Kind == kind {
			return &e.Clues[i]
		}
	}
	return nil
}
