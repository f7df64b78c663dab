package playbook

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// refused is an incident of a program that was refused memory, with what the
// choice among the fixes asks about.
type refused struct {
	*patient
	e    *oomdoc.ProgramError
	args commandLine
}

func newRefused(inc *oomdoc.Incident, e *oomdoc.ProgramError, facts oomdoc.Facts) *refused {
	if e == nil {
		e = &oomdoc.ProgramError{}
	}
	r := &refused{patient: newPatient(inc, nil, facts), e: e}
	if p := inc.Process; p != nil {
		r.args = p.Cmdline
		if known, has := facts.Processes[p.PID]; has && len(r.args) == 0 && p.PID != 0 {
			r.args = known.Cmdline
		}
	}
	return r
}

// engine is whose error it is.
func (r *refused) engine() string {
	if r.inc.Process != nil && r.inc.Process.Engine != "" {
		return r.inc.Process.Engine
	}
	return r.e.Engine
}

// kin are the engines whose settings a program obeys, its own first: what runs
// on PyTorch obeys its allocator.
func (r *refused) kin() []string {
	engine := r.engine()
	switch engine {
	case oomdoc.EngineTransformers, oomdoc.EngineDiffusers, oomdoc.EngineDeepSpeed, oomdoc.EngineComfyUI, oomdoc.EngineA1111,
		oomdoc.EngineTextgen, oomdoc.EngineVLLM, oomdoc.EngineSGLang, oomdoc.EngineTGI, oomdoc.EngineExLlama:
		return []string{engine, oomdoc.EnginePyTorch}
	case oomdoc.EngineNumPy:
		return []string{engine, oomdoc.EnginePython}
	}
	return []string{engine}
}

// kinFor are the kin for one measure: a server on PyTorch obeys its allocator, but
// its code is not the user's.
func (r *refused) kinFor(m measure) []string {
	kin := r.kin()
	if len(kin) > 1 && kin[1] == oomdoc.EnginePyTorch && !isTorch(r) && m != joinSegments {
		return kin[:1]
	}
	return kin
}

// model is the model's name or path, "" when nothing tells it.
func (r *refused) model() string {
	named := ""
	if r.inc.Process != nil {
		named = r.inc.Process.Model
	}
	value, _ := r.args.value("--model", "-m", "-hf", "--hf-repo", "--model-path", "--model-id", "--ckpt")
	return cmp.Or(named, r.e.Model, value, r.args.after("serve"))
}

func (r *refused) total() int64 {
	if r.inc.GPU != nil && r.inc.GPU.TotalBytes != nil {
		return *r.inc.GPU.TotalBytes
	}
	return valueOf(r.e.Total)
}

// free is what the program could still have had: what was free, within its cap
// where it has one. nil where the lines do not tell.
func (r *refused) free() *int64 {
	free := r.e.Free
	if r.e.Allowed != nil && r.e.Allocated != nil {
		left := max(0, *r.e.Allowed-*r.e.Allocated-valueOf(r.e.Unallocated))
		if free == nil || left < *free {
			free = &left
		}
	}
	return free
}

// room is what was free for the request: what the lines of the refusal say, else
// what the plan found before anything was loaded, less what was loaded since.
func (r *refused) room() *int64 {
	if free := r.free(); free != nil {
		return free
	}
	for i := len(r.e.Clues) - 1; i >= 0; i-- {
		c := r.e.Clues[i]
		if c.Kind != oomdoc.CluePlanFree || c.Bytes == nil || !r.onDevice(c.Name) || r.e.Pool != oomdoc.PoolDevice {
			continue
		}
		left := *c.Bytes
		if r.e.Phase != oomdoc.PhaseWeights {
			left -= r.buffers(oomdoc.ClueModelBuffer)
		}
		if r.e.Phase == oomdoc.PhaseCompute || r.e.Phase == oomdoc.PhaseRun {
			left -= r.buffers(oomdoc.ClueKVBuffer)
		}
		left = max(0, left)
		return &left
	}
	return nil
}

// buffers are the bytes of one kind that the program got on the device that
// failed. Of the same buffer the last line counts.
func (r *refused) buffers(kind oomdoc.ClueKind) (sum int64) {
	sizes := map[string]int64{}
	for _, c := range r.e.Clues {
		if c.Kind == kind && c.Bytes != nil && *c.Bytes > 0 && r.onDevice(c.Name) {
			sizes[c.Name] = *c.Bytes
		}
	}
	for _, size := range sizes {
		sum = saturating(sum, size)
	}
	return sum
}

// missing is by how much the request was larger than what was free; nil where
// that is not known, or nothing was missing.
func (r *refused) missing() *int64 {
	room := r.room()
	if r.e.Requested == nil || room == nil || *r.e.Requested <= *room {
		return nil
	}
	short := *r.e.Requested - max(0, *room)
	return &short
}

// fits tells a request that was smaller than what was free beyond the roundings.
func (r *refused) fits() bool {
	free := r.free()
	return r.e.Requested != nil && free != nil && *r.e.Requested+r.e.Grain <= *free
}

// weights are the bytes of the model on the device that failed, as its lines told
// them; 0 is unknown.
func (r *refused) weights() int64 {
	if sum := r.buffers(oomdoc.ClueModelBuffer); sum > 0 {
		return sum
	}
	if r.e.Phase == oomdoc.PhaseWeights && r.isGGML() {
		return max(0, valueOf(r.e.Requested))
	}
	return 0
}

// kvCache are the bytes of the KV cache: what was asked for it, or what it took.
func (r *refused) kvCache() int64 {
	if r.atKVCache() && r.e.Requested != nil {
		return max(0, *r.e.Requested)
	}
	return r.buffers(oomdoc.ClueKVBuffer)
}

// onDevice tells a buffer of the device that failed: of its name or its number,
// or any device's where neither is known.
func (r *refused) onDevice(name string) bool {
	switch {
	case name == "":
		return true
	case r.e.Pool == oomdoc.PoolHost:
		return isHostBuffer(name)
	case isHostBuffer(name):
		return false
	case r.e.DeviceName != "":
		return name == r.e.DeviceName
	case r.e.Device != nil:
		return strings.TrimLeft(name, letters) == strconv.Itoa(*r.e.Device)
	}
	return true
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// isHostBuffer tells llama.cpp's names of buffers in RAM (knowledge gpu-oom.md
// section 1.3).
func isHostBuffer(name string) bool {
	return strings.HasPrefix(name, "CPU") || strings.HasSuffix(name, "_Host")
}

// tokens is the length of the context, 0 where nothing tells it.
func (r *refused) tokens() int64 {
	if r.e.Tokens != nil {
		return *r.e.Tokens
	}
	if c := r.e.Clue(oomdoc.ClueContext); c != nil && c.N != nil {
		return *c.N
	}
	for _, s := range settingsOf(r.kin(), shortenContext) {
		if n, has := r.args.number(s.names...); has {
			return n
		}
	}
	return 0
}

// isGGML tells llama.cpp and what is built on it.
func (r *refused) isGGML() bool {
	switch r.engine() {
	case oomdoc.EngineLlamaCpp, oomdoc.EngineOllama, oomdoc.EngineLMStudio, oomdoc.EngineKoboldCpp, oomdoc.EngineWhisperCpp:
		return true
	}
	return false
}

func (r *refused) knows(kind oomdoc.ClueKind) bool { return r.e.Clue(kind) != nil }

// spare, in percent: by how much a predicted saving must be larger than what is
// missing to count as enough (knowledge playbook.md section 3).
const spare = 10

// covers tells a saving that is enough, with a tenth to spare.
func covers(saves, missing int64) bool { return saves >= saturating(missing, share(missing, spare)) }

// enough tells whether a saving covers what was missing; nil where that is not
// known.
func (r *refused) enough(saves *int64) *bool {
	missing := r.missing()
	if missing == nil || saves == nil {
		return nil
	}
	does := covers(*saves, *missing)
	return &does
}

// saturating adds two sizes that come from a log without overflow.
func saturating(a, b int64) int64 {
	if a > 0 && b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// scaled is a share of a size, never more than an int64 holds.
func scaled(n int64, factor float64) int64 {
	size := math.Round(float64(n) * factor)
	if size >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(size)
}
